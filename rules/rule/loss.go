package rule

import (
	"fmt"
	"strings"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/facts"
	"github.com/tfmem/tfmem/analyzer/facts/origins"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// MeanLoss says why a loss is not known to be a mean over the examples of a batch, plus terms that
// do not depend on them. Only for such a loss does the average over parts of a batch equal the loss
// of the whole. The result is empty if the loss is known to be one.
func MeanLoss(info *names.Info, loss syntax.Node) (why string) {
	f := facts.Of(info)
	f.All(loss, nil, func(term origins.Place, same func(origins.Place) bool) bool {
		mean, because := meanTerm(f, info, term, same)
		if !mean && why == "" {
			if why = because; why == "" {
				why = fmt.Sprintf("it is not known whether the loss, %s, is a mean over the examples of a batch", strings.Join(strings.Fields(term.Node.Text()), " "))
			}
		}
		return mean
	})
	return why
}

// meanTerm reports whether a term of a loss is known to be a mean, or a number that is the same for
// every batch, and says why it is not where that is known.
func meanTerm(f *facts.Facts, info *names.Info, term origins.Place, same func(origins.Place) bool) (mean bool, why string) {
	n := term.Node
	of := func(part syntax.Node) bool { return same(origins.Place{Node: part, In: term.In}) }
	constant := func(part syntax.Node) bool { return f.Number(part, term.In).Complete }
	left, right := n.Child(syntax.FieldLeft), n.Child(syntax.FieldRight)
	switch n.Kind() {
	case syntax.Integer, syntax.Float:
		return true, ""
	case syntax.AugmentedAssignment:
		if operator := n.Child(syntax.FieldOperator).Text(); operator != "+=" && operator != "-=" {
			return false, "the loss is changed by " + operator
		}
		return of(right) && of(left), ""
	case syntax.BinaryOperator:
		switch n.Child(syntax.FieldOperator).Text() {
		case "+", "-":
			return of(left) && of(right), ""
		case "*":
			return constant(left) && of(right) || constant(right) && of(left), ""
		case "/":
			return constant(right) && of(left), ""
		}
	case syntax.Call:
		return meanCall(info, n, of)
	}
	return false, ""
}

// Constant reports whether an expression is a number that is the same for every batch.
func Constant(info *names.Info, n syntax.Node) bool { return facts.Of(info).Number(n, nil).Complete }

// meanCall is meanTerm for a call of what is not a function of the program.
func meanCall(info *names.Info, call syntax.Node, of func(syntax.Node) bool) (mean bool, why string) {
	function := call.Child(syntax.FieldFunction)
	switch info.Callee(call) {
	case "tensorflow.reduce_mean", "tensorflow.math.reduce_mean", "tensorflow.keras.ops.mean":
		axis := names.Argument(call, 1, "axis")
		return !names.HasSplat(call) && (!axis.Valid() || axis.Kind() == syntax.NoneLiteral), ""
	case "tensorflow.reduce_sum", "tensorflow.add_n", "tensorflow.math.add_n":
		return ofLayers(call), "the loss is a sum over the examples, not a mean"
	case "tensorflow.add", "tensorflow.math.add":
		return of(names.Argument(call, 0, "x")) && of(names.Argument(call, 1, "y")), ""
	}
	if function.Text() == "sum" && info.Lookup(function) == nil {
		return ofLayers(call), ""
	}
	switch names.Method(call) {
	case "get_scaled_loss", "scale_loss": // multiplied by a factor, for float16
		return of(names.Argument(call, 0, "loss")), ""
	}
	if class := info.TypeOf(function).Class; strings.HasPrefix(class, "tensorflow.keras.losses.") {
		made := info.DefiningExpr(function)
		if made.Kind() != syntax.Call {
			return false, ""
		}
		reduction := names.Argument(made, -1, "reduction")
		value, _ := names.StringValue(reduction)
		return !names.HasSplat(made) && (!reduction.Valid() || value == "sum_over_batch_size"), "the loss on this batch is not reduced by a mean"
	}
	return false, ""
}

// ofLayers reports whether a call sums the losses that layers add themselves.
func ofLayers(call syntax.Node) bool {
	first := call.Child(syntax.FieldArguments).FirstChild()
	return first.Kind() == syntax.Attribute && first.Child(syntax.FieldAttribute).Text() == "losses" && !first.Next().Valid()
}

// MinimizedLoss returns the function or lambda that an optimizer's minimize calls under a tape of
// its own to compute the loss, or none.
func MinimizedLoss(info *names.Info, call syntax.Node) syntax.Node {
	if !effects.Of(info.Callee(call)).Has(effects.AppliesGradients) || names.Method(call) != "minimize" {
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
