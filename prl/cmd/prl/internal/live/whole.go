package live

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/prlab/prlab/prl/cmd/prl/internal/checkout"
	"github.com/prlab/prlab/prl/cmd/prl/internal/prl-kernel/source"
)

// Whole returns the program that the kernel makes of a cell: its statements, if it has any, all that it declares, what both use of the
// cells before it, the later in place of the earlier, and the initialisations without a name of all these cells, such as the seals of
// exercises. With value it shows the value of a last expression; the compiler refuses that of a function without a result, and then the
// program is to be made without. A cell with live figures or films runs through Run of their package. A cell before it that does not parse
// gives nothing, since the kernel has refused it. Mistakes are told in the words of the notebook.
func Whole(cells []Cell, id string, value bool) (string, error) {
	known := scope{names: map[string]*declaration{}, methods: map[string]*declaration{}, imports: map[string]string{}}
	var r reader
	for _, c := range cells {
		if c.ID != id {
			if part, err := r.read(c); err == nil {
				known.add(part)
			}
			continue
		}
		s := source.Read(c.Text)
		switch {
		case s.Problem != nil && s.Problem.Line >= 0:
			return "", fmt.Errorf("cell %s, line %d: %s", id, s.Problem.Line+1, s.Problem.Title)
		case s.Problem != nil:
			return "", fmt.Errorf("cell %s: %s", id, s.Problem.Title)
		case s.Raw():
			return "", fmt.Errorf("cell %s is for the kernel of the lab, and no Go", id)
		}
		value = value && s.Value
		if !value {
			s = source.Arrange(c.Text)
		}
		part, err := r.arranged(c, s)
		if err != nil {
			return "", err
		}
		known.add(part)
		body := part.body
		if body == nil {
			body = &declaration{cell: id, line: 1, text: "{}"}
		}
		all := *body // what the program needs, and not only its statements
		all.uses = maps.Clone(body.uses)
		if all.uses == nil {
			all.uses = map[string]bool{}
		}
		for _, d := range part.declarations {
			for _, name := range d.names {
				all.uses[name] = true
			}
			if d.of != "" {
				all.uses[d.of] = true
			}
		}
		for _, d := range known.starts {
			maps.Copy(all.uses, d.uses)
		}
		u, called := known.closure(&all)
		for _, d := range known.starts {
			u.declarations[d.key()] = d
		}
		p := program{uses: u, bodies: []*declaration{body}}
		if value {
			u.imports["fmt"], u.imports["prlLibrary"] = `"fmt"`, "prlLibrary "+strconv.Quote(checkout.Module+"/prl")
		}
		beginning := "func main() "
		if called.any(liveMakers) || called.any(filmMakers) {
			u.imports["prlLive"] = "prlLive " + strconv.Quote(library)
			beginning = fmt.Sprintf("func main() { prlLive.Run(%q, prlCell) }\n\nfunc prlCell() ", id)
		}
		text := p.main(beginning)
		if first := s.Statements; first >= 0 && first < len(s.Lines) { // the line before may be none of the cell
			from := fmt.Sprintf("//line %s:%d\n%s{\n", file(id), body.line, beginning)
			text = strings.Replace(text, from, fmt.Sprintf("%s{\n//line %s:%d\n", beginning, file(id), s.Lines[first]+1), 1)
		}
		if !value {
			return text, nil
		}
		return text + source.ShowAll, nil
	}
	return "", fmt.Errorf("there is no cell %s", id)
}

// Told is what a compiler says of the program of a notebook, in the words of the notebook.
func Told(said string) string {
	return plain(said, fmt.Errorf("the program does not build, and nothing says why"))
}

// Imports are the paths of the packages that cells import, each once and in order.
func Imports(cells []Cell) []string {
	seen := map[string]bool{}
	var r reader
	for _, c := range cells {
		part, err := r.read(c)
		if err != nil {
			continue // the cell does not run
		}
		for _, spec := range part.imports {
			if path, err := strconv.Unquote(spec[strings.IndexAny(spec, "\"`"):]); err == nil {
				seen[path] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(seen))
}
