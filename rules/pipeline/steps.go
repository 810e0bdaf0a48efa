package pipeline

import (
	"strings"

	"github.com/tfmem/tfmem/analyzer/dataset"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// This file finds the places of the steps of a pipeline, for messages and edits.

// writtenAt returns the expression to which a step can be added: where the pipeline is written if
// it only goes to places that take its end, else where it is passed. It is none if a step can be
// added nowhere.
func writtenAt(p *rule.Pass, argument syntax.Node, kind dataset.Kind) syntax.Node {
	if kind != dataset.Pipeline || !rule.Fixable(argument) || !argument.Is(syntax.Identifier, syntax.Call, syntax.Attribute, syntax.Subscript) {
		return syntax.Node{}
	}
	if definition := onlyFor(p, argument); definition.Valid() {
		return definition
	}
	return argument
}

// gap returns the white space before the dot of the last step of a chain, so that the next step is
// written in the same way, for example one step per line.
func gap(p *rule.Pass, chain syntax.Node) string {
	function := chain.Child(syntax.FieldFunction)
	if chain.Kind() != syntax.Call || function.Kind() != syntax.Attribute {
		return ""
	}
	object, method := function.Child(syntax.FieldObject), function.Child(syntax.FieldAttribute)
	return strings.TrimSuffix(p.File.Source.Slice(source.Span{Start: object.End(), End: method.Start()}), ".")
}

// nameOf returns the span of a step without the dataset before it: batch(32).
func nameOf(step syntax.Node) source.Span {
	return source.Span{Start: step.Child(syntax.FieldFunction).Child(syntax.FieldAttribute).Start(), End: step.End()}
}

// part returns the span that a step adds to its chain, with the white space before its dot.
func part(step syntax.Node) source.Span {
	return source.Span{Start: step.Child(syntax.FieldFunction).Child(syntax.FieldObject).End(), End: step.End()}
}
