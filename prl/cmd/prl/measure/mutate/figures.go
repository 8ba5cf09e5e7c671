package mutate

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/prlab/prlab/prl/cmd/prl/internal/checkout"
)

// spoils are the mistakes that mutDraw of the running program makes, and what each of them says of the value that is drawn.
var spoils = map[string]string{
	"half": "halved", "sign": "with the other sign", "order": "one place further", "back": "the other way round",
	"short": "without its last point", "digits": "with other digits", "more": "one more", "other": "with the sides exchanged",
}

// looks are methods of figures that say nothing of what is drawn: how a mark looks, and where the page puts it. Titles are prose.
var looks = []string{
	"Size", "Width", "Opacity", "Offset", "Anchor", "XRange", "YRange", "XTicks", "YTicks", "Resolution", "Interval", "Marker", "Title",
	"Subtitle", "Caption", "Alt", "X", "Y", "Link", "Rows", "Row", "Column", "Grid", "Notes", "Range", "Show", "Setup",
}

// naming are methods whose words tell marks apart.
var naming = []string{"Name", "Class", "Categories", "By", "Mix", "Label", "Labels", "Regions", "BarGroups", "And", "Columns"}

// aside are the first and the last of the arguments of a function that say nothing: places on the page, and rates of sounds.
var aside = map[string][2]int{"Curve": {1, 2}, "Text": {0, 1}, "Sound": {1, 1}, "And": {2, 2}}

// draws reports whether what a function is given will be seen: in a figure, a table or a sound.
func draws(f *types.Func) bool {
	if f == nil || f.Pkg() == nil {
		return false
	}
	switch strings.TrimPrefix(f.Pkg().Path(), checkout.Module+"/") {
	case "plotting":
		return !slices.Contains(looks, f.Name())
	case "prl/cell":
		receiver := f.Signature().Recv()
		return receiver != nil && (isOf(receiver.Type(), "prl/cell", "Table") && f.Name() == "Row" || isOf(receiver.Type(), "prl/cell", "Sound"))
	case "prl":
		return f.Name() == "Sound" || f.Name() == "Slide"
	}
	return false
}

// says reports whether an argument of a function that draws says something.
func says(f *types.Func, i int) bool {
	a, has := aside[f.Name()]
	return !has || i < a[0] || i > a[1]
}

// isOf says that a type, or what it points to, is one of the lab's.
func isOf(t types.Type, path, name string) bool {
	if t == nil { // that of a package
		return false
	}
	if p, isPointer := t.Underlying().(*types.Pointer); isPointer {
		t = p.Elem()
	}
	n, isNamed := types.Unalias(t).(*types.Named)
	return isNamed && n.Obj().Pkg() != nil && n.Obj().Name() == name && n.Obj().Pkg().Path() == checkout.Module+"/"+path
}

// shows notes that a statement shows a figure or a sound.
func (w walker) shows(e ast.Expr) bool {
	call, isCall := e.(*ast.CallExpr)
	if !isCall {
		return false
	}
	method, isMethod := call.Fun.(*ast.SelectorExpr)
	if !isMethod || method.Sel.Name != "Show" || w.info.Selections[method] == nil {
		return false
	}
	t := w.info.TypeOf(method.X)
	if isOf(t, "plotting", "Figure") || isOf(t, "prl/live", "Figure") || isOf(t, "prl/cell", "Sound") {
		w.survey.shown = append(w.survey.shown, e.Pos())
		return true
	}
	return isOf(t, "prl/cell", "Table")
}

// draw plants mistakes in what a call draws, and reports whether it draws.
func (w walker) draw(e *ast.CallExpr, f *types.Func) bool {
	if f != nil && f.Name() == "Slider" && f.Signature().Recv() != nil && isOf(f.Signature().Recv().Type(), "prl/live", "Inputs") {
		w.slider(e)
		return false
	}
	if !draws(f) {
		return false
	}
	var series []ast.Expr
	for i, a := range e.Args {
		if !says(f, i) {
			continue
		}
		if w.seen(a, f.Name()); isSeries(w.info.TypeOf(a)) && !w.info.Types[a].IsNil() {
			series = append(series, a)
		}
	}
	sound := f.Signature().Results().Len() == 1 && isOf(f.Signature().Results().At(0).Type(), "prl/cell", "Sound")
	w.series(series, sound)
	return f.Name() != "Slide"
}

func isSeries(t types.Type) bool {
	s, isSlice := t.Underlying().(*types.Slice)
	return isSlice && isFloat(s.Elem())
}

// seen plants mistakes in one thing that is drawn. Constants are mistaken where all are.
func (w walker) seen(a ast.Expr, by string) {
	if word, isLiteral := a.(*ast.BasicLit); isLiteral && word.Kind == token.STRING && slices.Contains(naming, by) {
		cell, _ := w.place(a.Pos())
		w.words[cell] = append(w.words[cell], word)
	}
	if tv := w.info.Types[a]; tv.Value != nil || tv.IsNil() || isSeries(w.info.TypeOf(a)) {
		return
	}
	switch t := w.info.TypeOf(a).Underlying().(type) {
	case *types.Basic:
		switch {
		case isFloat(t):
			w.spoil(a, "half", "sign")
		case isWhole(t):
			w.spoil(a, "more")
		case isBool(t):
			w.spoil(a, "sign")
		case t.Info()&types.IsString != 0 && (by == "Label" || !slices.Contains(naming, by)):
			w.spoil(a, "digits")
		}
	case *types.Slice:
		if by == "Slide" {
			w.spoil(a, "back")
		} else if _, isStruct := t.Elem().Underlying().(*types.Struct); !isStruct && !types.IsInterface(t.Elem()) {
			w.spoil(a, "order")
		}
	case *types.Signature:
		switch {
		case by == "Slide" || t.Results().Len() != 1:
		case isFloat(t.Results().At(0).Type()):
			w.spoil(a, "half", "back")
		case isWhole(t.Results().At(0).Type()):
			w.spoil(a, "other", "back")
		}
	case *types.Interface, *types.Pointer:
		if mutable(w.info.TypeOf(a), 0) || types.TypeString(w.info.TypeOf(a), nil) == "gonum.org/v1/gonum/mat.Symmetric" {
			w.spoil(a, "half", "order")
		}
	}
}

// spoil plants mistakes of mutDraw in what is drawn.
func (w walker) spoil(a ast.Expr, how ...string) {
	var changes []string
	for _, h := range how {
		changes = append(changes, w.text(a)+" "+spoils[h])
	}
	w.wrap(a, fmt.Sprintf("mutDraw(%d, %q, ", w.add(drawn, a, changes...), strings.Join(how, " ")), ")")
}

// series plants mistakes in the series of a call: the last of them is what the others are the places of. Half a sound is the same sound:
// a player brings it to the loudest.
func (w walker) series(all []ast.Expr, sound bool) {
	if len(all) == 0 {
		return
	}
	last := all[len(all)-1]
	if len(all) > 1 {
		other := all[len(all)-2]
		i := w.add(drawn, last, w.text(other)+" and "+w.text(last)+" exchanged")
		w.instead(i, other, w.between(last.Pos(), last.End()))
		w.instead(i, last, w.between(other.Pos(), other.End()))
	}
	if point, isLiteral := last.(*ast.CompositeLit); isLiteral && len(point.Elts) == 1 {
		w.spoil(last, "half")
		return
	}
	short := w.add(drawn, last, w.text(last)+" "+spoils["short"])
	for _, a := range all {
		w.wrap(a, fmt.Sprintf("mutDraw(%d, \"short\", ", short), ")")
	}
	if sound {
		w.spoil(last, "order", "back")
		return
	}
	w.spoil(last, "half", "order", "back")
}

// instead has other text stand in the place of an expression when a mistake is made; nothing is computed twice if the type has a name.
func (w walker) instead(i int, e ast.Expr, other string) {
	if t := w.name(w.info.TypeOf(e)); t != "" {
		w.wrap(e, fmt.Sprintf("mutElse(%d, ", i), fmt.Sprintf(", func() %s { return %s })", t, other))
		return
	}
	w.wrap(e, fmt.Sprintf("mutPick(%d, ", i), ", "+other+")")
}

// slider starts what begins at one end at the other.
func (w walker) slider(e *ast.CallExpr) {
	if len(e.Args) < 4 {
		return
	}
	lo, hi := w.info.Types[e.Args[1]].Value, w.between(e.Args[2].Pos(), e.Args[2].End())
	for _, a := range e.Args[3:] {
		at, isCall := a.(*ast.CallExpr)
		if !isCall || len(at.Args) != 1 {
			continue
		}
		if f := w.called(at); f != nil && f.Name() == "At" {
			if v := w.info.Types[at.Args[0]].Value; v != nil && lo != nil && constant.Compare(constant.ToFloat(v), token.EQL, constant.ToFloat(lo)) {
				w.instead(w.add(drawn, a, w.text(e.Args[0])+" begins at its end"), at.Args[0], hi)
			}
		}
	}
}

// marks plants mistakes in the fields of a node, an edge or a series of bars, and reports whether it is one.
func (w walker) marks(e *ast.CompositeLit) bool {
	t := w.info.TypeOf(e)
	if !isOf(t, "plotting", "Node") && !isOf(t, "plotting", "Edge") && !isOf(t, "plotting", "BarSeries") {
		return false
	}
	for _, element := range e.Elts {
		field, isField := element.(*ast.KeyValueExpr)
		if !isField {
			w.expr(element)
			continue
		}
		switch name := field.Key.(*ast.Ident).Name; name {
		case "Values":
			w.series([]ast.Expr{field.Value}, false)
		case "Label", "Class":
			w.seen(field.Value, name)
		}
		w.expr(field.Value)
	}
	return true
}

// exchangeNames plants exchanges of the names that follow each other in the figures of a cell.
func (s *survey) exchangeNames() {
	for _, cell := range slices.Sorted(maps.Keys(s.words)) {
		var values []string
		at := map[string][]*ast.BasicLit{}
		for _, word := range s.words[cell] {
			if at[word.Value] == nil {
				values = append(values, word.Value)
			}
			at[word.Value] = append(at[word.Value], word)
		}
		for j := 1; j < len(values); j++ {
			a, b := values[j-1], values[j]
			i := s.add(drawn, at[a][0], a+" and "+b+" exchanged")
			m := s.mutants[i-1]
			m.at = nil
			for _, word := range slices.Concat(at[a], at[b]) {
				m.at = append(m.at, span{word.Pos(), word.End()})
				other := b
				if word.Value == b {
					other = a
				}
				s.wrap(word, fmt.Sprintf("mutPick(%d, ", i), ", "+other+")")
			}
		}
	}
}
