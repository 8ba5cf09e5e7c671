package cell

// source returns "": a page has no files.
func (p place) source() string { return "" }
