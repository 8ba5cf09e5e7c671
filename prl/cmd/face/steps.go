package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"slices"
	"strings"
)

// A step is a method that changes a setting, as a directive in the comment of a plan says: the field of the options, the word, and behind
// // what it does, which goes on with the meaning of a word of words.txt.
//
//	//plan:step MinLeaf MinLeaf
//	//plan:step L2 L2(lambda) // takes lambda/2 |w|^2 from the log-likelihood
//	//plan:step Criterion Gini() = Gini // splits by the Gini index
//	//plan:step Kernel RBF(gamma float64) = kernel.RBF{Gamma: gamma}
//	//plan:text more of what the step above does
//	//plan:fit what data Fit wants
//	//plan:without Keep
//
// The name of an argument may stand without its type, which is that of the field; a word of words.txt brings its arguments along. Without a
// value the argument becomes that of the field, and true where there is no argument.
type step struct {
	name, params, value, text string

	fails bool // the value comes with an error

	setting string // the name of the field
	field   *ast.Field
	of      string // the type whose field it is
}

// steps writes the steps of a plan, Fit and Keep.
func (f *face) steps(s *structure, self, kind string, args []ast.Expr) error {
	list, fit, without := []*step{}, "", []string{}
	options := text(args[1])
	for _, d := range directives("plan", s.doc) {
		switch {
		case d[0] == "step":
			t, err := f.p.newStep(options, d[1])
			if err != nil {
				return err
			}
			list = append(list, t)
		case d[0] == "text" && len(list) > 0:
			list[len(list)-1].text += " " + d[1]
		case d[0] == "fit":
			fit = d[1]
		case d[0] == "without":
			without = strings.Fields(d[1])
		case d[0] == "face":
		default:
			return fmt.Errorf("//plan:%s is no directive", d[0])
		}
	}
	if len(directives("plan", s.doc)) == 0 {
		return nil
	}
	f.imports["plan"] = module + "prl/plan"
	for _, t := range list {
		if err := f.step(t, self, options); err != nil {
			return fmt.Errorf("%s: %w", t.name, err)
		}
	}
	wanted := func(name string) bool { return f.p.methods[s.name][name] == nil && !slices.Contains(without, name) }
	if wanted("Fit") {
		f.imports["datasets"] = module + "datasets"
		if fit == "" {
			fit = map[string]string{"Classifier": "a set with classes", "Regressor": "a set with a target"}[kind]
		}
		f.comment(f.w.sentence("Fit", fit))
		fmt.Fprintf(&f.body, "func (p %s) Fit(set datasets.Set) %s { return plan.Fit(p, set) }\n\n", self, self)
	}
	if wanted("Keep") {
		f.comment(f.w.sentence("Keep", "until a setting, the data or the library change"))
		fmt.Fprintf(&f.body, "func (p %s) Keep() %s { return plan.Keep(p) }\n\n", self, self)
	}
	return nil
}

// newStep reads "Kernel RBF(gamma float64) = kernel.RBF{Gamma: gamma} // ..." of a plan with the named options.
func (p *source) newStep(options, line string) (*step, error) {
	line, said, _ := strings.Cut(line, " // ")
	field, line, _ := strings.Cut(line, " ")
	head, value, fails := strings.Cut(line, " =! ")
	if !fails {
		head, value, _ = strings.Cut(line, " = ")
	}
	t := &step{setting: field, value: strings.TrimSpace(value), text: said, fails: fails}
	name, params, found := strings.Cut(strings.TrimSpace(head), "(")
	if t.name = name; found {
		rest, closed := strings.CutSuffix(params, ")")
		if !closed {
			return nil, fmt.Errorf("a parenthesis of %q is not closed", line)
		}
		if t.params = rest; rest == "" {
			t.params = "()" // given, and none
		}
	}
	if !ast.IsExported(t.name) || strings.ContainsAny(t.name, " :;,.") {
		return nil, fmt.Errorf("%q is no name of a method", t.name)
	}
	if t.field, t.of = p.field(options, field); t.field == nil {
		return nil, fmt.Errorf("%s has no field %s", options, field)
	}
	return t, nil
}

// field returns a field of a struct, or of one that it embeds, and the type whose field it is.
func (p *source) field(of, name string) (*ast.Field, string) {
	s := p.structs[of]
	if s == nil {
		return nil, ""
	}
	for _, f := range s.fields {
		if len(f.Names) == 0 {
			if found, in := p.field(text(f.Type), name); found != nil {
				return found, in
			}
		}
		for _, n := range f.Names {
			if n.Name == name {
				return f, of
			}
		}
	}
	return nil, ""
}

// signature returns the parameters of a step as "n int", their names, and whether the last one is variadic.
func (t *step) signature(known *word) (params string, names []string, variadic bool, err error) {
	switch {
	case t.params == "()":
		return "", nil, false, nil
	case t.params != "":
		params = t.params
	case known != nil:
		params = known.params
	case text(t.field.Type) != "bool" && t.value == "":
		return "", nil, false, fmt.Errorf("its argument needs a name, as in %s(x)", t.name)
	}
	if params == "" {
		return "", nil, false, nil
	}
	if !strings.ContainsAny(params, " ,") { // a name without a type: that of the field
		kind := text(t.field.Type)
		if name, dots := strings.CutSuffix(params, "..."); dots {
			params, kind = name, "..."+strings.TrimPrefix(kind, "[]")
		}
		params += " " + kind
	}
	parsed, err := parser.ParseExpr("func(" + params + ")")
	if err != nil {
		return "", nil, false, err
	}
	for _, field := range parsed.(*ast.FuncType).Params.List {
		for _, n := range field.Names {
			names = append(names, n.Name)
		}
		_, variadic = field.Type.(*ast.Ellipsis)
	}
	return params, names, variadic, nil
}

// step writes one step of a plan.
func (f *face) step(t *step, self, options string) error {
	known := f.w.word(t.name)
	params, names, variadic, err := t.signature(known)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(names, func(name string) bool { return slices.Contains([]string{"p", "o", "value", "err"}, name) }) {
		return fmt.Errorf("the names p, o, value and err are those of the plan, of its options, and of what a step sets")
	}
	value, before := t.value, ""
	switch {
	case value != "":
		e, err := parser.ParseExpr(value)
		if err != nil {
			return err
		}
		f.use(e, f.p.imports)
	case len(names) == 0:
		value = "true"
	case len(names) > 1:
		return fmt.Errorf("%d arguments need a value for %s", len(names), t.setting)
	default:
		value = names[0]
		switch kind := text(t.field.Type); {
		case strings.HasPrefix(kind, "[][]float64"):
			f.imports["estimator"] = module + "prl/estimator"
			before = fmt.Sprintf("%s = estimator.CloneRows(%s)\n", value, value)
		case strings.HasPrefix(kind, "[]"):
			f.imports["slices"] = "slices"
			before = fmt.Sprintf("%s = slices.Clone(%s)\n", value, value)
		}
	}
	args := ""
	if len(names) > 0 {
		args = ", " + strings.Join(names, ", ")
		if variadic {
			f.imports["fault"] = module + "prl/fault"
			last := len(names) - 1
			args = ", fault.Args(" + names[last] + ")..."
			if last > 0 {
				args = ", append([]any{" + strings.Join(names[:last], ", ") + "}" + args + ")..."
			}
		}
	}
	if known == nil && t.text == "" {
		return fmt.Errorf("no word of words.txt, and nothing is said about it")
	}
	if t.fails {
		before = fmt.Sprintf("value, err := %s\nif err != nil { return plan.Broken(p, %q, err%s) }\n", value, t.name, args)
		value = "value"
	}
	paragraphs := []string{f.w.sentence(t.name, t.text)}
	if more := t.about(); more != "" {
		paragraphs = append(paragraphs, more)
	}
	f.comment(paragraphs...)
	fmt.Fprintf(&f.body, "func (p %s) %s(%s) %s {\n%sreturn plan.With(p, %q, func(o *%s) { o.%s = %s }%s)\n}\n\n",
		self, t.name, params, self, before, t.name, options, t.setting, value, args)
	return nil
}

// about returns what the comment of a field says, for readers of the method: "Options.MinLeaf: least number of rows in a leaf; default 1."
func (t *step) about() string {
	said := t.field.Doc.Text()
	if said == "" {
		said = t.field.Comment.Text()
	}
	said = strings.TrimSuffix(strings.Join(strings.Fields(said), " "), ".")
	if said == "" || !ast.IsExported(t.of) {
		return ""
	}
	if rest, ok := strings.CutPrefix(said, t.setting+" "); ok {
		return t.of + "." + t.setting + " " + rest + "."
	}
	return t.of + "." + t.setting + ": " + said + "."
}
