package plan

import (
	"fmt"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/prl/estimator"
)

// A Transformer is a plan whose model maps rows to rows of new features.
type Transformer[M estimator.Transformer, O any] struct {
	Plan[M, O]
	feature string
}

// NewTransformer begins a plan of a transformation; its features are called feature1, feature2, ... such as PC1, PC2, ..., and without a
// feature they keep the names they had.
func NewTransformer[M estimator.Transformer, O any](spec Spec[M, O], feature string) Transformer[M, O] {
	return Transformer[M, O]{New(spec), feature}
}

// Transform returns the set of the images of the rows of a set, or of the data of the fit when none is given. Classes, targets and names of
// rows stay.
func (p Transformer[M, O]) Transform(other ...datasets.Set) datasets.Set {
	return TransformOf(p, p.feature, other...)
}

// TransformOf is Transform for a plan that is not a Transformer in the first place, such as Fisher's discriminant.
func TransformOf[M estimator.Transformer](p Of[M], feature string, other ...datasets.Set) datasets.Set {
	return Set(p, "Transform", func(m M) (datasets.Set, error) {
		set, err := other1(p, "Transform", other)
		if err != nil {
			return set, err
		}
		z, err := on(m, "Transform", set, m.Transform)
		if err != nil {
			return set, err
		}
		return image(m, p.sentence().String(), feature, set, z), nil
	}, sets(other)...)
}

// featureNames returns the names of the columns of z, which were made of a set.
func featureNames(feature string, set datasets.Set, z mat.Matrix) []string {
	_, k := z.Dims()
	if feature == "" && k == set.D() {
		return set.FeatureNames
	}
	names := make([]string, k)
	for j := range names {
		names[j] = feature + strconv.Itoa(j+1)
	}
	return names
}

// A shaper is a transformation that tells the names of what it makes of features, and the words that their numbers stand for.
type shaper interface {
	Shape(names []string, words [][]string) (newNames []string, newWords [][]string)
}

// image returns the set of the images z of the rows of a set under the model m of a plan.
func image(m any, plan, feature string, set datasets.Set, z *mat.Dense) datasets.Set {
	if s, ok := m.(shaper); ok {
		names, words := s.Shape(set.FeatureNames, set.Words)
		out := set.Mapped(plan+".Transform", z, names)
		out.Words = words
		return out
	}
	return set.Mapped(plan+".Transform", z, featureNames(feature, set, z))
}

func (p Transformer[M, O]) made() string { return p.feature }

// other1 returns the set given, or the data of the fit.
func other1[M any](p Of[M], step string, other []datasets.Set) (datasets.Set, error) {
	switch len(other) {
	case 0:
		return p.data(), nil
	case 1:
		return other[0], other[0].CheckRows(step)
	}
	return p.data(), tooMany(step, other)
}

// Inverse returns the set of the rows that Transform would map to those of z, as near as the model comes.
func (p Transformer[M, O]) Inverse(z datasets.Set) datasets.Set {
	return Set(p, "Inverse", func(m M) (datasets.Set, error) {
		if err := z.Err(); err != nil {
			return z, err
		}
		inverse, ok := any(m).(interface {
			Inverse(Z mat.Matrix) (*mat.Dense, error)
		})
		if !ok {
			return z, fmt.Errorf("a %s has no inverse", p.frame().name)
		}
		x, err := on(inverse, "Inverse", z, inverse.Inverse)
		if err != nil {
			return z, err
		}
		return z.Mapped(p.String()+".Inverse", x, p.data().FeatureNames), nil
	}, z)
}
