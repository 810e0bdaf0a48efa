package device

import (
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// onlyDefines reports whether the module only imports, and assigns values such as models to names
// that it uses no further: a configuration that others import, or classes and a leftover call.
// Running it has no result.
func onlyDefines(p *rule.Pass) bool {
	if !definitions(p) || slices.ContainsFunc(slices.Collect(p.File.Tree.Statements()), underGuard) {
		return false
	}
	info, program := p.File.Names(), p.File.Flow()
	return !slices.ContainsFunc(program.Module.Events, func(e flow.Event) bool {
		call := e.Outermost() // a model that is called computes something
		if p.Here(call) && call.Kind() == syntax.Call && info.InstanceOf(call.Child(syntax.FieldFunction), "tensorflow.keras.Model") {
			return true
		}
		return e.Effects.Has(effects.Trains | effects.Infers | effects.AppliesGradients | effects.OpensSession | effects.StartsTape)
	})
}

// definitions reports whether all statements of the module, but for its main guard, only import and
// assign.
func definitions(p *rule.Pass) bool {
	for s := range p.File.Tree.Statements() {
		switch {
		case s.Kind() == syntax.Comment, imports(s), underGuard(s), s.Is(syntax.FunctionDefinition, syntax.ClassDefinition, syntax.DecoratedDefinition):
		case s.Kind() == syntax.ExpressionStatement && s.FirstChild().Is(syntax.Assignment, syntax.String, syntax.Identifier, syntax.Attribute):
		case s.Kind() == syntax.ExpressionStatement && (registers(p, s.FirstChild()) || leftOver(p, s.FirstChild())):
		default:
			return false
		}
	}
	return true
}

// isNotebook reports whether the program is a notebook, which nobody imports.
func isNotebook(p *rule.Pass) bool { return p.File.Source.Segments()[0].Cell != 0 }

// leftOver reports whether a call makes a layer or model of a class of the file for nothing, or runs
// a function of a file with classes that only shows what it builds.
func leftOver(p *rule.Pass, call syntax.Node) bool {
	info := p.File.Names()
	target := info.Target(call.Child(syntax.FieldFunction))
	switch {
	case target.Class != nil:
		return p.Here(target.Class.Node) && info.Inherits(target.Class, "tensorflow.keras.layers.Layer")
	case target.Function != nil && p.Here(target.Function.Node):
		return isModule(p) && shows(p, target.Function.Body, 0)
	}
	return false
}

// registers reports whether a call is of another library, or of a setting of TensorFlow, and takes
// nothing of the module.
func registers(p *rule.Pass, call syntax.Node) bool {
	info := p.File.Names()
	root, _, dotted := strings.Cut(info.Callee(call), ".")
	entry := effects.Lookup(info.Callee(call))
	ok := dotted && (root != "tensorflow" || entry != nil && entry.Effects == 0)
	function := call.Child(syntax.FieldFunction)
	call.Walk(func(n syntax.Node) bool {
		ok = ok && (n.Kind() != syntax.Identifier || !slices.ContainsFunc(info.ReachingDefs(n), func(b *names.Binding) bool {
			return b.Kind == names.AssignBinding || b.Kind == names.ClassBinding && n.Within(function) // Window().mainloop()
		}))
		return ok
	})
	return ok
}

// operates reports whether the program is a script that runs an operation, which is enough, however
// small: TensorFlow takes the memory before the first. What a module for others runs only shows what
// it defines.
func operates(p *rule.Pass) bool {
	operation := func(e flow.Event) bool {
		return onGPU(p, &e) && e.Effects.Has(effects.AddsOperation|effects.MakesDataset) && !importable(p, &e) && !demonstrates(p, &e)
	}
	i := slices.IndexFunc(p.File.Flow().Module.Events, operation)
	switch {
	case i < 0:
		return false
	case isNotebook(p):
		return !definitions(p) // a cell may write a module
	}
	return !underGuard(p.File.Flow().Module.Events[i].Outermost()) && !definitions(p) || !definesForOthers(p)
}

// definesForOthers reports whether the module defines a function or a class that it does not use
// itself, as a library does.
func definesForOthers(p *rule.Pass) bool {
	info := p.File.Names()
	return slices.ContainsFunc(info.Module.Names(), func(name string) bool {
		return slices.ContainsFunc(info.Module.Bindings(name), func(b *names.Binding) bool {
			return (b.Kind == names.FunctionBinding || b.Kind == names.ClassBinding) && len(info.Uses(b)) == 0
		})
	})
}

// demonstrates reports whether an event is only under the main guard of a module that does nothing
// there but build models, compute and print: a library with a demonstration, which soon ends.
func demonstrates(p *rule.Pass, builds *flow.Event) bool {
	return !p.File.Config.EntryPoint && underGuard(builds.Outermost()) && shows(p, builds.Outermost().Top().Child(syntax.FieldConsequence), 2)
}

// shows reports whether code only builds models, calls them, and prints or plots what they are.
// Functions of the file may do the same, through so many calls, if their results are not used.
func shows(p *rule.Pass, code syntax.Node, calls int) bool {
	defer p.File.Names().Enter(code).Leave()
	info, ok := p.File.Names(), true
	code.Walk(func(n syntax.Node) bool {
		switch n.Kind() {
		case syntax.ForStatement:
			ok = p.File.Facts().Iterations(n, nil) > 0 // over models, for example
		case syntax.WhileStatement:
			ok = false
		case syntax.Call:
			function := n.Child(syntax.FieldFunction)
			root, _, _ := strings.Cut(info.Callee(n), ".")
			switch target := info.Target(function); {
			case target.Class != nil, target.Function != nil && n.Parent().Kind() != syntax.ExpressionStatement:
				// It builds something. A function that trains has events of its own.
			case target.Function != nil:
				ok = calls > 0 && p.Here(target.Function.Node) && shows(p, target.Function.Body, calls-1)
			case root != "":
				ok = root == "tensorflow" || root == "numpy" || root == "matplotlib"
			case function.Kind() == syntax.Identifier:
				ok = function.Text() == "print" || function.Text() == "len" || slices.ContainsFunc(info.ReachingDefs(function), func(b *names.Binding) bool {
					return b.Kind == names.AssignBinding || b.Kind == names.ForBinding // an object, such as a model
				})
			default:
				ok = showing[names.Method(n)]
			}
		}
		return ok
	})
	return ok
}

// showing are methods of models and tensors that only describe them.
var showing = map[string]bool{"summary": true, "build": true, "count_params": true, "as_list": true, "numpy": true, "format": true, "get_layer": true,
	"get": true, "items": true, "values": true, "keys": true}
