package live

import (
	"fmt"
	"go/format"
	"strings"

	"github.com/prlab/prlab/prl/cmd/prl/internal/prl-kernel/source"
)

// Formatted returns the text of a cell as gofmt sets it. What stands above the line %% and what stands below it are set each for itself;
// without such a line a cell holds declarations or statements, and is refused if it holds both. So is a cell that does not parse, or that
// has commands for the kernel.
func Formatted(text string) (string, error) {
	lines := strings.Split(text, "\n")
	var set []string
	from := 0
	part := func(to int) error {
		piece := strings.Trim(strings.Join(lines[from:to], "\n"), "\n")
		if piece == "" {
			return nil
		}
		formatted, err := format.Source([]byte(piece))
		if err != nil {
			return fmt.Errorf("gofmt, from line %d: %w", from+1, err)
		}
		set = append(set, strings.TrimRight(string(formatted), "\n"))
		return nil
	}
	for i, line := range lines {
		switch {
		case strings.TrimSpace(line) == "%%" && from == 0:
			if err := part(i); err != nil {
				return "", err
			}
			set, from = append(set, "%%"), i+1
		case source.IsCommand(line):
			return "", fmt.Errorf("gofmt, line %d: it is a command for the kernel, and no Go", i+1)
		}
	}
	if err := part(len(lines)); err != nil {
		return "", err
	}
	return strings.Join(set, "\n"), nil
}
