package names

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/syntax"
)

// DefiningExpr returns the expression that gives n its value, most often a call. It follows names
// and attributes that have a single value where they are read. It returns n itself if n is
// neither, the name if it is that of a parameter, and none if the value is ambiguous or unknown.
func (in *Info) DefiningExpr(n syntax.Node) syntax.Node {
	for range 16 {
		var bindings []*Binding
		switch n.Kind() {
		case syntax.ParenthesizedExpression:
			n = n.FirstChild()
			continue
		case syntax.NamedExpression:
			n = n.Child(syntax.FieldValue)
			continue
		case syntax.Identifier:
			bindings = in.ReachingDefs(n)
		case syntax.Attribute:
			if t := in.TypeOf(n.Child(syntax.FieldObject)); t.Local != nil {
				bindings = in.Attribute(t.Local, n.Child(syntax.FieldAttribute).Text())
			} else if m := in.ModuleOf(n.Child(syntax.FieldObject)); m != nil {
				bindings = m.Exports(n.Child(syntax.FieldAttribute).Text())
			}
		default:
			return n
		}
		if len(bindings) == 1 && bindings[0].Kind == FromBinding {
			bindings = in.Origin(bindings[0])
		}
		if len(bindings) != 1 {
			return syntax.Node{}
		}
		switch b := bindings[0]; b.Kind {
		case AssignBinding, WithBinding: // the context managers that matter here yield themselves
			n = b.Value
		case UnpackBinding:
			n = item(b.Value, b.Path)
		case ParameterBinding:
			return n
		default:
			return syntax.Node{}
		}
	}
	return syntax.Node{}
}

// Passed returns the argument that a call of the function passes for a parameter, or none.
func (f *Function) Passed(call syntax.Node, parameter string) syntax.Node {
	for i, p := range f.Params {
		switch {
		case p.Name != parameter || p.Star > 0:
			continue
		case p.KeywordOnly:
			i = -1
		case f.Class != nil && !f.IsStatic():
			i-- // skip the instance
		}
		return Argument(call, i, parameter)
	}
	return syntax.Node{}
}

// Given returns what a parameter has in a call of the function: the argument, or else its default. It
// returns none if the call may pass the argument with a splat.
func (f *Function) Given(call syntax.Node, parameter string) syntax.Node {
	if passed := f.Passed(call, parameter); passed.Valid() || HasSplat(call) {
		return passed
	}
	for _, p := range f.Params {
		if p.Name == parameter {
			return p.Default
		}
	}
	return syntax.Node{}
}

// ParameterFor returns the parameter that receives an argument of a call of the function; ok is false
// if none surely does.
func (f *Function) ParameterFor(call, argument syntax.Node) (p Parameter, ok bool) {
	i := slices.IndexFunc(f.Params, func(p Parameter) bool { return f.Passed(call, p.Name) == argument })
	if i < 0 || !argument.Valid() {
		return Parameter{}, false
	}
	return f.Params[i], true
}

// item returns the expression at a path of indexes into nested displays, or none.
func item(n syntax.Node, path []int) syntax.Node {
	if len(path) == 0 {
		return syntax.Node{}
	}
	for _, i := range path {
		if !n.Is(syntax.Tuple, syntax.ExpressionList, syntax.List) {
			return syntax.Node{}
		}
		n = Element(n, i)
	}
	return n
}

// Element returns the i-th item of a tuple, list or argument list, or none if a splat stands
// before it.
func Element(n syntax.Node, i int) syntax.Node {
	for c := range n.Children() {
		switch {
		case c.Kind() == syntax.Comment:
		case c.Kind() == syntax.ListSplat:
			return syntax.Node{}
		case i == 0:
			return c
		default:
			i--
		}
	}
	return syntax.Node{}
}
