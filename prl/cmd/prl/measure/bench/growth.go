package bench

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"strings"
)

// Growth tells how the time of a fit grows with the number of rows: seconds = constant n^exponent.
type Growth struct {
	Task     string    `json:"task"`
	D        int       `json:"d"`
	Rows     []int     `json:"rows"`
	Seconds  []float64 `json:"seconds"`
	Exponent float64   `json:"exponent"`
	Residual float64   `json:"residual"` // standard deviation of log seconds about the line
}

const (
	growthFirst   = 1000 // rows: 100 for each of ten classes, which a covariance of 50 features needs
	growthSizes   = 5    // each twice the one before
	growthLongest = 1.0  // seconds after which no larger size is tried, once there are four
)

// grows reports whether a task is a fit whose time depends on the number of rows.
func grows(t Task) bool {
	return strings.Contains(t.Name, " fit") || strings.HasSuffix(t.Name, "baum-welch") || strings.HasPrefix(t.Name, "gram") ||
		t.Name == "pruning path"
}

// MeasureGrowth times the fits of the tasks chosen on growing parts of the large data in dir.
func (o Models) MeasureGrowth(ctx context.Context, dir string, told func(task string)) ([]Growth, error) {
	files, err := WriteData(dir, 'L')
	if err != nil {
		return nil, err
	}
	var all []Growth
	for _, task := range o.chosen() {
		if !grows(task) {
			continue
		}
		g := Growth{Task: task.Name}
		for n := growthFirst; len(g.Rows) < growthSizes; n *= 2 {
			if ctx.Err() != nil {
				return nil, context.Cause(ctx)
			}
			if k := len(g.Rows); k >= 4 && g.Seconds[k-1] > growthLongest {
				break
			}
			seconds, d, err := timeRows(dir, task, files, n)
			if err != nil {
				return nil, fmt.Errorf("%s with %d rows: %w", task.Name, n, err)
			}
			if d == 0 {
				break
			}
			g.D, g.Rows, g.Seconds = d, append(g.Rows, n), append(g.Seconds, seconds)
		}
		g.Exponent, g.Residual = slope(g.Rows, g.Seconds)
		all = append(all, g)
		told(task.Name)
	}
	return all, nil
}

// timeRows returns the best time of a task on the first n rows, or d = 0 when there are not so many. With one thread that is processor
// time, which other programs disturb less.
func timeRows(dir string, task Task, files map[string]DataFile, n int) (seconds float64, d int, err error) {
	task.Rows = [3]int{n, n, n}
	in, err := load(dir, task, 'L', files)
	if err != nil {
		return 0, 0, err
	}
	if m, found := in.more["hmm"]; found {
		if n > m.rows {
			return 0, 0, nil
		}
		in.more["hmm"] = matrix{n, m.cols, m.v[:n*m.cols]}
	} else if in.n() < n {
		return 0, 0, nil
	}
	j, err := task.make(in)
	if err != nil {
		return 0, 0, err
	}
	first, err := timed(j.run, 1)
	if err != nil {
		return 0, 0, err
	}
	cpu := runtime.GOMAXPROCS(0) == 1 && first.CPU > 0
	best, count := first.on(cpu), repeats(first.on(cpu))
	for range min(5, int(1/best)) {
		again, err := timed(j.run, count)
		if err != nil {
			return 0, 0, err
		}
		best = min(best, again.on(cpu))
	}
	return best, j.d, nil
}

// slope fits log seconds = a + b log n by least squares and returns b with the standard deviation of the residuals.
func slope(rows []int, seconds []float64) (b, residual float64) {
	n := float64(len(rows))
	if n < 3 {
		return math.NaN(), math.NaN()
	}
	mx, my := 0.0, 0.0
	for i, r := range rows {
		mx += math.Log(float64(r)) / n
		my += math.Log(seconds[i]) / n
	}
	sxx, sxy, syy := 0.0, 0.0, 0.0
	for i, r := range rows {
		x, y := math.Log(float64(r))-mx, math.Log(seconds[i])-my
		sxx, sxy, syy = sxx+x*x, sxy+x*y, syy+y*y
	}
	b = sxy / sxx
	return b, math.Sqrt(math.Max(0, syy-b*sxy) / (n - 2))
}

// GrowthTable is the table of bench growth.
func GrowthTable(all []Growth) string {
	table := [][]string{{"task", "d", "rows", "least", "most", "exponent", "residual"}}
	for _, g := range all {
		last := len(g.Rows) - 1
		table = append(
			table,
			[]string{
				g.Task, fmt.Sprint(g.D), fmt.Sprintf("%d to %d", g.Rows[0], g.Rows[last]), Seconds(g.Seconds[0]), Seconds(g.Seconds[last]),
				fmt.Sprintf("%.2f", g.Exponent), fmt.Sprintf("%.2f", g.Residual),
			},
		)
	}
	return Columns(table)
}
