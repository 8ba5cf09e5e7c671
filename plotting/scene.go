package plotting

// A scene is a figure in which every decision has been made: domains, ticks, colours, markers, legend, contour polygons. Layers
// lower themselves to the marks of a scene; the two back ends (live.go for the browser, still.go for paper) only draw what stands here.
// All coordinates are data coordinates of the panel's axes; all lengths are CSS pixels.
type scene struct {
	Width, Height            float64 // the whole picture at full width
	Title, Subtitle, Caption string
	Alt                      string // description for people who do not see the picture
	Columns                  int    // panels in a row at full width; a narrow page folds them
	Panels                   []panel
	Legend                   []legendEntry
	Frames                   *frames // nil when nothing moves
	Link                     string  // figures with the same Link share highlighted and brushed rows; "" is alone
	Table                    table   // the numbers behind the picture
	Notice                   string  // what the picture leaves out ("10,000 of 250,000 points are drawn; 3 are not finite"), or ""
}

// panel is one pair of axes with its marks.
type panel struct {
	Title    string
	X, Y     axis
	Equal    bool // one unit of x is as long as one unit of y
	NoAxes   bool // graphs, trellises, dendrograms
	Marks    []mark
	ColorBar *colorBar
	Weight   float64 // share of the row's width, 1 when all are equal
}

type axis struct {
	Label  string
	Lo, Hi float64 // the domain, Lo < Hi; positive on a log axis
	Log    bool
	Ticks  []tick
	Grid   bool
}

type tick struct {
	At    float64
	Label string
}

// markKind says how the vertices of a mark are to be read.
type markKind string

const (
	markAreas   markKind = "areas"   // Rings: closed rings, non-zero fill, holes by orientation; optional outline
	markPaths   markKind = "paths"   // Rings: open polylines
	markSymbols markKind = "symbols" // XY: one symbol a point
	markRects   markKind = "rects"   // XY and XY2: opposite corners, one rectangle a row
	markArrows  markKind = "arrows"  // XY to XY2, with a head at XY2
	markTexts   markKind = "texts"   // XY, Texts
)

// mark is a run of shapes of one kind. A slice below is empty (one value for all shapes) or has one entry a shape.
type mark struct {
	ID     string // stable from frame to frame: "p0.m3"
	Z      int    // painting order within the panel, over base and frames
	Kind   markKind
	Key    string // legend entry that shows and hides the mark; "" is always shown
	Fill   paint
	Stroke paint
	Width  float64   // stroke width, px
	Dash   []float64 // px on, px off
	Symbol symbol
	Size   float64 // diameter of symbols, font size of texts, px
	Smooth bool    // frames may move the shapes smoothly: shape i is the same thing in each frame
	Clip   bool    // cut at the panel's edge
	Tiles  bool    // rects: cells of a table, one by one about whole numbers

	XY, XY2 [][2]float64
	Rings   [][][2]float64
	Fills   []paint   // per shape, over Fill
	Strokes []paint   // per shape, over Stroke
	Sizes   []float64 // per shape, over Size
	Texts   []string  // texts: what is written; other kinds: unused
	Notes   []string  // tooltip of the shape, lines parted by \n; plain text, never HTML
	Rows    []int     // row of the data set the shape stands for, for linked highlighting
	Anchor  anchor    // texts: which point of the text stands at XY
	Offset  [2]float64
	Halo    bool    // texts: an outline in the background colour
	Angle   float64 // texts: degrees, anticlockwise
	Bold    bool
}

// paint is a colour by meaning, so that light pages, dark pages and paper each choose their own. The zero paint draws nothing.
type paint struct {
	Token   token
	Value   float64      // sequential and diverging: place on the ramp in [0,1]
	Mix     [][2]float64 // tokenMix: (class slot, weight) pairs, weights sum to 1
	Slot    int          // tokenClass: palette slot 0..7
	Opacity float64      // 0 is read as 1
}

type token string

const (
	tokenNone       token = ""
	tokenClass      token = "class"      // class colour Slot (Okabe-Ito order)
	tokenForeground token = "fg"         // text, axes
	tokenMuted      token = "muted"      // secondary text and lines
	tokenGrid       token = "grid"       // grid lines
	tokenBackground token = "bg"         // the page
	tokenAccent     token = "accent"     // the one thing to look at
	tokenSequential token = "sequential" // Value on the sequential ramp
	tokenDiverging  token = "diverging"  // Value on the diverging ramp, 0.5 is the middle
	tokenMix        token = "mix"        // mixture of class colours
)

type symbol string

const (
	symbolCircle   symbol = "circle"
	symbolSquare   symbol = "square"
	symbolTriangle symbol = "triangle"
	symbolDiamond  symbol = "diamond"
	symbolPlus     symbol = "plus"
	symbolCross    symbol = "cross"
	symbolDown     symbol = "down"
	symbolStar     symbol = "star"
)

// anchor is (horizontal, vertical): "start", "middle" or "end" by "top", "middle" or "bottom".
type anchor struct{ H, V string }

type legendEntry struct {
	Key    string // what marks refer to
	Label  string
	Fill   paint
	Stroke paint
	Dash   []float64
	Width  float64
	Symbol symbol // "" draws a line or a swatch
	Swatch bool   // a filled area
}

type colorBar struct {
	Label     string
	Lo, Hi    float64
	Ticks     []tick
	Diverging bool
	Log       bool
}

// frames are the steps of a slider. Marks that do not change stay in the panels; those that do stand here, with the same ID in each frame.
type frames struct {
	Name     string   // what the slider says: "EM iteration", "C"
	Labels   []string // one a frame: "0", "1", ... or "0.01", "0.1", ...
	Start    int      // frame shown first
	Interval float64  // milliseconds a frame when playing
	Steps    []frame
}

type frame struct {
	Subtitle string   // "" keeps the scene's
	Marks    [][]mark // by panel
	Titles   []string // panel titles that change; empty keeps them
}

// table is the data behind the picture, for the Data button and for screen readers.
type table struct {
	Columns []string
	Rows    [][]string
	More    int // rows left out
}
