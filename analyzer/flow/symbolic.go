package flow

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// An answer says whether a value is what is asked for.
type answer int8

const (
	no     answer = iota
	itself        // it depends on the same question, as a variable of a loop depends on itself
	yes
)

// Values answers one question about many values. It follows names within a function, and functions
// of the module.
type Values struct {
	info  *names.Info
	known map[any]*asked // by binding, or by function for what it returns
	open  []any          // the keys of answers that are not final, outermost first
	head  int            // the lowest index in open that an answer depends on
}

// An asked is an answer, final or not.
type asked struct {
	answer
	computing bool
	at        int // the index in open
}

// NewValues returns nothing known of the values of a module.
func NewValues(info *names.Info) *Values { return &Values{info: info, known: map[any]*asked{}} }

// Symbolic reports whether a value is surely a symbolic tensor of a functional model.
func (v *Values) Symbolic(n syntax.Node) bool { return v.symbolic(n) == yes }

// Truth reports whether a value is surely True or False, and nothing else.
func (v *Values) Truth(n syntax.Node) bool { return v.truth(n) == yes }

// symbolic answers whether a value is a symbolic tensor of a functional model: the result of
// keras.Input, or of calling layers on one.
func (v *Values) symbolic(n syntax.Node) answer {
	defer v.info.Enter(n).Leave()
	switch n.Kind() {
	case syntax.ParenthesizedExpression:
		return v.symbolic(n.FirstChild())
	case syntax.List, syntax.Tuple, syntax.ExpressionList:
		found := no
		for c := range n.Children() {
			found = max(found, v.symbolic(c))
		}
		return found
	case syntax.ListComprehension:
		return v.symbolic(n.Child(syntax.FieldBody))
	case syntax.BinaryOperator:
		return max(v.symbolic(n.Child(syntax.FieldLeft)), v.symbolic(n.Child(syntax.FieldRight)))
	case syntax.Subscript:
		return v.symbolic(n.Child(syntax.FieldValue))
	case syntax.Attribute:
		if name := n.Child(syntax.FieldAttribute).Text(); name == "input" || name == "output" {
			if model := v.info.TypeOf(n.Child(syntax.FieldObject)); model.Local == nil && v.info.IsA(model.Class, "tensorflow.keras.Model") {
				return yes
			}
		}
	case syntax.Call:
		return v.returned(n)
	case syntax.Identifier:
		return v.named(n, v.tensor)
	}
	return no
}

// returned answers for the result of a call.
func (v *Values) returned(call syntax.Node) answer {
	function := call.Child(syntax.FieldFunction)
	switch v.info.Qualified(function) {
	case "":
	case "tensorflow.keras.Input":
		return yes
	default:
		return no // neither a layer nor a function of the module
	}
	if v.info.InstanceOf(function, "tensorflow.keras.layers.Layer") {
		if inputs := names.Argument(call, 0, "inputs"); inputs.Valid() {
			return v.symbolic(inputs)
		}
		return no
	}
	if f := v.info.Target(function).Function; f != nil && f.Info == v.info && len(f.Decorators) == 0 && !f.Yields {
		return v.once(f, func() answer { return all(f.Returns, v.symbolic) })
	}
	return no
}

// once computes an answer the first time. While it is being computed, the answer is itself. What
// was found on the way from itself to itself is computed again, unless it is no: it rests on the
// answer that stood in meanwhile.
func (v *Values) once(of any, is func() answer) answer {
	if k := v.known[of]; k != nil {
		if !k.computing {
			return k.answer
		}
		v.head = min(v.head, k.at)
		return itself
	}
	k := &asked{computing: true, at: len(v.open)}
	v.known[of] = k
	v.open = append(v.open, of)
	outer := v.head
	v.head = len(v.open)
	k.answer, k.computing = is(), false
	if v.head < k.at {
		v.head = min(v.head, outer)
		return k.answer
	}
	for _, o := range v.open[k.at+1:] {
		if v.known[o].answer != no {
			delete(v.known, o)
		}
	}
	v.open, v.head = v.open[:k.at], outer
	return k.answer
}

// mostBindings bounds the bindings of a name that is followed. After n loops in a row that bind it,
// each use depends on n bindings: 6,000 loops took 10 s and 150 MB.
const mostBindings = 1000

// named answers for a name, from the answers for its bindings.
func (v *Values) named(n syntax.Node, is func(*names.Binding) answer) answer {
	for s := v.info.ScopeOf(n); s != nil; s = s.Parent {
		if len(s.Bindings(n.Text())) > mostBindings {
			return no
		}
	}
	return all(v.info.ReachingDefs(n), func(b *names.Binding) answer {
		if b.Scope.Function() != v.info.ScopeOf(n).Function() {
			return no // a function may run at another time
		}
		return v.once(b, func() answer { return is(b) })
	})
}

// tensor answers whether a name is bound to a symbolic tensor.
func (v *Values) tensor(b *names.Binding) answer {
	switch b.Kind {
	case names.AssignBinding, names.AugmentedBinding:
		return v.symbolic(b.Value)
	case names.UnpackBinding:
		value := b.Value
		for _, i := range b.Path {
			if value.Is(syntax.Tuple, syntax.List, syntax.ExpressionList) {
				value = names.Element(value, i)
			}
		}
		return v.symbolic(value)
	case names.ParameterBinding:
		f := b.Scope.Function()
		return all(v.info.CallsOf(f), func(call syntax.Node) answer { return v.symbolic(f.Passed(call, b.Name)) })
	}
	return no
}

// all answers yes if at least one item has the answer yes and none has no.
func all[T any](items []T, is func(T) answer) answer {
	found := itself
	for _, i := range items {
		a := is(i)
		if a == no {
			return no
		}
		found = max(found, a)
	}
	return found
}

// truth answers whether a value is True or False, and nothing else.
func (v *Values) truth(n syntax.Node) answer {
	defer v.info.Enter(n).Leave()
	switch {
	case n.Is(syntax.True, syntax.False):
		return yes
	case n.Kind() == syntax.Identifier:
		return v.named(n, v.switched)
	}
	return no
}

// switched answers whether a name is bound to True or False.
func (v *Values) switched(b *names.Binding) answer {
	switch b.Kind {
	case names.AssignBinding:
		return v.truth(b.Value)
	case names.ParameterBinding:
		f := b.Scope.Function()
		if f.Class == nil || f.Name != "call" {
			return all(v.info.CallsOf(f), func(call syntax.Node) answer {
				switch given := f.Passed(call, b.Name); {
				case given.Valid():
					return v.truth(given)
				case !names.HasSplat(call):
					return v.truth(b.Value)
				}
				return no
			})
		}
		// Keras passes True or False unless the default is None; then only if it is in training,
		// evaluation or prediction.
		if b.Name == "training" && v.info.Inherits(f.Class, "tensorflow.keras.layers.Layer") &&
			(!b.Value.Valid() || b.Value.Is(syntax.True, syntax.False) || b.Value.Kind() == syntax.NoneLiteral && v.runs(f.Class)) {
			return yes
		}
	}
	return no
}

// runs reports whether the module trains, evaluates or predicts with an instance of a class, or
// calls one with training=True or False.
func (v *Values) runs(class *names.Class) bool {
	return slices.ContainsFunc(v.info.Calls, func(call syntax.Node) bool {
		function := call.Child(syntax.FieldFunction)
		if slices.Contains([]string{"fit", "evaluate", "predict"}, function.Child(syntax.FieldAttribute).Text()) {
			return v.info.TypeOf(function.Child(syntax.FieldObject)).Local == class
		}
		return v.info.TypeOf(function).Local == class && names.Argument(call, -1, "training").Is(syntax.True, syntax.False)
	})
}
