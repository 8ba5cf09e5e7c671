package estimator

import "strconv"

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
