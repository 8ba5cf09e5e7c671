package svm

import (
	"fmt"
	"math"

	"github.com/prlab/prlab/prl/cell"
	"github.com/prlab/prlab/prl/plan"
)

// KKT returns the optimality conditions of a two-class machine row by row: alpha_i, y_i f(x_i), xi_i, the role of the row, and by how much
// its condition is violated. At most 40 rows are shown, support vectors first.
func (p Plan) KKT() cell.Table {
	return plan.Table(p, "KKT", two("KKT", func(m *Model) (cell.Table, error) {
		const most = 40
		machine := m.machine(0)
		t := cell.NewTable("row", "class", "alpha", "y f(x)", "xi", "role", "violation").Title("Karush-Kuhn-Tucker conditions")
		xi := machine.Slacks()
		var order []int
		for _, support := range []bool{true, false} {
			for i, a := range machine.Alpha {
				if (a > 0) == support {
					order = append(order, i)
				}
			}
		}
		for _, i := range order[:min(most, len(order))] {
			row := machine.Rows[i]
			class := plan.Data(p).Y[row]
			t = t.Row(row, m.ClassName(class), machine.Alpha[i], machine.Margins[i], xi[i], machine.Role(i).String(),
				machine.violation(i, m.Slack, m.price(0, row, class)))
		}
		note := machine.Certificate.String()
		if len(order) > most {
			note = fmt.Sprintf("%d of %d rows; %s", most, len(order), note)
		}
		return t.Note(note), nil
	}))
}

// violation returns by how much the condition of training row i, whose slack costs price, is violated.
func (m *Machine) violation(i int, slack Slack, price float64) float64 {
	reach := m.Margins[i]
	if slack == QuadraticSlack {
		reach += m.Alpha[i] / price
	}
	switch m.Role(i) {
	case Idle:
		return math.Max(0, 1-reach)
	case Bounded:
		return math.Max(0, reach-1)
	}
	return math.Abs(1 - reach)
}

// Table lists parameters and diagnostics: what the fit found, one row for each machine.
func (p Plan) Table() cell.Table {
	return plan.Table(p, "Table", func(m *Model) (cell.Table, error) {
		heads := []string{"classes", "support vectors", "at bound", "|w|", "margin", "b", "dual", "gap", "KKT violation", "steps"}
		t := cell.NewTable(heads...).Title(m.String())
		for _, a := range m.Machines {
			c := a.Certificate
			w := math.Sqrt(a.Norm2)
			t = t.Row(
				m.ClassName(a.Negative)+" | "+m.ClassName(a.Positive),
				c.Support,
				c.Bounded,
				w,
				1/w,
				a.B,
				c.Dual,
				c.Gap,
				c.Violation,
				c.Iterations,
			)
		}
		return t, nil
	})
}

// Table returns the certificate as a table.
func (c Certificate) Table() cell.Table {
	return cell.NewTable("quantity", "value").
		Row("primal objective", c.Primal).Row("dual objective", c.Dual).Row("gap", c.Gap).
		Row("worst KKT violation", c.Violation).Row("|sum alpha y|", c.Balance).
		Row("support vectors", c.Support).Row("at bound", c.Bounded).Row("SMO steps", c.Iterations).
		Title("Certificate of optimality")
}

// Show displays the certificate.
func (c Certificate) Show() { c.Table().Show() }

// Table returns the report as a table.
func (r *LeaveOneOut) Table() cell.Table {
	suspects := "suspects: alpha R² + ξ ≥ 1 (twice alpha with a bias), or no witness"
	if !r.Determined {
		suspects = "suspects: all rows, since no support vector is free and the bound needs one"
	}
	return cell.NewTable("quantity", "count", "share").
		Row("leave-one-out errors", r.Errors, r.Rate()).
		Row(suspects, r.Suspects, float64(r.Suspects)/float64(r.N)).
		Row("support vectors", r.Support, float64(r.Support)/float64(r.N)).
		Title(fmt.Sprintf("Leave-one-out, n = %d, %d fits", r.N, r.Fits))
}

// Show displays the report.
func (r *LeaveOneOut) Show() { r.Table().Show() }
