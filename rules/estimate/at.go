package estimate

import (
	"context"
	"slices"

	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// A Subject is what is at a place of a file: one of a call that trains or compiles, a model or
// layers.
type Subject struct {
	Span   source.Span // of the word
	Call   *Call
	Model  *Model
	Layers *Layers
}

// At returns what the word at an offset is about: a call that builds a model or a layer, trains or
// compiles; a variable that holds a model or a layer; or a batch size. The file must be the one
// that f was read from.
func (f *File) At(file *analyzer.File, offset int) (Subject, bool) {
	if len(f.Models)+len(f.Calls) == 0 {
		return Subject{}, false
	}
	word := file.Tree.NodeAt(offset, offset)
	if !word.Is(syntax.Identifier, syntax.Integer) && offset > 0 {
		word = file.Tree.NodeAt(offset-1, offset) // at its end
	}
	if !word.Is(syntax.Identifier, syntax.Integer) {
		return Subject{}, false
	}
	s := f.called(calledBy(word))
	if s == nil {
		_ = file.Do(context.Background(), func() { // nothing interrupts it
			if s = f.batch(file.Names(), word); s == nil && word.Kind() == syntax.Identifier {
				s = f.variable(file.Names(), word)
			}
		})
	}
	if s == nil {
		return Subject{}, false
	}
	s.Span = rule.Span(word)
	return *s, true
}

// calledBy returns the call whose function is a name, or an attribute that ends in it, or none.
func calledBy(word syntax.Node) syntax.Node {
	function := expression(word)
	if call := function.Parent(); call.Is(syntax.Call) && call.Child(syntax.FieldFunction) == function {
		return call
	}
	return syntax.Node{}
}

// expression returns a name, or the attribute that it ends.
func expression(word syntax.Node) syntax.Node {
	if p := word.Parent(); p.Is(syntax.Attribute) && p.Child(syntax.FieldAttribute) == word {
		return p
	}
	return word
}

// called returns what a call does or builds, or nil.
func (f *File) called(call syntax.Node) *Subject {
	if !call.Valid() {
		return nil
	}
	for i := range f.Calls {
		if f.Calls[i].Node == call {
			return &Subject{Call: &f.Calls[i]}
		}
	}
	for i := range f.Models {
		if f.Models[i].Assessment.Model.Node == call {
			return &Subject{Model: &f.Models[i]}
		}
	}
	for i := range f.Layers {
		if f.Layers[i].Node == call {
			return &Subject{Layers: &f.Layers[i]}
		}
	}
	return nil
}

// batch returns the training whose batch size a number is, or a variable that holds it.
func (f *File) batch(info *names.Info, word syntax.Node) *Subject {
	var most *Subject
	for i := range f.Calls {
		c := &f.Calls[i]
		if !c.Batch.Valid() || c.Batch != word && (word.Kind() == syntax.Integer || given(info, word) != c.Batch) {
			continue
		}
		if most == nil || c.Known() && (!most.Call.Known() || c.Model.Training.Peak > most.Call.Model.Training.Peak) {
			most = &Subject{Call: c}
		}
	}
	return most
}

// variable returns what a variable holds.
func (f *File) variable(info *names.Info, word syntax.Node) *Subject {
	if s := f.called(given(info, word)); s != nil && s.Call == nil {
		return s
	}
	// A model that a function returned is found by the variable of the module that holds it, or by
	// what is called on it.
	for i := range f.Calls {
		c := &f.Calls[i]
		if object := c.Node.Child(syntax.FieldFunction).Child(syntax.FieldObject); c.Model.Assessment != nil && same(info, object, word) {
			return &Subject{Model: f.own(c.Model)}
		}
	}
	if s := info.Lookup(word); expression(word) == word && s != nil && s.Kind == names.ModuleScope {
		for i := range f.Models {
			if f.Models[i].Assessment.Model.Variable == word.Text() {
				return &Subject{Model: &f.Models[i]}
			}
		}
	}
	return nil
}

// own returns a model as the program mainly uses it, rather than as one call does.
func (f *File) own(m Model) *Model {
	i := slices.IndexFunc(f.Models, func(o Model) bool { return o.Assessment.Model == m.Assessment.Model })
	return &f.Models[i]
}

// given returns the expression that gives a variable its value, whether the variable is read or
// bound here.
func given(info *names.Info, word syntax.Node) syntax.Node {
	if bound := expression(word); bound.Parent().Is(syntax.Assignment) && bound.Parent().Child(syntax.FieldLeft) == bound {
		return bound.Parent().Child(syntax.FieldRight)
	}
	if !info.Used(word) && expression(word) == word {
		return syntax.Node{} // a parameter, a keyword
	}
	return info.DefiningExpr(expression(word))
}

// same reports whether a name is a variable where it is bound, or where it has the same value.
func same(info *names.Info, variable, word syntax.Node) bool {
	if !variable.Is(syntax.Identifier) || variable.Text() != word.Text() || expression(word) != word {
		return false
	}
	bindings := info.ReachingDefs(variable)
	if len(bindings) == 0 {
		return false
	}
	if slices.ContainsFunc(bindings, func(b *names.Binding) bool { return b.Node == word }) {
		return true
	}
	return info.Used(word) && slices.Equal(bindings, info.ReachingDefs(word))
}
