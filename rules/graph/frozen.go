package graph

import (
	"fmt"
	"github.com/tfmem/tfmem/analyzer/facts"
	"github.com/tfmem/tfmem/analyzer/facts/obstacles"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// A frozen finds what a compiled step would keep from the call in which it is traced, although the
// program changes it from one call to the next.
type frozen struct {
	step    syntax.Node // the function that would be compiled, or the code that would become one
	loops   []syntax.Node
	classes map[*names.Class]changed
	set     map[string]bool // the attributes that the loops set, or nil if that is not known yet

	names   []string // variables and attributes, as they are written
	objects bool     // whether an object of a class of the program is among them
	// optimizer is set if an optimizer is among them.
	optimizer bool
}

// wouldFreeze returns what a tf.function made of some code would keep from its trace. The step runs
// in the given loops. Names that the function around the code binds do not count: they become
// parameters.
func wouldFreeze(info *names.Info, loops []syntax.Node, code syntax.Node) *frozen {
	f := &frozen{step: code, loops: loops, classes: map[*names.Class]changed{}}
	if !code.Valid() {
		return f
	}
	fn := info.FunctionAt(code)
	if fn == nil {
		fn = info.ScopeOf(code).Function()
	}
	if fn != nil {
		info = fn.Info // it may be in another module
		if fn.Node.Kind() == syntax.FunctionDefinition {
			f.step = fn.Node
		}
	}
	for n, in := range obstacles.Nodes(info, code) {
		fn := in.Function
		switch n.Kind() {
		case syntax.Attribute:
			if facts.IsTarget(n) {
				break
			}
			f.readObject(in.Info, n)
			if f.setInLoops()[n.Child(syntax.FieldAttribute).Text()] && keepsAttribute(in.Info, n) || n.Field() != syntax.FieldFunction && f.changes(in.Info, n) {
				f.add(n.Text())
			}
		case syntax.Identifier:
			if s := in.Info.Lookup(n); s != nil && s.Function() != fn && (fn == nil || !s.Sees(fn.Scope)) && in.Info.Used(n) {
				f.readName(in.Info, n, s)
			}
		}
	}
	return f
}

// readName adds a name of the code around a function if a loop, in which the step does not become a
// new function each time, binds the name again.
func (f *frozen) readName(info *names.Info, n syntax.Node, s *names.Scope) {
	for _, b := range s.Bindings(n.Text()) {
		switch b.Kind {
		case names.AssignBinding, names.UnpackBinding, names.WithBinding, names.AugmentedBinding, names.ForBinding:
		default:
			continue
		}
		if slices.ContainsFunc(f.loops, func(loop syntax.Node) bool {
			return b.Node.Within(loop) && !(f.step.Kind() == syntax.FunctionDefinition && f.step.Within(loop))
		}) {
			f.add(n.Text())
			if b.Kind != names.AssignBinding {
				continue
			}
			made := info.TypeOf(b.Value)
			f.objects = f.objects || made.Local != nil && made.Local.Info.LibraryBase(made.Local) == ""
			f.optimizer = f.optimizer || facts.IsOptimizer(made)
		}
	}
}

// readObject adds an attribute if the loops give it another value while the object stays the same: a
// method that they run sets it.
func (f *frozen) readObject(info *names.Info, n syntax.Node) {
	class := info.TypeOf(n.Child(syntax.FieldObject)).Local
	if class == nil {
		return
	}
	for _, b := range class.Info.Attribute(class, n.Child(syntax.FieldAttribute).Text()) {
		if b.Kind == names.AssignBinding && f.repeats(info, b.Node, map[*names.Function]bool{}) {
			f.add(n.Text())
			f.optimizer = f.optimizer || facts.IsOptimizer(class.Info.TypeOf(b.Value))
		}
	}
}

// keepsAttribute reports whether compiled code may keep the value of an attribute: that of an object which is
// not an argument.
func keepsAttribute(info *names.Info, attribute syntax.Node) bool {
	return info.Qualified(attribute) == "" && !slices.ContainsFunc(info.ReachingDefs(names.Root(attribute)), func(b *names.Binding) bool {
		return b.Kind == names.ParameterBinding && !b.IsInstance()
	})
}

// setInLoops returns the attributes that the loops themselves set, of any object. A setter of Keras's
// optimizers assigns to a variable.
func (f *frozen) setInLoops() map[string]bool {
	if f.set != nil {
		return f.set
	}
	f.set = map[string]bool{}
	for _, loop := range f.loops {
		loop.Walk(func(n syntax.Node) bool {
			if left := n.Child(syntax.FieldLeft); n.Is(syntax.Assignment, syntax.AugmentedAssignment) && left.Kind() == syntax.Attribute && !left.Within(f.step) {
				if name := left.Child(syntax.FieldAttribute).Text(); name != "learning_rate" && name != "lr" {
					f.set[name] = true
				}
			}
			return !n.Is(definitions...)
		})
	}
	return f.set
}

// repeats reports whether the loops run code of a method again, outside of the step: they contain it,
// or calls that lead to it. A constructor runs for another object.
func (f *frozen) repeats(info *names.Info, n syntax.Node, seen map[*names.Function]bool) bool {
	defer info.Enter(n).Leave()
	if n.Within(f.step) {
		return false
	}
	if slices.ContainsFunc(f.loops, func(loop syntax.Node) bool { return n.Within(loop.Child(syntax.FieldBody)) }) {
		return true
	}
	fn := info.ScopeOf(n).Function()
	if fn == nil || fn.Name == "__init__" || seen[fn] {
		return false
	}
	seen[fn] = true
	return slices.ContainsFunc(info.Program(), func(module *names.Info) bool {
		return slices.ContainsFunc(module.CallsOf(fn), func(call syntax.Node) bool { return f.repeats(module, call, seen) })
	})
}

// function describes the tf.function that would keep nothing.
func (f *frozen) function() string {
	return fmt.Sprintf("a function with @tf.function that takes %s, which the program changes, as an argument (a number, as a tensor)", strings.Join(f.names, " and "))
}

func (f *frozen) add(name string) {
	if !slices.Contains(f.names, name) {
		f.names = append(f.names, name)
	}
}

// changes reports whether an attribute is a number that a method counts on or computes from the
// value before, or an array of NumPy's whose items a method sets.
func (f *frozen) changes(info *names.Info, n syntax.Node) bool {
	class := info.TypeOf(n.Child(syntax.FieldObject)).Local
	if class == nil {
		return false
	}
	name, changes := n.Child(syntax.FieldAttribute).Text(), false
	for _, b := range class.Info.Attribute(class, name) {
		switch b.Kind {
		case names.AssignBinding:
			of := info.ScopeOf(b.Node).Function()
			switch {
			case strings.HasPrefix(info.Callee(b.Value), "numpy."):
				changes = changes || f.changed(class).items[name]
			case info.TypeOf(b.Value).Known() || facts.Of(info).Kinds(b.Value, nil).Surely(facts.Tensor):
				return false // a variable, or another object
			}
			changes = changes || f.changed(class).counts[name] || of != nil && of.Name != "__init__" && hasAttribute(b.Value, b.Node.Parent().Text())
		default:
			return false
		}
	}
	return changes
}

// A changed holds the attributes of self that the methods of a class change in place.
type changed struct {
	items  map[string]bool // they set items of it
	counts map[string]bool // they add a number to it, or the like
}

func (f *frozen) changed(class *names.Class) changed {
	known, ok := f.classes[class]
	if !ok {
		known = changed{map[string]bool{}, map[string]bool{}}
		class.Node.Walk(func(n syntax.Node) bool {
			if !n.Is(syntax.Assignment, syntax.AugmentedAssignment) {
				return true
			}
			switch left := n.Child(syntax.FieldLeft); {
			case left.Kind() == syntax.Subscript && left.Child(syntax.FieldValue).Kind() == syntax.Attribute:
				known.items[left.Child(syntax.FieldValue).Child(syntax.FieldAttribute).Text()] = true
			case left.Kind() == syntax.Attribute && n.Kind() == syntax.AugmentedAssignment && !n.Child(syntax.FieldRight).Is(syntax.List, syntax.ListComprehension):
				known.counts[left.Child(syntax.FieldAttribute).Text()] = true
			}
			return true
		})
		f.classes[class] = known
	}
	return known
}

// hasAttribute reports whether an attribute, as it is written, is part of an expression.
func hasAttribute(n syntax.Node, attribute string) bool {
	found := false
	n.Walk(func(n syntax.Node) bool {
		found = found || n.Kind() == syntax.Attribute && n.Text() == attribute
		return !found
	})
	return found
}
