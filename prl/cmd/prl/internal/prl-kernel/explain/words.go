//go:build unix

package explain

import (
	_ "embed"
	"strings"
	"sync"
)

//go:embed words.txt
var wordsText string

// foreign are words of other libraries and languages, and what stands for them here.
var foreign = sync.OnceValue(func() map[string]string {
	table := map[string]string{}
	for line := range strings.Lines(wordsText) {
		line = strings.TrimSpace(line)
		if words, says, found := strings.Cut(line, ": "); found && !strings.HasPrefix(line, "#") {
			if first := says[0]; first < 'A' || first > 'Z' {
				says = "Here it is  " + says
			}
			for word := range strings.FieldsSeq(words) {
				table[word] = says
			}
		}
	}
	return table
})

// abroad is what stands here for a name of another library, with or without the value or package before it.
func abroad(name string) (says string, found bool) {
	word := name[strings.LastIndexByte(name, '.')+1:]
	table := foreign()
	if says, found = table[word]; !found { // Sort and FitTransform are sort and fit_transform
		var b strings.Builder
		for i, r := range word {
			if i > 0 && 'A' <= r && r <= 'Z' {
				b.WriteByte('_')
			}
			b.WriteString(strings.ToLower(string(r)))
		}
		says, found = table[b.String()]
	}
	return says, found
}
