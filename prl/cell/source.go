//go:build !js

package cell

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/prlab/prlab/prl/fault"
)

// source returns what stands in the line, or "" when that cannot be read. A cell's program is a file that the kernel has put together, so
// its number of the line says nothing to a reader of the notebook; the text is what stands in the cell.
func (p place) source() string {
	const most = 88
	file := p.file
	if !filepath.IsAbs(file) {
		file = filepath.Join(os.Getenv("GONB_TMP_DIR"), file) // a program that is kept for several kernels is compiled without their folders
	}
	program, err := os.ReadFile(file)
	if err != nil {
		return ""
	}
	n := 0
	for line := range strings.Lines(string(program)) {
		if n++; n < p.line {
			continue
		}
		line = strings.TrimSpace(fault.Line(line))
		if runes := []rune(line); len(runes) > most {
			line = string(runes[:most-1]) + "…"
		}
		return line
	}
	return ""
}
