package source

import (
	"slices"
	"strconv"
	"strings"
)

// magics is what the lines that begin with % or ! say, and the Go text without them.
type magics struct {
	raw       bool // GoNB gets the cell as it is
	main      int  // the line %%, or -1
	arguments string
	commands  []int    // lines that GoNB carries out before any Go
	taken     []bool   // lines that are no Go
	lines     []string // the Go text, line by line
	body      string   // the same with taken lines blank
}

// commands are those of GoNB that may stand with Go in a cell.
var commands = map[string]bool{
	"args": true, "env": true, "cd": true, "goflags": true, "autoget": true, "noautoget": true, "help": true,
	"version": true, "reset": true, "ls": true, "list": true, "rm": true, "remove": true, "with_inputs": true, "with_password": true,
	"track": true, "untrack": true, "goworkfix": true, "capture": true, "widgets": true, "widgets_hb": true,
}

// foreign are magics of other kernels, with what to do here.
var foreign = map[string]string{
	"matplotlib": "Take the line out: figures show below the cell without it.",
	"pylab":      "Take the line out: figures show below the cell without it.",
	"load_ext":   "Take the line out: this kernel has no extensions.",
	"autoreload": "Take the line out: a cell always uses the present text of your packages.",
	"pip": "pip installs Python packages. A Go package is fetched with a cell\n    %env PRL_FETCH=1\n    !*go get " +
		"example.org/the/package",
	"conda": "conda installs Python packages. A Go package is fetched with a cell\n    %env PRL_FETCH=1\n    !*go get " +
		"example.org/the/package",
	"timeit":     "To time a cell, write %%time in its first line.",
	"who":        "%ls lists what the cells have declared.",
	"whos":       "%ls lists what the cells have declared.",
	"run":        "Open the other notebook instead; to share code, put it into a package of your own.",
	"html":       `To show HTML, use gonbui.DisplayHTML.`,
	"latex":      "Write formulas in a Markdown cell, between dollar signs.",
	"markdown":   "Turn the cell into a Markdown cell (Esc, M).",
	"javascript": "Cells are Go, or the shell's after %%bash.",
	"js":         "Cells are Go, or the shell's after %%bash.",
	"python":     "Cells are Go, or the shell's after %%bash.",
	"python3":    "Cells are Go, or the shell's after %%bash.",
}

// Commands are the commands that may stand in a cell.
func Commands() []string {
	list := []string{"%%", "%%time", "%time", "%%writefile", "%%bash", "%%script", "%test", "%exec", "%main"}
	for name := range commands {
		list = append(list, "%"+name)
	}
	slices.Sort(list)
	return list
}

// IsCommand reports whether a line is a command and no Go.
func IsCommand(line string) bool { return magic(line) }

// magic reports whether GoNB takes the line for a command.
func magic(line string) bool {
	line = strings.TrimPrefix(line, "//gonb:")
	return len(line) > 0 && (line[0] == '%' || line[0] == '!')
}

func readMagics(c *Cell, lines []string) (m magics) {
	m.main = -1
	m.taken = make([]bool, len(lines))
	m.lines = append([]string(nil), lines...)
	first := firstWord(lines)
	switch first {
	case "%%writefile", "%%script", "%%bash", "%%sh", "%%gx", "%test", "%wasm", "%exec":
		if first == "%%script" && len(strings.Fields(lines[0])) < 2 {
			c.Problem = &Problem{
				Title:  "%%script needs the name of a program.",
				Line:   0,
				Column: -1,
				Remedy: []string{"For the shell write %%bash."},
			}
		}
		m.raw = true
		return m
	}
	var state quoting
	var raws []int // lines that begin inside a raw string
	timed := -1
	for i := 0; i < len(lines); i++ {
		inside := state
		line := strings.TrimPrefix(lines[i], "//gonb:")
		if inside.open != 0 || !magic(lines[i]) {
			switch {
			case inside.open == '`':
				raws = append(raws, i)
			case inside.open == '*' && magic(lines[i]): // GoNB would carry it out
				m.lines[i] = " " + lines[i]
			}
			state.read(lines[i])
			continue
		}
		m.taken[i] = true
		word, rest, _ := strings.Cut(line[1:], " ")
		switch {
		case line[0] == '!':
			if strings.Trim(line, "!* \t\r\v\f\\") == "" {
				continue
			}
			if words := strings.Fields(line[1:]); len(words) > 0 && (words[0] == "pip" || words[0] == "pip3" || words[0] == "conda") {
				c.Problem = unknown(line, i, foreign["pip"])
				return m
			}
			m.commands = append(m.commands, i)
			for strings.HasSuffix(lines[i], `\`) && i+1 < len(lines) {
				i++
				m.taken[i], m.commands = true, append(m.commands, i)
			}
		case word == "%" || word == "main":
			if m.main < 0 {
				m.main = i
				if rest = strings.TrimSpace(rest); rest != "" {
					m.arguments = rest
				}
			}
		case word == "%time":
			c.Time, timed = true, i
		case word == "time":
			c.Time = true
			if rest = strings.TrimSpace(rest); rest != "" {
				m.taken[i], m.lines[i] = false, rest
			}
		case strings.Trim(line, "% \t\r\v\f\\") == "":
		case commands[word]:
			if word == "args" && m.arguments == "" {
				m.arguments = strings.TrimSpace(rest) // the line %% would take them away
			}
			m.commands = append(m.commands, i)
			for strings.HasSuffix(lines[i], `\`) && i+1 < len(lines) {
				i++
				m.taken[i], m.commands = true, append(m.commands, i)
			}
		default:
			c.Problem = unknown(line, i, foreign[strings.Trim(word, "%")])
			return m
		}
	}
	if m.main < 0 {
		m.main = timed
	}
	m.quoteRaw(raws)
	blank := append([]string(nil), m.lines...)
	for i, taken := range m.taken {
		if taken {
			blank[i] = ""
		}
	}
	m.body = strings.Join(blank, "\n")
	return m
}

func firstWord(lines []string) string {
	for _, line := range lines {
		if words := strings.Fields(strings.TrimPrefix(line, "//gonb:")); len(words) > 0 {
			return words[0]
		}
	}
	return ""
}

func unknown(line string, at int, remedy string) *Problem {
	word, _, _ := strings.Cut(line, " ")
	if remedy == "" {
		remedy = "%help lists the commands that there are; %% alone begins the statements of a cell."
	}
	return &Problem{Title: word + " is no command of this kernel.", Line: at, Column: 0, Remedy: []string{remedy}}
}

// quoting follows strings and comments from line to line.
type quoting struct{ open byte } // '`' in a raw string, '*' in a comment, 0 elsewhere

func (q *quoting) read(line string) {
	for i := 0; i < len(line); i++ {
		switch {
		case q.open == '`':
			if line[i] == '`' {
				q.open = 0
			}
		case q.open == '*':
			if strings.HasPrefix(line[i:], "*/") {
				q.open = 0
				i++
			}
		case line[i] == '`':
			q.open = '`'
		case strings.HasPrefix(line[i:], "/*"):
			q.open = '*'
			i++
		case strings.HasPrefix(line[i:], "//"):
			return
		case line[i] == '"' || line[i] == '\'':
			for quote := line[i]; i+1 < len(line); {
				i++
				if line[i] == '\\' {
					i++
				} else if line[i] == quote {
					break
				}
			}
		}
	}
}

// quoteRaw writes raw strings with a line that GoNB would take for a command, or leave out, as ordinary strings, line by line.
func (m *magics) quoteRaw(raws []int) {
	for k := 0; k < len(raws); {
		end := k
		for end+1 < len(raws) && raws[end+1] == raws[end]+1 && !strings.Contains(m.lines[raws[end]], "`") {
			end++
		}
		first, last := raws[k]-1, raws[end]
		bad := false
		for i := first + 1; i <= last; i++ {
			bad = bad || magic(m.lines[i]) || strings.HasPrefix(m.lines[i], "package")
		}
		open, closing := strings.LastIndexByte(m.lines[first], '`'), strings.IndexByte(m.lines[last], '`')
		if bad && open >= 0 && closing >= 0 {
			m.lines[first] = m.lines[first][:open] + strconv.Quote(m.lines[first][open+1:]+"\n") + " +"
			for i := first + 1; i < last; i++ {
				m.lines[i] = strconv.Quote(m.lines[i]+"\n") + " +"
			}
			m.lines[last] = strconv.Quote(m.lines[last][:closing]) + m.lines[last][closing+1:]
		}
		k = end + 1
	}
}
