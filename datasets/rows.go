package datasets

import (
	"bufio"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"os"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/sparse"
)

// Rows are rows that are read in batches, so that memory holds one batch and not all of them. See [CSVRows] and [LIBSVMRows], Rows of the
// package query, and prl/sufficient for what learns from them.
type Rows struct {
	Name         string
	Identity     string // tells one source from another, and a file from the same file changed
	FeatureNames []string
	ClassNames   []string // of the numbers in Y; nil without classes
	TargetName   string

	// Read reads from a position on and calls use with batches of so many rows until it returns false. A batch is overwritten by the next.
	// For packages that read other sources; [Rows.Batches] is what programs call.
	Read func(ctx context.Context, from Position, size int, use func(*Batch) bool) error

	from Position
}

// A Batch is a part of the rows.
type Batch struct {
	X      mat.Matrix // n x d, a *mat.Dense or a *sparse.CSR
	Y      []int      // n classes; nil without
	Target []float64  // n targets; nil without
	Next   Position   // behind its last row
}

// A Position is a place between two rows, from which reading can go on.
type Position struct {
	Rows   int   // before it
	Offset int64 // bytes before it, unpacked; 0 in what is no file
	Lines  int   // about so many before it, for messages
}

// Batches yields all rows, size of them at a time, fewer in the last batch: 1000 to 10,000 are convenient. A batch holds until the next one
// is asked for. The error of reading comes last, with a nil batch; that of ctx is one.
func (r *Rows) Batches(ctx context.Context, size int) iter.Seq2[*Batch, error] {
	return func(yield func(*Batch, error) bool) {
		if size < 2 {
			yield(nil, fmt.Errorf("Rows.Batches: size is %d, but needs to be at least 2", size))
			return
		}
		enough := false
		err := r.Read(ctx, r.from, size, func(b *Batch) bool {
			if ctx.Err() == nil {
				enough = !yield(b, nil)
			}
			return !enough && ctx.Err() == nil
		})
		if err == nil {
			err = ctx.Err()
		}
		if err != nil && !enough {
			yield(nil, err)
		}
	}
}

// From returns the rows from a position on.
func (r *Rows) From(at Position) *Rows {
	rest := *r
	rest.from = at
	return &rest
}

// errEnough ends reading when nobody wants more.
var errEnough = errors.New("enough")

// ended is the error of a reader that may have been told to stop.
func ended(err error) error {
	if errors.Is(err, errEnough) {
		return nil
	}
	return err
}

// A stream is a file, or what is read like one, that can be opened again and again.
type stream struct {
	name    string
	options readOptions
	open    func() (io.ReadCloser, error)
}

// CSVRows reads the rows of a CSV file in batches. It takes the options of [ReadCSV] except SampleRows, and [Classes]: without the latter a
// pass over the file finds the classes first, which then have the numbers that ReadCSV gives them. There is no limit on the length of the
// file, only on that of a line, unless [Within] sets one. A gzip file is unpacked on the way; to go on in the middle of one, all before has
// to be unpacked again.
func CSVRows(path string, options ...Option) (*Rows, error) {
	r, err := ReadCSVRows(opened(path), path, options...)
	if err != nil {
		return nil, err
	}
	return r.of(path)
}

// opened opens a file; the error names the remedy.
func opened(path string) func() (io.ReadCloser, error) {
	return func() (io.ReadCloser, error) {
		f, err := os.Open(path)
		if errors.Is(err, os.ErrNotExist) {
			here, _ := os.Getwd()
			return nil, &ReadError{File: path, What: "there is no such file", Remedy: "a path is taken from the working directory, " + here}
		}
		return f, err
	}
}

// of makes the size and the time of a file part of the identity.
func (r *Rows) of(path string) (*Rows, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, &ReadError{File: path, What: err.Error()}
	}
	r.Identity = fmt.Sprintf("%s, %d bytes of %s", path, info.Size(), info.ModTime().UTC().Format("2006-01-02T15:04:05.999999999"))
	return r, nil
}

// ReadCSVRows is CSVRows of what open returns: each call reads the same bytes from their begin.
func ReadCSVRows(open func() (io.ReadCloser, error), name string, options ...Option) (*Rows, error) {
	s, err := newStream(open, name, options)
	if err != nil {
		return nil, err
	}
	rows := &Rows{Name: baseName(name), Identity: name}
	labels := newLabels(s.options.classes)
	// Without Classes this reads all rows, otherwise the first.
	most := 0
	if s.options.classes != nil || s.options.role == roleTarget || s.options.role == roleNone {
		most = 1
	}
	var fraction *ReadError
	head := s.table()
	head.size = 1000
	head.class = func(label string, at place) (int, error) {
		if most == 0 && s.options.role == roleLast && fraction == nil {
			if f := fractional([]string{label}); f != "" {
				fraction = &ReadError{
					File: name, Line: at.line, Column: at.column, Field: head.columns[head.label],
					What:   fmt.Sprintf("the last column holds numbers such as %s, which do not look like classes", clip(f)),
					Remedy: "say what the column is with datasets.Label, Target or Unlabelled",
				}
				return 0, fraction
			}
		}
		return 0, labels.see(name, label, at)
	}
	head.flush = func(Position) error {
		head.empty()
		if most > 0 {
			return errEnough
		}
		return nil
	}
	if most > 0 {
		head.size = 1
	}
	if err := s.csv(context.Background(), head, Position{}); ended(err) != nil {
		return nil, err
	}
	for j, is := range head.number {
		if is {
			rows.FeatureNames = append(rows.FeatureNames, head.columns[j])
		}
	}
	switch {
	case head.label < 0:
	case s.options.role == roleTarget:
		rows.TargetName = head.columns[head.label]
	default:
		rows.ClassNames = labels.named()
	}
	d := len(rows.FeatureNames)
	rows.Read = func(ctx context.Context, from Position, size int, use func(*Batch) bool) error {
		t := s.table()
		t.size = size
		t.class = func(label string, at place) (int, error) { return labels.class(name, label, at) }
		t.flush = func(next Position) error {
			b := &Batch{X: mat.NewDense(t.kept.kept-t.gone, d, t.values), Target: t.targets, Y: t.y, Next: next}
			if !use(b) {
				return errEnough
			}
			t.empty()
			return ctx.Err()
		}
		return ended(s.csv(ctx, t, from))
	}
	return rows, nil
}

func newStream(open func() (io.ReadCloser, error), name string, options []Option) (*stream, error) {
	o, err := collect(name, options)
	if err != nil {
		return nil, err
	}
	var stated readOptions
	for _, set := range options {
		if set != nil {
			set(&stated)
		}
	}
	if stated.limits.Bytes == 0 {
		o.limits.Bytes = math.MaxInt64
	}
	if o.sample > 0 {
		return nil, &ReadError{File: name, What: "SampleRows is for files that are read whole", Remedy: "read a sample with CSV or LIBSVM"}
	}
	return &stream{name, o, open}, nil
}

// at opens the stream and passes over the first bytes, unpacked. Files are not read up to there.
func (s *stream) at(offset int64) (*bufio.Reader, io.Closer, error) {
	r, err := s.open()
	if err != nil {
		return nil, nil, err
	}
	if file, ok := r.(io.ReadSeeker); ok && offset > 0 {
		var head [2]byte
		if n, _ := io.ReadFull(file, head[:]); n < 2 || head[0] != 0x1f || head[1] != 0x8b {
			if _, err := file.Seek(offset, io.SeekStart); err != nil {
				r.Close()
				return nil, nil, &ReadError{File: s.name, What: err.Error()}
			}
			return bufio.NewReaderSize(&limited{r: file, left: s.options.limits.Bytes - offset}, 1<<18), r, nil
		}
		if _, err := file.Seek(0, io.SeekStart); err != nil {
			r.Close()
			return nil, nil, &ReadError{File: s.name, What: err.Error()}
		}
	}
	in, err := input(r, s.name, s.options.limits.Bytes)
	if err == nil && offset > 0 {
		if _, err = io.CopyN(io.Discard, in, offset); err != nil {
			err = ioProblem(s.name, 0, io.ErrUnexpectedEOF, s.options.limits)
		}
	}
	if err != nil {
		r.Close()
		return nil, nil, err
	}
	return in, r, nil
}

func (s *stream) table() *table {
	return &table{options: s.options, name: s.name, kept: newReservoir(s.options)}
}

// empty forgets the rows of a batch that has been used.
func (t *table) empty() {
	t.gone = t.kept.kept
	t.values, t.targets, t.y = t.values[:0], t.targets[:0], t.y[:0]
}

// csv reads rows of a CSV file from a position on.
func (s *stream) csv(ctx context.Context, t *table, from Position) error {
	in, closer, err := s.at(0)
	if err != nil {
		return err
	}
	open := []io.Closer{closer}
	defer func() {
		for _, c := range open {
			c.Close()
		}
	}()
	cr, err := t.open(in)
	if err != nil {
		return err
	}
	if from.Offset > 0 {
		t.resume = func() (*csv.Reader, error) {
			in, closer, err := s.at(from.Offset)
			if err != nil {
				return nil, err
			}
			open = append(open, closer)
			t.base, t.lines, t.gone = from.Offset, from.Lines, from.Rows
			t.kept.seen, t.kept.kept = from.Rows, from.Rows
			return t.records(in), ctx.Err()
		}
	}
	return t.read(cr)
}

// labels numbers the classes of a stream.
type labels struct {
	stated []string
	seen   map[string]int
}

// mostLabels is how many different labels can be classes.
const mostLabels = 10_000

func newLabels(stated []string) *labels {
	l := &labels{stated, map[string]int{}}
	for c, name := range stated {
		l.seen[name] = c
	}
	return l
}

// see takes note of a label, unless the classes were stated.
func (l *labels) see(file, label string, at place) error {
	if _, known := l.seen[label]; known || l.stated != nil {
		return nil
	}
	l.seen[string([]byte(label))] = 0 // a copy, or it would hold on to the whole line
	if len(l.seen) > mostLabels {
		return &ReadError{
			File: file, Line: at.line, Column: at.column, What: fmt.Sprintf("more than %d different labels do not look like classes", mostLabels),
			Remedy: "say what the column is with datasets.Label, Target or Unlabelled",
		}
	}
	return nil
}

// named numbers the labels seen as [ReadCSV] does, and returns the names in their order.
func (l *labels) named() []string {
	if l.stated != nil {
		return l.stated
	}
	all := make([]string, 0, len(l.seen))
	for label := range l.seen {
		all = append(all, label)
	}
	_, names := classes(all)
	for c, name := range names {
		l.seen[name] = c
	}
	return names
}

func (l *labels) class(file, label string, at place) (int, error) {
	c, known := l.seen[label]
	if !known {
		remedy := "name all classes with datasets.Classes"
		if l.stated == nil {
			remedy = "the file has changed since its classes were found; begin anew"
		}
		return 0, &ReadError{
			File: file, Line: at.line, Column: at.column, What: fmt.Sprintf("the label %q is none of the %d classes", clip(label), len(l.seen)),
			Remedy: remedy,
		}
	}
	return c, nil
}

// LIBSVMRows reads the rows of a file in the sparse format of LIBSVM in batches, each a *sparse.CSR. It takes the options of [ReadLIBSVM]
// except SampleRows, and [Classes]: without that and [Width] a pass over the file finds the classes and the largest index first. There is
// no limit on the length of the file, only on that of a line, unless [Within] sets one.
func LIBSVMRows(path string, options ...Option) (*Rows, error) {
	r, err := ReadLIBSVMRows(opened(path), path, options...)
	if err != nil {
		return nil, err
	}
	return r.of(path)
}

// ReadLIBSVMRows is LIBSVMRows of what open returns: each call reads the same bytes from their begin.
func ReadLIBSVMRows(open func() (io.ReadCloser, error), name string, options ...Option) (*Rows, error) {
	s, err := newStream(open, name, options)
	if err != nil {
		return nil, err
	}
	o := s.options
	if err := o.checkWidth(name); err != nil {
		return nil, err
	}
	for c, label := range o.classes { // "+1" is written "1" too
		if v, err := number(label, ','); err == nil {
			o.classes[c] = strconv.FormatFloat(v, 'g', -1, 64)
		}
	}
	rows, labels, d := &Rows{Name: baseName(name), Identity: name}, newLabels(o.classes), o.features
	targets := o.role == roleTarget
	if d == 0 || o.classes == nil && !targets {
		count := 0
		err := s.lines(Position{}, func(line int, _ int64, label string, row []entry) error {
			if len(row) > 0 {
				d = max(d, row[len(row)-1].index)
			}
			count++
			at := place{line, 1}
			if targets {
				return nil
			}
			if v, _ := strconv.ParseFloat(label, 64); v != math.Trunc(v) {
				return &ReadError{
					File: name, Line: line, Column: 1, What: fmt.Sprintf("the label %s is not a whole number", label),
					Remedy: `read targets of a regression with datasets.Target("")`,
				}
			}
			return labels.see(name, label, at)
		})
		switch {
		case err != nil:
			return nil, err
		case count == 0:
			return nil, &ReadError{File: name, What: "the file has no row"}
		case d == 0:
			return nil, &ReadError{File: name, What: "no line has a feature"}
		}
	}
	rows.FeatureNames = numbered("x", 1, d)
	if !targets {
		rows.ClassNames = labels.named()
	}
	rows.Read = func(ctx context.Context, from Position, size int, use func(*Batch) bool) error {
		b, start, at, values := &Batch{Next: from}, []int{0}, []int32(nil), []float64(nil)
		flush := func() (err error) {
			if b.X, err = sparse.NewCSR(d, start, at, values); err != nil {
				return err
			}
			if !use(b) {
				return errEnough
			}
			start, at, values, b.Y, b.Target = start[:1], at[:0], values[:0], b.Y[:0], b.Target[:0]
			return ctx.Err()
		}
		err := s.lines(from, func(line int, offset int64, label string, row []entry) error {
			if targets {
				v, _ := strconv.ParseFloat(label, 64)
				b.Target = append(b.Target, v)
			} else {
				c, err := labels.class(name, label, place{line, 1})
				if err != nil {
					return err
				}
				b.Y = append(b.Y, c)
			}
			for _, e := range row {
				if e.index > d {
					return &ReadError{File: name, Line: line, What: fmt.Sprintf("the index is %d, but there are %d features", e.index, d)}
				}
				if e.value != 0 {
					at, values = append(at, int32(e.index-1)), append(values, e.value)
				}
			}
			start = append(start, len(at))
			b.Next = Position{b.Next.Rows + 1, offset, line}
			if len(start) > size {
				return flush()
			}
			return nil
		})
		if err == nil && len(start) > 1 {
			err = flush()
		}
		return ended(err)
	}
	return rows, nil
}

// lines calls use with the rows of a LIBSVM file from a position on, and the number of its line and the bytes up to its end.
func (s *stream) lines(from Position, use func(line int, offset int64, label string, row []entry) error) error {
	in, closer, err := s.at(from.Offset)
	if err != nil {
		return err
	}
	defer closer.Close()
	o := s.options
	scanner := bufio.NewScanner(in)
	scanner.Buffer(nil, o.limits.line())
	offset, line, count := from.Offset, from.Lines, from.Rows
	scanner.Split(func(data []byte, end bool) (int, []byte, error) {
		n, token, err := bufio.ScanLines(data, end)
		offset += int64(n)
		return n, token, err
	})
	var row []entry
	for (o.first == 0 || count < o.first) && scanner.Scan() {
		line++
		label, entries, err := o.libsvmLine(s.name, scanner.Text(), line, row[:0])
		if err != nil {
			return err
		}
		if label == "" {
			continue
		}
		row = entries
		count++
		if err := use(line, offset, label, entries); err != nil {
			return err
		}
	}
	if err := scanner.Err(); err == bufio.ErrTooLong {
		return &ReadError{File: s.name, Line: line + 1, What: fmt.Sprintf("the line is longer than %d MB", o.limits.line()>>20)}
	} else if err != nil {
		return ioProblem(s.name, line+1, err, o.limits)
	}
	return nil
}
