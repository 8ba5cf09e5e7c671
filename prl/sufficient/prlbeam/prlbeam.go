// Package prlbeam gathers sufficient statistics on many machines by Apache Beam: the types of prl/sufficient as CombineFns, which a runner
// (Flink, Dataflow, Spark, or prism in the own process) adds and merges wherever the rows are.
//
//	rows := beam.ParDo(s, parse, textio.Read(s, "gs://bucket/rows-*.csv")) // of Row
//	moments := beam.Combine(s, &prlbeam.ClassesFn{}, rows)                 // one *sufficient.Classes
//	beam.ParDo0(s, fit, moments)                                           // calls its LDA, and stores the model
//
// beam.CombinePerKey makes statistics of each key. The package is a module of its own, so that no cell carries the SDK.
package prlbeam

import (
	"encoding"
	"reflect"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/boost"
	"github.com/prlab/prlab/prl/mixture"
	"github.com/prlab/prlab/prl/sufficient"
)

// A Row is an element of the collections.
type Row struct {
	X      []float64 // the features
	Class  int64     // from 0, for ClassesFn and CountsFn, and for GrowthFn of classes
	Target float64   // for RegressionFn, and for GrowthFn of a regression
	Weight float64   // counts the row as so many; 0 means 1
}

func (r Row) matrix() mat.Matrix {
	if len(r.X) == 0 {
		return nil // which Add refuses
	}
	return mat.NewDense(1, len(r.X), r.X)
}

func (r Row) weights() []float64 {
	if r.Weight == 0 {
		return nil
	}
	return []float64{r.Weight}
}

func init() {
	register.Combiner2[*sufficient.Moments, Row](&MomentsFn{})
	register.Combiner2[*sufficient.Classes, Row](&ClassesFn{})
	register.Combiner2[*sufficient.Counts, Row](&CountsFn{})
	register.Combiner2[*sufficient.Regression, Row](&RegressionFn{})
	register.Combiner2[*sufficient.KMeansRound, Row](&KMeansRoundFn{})
	register.Combiner2[*sufficient.EMRound, Row](&EMRoundFn{})
	register.Combiner2[*boost.GrowthPart, Row](&GrowthFn{})
	beam.RegisterCoder(reflect.TypeFor[*sufficient.Moments](), encodeMoments, decodeMoments)
	beam.RegisterCoder(reflect.TypeFor[*sufficient.Classes](), encodeClasses, decodeClasses)
	beam.RegisterCoder(reflect.TypeFor[*sufficient.Counts](), encodeCounts, decodeCounts)
	beam.RegisterCoder(reflect.TypeFor[*sufficient.Regression](), encodeRegression, decodeRegression)
	beam.RegisterCoder(reflect.TypeFor[*sufficient.KMeansRound](), encodeKMeansRound, decodeKMeansRound)
	beam.RegisterCoder(reflect.TypeFor[*sufficient.EMRound](), encodeEMRound, decodeEMRound)
	beam.RegisterCoder(reflect.TypeFor[*boost.GrowthPart](), encodeGrowthPart, decodeGrowthPart)
}

// Workers find coders by the names of these functions.

func encodeMoments(s *sufficient.Moments) ([]byte, error) { return s.MarshalBinary() }

func decodeMoments(data []byte) (*sufficient.Moments, error)    { return decode[sufficient.Moments](data) }
func encodeClasses(s *sufficient.Classes) ([]byte, error)       { return s.MarshalBinary() }
func decodeClasses(data []byte) (*sufficient.Classes, error)    { return decode[sufficient.Classes](data) }
func encodeCounts(s *sufficient.Counts) ([]byte, error)         { return s.MarshalBinary() }
func decodeCounts(data []byte) (*sufficient.Counts, error)      { return decode[sufficient.Counts](data) }
func encodeRegression(s *sufficient.Regression) ([]byte, error) { return s.MarshalBinary() }
func decodeRegression(data []byte) (*sufficient.Regression, error) {
	return decode[sufficient.Regression](data)
}
func encodeKMeansRound(s *sufficient.KMeansRound) ([]byte, error) { return s.MarshalBinary() }
func decodeKMeansRound(data []byte) (*sufficient.KMeansRound, error) {
	return decode[sufficient.KMeansRound](data)
}
func encodeEMRound(s *sufficient.EMRound) ([]byte, error)    { return s.MarshalBinary() }
func decodeEMRound(data []byte) (*sufficient.EMRound, error) { return decode[sufficient.EMRound](data) }
func encodeGrowthPart(s *boost.GrowthPart) ([]byte, error)   { return s.MarshalBinary() }
func decodeGrowthPart(data []byte) (*boost.GrowthPart, error) {
	return decode[boost.GrowthPart](data)
}

func decode[T any, P interface {
	*T
	encoding.BinaryUnmarshaler
}](data []byte) (*T, error) {
	s := new(T)
	return s, P(s).UnmarshalBinary(data)
}

// MomentsFn is a CombineFn of Row to *sufficient.Moments, for PCA and whitening.
type MomentsFn struct{}

// CreateAccumulator returns moments that have seen nothing.
func (f *MomentsFn) CreateAccumulator() *sufficient.Moments { return new(sufficient.Moments) }

// AddInput takes in a row.
func (f *MomentsFn) AddInput(s *sufficient.Moments, r Row) (*sufficient.Moments, error) {
	return s, s.Add(r.matrix(), r.weights())
}

// MergeAccumulators takes in what another machine has seen.
func (f *MomentsFn) MergeAccumulators(s, other *sufficient.Moments) (*sufficient.Moments, error) {
	return s, s.Merge(other)
}

// ClassesFn is a CombineFn of Row to *sufficient.Classes, for LDA, QDA, GaussianNB and NearestMean.
type ClassesFn struct {
	Diagonal bool // of sufficient.Classes: variances alone
}

// CreateAccumulator returns moments that have seen nothing.
func (f *ClassesFn) CreateAccumulator() *sufficient.Classes {
	return &sufficient.Classes{Diagonal: f.Diagonal}
}

// AddInput takes in a row.
func (f *ClassesFn) AddInput(s *sufficient.Classes, r Row) (*sufficient.Classes, error) {
	return s, s.Add(r.matrix(), []int{int(r.Class)}, r.weights())
}

// MergeAccumulators takes in what another machine has seen.
func (f *ClassesFn) MergeAccumulators(s, other *sufficient.Classes) (*sufficient.Classes, error) {
	return s, s.Merge(other)
}

// CountsFn is a CombineFn of Row to *sufficient.Counts, for MultinomialNB, ComplementNB and BernoulliNB.
type CountsFn struct {
	Presence bool // of sufficient.Counts: rows where x > Above, for BernoulliNB
	Above    float64
}

// CreateAccumulator returns counts that have seen nothing.
func (f *CountsFn) CreateAccumulator() *sufficient.Counts {
	return &sufficient.Counts{Presence: f.Presence, Above: f.Above}
}

// AddInput takes in a row.
func (f *CountsFn) AddInput(s *sufficient.Counts, r Row) (*sufficient.Counts, error) {
	return s, s.Add(r.matrix(), []int{int(r.Class)}, r.weights())
}

// MergeAccumulators takes in what another machine has seen.
func (f *CountsFn) MergeAccumulators(s, other *sufficient.Counts) (*sufficient.Counts, error) {
	return s, s.Merge(other)
}

// RegressionFn is a CombineFn of Row to *sufficient.Regression, for least squares.
type RegressionFn struct{}

// CreateAccumulator returns moments that have seen nothing.
func (f *RegressionFn) CreateAccumulator() *sufficient.Regression { return new(sufficient.Regression) }

// AddInput takes in a row.
func (f *RegressionFn) AddInput(s *sufficient.Regression, r Row) (*sufficient.Regression, error) {
	return s, s.Add(r.matrix(), []float64{r.Target}, r.weights())
}

// MergeAccumulators takes in what another machine has seen.
func (f *RegressionFn) MergeAccumulators(s, other *sufficient.Regression) (*sufficient.Regression, error) {
	return s, s.Merge(other)
}

// KMeansRoundFn is a CombineFn of Row to *sufficient.KMeansRound: one round of k-means. A program runs a pipeline for each round.
type KMeansRoundFn struct {
	Model []byte // MarshalBinary of the *mixture.KMeans whose centres the round begins with
}

// CreateAccumulator returns a round that has seen nothing.
func (f *KMeansRoundFn) CreateAccumulator() (*sufficient.KMeansRound, error) {
	var m mixture.KMeans
	if err := m.UnmarshalBinary(f.Model); err != nil {
		return nil, err
	}
	return sufficient.NewKMeansRound(&m)
}

// AddInput takes in a row.
func (f *KMeansRoundFn) AddInput(s *sufficient.KMeansRound, r Row) (*sufficient.KMeansRound, error) {
	return s, s.Add(r.matrix(), r.weights())
}

// MergeAccumulators takes in what another machine has seen.
func (f *KMeansRoundFn) MergeAccumulators(s, other *sufficient.KMeansRound) (*sufficient.KMeansRound, error) {
	return s, s.Merge(other)
}

// EMRoundFn is a CombineFn of Row to *sufficient.EMRound: one iteration of EM. A program runs a pipeline for each.
type EMRoundFn struct {
	Model []byte // MarshalBinary of the *mixture.GMM that the iteration begins with
}

// CreateAccumulator returns a round that has seen nothing.
func (f *EMRoundFn) CreateAccumulator() (*sufficient.EMRound, error) {
	var m mixture.GMM
	if err := m.UnmarshalBinary(f.Model); err != nil {
		return nil, err
	}
	return sufficient.NewEMRound(&m)
}

// AddInput takes in a row.
func (f *EMRoundFn) AddInput(s *sufficient.EMRound, r Row) (*sufficient.EMRound, error) {
	return s, s.Add(r.matrix(), r.weights())
}

// MergeAccumulators takes in what another machine has seen.
func (f *EMRoundFn) MergeAccumulators(s, other *sufficient.EMRound) (*sufficient.EMRound, error) {
	return s, s.Merge(other)
}

// GrowthFn is a CombineFn of Row to *boost.GrowthPart: a pass of gradient boosting. A program runs a pipeline for each pass,
//
//	for !growth.Done() {
//		part, err := growth.Part().MarshalBinary()
//		... // beam.Combine(s, &prlbeam.GrowthFn{Part: part}, rows), into all
//		err = growth.Take(all)
//	}
//
// and the model is bit for bit that of one process, however the runner divides the rows.
type GrowthFn struct {
	Part []byte // MarshalBinary of the Part of a *boost.Growth
}

// CreateAccumulator returns a part that has seen nothing.
func (f *GrowthFn) CreateAccumulator() (*boost.GrowthPart, error) { return decodeGrowthPart(f.Part) }

// AddInput takes in a row.
func (f *GrowthFn) AddInput(s *boost.GrowthPart, r Row) (*boost.GrowthPart, error) {
	target := r.Target
	if s.Classes() > 0 {
		target = float64(r.Class)
	}
	return s, s.Add(r.matrix(), []float64{target}, r.weights())
}

// MergeAccumulators takes in what another machine has seen.
func (f *GrowthFn) MergeAccumulators(s, other *boost.GrowthPart) (*boost.GrowthPart, error) {
	return s, s.Merge(other)
}
