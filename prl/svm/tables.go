package svm

import (
	"fmt"
	"math"

	"github.com/prlab/prlab/prl/cell"
)

// KKT returns the optimality conditions of a two-class machine row by row: alpha_i, y_i f(x_i), xi_i, the role of the row, and by how much
// its condition is violated. At most 40 rows are shown, support vectors first.
func (p Plan) KKT() cell.Table {
	m, err := p.two("KKT")
	if err != nil {
		return cell.BrokenTable(err)
	}
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
	for k, i := range order {
		if k == 40 {
			break
		}
		role := machine.Role(i)
		t = t.Row(machine.Rows[i], p.set.ClassNames[p.set.Y[machine.Rows[i]]], machine.Alpha[i], machine.Margins[i], xi[i], role.String(), p.violation(&machine, i, role))
	}
	note := machine.Certificate.String()
	if len(order) > 40 {
		note = fmt.Sprintf("40 of %d rows; %s", len(order), note)
	}
	return t.Note(note)
}

func (p Plan) violation(m *Machine, i int, role Role) float64 {
	reach := m.Margins[i]
	if p.o.Slack == QuadraticSlack {
		reach += m.Alpha[i] / p.o.price(m.Rows[i], p.set.Y[m.Rows[i]])
	}
	switch role {
	case Idle:
		return math.Max(0, 1-reach)
	case Bounded:
		return math.Max(0, reach-1)
	}
	return math.Abs(1 - reach)
}

// Summary returns the settings and the figures of the fit, one row for each machine.
func (p Plan) Summary() cell.Table {
	m, err := p.Fitted()
	if err != nil {
		return cell.BrokenTable(err)
	}
	t := cell.NewTable("classes", "support vectors", "at bound", "|w|", "margin", "b", "dual", "gap", "KKT violation", "steps").Title(m.String())
	for i := range m.Machines {
		a := &m.Machines[i]
		c := a.Certificate
		t = t.Row(p.set.ClassNames[a.Negative]+" | "+p.set.ClassNames[a.Positive], c.Support, c.Bounded, math.Sqrt(a.Norm2), 1/math.Sqrt(a.Norm2), a.B, c.Dual, c.Gap, c.Violation, c.Iterations)
	}
	return t
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
	suspects := "suspects: alpha R² + ξ ≥ 1 (twice alpha with a bias)"
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
