package rule

import (
	"fmt"
	"strings"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/facts"
	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// MeanLoss says why a loss is not known to be a mean over the examples of a batch, plus terms that
// do not depend on them. Only for such a loss does the average over parts of a batch equal the loss
// of the whole. The result is empty if the loss is known to be one.
func MeanLoss(info *names.Info, loss syntax.Node) string { return meanLoss(info, loss, 0) }

func meanLoss(info *names.Info, n syntax.Node, depth int) string {
	defer info.Enter(n).Leave()
	unknown := fmt.Sprintf("it is not known whether the loss, %s, is a mean over the examples of a batch", strings.Join(strings.Fields(n.Text()), " "))
	if depth > 8 {
		return unknown
	}
	switch n.Kind() {
	case syntax.ParenthesizedExpression:
		return meanLoss(info, n.FirstChild(), depth+1)
	case syntax.Integer, syntax.Float:
		return ""
	case syntax.Identifier:
		reaching := info.ReachingDefs(n)
		if len(reaching) == 0 {
			return unknown
		}
		for _, b := range reaching {
			why := unknown
			switch b.Kind {
			case names.AssignBinding:
				why = meanLoss(info, b.Value, depth+1)
			case names.AugmentedBinding:
				why = meanAugmented(info, b, depth+1)
			}
			if why != "" {
				return why
			}
		}
		return ""
	case syntax.BinaryOperator:
		left, right := n.Child(syntax.FieldLeft), n.Child(syntax.FieldRight)
		switch n.Child(syntax.FieldOperator).Text() {
		case "+", "-":
			if why := meanLoss(info, left, depth+1); why != "" {
				return why
			}
			return meanLoss(info, right, depth+1)
		case "*":
			if Constant(info, left) {
				return meanLoss(info, right, depth+1)
			}
			fallthrough
		case "/":
			if Constant(info, right) {
				return meanLoss(info, left, depth+1)
			}
		}
	case syntax.Call:
		return meanCall(info, n, unknown, depth)
	}
	return unknown
}

// meanAugmented is meanLoss for "loss += term".
func meanAugmented(info *names.Info, b *names.Binding, depth int) string {
	defer info.Enter(b.Node).Leave()
	s := b.Node.Parent()
	if operator := s.Child(syntax.FieldOperator).Text(); operator != "+=" && operator != "-=" {
		return "the loss is changed by " + operator
	}
	if why := meanLoss(info, s.Child(syntax.FieldRight), depth); why != "" {
		return why
	}
	return meanLoss(info, b.Node, depth)
}

// Constant reports whether an expression is a number that is the same for every batch.
func Constant(info *names.Info, n syntax.Node) bool {
	number := facts.Of(info).Number(n, nil)
	return number.Known && number.Complete
}

func meanCall(info *names.Info, call syntax.Node, unknown string, depth int) string {
	defer info.Enter(call).Leave()
	function := call.Child(syntax.FieldFunction)
	switch info.Callee(call) {
	case "tensorflow.reduce_mean", "tensorflow.math.reduce_mean", "tensorflow.keras.ops.mean":
		if axis := names.Argument(call, 1, "axis"); names.HasSplat(call) || axis.Valid() && axis.Kind() != syntax.NoneLiteral {
			return unknown
		}
		return ""
	case "tensorflow.reduce_sum", "tensorflow.add_n", "tensorflow.math.add_n":
		return regularisation(call, "the loss is a sum over the examples, not a mean")
	case "tensorflow.add", "tensorflow.math.add":
		if why := meanLoss(info, names.Argument(call, 0, "x"), depth+1); why != "" {
			return why
		}
		return meanLoss(info, names.Argument(call, 1, "y"), depth+1)
	}
	if function.Text() == "sum" && info.Lookup(function) == nil {
		return regularisation(call, unknown)
	}
	if function.Kind() == syntax.Attribute {
		switch function.Child(syntax.FieldAttribute).Text() {
		case "get_scaled_loss", "scale_loss": // multiplied by a factor, for float16
			return meanLoss(info, names.Argument(call, 0, "loss"), depth+1)
		}
	}
	if class := info.TypeOf(function).Class; strings.HasPrefix(class, "tensorflow.keras.losses.") {
		made := info.DefiningExpr(function)
		if made.Kind() != syntax.Call {
			return unknown
		}
		reduction := names.Argument(made, -1, "reduction")
		if value, _ := names.StringValue(reduction); names.HasSplat(made) || reduction.Valid() && value != "sum_over_batch_size" {
			return "the loss on this batch is not reduced by a mean"
		}
		return ""
	}
	if f := info.Target(function).Function; f != nil && len(f.Returns) > 0 {
		for _, r := range f.Returns {
			if why := meanLoss(f.Info, r, depth+1); why != "" {
				return why
			}
		}
		return ""
	}
	return unknown
}

// regularisation accepts the sum of the losses that layers add themselves.
func regularisation(call syntax.Node, why string) string {
	first := call.Child(syntax.FieldArguments).FirstChild()
	if first.Kind() == syntax.Attribute && first.Child(syntax.FieldAttribute).Text() == "losses" && !first.Next().Valid() {
		return ""
	}
	return why
}

// TrainsEagerly reports whether a call that applies gradients surely does so at once. An optimizer
// of TensorFlow 1 may only add operations to a graph, unless it is given a function.
func TrainsEagerly(info *names.Info, e *flow.Event) bool {
	return !e.Effects.Has(effects.AddsOperation) || MinimizedLoss(info, e.Node).Valid()
}

// MinimizedLoss returns the function or lambda that an optimizer's minimize calls under a tape of
// its own to compute the loss, or none.
func MinimizedLoss(info *names.Info, call syntax.Node) syntax.Node {
	e := effects.Lookup(info.Callee(call))
	if e == nil || !e.Effects.Has(effects.AppliesGradients) || Method(call) != "minimize" {
		return syntax.Node{}
	}
	loss := names.Argument(call, 0, "loss")
	if loss.Kind() == syntax.Lambda {
		return loss
	}
	if t := info.Target(loss); t.Function != nil && t.Class == nil {
		return t.Function.Node
	}
	if made := info.DefiningExpr(loss); made.Kind() == syntax.Lambda {
		return made
	}
	return syntax.Node{}
}
