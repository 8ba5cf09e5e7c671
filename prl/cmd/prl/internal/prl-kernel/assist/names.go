//go:build unix

package assist

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
)

// Names knows the columns and classes of data sets that cells name. Only a program can tell them, so it makes one.
type Names struct {
	Folder    string   // for the programs
	Modules   string   // the folder with the module files of cells
	Go        []string // the program that builds as a cell is built, and its arguments up to the name of the output
	GoImports string
	Env       []string

	mu    sync.Mutex
	known map[string]*names // by program
}

// names are the names of one data set.
type names struct {
	ready             chan struct{}
	Features, Classes []string
}

// naming are the calls that take names of columns or classes: any number of them, one in the first place, or any behind another argument.
// Where, Agg and Compute take expressions of them.
var naming = regexp.MustCompile(
	`\.\s*(?:(Features|Classes|Column|Class|Select|Drop|DropMissing|Label|Target|GroupBy|Agg|Means|Medians|Interact|AsWords|Numbers|` +
		`Words|Times)` +
		`\(\s*(?:"[^"\n]*"\s*,\s*)*|(Where|Between|Bin|Part|Rename|Unit)\(\s*|(Join|LeftJoin)\([^"\n]*,\s*(?:"[^"\n]*"\s*,\s*)*` +
		`|(Compute)\(\s*"[^"\n]*"\s*,\s*)"([^"\n]*)$`,
)

// named finds the name that is being written at the end of an expression of columns, behind the back quote of one with blanks.
var named = regexp.MustCompile("^(?:[^`]*`[^`]*`)*[^`]*?((`[^`]*)|[\\pL_][\\pL\\d_]*|)$")

// Complete returns the names for a string that is an argument of a method of a set or a table which takes names. Found is false elsewhere.
func (n *Names) Complete(ctx context.Context, p Page, text string, offset int) (answer Answer, found bool) {
	bytes := byteOffset(text, offset)
	m := naming.FindStringSubmatchIndex(text[:bytes])
	if m == nil {
		return Answer{}, false
	}
	word := ""
	for k := 2; k <= 8; k += 2 {
		if m[k] >= 0 {
			word = text[m[k]:m[k+1]]
		}
	}
	begin := m[10]
	written := text[begin:m[11]]
	from := receiver(text[:m[0]])
	if from == m[0] {
		return Answer{Start: offset, End: offset}, true
	}
	answer = Answer{Start: characters(text, begin), End: offset}
	set := n.of(p, text[from:m[0]])
	select {
	case <-set.ready:
	case <-ctx.Done():
		answer.Busy = true
		return answer, true
	}
	list, kind := set.Features, "column"
	if strings.HasPrefix(word, "Class") {
		list, kind = set.Classes, "class"
	}
	used := text[m[0]:begin]
	begins := func(name string) bool {
		return strings.HasPrefix(strings.ToLower(strings.Trim(name, "`")), strings.ToLower(strings.TrimPrefix(written, "`")))
	}
	if word == "Agg" || word == "Compute" || word == "Where" && !slices.ContainsFunc(list, begins) { // an expression
		at := named.FindStringSubmatchIndex(written)
		answer.Start, written, list = characters(text, begin+at[2]), written[at[2]:], quoted(list, at[4] >= 0)
	}
	for _, name := range list {
		if begins(name) && !strings.Contains(used, `"`+name+`"`) {
			answer.Matches = append(answer.Matches, Match{Text: name, Type: kind, Start: answer.Start, End: answer.End})
		}
	}
	return answer, true
}

// quoted puts names that are no words in back quotes, as in an expression; behind a back quote all names.
func quoted(list []string, all bool) []string {
	out := make([]string, len(list))
	for i, name := range list {
		if out[i] = name; all || !plain.MatchString(name) {
			out[i] = "`" + name + "`"
		}
	}
	return out
}

var plain = regexp.MustCompile(`^[\pL_][\pL\d_]*$`)

// receiver is where the expression begins that ends at the end of the text: names, dots and brackets with what is between them.
func receiver(text string) int {
	i := len(text)
	for i > 0 {
		switch c := text[i-1]; {
		case c == ')' || c == ']':
			depth, inside := 0, i
			for inside > 0 {
				inside--
				if text[inside] == ')' || text[inside] == ']' {
					depth++
				} else if text[inside] == '(' || text[inside] == '[' {
					if depth--; depth == 0 {
						break
					}
				}
			}
			if depth != 0 {
				return i
			}
			i = inside
		case c == '.' || c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z':
			i--
		case (c == '\n' || c == '\t' || c == ' ') && strings.HasSuffix(strings.TrimRight(text[:i], " \t\n"), ".") && i < len(text):
			i--
		default:
			return i
		}
	}
	return i
}

// printing is the end of a program that prints the names of a set, whose fields they are, or of a table.
const printing = `
	names := map[string]any{}
	for key, field := range map[string]string{"Features": "FeatureNames", "Classes": "ClassNames"} {
		if v := reflect.ValueOf(set); v.Kind() == reflect.Struct && v.FieldByName(field).IsValid() {
			names[key] = v.FieldByName(field).Interface()
		}
	}
	if t, ok := set.(interface{ Columns() []string }); ok {
		names["Features"] = t.Columns()
	}
	json.NewEncoder(os.Stdout).Encode(names)
}
`

// of are the names of the data set that an expression gives.
func (n *Names) of(p Page, expression string) *names {
	head, _ := p.text(nil)
	program := head + "\nfunc main() {\n\tvar set any = " + expression + printing
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.known == nil || len(n.known) > 100 {
		n.known = map[string]*names{}
	}
	set := n.known[program]
	if set == nil {
		set = &names{ready: make(chan struct{})}
		n.known[program] = set
		go func() {
			defer close(set.ready)
			n.run(program, set)
		}()
	}
	return set
}

// run builds the program as a cell is built, and reads the names that it prints. Without a right program there are none.
func (n *Names) run(program string, set *names) {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	dir, err := os.MkdirTemp(n.Folder, "names-")
	if err != nil {
		return
	}
	defer os.RemoveAll(dir)
	for _, name := range []string{"go.mod", "go.sum", "go.work", "go.work.sum"} {
		if text, err := os.ReadFile(filepath.Join(n.Modules, name)); err == nil {
			os.WriteFile(filepath.Join(dir, name), text, 0o600)
		}
	}
	main, output, talk := filepath.Join(dir, "main.go"), filepath.Join(dir, "program"), filepath.Join(dir, "talk")
	if os.Mkdir(talk, 0o700) != nil || os.WriteFile(main, []byte(program), 0o600) != nil {
		return
	}
	for _, args := range [][]string{{n.GoImports, "-w", main}, append(n.Go[:len(n.Go):len(n.Go)], output)} {
		cmd := exec.CommandContext(ctx, args[0], args[1:]...)
		if len(args) > 3 {
			cmd.Args[0] = "go" // by this name the launcher builds
		}
		cmd.Dir, cmd.Env = dir, append(n.Env, "PRL_CELL="+talk)
		cmd.Run() // the launcher waits for all its children, so it may have taken the outcome: what counts is the program
	}
	if _, err := os.Stat(output); err != nil {
		return
	}
	cmd := exec.CommandContext(ctx, output)
	cmd.Dir, cmd.Env = n.Folder, append(n.Env, "PRL_CELL="+talk)
	out, _ := cmd.Output()
	if i := strings.LastIndex(strings.TrimSpace(string(out)), "\n"); i >= 0 { // initialisers may print
		out = out[i+1:]
	}
	json.Unmarshal(out, set)
}
