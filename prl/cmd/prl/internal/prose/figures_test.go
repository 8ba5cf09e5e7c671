package prose

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/prlab/prlab/prl/notebook"
)

// A mark is what a figure draws of one name.
type mark struct {
	Kind   string `json:"k"`
	Key    string // the name in the legend
	Fill   string `json:"f"`
	Stroke string `json:"s"`
	Symbol string `json:"sy"`
}

// colour is the colour that a reader connects with the name: that of the line, or else what fills the mark, without its opacity.
func (m mark) colour() string {
	colour := m.Fill
	if m.Kind == "paths" {
		colour = m.Stroke
	}
	colour, _, _ = strings.Cut(colour, "@")
	return colour
}

var packedFigure = regexp.MustCompile(`data-prl-figure="([^"]*)"`)

// marks lists what the figures of a cell draw.
func marks(c *notebook.Cell) (all []mark, err error) {
	for _, out := range c.Outputs() {
		for _, m := range packedFigure.FindAllStringSubmatch(notebook.Data(out)["text/html"], -1) {
			data, err := base64.StdEncoding.DecodeString(m[1])
			if err != nil {
				return nil, err
			}
			z, err := gzip.NewReader(bytes.NewReader(data))
			if err != nil {
				return nil, err
			}
			var spec struct {
				Option struct {
					Series []struct{ Prl mark }
				}
			}
			if err := json.NewDecoder(z).Decode(&spec); err != nil {
				return nil, err
			}
			for _, s := range spec.Option.Series {
				all = append(all, s.Prl)
			}
		}
	}
	return all, nil
}

// twofold lists the names that a chapter draws in several colours, or as several symbols, with the cells.
func twofold(n *notebook.Notebook) (all []string, err error) {
	colours, symbols := map[string]map[string]string{}, map[string]map[string]string{}
	note := func(where map[string]map[string]string, name, what, cell string) {
		if where[name] == nil {
			where[name] = map[string]string{}
		}
		if where[name][what] == "" {
			where[name][what] = cell
		}
	}
	for _, c := range n.Cells {
		drawn, err := marks(c)
		if err != nil {
			return nil, fmt.Errorf("cell %s: %w", c.ID(), err)
		}
		for _, m := range drawn {
			if m.Key == "" {
				continue
			}
			if colour := m.colour(); colour != "" {
				note(colours, m.Key, colour, c.ID())
			}
			if m.Symbol != "" {
				note(symbols, m.Key, m.Symbol, c.ID())
			}
		}
	}
	for _, where := range []map[string]map[string]string{colours, symbols} {
		for _, name := range slices.Sorted(maps.Keys(where)) {
			if len(where[name]) > 1 {
				var said []string
				for _, what := range slices.Sorted(maps.Keys(where[name])) {
					said = append(said, what+" in "+where[name][what])
				}
				all = append(all, name+": "+strings.Join(said, ", "))
			}
		}
	}
	return all, nil
}

// TestNamesAndColours looks for names that a chapter draws in two colours or as two symbols. Run it with -v to read the list.
func TestNamesAndColours(t *testing.T) {
	_, all := chapters(t)
	drawn := 0
	for _, c := range all {
		found, err := twofold(c.Notebook)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		for _, f := range found {
			t.Log(c.name, f)
		}
		if len(found) != stillTwofold[c.name] {
			t.Errorf("%s draws %d names in two ways, %d are known; they may only become fewer", c.name, len(found), stillTwofold[c.name])
		}
		for _, cell := range c.Cells {
			m, _ := marks(cell)
			drawn += len(m)
		}
	}
	if drawn < 1000 {
		t.Errorf("only %d marks were read", drawn)
	}
}

// stillTwofold are the names of each chapter that are still drawn in two ways.
var stillTwofold = map[string]int{
	"01-bayes-decision": 1, "04-gaussian-classifiers": 3, "05-naive-bayes": 2, "06-maximum-likelihood": 4,
	"08-parzen-and-knn": 1, "09-em": 2, "12-fisher-lda": 1, "15-ica": 2, "18-logistic-regression": 4,
	"24-decision-trees": 5, "26-adaboost": 2,
}
