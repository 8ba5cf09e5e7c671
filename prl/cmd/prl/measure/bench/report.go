package bench

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// memorySlack is a difference of memory that counts as none: Linux adds up the pages of a process 32 at a time.
const memorySlack = 32 * 4096

// A line of the table is a task at a size with all its numbers of threads.
type line struct {
	results []Result // by threads
}

// lines groups the results, in their order.
func lines(results []Result) []line {
	var all []line
	for _, r := range results {
		at := slices.IndexFunc(all, func(l line) bool {
			return l.results[0].Task == r.Task && l.results[0].Size == r.Size && l.results[0].Draw == r.Draw
		})
		if at < 0 {
			all = append(all, line{})
			at = len(all) - 1
		}
		all[at].results = append(all[at].results, r)
	}
	return all
}

// verdict is "ok", or what ours loses: time (on the threads of the first result), quality, memory.
func (l line) verdict() string {
	r := l.results[0]
	if r.Failure != "" {
		return "failed"
	}
	var lost []string
	if r.Ratio < 1 {
		lost = append(lost, "time")
	}
	if slices.ContainsFunc(l.results, func(r Result) bool { return r.Failure != "" || !r.Quality }) {
		lost = append(lost, "quality")
	}
	if r.Ours.Memory > r.Peer.Memory+memorySlack && r.Peer.Memory >= 0 {
		lost = append(lost, "memory")
	}
	if len(lost) == 0 {
		return "ok"
	}
	return strings.Join(lost, ", ")
}

// String tells the result in a line.
func (r Result) String() string {
	at := fmt.Sprintf("%s, %s, %s: ", r.Task, r.shape(), plural(r.Threads, "thread"))
	if r.Failure != "" {
		return at + r.Failure
	}
	return at + fmt.Sprintf(
		"%s against %s, %s; %s",
		Seconds(r.Ours.Seconds),
		Seconds(r.Peer.Seconds),
		ratio(r.Ratio),
		line{[]Result{r}}.verdict(),
	)
}

// shape is the size of the data in a few words.
func (r Result) shape() string {
	if r.Draw == 0 {
		return "size " + r.Size
	}
	return r.numbers()
}

// numbers are rows and features, and of a shape drawn at random the number of classes, groups or states, where it counts.
func (r Result) numbers() string {
	text := fmt.Sprintf("%d x %d", r.N, r.D)
	if r.Groups > 0 {
		text += fmt.Sprintf(", K = %d", r.Groups)
	}
	return text
}

// GeometricMean is that of the ratios of the results with a number of threads, 0 when there is none.
func GeometricMean(results []Result, threads int) float64 {
	sum, n := 0.0, 0
	for _, r := range results {
		if r.Threads == threads && r.Failure == "" {
			sum += math.Log(r.Ratio)
			n++
		}
	}
	if n == 0 {
		return 0
	}
	return math.Exp(sum / float64(n))
}

func threadsOf(results []Result) []int {
	var all []int
	for _, r := range results {
		if !slices.Contains(all, r.Threads) {
			all = append(all, r.Threads)
		}
	}
	return all
}

// cells is the table without its head, a row a line, the head first.
func cells(results []Result) [][]string {
	threads := threadsOf(results)
	head := []string{"task", "rows x features"}
	for _, t := range threads {
		head = append(head, plural(t, "thread")+": ours", "peer", "ratio")
	}
	table := [][]string{append(head, "memory: ours", "peer", "quality: ours", "peer", "measure", "verdict")}
	for _, l := range lines(results) {
		first := l.results[0]
		row := []string{first.Task, first.numbers()}
		for _, t := range threads {
			at := slices.IndexFunc(l.results, func(r Result) bool { return r.Threads == t })
			if at < 0 || l.results[at].Failure != "" {
				row = append(row, "-", "-", "-")
				continue
			}
			r := l.results[at]
			row = append(row, Seconds(r.Ours.Seconds), Seconds(r.Peer.Seconds), ratio(r.Ratio))
		}
		row = append(
			row,
			Bytes(first.Ours.Memory),
			Bytes(first.Peer.Memory),
			figure(first.Ours.Quality, first.Gauge),
			figure(first.Peer.Quality, first.Gauge),
			first.Gauge,
			l.verdict(),
		)
		table = append(table, row)
	}
	return table
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func figure(quality map[string]float64, name string) string {
	v, found := quality[name]
	if !found {
		return "-"
	}
	return fmt.Sprintf("%.7g", v)
}

func ratio(r float64) string {
	if r < 10 {
		return fmt.Sprintf("%.2f", r)
	}
	return fmt.Sprintf("%.0f", r)
}

// Seconds writes a time with three digits and its unit.
func Seconds(s float64) string {
	switch {
	case s < 999.5e-9:
		return fmt.Sprintf("%.3g ns", s*1e9)
	case s < 999.5e-6:
		return fmt.Sprintf("%.3g µs", s*1e6)
	case s < 0.9995:
		return fmt.Sprintf("%.3g ms", s*1e3)
	}
	return fmt.Sprintf("%.3g s", s)
}

// Bytes writes a size in MB, "-" for an unknown one.
func Bytes(b int64) string {
	switch {
	case b < 0:
		return "-"
	case b < 10e6:
		return fmt.Sprintf("%.1f MB", float64(b)/1e6)
	}
	return fmt.Sprintf("%.0f MB", float64(b)/1e6)
}

// Columns aligns a table for a terminal: the first column to the left, the others to the right. The first row is the head.
func Columns(table [][]string) string {
	width := make([]int, len(table[0]))
	for _, row := range table {
		for j, c := range row {
			width[j] = max(width[j], len([]rune(c)))
		}
	}
	var out strings.Builder
	for i, row := range table {
		var text strings.Builder
		for j, c := range row {
			pad := strings.Repeat(" ", width[j]-len([]rune(c)))
			if j == 0 {
				text.WriteString(c + pad)
			} else {
				text.WriteString("  " + pad + c)
			}
		}
		out.WriteString(strings.TrimRight(text.String(), " ") + "\n")
		if i == 0 {
			total := 0
			for _, w := range width {
				total += w + 2
			}
			out.WriteString(strings.Repeat("-", total-2) + "\n")
		}
	}
	return out.String()
}

// bySize parts the results.
func (r *Report) bySize() [][]Result {
	var all [][]Result
	for _, x := range r.Results {
		if n := len(all); n > 0 && all[n-1][0].Size == x.Size {
			all[n-1] = append(all[n-1], x)
			continue
		}
		all = append(all, []Result{x})
	}
	for i, part := range all { // what is lost comes first
		sorted := lines(part)
		slices.SortStableFunc(sorted, func(a, b line) int { return cmp.Compare(a.results[0].Ratio, b.results[0].Ratio) })
		all[i] = nil
		for _, l := range sorted {
			all[i] = append(all[i], l.results...)
		}
	}
	return all
}

// title names a part of the report.
func (r *Report) title(part []Result) string {
	if part[0].Draw > 0 {
		return fmt.Sprintf("Shapes drawn at random from the seed %d, losses first", r.Seed)
	}
	return "Size " + part[0].Size + ", losses first"
}

// Text is the report for a terminal.
func (r *Report) Text() string {
	var out strings.Builder
	fmt.Fprintf(&out, "%s\n", r.Machine)
	if r.CPU {
		out.WriteString("Times are processor time, not the clock's.\n")
	}
	for _, part := range r.bySize() {
		fmt.Fprintf(&out, "\n%s\n%s", r.title(part), Columns(cells(part)))
		out.WriteString(summary(part))
		for _, x := range part {
			if x.Failure != "" {
				fmt.Fprintf(&out, "%s (%s): %s\n", x.Task, plural(x.Threads, "thread"), x.Failure)
			}
		}
		if share := gemmShares(part); len(share) > 1 {
			fmt.Fprintf(&out, "\nTasks bound by dense products, beside gonum's matrix product in the same process\n%s", Columns(share))
		}
	}
	return out.String()
}

// summary tells the geometric means and how many tasks hold.
func summary(results []Result) string {
	var out strings.Builder
	for _, t := range threadsOf(results) {
		fmt.Fprintf(&out, "Geometric mean of the ratios on %s: %.2f\n", plural(t, "thread"), GeometricMean(results, t))
	}
	good, all := 0, lines(results)
	for _, l := range all {
		if l.verdict() == "ok" {
			good++
		}
	}
	fmt.Fprintf(&out, "%d of %d tasks are at least as good in time, quality and memory\n", good, len(all))
	out.WriteString(bars(results))
	for _, t := range threadsOf(results) {
		out.WriteString(strongest(results, t))
	}
	return out.String()
}

// bars tells how many ratios reach 1 and what the least is, and how many tasks take at most twice the memory of the peer.
func bars(results []Result) string {
	least, fast, done, lean := math.Inf(1), 0, 0, 0
	first := results[0].Threads
	for _, r := range results {
		if r.Threads != first || r.Failure != "" {
			continue
		}
		done++
		least = math.Min(least, r.Ratio)
		if r.Ratio >= 1 {
			fast++
		}
		if r.Ours.Memory <= 2*r.Peer.Memory+memorySlack || r.Peer.Memory < 0 {
			lean++
		}
	}
	if done == 0 {
		return ""
	}
	return fmt.Sprintf("On %s %d of %d ratios are at least 1, the least is %s; %d of %d tasks take at most twice the peer's memory\n",
		plural(first, "thread"), fast, done, ratio(least), lean, done)
}

// strongest tells what the rivals reached that are not required, and the mean with the strongest in the place of each peer.
func strongest(results []Result, threads int) string {
	var said []string
	good, all, n := 0.0, 0.0, 0
	for _, r := range results {
		if r.Threads != threads || r.Failure != "" {
			continue
		}
		good, all = good+math.Log(r.Strongest(false)), all+math.Log(r.Strongest(true))
		n++
		if len(r.Rivals) > 0 {
			s := r.Rivals[0]
			line := fmt.Sprintf("%s %s: %s, ratio %s", s.Variant, r.Task, Seconds(s.Seconds), ratio(s.Seconds/r.Ours.Seconds))
			if v, told := s.Quality[s.Short]; told {
				line += fmt.Sprintf(" (%s %.7g against the peer's %.7g)", s.Short, v, r.Peer.Quality[s.Short])
			} else if s.Short != "" {
				line += fmt.Sprintf(" (%s not told)", s.Short)
			}
			said = append(said, line)
		}
	}
	if len(said) == 0 {
		return ""
	}
	on, count := plural(threads, "thread"), float64(n)
	return fmt.Sprintf("Rivals installed beside the peers, on %s: %s\nGeometric mean against the strongest on %s: %.2f, "+
		"and %.2f with rivals that fall short of the peer\n", on, strings.Join(said, "; "), on, math.Exp(good/count), math.Exp(all/count))
}

func gemmShares(results []Result) [][]string {
	table := [][]string{{"task", "threads", "GFLOP/s", "gemm", "share"}}
	for _, r := range results {
		if r.Peak > 0 && r.Failure == "" {
			table = append(
				table,
				[]string{
					r.Task,
					fmt.Sprint(r.Threads),
					fmt.Sprintf("%.1f", r.Rate/1e9),
					fmt.Sprintf("%.1f", r.Peak/1e9),
					fmt.Sprintf("%.0f %%", 100*r.Rate/r.Peak),
				},
			)
		}
	}
	return table
}

// String names machine and versions in a line.
func (m Machine) String() string {
	versions := []string{m.Go}
	for _, name := range []string{
		"gonum", "scikit-learn", "hmmlearn", "numpy", "scipy", "python",
		"fastcluster", "faiss", "intelex", "liblinear", "lightgbm", "numba", "fastICA",
	} {
		if v, found := m.Versions[name]; found {
			versions = append(versions, name+" "+v)
		}
	}
	text := fmt.Sprintf(
		"%s, %s, %s; %s; OpenBLAS %s by its own choice",
		m.CPU,
		plural(m.Cores, "core"),
		m.System,
		strings.Join(versions, ", "),
		m.Core,
	)
	if m.Load != "" {
		text += "; load " + m.Load + " at the start"
	}
	return text
}

// The marks between which the README holds the tables: of the fixed sizes and of the drawn shapes.
const (
	readmeBegin = "<!-- bench models: begin -->\n"
	readmeEnd   = "<!-- bench models: end -->\n"
	drawnBegin  = "<!-- bench models of drawn shapes: begin -->\n"
	drawnEnd    = "<!-- bench models of drawn shapes: end -->\n"
)

// call returns the command that measures what the report holds.
func (r *Report) call() string {
	sizes, draws, threads := "", 0, []string{}
	for _, x := range r.Results {
		if draws = max(draws, x.Draw); x.Draw == 0 && !strings.Contains(sizes, x.Size) {
			sizes += x.Size
		}
	}
	for _, t := range threadsOf(r.Results) {
		threads = append(threads, strconv.Itoa(t))
	}
	text := "go tool prl bench models --size " + cmp.Or(sizes, "''")
	if draws > 0 {
		text += fmt.Sprintf(" --random %d", r.Seed)
	}
	if draws > 1 {
		text += fmt.Sprintf(" --draws %d", draws)
	}
	if r.Count > 0 {
		text += fmt.Sprintf(" --count %d", r.Count)
	}
	text += " --threads " + strings.Join(threads, ",")
	if r.CPU {
		text += " --cpu"
	}
	return text + " --readme"
}

// InReadme puts the tables between the marks of a README: that of the fixed sizes and that of the drawn shapes, whichever were measured.
func (r *Report) InReadme(readme string) (string, error) {
	for _, part := range []struct {
		begin, end string
		drawn      bool
	}{{readmeBegin, readmeEnd, false}, {drawnBegin, drawnEnd, true}} {
		before, rest, found := strings.Cut(readme, part.begin)
		_, after, also := strings.Cut(rest, part.end)
		if !found || !also {
			return "", fmt.Errorf(
				"the README lacks the lines %q and %q between which a table stands",
				strings.TrimSpace(part.begin),
				strings.TrimSpace(part.end),
			)
		}
		own := *r
		own.Results = slices.DeleteFunc(slices.Clone(r.Results), func(x Result) bool { return (x.Draw > 0) != part.drawn })
		if len(own.Results) > 0 {
			readme = before + part.begin + own.markdown() + part.end + after
		}
	}
	return readme, nil
}

// markdown is the report for the README.
func (r *Report) markdown() string {
	var out strings.Builder
	fmt.Fprintf(&out, "Measured by `%s` on %s (%s).\n", r.call(), r.Machine, r.Machine.Day)
	if r.CPU {
		out.WriteString("Times are processor time, not the clock's.\n")
	}
	for _, part := range r.bySize() {
		out.WriteString("\n" + r.title(part) + ".\n\n")
		for i, row := range cells(part) {
			drop := len(row) - 6 // the figures of quality are in the JSON file
			row = slices.Concat(row[:drop+2], row[drop+4:])
			if i == 0 {
				row[len(row)-2] = "quality measured by"
			}
			out.WriteString("| " + strings.Join(row, " | ") + " |\n")
			if i == 0 {
				out.WriteString("|---" + strings.Repeat("|---:", len(row)-3) + "|---|---|\n")
			}
		}
		out.WriteString("\n")
		for text := range strings.Lines(summary(part)) {
			out.WriteString(strings.TrimSpace(text) + ".\n")
		}
	}
	return out.String()
}
