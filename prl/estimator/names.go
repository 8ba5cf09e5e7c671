package estimator

import (
	"fmt"
	"strconv"
)

// Names are the names of what a model was fitted on. Models embed them; a fit on a bare matrix leaves them empty.
type Names struct {
	FeatureNames []string // d names, or nil
	ClassNames   []string // K names, or nil
	TargetName   string
}

// Remember sets the names.
func (n *Names) Remember(names Names) { *n = names }

// FeatureName returns the name of feature j, from 0; "x1", "x2", ... without names.
func (n *Names) FeatureName(j int) string {
	if j >= 0 && j < len(n.FeatureNames) {
		return n.FeatureNames[j]
	}
	return "x" + strconv.Itoa(j+1)
}

// ClassName returns the name of class k; "class 0", "class 1", ... without names.
func (n *Names) ClassName(k int) string {
	if k >= 0 && k < len(n.ClassNames) {
		return n.ClassNames[k]
	}
	return "class " + strconv.Itoa(k)
}

// Store is Encode, in layout 1, of the state of a model of d features with the names of its fit, which stand in their place in the state in
// storage only. A model of no features is an error: it is not fitted.
func Store(kind string, d int, state any, place *Names, names Names) ([]byte, error) {
	if d == 0 {
		return nil, Unfitted(kind + ".MarshalBinary")
	}
	*place = names
	return Encode(kind, 1, state)
}

// Restore reads into state what Store wrote, asks sound whether its parts fit together, and takes the names out of their place.
func Restore(data []byte, kind string, state any, place *Names, sound func() bool) (Names, error) {
	if err := Decode(data, kind, 1, state); err != nil {
		return Names{}, err
	}
	if !sound() {
		return Names{}, fmt.Errorf("%s: decode: the parts do not fit together", kind)
	}
	names := *place
	*place = Names{}
	return names, nil
}
