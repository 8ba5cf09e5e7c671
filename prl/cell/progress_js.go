package cell

// A Progress is a bar below the cell while something long goes on. In a page there is none.
type Progress struct{}

// NewProgress begins to watch so many of something.
func NewProgress(string, int) *Progress { return nil }

// Step says that one more is done.
func (p *Progress) Step() {}

// Done takes the bar away.
func (p *Progress) Done() {}
