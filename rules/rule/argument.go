package rule

import (
	"errors"
	"strings"

	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// WithArgument adds an argument to a call, on its own line if the others have one each.
func (p *Pass) WithArgument(call syntax.Node, text string) source.Edit {
	arguments := call.Child(syntax.FieldArguments)
	at := arguments.Start() + 1
	for a := range arguments.Children() {
		switch {
		case a.Kind() == syntax.Comment:
			continue
		case at == arguments.Start()+1 && p.StartsLine(a):
			text = "," + p.Newline() + p.IndentOf(a) + text
		case at == arguments.Start()+1:
			text = ", " + text
		}
		at = a.End()
	}
	return source.Insert(at, text)
}

// Set returns the edit by which a call passes a keyword argument with this value, in place of the value
// that it has. The error says why it cannot.
func (p *Pass) Set(call syntax.Node, name, value string) (source.Edit, error) {
	if !Fixable(call) || names.HasSplat(call) {
		return source.Edit{}, errors.New("the call's arguments are not all written out")
	}
	if given := names.Argument(call, -1, name); given.Valid() {
		return source.Edit{Span: Span(given), New: value}, nil
	}
	return p.WithArgument(call, name+"="+value), nil
}

// WithoutArgument returns the edit that removes an argument from a call, with its comma and the
// comment that follows it on its line. ok is false if the argument is not in a list that parses, or
// is positional and others follow it.
func (p *Pass) WithoutArgument(argument syntax.Node) (edit source.Edit, ok bool) {
	if argument.Parent().Kind() == syntax.KeywordArgument {
		argument = argument.Parent()
	}
	list := argument.Parent()
	if list.Kind() != syntax.ArgumentList || !Fixable(list) {
		return source.Edit{}, false
	}
	var before, after syntax.Node // no comment between them
	for c := range list.Children() {
		switch {
		case c.Kind() == syntax.Comment:
		case c.Start() < argument.Start():
			before = c
		case c.Start() > argument.Start() && !after.Valid():
			after = c
		}
	}
	if after.Valid() && argument.Kind() != syntax.KeywordArgument && after.Kind() != syntax.KeywordArgument {
		return source.Edit{}, false
	}
	text := p.File.Source.Text()
	end, next := argument.End(), argument.Next()
	if next.Kind() == syntax.Comment && !strings.ContainsAny(text[argument.End():next.Start()], "\r\n") {
		end, next = next.End(), next.Next() // the comment is about the argument
	}
	if after.Valid() && before.Valid() && previousChild(argument) == before && !p.StartsLine(argument) {
		return source.Edit{Span: source.Span{Start: before.End(), End: argument.End()}}, true
	}
	if after.Valid() {
		return source.Edit{Span: source.Span{Start: argument.Start(), End: next.Start()}}, true
	}
	// The last argument. A comma after it belongs to the one before, unless a comment stands
	// between the two.
	rest := strings.TrimLeft(text[argument.End():list.End()], " \t\r\n")
	comma := strings.HasPrefix(rest, ",")
	previous := previousChild(argument)
	gone := source.Span{Start: argument.Start(), End: end}
	switch {
	case previous.Valid() && previous == before:
		gone.Start = before.End()
		if comma && end > argument.End() {
			return source.Edit{Span: gone, New: ","}, true
		}
	case comma:
		gone.End = max(end, list.End()-len(rest)+1)
	}
	if left := strings.TrimLeft(text[gone.End:], " \t"); previous.Kind() == syntax.Comment && left != "" && (left[0] == '\n' || left[0] == '\r') {
		gone.Start = previous.End() // the argument ended this comment's line
	}
	return source.Edit{Span: gone}, true
}

// previousChild returns the sibling before n, which may be a comment, or none.
func previousChild(n syntax.Node) syntax.Node {
	var last syntax.Node
	for c := range n.Parent().Children() {
		if c == n {
			return last
		}
		last = c
	}
	return syntax.Node{}
}
