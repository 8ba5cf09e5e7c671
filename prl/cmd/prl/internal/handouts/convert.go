package handouts

import (
	"bytes"
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/prlab/prlab/prl/cmd/prl/internal/checkout"
	"github.com/prlab/prlab/prl/cmd/prl/internal/clean"
	"github.com/prlab/prlab/prl/cmd/prl/internal/process"
	"github.com/prlab/prlab/prl/cmd/prl/internal/setup"
	"github.com/prlab/prlab/prl/internal/atomicfile"
)

//go:embed convert.py
var converter []byte

// A chapter is a notebook turned into pieces of HTML.
type chapter struct {
	Path  string `json:"path"`
	Error string `json:"error,omitempty"`
	Style string `json:"style"` // of the highlighted code
	Cells []cell `json:"cells"`
	Key   string `json:"key"` // of the notebook and all that its conversion depends on

	program  program            // of its live figures; not kept
	previews map[string]*target // what its references to other chapters show; not kept
	works    []string           // the keys of its list of references; not kept
}

type cell struct {
	ID       string   `json:"id"`
	Kind     string   `json:"kind"`
	Tags     []string `json:"tags"`
	Slide    string   `json:"slide"` // slide, subslide, fragment, skip or notes, if the notebook says so
	Items    []string `json:"items"`
	HTML     string   `json:"html"`
	Folded   bool     `json:"folded"` // its code is not shown unless asked for
	Count    int      `json:"count"`  // the number that Jupyter gave it when it ran
	Runs     bool     `json:"runs"`
	Executed bool     `json:"executed"`
	Failed   bool     `json:"failed"`
}

// name is the notebook's name without its ending.
func (c *chapter) name() string { return strings.TrimSuffix(filepath.Base(c.Path), ".ipynb") }

// title is the text of the first heading, or the name.
func (c *chapter) title() string {
	for i := range c.Cells {
		if !strings.Contains(c.Cells[i].HTML, "<h") {
			continue
		}
		if h := first(parse(c.Cells[i].HTML), func(n *html.Node) bool { return level(n) > 0 && attr(n, "id") != "" }); h != nil {
			return textOf(h)
		}
	}
	return c.name()
}

// convertAll converts notebooks, those that have not changed from the cache. It keeps the order.
func convertAll(ctx context.Context, lab *setup.Lab, paths []string, math *renderer, progress func(done int)) ([]*chapter, error) {
	cache := lab.Own("handouts")
	if err := atomicfile.Folder(cache, 0o755); err != nil {
		return nil, err
	}
	common := sha256.New()
	common.Write(converter)
	for _, name := range []string{"conf.json", "index.html.j2"} {
		data, err := os.ReadFile(lab.Path("notebooks", "handouts", "template", "handout", name))
		if err != nil {
			return nil, fmt.Errorf("the template of handouts is not complete: %w", err)
		}
		common.Write(data)
	}
	if data, err := os.ReadFile(lab.Path("notebooks", "kernel", "requirements.txt")); err == nil {
		common.Write(data)
	}
	common.Write([]byte(form))
	if library, err := katexFiles.ReadFile("katex/katex.min.js"); err == nil {
		common.Write(library)
	}
	base := common.Sum(nil)
	keyOf := func(path string) (string, error) {
		data, err := os.ReadFile(path)
		if err != nil {
			return "", err
		}
		sum := sha256.Sum256(append(slices.Clone(base), data...))
		return hex.EncodeToString(sum[:16]), nil
	}

	all := make([]*chapter, len(paths))
	var missing []string
	done := 0
	for i, path := range paths {
		key, err := keyOf(path)
		if err != nil {
			return nil, err
		}
		all[i] = &chapter{Path: path, Key: key}
		var kept chapter
		if data, err := os.ReadFile(filepath.Join(cache, all[i].name()+".json")); err == nil && json.Unmarshal(data, &kept) == nil &&
			kept.Key == all[i].Key {
			kept.Path = path
			all[i] = &kept
			done++
			continue
		}
		missing = append(missing, path)
	}
	progress(done)
	if len(missing) == 0 {
		return all, nil
	}
	dir, err := process.TempDir(process.HandoutsFolder)
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	program := filepath.Join(dir, "convert.py")
	if err := os.WriteFile(program, converter, 0o600); err != nil {
		return nil, err
	}
	cmd := process.Command(ctx, lab.Python(), append([]string{program, lab.Path("notebooks", "handouts", "template")}, missing...)...)
	cmd.Env = append(lab.JupyterEnv(os.Environ()), "PYTHONDONTWRITEBYTECODE=1", "PYTHONIOENCODING=utf-8")
	var said bytes.Buffer
	cmd.Stderr = &said
	var failures []error
	err = process.Lines(cmd, func(line string) {
		var c chapter
		if err := json.Unmarshal([]byte(line), &c); err != nil {
			failures = append(failures, fmt.Errorf("nbconvert said what cannot be read: %w", err))
			return
		}
		if err := finish(&c, all, math, cache, keyOf); err != nil {
			failures = append(failures, err)
		}
		done++
		progress(done)
	})
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if err != nil && len(failures) == 0 {
		return nil, fmt.Errorf("nbconvert failed: %w\n%s", err, said.String())
	}
	for _, c := range all {
		if c.Cells == nil && len(failures) == 0 {
			failures = append(failures, fmt.Errorf("%s: nbconvert gave nothing\n%s", c.Path, said.String()))
		}
	}
	return all, errors.Join(failures...)
}

// finish renders the formulas of a converted notebook and puts it where it belongs. A notebook that was saved since its key was computed is
// not kept in the cache, since nobody knows which of the two texts nbconvert has read.
func finish(c *chapter, all []*chapter, math *renderer, cache string, keyOf func(path string) (string, error)) error {
	if c.Error != "" {
		return fmt.Errorf("%s: nbconvert: %s", c.Path, c.Error)
	}
	at := slices.IndexFunc(all, func(a *chapter) bool { return a.Path == c.Path })
	if at < 0 {
		return fmt.Errorf("nbconvert speaks of %s, which was not asked for", c.Path)
	}
	for i := range c.Cells {
		one := &c.Cells[i]
		text, err := finished(one.HTML, math)
		if err != nil {
			return fmt.Errorf("%s, cell %d (%s): %w", c.Path, i+1, one.ID, err)
		}
		one.HTML = text
	}
	c.Key = all[at].Key
	all[at] = c
	if key, err := keyOf(c.Path); err != nil || key != c.Key {
		return err
	}
	data, err := json.Marshal(c)
	if err != nil {
		return err
	}
	return atomicfile.Write(filepath.Join(cache, c.name()+".json"), data, 0o644)
}

// form names what finished does to a cell; another number has notebooks converted again.
const form = "5"

// finished is the HTML of a cell that nbconvert gave, without what a handout must not do, and with its formulas set.
func finished(text string, math *renderer) (string, error) {
	raw := parse(text)
	for n := range elements(raw, tag("img", "")) {
		if src := attr(n, "src"); src != "" && !strings.HasPrefix(src, "data:") {
			return "", fmt.Errorf(
				"the picture %s is not in the notebook or in its folder; a handout works without a network, so put the file (png, jpg, gif, webp, "+
					"svg, at most 8 MB) beside the notebook",
				src,
			)
		}
	}
	root := parse(clean.HTML(text))
	// Blanks, names and punctuation have the colour of the text around them; their marks would be a fifth of a page. Numbers and keywords are
	// marked by elements without a class, which convert.py colours.
	for n := range elements(root, tag("span", "")) {
		class := attr(n, "class")
		if slices.Contains(plainTokens, class) {
			replace(n, children(n)...)
		} else if short, found := shortTokens[class]; found {
			n.Data, n.DataAtom, n.Attr = short.String(), short, nil
		}
	}
	if err := math.set(root); err != nil {
		return "", err
	}
	return inner(root), nil
}

var (
	plainTokens = []string{"w", "p", "nx", "n", "o"}
	shortTokens = map[string]atom.Atom{"mi": atom.I, "mf": atom.I, "k": atom.B, "kd": atom.B, "kn": atom.B, "kt": atom.B}
)

// problems lists what makes a notebook unfit for a handout: cells that have not been executed, and checks that failed.
func (c *chapter) problems() []error {
	var all []error
	for i := range c.Cells {
		one := &c.Cells[i]
		where := fmt.Sprintf("%s, cell %d (%s)", c.Path, i+1, one.ID)
		switch {
		case one.broken():
			claim := ""
			if n := first(parse(one.HTML), func(n *html.Node) bool { return attr(n, "data-prl-outcome") == "failed" }); n != nil {
				claim = ": " + textOf(n)
			}
			all = append(all, fmt.Errorf("%s: a check failed%s", where, claim))
		case one.Failed && !slices.Contains(one.Tags, "raises-exception"):
			all = append(all, fmt.Errorf("%s: the cell ended with an error", where))
		case one.Runs && !one.Executed:
			all = append(all, fmt.Errorf("%s has not been executed: go tool prl run %s, or --run", where, checkout.Argument(c.Path)))
		}
	}
	return all
}

func (c *cell) broken() bool { return strings.Contains(c.HTML, `data-prl-outcome="failed"`) }

// spoilt is a cell that --allow-failed marks.
func (c *cell) spoilt() bool {
	return c.broken() || c.Failed && !slices.Contains(c.Tags, "raises-exception") || c.Runs && !c.Executed
}

// checks counts the checks of the cells and lists the items they and the cells name.
func checks(cells []cell) (passed, failed, open int, items []string) {
	for i := range cells {
		items = append(items, cells[i].Items...)
		if !strings.Contains(cells[i].HTML, "data-prl-check") {
			continue
		}
		for n := range elements(parse(cells[i].HTML), with("data-prl-check")) {
			switch attr(n, "data-prl-outcome") {
			case "passed":
				passed++
			case "failed":
				failed++
			case "remark": // arithmetic, which is no proof
			default:
				open++
			}
			items = append(items, strings.Fields(attr(n, "data-prl-check"))...)
		}
	}
	slices.Sort(items)
	return passed, failed, open, slices.Compact(items)
}
