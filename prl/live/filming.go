package live

import (
	"strconv"

	"github.com/prlab/prlab/plotting"
	"github.com/prlab/prlab/prl/cell"
	"github.com/prlab/prlab/prl/jsontext"
)

// filming says of the image of a film, in attributes, how a page that has its program asks for pictures between the frames, and in a lab
// where the program is. It makes the film known to the page that has opened its cell.
func filming(m plotting.Film) (attributes string) {
	g := ofFilm(m)
	if g == nil {
		return ""
	}
	if collect != nil {
		collect(g)
		return ""
	}
	if !answers() {
		return ""
	}
	var begins Inputs
	g.f(&begins)
	var stops jsontext.Writer
	stops.Floats(m.Values)
	about := `{"cell":"","n":` + strconv.FormatInt(shown.Add(1)-1, 10) + `,"inputs":` + describe(begins.asked) + `,"stops":` +
		string(stops.Bytes()) + `}`
	return `data-prl-film="` + cell.Escape(about) + `"` + module()
}
