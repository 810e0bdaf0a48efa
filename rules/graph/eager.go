package graph

import (
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// A need is what code has of Python that a compiled step does only while it is traced,
// or not at all.
type need uint8

const (
	readsValues     need = 1 << iota // it reads a tensor's value, or draws numbers from Python
	keepsState                       // it changes attributes, or names and lists of the code around it, or asks for whole shapes
	valueBranches                    // it has an if on what a tensor's value is
	iteratesTensors                  // it iterates over a tensor in a way that AutoGraph leaves to Python
)

// needs says for what code, and what it calls in the program, needs eager mode. Functions
// that are compiled themselves, and code that only runs when an object is constructed, do
// not count.
func needs(info *names.Info, code syntax.Node) need {
	return needsOf(info, code, map[*names.Function]bool{}, tensors{info, map[any]bool{}})
}

func needsOf(info *names.Info, code syntax.Node, seen map[*names.Function]bool, t tensors) need {
	var found need
	fn := info.ScopeOf(code).Function()
	if f := info.FunctionAt(code); f != nil {
		fn = f
	}
	code.Walk(func(n syntax.Node) bool {
		if t.iterates(info, n) {
			found |= iteratesTensors
		}
		switch n.Kind() {
		case syntax.ClassDefinition:
			return n == code
		case syntax.GlobalStatement, syntax.NonlocalStatement:
			found |= keepsState
		case syntax.AugmentedAssignment, syntax.Assignment:
			if n.Child(syntax.FieldLeft).Kind() == syntax.Attribute {
				found |= keepsState
			}
		case syntax.IfStatement, syntax.WhileStatement, syntax.ElifClause:
			if valueDecides(info, n.Child(syntax.FieldCondition), fn) {
				found |= valueBranches
			}
		case syntax.ListSplat:
			if n.Ancestor(syntax.List, syntax.Tuple, syntax.ArgumentList).Is(syntax.List, syntax.Tuple) {
				found |= keepsState // [*np.shape(x)]: sizes that may only be known when the step runs
			}
		case syntax.Call:
			found |= needsOfCall(info, n, fn)
			for _, f := range ranBy(info, n) {
				if compiled, _ := f.CompiledBy(); !compiled && !seen[f] {
					seen[f] = true
					found |= needsOf(f.Info, f.Node, seen, t)
				}
			}
		}
		return true
	})
	return found
}

// ranBy are the functions of the program that a call surely runs: a function, or what
// calling an object of the program's runs.
func ranBy(info *names.Info, call syntax.Node) []*names.Function {
	function := call.Child(syntax.FieldFunction)
	if t := info.Target(function); t.Function != nil && t.Class == nil {
		return []*names.Function{t.Function}
	}
	var out []*names.Function
	if class := info.TypeOf(function).Local; class != nil {
		for _, name := range []string{"call", "__call__"} {
			if m := class.Info.Method(class, name); m != nil {
				out = append(out, m)
			}
		}
	}
	return out
}

// needsOfCall is what one call needs.
func needsOfCall(info *names.Info, call syntax.Node, fn *names.Function) need {
	function := call.Child(syntax.FieldFunction)
	first := names.Element(call.Child(syntax.FieldArguments), 0)
	switch method := function.Child(syntax.FieldAttribute).Text(); method {
	case "numpy":
		return readsValues
	case "append", "extend":
		if object := function.Child(syntax.FieldObject); object.Kind() == syntax.Attribute || object.Kind() == syntax.Identifier && !local(info, object, fn) {
			return keepsState
		}
	}
	switch q := info.Callee(call); {
	case q == "" && drawsFromMemory(function):
		return readsValues
	case strings.HasPrefix(q, "numpy.random."), strings.HasPrefix(q, "random."):
		return readsValues
	case q == "numpy.shape", q == "numpy.ndim":
		return keepsState // it may ask for sizes that are only known when the step runs
	case strings.HasPrefix(q, "numpy."):
		for a := range call.Child(syntax.FieldArguments).Children() {
			if mentions(a, func(n syntax.Node) bool { return n.Kind() == syntax.Identifier && varies(info, n, fn) }) {
				return readsValues
			}
		}
	}
	switch name := function.Text(); name {
	case "float", "int", "bool":
		if info.Lookup(function) == nil && mentionsTensor(info, first, fn) {
			return readsValues
		}
	}
	return 0
}

// drawsFromMemory tells whether a function is a method that draws samples of what its name says
// is a replay memory: by random numbers of Python's or NumPy's.
func drawsFromMemory(function syntax.Node) bool {
	object := function.Child(syntax.FieldObject)
	if object.Kind() == syntax.Attribute {
		object = object.Child(syntax.FieldAttribute)
	}
	name := strings.ToLower(object.Text())
	return strings.HasPrefix(function.Child(syntax.FieldAttribute).Text(), "sample") &&
		(strings.Contains(name, "memory") || strings.Contains(name, "buffer") || strings.Contains(name, "replay"))
}

// local reports whether a name is bound in a function itself.
func local(info *names.Info, name syntax.Node, fn *names.Function) bool {
	s := info.Lookup(name)
	return s != nil && fn != nil && s.Sees(fn.Scope)
}

// varies reports whether a name stands for a computed value or a parameter, rather than for
// a module, a number or something that is set once for all calls.
func varies(info *names.Info, name syntax.Node, fn *names.Function) bool {
	if !info.Used(name) || fn != nil && !local(info, name, fn) {
		return false
	}
	return slices.ContainsFunc(info.ReachingDefs(name), func(b *names.Binding) bool {
		switch b.Kind {
		case names.AssignBinding:
			return !b.Value.Is(syntax.Integer, syntax.Float, syntax.String)
		case names.UnpackBinding, names.AugmentedBinding, names.ForBinding, names.WithBinding, names.ParameterBinding:
			return true
		}
		return false
	})
}

// mentionsTensor reports whether an expression contains a tensor that the function computes
// or is given.
func mentionsTensor(info *names.Info, n syntax.Node, fn *names.Function) bool {
	return fn != nil && mentions(n, func(n syntax.Node) bool { return computed(info, n, fn) })
}

// mentions reports whether a test is true of a part of an expression; not of the object of
// an attribute, such as the shape of a tensor, nor of what Python only asks the kind of.
func mentions(n syntax.Node, test func(syntax.Node) bool) bool {
	if !n.Valid() {
		return false
	}
	found := false
	n.Walk(func(n syntax.Node) bool {
		if n.Kind() == syntax.Attribute {
			return false
		}
		if n.Kind() == syntax.Call {
			switch n.Child(syntax.FieldFunction).Text() {
			case "len", "isinstance", "hasattr", "callable", "type", "getattr":
				return false
			}
		}
		found = found || n.Is(syntax.Call, syntax.Identifier) && test(n)
		return !found
	})
	return found
}

// valueDecides reports whether a condition needs the value of a tensor that the function
// computes, or compares a parameter with a number.
func valueDecides(info *names.Info, condition syntax.Node, fn *names.Function) bool {
	switch condition.Kind() {
	case syntax.ParenthesizedExpression:
		return valueDecides(info, condition.FirstChild(), fn)
	case syntax.NotOperator:
		return valueDecides(info, condition.Child(syntax.FieldArgument), fn)
	case syntax.BooleanOperator:
		return valueDecides(info, condition.Child(syntax.FieldLeft), fn) || valueDecides(info, condition.Child(syntax.FieldRight), fn)
	case syntax.ComparisonOperator:
		for c := range condition.Children() {
			if c.Is(syntax.NoneLiteral, syntax.True, syntax.False, syntax.String, syntax.List, syntax.Tuple, syntax.Set) {
				return false
			}
		}
		return mentionsTensor(info, condition, fn)
	case syntax.Call:
		return mentionsTensor(info, condition, fn)
	case syntax.Identifier: // a parameter may be a flag
		for _, b := range info.ReachingDefs(condition) {
			if b.Kind == names.AssignBinding && fn != nil && computed(info, b.Value, fn) {
				return true
			}
		}
	}
	return false
}
