package names

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/syntax"
)

// CallsTo returns the calls of the qualified names that which accepts, in order of text. It calls
// which once per name.
func (in *Info) CallsTo(which func(qualified string) bool) []syntax.Node {
	in.qualifyCalls()
	return in.pick(in.qualified.texts, func(p *stmtFacts) []int32 { return p.callees }, which)
}

// qualifyCalls finds the names of what all calls call.
func (in *Info) qualifyCalls() {
	for _, p := range in.parts {
		p.callees = slices.Grow(p.callees, len(p.calls)-len(p.callees))
		for i := len(p.callees); i < len(p.calls); i++ {
			p.callees = append(p.callees, in.qualify(p.calls[i].Child(syntax.FieldFunction)))
		}
	}
}

// CallsOf returns the calls in the module that surely run a function of the program, in order of
// text.
func (in *Info) CallsOf(f *Function) []syntax.Node {
	if in.callers == nil {
		callers := map[*Function][]syntax.Node{}
		in.qualifyCalls()
		for _, p := range in.parts {
			for i, call := range p.calls {
				if p.callees[i] != unknownName {
					continue // it has a name outside of the program
				}
				f := in.Target(call.Child(syntax.FieldFunction)).Function
				if f != nil {
					callers[f] = append(callers[f], call)
				}
			}
		}
		in.callers = callers
	}
	return in.callers[f]
}

// MethodCalls returns the calls of attributes, such as fit in model.fit, that which accepts, in
// order of text. It calls which once per name.
func (in *Info) MethodCalls(which func(name string) bool) []syntax.Node {
	for _, p := range in.parts {
		p.methods = slices.Grow(p.methods, len(p.calls)-len(p.methods))
		for i := len(p.methods); i < len(p.calls); i++ {
			p.methods = append(p.methods, in.words.number(p.calls[i].Child(syntax.FieldFunction).Child(syntax.FieldAttribute).Text()))
		}
	}
	return in.pick(in.words.texts, func(p *stmtFacts) []int32 { return p.methods }, which)
}

// pick returns the calls that which accepts. of returns the numbers of the called names in a
// part.
func (in *Info) pick(names []string, of func(*stmtFacts) []int32, which func(string) bool) []syntax.Node {
	const yes, no = 1, 2
	asked := make([]uint8, len(names))
	asked[unknownName] = no
	count := 0
	for _, p := range in.parts {
		for _, name := range of(p) {
			if asked[name] == 0 {
				if asked[name] = no; which(names[name]) {
					asked[name] = yes
				}
			}
			if asked[name] == yes {
				count++
			}
		}
	}
	if count == 0 {
		return nil
	}
	out := make([]syntax.Node, 0, count)
	for _, p := range in.parts {
		for i, name := range of(p) {
			if asked[name] == yes {
				out = append(out, p.calls[i])
			}
		}
	}
	return out
}

// Method returns the attribute that a call calls, such as "fit" for model.fit(x), or "".
func Method(call syntax.Node) string {
	return call.Child(syntax.FieldFunction).Child(syntax.FieldAttribute).Text()
}

// Builtin returns the name of the built-in function of Python that an expression calls, or "".
func (in *Info) Builtin(call syntax.Node) string {
	if function := call.Child(syntax.FieldFunction); call.Kind() == syntax.Call && function.Kind() == syntax.Identifier && in.Lookup(function) == nil {
		return function.Text()
	}
	return ""
}
