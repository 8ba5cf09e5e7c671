package bench

import (
	"bufio"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Sizes are the names of the sizes of the data sets, from the smallest.
const Sizes = "SML"

// A matrix is rows by columns, row after row.
type matrix struct {
	rows, cols int
	v          []float64
}

func newMatrix(rows, cols int) matrix { return matrix{rows, cols, make([]float64, rows*cols)} }

func (m matrix) row(i int) []float64 { return m.v[i*m.cols : (i+1)*m.cols] }

// A source makes one data set. Rows have d features and then the label or target; the first train rows are for fitting.
type source struct {
	name        string
	train, test int
	make        func(rows int) matrix
}

// A Shape is how large a data set is: training and test rows, features, classes or groups or states, and symbols of a hidden Markov model.
type Shape struct{ Train, Test, Features, Groups, Symbols int }

// shapes are those of the data sets of a size.
func shapes(size byte) map[string]Shape {
	i := strings.IndexByte(Sizes, size)
	n := func(of ...int) int { return of[i] }
	train, test := n(200, 5000, 50000), n(200, 5000, 10000)
	hmm := Shape{n(200, 10000, 200000), 0, 1, n(3, 8, 16), n(6, 16, 32)}
	return map[string]Shape{
		"cls":      {train, test, n(4, 20, 50), n(3, 5, 10), 0},
		"lin":      {train, test, n(4, 20, 50), 2, 0},
		"bin":      {n(200, 2000, 10000), n(200, 2000, 10000), n(4, 10, 20), 2, 0},
		"fried":    {train, test, 10, 0, 0},
		"mix":      {n(200, 10000, 100000), 0, n(2, 10, 20), n(4, 8, 16), 0},
		"hmm":      hmm,
		"hmmtrue":  hmm,
		"hmmstart": hmm,
		"sheet":    {n(200, 2000, 4000), 0, n(3, 5, 10), 0, 0},
		"blend":    {n(200, 5000, 50000), 0, n(3, 8, 16), 0, 0},
		"wide":     {n(200, 500, 5000), 0, n(64, 784, 784), 10, 0},
	}
}

// sources lists the data sets of the given shapes. Seeds of data of other shapes differ by the offset. Products are rounded before they are
// added (the conversions to float64), so that the bytes are the same on machines that fuse the two.
func sources(of map[string]Shape, offset int) []source {
	var all []source
	put := func(name string, first int, make func(g lcg, rows int, s Shape) matrix) {
		s := of[name]
		all = append(all, source{name, s.Train, s.Test, func(rows int) matrix { return make(lcg(first+offset), rows, s) }})
	}
	put("cls", 11, func(g lcg, rows int, s Shape) matrix { return classes(g, rows, s.Features, s.Groups) })
	put("lin", 21, func(g lcg, rows int, s Shape) matrix { return halves(g, rows, s.Features) })
	put("bin", 31, func(g lcg, rows int, s Shape) matrix { return curved(g, rows, s.Features) })
	put("fried", 51, func(g lcg, rows int, s Shape) matrix { return friedman(g, rows, s.Features) })
	put("mix", 61, func(g lcg, rows int, s Shape) matrix { return mixed(g, rows, s.Features, s.Groups) })
	put("sheet", 71, func(g lcg, rows int, s Shape) matrix { return folded(g, rows, s.Features) })
	put("blend", 81, func(g lcg, rows int, s Shape) matrix { return blended(g, rows, s.Features) })
	put("wide", 91, func(g lcg, rows int, s Shape) matrix { return classes(g, rows, s.Features, s.Groups) })
	put("hmm", 101, func(g lcg, rows int, s Shape) matrix { return symbols(g, rows, s.Groups, s.Symbols) })
	for _, name := range []string{"hmmtrue", "hmmstart"} { // one row a state
		first, stay := 101, 4.0
		if name == "hmmstart" {
			first, stay = 2101, 1
		}
		s := of[name]
		all = append(all, source{name, s.Groups, 0, func(int) matrix {
			return parameters(lcg(first+offset), s.Groups, s.Symbols, stay).matrix()
		}})
	}
	return all
}

// classes has K Gaussian classes, row i of class c = i mod K: x_j = 0.8 m_cj + z_j + 0.5 (c+1)/K z_(j+1 mod d), with all class means m
// drawn first and then all z.
func classes(g lcg, rows, d, k int) matrix {
	means, out, z := g.normals(k*d), newMatrix(rows, d+1), make([]float64, d)
	for i := range rows {
		c := i % k
		for j := range z {
			z[j] = g.normal()
		}
		row, share := out.row(i), 0.5*float64(c+1)/float64(k)
		for j := range z {
			row[j] = float64(float64(0.8*means[c*d+j])+z[j]) + float64(share*z[(j+1)%d])
		}
		row[d] = float64(c)
	}
	return out
}

// halves has two classes on the sides of a hyperplane, with noise: d numbers w; then a row is d numbers x and one e, and y = 1 where
// e + <w, x> > 0.
func halves(g lcg, rows, d int) matrix {
	w, out := g.normals(d), newMatrix(rows, d+1)
	for i := range rows {
		row := out.row(i)
		for j := range d {
			row[j] = g.normal()
		}
		s := g.normal()
		for j := range d {
			s += float64(w[j] * row[j])
		}
		if s > 0 {
			row[d] = 1
		}
	}
	return out
}

// curved has two classes with a curved boundary: y = 1 where x_0 x_1 + 0.5 x_2^2 - 0.5 + 0.5 x_3 + 0.3 e > 0.
func curved(g lcg, rows, d int) matrix {
	out := newMatrix(rows, d+1)
	for i := range rows {
		x := out.row(i)
		for j := range d {
			x[j] = g.normal()
		}
		e := g.normal()
		s := float64(x[0]*x[1]) + float64(0.5*float64(x[2]*x[2])) - 0.5
		s += float64(0.5 * x[3])
		if s += float64(0.3 * e); s > 0 {
			x[d] = 1
		}
	}
	return out
}

// friedman is Friedman's first regression problem, y = 10 u_0 u_1 + 20 (u_2 - 0.5)^2 + 10 u_3 + 5 u_4 + e with uniform u, all u drawn
// first.
func friedman(g lcg, rows, d int) matrix {
	out := newMatrix(rows, d+1)
	for i := range rows {
		for j := range d {
			out.row(i)[j] = g.uniform()
		}
	}
	for i := range rows {
		u := out.row(i)
		h := u[2] - 0.5
		y := float64(float64(10*u[0])*u[1]) + float64(20*float64(h*h))
		y += float64(10 * u[3])
		y += float64(5 * u[4])
		u[d] = y + g.normal()
	}
	return out
}

// mixed has K round groups, row i of group k = i mod K: x = c_k + (0.5 + 0.25 (k mod 3)) z about centres c of four normal numbers each.
func mixed(g lcg, rows, d, k int) matrix {
	centres, out := g.normals(k*d), newMatrix(rows, d+1)
	for i := range centres {
		centres[i] *= 4
	}
	for i := range rows {
		c := i % k
		row, spread := out.row(i), 0.5+0.25*float64(c%3)
		for j := range d {
			row[j] = centres[c*d+j] + float64(spread*g.normal())
		}
		row[d] = float64(c)
	}
	return out
}

// folded is a sheet bent to an S, with a little noise: two uniform numbers u and v of -1 ... 1 a row and then d normal ones z make
// x = (4 u, 4 v, 8 u^3 - 6 u, 0, ...) + 0.02 z. The label is 1 where u > 0.
func folded(g lcg, rows, d int) matrix {
	out := newMatrix(rows, d+1)
	for i := range rows {
		row := out.row(i)
		u := 2*g.uniform() - 1
		v := 2*g.uniform() - 1
		row[0], row[1], row[2] = 4*u, 4*v, float64(float64(8*float64(u*u))*u)-float64(6*u)
		for j := range d {
			row[j] += float64(0.02 * g.normal())
		}
		if u > 0 {
			row[d] = 1
		}
	}
	return out
}

// blended mixes d independent sources s, those of even number uniform in -1 ... 1 and the others products of two normal numbers: x = A s,
// with all d x d normal entries of A drawn first. The label is 0.
func blended(g lcg, rows, d int) matrix {
	a, out, s := g.normals(d*d), newMatrix(rows, d+1), make([]float64, d)
	for i := range rows {
		for j := range s {
			if j%2 == 0 {
				s[j] = 2*g.uniform() - 1
				continue
			}
			z := g.normal()
			s[j] = z * g.normal()
		}
		row := out.row(i)
		for j := range s {
			for l, v := range s {
				row[j] += float64(a[j*d+l] * v)
			}
		}
	}
	return out
}

// hidden holds the probabilities of a hidden Markov model.
type hidden struct {
	start []float64
	move  matrix
	emit  matrix
}

// parameters draws pi_i ~ 0.5 + u, A_ij ~ 0.05 + u with stay more on the diagonal, B_ij ~ 0.02 + u^3. Rows are made to sum to one in six
// digits.
func parameters(g lcg, k, m int, stay float64) hidden {
	h := hidden{make([]float64, k), newMatrix(k, k), newMatrix(k, m)}
	for i := range h.start {
		h.start[i] = 0.5 + g.uniform()
	}
	for i := range h.move.v {
		h.move.v[i] = 0.05 + g.uniform()
		if i/k == i%k {
			h.move.v[i] += stay
		}
	}
	for i := range h.emit.v {
		u := g.uniform()
		h.emit.v[i] = 0.02 + float64(float64(u*u)*u)
	}
	unit(h.start)
	for i := range k {
		unit(h.move.row(i))
		unit(h.emit.row(i))
	}
	return h
}

func unit(w []float64) {
	sum := 0.0
	for _, v := range w {
		sum += v
	}
	rest := 1.0
	for i, v := range w {
		w[i] = sixDigits(v / sum)
		if i < len(w)-1 {
			rest -= w[i]
		}
	}
	w[len(w)-1] = sixDigits(rest)
}

// matrix has one row a state: its start probability, its transitions and its emissions.
func (h hidden) matrix() matrix {
	k, m := h.move.rows, h.emit.cols
	out := newMatrix(k, 1+k+m)
	for i := range k {
		row := out.row(i)
		row[0] = h.start[i]
		copy(row[1:], h.move.row(i))
		copy(row[1+k:], h.emit.row(i))
	}
	return out
}

// symbols draws a sequence from the model with 4 on the diagonal: two uniform numbers a step, for state and symbol, by the inverse of the
// cumulative sums.
func symbols(g lcg, rows, k, m int) matrix {
	h, out, s := parameters(g, k, m, 4), newMatrix(rows, 1), 0
	g += 1000
	draw := func(p []float64, u float64) int {
		sum := 0.0
		for i, v := range p {
			if sum += v; u < sum {
				return i
			}
		}
		return len(p) - 1
	}
	for t := range rows {
		p := h.start
		if t > 0 {
			p = h.move.row(s)
		}
		s = draw(p, g.uniform())
		out.v[t] = float64(draw(h.emit.row(s), g.uniform()))
	}
	return out
}

// A DataFile describes a file of the cache: rows by columns of little-endian float64.
type DataFile struct {
	Rows    int    `json:"rows"`
	Columns int    `json:"columns"`
	Train   int    `json:"train"`
	Groups  int    `json:"groups,omitempty"` // of a shape drawn at random
	SHA256  string `json:"sha256"`
}

// WriteData writes the data sets of a size into dir, unless a finished list of them is there, and returns that list. Every number is
// rounded to six digits after the point, so that a text file with %.6f holds the same data.
func WriteData(dir string, size byte) (map[string]DataFile, error) {
	list := filepath.Join(dir, string(size)+".json")
	files := map[string]DataFile{}
	if text, err := os.ReadFile(list); err == nil && json.Unmarshal(text, &files) == nil && len(files) == len(shapes(size)) {
		return files, nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	for _, s := range sources(shapes(size), strings.IndexByte(Sizes, size)) {
		file, err := s.write(dir, size)
		if err != nil {
			return nil, err
		}
		files[s.name] = file
	}
	text, err := json.MarshalIndent(files, "", "\t")
	if err != nil {
		return nil, err
	}
	return files, os.WriteFile(list, append(text, '\n'), 0o644)
}

// write writes a data set into dir.
func (s source) write(dir string, size byte) (DataFile, error) {
	m := s.make(s.train + s.test)
	sum, err := writeMatrix(dataPath(dir, s.name, size), m)
	if err != nil {
		return DataFile{}, fmt.Errorf("the data of the benchmark: %w", err)
	}
	return DataFile{Rows: m.rows, Columns: m.cols, Train: s.train, SHA256: sum}, nil
}

func dataPath(dir, name string, size byte) string {
	return filepath.Join(dir, name+"_"+string(size)+".bin")
}

func writeMatrix(path string, m matrix) (sum string, err error) {
	file, err := os.Create(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	hash, out := sha256.New(), bufio.NewWriterSize(file, 1<<20)
	var b [8]byte
	for i, v := range m.v {
		m.v[i] = decimal(v)
		binary.LittleEndian.PutUint64(b[:], math.Float64bits(m.v[i]))
		hash.Write(b[:])
		out.Write(b[:])
	}
	if err := out.Flush(); err != nil {
		return "", err
	}
	return hex.EncodeToString(hash.Sum(nil)), file.Close()
}

// decimal is the number that a reader makes of %.6f.
func decimal(v float64) float64 {
	var b [40]byte
	r, _ := strconv.ParseFloat(string(strconv.AppendFloat(b[:0], v, 'f', 6, 64)), 64)
	return r
}

func readMatrix(path string, f DataFile) (matrix, error) {
	bytes, err := os.ReadFile(path)
	if err != nil {
		return matrix{}, err
	}
	m := newMatrix(f.Rows, f.Columns)
	if len(bytes) != 8*len(m.v) {
		return matrix{}, fmt.Errorf(
			"%s has %d bytes instead of %d: remove the folder, and the next call writes it again",
			path,
			len(bytes),
			8*len(m.v),
		)
	}
	for i := range m.v {
		m.v[i] = math.Float64frombits(binary.LittleEndian.Uint64(bytes[8*i:]))
	}
	return m, nil
}
