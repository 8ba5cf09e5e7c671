package assess

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/prlab/prlab/prl/fault"
)

// A Resampling holds what a statistic is worth on samples that were drawn from the rows: its spread there stands for its spread on
// samples from the world. Source: Efron and Tibshirani, An Introduction to the Bootstrap (1993), chapters 6, 10 and 13 to 14.
type Resampling struct {
	Estimate float64   // of all rows
	Values   []float64 // of the samples, rising

	without func() []float64 // the values without each row, for BCa
}

// Resample draws so many samples of n rows with replacement, and returns the values of statistic on them. The statistic is given the rows
// of a sample, and keeps no hold of them. Draws on which it is NaN, as an area without rows of a class, are drawn again, at most ten times
// as many as asked for.
//
// Errors: n below 1, fewer than 20 draws, a statistic that is NaN for all rows or for nearly all draws.
func Resample(n, draws int, seed uint64, statistic func(rows []int) float64) (*Resampling, error) {
	return resample("assess.Resample", n, draws, seed, statistic)
}

func resample(op string, n, draws int, seed uint64, statistic func(rows []int) float64) (*Resampling, error) {
	if n < 1 {
		return nil, fault.Argument(op, "n", n, "at least 1 row", "")
	}
	if draws < 20 || draws > 1e7 {
		return nil, fault.Argument(op, "draws", draws, "a number from 20 to 10,000,000", "1000 draws place the ends of an interval of 0.95")
	}
	r := &Resampling{Values: make([]float64, 0, draws)}
	rows := make([]int, n)
	for i := range rows {
		rows[i] = i
	}
	r.Estimate = statistic(rows)
	r.without = func() []float64 { return leaveOut(n, statistic) }
	random := source(seed)
	for range 10 * draws {
		withReplacement(random, rows)
		if v := statistic(rows); !math.IsNaN(v) {
			if r.Values = append(r.Values, v); len(r.Values) == draws {
				break
			}
		}
	}
	if math.IsNaN(r.Estimate) || len(r.Values) < draws {
		return nil, fault.Argument(op, "the statistic", "NaN", "a number on most draws of rows", "")
	}
	slices.Sort(r.Values)
	return r, nil
}

// withReplacement fills rows with numbers from 0 to len(rows)-1, each as likely as any other: two from each 64 random bits, by Lemire's
// multiplication, ACM Transactions on Modeling and Computer Simulation 29 (2019).
func withReplacement(random *rand.PCG, rows []int) {
	n := uint64(len(rows))
	excess := uint32((1 << 32) % n) // products with a lower half below it are too many by one
	for i := 0; i < len(rows); {
		bits := random.Uint64()
		for _, half := range [2]uint64{bits >> 32, bits & math.MaxUint32} {
			if product := half * n; uint32(product) >= excess && i < len(rows) {
				rows[i] = int(product >> 32)
				i++
			}
		}
	}
}

// Bootstrap returns the statistic of all n rows with its percentile interval, as Resample and [Resampling.Percentile] do.
//
// Errors: as Resample, and a confidence outside (0, 1). Source: Efron and Tibshirani (1993), An Introduction to the Bootstrap, chapter 13.
func Bootstrap(n, draws int, seed uint64, confidence float64, statistic func(rows []int) float64) (Interval, error) {
	const op = "assess.Bootstrap"
	if err := checkConfidence(op, confidence); err != nil {
		return Interval{}, err
	}
	r, err := resample(op, n, draws, seed, statistic)
	if err != nil {
		return Interval{}, err
	}
	return r.Percentile(confidence)
}

// Bias returns the mean of the values less the estimate: what the statistic is too high by.
func (r *Resampling) Bias() float64 { return mean(r.Values) - r.Estimate }

// StandardError returns the standard deviation of the values, with B - 1 for B draws.
func (r *Resampling) StandardError() float64 {
	_, variance := meanVariance(r.Values)
	return math.Sqrt(variance)
}

// Percentile returns the interval between the quantiles of the values. Errors: a confidence outside (0, 1).
func (r *Resampling) Percentile(confidence float64) (Interval, error) {
	if err := checkConfidence("Percentile", confidence); err != nil {
		return Interval{}, err
	}
	return Interval{r.Estimate, quantile(r.Values, (1-confidence)/2), quantile(r.Values, (1+confidence)/2)}, nil
}

// Basic returns the percentile interval reflected at the estimate: with F the distribution of the values about the estimate, the truth
// lies about it as the estimate lies about the truth. Errors: a confidence outside (0, 1). Source: Davison and Hinkley, Bootstrap Methods
// and their Application (1997), section 5.2.
func (r *Resampling) Basic(confidence float64) (Interval, error) {
	i, err := r.Percentile(confidence)
	return Interval{i.Estimate, 2*i.Estimate - i.Hi, 2*i.Estimate - i.Lo}, err
}

// BCa returns the bias-corrected and accelerated interval: percentiles at
//
//	Phi(b + (b + z)/(1 - a (b + z))),  z = -+z_(alpha/2),
//
// with b the normal quantile of the share of values below the estimate, equal ones counted half, and the acceleration a = sum d_i^3 / (6
// (sum d_i^2)^(3/2)) by d_i, the mean of the values without one row less that without row i.
//
// It calls the statistic once for each row. Errors: a confidence outside (0, 1); values that lie all on one side of the estimate, or a
// statistic that is NaN without one of the rows, where the correction does not exist. Source: Efron, Better bootstrap confidence
// intervals, JASA 82 (1987).
func (r *Resampling) BCa(confidence float64) (Interval, error) {
	const op = "BCa"
	if err := checkConfidence(op, confidence); err != nil {
		return Interval{}, err
	}
	low, _ := slices.BinarySearch(r.Values, r.Estimate)
	high := low
	for high < len(r.Values) && r.Values[high] == r.Estimate {
		high++
	}
	share := float64(low+high) / 2 / float64(len(r.Values))
	without := r.without()
	if without == nil || share <= 0 || share >= 1 {
		return Interval{}, fault.Argument(op, "the values", fmt.Sprintf("%.3g of them below the estimate", share),
			"values on both sides of the estimate, and a number without each of the rows", "take the percentile interval")
	}
	center, cubes, squares := mean(without), 0.0, 0.0
	for _, v := range without {
		d := center - v
		cubes, squares = cubes+d*d*d, squares+d*d
	}
	bias, acceleration := normalQuantile(share), 0.0
	if squares > 0 {
		acceleration = cubes / (6 * math.Pow(squares, 1.5))
	}
	end := func(z float64) float64 {
		w := bias + z
		return quantile(r.Values, normalShare(bias+w/(1-acceleration*w)))
	}
	z := normalQuantile((1 + confidence) / 2)
	return Interval{r.Estimate, end(-z), end(z)}, nil
}

// A Jackknife holds a statistic of n rows and its values without each of the rows.
type Jackknife struct {
	Estimate float64
	Without  []float64 // row i
}

// NewJackknife leaves out each of n rows in turn. The statistic is given the rows that are left, and keeps no hold of them.
//
// Errors: fewer than 2 rows, a statistic that is NaN. Source: Quenouille, JRSS B 11 (1949); Tukey, Annals of Mathematical Statistics 29
// (1958).
func NewJackknife(n int, statistic func(rows []int) float64) (Jackknife, error) {
	const op = "assess.NewJackknife"
	if n < 2 {
		return Jackknife{}, fault.Argument(op, "n", n, "at least 2 rows", "")
	}
	rows := make([]int, n)
	for i := range rows {
		rows[i] = i
	}
	j := Jackknife{statistic(rows), leaveOut(n, statistic)}
	if math.IsNaN(j.Estimate) || j.Without == nil {
		return Jackknife{}, fault.Argument(op, "the statistic", "NaN", "a number on all rows and without each of them", "")
	}
	return j, nil
}

// leaveOut returns the statistic without each row, or nil where it is NaN.
func leaveOut(n int, statistic func(rows []int) float64) []float64 {
	values, rows := make([]float64, n), make([]int, 0, n)
	for i := range values {
		rows = rows[:0]
		for k := range n {
			if k != i {
				rows = append(rows, k)
			}
		}
		if values[i] = statistic(rows); math.IsNaN(values[i]) {
			return nil
		}
	}
	return values
}

// Bias returns (n-1) (mean of the values without a row - estimate), which is exact for a bias of a/n.
func (j Jackknife) Bias() float64 { return float64(len(j.Without)-1) * (mean(j.Without) - j.Estimate) }

// Corrected returns the estimate less its bias.
func (j Jackknife) Corrected() float64 { return j.Estimate - j.Bias() }

// Variance returns (n-1)/n sum_i (value without row i - their mean)^2, which is s^2/n for the mean. It is of no use for statistics that do
// not change smoothly with the rows, such as the median.
func (j Jackknife) Variance() float64 {
	n := float64(len(j.Without))
	_, variance := meanVariance(j.Without)
	return (n - 1) * (n - 1) / n * variance
}

// OutOfBag returns splits that train on n rows drawn with replacement, in which a row may stand several times, and test on the rows that
// were not drawn, about n/e of them. A draw that leaves no row to test is drawn again.
//
// Errors: fewer than 2 rows, fewer than 1 draw. Source: Efron, JASA 78 (1983).
func OutOfBag(n, draws int, seed uint64) ([]Split, error) {
	if n < 2 || draws < 1 || draws > 1e7 {
		return nil, fault.Argument("assess.OutOfBag", "draws", fmt.Sprintf("%d of %d rows", draws, n), "at least 1 of at least 2 rows", "")
	}
	random := generator(seed)
	splits := make([]Split, 0, draws)
	for len(splits) < draws {
		var s Split
		times := make([]int, n)
		for range n {
			times[random.IntN(n)]++
		}
		for i, t := range times {
			for range t {
				s.Train = append(s.Train, i)
			}
			if t == 0 {
				s.Test = append(s.Test, i)
			}
		}
		if len(s.Test) > 0 {
			splits = append(splits, s)
		}
	}
	return splits, nil
}

// Estimate632 returns the .632 and .632+ estimates of an error rate,
//
//	0.368 training + 0.632 outOfBag,  (1 - w) training + w outOfBag,  w = 0.632/(1 - 0.368 R),
//
// from the error on the training rows and the mean error on rows that were not drawn (OutOfBag). R in [0, 1] is how far the latter goes
// from the training error to noInformation, the error that the rule would have if the classes had nothing to do with the features: sum_k
// p_k (1 - q_k) for shares p of the classes and q of the predictions. A rule that learns its rows by heart has R = 1, and the whole weight
// is on the rows that were not drawn.
//
// Errors: rates outside [0, 1]. Source: Efron and Tibshirani, Improvements on cross-validation: the .632+ bootstrap method, JASA 92 (1997).
func Estimate632(training, outOfBag, noInformation float64) (plain, plus float64, err error) {
	for name, v := range map[string]float64{"training": training, "outOfBag": outOfBag, "noInformation": noInformation} {
		if !(v >= 0 && v <= 1) {
			return 0, 0, fault.Argument("assess.Estimate632", name, v, "a rate from 0 to 1", "")
		}
	}
	share := 1 - math.Exp(-1)
	plain = (1-share)*training + share*outOfBag
	capped, overfit := min(outOfBag, noInformation), 0.0
	if capped > training {
		overfit = (capped - training) / (noInformation - training)
	}
	w := share / (1 - (1-share)*overfit)
	return plain, (1-w)*training + w*capped, nil
}

// quantile interpolates between the values, which rise (type 7 of Hyndman and Fan).
func quantile(values []float64, p float64) float64 {
	at := p * float64(len(values)-1)
	i := min(int(at), len(values)-2)
	return values[i] + (at-float64(i))*(values[i+1]-values[i])
}
