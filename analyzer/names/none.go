package names

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/syntax"
)

// IsNone reports whether a name or an attribute surely is None where the program reads it: a
// parameter whose default is None and that no call passes, or an attribute of self that is only ever
// given None or such a parameter.
func (all *Calls) IsNone(in *Info, n syntax.Node) bool {
	defer in.Enter(n).Leave()
	switch n.Kind() {
	case syntax.NoneLiteral:
		return true
	case syntax.Identifier:
		bindings := in.ReachingDefs(n)
		if len(bindings) != 1 || bindings[0].Kind != ParameterBinding || bindings[0].Scope.Func == nil {
			return false
		}
		b := bindings[0]
		none, known := all.none[b]
		if !known {
			none = all.neverPassed(b)
			all.none[b] = none
		}
		return none
	case syntax.Attribute:
		name := n.Child(syntax.FieldAttribute).Text()
		c := in.TypeOf(n.Child(syntax.FieldObject)).Local
		if c == nil || all.rebound[name] || slices.ContainsFunc(all.defined[name], func(k *Class) bool { return k != c }) {
			return false
		}
		bindings := in.Attribute(c, name)
		return len(bindings) > 0 && !slices.ContainsFunc(bindings, func(b *Binding) bool {
			return b.Kind != AssignBinding || !b.Value.Is(syntax.NoneLiteral, syntax.Identifier) || !all.IsNone(c.Info, b.Value)
		})
	}
	return false
}

// neverPassed reports whether a parameter is None in all calls of its function, of which there are
// some, and the function or its class is named for nothing else.
func (all *Calls) neverPassed(parameter *Binding) bool {
	f := parameter.Scope.Func
	name := f.Name
	switch {
	case parameter.Value.Kind() != syntax.NoneLiteral, f.Starred(parameter.Name), f.Node.Kind() != syntax.FunctionDefinition:
		return false
	case f.Class != nil && f.Name == "__init__":
		if name = f.Class.Name; slices.ContainsFunc(all.defined["__init__"], func(k *Class) bool {
			return k != f.Class && slices.Contains(k.ancestry(), f.Class)
		}) {
			return false
		}
	case f.Class != nil:
		return false // something may call the method
	}
	called := false
	for _, m := range all.program {
		calls := m.CallsOf(f)
		for _, n := range m.Identifiers(name) {
			if !m.Used(n) && n.Parent().Kind() != syntax.Attribute {
				continue
			}
			call := n.Parent()
			if call.Kind() == syntax.Attribute {
				call = call.Parent()
			}
			if !slices.Contains(calls, call) || n.Within(call.Child(syntax.FieldArguments)) {
				return false
			}
		}
		for _, call := range calls {
			given := f.Passed(call, parameter.Name)
			if HasSplat(call) || given.Valid() && given.Kind() != syntax.NoneLiteral {
				return false
			}
			called = true
		}
	}
	return called
}
