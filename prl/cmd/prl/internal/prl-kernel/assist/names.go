//go:build unix

package assist

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"time"
)

// Names knows the columns and classes of data sets that cells name. Only a program can tell them, so it makes one.
type Names struct {
	Folder    string   // for the programs
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

var naming = regexp.MustCompile(`\.(Features|Classes|Column|Class)\(\s*(?:"[^"\n]*"\s*,\s*)*"([^"\n]*)$`)

// Complete returns the names for a string that is an argument of Features, Classes, Column or Class. Found is false elsewhere.
func (n *Names) Complete(ctx context.Context, p Page, text string, offset int) (matches []Match, start, end int, found bool) {
	bytes := byteOffset(text, offset)
	m := naming.FindStringSubmatchIndex(text[:bytes])
	if m == nil {
		return nil, offset, offset, false
	}
	word, written := text[m[2]:m[3]], text[m[4]:m[5]]
	from := receiver(text[:m[0]])
	if from == m[0] {
		return nil, offset, offset, true
	}
	start, end = characters(text, m[4]), offset
	set := n.of(p, text[from:m[0]])
	select {
	case <-set.ready:
	case <-ctx.Done():
		return nil, start, end, true
	}
	list, kind := set.Features, "column"
	if strings.HasPrefix(word, "Class") {
		list, kind = set.Classes, "class"
	}
	used := text[m[0]:m[4]]
	for _, name := range list {
		if strings.HasPrefix(strings.ToLower(name), strings.ToLower(written)) && !strings.Contains(used, `"`+name+`"`) {
			matches = append(matches, Match{Text: name, Type: kind, Start: start, End: end})
		}
	}
	return matches, start, end, true
}

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

// of are the names of the data set that an expression gives.
func (n *Names) of(p Page, expression string) *names {
	head, _ := p.text(nil)
	program := head + "\nfunc main() {\n\tset := " + expression + "\n\tjson.NewEncoder(os.Stdout).Encode(map[string]any{\"Features\": " +
		"set.FeatureNames, \"Classes\": set.ClassNames})\n}\n"
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
			n.run(p.Dir, program, set)
		}()
	}
	return set
}

// run builds the program as a cell is built, and reads the names that it prints. Without a right program there are none.
func (n *Names) run(gonb, program string, set *names) {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	dir, err := os.MkdirTemp(n.Folder, "names-")
	if err != nil {
		return
	}
	defer os.RemoveAll(dir)
	for _, name := range []string{"go.mod", "go.sum", "go.work", "go.work.sum"} {
		if text, err := os.ReadFile(filepath.Join(gonb, name)); err == nil {
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
