package syllabus

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/prlab/prlab/prl/notebook"
)

// MistakesFolder lies beside the chapters. For a chapter it holds a file of its name with the mistakes that readers look for.
const MistakesFolder = "mistakes"

// A Mistake was planted in the code of a chapter, which then was executed.
type Mistake struct {
	Cell   string    `json:"cell"`
	Line   int       `json:"line"`            // of the cell, from 1
	Code   [3]string `json:"code"`            // the line, without blanks at its ends: before the mistake, in its place, and after it
	After  string    `json:"after,omitempty"` // what the mistake puts in its place, if that is code
	Change string    `json:"change"`          // the same in words
	Ticks  []Tick    `json:"ticks"`           // some checks of the section, in the order of the chapter
}

// A Tick is a check, by its cell and its claim. Red says that the mistake turned it red; then Numbers are what it found.
type Tick struct {
	Cell    string `json:"cell"`
	Claim   string `json:"claim"`
	Red     bool   `json:"red,omitempty"`
	Numbers string `json:"numbers,omitempty"`
}

// readMistakes reads the mistakes of all chapters of a folder, by the names of the chapters.
func readMistakes(dir string) (map[string][]Mistake, error) {
	paths, err := filepath.Glob(filepath.Join(dir, MistakesFolder, "*.json"))
	all := map[string][]Mistake{}
	for _, path := range paths {
		var list []Mistake
		data, err := os.ReadFile(path)
		if err == nil {
			err = json.Unmarshal(data, &list)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		all[strings.TrimSuffix(filepath.Base(path), ".json")] = list
	}
	return all, err
}

// HasPassed reports whether the outputs of a cell hold a check with this claim that passed.
func HasPassed(c *notebook.Cell, claim string) bool {
	for _, o := range c.Outputs() {
		data, _ := o["data"].(map[string]any)
		text, _ := data["text/plain"].(string)
		if lines, several := data["text/plain"].([]any); several {
			for _, line := range lines {
				part, _ := line.(string)
				text += part
			}
		}
		for line := range strings.Lines(text) {
			if strings.HasPrefix(line, "✓ ") && strings.Contains(line, claim) {
				return true
			}
		}
	}
	return false
}
