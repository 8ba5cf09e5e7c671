// Package cell is life in a notebook cell: it shows tables and figures through the kernel's pipe, reports an error once and in full, proves
// a claim with the numbers beside it, and keeps costly results on disk from one cell to the next.
//
// The kernel compiles and runs every cell as a program of its own, and half of the time a cell takes is spent on linking. So this package
// links the display protocol and hardly anything else; a test keeps the count of packages.
package cell

// Version is the version of the library. A kept result of another version is not read (see Keep).
const Version = "0.1.0"
