package plan

import (
	"fmt"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/prl/cell"
	"github.com/prlab/prlab/prl/estimator"
)

// A Transformer is a plan whose model maps rows to rows of new features.
type Transformer[M estimator.Transformer, O any] struct{ transformer }

// NewTransformer begins a plan of a transformation; its features are called feature1, feature2, ... such as PC1, PC2, ..., and without a
// feature they keep the names they had.
func NewTransformer[M estimator.Transformer, O any](spec Spec[M, O], feature string) Transformer[M, O] {
	p := Transformer[M, O]{transformer{begin(spec)}}
	p.c.spec.feature = feature
	return p
}

// Fitted returns the model, or the error of the first wrong step or of the fit.
func (p Transformer[M, O]) Fitted() (M, error) { return fitted[M](p.base()) }

// Model returns the model; without one it ends the cell with a message.
func (p Transformer[M, O]) Model() M { return cell.Must(p.Fitted()) }

func (p Transformer[M, O]) settings() O { return settings[O](p.base()) }

// A transformer is a plan of any transformation.
type transformer struct{ root }

func (p transformer) any() typed[estimator.Transformer] {
	return typed[estimator.Transformer]{p.base()}
}

// Transform returns the images of the rows: of a set, or of the data of the fit when none is given. Classes, targets and names of
// rows stay.
func (p transformer) Transform(other ...datasets.Set) datasets.Set {
	return TransformOf(p.any(), p.base().spec.feature, other...)
}

// TransformOf is Transform for a plan that is not a Transformer in the first place, such as Fisher's discriminant.
func TransformOf[M estimator.Transformer](p Of[M], feature string, other ...datasets.Set) datasets.Set {
	return Set(p, "Transform", func(m M) (datasets.Set, error) { return p.base().image(m, feature, other) }, sets(other)...)
}

// image returns the set of the images under m of the rows of the set given, or of the data of the fit.
func (c *core) image(m estimator.Transformer, feature string, other []datasets.Set) (datasets.Set, error) {
	set := c.set
	switch len(other) {
	case 0:
	case 1:
		set = other[0]
		if err := set.CheckRows("Transform"); err != nil {
			return set, err
		}
	default:
		return set, tooMany("Transform", other)
	}
	z, err := on(m, "Transform", set, m.Transform)
	if err != nil {
		return set, err
	}
	return image(m, c.chain.String(), feature, set, z), nil
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

// Inverse returns the rows that Transform maps to those of a set, as near as the model comes.
func (p transformer) Inverse(z datasets.Set) datasets.Set {
	return Set(p.any(), "Inverse", func(m estimator.Transformer) (datasets.Set, error) {
		if err := z.Err(); err != nil {
			return z, err
		}
		inverse, ok := m.(interface {
			Inverse(Z mat.Matrix) (*mat.Dense, error)
		})
		if !ok {
			return z, fmt.Errorf("a %s has no inverse", p.base().name)
		}
		x, err := on(inverse, "Inverse", z, inverse.Inverse)
		if err != nil {
			return z, err
		}
		return z.Mapped(p.String()+".Inverse", x, p.base().set.FeatureNames), nil
	}, z)
}
