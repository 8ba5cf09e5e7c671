package bench

import (
	"context"
	_ "embed"
	"encoding/csv"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/prlab/prlab/prl/cmd/prl/internal/execute"
	"github.com/prlab/prlab/prl/cmd/prl/internal/process"
	"github.com/prlab/prlab/prl/cmd/prl/internal/setup"
)

// A Step is a cell of the session: its name, in Go and in Python.
type Step struct{ Name, Go, Python string }

//go:embed session.txt
var sessionText string

// SessionSteps are the cells of the session of a number, which makes its programs new.
func SessionSteps(number int) (steps []Step) {
	text := strings.ReplaceAll(sessionText, "@", fmt.Sprint(number))
	for _, part := range strings.Split(text, "\n== ")[1:] {
		name, both, _ := strings.Cut(part, "\n")
		inGo, inPython, _ := strings.Cut(both, "\n--\n")
		steps = append(steps, Step{name, inGo, strings.TrimSpace(inPython)})
	}
	return steps
}

// WriteFlights writes flightsN.csv with so many rows of the 19 columns of the flights from New York, planesN.csv and weatherN.csv into a
// folder. All is drawn from one seed: a flight is late by chance, by its hour, its carrier and the wind, and in 25 of 1000 cases it is
// cancelled, which leaves gaps.
func WriteFlights(folder string, number, rows int) error {
	const planes, hours = 3000, 365 * 24
	r := rand.New(rand.NewPCG(2013, 19))
	origins := []string{"EWR", "JFK", "LGA"}
	carriers := strings.Fields("UA B6 EV DL AA MQ US 9E WN VX FL AS F9 YV HA OO")
	begin := time.Date(2013, 1, 1, 0, 0, 0, 0, time.UTC)
	hour := func(i int) time.Time { return begin.Add(time.Duration(i) * time.Hour) }
	often := func(n int) int { return int(float64(n) * r.Float64() * r.Float64()) } // the first are the most frequent
	tail := func(i int) string { return fmt.Sprintf("N%05dX", 7*i) }
	wind := make([]float64, hours*len(origins))
	write := func(name, head string, n int, row func(i int) []any) error {
		f, err := os.Create(filepath.Join(folder, fmt.Sprintf("%s%d.csv", name, number)))
		if err != nil {
			return err
		}
		w := csv.NewWriter(f)
		w.Write(strings.Split(head, ","))
		for i := range n {
			var fields []string
			for _, v := range row(i) {
				fields = append(fields, fmt.Sprint(v))
			}
			w.Write(fields)
		}
		w.Flush()
		return errors.Join(w.Error(), f.Close())
	}
	weather := write("weather", "origin,time_hour,temp,wind,rain", len(wind), func(i int) []any {
		wind[i] = math.Round(40*r.Float64()*r.Float64()*r.Float64()*10) / 10
		temp := 12 - 12*math.Cos(2*math.Pi*float64(i%hours)/hours) + 4*r.NormFloat64()
		rain := max(0, r.NormFloat64()-1.5)
		return []any{origins[i/hours], hour(i % hours).Format(time.DateTime), fmt.Sprintf("%.1f", temp), wind[i], fmt.Sprintf("%.2f", rain)}
	})
	makers := []string{"BOEING", "AIRBUS", "BOMBARDIER INC", "EMBRAER", "MCDONNELL DOUGLAS"}
	fleet := write("planes", "tailnum,year_built,maker,engines,seats", planes, func(i int) []any {
		return []any{tail(i), 1985 + r.IntN(28), makers[often(len(makers))], 2 + r.IntN(2), 20 + 5*r.IntN(60)}
	})
	const head = "year,month,day,dep_time,sched_dep_time,dep_delay,arr_time,sched_arr_time,arr_delay,carrier,flight,tailnum,origin,dest," +
		"air_time,distance,hour,minute,time_hour"
	clock := func(minutes int) int { return minutes/60%24*100 + minutes%60 } // 1345 at a quarter to two
	flights := write("flights", head, rows, func(int) []any {
		at, from, carrier, dest := r.IntN(365)*24+5+r.IntN(18), r.IntN(len(origins)), often(len(carriers)), often(100)
		t, minute, distance := hour(at), r.IntN(60), 180+24*dest
		air := 20 + distance/8 + int(6*r.NormFloat64())
		delay := int(-6 + 5*r.NormFloat64())
		if r.Float64() < 0.06+0.012*float64(t.Hour())+0.008*float64(carrier)+0.01*wind[from*hours+at] {
			delay += int(40 * r.ExpFloat64())
		}
		late, leave := delay+int(-4+12*r.NormFloat64()), 60*t.Hour()+minute
		due := leave + air + 30
		row := []any{
			t.Year(), int(t.Month()), t.Day(), clock(leave + delay), clock(leave), delay, clock(due + late), clock(due), late,
			carriers[carrier], 1 + r.IntN(6000), tail(r.IntN(planes + planes/50)), origins[from], fmt.Sprintf("D%02d", dest), air, distance,
			t.Hour(), minute, t.Format(time.DateTime),
		}
		if r.Float64() < 0.025 {
			for _, k := range []int{3, 5, 6, 8, 14} {
				row[k] = ""
			}
		}
		return row
	})
	return errors.Join(weather, fleet, flights)
}

// A Session is what the session took.
type Session struct {
	Steps      []Step
	Go, Python []Taken // for each step
}

// Taken is what a cell took, by the clock and of processor time.
type Taken struct{ Wall, CPU time.Duration }

// MeasureSession runs the session on a table of so many rows, in the lab's kernel and in ipykernel. Nothing is kept from an earlier one.
func MeasureSession(ctx context.Context, lab *setup.Lab, rows int, python string, progress func(done int)) (s Session, err error) {
	number := int(time.Now().Unix() % 1e6)
	s.Steps = SessionSteps(number)
	folder, err := os.MkdirTemp("", "prl-session-")
	if err != nil {
		return s, err
	}
	defer os.RemoveAll(folder)
	if err := WriteFlights(folder, number, rows); err != nil {
		return s, err
	}
	if err := os.Setenv("PRL_CACHE", filepath.Join(folder, "kept")); err != nil {
		return s, err
	}
	session, err := execute.Open(lab)
	if err != nil {
		return s, err
	}
	defer session.Close()
	ours, err := session.Talk(ctx, folder, true)
	if err != nil {
		return s, err
	}
	s.Go, err = take(ours, s.Steps, func(step Step) string { return step.Go }, progress)
	if err := errors.Join(err, ours.Close()); err != nil {
		return s, err
	}
	theirs, err := session.TalkPython(ctx, folder, python)
	if err != nil {
		return s, err
	}
	s.Python, err = take(theirs, s.Steps, func(step Step) string { return step.Python }, func(done int) { progress(len(s.Steps) + done) })
	return s, errors.Join(err, theirs.Close())
}

// take sends the cells of a session, and waits after each until its kernel does nothing.
func take(kernel *execute.Conversation, steps []Step, cell func(Step) string, progress func(done int)) (all []Taken, err error) {
	a := asker{kernel, 0}
	a.settle()
	for i, step := range steps {
		before, err := process.CPU(kernel.PID)
		if err != nil {
			return nil, err
		}
		wall, err := a.ask(cell(step))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", step.Name, err)
		}
		a.settle()
		after, err := process.CPU(kernel.PID)
		if err != nil {
			return nil, err
		}
		all = append(all, Taken{wall, after - before})
		progress(i + 1)
	}
	return all, nil
}

// String is the table of the session, in seconds.
func (s Session) String() string {
	var all strings.Builder
	fmt.Fprintf(&all, "| %s | ours: processor | elapsed | Python: processor | elapsed |\n|---|---:|---:|---:|---:|\n", "cell")
	var total [2]Taken
	for i, step := range s.Steps {
		ours, theirs := s.Go[i], s.Python[i]
		fmt.Fprintf(&all, "| %d %s | %.2f | %.2f | %.2f | %.2f |\n", i+1, step.Name, ours.CPU.Seconds(), ours.Wall.Seconds(),
			theirs.CPU.Seconds(), theirs.Wall.Seconds())
		for k, taken := range []Taken{ours, theirs} {
			total[k].CPU, total[k].Wall = total[k].CPU+taken.CPU, total[k].Wall+taken.Wall
		}
	}
	fmt.Fprintf(&all, "| all | %.1f | %.1f | %.1f | %.1f |\n", total[0].CPU.Seconds(), total[0].Wall.Seconds(), total[1].CPU.Seconds(),
		total[1].Wall.Seconds())
	return all.String()
}
