package graph

import (
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// A fate is what happens to a model in the code that has it, and in the functions of the program
// that it is passed to.
type fate struct {
	trained  bool // it is surely compiled or trained
	ran      bool // it is surely called, or used to predict
	predicts bool // by a method, on data
	returned bool // the function may return it
}

// fates are the fates of the parameters followed so far.
type fates map[*names.Binding]*fate

// of returns the fate of the model that an expression yields.
func (f fates) of(info *names.Info, value syntax.Node) fate {
	var found fate
	f.follow(info, value, &found)
	return found
}

func (f fates) follow(info *names.Info, value syntax.Node, found *fate) {
	defer info.Enter(value).Leave()
	switch parent := value.Parent(); parent.Kind() {
	case syntax.ParenthesizedExpression, syntax.NamedExpression:
		f.follow(info, parent, found)
	case syntax.ExpressionList, syntax.Tuple:
		found.returned = found.returned || parent.Parent().Kind() == syntax.ReturnStatement
	case syntax.ReturnStatement:
		found.returned = true
	case syntax.Attribute:
		switch name := parent.Child(syntax.FieldAttribute).Text(); {
		case name == "trainable_variables" || name == "trainable_weights":
			found.trained = found.trained || differentiated(parent)
		case parent.Field() == syntax.FieldFunction:
			switch name {
			case "compile", "fit", "fit_generator", "train_on_batch":
				found.trained = true
			case "predict", "predict_on_batch", "evaluate":
				found.ran, found.predicts = true, true
			}
		}
	case syntax.Call:
		found.ran = found.ran || value.Field() == syntax.FieldFunction
	case syntax.ArgumentList, syntax.KeywordArgument:
		call := value.Ancestor(syntax.Call)
		handed := f.handed(info, call, value)
		found.add(handed)
		if handed.returned {
			f.follow(info, call, found)
		}
	case syntax.Assignment:
		target := parent.Child(syntax.FieldLeft)
		if value.Field() != syntax.FieldRight || target.Kind() != syntax.Identifier {
			return
		}
		for _, b := range info.ScopeOf(target).Bindings(target.Text()) {
			if b.Node == target {
				f.bound(info, b, found)
			}
		}
	}
}

// differentiated reports whether the weights of a model are passed to what trains them.
func differentiated(weights syntax.Node) bool {
	call := weights.Ancestor(syntax.Call)
	if call.Child(syntax.FieldFunction).Text() == "zip" {
		call = call.Ancestor(syntax.Call)
	}
	switch rule.Method(call) {
	case "gradient", "apply_gradients", "minimize":
		return true
	}
	return false
}

// handed returns the fate of an argument in the function of the program that a call surely runs.
func (f fates) handed(info *names.Info, call, argument syntax.Node) fate {
	fn := info.Target(call.Child(syntax.FieldFunction)).Function
	if fn == nil {
		return fate{}
	}
	for _, p := range fn.Params {
		if rule.ArgumentFor(info, call, fn, p.Name) != argument {
			continue
		}
		for _, b := range fn.Scope.Bindings(p.Name) {
			if b.Kind == names.ParameterBinding {
				found := fate{}
				f.bound(fn.Info, b, &found)
				return found
			}
		}
	}
	return fate{}
}

// bound adds what happens to the model that a name is bound to.
func (f fates) bound(info *names.Info, b *names.Binding, found *fate) {
	known, followed := f[b]
	if !followed {
		known = &fate{}
		f[b] = known
		for _, use := range info.Uses(b) {
			f.follow(info, use, known)
		}
	}
	found.add(*known)
	found.returned = found.returned || known.returned
}

// add adds what is done with the model, but not where it goes.
func (f *fate) add(other fate) {
	f.trained, f.ran, f.predicts = f.trained || other.trained, f.ran || other.ran, f.predicts || other.predicts
}
