//go:build unix

package assist

import (
	"context"
	"slices"
	"testing"
	"unicode/utf8"
)

// Inside an expression the name that is being written is completed, in back quotes where it is no word.
func TestNamesInExpressions(t *testing.T) {
	known := &names{ready: make(chan struct{}), Features: []string{"island", "body mass", "bill depth", "sex"}, Classes: []string{"Adelie"}}
	close(known.ready)
	head, _ := Page{}.text(nil)
	n := Names{known: map[string]*names{head + "\nfunc main() {\n\tvar set any = t" + printing: known}}
	for text, want := range map[string]string{
		`t.Where("isl`:                           `t.Where("island`,
		`t.Where("bo`:                            `t.Where("body mass`,
		`t.Where("island", "Dream", "`:           "",
		`t.Where("sex == 'male' and isl`:         `t.Where("sex == 'male' and island`,
		"t.Where(\"`body mass` > 4000 and bill":  "t.Where(\"`body mass` > 4000 and `bill depth`",
		"t.Where(\"sex == 'ä' and `bi":           "t.Where(\"sex == 'ä' and `bill depth`",
		"t.Compute(\"r\", \"`bill depth` / `bod": "t.Compute(\"r\", \"`bill depth` / `body mass`",
		`t.Agg("s = share(se`:                    `t.Agg("s = share(sex`,
		"t.\n\tSelect(\"bo":                      "t.\n\tSelect(\"body mass",
		`t.Classes("A`:                           `t.Classes("Adelie`,
		`t.Select("sex", "b`:                     `t.Select("sex", "body mass`,
	} {
		answer, found := n.Complete(context.Background(), Page{}, text, utf8.RuneCountInString(text))
		var all []string
		for _, m := range answer.Matches {
			r := []rune(text)
			all = append(all, string(r[:answer.Start])+m.Text+string(r[answer.End:]))
		}
		if want == "" && (found && len(all) > 0) || want != "" && !slices.Contains(all, want) {
			t.Errorf("%q goes on as %q, want %q", text, all, want)
		}
	}
}
