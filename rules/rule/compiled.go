package rule

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/facts"
	"github.com/tfmem/tfmem/analyzer/facts/origins"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// MeanCompiled says why the loss that compile is given is not known to be a mean over the examples
// of a batch. By default Keras computes that mean: it averages what a function returns, or an own class of
// losses (keras/src/trainers/compile_utils.py, get_loss; keras/src/losses/loss.py, reduce_weighted_values). The
// result is empty if the loss, or each of several, is known to be a mean.
func MeanCompiled(info *names.Info, loss syntax.Node) string {
	if !loss.Valid() {
		return "the model is compiled without a loss that is seen here"
	}
	why := ""
	if facts.Of(info).All(loss, nil, func(origin origins.Place, same func(origins.Place) bool) bool {
		mean, because := reducedByMean(info, origin, same)
		if !mean {
			why = cmp.Or(why, because)
		}
		return mean
	}) {
		return ""
	}
	return cmp.Or(why, "it is not known whether the loss is a mean over the examples of a batch")
}

// reducedByMean reports whether Keras averages a loss that compile is given, or each of several, and says why it does
// not where that is known.
func reducedByMean(info *names.Info, origin origins.Place, same func(origins.Place) bool) (mean bool, why string) {
	n := origin.Node
	each := func(items ...syntax.Node) bool {
		for _, item := range items {
			if item.Kind() != syntax.Comment && !same(origins.Place{Node: item, In: origin.In}) {
				return false
			}
		}
		return true
	}
	switch n.Kind() {
	case syntax.String, syntax.NoneLiteral, syntax.Lambda, syntax.FunctionDefinition:
		return true, ""
	case syntax.List, syntax.Tuple:
		return each(slices.Collect(n.Children())...), ""
	case syntax.Dictionary:
		for pair := range n.Children() {
			if pair.Kind() != syntax.Comment && (pair.Kind() != syntax.Pair || !each(pair.Child(syntax.FieldValue))) {
				return false, ""
			}
		}
		return true, ""
	case syntax.Identifier, syntax.Attribute:
		return info.Target(n).Function != nil || strings.HasPrefix(info.Qualified(n), "tensorflow.keras.losses."), ""
	case syntax.Call:
		if names.HasSplat(n) {
			return false, ""
		}
		if reduction := names.Argument(n, -1, "reduction"); reduction.Valid() && !slices.Contains(means, lastPart(reduction)) {
			if lastPart(reduction) == "sum" || lastPart(reduction) == "SUM" {
				return false, "the loss is a sum over the examples of a batch, not a mean"
			}
			return false, ""
		}
		class := info.Target(n.Child(syntax.FieldFunction)).Class
		return strings.HasPrefix(info.Callee(n), "tensorflow.keras.losses.") || class != nil && info.Inherits(class, "tensorflow.keras.losses.Loss") && !setsReduction(class), ""
	}
	return false, ""
}

// means are the reductions that are a mean over the examples of a batch.
var means = []string{"sum_over_batch_size", "SUM_OVER_BATCH_SIZE", "mean", "auto", "AUTO"}

// lastPart returns a string, or the last part of a name.
func lastPart(n syntax.Node) string {
	if text, ok := names.StringValue(n); ok {
		return text
	}
	if last := n.Child(syntax.FieldAttribute); last.Valid() {
		return last.Text()
	}
	return n.Text()
}

// setsReduction reports whether a class of losses may have another reduction than Keras's default.
func setsReduction(class *names.Class) bool {
	return slices.ContainsFunc(class.Info.Calls, func(call syntax.Node) bool {
		reduction := names.Argument(call, -1, "reduction")
		return call.Within(class.Node) && (reduction.Valid() && !slices.Contains(means, lastPart(reduction)))
	})
}

// Accumulate returns the edits that make the optimizer of a call of compile average the gradients
// of this many batches before it applies them, as Keras 3 can
// (keras/src/optimizers/base_optimizer.py, _backend_apply_gradients). made is the call that creates
// the optimizer, or none if compile is given the name of its class. oneRate is set if its learning rate is known to be
// a number.
func (p *Pass) Accumulate(compile, made syntax.Node, class string, oneRate bool, batches int64) ([]source.Edit, error) {
	info := p.File.Names()
	argument := fmt.Sprintf("gradient_accumulation_steps=%d", batches)
	if named := names.Argument(compile, 0, "optimizer"); named.Kind() == syntax.String {
		written, imports := p.classOf("optimizers", class, compile)
		if class == "" || written == "" {
			return nil, fmt.Errorf("what the optimizer %s is cannot be written out here", named.Text())
		}
		return append(imports, source.Edit{Span: Span(named), New: written + "(" + argument + ")"}), nil
	}
	if !made.Valid() || !p.Here(made) || !Fixable(made) || names.HasSplat(made) {
		return nil, errors.New("the optimizer is not one of Keras's that is made in this file")
	}
	if rate := names.Argument(made, 0, "learning_rate"); rate.Valid() && !oneRate && !Constant(info, rate) {
		return nil, errors.New("the learning rate is not known to be one number; a schedule counts batches, of which there will be more")
	}
	at, before := made.Child(syntax.FieldArguments).Start()+len("("), ""
	for a := range made.Child(syntax.FieldArguments).Children() {
		if a.Kind() == syntax.Comment {
			return nil, errors.New("the optimizer has comments among its arguments")
		}
		switch name := a.Child(syntax.FieldName).Text(); name {
		case "gradient_accumulation_steps":
			return nil, errors.New("the optimizer accumulates gradients already")
		case "use_ema":
			return nil, errors.New("the moving average of use_ema counts batches, of which there will be more")
		case "lr", "decay":
			return nil, fmt.Errorf("gradient_accumulation_steps needs Keras 3, and the argument %s is of Keras 2", name)
		}
		at, before = a.End(), ", "
	}
	return []source.Edit{source.Insert(at, before+argument)}, nil
}

// classOf returns the expression by which code at a node can name a class of a module of Keras
// ("optimizers"), and the import that this needs; "" if there is none.
func (p *Pass) classOf(module, class string, at syntax.Node) (written string, imports []source.Edit) {
	info := p.File.Names()
	scope := info.ScopeOf(at)
	for _, bound := range []string{module + "." + class, module} {
		if name := p.Bound("tensorflow.keras."+bound, scope, at); name != "" {
			return name + strings.TrimPrefix(module+"."+class, bound), nil
		}
	}
	if keras := p.Keras(scope, at); keras != "" {
		return keras + "." + module + "." + class, nil
	}
	for _, from := range info.Imports() { // such as "from tensorflow.keras.models import Sequential"
		for _, root := range []string{"tensorflow.keras", "keras"} {
			if !strings.HasPrefix(from, root+".") || p.FreeName(class) == "" {
				continue
			}
			if edit, ok := p.ImportAlso("from "+root+"."+module+" import "+class, at); ok {
				return class, []source.Edit{edit}
			}
		}
	}
	return "", nil
}
