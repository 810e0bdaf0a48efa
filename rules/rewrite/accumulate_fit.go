package rewrite

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tfmem/tfmem/analyzer/dataset"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// accumulateInFit passes gradient_accumulation_steps to the optimizer and divides the batch size by
// it or, for Keras 2, gives the model a train_step that processes its batch in parts. Keras 3
// averages the gradients of this many batches before it applies them, and leaves what remains at
// the end of an epoch in the accumulators. A learning rate schedule, and the moving average of
// use_ema, count every batch (keras/src/optimizers/base_optimizer.py, _backend_apply_gradients and
// _get_current_learning_rate).
func accumulateInFit(p *Place, fit syntax.Node) (Change, error) {
	compile, err := compiledForParts(p, fit)
	if err != nil {
		return Change{}, err
	}
	if keras2(p) {
		edits, err := trainStepInParts(p, fit, compile, 4)
		return Change{Edits: edits}, err
	}
	for _, counted := range []string{"steps_per_epoch", "validation_steps"} {
		if v := names.Argument(fit, -1, counted); v.Valid() && v.Kind() != syntax.NoneLiteral {
			return Change{}, fmt.Errorf("%s counts batches, of which there will be more", counted)
		}
	}
	made, class, err := optimizerOf(p, compile)
	if err != nil {
		return Change{}, err
	}
	edits, parts, err := smallerBatch(p, fit)
	if err != nil {
		return Change{}, err
	}
	optimizer, err := p.Accumulate(compile, made, class, false, parts)
	if err != nil {
		return Change{}, err
	}
	return Change{
		Title: fmt.Sprintf("Accumulate gradients over %d batches of a %s of the size (Keras 3)", parts, map[int64]string{2: "half", 4: "quarter"}[parts]),
		Edits: append(edits, optimizer...),
	}, nil
}

// compiledForParts returns the call of compile for a fit that may train on parts of its batches, or
// the reason why it may not, in any Keras version.
func compiledForParts(p *Place, fit syntax.Node) (syntax.Node, error) {
	none := syntax.Node{}
	if strings.Contains(p.File.Source.Text(), "Embedding") {
		return none, errors.New("the sparse gradients of an embedding are added up as dense ones, which most optimizers treat differently")
	}
	info := p.File.Names()
	if class := info.TypeOf(fit.Child(syntax.FieldFunction).Child(syntax.FieldObject)).Local; class != nil {
		for _, method := range []string{"train_step", "compute_loss"} {
			if info.Method(class, method) != nil {
				return none, fmt.Errorf("the model has a %s of its own", method)
			}
		}
	}
	if strategy := p.strategy(); strategy.Valid() {
		return none, fmt.Errorf("the program has a distribution strategy, on %s", p.line(strategy))
	}
	compile, err := compileOf(p, fit)
	if err != nil {
		return none, err
	}
	if names.HasSplat(fit) || names.HasSplat(compile) || !rule.Fixable(fit) || !rule.Fixable(compile) {
		return none, errors.New("the arguments of fit or compile are not all written out")
	}
	if why := rule.MeanCompiled(info, names.Argument(compile, 1, "loss")); why != "" {
		return none, errors.New(why)
	}
	return compile, nil
}

// keras2 reports whether a file runs Keras 2, according to the project or to the code itself.
func keras2(p *Place) bool {
	if p.File.Releases().Keras() == 2 {
		return true
	}
	text := p.File.Source.Text()
	return slices.ContainsFunc([]string{"tf_keras", "TF_USE_LEGACY_KERAS", "optimizers.legacy", "fit_generator", graphMode, ownKeras}, func(sign string) bool {
		return strings.Contains(text, sign)
	})
}

// These show Keras of TensorFlow 1, which builds its own graphs.
const graphMode, ownKeras = "tensorflow.compat.v1", "tensorflow.python.keras"

// TrainStepInParts returns the edits that give a Keras 2 model a train_step which processes each
// batch of fit in this many parts, as [AccumulateGradients] does, or the reason why that is not
// possible.
func TrainStepInParts(pass *rule.Pass, fit syntax.Node, parts int64) ([]source.Edit, error) {
	p := &Place{Pass: pass, Span: rule.Span(fit)}
	compile, err := compiledForParts(p, fit)
	if err != nil {
		return nil, err
	}
	edits, err := trainStepInParts(p, fit, compile, parts)
	return joined(edits), err
}

// trainStepInParts gives a Keras 2 model a train_step that processes each batch of fit in this many
// parts, one after the other, and applies the mean of their gradients. Only the graph knows how
// many examples a batch has (keras/engine/training.py, make_train_function).
func trainStepInParts(p *Place, fit, compile syntax.Node, parts int64) ([]source.Edit, error) {
	for _, sign := range []string{graphMode, ownKeras, "mixed_float16", "LossScaleOptimizer"} {
		if strings.Contains(p.File.Source.Text(), sign) {
			return nil, fmt.Errorf("the file mentions %s, which changes the step of Keras 2", sign)
		}
	}
	if xla := names.Argument(compile, -1, "jit_compile"); xla.Valid() && !xla.Is(syntax.False, syntax.NoneLiteral) {
		return nil, errors.New("XLA cannot compile parts whose size depends on the batch")
	}
	built := false
	for _, u := range p.File.Models().Uses {
		built = built || u.Node == fit && len(u.Model.Inputs) > 0 && !u.Model.Fed && u.Model.Built() && u.Model.Own == nil
	}
	if !built {
		return nil, errors.New("it is not known whether the model has its weights before it sees data")
	}
	after := statement(compile)
	if err := p.whole(after); err != nil {
		return nil, err
	}
	tf, edits, err := p.tensorflow(compile)
	if err != nil {
		return nil, err
	}
	free, err := p.free([]string{"train_in_parts", "train_step_in_parts"})
	if err != nil {
		return nil, err
	}
	name, model := free[0], fit.Child(syntax.FieldFunction).Child(syntax.FieldObject).Text()
	for _, taken := range []string{"data", "size", "rows", "add_part", "start", "total", "part", "x", "y", "weights", "tape", "predictions", "loss", "share", "gradients", "zeros", "t", "g", "v", "m"} {
		if taken == model || taken == tf {
			return nil, fmt.Errorf("%s is a name that the step needs for itself", taken)
		}
	}
	text := trainInParts
	if p.IndentOf(after) == "" {
		text = "\n" + strings.Replace(text, "\n\nMODEL.", "\n\n\nMODEL.", 1)
	}
	lines := strings.Split(strings.NewReplacer("MODEL", model, "TF", tf, "NAME", name, "NUMBER", number(parts), "LESS", strconv.FormatInt(parts-1, 10), "PARTS", strconv.FormatInt(parts, 10)).Replace(text), "\n")
	return append(edits, p.insertAfter(after, lines...)), nil
}

const trainInParts = `
def NAME(data, MODEL=MODEL):
	# Each batch is taken in NUMBER parts, whose gradients are averaged.
	size = TF.shape(TF.nest.flatten(data)[0])[0]
	rows = (size + LESS) // PARTS

	def add_part(start, total):
		part = TF.nest.map_structure(lambda t: t[start:start + rows], data)
		x, y, weights = (*part, None)[:3]
		with TF.GradientTape() as tape:
			predictions = MODEL(x, training=True)
			loss = MODEL.compiled_loss(y, predictions, weights, regularization_losses=MODEL.losses)
		MODEL.compiled_metrics.update_state(y, predictions, weights)
		gradients = tape.gradient(loss, MODEL.trainable_variables)
		share = TF.cast(TF.minimum(rows, size - start), loss.dtype) / TF.cast(size, loss.dtype)
		return start + rows, [t if g is None else t + share * g for t, g in zip(total, gradients)]

	zeros = [TF.zeros_like(v) for v in MODEL.trainable_variables]
	_, gradients = TF.while_loop(lambda start, total: start < size, add_part, (0, zeros), parallel_iterations=1)
	MODEL.optimizer.apply_gradients(zip(gradients, MODEL.trainable_variables))
	return {m.name: m.result() for m in MODEL.metrics}

MODEL.train_step = NAME`

// compileOf returns the one call of compile on the model that fit trains.
func compileOf(p *Place, fit syntax.Node) (syntax.Node, error) {
	info := p.File.Names()
	model := fit.Child(syntax.FieldFunction).Child(syntax.FieldObject)
	bindings := info.ReachingDefs(model)
	if model.Kind() != syntax.Identifier || len(bindings) != 1 {
		return syntax.Node{}, errors.New("it is not known where the model is compiled")
	}
	var found syntax.Node
	for _, use := range info.Uses(bindings[0]) {
		call := use.Parent().Parent()
		if use.Parent().Kind() != syntax.Attribute || use.Parent().Child(syntax.FieldAttribute).Text() != "compile" || call.Kind() != syntax.Call {
			continue
		}
		if found.Valid() {
			return found, fmt.Errorf("the model is compiled twice, on %s and %s", p.line(found), p.line(call))
		}
		found = call
	}
	if !found.Valid() || found.Start() > fit.Start() {
		return syntax.Node{}, errors.New("it is not known where the model is compiled")
	}
	return found, nil
}

// optimizerOf returns what creates the optimizer of a call of compile, or the class that its name
// stands for.
func optimizerOf(p *Place, compile syntax.Node) (made syntax.Node, class string, err error) {
	given := names.Argument(compile, 0, "optimizer")
	if name, ok := names.StringValue(given); ok {
		return made, optimizers[strings.ToLower(name)], nil
	}
	made = p.File.Names().DefiningExpr(given)
	class, ok := strings.CutPrefix(p.File.Names().Callee(made), "tensorflow.keras.optimizers.")
	if !ok || strings.Contains(class, ".") || class == "LossScaleOptimizer" {
		return made, class, errors.New("the optimizer is not one of Keras's that is made in this file")
	}
	return made, class, nil
}

// optimizers are the classes that names stand for in compile.
var optimizers = map[string]string{
	"adam": "Adam", "sgd": "SGD", "rmsprop": "RMSprop", "adagrad": "Adagrad", "adadelta": "Adadelta", "adamax": "Adamax",
	"nadam": "Nadam", "ftrl": "Ftrl", "adamw": "AdamW", "lion": "Lion", "adafactor": "Adafactor",
}

// smallerBatch divides the batch size of fit by the number of parts, which it chooses.
func smallerBatch(p *Place, fit syntax.Node) (edits []source.Edit, parts int64, err error) {
	info := p.File.Names()
	x, size := names.Argument(fit, 0, "x"), names.Argument(fit, 2, "batch_size")
	if d := dataset.NewTracer(info).Of(x); d.State == dataset.NotDataset {
		switch {
		case size.Valid() && size.Kind() != syntax.NoneLiteral:
		case size.Valid() || !names.Argument(fit, 1, "y").Valid():
			return nil, 0, errors.New("it is not known in what batches fit takes its data")
		default: // 32, the default
			last := x
			for a := range fit.Child(syntax.FieldArguments).Children() {
				last = a
			}
			if last.Kind() == syntax.Comment {
				return nil, 0, errors.New("the call has comments among its arguments")
			}
			return []source.Edit{source.Insert(last.End(), ", batch_size=8")}, 4, nil
		}
	} else if size, err = batchStep(info, x); err != nil {
		return nil, 0, err
	}
	n, ok := p.File.Facts().Number(size, nil).Whole()
	if !ok || !size.Is(syntax.Integer, syntax.Identifier) || !p.Here(size) || !rule.Fixable(size) {
		return nil, 0, errors.New("the size of a batch is not a number in this file")
	}
	switch {
	case n >= 4 && n%4 == 0:
		parts = 4
	case n >= 2 && n%2 == 0:
		parts = 2
	default:
		return nil, 0, fmt.Errorf("a batch of %d cannot be divided into equal parts", n)
	}
	if size.Kind() == syntax.Integer {
		return []source.Edit{{Span: rule.Span(size), New: strconv.FormatInt(n/parts, 10)}}, parts, nil
	}
	return []source.Edit{{Span: source.Span{Start: size.End(), End: size.End()}, New: fmt.Sprintf(" // %d", parts)}}, parts, nil
}

// batchStep returns the size in the one step of a pipeline that makes its batches.
func batchStep(info *names.Info, n syntax.Node) (syntax.Node, error) {
	unknown := errors.New("it is not known where the dataset is batched")
	for range 100 {
		switch n.Kind() {
		case syntax.ParenthesizedExpression:
			n = n.FirstChild()
		case syntax.Identifier:
			b := info.ReachingDefs(n)
			if len(b) != 1 || b[0].Kind != names.AssignBinding {
				return syntax.Node{}, unknown
			}
			n = b[0].Value
		case syntax.Call:
			f := n.Child(syntax.FieldFunction)
			switch method := f.Child(syntax.FieldAttribute).Text(); {
			case method == "batch":
				if drop := names.Argument(n, 1, "drop_remainder"); names.HasSplat(n) || drop.Valid() && drop.Kind() != syntax.False {
					return syntax.Node{}, errors.New("drop_remainder drops other examples if batches are smaller")
				}
				return names.Argument(n, 0, "batch_size"), nil
			case slices.Contains([]string{"prefetch", "cache", "repeat", "map"}, method):
				n = f.Child(syntax.FieldObject)
			default:
				return syntax.Node{}, fmt.Errorf("%s, after the batches are made, counts them or is not known", f.Text())
			}
		default:
			return syntax.Node{}, unknown
		}
	}
	return syntax.Node{}, unknown
}
