package flow

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// model is the class of Keras's models.
const model = "tensorflow.keras.Model"

// modelMembers are members of Keras's models (keras/src/layers/layer.py, keras/src/models/model.py) that
// objects of other libraries do not have, and wrappers of models neither: those have predict, fit,
// train_on_batch, save_weights.
var modelMembers = []string{
	"trainable_variables", "trainable_weights", "non_trainable_variables", "non_trainable_weights", "get_layer", "count_params",
}

// actsAsModel reports whether a parameter, or the result of an unknown call, is surely a model of
// Keras: it is compiled or fitted as only such a model is, called with a symbolic tensor, or a member
// is read that only models have. A parameter may be stored in an attribute.
func (f *frame) actsAsModel(n syntax.Node) bool {
	b := f.unknownParameter(n)
	if b == nil {
		b = f.unknownResult(n)
	}
	if b == nil {
		return false
	}
	if t, asked := f.acts[b]; asked {
		return t
	}
	if f.info == f.root {
		f.own.main = true // it may be used anywhere in its class
	}
	uses := slices.Clone(f.info.Uses(b))
	for _, use := range f.info.Uses(b) {
		uses = append(uses, f.stored(b, use)...)
	}
	found := slices.ContainsFunc(uses, f.usedAsModel) && !f.likeOurs()
	f.acts[b] = found
	return found
}

// unknownParameter returns the binding of a parameter that gives an expression its value, and that
// nothing says the type of; nil if there is none.
func (f *frame) unknownParameter(n syntax.Node) *names.Binding {
	b := f.parameter(n)
	if b == nil && n.Kind() == syntax.Identifier {
		if all := f.info.ReachingDefs(n); len(all) == 1 {
			b = all[0]
		}
	}
	if b == nil || b.Kind != names.ParameterBinding || b.Annotation.Valid() || b.Value.Valid() || b.Scope.Func == nil || b.Scope.Func.Starred(b.Name) {
		return nil
	}
	return b
}

// unknownResult returns the binding of what an unknown call returns, or a part of it, that gives a name
// its value; nil if it has another one.
func (f *frame) unknownResult(n syntax.Node) *names.Binding {
	if n.Kind() != syntax.Identifier {
		return nil
	}
	all := f.info.ReachingDefs(n)
	if len(all) != 1 || all[0].Kind != names.AssignBinding && all[0].Kind != names.UnpackBinding || all[0].Value.Kind() != syntax.Call {
		return nil
	}
	if t := f.info.TypeOf(n); t.Known() {
		return nil
	}
	return all[0]
}

// stored returns the uses, in its class, of the attribute that a statement stores a parameter in.
func (f *frame) stored(b *names.Binding, use syntax.Node) (uses []syntax.Node) {
	target := use.Parent().Child(syntax.FieldLeft)
	if b.Kind != names.ParameterBinding {
		return nil
	}
	class := b.Scope.Func.Class
	if use.Parent().Kind() != syntax.Assignment || use.Field() != syntax.FieldRight || target.Kind() != syntax.Attribute || class == nil {
		return nil
	}
	attribute := target.Child(syntax.FieldAttribute)
	if len(f.info.Attribute(class, attribute.Text())) != 1 {
		return nil
	}
	for _, n := range f.info.Identifiers(attribute.Text()) {
		if whole := n.Parent(); n.Field() == syntax.FieldAttribute && whole.Within(class.Node) && f.info.TypeOf(whole.Child(syntax.FieldObject)).Local == class {
			uses = append(uses, whole)
		}
	}
	return uses
}

// usedAsModel reports whether an object is used where it stands as only a model can be.
func (f *frame) usedAsModel(object syntax.Node) bool {
	parent := object.Parent()
	switch {
	case parent.Kind() == syntax.Attribute && object.Field() == syntax.FieldObject:
		member := parent.Child(syntax.FieldAttribute).Text()
		return slices.Contains(modelMembers, member) || parent.Field() == syntax.FieldFunction && trainsAsModel(member, parent.Parent())
	case parent.Kind() == syntax.Call && object.Field() == syntax.FieldFunction:
		return f.takesSymbolic(parent)
	}
	return false
}

// trainsAsModel reports whether a call has arguments that only the methods of Keras's models take.
func trainsAsModel(method string, call syntax.Node) bool {
	has := func(name string) bool { return names.Argument(call, -1, name).Valid() }
	switch method {
	case "compile":
		return has("loss")
	case "fit", "fit_generator":
		return has("epochs") && slices.ContainsFunc([]string{"validation_data", "validation_split", "steps_per_epoch", "validation_steps", "initial_epoch", "class_weight"}, has)
	}
	return false
}

// takesSymbolic reports whether the first argument of a call is a symbolic tensor, or made of one by
// calls of objects that nothing is known of: critic(generator(noise)).
func (f *frame) takesSymbolic(call syntax.Node) bool {
	for range maxPath {
		first := names.Element(call.Child(syntax.FieldArguments), 0)
		if NewValues(f.info).Symbolic(first) {
			return true
		}
		function := first.Child(syntax.FieldFunction)
		if first.Kind() != syntax.Call || f.info.Qualified(function) != "" || f.info.Target(function) != (names.Target{}) || f.unknownParameter(function) == nil {
			return false
		}
		call = first
	}
	return false
}

// likeOurs reports whether a class of the program that is no model has a method of these names.
func (f *frame) likeOurs() bool {
	for _, m := range f.info.Program() {
		for _, c := range m.Classes {
			if slices.ContainsFunc(modelMembers, func(name string) bool { return c.Methods[name] != nil }) && !m.Inherits(c, model) {
				return true
			}
		}
	}
	return false
}
