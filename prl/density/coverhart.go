package density

import "github.com/prlab/prlab/prl/fault"

// CoverHart returns the largest error that the nearest neighbour of infinitely many rows can have where the Bayes error is r, for K
// classes:
//
//	r <= R_1NN <= r (2 - K/(K-1) r),
//
// which is 2r(1-r) for two classes. Source: Cover and Hart 1967, theorem 1. Errors: r outside [0, (K-1)/K], fewer than two classes.
func CoverHart(r float64, classes int) (float64, error) {
	k := float64(classes)
	if classes < 2 {
		return 0, fault.Argument("density.CoverHart", "classes", classes, "at least 2", "")
	}
	if !(r >= 0 && r <= (k-1)/k) {
		return 0, fault.Argument("density.CoverHart", "r", r, "a Bayes error from 0 to (K-1)/K", "")
	}
	return r * (2 - k/(k-1)*r), nil
}
