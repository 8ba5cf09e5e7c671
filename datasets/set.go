package datasets

import (
	"fmt"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/fault"
)

// A Set is a table of observations with what is known about them. Sets are values: the methods return changed copies and never write into
// X, Y or Target.
type Set struct {
	X            *mat.Dense // n x d, row = observation; nil after an error; NaN is a gap, which only a set made of a Table has
	Y            []int      // class 0 ... K-1 of each row; nil when the rows have no class
	Target       []float64  // numeric target of each row, for regression and for positions on a manifold; nil when there is none
	ClassNames   []string   // K names
	FeatureNames []string   // d names
	RowNames     []string   // n names, or nil
	Units        []string   // d units of measurement ("cm"; "" for a pure number), or nil
	Words        [][]string // of d features the words that their numbers 0, 1, ... stand for, nil for a feature of numbers; nil without words
	TargetName   string

	Name     string
	Source   string // who measured it, where it comes from
	Licence  string
	Citation string // author, year, title

	chain fault.Chain `key:"-"` // how the set was made says nothing that its rows do not
	shape [2]int      // rows and columns of the picture each row holds, or zero
}

// New returns a set of a user's own data. X is n x d with one observation a row, and is copied. y holds the class 0 ... K-1 of each row, or
// is nil. Without classNames the classes are called "0", "1", ...; features are called "x1", "x2", ... until Named says otherwise.
//
// The set is broken (see Err) when X is empty or holds NaN or Inf, when y has another length than X has rows, or when a class has no name.
func New(name string, X mat.Matrix, y []int, classNames ...string) Set {
	s := Set{Name: name, chain: fault.Start("New", name)}
	if err := estimator.CheckX("datasets.New", X); err != nil {
		return s.fail(err)
	}
	n, d := X.Dims()
	k := len(classNames)
	if y != nil {
		if len(y) != n {
			return s.fail(
				fault.Argument(
					"datasets.New",
					"y",
					fmt.Sprintf("%d labels", len(y)),
					fmt.Sprintf("one label for each of the %d rows of X", n),
					"nil means that the rows have no class",
				),
			)
		}
		limit := k
		if k == 0 {
			limit = n
		}
		for i, c := range y {
			if c < 0 || c >= limit {
				need := fmt.Sprintf("a class 0 ... %d", limit-1)
				if k > 0 {
					need += fmt.Sprintf(" (%d class names are given)", k)
				}
				return s.fail(fault.Argument("datasets.New", fmt.Sprintf("y[%d]", i), c, need, "number the classes from 0 without gaps"))
			}
		}
		s.Y = append([]int{}, y...)
		if k == 0 {
			for _, c := range y {
				k = max(k, c+1)
			}
			classNames = numbered("", 0, k)
		}
	} else if k > 0 {
		return s.fail(fault.Argument("datasets.New", "classNames", strings.Join(classNames, ", "), "left out when y is nil", ""))
	}
	if twice := duplicate(classNames); twice != "" {
		return s.fail(fault.Argument("datasets.New", "classNames", fmt.Sprintf("with %q twice", twice), "one name for each class", ""))
	}
	s.X = mat.DenseCopyOf(X)
	s.ClassNames = append([]string(nil), classNames...)
	s.FeatureNames = numbered("x", 1, d)
	return s
}

// Named returns s with other feature names, one for each column.
func (s Set) Named(features ...string) Set {
	s, ok := s.step("Named", fault.Args(features)...)
	if !ok {
		return s
	}
	if len(features) != s.D() {
		return s.fail(fmt.Errorf("%d names for %d features", len(features), s.D()))
	}
	if twice := duplicate(features); twice != "" {
		return s.fail(fmt.Errorf("the name %q stands twice", twice))
	}
	s.FeatureNames = append([]string(nil), features...)
	return s
}

// WithTarget returns s with a numeric target for each row.
func (s Set) WithTarget(name string, target []float64) Set {
	s, ok := s.step("WithTarget", name)
	if !ok {
		return s
	}
	if len(target) != s.N() {
		return s.fail(fmt.Errorf("%d targets for %d rows", len(target), s.N()))
	}
	for i, v := range target {
		if v-v != 0 {
			return s.fail(fmt.Errorf("target[%d] is %v, but needs to be a finite number", i, v))
		}
	}
	s.TargetName, s.Target = name, append([]float64{}, target...)
	return s
}

// Broken returns a set without rows that only carries an error; whatever uses it reports it.
func Broken(name string, err error) Set {
	return Set{Name: name, chain: fault.Start("New", name).Break(err)}
}

// Mapped returns s with other features, as a transformation makes them: X is n x k with a row for each row of s, features holds k names.
// Classes, targets and names of rows stay. how says which transformation it was.
func (s Set) Mapped(how string, X *mat.Dense, features []string) Set {
	if s.Err() != nil {
		return s
	}
	if n, k := X.Dims(); n != s.N() || k != len(features) {
		return s.fail(fmt.Errorf("the images are %d x %d for %d rows and %d names", n, k, s.N(), len(features)))
	}
	s.chain = s.chain.Step(how)
	s.X, s.FeatureNames, s.Units, s.Words, s.shape = X, append([]string(nil), features...), nil, nil, [2]int{}
	return s
}

// N returns the number of rows; 0 after an error.
func (s Set) N() int {
	if s.X == nil || s.X.IsEmpty() {
		return 0
	}
	n, _ := s.X.Dims()
	return n
}

// D returns the number of features; 0 after an error.
func (s Set) D() int {
	if s.X == nil || s.X.IsEmpty() {
		return 0
	}
	_, d := s.X.Dims()
	return d
}

// K returns the number of classes; 0 when the rows have no class.
func (s Set) K() int { return len(s.ClassNames) }

// Err returns the first error of the chain, naming the step that caused it, or nil.
func (s Set) Err() error { return s.chain.Err() }

// Counts returns the number of rows of each class.
func (s Set) Counts() []int {
	counts := make([]int, s.K())
	for _, c := range s.Y {
		counts[c]++
	}
	return counts
}

// String returns one line: "iris: 150 x 4, classes setosa (50), versicolor (50), virginica (50)".
func (s Set) String() string {
	name := s.Name
	if name == "" {
		name = "data"
	}
	if err := s.Err(); err != nil {
		return name + ": " + err.Error()
	}
	text := fmt.Sprintf("%s: %d x %d", name, s.N(), s.D())
	if s.K() > 0 {
		text += ", classes " + s.classList()
	}
	if s.Target != nil {
		text += ", target " + s.targetLabel()
	}
	return text
}

func (s Set) classList() string {
	parts := make([]string, s.K())
	for c, n := range s.Counts() {
		parts[c] = s.ClassNames[c] + " (" + strconv.Itoa(n) + ")"
	}
	return strings.Join(parts, ", ")
}

func (s Set) targetLabel() string {
	if s.TargetName == "" {
		return "y"
	}
	return s.TargetName
}

// step records a step; it reports false when the chain is broken already, or breaks now because there is nothing to work on.
func (s Set) step(name string, args ...any) (Set, bool) {
	if s.Err() != nil {
		return s, false
	}
	s.chain = s.chain.Step(name, args...)
	if s.N() == 0 {
		return s.fail(fmt.Errorf("the set has no rows; begin with a data set such as datasets.Iris() or with datasets.New")), false
	}
	if s.Y != nil && len(s.Y) != s.N() || s.Target != nil && len(s.Target) != s.N() || s.RowNames != nil && len(s.RowNames) != s.N() ||
		len(s.FeatureNames) != s.D() {
		return s.fail(
			fmt.Errorf(
				"the fields of the set do not fit together: X is %d x %d, Y has %d entries, Target %d, FeatureNames %d; datasets.New makes a "+
					"checked set",
				s.N(),
				s.D(),
				len(s.Y),
				len(s.Target),
				len(s.FeatureNames),
			),
		), false
	}
	for i, c := range s.Y {
		if c < 0 || c >= s.K() {
			return s.fail(fmt.Errorf("label Y[%d] is %d, but there are %d class names", i, c, s.K())), false
		}
	}
	return s, true
}

// fail returns s without its rows, broken by err.
func (s Set) fail(err error) Set {
	s.chain = s.chain.Break(err)
	s.X, s.Y, s.Target, s.RowNames = nil, nil, nil, nil
	return s
}

// generated starts a set that a generator fills in.
func generated(name string, args ...any) Set {
	return Set{
		Name:    strings.ToLower(name[:1]) + name[1:],
		Source:  "generated by datasets." + name,
		Licence: "made by this program; free of rights",
		chain:   fault.Start(name, args...),
	}
}

func numbered(prefix string, from, n int) []string {
	names := make([]string, n)
	for i := range names {
		names[i] = prefix + strconv.Itoa(from+i)
	}
	return names
}

func duplicate(names []string) string {
	seen := make(map[string]bool, len(names))
	for _, n := range names {
		if seen[n] {
			return n
		}
		seen[n] = true
	}
	return ""
}
