// Package notebook reads, normalises, compares and writes .ipynb files, so that executing a notebook twice gives the same bytes. The form
// is the one Jupyter itself writes: sorted keys, one blank of indent, text as a list of lines. Nothing that the package does not know is
// lost.
package notebook

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/prlab/prlab/prl/internal/atomicfile"
)

// A Notebook is a notebook of format 4.5.
type Notebook struct {
	raw   map[string]any
	Cells []*Cell
}

// A Cell is one cell; its accessors read and write the JSON object it came from, so that nothing unknown is lost.
type Cell struct{ raw map[string]any }

// Read reads and checks a notebook file.
func Read(path string) (*Notebook, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	n, err := Parse(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return n, nil
}

// Parse reads a notebook.
func Parse(data []byte) (*Notebook, error) {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	var raw map[string]any
	if err := decoder.Decode(&raw); err != nil {
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) {
			line := 1 + bytes.Count(data[:min(int(syntax.Offset), len(data))], []byte("\n"))
			return nil, fmt.Errorf("line %d: not a notebook: %w", line, err)
		}
		var kind *json.UnmarshalTypeError
		switch {
		case errors.Is(err, io.EOF):
			return nil, errors.New("not a notebook: the file is empty")
		case errors.Is(err, io.ErrUnexpectedEOF):
			return nil, errors.New("not a notebook: the file ends in the middle")
		case errors.As(err, &kind):
			return nil, fmt.Errorf("not a notebook: it holds JSON, but a value of kind %s and no object", kind.Value)
		}
		return nil, fmt.Errorf("not a notebook: %w", err)
	}
	if _, err := decoder.Token(); err != io.EOF {
		line := 1 + bytes.Count(data[:min(int(decoder.InputOffset()), len(data))], []byte("\n"))
		return nil, fmt.Errorf("line %d: not a notebook: it goes on after its end", line)
	}
	if deeper(raw, deepest) {
		return nil, fmt.Errorf("not a notebook: it is nested more than %d levels deep", deepest)
	}
	if raw["nbformat"] != json.Number("4") {
		return nil, fmt.Errorf("not a notebook of format 4 (nbformat is %v); open and save it in JupyterLab to convert it", raw["nbformat"])
	}
	cells, isList := raw["cells"].([]any)
	if !isList {
		return nil, errors.New("not a notebook: it has no list of cells")
	}
	n := &Notebook{raw: raw}
	for i, entry := range cells {
		cell, isObject := entry.(map[string]any)
		if !isObject {
			return nil, fmt.Errorf("cell %d is not an object", i+1)
		}
		n.Cells = append(n.Cells, &Cell{cell})
	}
	return n, nil
}

// deepest is how far objects and lists may stand in each other. A file is indented by a blank a level, so depth costs its square.
const deepest = 200

func deeper(value any, levels int) bool {
	switch v := value.(type) {
	case map[string]any:
		for _, entry := range v {
			if levels == 0 || deeper(entry, levels-1) {
				return true
			}
		}
	case []any:
		for _, entry := range v {
			if levels == 0 || deeper(entry, levels-1) {
				return true
			}
		}
	}
	return false
}

// Bytes is the notebook as a file holds it.
func (n *Notebook) Bytes() ([]byte, error) {
	cells := make([]any, len(n.Cells))
	for i, c := range n.Cells {
		cells[i] = c.raw
	}
	n.raw["cells"] = cells
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", " ")
	if err := encoder.Encode(n.raw); err != nil {
		return nil, err
	}
	return unescapeSeparators(out.Bytes()), nil
}

// unescapeSeparators undoes the one escape that Go's encoder insists on and Jupyter does not write: U+2028 and U+2029.
func unescapeSeparators(data []byte) []byte {
	if !bytes.Contains(data, []byte(`\u202`)) {
		return data
	}
	var out bytes.Buffer
	for i := 0; i < len(data); i++ {
		switch {
		case data[i] != '\\':
			out.WriteByte(data[i])
		case bytes.HasPrefix(data[i:], []byte(`\u2028`)):
			out.WriteString("\u2028")
			i += 5
		case bytes.HasPrefix(data[i:], []byte(`\u2029`)):
			out.WriteString("\u2029")
			i += 5
		default:
			out.Write(data[i:min(i+2, len(data))])
			i++
		}
	}
	return out.Bytes()
}

// Write replaces the file in one step: at no moment does it hold half a notebook. A file that has these bytes already is not touched.
func (n *Notebook) Write(path string) error {
	data, err := n.Bytes()
	if err != nil {
		return err
	}
	if old, err := os.ReadFile(path); err == nil && bytes.Equal(old, data) {
		return nil
	}
	return atomicfile.Write(path, data, 0o644)
}

// Format is the version of the file's form, such as 4 and 5.
func (n *Notebook) Format() (major, minor int) {
	return whole(n.raw["nbformat"]), whole(n.raw["nbformat_minor"])
}

func whole(value any) int {
	number, _ := value.(json.Number)
	i, _ := number.Int64()
	return int(i)
}

// Kernel is the name of the kernel that executes the notebook, empty if the file names none.
func (n *Notebook) Kernel() string {
	name, _ := object(object(n.raw["metadata"])["kernelspec"])["name"].(string)
	return name
}

// ID is the cell's id.
func (c *Cell) ID() string { id, _ := c.raw["id"].(string); return id }

// IsCode reports whether the cell is executed.
func (c *Cell) IsCode() bool { return c.raw["cell_type"] == "code" }

// Source is the cell's text.
func (c *Cell) Source() string { return text(c.raw["source"]) }

// NewCode is an empty code cell with an id and tags, folded in JupyterLab.
func NewCode(id string, tags ...string) *Cell {
	list := make([]any, len(tags))
	for i, tag := range tags {
		list[i] = tag
	}
	return &Cell{map[string]any{
		"cell_type": "code", "id": id, "execution_count": nil, "outputs": []any{}, "source": []any{},
		"metadata": map[string]any{"tags": list, "jupyter": map[string]any{"source_hidden": true}},
	}}
}

// SetSource replaces the cell's text. Its outputs stay, and are those of the old text until it is executed again.
func (c *Cell) SetSource(source string) { c.raw["source"] = lines(source) }

// Runs reports whether a kernel is asked to execute the cell: a code cell that is not blank.
func (c *Cell) Runs() bool { return c.IsCode() && strings.TrimSpace(c.Source()) != "" }

// Executed reports whether the cell has been executed.
func (c *Cell) Executed() bool { return c.raw["execution_count"] != nil }

// Tags are the cell's tags.
func (c *Cell) Tags() []string { return texts(object(c.raw["metadata"])["tags"]) }

// Tag gives the cell a tag, unless it has it.
func (c *Cell) Tag(tag string) {
	metadata, isObject := c.raw["metadata"].(map[string]any)
	if !isObject {
		metadata = map[string]any{}
		c.raw["metadata"] = metadata
	}
	if !slices.Contains(texts(metadata["tags"]), tag) {
		list, _ := metadata["tags"].([]any)
		metadata["tags"] = append(list, tag)
	}
}

// Items are the ids of the syllabus' items that the cell covers by telling them, as its metadata name them under "prl".
func (c *Cell) Items() []string { return texts(object(object(c.raw["metadata"])["prl"])["items"]) }

// object is a JSON object, or an empty one where something else stands.
func object(value any) map[string]any {
	fields, _ := value.(map[string]any)
	return fields
}

// texts lists the strings of a JSON list.
func texts(value any) []string {
	list, _ := value.([]any)
	var all []string
	for _, entry := range list {
		if s, isString := entry.(string); isString {
			all = append(all, s)
		}
	}
	return all
}

// Outputs are the cell's outputs as JSON objects.
func (c *Cell) Outputs() []map[string]any {
	list, _ := c.raw["outputs"].([]any)
	var outputs []map[string]any
	for _, entry := range list {
		if output, isObject := entry.(map[string]any); isObject {
			outputs = append(outputs, output)
		}
	}
	return outputs
}

// Data is what an output shows, by MIME type, as text. Data that is JSON and no text is left out.
func Data(output map[string]any) map[string]string {
	all := map[string]string{}
	for mime, value := range object(output["data"]) {
		if s := text(value); s != "" {
			all[mime] = s
		}
	}
	return all
}

// Stream is the text of an output that is a stream.
func Stream(output map[string]any) string { return text(output["text"]) }

// text joins what a notebook may keep as one string or as a list of lines.
func text(value any) string {
	switch v := value.(type) {
	case string:
		return v
	case []any:
		var all strings.Builder
		for _, line := range v {
			s, _ := line.(string)
			all.WriteString(s)
		}
		return all.String()
	}
	return ""
}

// lines is the form in which a notebook keeps text.
func lines(s string) []any {
	list := []any{}
	for line := range strings.Lines(s) {
		list = append(list, line)
	}
	return list
}
