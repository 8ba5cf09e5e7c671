package prl

import "github.com/prlab/prlab/prl/cell"

// Must returns v, or ends the cell with a readable error when err is not nil: prl.Must(bayes.Normal(0, 1)).
func Must[T any](v T, err error) T { return cell.Must(v, err) }

// Blank stands where an answer is to be written.
var Blank = cell.Blank

// Exercise names an exercise by the number of its notebook and its own, "26-3", and what it asks for; see [cell.Exercise].
func Exercise(id, task string) cell.Exercise { return cell.NewExercise(id, task) }

// Solution begins the solution of an exercise; see [cell.Solution].
func Solution(id string) cell.Solution { return cell.NewSolution(id) }

// Seals makes the sealed answers of a notebook known; see [cell.Seals].
func Seals(lines string) int { return cell.Seals(lines) }

// Sound is a player of samples, rate of them a second, in the page itself: Sound(wave, 8000).Name("voice 1").And("voice 2", other,
// 8000).Show().
func Sound(samples []float64, rate int) cell.Sound { return cell.NewSound(samples, rate) }
