package graph

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/facts"
	"github.com/tfmem/tfmem/analyzer/facts/obstacles"
	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// writtenUpdate returns the call by which an optimizer written by hand subtracts what is computed from a
// gradient of a tape, or applies gradients with the optimizer that a model was compiled with: in the
// function that creates the tape, or in the loop that calls it. It is none if there is no such call.
func writtenUpdate(p *rule.Pass, tape *flow.Event, updates []syntax.Node) syntax.Node {
	info := p.File.Names()
	fn, home := info.ScopeOf(tape.Node).Function(), info
	if fn != nil {
		home = fn.Info
	}
	ofTape := func(gradient syntax.Node) bool {
		of := p.File.Flow().TapeOf(gradient.Child(syntax.FieldFunction).Child(syntax.FieldObject))
		return info.ScopeOf(gradient).Function() == fn && (of == nil || of.Call == tape.Node)
	}
	for _, call := range updates {
		calls := len(tape.Path) > 0 && call.Within(tape.Loop) && info.ScopeOf(call) == info.ScopeOf(tape.Path[len(tape.Path)-1])
		switch optimizer := call.Child(syntax.FieldFunction).Child(syntax.FieldObject); {
		case info.ScopeOf(call).Function() != fn && !calls:
		case names.Method(call) == "apply_gradients":
			if !calls && optimizer.Child(syntax.FieldAttribute).Text() == "optimizer" && info.InstanceOf(optimizer.Child(syntax.FieldObject), "tensorflow.keras.Model") {
				return call
			}
		case slices.ContainsFunc(flow.CallsWith(home, effects.TakesGradient), func(gradient syntax.Node) bool {
			return ofTape(gradient) && facts.Of(info).DependsOn(call.Child(syntax.FieldArguments), gradient)
		}):
			return call
		}
	}
	return syntax.Node{}
}

// tapeBefore returns the tape, in the same loop, whose gradients are applied. A tape of the same
// function comes first, because a step may record others on the way. So does one that records
// another, such as that of a gradient penalty, but not the update.
func tapeBefore(info *names.Info, t *flow.Trace, apply *flow.Event) *flow.Event {
	tapes := t.Having(effects.StartsTape)
	before := sort.Search(len(tapes), func(i int) bool { return !tapes[i].MaybeBefore(apply) })
	var last, own *flow.Event
	for _, e := range slices.Backward(tapes[:before]) {
		if !eagerInLoop(e) || !sameIteration(info, e, apply) || own != nil && (!records(e, own.Node) || records(e, apply.Node)) {
			continue
		}
		if info.ScopeOf(e.Node).Function() == info.ScopeOf(apply.Node).Function() {
			own = e
		} else if last == nil {
			last = e
		}
	}
	return cmp.Or(own, last)
}

// records reports whether the with statement of a tape contains a node.
func records(tape *flow.Event, n syntax.Node) bool {
	return n.Within(tape.Node.Ancestor(syntax.WithStatement).Child(syntax.FieldBody))
}

// sameIteration reports whether the gradients are applied in the loop iteration in which the tape
// recorded: in that loop, in one that the step has for its updates, or after it, where the gradients of
// several iterations are added up for one update.
func sameIteration(info *names.Info, tape, apply *flow.Event) bool {
	return tape.Loop == apply.Loop || apply.Loop.Within(tape.Loop) || addedUp(info, tape, apply) ||
		apply.Loop.Valid() && info.ScopeOf(apply.Loop).Function() == info.ScopeOf(tape.Node).Function() && !tape.Node.Within(apply.Loop)
}

// addedUp reports whether a tape is in a loop of the function that applies gradients after it: names
// that the loop binds, or what is made of a gradient in it.
func addedUp(info *names.Info, tape, apply *flow.Event) bool {
	fn := info.ScopeOf(apply.Node).Function()
	if fn == nil || !tape.Loop.Within(fn.Node) || tape.Loop.End() > apply.Node.Start() {
		return false
	}
	arguments := apply.Node.Child(syntax.FieldArguments)
	return slices.ContainsFunc(facts.Reads(arguments), func(n syntax.Node) bool {
		return slices.ContainsFunc(fn.Info.ReachingDefs(n), func(b *names.Binding) bool { return b.Node.Within(tape.Loop) })
	}) || slices.ContainsFunc(flow.CallsWith(fn.Info, effects.TakesGradient), func(gradient syntax.Node) bool {
		return gradient.Within(tape.Loop) && facts.Of(fn.Info).DependsOn(arguments, gradient)
	})
}

// recordedBy returns the code that a tape, or the minimize that records a function, records, or
// none.
func recordedBy(info *names.Info, tape syntax.Node) syntax.Node {
	if loss := rule.MinimizedLoss(info, tape); loss.Valid() {
		return loss
	}
	return tape.Ancestor(syntax.WithStatement).Child(syntax.FieldBody)
}

// castFirst says which parameters of a step are, or may be, NumPy arrays of float64 that meet other
// types, or returns "". In eager execution an operator casts them, but tf.function makes float64 tensors
// of them.
func (s *eagerStep) castFirst() string {
	known, in := s.p.File.Facts(), s.p.File.Facts().At(s.apply)
	for _, module := range s.info.Program() {
		for _, call := range module.CallsTo(func(name string) bool { return strings.HasSuffix(name, ".set_floatx") }) {
			if known.NamedDType(names.Argument(call, 0, "value")) == "float64" {
				return "" // Keras's own numbers are float64
			}
		}
	}
	var surely, perhaps []string
	for _, parameter := range s.fn.Params {
		for _, b := range s.fn.Scope.Bindings(parameter.Name) {
			uses := s.fn.Info.Uses(b)
			if b.Kind != names.ParameterBinding || len(uses) == 0 {
				continue
			}
			kinds := known.Kinds(uses[0], in)
			if !kinds.May(facts.Array|facts.FromCaller) || !meetsOthers(s.fn.Info, b) {
				continue
			}
			switch dtype := known.DType(uses[0], in); {
			case kinds.Surely(facts.Array) && dtype == "float64":
				surely = append(surely, b.Name)
			case dtype == "" || dtype == "float64":
				perhaps = append(perhaps, b.Name)
			}
		}
	}
	switch {
	case len(surely) > 0:
		return fmt.Sprintf("Cast %s, NumPy's float64, to float32.", strings.Join(surely, " and "))
	case len(perhaps) > 0:
		return fmt.Sprintf("Cast %s to float32 if they are arrays of NumPy, whose float64 a tf.function keeps.", strings.Join(perhaps, " and "))
	}
	return ""
}

// meetsOthers reports whether the value of a parameter reaches an operator, a TensorFlow operation or
// unknown code. Unlike Keras and tf.cast, these keep its type.
func meetsOthers(info *names.Info, parameter *names.Binding) bool {
	uses, _ := facts.Of(info).UsesOf(parameter, nil, syntax.Node{})
	return slices.ContainsFunc(uses, func(use facts.Use) bool {
		n := use.Node
		for n.Parent().Kind() == syntax.UnaryOperator || n.Parent().Kind() == syntax.Subscript && n.Field() == syntax.FieldValue {
			n = n.Parent()
		}
		parent := n.Parent()
		return use.Part == facts.Whole && (parent.Is(syntax.BinaryOperator, syntax.AugmentedAssignment, syntax.ComparisonOperator) ||
			parent.Is(syntax.ArgumentList, syntax.KeywordArgument) && keepsType(info, parent.Ancestor(syntax.Call)))
	})
}

// keepsType reports whether a call may compute with an argument in the type that it has.
func keepsType(info *names.Info, call syntax.Node) bool {
	if q := info.Callee(call); strings.HasPrefix(q, "tensorflow.") {
		return !strings.HasPrefix(q, "tensorflow.keras.") && q != "tensorflow.cast" && q != "tensorflow.shape" && !facts.Identity[q]
	}
	function := call.Child(syntax.FieldFunction)
	return len(obstacles.RanBy(info, call)) == 0 && function.Kind() == syntax.Identifier && info.Lookup(function) != nil &&
		!facts.Of(info).Kinds(function, nil).May(facts.Model)
}
