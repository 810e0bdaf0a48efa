package estimate

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/hints"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/value"
)

// A HintOffer is what a person can write to say what is not known: a comment, or a line of the
// settings. What they say replaces its "?": until then it says nothing, and is an error. Or it is a
// command.
type HintOffer struct {
	What string // "Say its shape"
	Text string // what is to be written, or the command
	// Command is set if the text is one.
	Command bool
	// Edit inserts the comment; nil for the settings.
	Edit *source.Edit
	// Place is where the comment goes, or what the settings tell of.
	Place
}

// Title is the offer in a line.
func (o HintOffer) Title() string { return o.What + ": " + o.Text }

// Where says where it is to be written.
func (o HintOffer) Where() string {
	switch {
	case o.Command:
		return "in a terminal"
	case o.Edit == nil:
		return "in tfmem.toml"
	}
	return "on " + Reason{Source: o.Source, Span: o.Span}.Where()
}

// Remedies are what a person can do so that a model gets its price, with all of its data.
func (m Model) Remedies() (offers []HintOffer) {
	var run []HintOffer
	for _, r := range slices.Concat(m.Reasons, m.Sizes()) {
		offers = append(offers, r.written()...)
		if len(run) == 0 {
			run = r.run()
		}
	}
	return append(offers, run...)
}

// Sizes are the reasons why the price of a model leaves out data.
func (m Model) Sizes() (all []Reason) {
	if !m.Priced() {
		return nil
	}
	for _, p := range m.Phases {
		for _, t := range p.Terms() {
			if t.Open() {
				r := reason(m.file, t.Unknown, t.Node)
				r.size = true
				all = append(all, r)
			}
		}
	}
	return all
}

// asked are what a person can say for the reasons of a code. What comes from outside of the program
// may be anything.
var asked = map[value.Code][]hints.Kind{
	value.ColumnCount: {hints.Columns}, value.RowCount: {hints.Rows, hints.Value},
	value.ArrayShape: {hints.Shape}, value.ArrayContents: {hints.Shape}, value.DataDependent: {hints.Shape},
	value.CategoryCount: {hints.Value}, value.BatchSize: {hints.Value}, value.CommandLine: {hints.Value},
	value.Environment: {hints.Value}, value.Settings: {hints.Value}, value.Random: {hints.Value},
	value.FileContents: {hints.Shape, hints.Value}, value.Parameter: {hints.Shape, hints.Value},
	value.ExternalName: {hints.Shape, hints.Value}, value.ExternalCall: {hints.Shape, hints.Value},
	value.UnmodelledUse: {hints.Shape, hints.Value}, value.UnmodelledOperation: {hints.Shape, hints.Value},
	value.UnmodelledPython: {hints.Shape, hints.Value},
}

// asked are what a person can say of what is not known: of data of unknown size only the shape.
func (r Reason) asked() []hints.Kind {
	kinds := asked[r.Code]
	switch {
	case r.size && slices.Contains(kinds, hints.Shape):
		return []hints.Kind{hints.Shape}
	case r.number && slices.Contains(kinds, hints.Value):
		return []hints.Kind{hints.Value}
	}
	return kinds
}

// A blank is what is to be completed.
type blank struct{ what, text string }

// blank is what of a kind is to be completed. The size of data depends on its rows, too.
func (r Reason) blank(kind hints.Kind) blank {
	if kind == hints.Shape && r.Shape != nil {
		return blank{"its shape", strings.ReplaceAll(r.Shape.String(), "None", "?")}
	}
	if r.size && kind == hints.Shape {
		return blank{"its shape", "(?, ?)"}
	}
	return blanks[kind]
}

var blanks = map[hints.Kind]blank{
	hints.Value: {"its value", "?"}, hints.Shape: {"its shape", "(None, ?)"},
	hints.Columns: {"how many columns it has", "?"}, hints.Rows: {"how many rows it has", "?"},
}

// Remedies returns what can be done: something to write, and the run that would tell it.
func (r Reason) Remedies() []HintOffer { return append(r.written(), r.run()...) }

// run returns the command that runs the program up to its first step, where that would tell what is not
// known: not what nothing calls.
func (r Reason) run() []HintOffer {
	if r.program == "" || !r.Found || asked[r.Code] == nil || r.Code == value.Parameter {
		return nil
	}
	path := strings.ReplaceAll(r.program, `\`, "/")
	if strings.ContainsAny(path, " '\"$&;()") || strings.HasPrefix(path, "-") {
		return nil // how a shell is to be given it depends on the shell
	}
	return []HintOffer{{What: "Let a run tell it", Text: "tfmem probe -- python " + path, Command: true, Place: Place{r.Source, r.Span}}}
}

// written returns comments where what is not known is all that a statement assigns or returns, or a
// parameter, and otherwise lines of the settings about the expression. There is none where a comment
// says something already.
func (r Reason) written() (offers []HintOffer) {
	n := r.Place()
	switch {
	case !r.Found || n.Tree().Text() != r.Source.Text():
		return nil
	case !r.Source.Place(r.Span).Exact:
		return nil // a saved model has no line to write on
	case n.Kind() == syntax.Call && r.Code == value.ExternalName:
		return nil // an argument of the call is not known
	case r.isModel(n):
		return nil // which no comment can say
	}
	text, of, end := r.Source.Text(), "", -1
	switch s := statement(n); {
	case s.Is(syntax.Assignment, syntax.ReturnStatement):
		end = s.End()
	case s.Kind() == syntax.FunctionDefinition:
		of = n.Text()
		header := strings.TrimRight(text[:s.Child(syntax.FieldBody).Start()], " \t\r\n")
		end = len(header)
	}
	if end < 0 {
		return r.settings(n)
	}
	start := source.LineStart(text, end)
	line := strings.TrimRight(text[start:source.LineEnd(text, end)], " \t\r")
	if strings.Contains(line, "tfmem") {
		return nil
	}
	at := source.Span{Start: start + len(line), End: start + len(line)}
	for _, kind := range r.asked() {
		blank := r.blank(kind)
		said := string(kind) + "=" + blank.text
		switch {
		case of != "" && kind == hints.Value:
			said = of + "=" + blank.text
		case of != "":
			said = of + "." + said
		}
		said = "# tfmem: " + said
		offers = append(offers, HintOffer{What: "Say " + blank.what, Text: said, Edit: &source.Edit{Span: at, New: "  " + said}, Place: Place{r.Source, at}})
	}
	return offers
}

// isModel reports whether an expression is the model of the call that the reason is for, or what
// that is an attribute, an item or a result of.
func (r Reason) isModel(n syntax.Node) bool {
	if !r.Of.Valid() {
		return false
	}
	name := r.Of
	for name.Is(syntax.Attribute, syntax.Subscript, syntax.Call) {
		name = name.FirstChild()
	}
	for n != r.Of {
		p := n.Parent()
		switch {
		case p.Is(syntax.Attribute, syntax.Subscript, syntax.Call) && p.FirstChild() == n, p.Kind() == syntax.ParenthesizedExpression:
			n = p
			continue
		case p.Kind() == syntax.Assignment:
			n = p.Child(syntax.FieldLeft)
		}
		return n.Text() == name.Text()
	}
	return true
}

// settings returns lines of the settings that say what an expression of the file is. The blank is no
// value of TOML, or no shape.
func (r Reason) settings(n syntax.Node) (offers []HintOffer) {
	for p := n.Parent(); p.Kind() == syntax.Subscript && p.Start() == n.Start(); p = n.Parent() {
		n = p // an item of what is not known
	}
	if call := n.Kind() == syntax.Call; !call && !n.Is(syntax.Identifier, syntax.Attribute, syntax.Subscript) || call && r.Code != value.ExternalCall || n.Parent().Kind() == syntax.Assignment ||
		n.End()-n.Start() > longestQuote || strings.ContainsAny(n.Text(), "\\\n\r") {
		return nil // of several targets, the statement does not tell which is meant
	}
	name := n.Text()
	if in := r.Source.Path; strings.HasSuffix(in, ".py") {
		name = path.Base(strings.ReplaceAll(in, `\`, "/")) + ":" + name
	}
	for _, kind := range r.asked() {
		blank := r.blank(kind)
		said := blank.text
		if kind == hints.Shape {
			said = `"` + said + `"`
		}
		offers = append(offers, HintOffer{What: "Say " + blank.what, Text: fmt.Sprintf("assume.%q = { %s = %s }", name, kind, said), Place: Place{r.Source, r.Span}})
	}
	return offers
}

// statement returns the assignment to one target, or the return, of which an expression is all that
// it assigns or returns, or the function of which it is a parameter; none for anything else.
func statement(n syntax.Node) syntax.Node {
	if p := n.Ancestor(syntax.Parameters); p.Valid() && n.Kind() == syntax.Identifier && p.Parent().Kind() == syntax.FunctionDefinition {
		return p.Parent()
	}
	s := n.Parent()
	for s.Kind() == syntax.ParenthesizedExpression {
		s = s.Parent()
	}
	if s.Kind() == syntax.Assignment && s.Child(syntax.FieldLeft).Is(syntax.PatternList, syntax.TuplePattern, syntax.ListPattern) {
		return syntax.Node{}
	}
	return s
}

// HintsAt returns the comments that are offered at a span: at what is not known, and at the training
// that it keeps from being priced.
func (f *File) HintsAt(span source.Span) (offers []HintOffer) {
	seen := map[string]bool{}
	add := func(r Reason) {
		for _, o := range r.Remedies() {
			if !r.Imported && o.Edit != nil && !seen[o.Text] {
				seen[o.Text] = true
				offers = append(offers, o)
			}
		}
	}
	for _, l := range f.Lacking(span.Start) {
		add(l.Reason)
	}
	for _, c := range f.Calls {
		if r := c.Reason(); r != nil && !c.Known() && span.Touches(source.Span{Start: c.Node.Start(), End: c.Node.End()}) {
			add(*r)
		}
	}
	return offers
}
