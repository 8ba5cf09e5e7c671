package prl

import "github.com/prlab/prlab/prl/cell"

// Check names a claim by its id in the catalogue ("" for a claim outside it) and in words; the methods of the result prove it with the
// numbers beside it, or end the cell.
func Check(id, claim string) *cell.Checker { return cell.Check(id, claim) }

// Remark is Check for plain arithmetic, which is shown as a remark and counts as no proof.
func Remark(id, claim string) *cell.Checker { return cell.Remark(id, claim) }

// Table begins a table with the given column heads.
func Table(columns ...string) cell.Table { return cell.NewTable(columns...) }

// Keep returns the result of compute, from the disk when it has been computed before for the same key (see cell.Keep). A data set or a plan
// is a key; Key makes one from words and data. A plan of its own is kept by its step Keep.
func Keep[T any](key any, compute func() (T, error)) (T, error) {
	return cell.Keep(key, compute)
}

// Key identifies a result by the plan, in words, and the data it is computed from.
func Key(plan string, data ...any) cell.Key { return cell.NewKey(plan, data...) }

// Must returns v, or ends the cell with a readable error when err is not nil: prl.Must(bayes.Normal(0, 1)).
func Must[T any](v T, err error) T { return cell.Must(v, err) }

// Blank stands where an answer is to be written.
var Blank = cell.Blank

// Exercise names an exercise by the number of its notebook and its own, "26-3", and what it asks for; see [cell.Exercise].
func Exercise(id, task string) cell.Exercise { return cell.NewExercise(id, task) }

// Own draws numbers of an exercise for each student; see [cell.Own].
func Own(id string) cell.Own { return cell.NewOwn(id) }

// Solution begins the solution of an exercise; see [cell.Solution].
func Solution(id string) cell.Solution { return cell.NewSolution(id) }

// Seals makes the sealed answers of a notebook known; see [cell.Seals].
func Seals(lines string) int { return cell.Seals(lines) }

// Sound is a player of samples, rate of them a second, in the page itself: Sound(wave, 8000).Name("voice 1").And("voice 2", other,
// 8000).Show().
func Sound(samples []float64, rate int) cell.Sound { return cell.NewSound(samples, rate) }
