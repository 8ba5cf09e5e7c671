//go:build !js

package eigen

// shortcuts reports whether small matrices have a way of their own. A page does without: it would have to load both.
const shortcuts = true
