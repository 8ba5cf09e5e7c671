package datasets

import (
	"bufio"
	"context"
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
	if err == nil {
		err = s.options.sets(name)
	}
	if err != nil {
		return nil, err
	}
	rows := &Rows{Name: baseName(name), Identity: name}
	labels := newLabels(s.options.classes)
	// Without Classes this looks at the labels of all rows, otherwise at the first row.
	all := s.options.classes == nil && s.options.role != roleTarget && s.options.role != roleNone
	head := s.rowReader()
	head.size, head.scan = 1, all
	head.class = func(label []byte, at place) (int, error) {
		if f := fraction([]string{string(label)}); all && s.options.role == roleLast && f == 0 {
			return 0, head.noClasses(at, fmt.Sprintf("numbers such as %s", clip(string(label))))
		}
		return 0, labels.see(name, label, at)
	}
	head.flush = func(Position) error {
		if head.empty(); !all {
			return errEnough
		}
		return nil
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
		t := s.rowReader()
		t.size = size
		t.class = func(label []byte, at place) (int, error) { return labels.class(name, label, at) }
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

func newStream(open func() (io.ReadCloser, error), name string, options []Option) (*source, error) {
	o, err := collect(name, options)
	if err != nil {
		return nil, err
	}
	if o.within.Bytes == 0 {
		o.limits.Bytes = math.MaxInt64
	}
	if o.sample > 0 {
		return nil, &ReadError{File: name, What: "SampleRows is for files that are read whole", Remedy: "read a sample with CSV or LIBSVM"}
	}
	return &source{name: name, options: o, open: open}, nil
}

func (s *source) rowReader() *rowReader {
	return &rowReader{source: s, kept: newReservoir(s.options)}
}

// empty forgets the rows of a batch that has been used.
func (t *rowReader) empty() {
	t.gone = t.kept.kept
	t.values, t.targets, t.y = t.values[:0], t.targets[:0], t.y[:0]
}

// csv reads rows of a CSV file from a position on.
func (s *source) csv(ctx context.Context, t *rowReader, from Position) error {
	r, l, closer, err := s.records()
	if err != nil {
		return err
	}
	defer func() { closer.Close() }()
	if err := t.begin(l); err != nil {
		return err
	}
	if from.Offset > 0 {
		closer.Close()
		in, rest, err := s.at(from.Offset)
		if err != nil {
			return err
		}
		closer = rest
		r = &records{in: in, base: from.Offset, line: from.Lines, most: r.most}
		r.separate(l.separator, s.options.widths)
		t.gone, t.kept.seen, t.kept.kept = from.Rows, from.Rows, from.Rows
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return t.read(r)
}

// labels numbers the classes of a stream.
type labels struct {
	stated []string
	seen   map[string]int // by their text, and by their value
}

// mostLabels is how many different labels can be classes.
const mostLabels = 10_000

func newLabels(stated []string) *labels {
	l := &labels{stated, map[string]int{}}
	for c, name := range stated {
		l.seen[name] = c
		if text, ok := canonical(name); ok {
			l.seen[text] = c
		}
	}
	return l
}

// see takes note of a label, unless the classes were stated.
func (l *labels) see(file string, label []byte, at place) error {
	if _, known := l.seen[string(label)]; known || l.stated != nil {
		return nil
	}
	l.seen[string(label)] = 0
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
	y, names := classes(all)
	for i, label := range all {
		l.seen[label] = y[i]
	}
	return names
}

func (l *labels) class(file string, label []byte, at place) (int, error) {
	c, known := l.seen[string(label)]
	if !known {
		if text, ok := canonical(string(label)); ok {
			c, known = l.seen[text]
		}
	}
	if !known {
		remedy := "name all classes with datasets.Classes"
		if l.stated == nil {
			remedy = "the file has changed since its classes were found; read it again from the start"
		}
		return 0, &ReadError{
			File: file, Line: at.line, Column: at.column,
			What: fmt.Sprintf("the label %q is none of the %d classes", clip(string(label)), len(l.seen)), Remedy: remedy,
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
		o.classes[c], _ = canonical(label)
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
			return labels.see(name, []byte(label), at)
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
				c, err := labels.class(name, []byte(label), place{line, 1})
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
func (s *source) lines(from Position, use func(line int, offset int64, label string, row []entry) error) error {
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
