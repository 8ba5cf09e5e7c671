package plan

import (
	"fmt"
	"math"

	"github.com/prlab/prlab/plotting"
	"github.com/prlab/prlab/prl/assess"
	"github.com/prlab/prlab/prl/cell"
)

// A Confusion is a confusion matrix with the names of the classes. Its numbers (Counts, Recall, Precision, F1, ...) are those of
// assess.Confusion.
type Confusion struct {
	assess.Confusion
	names []string
	title string
	err   error
	rows  [][][]int // of the data set, by true and predicted class; nil if they are not known
}

// NewConfusion names the classes of a confusion matrix; err, if it is one, is reported in its place.
func NewConfusion(c assess.Confusion, names []string, title string, err error) Confusion {
	return Confusion{Confusion: c, names: names, title: title, err: err}
}

// Of tells the true and the predicted class of each row of the data set, -1 for one that was not judged. With them the cells of Heat can be
// clicked in a linked figure.
func (c Confusion) Of(truth, predicted []int) Confusion {
	c.rows = make([][][]int, len(c.Counts))
	for k := range c.rows {
		c.rows[k] = make([][]int, len(c.Counts))
	}
	for i, p := range predicted {
		if p >= 0 {
			c.rows[truth[i]][p] = append(c.rows[truth[i]][p], i)
		}
	}
	return c
}

// Err returns the error of the plan, or nil.
func (c Confusion) Err() error { return c.err }

// Table returns the counts, the true class by row and the predicted class by column, with the recall of each class.
func (c Confusion) Table() cell.Table {
	if c.err != nil {
		return cell.BrokenTable(c.err)
	}
	heads := []string{"true class"}
	for k := range c.Counts {
		heads = append(heads, "predicted "+className(c.names, k))
	}
	t := cell.NewTable(append(heads, "recall")...)
	for k, row := range c.Counts {
		cells := []any{className(c.names, k)}
		for _, v := range row {
			cells = append(cells, v)
		}
		t = t.Row(append(cells, c.Recall(k))...)
	}
	return t.Title(c.title).Note(fmt.Sprintf("%s of %s right, %s", cell.Number(c.Right()), cell.Number(c.Total()), c.accuracy()))
}

// accuracy says the accuracy, with Wilson's interval where rows were counted.
func (c Confusion) accuracy() string {
	text, right, total := "accuracy "+cell.Number(c.Accuracy()), c.Right(), c.Total()
	if right == math.Trunc(right) && total == math.Trunc(total) {
		if w, err := assess.Wilson(int(right), int(total), 0.95); err == nil {
			text += fmt.Sprintf(", 95 %% interval %s to %s", cell.Number(w.Lo), cell.Number(w.Hi))
		}
	}
	return text
}

// Rates returns precision, recall, F1 and the rows of each class, and their means, in which each class counts alike.
func (c Confusion) Rates() cell.Table {
	if c.err != nil {
		return cell.BrokenTable(c.err)
	}
	t := cell.NewTable("class", "precision", "recall", "F1", "rows")
	for k := range c.Counts {
		rows := 0.0
		for _, n := range c.Counts[k] {
			rows += n
		}
		t = t.Row(className(c.names, k), c.Precision(k), c.Recall(k), c.F1(k), rows)
	}
	return t.Row("mean of the classes", c.MacroPrecision(), c.MacroRecall(), c.MacroF1(), c.Total()).Strong().Title(c.title).
		Note(fmt.Sprintf("%s; balanced %s, Matthews %s",
			c.accuracy(), cell.Number(c.BalancedAccuracy()), cell.Number(c.Matthews())))
}

// Heat draws the counts, the true class by row and the predicted class by column. In a figure that is linked, by Link or beside another, a
// click on a cell selects the rows that it counts.
func (c Confusion) Heat() *plotting.Figure {
	if c.err != nil {
		return plotting.Fault(c.err)
	}
	names := make([]string, len(c.Counts))
	for k := range names {
		names[k] = className(c.names, k)
	}
	return plotting.New(plotting.Heat(c.Counts).Rows(names...).Columns(names...).Values("%.0f").Members(c.rows)).
		X("predicted").Y("true").Title(c.title)
}

// String returns the table as text.
func (c Confusion) String() string {
	if c.err != nil {
		return c.err.Error()
	}
	return c.Table().String()
}

// Show shows the table.
func (c Confusion) Show() { c.Table().Show() }
