package live

import "github.com/prlab/prlab/plotting"

// filming makes the film known to the page that has opened its cell.
func filming(m plotting.Film) (attributes string) {
	if g := ofFilm(m); g != nil && collect != nil {
		collect(g)
	}
	return ""
}
