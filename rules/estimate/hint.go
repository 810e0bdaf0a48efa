package estimate

import (
	"strings"

	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/hints"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/value"
)

// A HintOffer is a comment with which a person can say what is not known. What they say replaces
// its "?".
type HintOffer struct {
	Title string
	Edit  source.Edit
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

// blanks are what is to be completed.
var blanks = map[hints.Kind]struct{ what, text string }{
	hints.Value: {"its value", "?"}, hints.Shape: {"its shape", "(None, ?)"},
	hints.Columns: {"how many columns it has", "?"}, hints.Rows: {"how many rows it has", "?"},
}

// HintOffers returns comments for a reason: where what is not known is all that a statement
// assigns or returns, or a parameter. There is none where a comment says something already.
func HintOffers(file *analyzer.File, r Reason) (offers []HintOffer) {
	n := r.Place()
	if !r.Found || r.Imported || n.Tree() != file.Tree {
		return nil
	}
	text, of, end := file.Source.Text(), "", -1
	switch s := statement(n); {
	case s.Is(syntax.Assignment, syntax.ReturnStatement):
		end = s.End()
	case s.Kind() == syntax.FunctionDefinition:
		of = n.Text()
		header := strings.TrimRight(text[:s.Child(syntax.FieldBody).Start()], " \t\r\n")
		end = len(header)
	}
	if end < 0 {
		return nil
	}
	start := source.LineStart(text, end)
	line := strings.TrimRight(text[start:source.LineEnd(text, end)], " \t\r")
	if strings.Contains(line, "tfmem") {
		return nil
	}
	at := start + len(line)
	for _, kind := range asked[r.Code] {
		blank := blanks[kind]
		said := string(kind) + "=" + blank.text
		switch {
		case of != "" && kind == hints.Value:
			said = of + "=" + blank.text
		case of != "":
			said = of + "." + said
		}
		offers = append(offers, HintOffer{
			Title: "Say " + blank.what + ": # tfmem: " + said,
			Edit:  source.Edit{Span: source.Span{Start: at, End: at}, New: "  # tfmem: " + said},
		})
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
func (f *File) HintsAt(file *analyzer.File, span source.Span) (offers []HintOffer) {
	seen := map[string]bool{}
	add := func(r Reason) {
		for _, o := range HintOffers(file, r) {
			if !seen[o.Title] {
				seen[o.Title] = true
				offers = append(offers, o)
			}
		}
	}
	touches := func(s source.Span) bool { return s.Start <= span.End && span.Start <= s.End }
	for _, l := range f.Lacking(span.Start) {
		add(l.Reason)
	}
	for _, c := range f.Calls {
		if r := c.Reason(); r != nil && !c.Known() && touches(source.Span{Start: c.Node.Start(), End: c.Node.End()}) {
			add(*r)
		}
	}
	return offers
}
