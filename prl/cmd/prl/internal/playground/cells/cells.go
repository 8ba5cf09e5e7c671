// Package cells is what a page needs so that its reader edits and runs the cells of its notebook: a script, with the editor in it, and a
// style sheet; and the kernel of a JupyterLite. README.md says how they are built.
package cells

import _ "embed"

// Script makes the cells of a page such that its reader edits and runs them. It takes the notebook from the element script#prl-notebook,
// which also names the toolchain, and leaves a page without one as it is, as it does where cells cannot run.
//
//go:embed cells.min.js
var Script string

// Engine is the module of the script that compiles and runs cells, without its editor.
//
//go:embed engine.js
var Engine string

// Style is what the script's buttons and editors look like, in the colours of a handout.
//
//go:embed cells.css
var Style string

// Licence has the notices of the editor in the script.
//
//go:embed LICENSE-codemirror
var Licence string

// Kernel is an extension of JupyterLite with a kernel for Go. In its text stand words in capitals, for which its builder has values:
// TOOLCHAIN, the name of the toolchain's file beside it, with SUM, its hash; KERNEL and DISPLAY, the kernel's name and how it is shown;
// GOVERSION; and FIRST, the notebook that a reader begins with.
//
//go:embed kernel.min.js
var Kernel string
