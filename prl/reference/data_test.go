package reference

import (
	"encoding/csv"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/datasets"
)

// read returns the numeric columns of a file in testdata; a first line without numbers is a header, columns of text are left out.
func read(t testing.TB, name string) *mat.Dense {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	records, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var x []float64
	rows := 0
	for i, r := range records {
		before := len(x)
		for _, s := range r {
			if v, err := strconv.ParseFloat(strings.TrimSpace(s), 64); err == nil {
				x = append(x, v)
			}
		}
		if len(x) > before {
			rows++
		} else if i > 0 {
			t.Fatalf("%s, line %d has no number", name, i+1)
		}
	}
	return mat.NewDense(rows, len(x)/rows, x)
}

// lists returns the rows of a file.
func lists(t testing.TB, name string) [][]float64 {
	X := read(t, name)
	n, _ := X.Dims()
	out := make([][]float64, n)
	for i := range out {
		out[i] = X.RawRowView(i)
	}
	return out
}

// labelled returns the first rows of a file whose last column is the class.
func labelled(t testing.TB, name string, rows int) (*mat.Dense, []int) {
	X := read(t, name)
	n, d := X.Dims()
	y := make([]int, min(n, rows))
	for i := range y {
		y[i] = int(X.At(i, d-1))
	}
	return mat.DenseCopyOf(X.Slice(0, len(y), 0, d-1)), y
}

func set(t testing.TB, s datasets.Set) (*mat.Dense, []int) {
	t.Helper()
	if err := s.Err(); err != nil {
		t.Fatal(err)
	}
	return s.X, s.Y
}

// standardised divides each centred column by its standard deviation, divisor n - 1.
func standardised(X *mat.Dense) *mat.Dense {
	n, d := X.Dims()
	out := mat.NewDense(n, d, nil)
	for j := range d {
		col := mat.Col(nil, j, X)
		mean, ss := 0.0, 0.0
		for _, v := range col {
			mean += v / float64(n)
		}
		for _, v := range col {
			ss += (v - mean) * (v - mean)
		}
		sd := math.Sqrt(ss / float64(n-1))
		for i, v := range col {
			out.Set(i, j, (v-mean)/sd)
		}
	}
	return out
}

func column(x ...float64) *mat.Dense { return mat.NewDense(len(x), 1, x) }

func matrix(rows ...[]float64) *mat.Dense {
	X := mat.NewDense(len(rows), len(rows[0]), nil)
	for i, r := range rows {
		X.SetRow(i, r)
	}
	return X
}

func symmetric(rows ...[]float64) *mat.SymDense {
	S := mat.NewSymDense(len(rows), nil)
	for i := range rows {
		for j := i; j < len(rows); j++ {
			S.SetSym(i, j, rows[i][j])
		}
	}
	return S
}

func hilbert(n int) *mat.SymDense {
	S := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			S.SetSym(i, j, 1/float64(i+j+1))
		}
	}
	return S
}

// wrong returns the numbers, from 1, of the rows in which two labelings differ.
func wrong(a, b []int) []int {
	out := []int{}
	for i := range a {
		if a[i] != b[i] {
			out = append(out, i+1)
		}
	}
	return out
}

func confusion(y, predicted []int, k int) [][]int {
	out := make([][]int, k)
	for i := range out {
		out[i] = make([]int, k)
	}
	for i := range y {
		out[y[i]][predicted[i]]++
	}
	return out
}

// binS draws the first rows of bin_S.csv, as testdata/README.md tells.
func binS(rows int) [][]float64 {
	s := uint64(31)
	normal := func() float64 {
		sum := 0.0
		for range 12 {
			s = s*6364136223846793005 + 1442695040888963407
			sum += float64(s>>11) / (1 << 53)
		}
		return sum - 6
	}
	out := make([][]float64, rows)
	for i := range out {
		x := []float64{normal(), normal(), normal(), normal(), 0}
		if x[0]*x[1]+0.5*x[2]*x[2]-0.5+0.5*x[3]+0.3*normal() > 0 {
			x[4] = 1
		}
		for j := range 4 {
			x[j] = math.Round(x[j]*1e6) / 1e6
		}
		out[i] = x
	}
	return out
}

func TestGeneratedDataFollowTheirRule(t *testing.T) {
	file := lists(t, "bin_S.csv")
	for i, want := range binS(len(file)) {
		if !slices.Equal(file[i], want) {
			t.Fatalf("row %d is %v, the generator gives %v", i+1, file[i], want)
		}
	}
}

// The measurements of iris differ from the copy of the UCI repository in rows 35 and 38, which there read 4.9 3.1 1.5 0.1 and 4.9 3.1 1.5
// 0.1; Fisher's print has 4.9 3.1 1.5 0.2 and 4.9 3.6 1.4 0.1, and R and scikit-learn follow it.
func TestIrisIsFishers(t *testing.T) {
	X, _ := set(t, datasets.Iris())
	for row, want := range map[int][]float64{35: {4.9, 3.1, 1.5, 0.2}, 38: {4.9, 3.6, 1.4, 0.1}} {
		if got := X.RawRowView(row - 1); !slices.Equal(got, want) {
			t.Errorf("row %d is %v, want %v", row, got, want)
		}
	}
}

// Every file of testdata is named in its README and by a case, and every file a case names is there.
func TestFilesAreDeclared(t *testing.T) {
	readme, err := os.ReadFile("testdata/README.md")
	if err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir("testdata")
	if err != nil {
		t.Fatal(err)
	}
	named := map[string]bool{}
	for _, c := range readTable(t).Cases {
		for _, part := range strings.Split(string(c.Data), `"`) {
			if strings.HasSuffix(part, ".csv") {
				named[part] = true
				if _, err := os.Stat(filepath.Join("testdata", part)); err != nil {
					t.Errorf("case %s: %v", c.ID, err)
				}
			}
		}
	}
	for _, e := range entries {
		if e.Name() == "README.md" {
			continue
		}
		if !named[e.Name()] {
			t.Errorf("no case uses testdata/%s", e.Name())
		}
		if !strings.Contains(string(readme), "`"+e.Name()+"`") {
			t.Errorf("testdata/README.md does not name %s", e.Name())
		}
	}
}
