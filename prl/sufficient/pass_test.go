package sufficient_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/prl/bayes"
	"github.com/prlab/prlab/prl/sufficient"
)

// gatherTo makes one pass over a file, and stores the statistics.
func gatherTo(ctx context.Context, file, checkpoint, out string, progress func(datasets.Position)) error {
	rows, err := datasets.CSVRows(file, datasets.Classes("a", "b", "c"))
	if err != nil {
		return err
	}
	var c sufficient.Classes
	pass := sufficient.Pass{Checkpoint: checkpoint, Every: time.Nanosecond, Batch: 50, Progress: progress}
	if err := pass.Run(ctx, rows, &c, func(b *datasets.Batch) error { return c.Add(b.X, b.Y, nil) }); err != nil {
		return err
	}
	data, err := c.MarshalBinary()
	if err != nil {
		return err
	}
	return os.WriteFile(out, data, 0o600)
}

// TestMain is also the program that TestKilledPass kills: it waits for that in the middle of its pass.
func TestMain(m *testing.M) {
	if file := os.Getenv("PRL_TEST_PASS"); file != "" {
		err := gatherTo(context.Background(), file, file+".checkpoint", file+".out", func(at datasets.Position) {
			fmt.Println(at.Rows)
			time.Sleep(5 * time.Millisecond)
		})
		fmt.Println(err)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// writeRows writes n rows of three classes.
func writeRows(t *testing.T, path string, n int) {
	t.Helper()
	random := rand.New(rand.NewPCG(1, 1))
	var b bytes.Buffer
	b.WriteString("x,y,kind\n")
	for range n {
		c := random.IntN(3)
		fmt.Fprintf(&b, "%v,%v,%c\n", random.NormFloat64()+float64(c), 1e6+random.NormFloat64(), 'a'+c)
	}
	must(t, os.WriteFile(path, b.Bytes(), 0o600))
}

// A pass that is killed, twice, goes on where it was and ends with the very bits of a pass that was not.
func TestKilledPass(t *testing.T) {
	if testing.Short() && runtime.GOOS == "windows" {
		t.Skip("processes are killed")
	}
	folder := t.TempDir()
	file, undisturbed := filepath.Join(folder, "rows.csv"), filepath.Join(folder, "undisturbed")
	writeRows(t, file, 10_000)
	must(t, gatherTo(t.Context(), file, "", undisturbed, nil))
	begun := []int{}
	for range 2 {
		cmd := exec.CommandContext(t.Context(), os.Args[0])
		cmd.Env = append(os.Environ(), "PRL_TEST_PASS="+file)
		out, err := cmd.StdoutPipe()
		must(t, err)
		must(t, cmd.Start())
		first, last, buffer := 0, 0, make([]byte, 0)
		chunk := make([]byte, 64)
		for first == 0 || last < first+1000 {
			n, err := out.Read(chunk)
			must(t, err)
			buffer = append(buffer, chunk[:n]...)
			lines := strings.Split(string(buffer), "\n")
			for _, line := range lines[:len(lines)-1] {
				if last, err = strconv.Atoi(line); err != nil {
					t.Fatalf("the pass said %q", line)
				}
				if first == 0 {
					first = last
				}
			}
		}
		must(t, cmd.Process.Kill())
		cmd.Wait()
		begun = append(begun, first)
	}
	if begun[0] != 50 || begun[1] < 1000 {
		t.Fatalf("the killed passes began at rows %v", begun)
	}
	resumed := 0
	must(t, gatherTo(t.Context(), file, file+".checkpoint", file+".out", func(at datasets.Position) {
		if resumed == 0 {
			resumed = at.Rows
		}
	}))
	if resumed < begun[1]+950 {
		t.Errorf("the last pass began at row %d, but the one before was killed beyond row %d", resumed, begun[1]+1000)
	}
	have, err := os.ReadFile(file + ".out")
	must(t, err)
	want, err := os.ReadFile(undisturbed)
	must(t, err)
	if !bytes.Equal(have, want) {
		t.Error("the killed pass has other statistics")
	}
	if _, err := os.Stat(file + ".checkpoint"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the checkpoint is left: %v", err)
	}
}

func TestPassMistakes(t *testing.T) {
	folder := t.TempDir()
	file, checkpoint := filepath.Join(folder, "rows.csv"), filepath.Join(folder, "checkpoint")
	writeRows(t, file, 1000)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	err := gatherTo(ctx, file, checkpoint, filepath.Join(folder, "out"), func(at datasets.Position) {
		if at.Rows == 300 {
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "after 300 rows") {
		t.Errorf("cancelled: %v", err)
	}
	if _, err := os.Stat(checkpoint); err != nil {
		t.Errorf("no checkpoint: %v", err)
	}
	writeRows(t, file, 1001)
	if err := gatherTo(t.Context(), file, checkpoint, "", nil); err == nil || !strings.Contains(err.Error(), "remove it to begin again") {
		t.Errorf("changed rows: %v", err)
	}
	must(t, os.WriteFile(checkpoint, []byte("prl model 2\n..."), 0o600))
	if err := gatherTo(t.Context(), file, checkpoint, "", nil); err == nil || !strings.Contains(err.Error(), checkpoint) {
		t.Errorf("a damaged checkpoint: %v", err)
	}
}

// A generator is a CSV file of rows that are made while they are read.
type generator struct {
	random *rand.Rand
	left   int64 // bytes
	rest   []byte
	line   []byte
}

const columns = 20

func newGenerator(size int64) *generator {
	g := &generator{random: rand.New(rand.NewPCG(4, 2)), left: size}
	for j := range columns {
		g.line = fmt.Appendf(g.line, "x%d,", j)
	}
	g.line = append(g.line, "kind\n"...)
	g.rest = g.line
	return g
}

func (g *generator) Close() error { return nil }

func (g *generator) Read(p []byte) (n int, err error) {
	for n < len(p) {
		if len(g.rest) == 0 {
			if g.left <= 0 {
				if n == 0 {
					return 0, io.EOF
				}
				return n, nil
			}
			g.line = g.line[:0]
			u := g.random.Uint64()
			class := u % 3
			for j := range columns {
				if j%4 == 0 {
					u = g.random.Uint64()
				}
				// 0.000 to 6.999, shifted by the class
				v := (u>>(j%4*16))&0xffff%7000 + class*uint64(j)*50
				g.line = append(g.line, byte('0'+v/10000), byte('0'+v/1000%10), '.', byte('0'+v/100%10), byte('0'+v/10%10), byte('0'+v%10), ',')
			}
			g.line = append(g.line, byte('a'+class), '\n')
			g.rest = g.line
			g.left -= int64(len(g.line))
		}
		m := copy(p[n:], g.rest)
		n, g.rest = n+m, g.rest[m:]
	}
	return n, nil
}

// Rows many times as large as the memory allowed are learned from. PRL_STREAM_GB=10 makes them 10 GB; the test says what the process took.
func TestMoreRowsThanMemory(t *testing.T) {
	size := int64(24 << 20)
	if gb, err := strconv.ParseFloat(os.Getenv("PRL_STREAM_GB"), 64); err == nil {
		size = int64(gb * (1 << 30))
	}
	open := func() (io.ReadCloser, error) { return newGenerator(size), nil }
	rows, err := datasets.ReadCSVRows(open, "made", datasets.Classes("a", "b", "c"))
	must(t, err)
	runtime.GC()
	debug.FreeOSMemory()
	var before, now runtime.MemStats
	runtime.ReadMemStats(&before)
	held := before.HeapSys - before.HeapReleased
	var c sufficient.Classes
	most, began := uint64(0), time.Now()
	pass := sufficient.Pass{Checkpoint: filepath.Join(t.TempDir(), "checkpoint"), Progress: func(at datasets.Position) {
		if at.Rows%(1<<17) == 0 {
			runtime.ReadMemStats(&now)
			most = max(most, now.HeapSys-now.HeapReleased)
		}
	}}
	must(t, pass.Run(t.Context(), rows, &c, func(b *datasets.Batch) error { return c.Add(b.X, b.Y, nil) }))
	seen := 0.0
	for _, n := range c.Weights() {
		seen += n
	}
	model, err := c.LDA(bayes.Options{})
	must(t, err)
	resident := status("VmHWM")
	t.Logf("%.3g GB, %.0f rows of %d features in %v, heap at most %d MB above %d, resident at most %s, %v", float64(size)/(1<<30),
		seen, columns, time.Since(began).Round(time.Millisecond), (most-held)>>20, held>>20, resident, model)
	if most > held+32<<20 && testing.CoverMode() == "" {
		t.Errorf("the heap grew by %d MB", (most-held)>>20)
	}
	if want := float64(size) / (7*columns + 2); seen < 0.999*want || seen > 1.001*want {
		t.Errorf("%.0f rows were seen of about %.0f", seen, want)
	}
	// The classes differ by 0.05 j in the mean of feature j.
	for j, v := range c.Mean(2) {
		if d := v - c.Mean(0)[j] - 0.1*float64(j); d > 0.05 || d < -0.05 {
			t.Errorf("the means of feature %d differ by %v", j, v-c.Mean(0)[j])
		}
	}
}

// status returns a line of what Linux says about the process, or "unknown".
func status(key string) string {
	data, _ := os.ReadFile("/proc/self/status")
	for _, line := range strings.Split(string(data), "\n") {
		if value, ok := strings.CutPrefix(line, key+":"); ok {
			return strings.TrimSpace(value)
		}
	}
	return "unknown"
}
