package prl

import "github.com/prlab/prlab/prl/cell"

// Must returns v, or ends the cell with a readable error when err is not nil: prl.Must(bayes.Normal(0, 1)).
func Must[T any](v T, err error) T { return cell.Must(v, err) }

// Try names what an exercise asks for; see [cell.Try].
func Try(claim string) *cell.Checker { return cell.Try(claim) }
