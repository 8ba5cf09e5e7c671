//go:build unix

package explain

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
)

// crashes are the beginnings of what the runtime of Go writes when a program crashes.
var crashes = []string{"panic: ", "fatal error: ", "runtime: ", "unexpected fault address", "SIGSEGV", "SIGABRT", "SIGQUIT", "[signal "}

// IsCrash reports whether a line of the error output begins the account of a crash.
func IsCrash(line string) bool {
	line = cleanLine(line)
	for _, c := range crashes {
		if strings.HasPrefix(line, c) {
			return true
		}
	}
	return false
}

// MayBeCrash reports whether the beginning of a line may become one for which IsCrash holds, or the kernel's word on the end of the
// program.
func MayBeCrash(part string) bool {
	for _, c := range append(crashes, "exit status ", "signal: ", "^C") {
		if n := min(len(part), len(c)); n > 0 && part[:n] == c[:n] {
			return true
		}
	}
	return false
}

var (
	mark   = regexp.MustCompile(` ?\x1b\[7m\[\[ Cell.*?\]\]\x1b\[0m `)
	frame  = regexp.MustCompile(`^\t(?:(\S*)/)?main\.go:(\d+)`)
	ended  = regexp.MustCompile(`^(?:exit status \d+|signal: .*|\^C)$`)
	status = regexp.MustCompile(`exit status (\d+)`)
)

func cleanLine(line string) string { return mark.ReplaceAllString(line, "") }

// WithoutEnd is the error output without the kernel's word on the end of the program.
func WithoutEnd(text string) string {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	for len(lines) > 0 && IsEnd(lines[len(lines)-1]) {
		lines = lines[:len(lines)-1]
	}
	return strings.Join(lines, "\n")
}

// Crashed reports whether a program that ends so has crashed, and not printed what looks like it.
func Crashed(end string) bool {
	return end == "exit status 2" || strings.HasPrefix(end, "signal: ") && end != "signal: interrupt"
}

// IsEnd reports whether the line is the kernel's word on the end of the program.
func IsEnd(line string) bool { return ended.MatchString(strings.TrimSpace(line)) }

// Crash accounts for a program that crashed, from what it wrote.
func (h *History) Crash(n int, dir, text, sizes string) Account {
	var message, kind string
	var at []place
	calls, depth := 0, 0
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		line = cleanLine(line)
		switch {
		case message == "" && strings.HasPrefix(line, "panic: "):
			kind, message = "Panic", strings.TrimPrefix(line, "panic: ")
			for _, next := range lines[i+1:] { // a message of several lines
				if next == "" || strings.HasPrefix(next, "goroutine ") || strings.HasPrefix(next, "[signal") || strings.HasPrefix(next, "\tpanic: ") {
					break
				}
				message += "\n" + next
			}
		case strings.HasPrefix(line, "fatal error: ") && (message == "" || kind == ""):
			kind, message = "Fatal error", strings.TrimPrefix(line, "fatal error: ")
		case strings.HasPrefix(line, "goroutine "):
			depth++
		case frame.MatchString(line):
			calls++
			m := frame.FindStringSubmatch(line)
			if m[1] != "" && m[1] != dir || len(at) >= 4 || depth > 1 && len(at) > 0 {
				continue
			}
			row, _ := strconv.Atoi(m[2])
			if p := h.locate(dir, n, row, 0); p.cell > 0 {
				p.column = -1
				at = append(at, p)
			}
		}
	}
	for _, suffix := range []string{" [recovered, repanicked]", " [recovered]"} {
		message = strings.ReplaceAll(message, suffix, "")
	}
	message, remedy := rephrasePanic(message, text)
	if strings.HasPrefix(message, "mat: ") && sizes != "" {
		remedy = "Here " + sizes + ". " + fitting(message)
	}
	if kind == "" {
		kind, message = "Crash", strings.TrimSpace(lines[0])
	}
	account := Account{Name: kind, Value: message}
	if i := strings.IndexByte(message, '\n'); i >= 0 {
		account.Value = message[:i]
	}
	if len(at) == 0 {
		account.Text = message
	}
	for i, p := range at {
		if i == 0 {
			account.Text = h.show(n, p, message)
			continue
		}
		if p != at[i-1] {
			account.Text += "\n" + h.show(n, p, "called from here")
		}
	}
	if remedy != "" {
		account.Text += "\n" + remedy
	}
	return account
}

var (
	outOfRange = regexp.MustCompile(`^runtime error: index out of range \[(-?\d+)\](?: with length (\d+))?`)
	value      = regexp.MustCompile(`^(?:[\w.*/-]+)\((.*)\)$`)
	wrapped    = regexp.MustCompile(`^(?:&?[\w.*/-]+)\{.*\}$`)
)

// rephrasePanic is the message of a panic with what to do.
func rephrasePanic(message, text string) (said, remedy string) {
	has := func(s string) bool { return strings.Contains(message, s) || strings.Contains(text, s) }
	if m := outOfRange.FindStringSubmatch(message); m != nil {
		said = strings.TrimPrefix(message, "runtime error: ")
		if m[2] == "0" {
			return said, "The slice is empty."
		}
		if m[2] != "" {
			last, _ := strconv.Atoi(m[2])
			return said, fmt.Sprintf("The elements have the indices 0 to %d.", last-1)
		}
		return said, "An index is at least 0."
	}
	switch {
	case has("goroutine stack exceeds"):
		return "endless recursion: a function calls itself without an end", "It needs a case in which it returns without calling itself."
	case has("makeslice: len out of range"), has("makeslice: cap out of range"):
		return "a slice of that length does not fit into memory", "Look at the length that make is given."
	case has("out of memory"), has("cannot allocate memory"):
		return "memory is full", "Look for a slice that is made too large, or that grows without an end."
	case has("all goroutines are asleep"):
		return "the program waits for ever: nobody is left who could go on", "A channel is read that nobody writes to, or written that " +
			"nobody reads."
	case has("nil map"):
		return strings.TrimPrefix(message, "runtime error: "), "A map is made before it is filled:  m := map[string]int{}"
	case has("invalid memory address or nil pointer dereference"):
		return "a pointer is nil", "The value was never made, or a function has returned nil with an error that was not looked at."
	case has("integer divide by zero"):
		return "division by zero", "Test the divisor before."
	case strings.Contains(message, "slice bounds out of range"):
		return strings.TrimPrefix(message, "runtime error: "), "The ends of x[a:b] satisfy 0 ≤ a ≤ b ≤ len(x)."
	case strings.Contains(message, "interface conversion"):
		return message, "Ask first:  v, ok := x.(T)"
	case strings.HasPrefix(message, "mat: "):
		return message, fitting(message)
	case strings.Contains(message, "unexpected fault address"), strings.Contains(message, "concurrent map"):
		return message, "A map is used by two goroutines at once; guard it with a sync.Mutex."
	}
	if wrapped.MatchString(message) {
		return message, ""
	}
	if m := value.FindStringSubmatch(message); m != nil {
		if unquoted, err := strconv.Unquote(m[1]); err == nil {
			return unquoted, ""
		}
	}
	return message, ""
}

// fitting says what gonum needs.
func fitting(message string) string {
	switch {
	case strings.Contains(message, "singular"):
		return "The matrix has no inverse; are columns copies of one another?"
	case strings.Contains(message, "dimension mismatch"), strings.Contains(message, "shape"):
		return "A product of n x k and m x p needs k = m, and gives n x p; a sum needs equal shapes. A destination has the shape of the " +
			"result, or is new: var c mat.Dense."
	case strings.Contains(message, "index out of range"), strings.Contains(message, "row index"), strings.Contains(message, "column index"):
		return "Rows and columns are counted from 0."
	}
	return ""
}

// Ended accounts for a program that ended itself, or was ended.
func Ended(value string, shown bool, printed string) Account {
	switch {
	case shown:
		return Account{Name: "Failed", Value: "the cell failed; its last output says why"}
	case strings.Contains(value, "signal: interrupt"):
		return Interrupted
	case strings.Contains(value, "signal: killed"):
		return Account{
			"Killed",
			"the cell was ended by the system",
			"The cell was ended by the system, most often because memory was full.\nLook for a slice that is made too large, or that grows " +
				"without an end.",
		}
	case strings.Contains(value, "signal: "):
		return Account{"Ended", value, "The cell was ended by a " + value + "."}
	}
	m := status.FindStringSubmatch(value)
	if m == nil {
		return Account{"Error", firstLine(value), value}
	}
	if lines := strings.Split(strings.TrimSpace(printed), "\n"); m[1] == "1" && lines[len(lines)-1] != "" {
		said := lines[len(lines)-1]
		return Account{"Ended", said, "The cell ended itself here, with log.Fatal or os.Exit(1)."}
	}
	return Account{"Ended", "the cell ended itself with os.Exit(" + m[1] + ")", "The cell ended itself with os.Exit(" + m[1] + ")."}
}

// Died accounts for a kernel that a signal has ended, where memory may be limited, in bytes, and programs were ended for want of it.
func Died(signal syscall.Signal, limit uint64, ended int) string {
	why := fmt.Sprintf("The kernel was ended by a signal (%s), which the cell or another program has sent.", signal)
	if signal == syscall.SIGKILL {
		why = "The kernel was ended by the system, most often because memory was full."
		if limit > 0 && limit < 1<<50 {
			why = fmt.Sprintf("The kernel was ended by the system, most often because memory was full: there are %d MB here.", limit>>20)
		}
		if ended > 0 {
			why = strings.Replace(why, "most often because memory was full", "because memory was full", 1)
		}
		why += " Look for a slice that is made too large, or that grows without an end."
	}
	return why + " Your notebook is not lost. The kernel starts again and knows nothing yet: run the cells again from the top."
}

func firstLine(text string) string {
	first, _, _ := strings.Cut(text, "\n")
	return first
}

// Plain accounts for an error of GoNB's own: without the paths of its folder, and without its words on what it was doing.
func (h *History) Plain(value, dir string) Account {
	text := strings.TrimPrefix(value, "executing special commands in cell: ")
	if dir != "" {
		text = strings.ReplaceAll(text, dir+string(os.PathSeparator), "")
	}
	text = strings.TrimSpace(path.ReplaceAllString(text, ""))
	return Account{"Error", firstLine(filepath.ToSlash(text)), text}
}
