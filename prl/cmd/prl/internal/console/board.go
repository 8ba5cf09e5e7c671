package console

import (
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
)

// A Board shows several pieces of work that go on at the same time, one row each.
type Board struct {
	console *Console
	bars    *mpb.Progress
}

// A Row is one piece of work on a Board.
type Row struct {
	board *Board
	name  string
	began time.Time
	bar   *mpb.Bar
}

// Board opens a board; it must be closed.
func (c *Console) Board() *Board {
	b := &Board{console: c}
	if c.moves {
		b.bars = mpb.New(mpb.WithOutput(c.out), mpb.WithWidth(32), mpb.WithRefreshRate(120*time.Millisecond))
	}
	return b
}

// Row adds a row. What it counts becomes known with the first Count.
func (b *Board) Row(name string) *Row {
	r := &Row{board: b, name: name, began: time.Now()}
	if b.bars != nil {
		r.bar = b.bars.New(0, mpb.BarStyle(),
			mpb.PrependDecorators(decor.Name("  "+name, decor.WCSyncSpaceR)),
			mpb.AppendDecorators(decor.CountersNoUnit("%d of %d cells", decor.WCSyncSpace), decor.Elapsed(decor.ET_STYLE_GO, decor.WCSyncSpace)),
			mpb.BarRemoveOnComplete())
	}
	return r
}

// Count moves the row to n of total.
func (r *Row) Count(n, total int) {
	if r.bar != nil {
		r.bar.SetTotal(int64(total), false)
		r.bar.SetCurrent(int64(n))
	}
}

// Done takes the row away and leaves a line that says how it ended.
func (r *Row) Done(well bool, result string) {
	mark := "✓"
	if !well {
		mark = "✗"
	}
	if result != "" {
		result = "  " + result
	}
	line := "  " + mark + " " + r.name + "  " + Duration(time.Since(r.began)) + result + "\n"
	if r.bar == nil {
		r.board.console.Write([]byte(line))
		return
	}
	r.bar.Abort(true)
	r.board.bars.Write([]byte(line))
	if r.board.console.copy != nil {
		r.board.console.copy.Write([]byte(line))
	}
}

// Close ends the board.
func (b *Board) Close() {
	if b.bars != nil {
		b.bars.Wait()
	}
}
