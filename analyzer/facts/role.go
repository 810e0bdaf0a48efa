package facts

import (
	"path"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// A Role is what a file is for.
type Role struct {
	Kind RoleKind
	Why  string // what shows it, for people
}

type RoleKind string

const (
	Script   RoleKind = "script"
	Notebook RoleKind = "notebook"
	// Test is what pytest or unittest runs: it uses little data and soon ends.
	Test RoleKind = "test"
	// Library is a module that defines what others import. Running it has no result.
	Library RoleKind = "library"
	// Demonstration is a library whose main guard builds models and shows what they are, and soon ends.
	Demonstration RoleKind = "demonstration"
)

// Named is what decides about a file's role beside its code.
type Named struct {
	Path       string
	Notebook   bool
	EntryPoint bool // the settings name the file as a program
}

const (
	usesGPU = effects.Initialises | effects.MayInitialise | effects.MakesAllocator
	works   = effects.Trains | effects.Infers | effects.AppliesGradients | effects.OpensSession | effects.StartsTape
)

// RoleOf returns the role of the file whose facts these are. It asks for the order of execution only
// where names do not decide.
func (f *Facts) RoleOf(file Named, program func() *flow.Program) Role {
	switch {
	case file.EntryPoint && !file.Notebook:
		return Role{Script, "the settings name it as a program"}
	case !file.EntryPoint && f.isTest(file.Path):
		return Role{Test, "it is named like a test"}
	}
	script := Role{Script, "it runs code of its own"}
	if file.Notebook {
		script = Role{Notebook, "it is a notebook"}
	}
	definesOnly, events := f.definesOnly(), program().Module.Events
	some := func(is func(e *flow.Event) bool) bool {
		return slices.ContainsFunc(events, func(e flow.Event) bool { return is(&e) })
	}
	builds := some(func(e *flow.Event) bool { return e.Effects.Has(effects.BuildsModel | effects.LoadsModel) })
	guard := f.mainGuard()
	switch {
	case some(func(e *flow.Event) bool { return e.Effects.Has(works) || f.callsModel(e.Outermost()) }):
		return script
	case !guard.Valid() && definesOnly && !(file.Notebook && builds):
		return Role{Library, "it only imports and assigns"}
	case file.EntryPoint:
		return script
	}
	guarded := guard.Valid() && !some(func(e *flow.Event) bool { return e.Effects.Has(usesGPU) && !UnderMainGuard(e.Outermost()) })
	switch {
	case guarded && f.shows(guard.Child(syntax.FieldConsequence), 2):
		return Role{Demonstration, "its main guard only shows what it defines"}
	case builds:
		return script
	case guarded && f.definesClass(), (guarded || definesOnly) && f.definesForOthers():
		return Role{Library, "it defines what it does not use itself"}
	}
	return script
}

// isTest reports whether a file is a test: it is named like one, and it is in a folder of tests or
// defines one. A script that is only named like a test usually tests a model.
func (f *Facts) isTest(file string) bool {
	folder, base := path.Split(strings.ReplaceAll(file, `\`, "/"))
	named := strings.HasPrefix(base, "test_") || strings.HasSuffix(base, "_test.py")
	return base == "conftest.py" || named && (path.Base(folder) == "tests" || slices.ContainsFunc(f.info.Functions, f.definesTest))
}

// definesTest reports whether pytest or unittest runs a function: it is named like a test, as is the
// class of a method or a base of that class, and the module itself passes it nothing, as it does to a
// test_step.
func (f *Facts) definesTest(fn *names.Function) bool {
	named := strings.HasPrefix(fn.Name, "test_")
	if c := fn.Class; c != nil {
		named = strings.HasPrefix(fn.Name, "test") && (strings.HasPrefix(c.Name, "Test") ||
			slices.ContainsFunc(c.Bases, func(base syntax.Node) bool { return strings.Contains(base.Text(), "Test") }))
	}
	return named && !slices.ContainsFunc(f.info.CallsOf(fn), func(call syntax.Node) bool {
		return names.Element(call.Child(syntax.FieldArguments), 0).Valid()
	})
}

// callsModel reports whether a node of the module's own code calls a model.
func (f *Facts) callsModel(n syntax.Node) bool {
	return n.Tree() == f.info.Tree && n.Kind() == syntax.Call && f.info.InstanceOf(n.Child(syntax.FieldFunction), "tensorflow.keras.Model")
}

// mainGuard returns the main guard of the module, or none.
func (f *Facts) mainGuard() (guard syntax.Node) {
	for s := range f.info.Tree.Statements() {
		if UnderMainGuard(s) {
			guard = s
		}
	}
	return guard
}

// UnderMainGuard reports whether code is under "if __name__ == '__main__'" in a module's own code.
func UnderMainGuard(n syntax.Node) bool {
	top := n.Top()
	return top.Kind() == syntax.IfStatement && flow.IsOfMain(top.Child(syntax.FieldCondition))
}

// definesOnly reports whether all statements of the module, but for its main guard, only define, import
// and assign.
func (f *Facts) definesOnly() bool {
	for s := range f.info.Tree.Statements() {
		expression := syntax.Node{}
		if s.Kind() == syntax.ExpressionStatement {
			expression = s.FirstChild()
		}
		switch {
		case s.Is(syntax.Comment, syntax.FunctionDefinition, syntax.ClassDefinition, syntax.DecoratedDefinition), IsImport(s), UnderMainGuard(s):
		case expression.Is(syntax.Assignment, syntax.String, syntax.Identifier, syntax.Attribute), f.registers(expression), f.leftOver(expression):
		default:
			return false
		}
	}
	return true
}

// IsImport reports whether a statement is an import, or a try or if whose body begins with one.
func IsImport(n syntax.Node) bool {
	for {
		switch n.Kind() {
		case syntax.ImportStatement, syntax.ImportFromStatement, syntax.FutureImportStatement:
			return true
		case syntax.TryStatement:
			n = n.Child(syntax.FieldBody).FirstChild()
		case syntax.IfStatement:
			n = n.Child(syntax.FieldConsequence).FirstChild()
		default:
			return false
		}
	}
}

// leftOver reports whether a call makes a layer of a class of the file for nothing, or runs a function of
// a file with classes that only shows what it builds.
func (f *Facts) leftOver(call syntax.Node) bool {
	target := f.info.Target(call.Child(syntax.FieldFunction))
	if class := target.Class; class != nil {
		return class.Node.Tree() == f.info.Tree && f.info.Inherits(class, "tensorflow.keras.layers.Layer")
	}
	fn := target.Function
	return fn != nil && fn.Info == f.info && f.definesClass() && f.shows(fn.Body, 0)
}

// registers reports whether a call is of another library, or of a setting of TensorFlow, and takes
// nothing of the module.
func (f *Facts) registers(call syntax.Node) bool {
	root, _, dotted := strings.Cut(f.info.Callee(call), ".")
	entry := effects.Lookup(f.info.Callee(call))
	ok := dotted && (root != "tensorflow" || entry != nil && entry.Effects == 0)
	function := call.Child(syntax.FieldFunction)
	call.Walk(func(n syntax.Node) bool {
		ok = ok && (n.Kind() != syntax.Identifier || !slices.ContainsFunc(f.info.ReachingDefs(n), func(b *names.Binding) bool {
			return b.Kind == names.AssignBinding || b.Kind == names.ClassBinding && n.Within(function) // Window().mainloop()
		}))
		return ok
	})
	return ok
}

func (f *Facts) definesClass() bool {
	for s := range f.info.Tree.Statements() {
		if s.Kind() == syntax.ClassDefinition {
			return true
		}
	}
	return false
}

// definesForOthers reports whether the module defines a function or a class that it does not use itself.
func (f *Facts) definesForOthers() bool {
	return slices.ContainsFunc(f.info.Module.Names(), func(name string) bool {
		return slices.ContainsFunc(f.info.Module.Bindings(name), func(b *names.Binding) bool {
			return (b.Kind == names.FunctionBinding || b.Kind == names.ClassBinding) && len(f.info.Uses(b)) == 0
		})
	})
}

// shows reports whether code only builds models, calls them, and prints or plots what they are.
// Functions of the file may do the same, through so many calls, if their results are not used.
func (f *Facts) shows(code syntax.Node, calls int) bool {
	defer f.info.Enter(code).Leave()
	ok := true
	code.Walk(func(n syntax.Node) bool {
		switch n.Kind() {
		case syntax.ForStatement:
			ok = f.Iterations(n, nil) > 0 // over models, for example
		case syntax.WhileStatement:
			ok = false
		case syntax.Call:
			function := n.Child(syntax.FieldFunction)
			root, _, _ := strings.Cut(f.info.Callee(n), ".")
			switch target := f.info.Target(function); {
			case target.Class != nil, target.Function != nil && n.Parent().Kind() != syntax.ExpressionStatement:
				// It builds something. A function that trains has events of its own.
			case target.Function != nil:
				ok = calls > 0 && target.Function.Info == f.info && f.shows(target.Function.Body, calls-1)
			case root != "":
				ok = root == "tensorflow" || root == "numpy" || root == "matplotlib"
			case function.Kind() == syntax.Identifier:
				ok = function.Text() == "print" || function.Text() == "len" || slices.ContainsFunc(f.info.ReachingDefs(function), func(b *names.Binding) bool {
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
var showing = map[string]bool{
	"summary": true, "build": true, "count_params": true, "as_list": true, "numpy": true, "format": true, "get_layer": true,
	"get": true, "items": true, "values": true, "keys": true,
}
