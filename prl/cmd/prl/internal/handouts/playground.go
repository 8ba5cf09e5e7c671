package handouts

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"

	"github.com/prlab/prlab/prl/cmd/prl/internal/playground"
	"github.com/prlab/prlab/prl/cmd/prl/internal/setup"
	"github.com/prlab/prlab/prl/notebook"
)

// A toolchain compiles the cells of pages: a script that stands beside them.
type toolchain struct{ text, sum string }

// readToolchain builds the toolchain, or finds it.
func readToolchain(ctx context.Context, lab *setup.Lab) (*toolchain, error) {
	step := lab.Console.Step("Go for the pages", 1)
	built, err := playground.Build(ctx, lab.Checkout, lab.Python(), step.Say)
	if err != nil {
		step.Fail()
		return nil, err
	}
	text, err := os.ReadFile(built.Path)
	if err != nil {
		step.Fail()
		return nil, err
	}
	step.Done(fmt.Sprintf("%.1f MB beside the pages", float64(len(text))/1e6))
	sum := sha256.Sum256(text)
	return &toolchain{string(text), "sha256-" + base64.StdEncoding.EncodeToString(sum[:])}, nil
}

// policy lets a page load the toolchain: by its hash, which a browser compares if the page comes from a server; and as a file from a disk.
func (t *toolchain) policy() string { return " '" + t.sum + "' file:" }

// data is the notebook of a page, without outputs, for the script of cells. A student's has no solutions.
func (t *toolchain) data(c *chapter, v Version) (string, error) {
	n, err := notebook.Read(c.Path)
	if err != nil {
		return "", err
	}
	if v == Student {
		n.ForStudents()
	}
	text, err := n.Bytes()
	if err != nil {
		return "", err
	}
	var raw map[string]any
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if err := decoder.Decode(&raw); err != nil {
		return "", err
	}
	list, _ := raw["cells"].([]any)
	for _, one := range list {
		if cell, _ := one.(map[string]any); cell["cell_type"] == "code" {
			cell["outputs"], cell["execution_count"] = []any{}, nil
		}
	}
	if text, err = json.Marshal(raw); err != nil { // with < as \u003c: no tag ends the element
		return "", err
	}
	return fmt.Sprintf("<script type=\"application/json\" id=\"prl-notebook\" data-toolchain=%q data-sum=%q>%s</script>\n",
		playground.FileName, t.sum, text), nil
}
