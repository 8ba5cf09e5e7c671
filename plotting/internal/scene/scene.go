// Package scene is what a figure has become when every decision has been made: marks in data coordinates, with domains, ticks, colours,
// markers and legend. Package plotting makes a scene; packages live and still draw it. Colours, type sizes and widths of texts are here
// too, so that both draw alike.
package scene

// A scene is a figure in which every decision has been made: domains, ticks, colours, markers, legend, contour polygons. Layers
// lower themselves to the marks of a scene; the two back ends, packages live and still, only draw what stands here.
// All coordinates are data coordinates of the panel's axes; all lengths are CSS pixels.
type Scene struct {
	Width, Height            float64 // the whole picture at full width
	Title, Subtitle, Caption string
	Alt                      string // description for people who do not see the picture
	Columns                  int    // panels in a row at full width; a narrow page folds them
	Panels                   []Panel
	Legend                   []LegendEntry
	Frames                   *Frames // nil when nothing moves
	Link                     string  // figures with the same Link share highlighted and brushed rows; "" is alone
	Table                    Table   // the numbers behind the picture
	Notice                   string  // what the picture leaves out ("10,000 of 250,000 points are drawn; 3 are not finite"), or ""
}

// Panel is one pair of axes with its marks.
type Panel struct {
	Title    string
	X, Y     Axis
	Equal    bool // one unit of x is as long as one unit of y
	NoAxes   bool // graphs, trellises, dendrograms
	Marks    []Mark
	ColorBar *ColorBar
	Weight   float64 // share of the row's width, 1 when all are equal
}

type Axis struct {
	Label  string
	Lo, Hi float64 // the domain, Lo < Hi; positive on a log axis
	Log    bool
	Ticks  []Tick
	Grid   bool
}

type Tick struct {
	At    float64
	Label string
}

// Kind says how the vertices of a mark are to be read.
type Kind string

const (
	Areas   Kind = "areas"   // Rings: closed rings, non-zero fill, holes by orientation; optional outline
	Paths   Kind = "paths"   // Rings: open polylines
	Symbols Kind = "symbols" // XY: one symbol a point
	Rects   Kind = "rects"   // XY and XY2: opposite corners, one rectangle a row
	Arrows  Kind = "arrows"  // XY to XY2, with a head at XY2
	Texts   Kind = "texts"   // XY, Texts
)

// Mark is a run of shapes of one kind. A slice below is empty (one value for all shapes) or has one entry a shape.
type Mark struct {
	ID     string // stable from frame to frame: "p0.m3"
	Z      int    // painting order within the panel, over base and frames
	Kind   Kind
	Key    string // legend entry that shows and hides the mark; "" is always shown
	Fill   Paint
	Stroke Paint
	Width  float64   // stroke width, px
	Dash   []float64 // px on, px off
	Symbol Symbol
	Size   float64 // diameter of symbols, font size of texts, px
	Smooth bool    // frames may move the shapes smoothly: shape i is the same thing in each frame
	Clip   bool    // cut at the panel's edge
	Tiles  bool    // rects: cells of a table, one by one about whole numbers

	Sideways bool // rects: bars that grow along the horizontal axis
	Aside    bool // paths: whiskers, base lines and the like, which are no line of the layer

	XY, XY2 [][2]float64
	Rings   [][][2]float64
	Fills   []Paint   // per shape, over Fill
	Strokes []Paint   // per shape, over Stroke
	Sizes   []float64 // per shape, over Size
	Texts   []string  // texts: what is written; other kinds: unused
	Names   []string  // what the shape is called, for those who read the picture back: a node, an edge, a level; not drawn
	Notes   []string  // tooltip of the shape, lines parted by \n; plain text, never HTML
	Rows    []int     // row of the data set the shape stands for, for linked highlighting
	Members [][]int   // rects: rows of the data set that each shape counts, for linked selection
	Anchor  Anchor    // texts: which point of the text stands at XY
	Offset  [2]float64
	Halo    bool    // texts and arrows: an outline in the background colour
	Angle   float64 // texts: degrees, anticlockwise
	Bold    bool
}

// Paint is a colour by meaning, so that light pages, dark pages and paper each choose their own. The zero paint draws nothing.
type Paint struct {
	Token   token
	Value   float64      // sequential and diverging: place on the ramp in [0,1]
	Mix     [][2]float64 // tokenMix: (class slot, weight) pairs, weights sum to 1
	Slot    int          // tokenClass: palette slot 0..15
	Opacity float64      // 0 is read as 1
}

// Or returns p, or q when p draws nothing.
func (p Paint) Or(q Paint) Paint {
	if p.Token != TokenNone {
		return p
	}
	return q
}

type token string

const (
	TokenNone       token = ""
	TokenClass      token = "class"      // class colour Slot (Okabe-Ito order)
	TokenForeground token = "fg"         // text, axes
	TokenMuted      token = "muted"      // secondary text and lines
	TokenGrid       token = "grid"       // grid lines
	TokenBackground token = "bg"         // the page
	TokenAccent     token = "accent"     // the one thing to look at
	TokenInk        token = "ink"        // dark on every page
	TokenPaper      token = "paper"      // light on every page
	TokenSequential token = "sequential" // Value on the sequential ramp
	TokenDiverging  token = "diverging"  // Value on the diverging ramp, 0.5 is the middle
	TokenMix        token = "mix"        // mixture of class colours
)

type Symbol string

const (
	Circle   Symbol = "circle"
	Square   Symbol = "square"
	Triangle Symbol = "triangle"
	Diamond  Symbol = "diamond"
	Plus     Symbol = "plus"
	Cross    Symbol = "cross"
	Down     Symbol = "down"
	Star     Symbol = "star"
)

// Anchor is (horizontal, vertical): "start", "middle" or "end" by "top", "middle" or "bottom".
type Anchor struct{ H, V string }

// At returns the anchor of that name.
func At(h, v string) Anchor { return Anchor{h, v} }

// LegendEntry is a line of the legend.
type LegendEntry struct {
	Key    string // what marks refer to
	Label  string
	Fill   Paint
	Stroke Paint
	Dash   []float64
	Width  float64
	Symbol Symbol // "" draws a line or a swatch
	Swatch bool   // a filled area
}

type ColorBar struct {
	Label     string
	Lo, Hi    float64
	Ticks     []Tick
	Diverging bool
	Log       bool
}

// Frames are the steps of a slider. Marks that do not change stay in the panels; those that do stand here, with the same ID in each frame.
type Frames struct {
	Name     string   // what the slider says: "EM iteration", "C"
	Labels   []string // one a frame: "0", "1", ... or "0.01", "0.1", ...
	Start    int      // frame shown first
	Interval float64  // milliseconds a frame when playing
	Steps    []Frame
}

type Frame struct {
	Subtitle string   // "" keeps the scene's
	Marks    [][]Mark // by panel
	Titles   []string // panel titles that change; empty keeps them
}

// Table is the data behind the picture, for the Data button and for screen readers.
type Table struct {
	Columns []string
	Rows    [][]string
	More    int // rows left out
}
