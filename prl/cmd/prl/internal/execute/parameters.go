package execute

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"

	"github.com/prlab/prlab/prl/cell"
	"github.com/prlab/prlab/prl/notebook"
)

// setParameters gives variables and constants of the notebook other values, each where it is declared. A parameter is written "name=value",
// the value as in Go; text need not stand in quotes.
func setParameters(n *notebook.Notebook, parameters []string) error {
	for _, p := range parameters {
		name, value, found := strings.Cut(p, "=")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		if !found || !token.IsIdentifier(name) || value == "" {
			return fmt.Errorf("the parameter %q needs the form name=value, as in gamma=2.5", p)
		}
		var known []string
		set := false
		for _, c := range n.Cells {
			if !c.IsCode() {
				continue
			}
			text, names, err := setParameter(c.Source(), name, value)
			if err != nil {
				return err
			}
			known = append(known, names...)
			if text != c.Source() || slices.Contains(names, name) {
				c.SetSource(text)
				set = true
			}
		}
		if !set {
			meant := cell.Suggest(name, known)
			if meant != "" {
				meant = "; " + meant
			}
			return fmt.Errorf("no cell of the notebook declares a variable or constant %s with a value%s", name, meant)
		}
	}
	return nil
}

// setParameter replaces the value of a declaration in a cell, and lists all names that the cell declares with one value each.
func setParameter(source, name, value string) (text string, known []string, err error) {
	declarations, _, _ := strings.Cut("\n"+source, "\n%")
	const head = "package main;"
	files := token.NewFileSet()
	file, parseErr := parser.ParseFile(files, "", head+declarations, parser.SkipObjectResolution)
	if parseErr != nil {
		return source, nil, nil // statements alone, or a cell in another language
	}
	for _, d := range file.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.VAR && g.Tok != token.CONST {
			continue
		}
		for _, s := range g.Specs {
			v := s.(*ast.ValueSpec)
			if len(v.Names) != 1 || len(v.Values) != 1 {
				continue
			}
			known = append(known, v.Names[0].Name)
			if v.Names[0].Name != name {
				continue
			}
			if literal, isLiteral := v.Values[0].(*ast.BasicLit); isLiteral && literal.Kind == token.STRING && !strings.HasPrefix(value, `"`) &&
				!strings.HasPrefix(value, "`") {
				value = strconv.Quote(value)
			}
			if _, err := parser.ParseExpr(value); err != nil {
				return source, nil, fmt.Errorf("the value of the parameter %s is no expression of Go: %s", name, value)
			}
			const before = len(head) + len("\n")
			from, to := files.Position(v.Values[0].Pos()).Offset-before, files.Position(v.Values[0].End()).Offset-before
			return source[:from] + value + source[to:], known, nil
		}
	}
	return source, known, nil
}
