package flow

import (
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// handed returns the function that is called if it is passed to the code: as a parameter, or as
// an attribute of one, with the same value in all calls of the module.
func (f *frame) handed(function syntax.Node) names.Target {
	if t := agreed(f, function, f.targets, f.info.Target); t != (names.Target{}) {
		return t
	}
	if object := function.Child(syntax.FieldObject); function.Kind() == syntax.Attribute && !f.info.TypeOf(object).Known() {
		if class := f.classOf(object); class != nil {
			return f.info.Member(class, function.Child(syntax.FieldAttribute).Text())
		}
	}
	return names.Target{}
}

// classOf returns the class of the program that an expression is an instance of. The instance may
// be passed to the code.
func (f *frame) classOf(n syntax.Node) *names.Class { return f.typeOf(n).Local }

// typeOf returns the class that an expression is an instance of. The instance may be passed to
// the code, or come from a list or dict.
func (f *frame) typeOf(n syntax.Node) names.Type {
	defer f.info.Enter(n).Leave()
	if t := agreed(f, n, f.types, f.info.TypeOf); t.Known() {
		return t
	}
	return f.taken(n)
}

// agreed returns the result of of for an expression, or else the common result for all arguments
// of the parameter that gives it its value; zero if they differ.
func agreed[T comparable](f *frame, n syntax.Node, known map[*names.Binding]T, of func(syntax.Node) T) T {
	defer f.info.Enter(n).Leave()
	var none T
	if t := of(n); t != none {
		return t
	}
	parameter := f.parameter(n)
	if parameter == nil {
		return none
	}
	if f.info == f.root {
		f.own.main = true // an edited call may be anywhere in the module
	}
	if t, asked := known[parameter]; asked {
		return t
	}
	known[parameter] = none // the answer for a circular definition
	var found T
	for i, passed := range f.passed(parameter) {
		t := agreed(f, passed, known, of)
		if t == none || i > 0 && t != found {
			return none
		}
		found = t
	}
	known[parameter] = found
	return found
}

// parameter returns the binding of the parameter that gives an expression its value, through
// names and attributes, or nil.
func (f *frame) parameter(n syntax.Node) *names.Binding {
	if !n.Is(syntax.Identifier, syntax.Attribute) {
		return nil
	}
	made := f.info.DefiningExpr(n)
	if n.Kind() == syntax.Attribute && !made.Valid() {
		class := f.classOf(n.Child(syntax.FieldObject)) // the object may be passed itself
		if class == nil {
			return nil
		}
		if bindings := f.info.Attribute(class, n.Child(syntax.FieldAttribute).Text()); len(bindings) == 1 && bindings[0].Kind == names.AssignBinding {
			made = f.info.DefiningExpr(bindings[0].Value)
		}
	}
	if made.Kind() != syntax.Identifier {
		return nil
	}
	return f.info.ReachingDefs(made)[0]
}

// passed returns the expressions that the calls of a parameter's function in the module pass for
// it. One of them is none if a call passes something unknown. A recursive call with the parameter
// itself passes nothing new.
func (f *frame) passed(parameter *names.Binding) []syntax.Node {
	fn := parameter.Scope.Func
	if fn == nil {
		return nil
	}
	var out []syntax.Node
	for _, call := range f.info.CallsOf(fn) {
		given := fn.Passed(call, parameter.Name)
		if !given.Valid() && !names.HasSplat(call) {
			given = parameter.Value // its default
		}
		if b := f.info.ReachingDefs(given); given.Kind() == syntax.Identifier && len(b) == 1 && b[0] == parameter {
			continue
		}
		out = append(out, given)
	}
	return out
}
