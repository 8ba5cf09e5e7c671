package mutate

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"
)

// An edit is what changes at an offset: text before it, and in place of some characters that follow.
type edit struct {
	suffix, prefix string
	drop           int
	instead        string
}

func (s *survey) edit(at token.Pos) *edit {
	o := s.offset(at)
	if s.edits[o] == nil {
		s.edits[o] = &edit{}
	}
	return s.edits[o]
}

// wrap puts text around an expression. An outer expression must be wrapped before the inner ones.
func (s *survey) wrap(n ast.Node, before, after string) {
	s.edit(n.Pos()).prefix += before
	e := s.edit(n.End())
	e.suffix = after + e.suffix
}

func (s *survey) replace(at token.Pos, old, fresh string) {
	e := s.edit(at)
	e.drop, e.instead = len(old), fresh
}

// rewritten is the program with all mistakes in it.
func (s *survey) rewritten() string {
	var out strings.Builder
	var offsets []int
	for o := range s.edits {
		offsets = append(offsets, o)
	}
	slices.Sort(offsets)
	done := 0
	for _, o := range offsets {
		e := s.edits[o]
		out.WriteString(s.source[done:o] + e.suffix + e.prefix + e.instead)
		done = o + e.drop
	}
	out.WriteString(s.source[done:])
	return out.String()
}
