package pipeline

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// PredictInLoop is TFM308.
var PredictInLoop = &rule.Rule{
	Code: "TFM308", Name: "predict-in-loop", Severity: rule.Hint,
	Summary: "Model.predict is called for a single example in every loop iteration.",
	What: `
Checks for Model.predict in a loop, or in a function that a loop calls, if its
argument is surely a single example that changes in every iteration: a batch of
one made by expand_dims, a new axis, a reshape, a slice or a list of one, or the
state of an environment, of which only the first prediction is read.`,
	Why: `
predict is made for large amounts of data: each call builds a dataset and an
iterator, and runs the callbacks. For one example this takes many times as long
as the model itself. Each call also leaves memory behind: hundreds of megabytes
after a thousand calls in Keras 2. predict_on_batch takes its input as one
batch and does none of this. If the examples do not depend on one another, one
predict call for all of them is faster still.`,
	Bad: `
import numpy as np
import tensorflow as tf

model = tf.keras.models.load_model("model.keras")
for path in paths:
    image = read(path)
    scores = model.predict(np.expand_dims(image, 0), verbose=0)
    report(path, scores[0])`,
	Good: `
import numpy as np
import tensorflow as tf

model = tf.keras.models.load_model("model.keras")
for path in paths:
    image = read(path)
    scores = model.predict_on_batch(np.expand_dims(image, 0))
    report(path, scores[0])`,
	FixSafety: `
Unsafe: predict_on_batch returns the same arrays, but runs no callbacks, and a
subclass may override it.`,
	Limitations: `
Calls on batches, loops of at most 50 iterations, loops over models, and
callbacks are not reported.`,
	References: []rule.Reference{
		rule.Keras("models/model_training_apis#predict-method", "Model.predict"),
		rule.Keras("models/model_training_apis#predict_on_batch-method", "Model.predict_on_batch"),
		rule.API("tf.keras.Model#predict"),
	},
	Triggers: []string{".predict("},
	Imported: true,
	Check:    checkPredict,
}

func checkPredict(p *rule.Pass) {
	reported := map[syntax.Node]bool{}
	var calls []syntax.Node // that lead into other modules, which predict there
	elsewhere := map[syntax.Node]*rule.Finding{}
	for _, t := range p.File.Flow().Traces() {
		for i := range t.Events {
			e := &t.Events[i]
			if e.Name != "tensorflow.keras.Model.predict" || e.Context&flow.InLoop == 0 || reported[e.Node] || few(p.File.Names(), e.Loop) {
				continue
			}
			at := p.Nearest(e)
			if at.Kind() != syntax.Call || at != e.Node && !p.Here(e.Loop) {
				continue // the other module's own finding
			}
			c := &example{info: p.File.Names(), event: e, loop: e.Loop}
			if !c.isOne(names.Argument(e.Node, 0, "x")) || !c.changes(e) {
				continue
			}
			reported[e.Node] = true
			span := rule.Callee(at)
			inLoop := p.Related(e.Loop, head(e.Loop), "in this loop")
			claim := "predict() is called for a single example in every loop iteration. "
			if !e.EveryIteration {
				claim = "predict() is called for a single example in a loop. "
			}
			const instead = "Use predict_on_batch(), or, where all examples are known before the loop, one predict() for all."
			switch f := elsewhere[at]; {
			case at == e.Node:
				p.Report(rule.Finding{
					Span: span,
					Message: fmt.Sprintf(claim+"Each call in the loop on %s builds a dataset and its iterator. "+
						instead, p.Line(e.Loop, span)),
					Related: []rule.Related{inLoop},
					Fixes:   onBatch(p, e.Node),
				})
			case f == nil:
				calls = append(calls, at)
				elsewhere[at] = &rule.Finding{
					Span: span,
					Message: fmt.Sprintf(claim+"It is called on %s, and each call in the loop on %s builds a dataset and its iterator. "+
						instead, p.Line(e.Node, span), p.Line(e.Loop, span)),
					Related: []rule.Related{inLoop, p.Related(e.Node, rule.Callee(e.Node), "predict() is called here")},
				}
			default:
				f.Related = append(f.Related, p.Related(e.Node, rule.Callee(e.Node), "predict() is called here"))
			}
		}
	}
	for _, at := range calls {
		p.Report(*elsewhere[at])
	}
}

// fewIterations is the largest number of iterations of a loop that is taken to show a few examples.
const fewIterations = 50

// few reports whether a loop surely has only a few iterations.
func few(info *names.Info, loop syntax.Node) bool {
	over := loop.Child(syntax.FieldRight)
	if !over.Valid() {
		for c := range loop.Children() {
			if c.Kind() == syntax.ForInClause {
				over = c.Child(syntax.FieldRight)
				break
			}
		}
	}
	return fewItems(info, over)
}

func fewItems(info *names.Info, n syntax.Node) bool {
	if n = info.DefiningExpr(n); !n.Valid() {
		return false
	}
	switch n.Kind() {
	case syntax.List, syntax.Tuple, syntax.ExpressionList, syntax.Set, syntax.Dictionary:
		return true
	case syntax.Subscript: // x[:10], x[-10:]
		slice := n.Child(syntax.FieldSubscript)
		from, _, _ := strings.Cut(slice.Text(), ":")
		return slice.Kind() == syntax.Slice && slices.ContainsFunc(slices.Collect(slice.Children()), func(bound syntax.Node) bool {
			ends := bound.Start() > slice.Start()+len(from)
			return small(info, bound) && ends != strings.HasPrefix(info.DefiningExpr(bound).Text(), "-")
		})
	case syntax.Call:
		function, arguments := n.Child(syntax.FieldFunction), n.Child(syntax.FieldArguments)
		first := names.Element(arguments, 0)
		switch name := function.Text(); {
		case name == "range":
			if stop := names.Element(arguments, 1); stop.Valid() {
				return small(info, stop)
			}
			if first.Kind() == syntax.Call && first.Child(syntax.FieldFunction).Text() == "len" {
				return fewItems(info, names.Element(first.Child(syntax.FieldArguments), 0))
			}
			return small(info, first)
		case name == "enumerate", name == "tqdm", name == "list", name == "reversed", name == "sorted":
			return fewItems(info, first)
		case name == "zip":
			return slices.ContainsFunc(slices.Collect(arguments.Children()), func(a syntax.Node) bool { return fewItems(info, a) })
		case function.Child(syntax.FieldAttribute).Text() == "take":
			return small(info, first)
		}
	}
	return false
}

// small reports whether an expression is a small number of iterations.
func small(info *names.Info, n syntax.Node) bool {
	iterations, err := strconv.Atoi(info.DefiningExpr(n).Text())
	return err == nil && iterations <= fewIterations
}

// An example is what a call in a loop predicts.
type example struct {
	info  *names.Info
	event *flow.Event
	loop  syntax.Node
	// leaves are the identifiers in it.
	leaves []syntax.Node
}

// isOne reports whether the prediction is surely of one example. It is made on a batch of one, or
// on a state of an environment, current or remembered, and only its first result is ever read.
func (c *example) isOne(argument syntax.Node) bool {
	if c.single(argument, 0) {
		return true
	}
	c.leaves = nil
	if argument.Kind() != syntax.Identifier || !c.steps() && !c.remembered(argument) || !c.onlyFirst(c.event.Node, slices.Clone(c.event.Path)) {
		return false
	}
	c.note(argument)
	return true
}

// steps reports whether each iteration takes a step in an environment with the action that one
// prediction gives.
func (c *example) steps() bool {
	found := false
	c.loop.Walk(func(n syntax.Node) bool {
		if n.Kind() == syntax.Assignment && n.Child(syntax.FieldRight).Kind() == syntax.Call {
			function := n.Child(syntax.FieldRight).Child(syntax.FieldFunction)
			targets := n.Child(syntax.FieldLeft)
			found = found || function.Child(syntax.FieldAttribute).Text() == "step" && targets.Is(syntax.PatternList, syntax.TuplePattern) && len(slices.Collect(targets.Children())) >= 4
		}
		return !found
	})
	return found
}

// remembered reports whether a name stands for part of what the loop takes from a random sample of
// a replay memory.
func (c *example) remembered(name syntax.Node) bool {
	sample := c.info.DefiningExpr(c.loop.Child(syntax.FieldRight))
	if sample.Kind() != syntax.Call || c.info.Callee(sample) != "random.sample" {
		return false
	}
	for range 4 { // state = state
		bindings := c.info.ReachingDefs(name)
		if len(bindings) != 1 {
			return false
		}
		if b := bindings[0]; b.Node.Within(c.loop.Child(syntax.FieldLeft)) {
			return true
		} else if name = b.Value; b.Kind != names.AssignBinding || name.Kind() != syntax.Identifier {
			return false
		}
	}
	return false
}

// onlyFirst reports whether only the first item of a call's result is read. The result may be used
// directly, through a name or, if it is returned, through the previous call on the path. A model
// may also be fitted to a name.
func (c *example) onlyFirst(call syntax.Node, path []syntax.Node) bool {
	parent := call.Parent()
	switch {
	case parent.Kind() == syntax.Subscript && call.Field() == syntax.FieldValue:
		return first(parent)
	case parent.Kind() == syntax.ReturnStatement:
		return len(path) > 0 && c.onlyFirst(path[len(path)-1], path[:len(path)-1])
	case parent.Kind() != syntax.Assignment || parent.Child(syntax.FieldLeft).Kind() != syntax.Identifier:
		return false
	}
	b := c.info.BindingAt(parent.Child(syntax.FieldLeft))
	if b == nil {
		return false
	}
	read := false
	for _, use := range c.info.Uses(b) {
		switch parent := use.Parent(); {
		case parent.Kind() == syntax.Subscript && use.Field() == syntax.FieldValue && first(parent):
			read = true
		case parent.Kind() == syntax.ReturnStatement && len(path) > 0 && c.onlyFirst(path[len(path)-1], path[:len(path)-1]):
			read = true
		case parent.Kind() == syntax.ArgumentList && rule.Method(parent.Parent()) == "fit":
		default:
			return false
		}
	}
	return read
}

// first reports whether a subscript reads the first item.
func first(subscript syntax.Node) bool {
	index := subscript.Child(syntax.FieldSubscript)
	if index.Is(syntax.Tuple, syntax.ExpressionList) {
		index = index.FirstChild()
	}
	return index.Text() == "0"
}

// single reports whether an expression is surely a batch of one example.
func (c *example) single(n syntax.Node, depth int) bool {
	made := c.event.DefiningExpr(c.info, n)
	if b := c.info.ReachingDefs(n); !made.Valid() && len(b) == 1 && b[0].Kind == names.UnpackBinding && b[0].Value.Kind() == syntax.Call {
		made = b[0].Value // each of its results has as many examples
	}
	if !made.Valid() || depth > 16 {
		return false
	}
	switch made.Kind() {
	case syntax.List, syntax.Tuple: // the inputs of a model with several, each of as many examples
		items := slices.Collect(made.Children())
		if depth == 0 && len(items) > 1 && slices.ContainsFunc(items, func(item syntax.Node) bool { return c.single(item, depth+1) }) {
			c.note(made)
			return true
		}
	case syntax.Subscript:
		index := made.Child(syntax.FieldSubscript)
		if c.newAxis(index) || one(index) {
			c.note(made.Child(syntax.FieldValue))
			c.note(index)
			return true
		}
	case syntax.BinaryOperator: // x / 255.0
		left, right := made.Child(syntax.FieldLeft), made.Child(syntax.FieldRight)
		return right.Is(syntax.Integer, syntax.Float) && c.single(left, depth+1)
	case syntax.Call:
		return c.singleCall(made, depth)
	}
	return false
}

func (c *example) singleCall(call syntax.Node, depth int) bool {
	arguments := call.Child(syntax.FieldArguments)
	first := names.Element(arguments, 0)
	switch c.info.Callee(call) {
	case "numpy.expand_dims", "tensorflow.expand_dims", "tensorflow.keras.ops.expand_dims":
		if names.Argument(call, 1, "axis").Text() == "0" {
			c.note(first)
			return true
		}
		return c.single(first, depth+1)
	case "tensorflow.keras.utils.pad_sequences", "tensorflow.keras.preprocessing.sequence.pad_sequences",
		"numpy.array", "numpy.asarray", "numpy.stack", "numpy.vstack", "tensorflow.constant", "tensorflow.convert_to_tensor", "tensorflow.stack":
		return c.listOfOne(first) || c.single(first, depth+1)
	case "numpy.reshape", "tensorflow.reshape":
		if shape := names.Argument(call, 1, "shape"); startsWithOne(shape) {
			c.note(first)
			return true
		}
		return false
	case "tensorflow.cast", "numpy.float32":
		return c.single(first, depth+1)
	}
	function := call.Child(syntax.FieldFunction)
	switch function.Child(syntax.FieldAttribute).Text() {
	case "reshape":
		if first.Text() == "1" && first.Next().Valid() || startsWithOne(first) {
			c.note(function.Child(syntax.FieldObject))
			return true
		}
	case "texts_to_sequences":
		return c.listOfOne(first)
	case "astype", "numpy", "copy":
		return c.single(function.Child(syntax.FieldObject), depth+1)
	}
	if strings.HasSuffix(c.info.Callee(call), ".preprocess_input") {
		return c.single(first, depth+1)
	}
	return c.readsFirst() && c.ofOne(arguments)
}

// readsFirst reports whether only the first of the predictions is read.
func (c *example) readsFirst() bool { return first(c.event.Node.Parent()) }

// ofOne reports whether all arguments of a call are lists of one example each.
func (c *example) ofOne(arguments syntax.Node) bool {
	lists := 0
	for a := range arguments.Children() {
		if a.Kind() == syntax.KeywordArgument {
			continue
		}
		if lists++; !c.listOfOne(a) {
			return false
		}
	}
	return lists > 0
}

// listOfOne reports whether an expression is a list of one item.
func (c *example) listOfOne(n syntax.Node) bool {
	if n.Kind() != syntax.List || !names.Element(n, 0).Valid() || names.Element(n, 0).Next().Valid() {
		return false
	}
	c.note(n)
	return true
}

// newAxis reports whether an index begins with a new axis.
func (c *example) newAxis(index syntax.Node) bool {
	if index.Is(syntax.Tuple, syntax.ExpressionList) {
		index = index.FirstChild()
	}
	q := c.info.Qualified(index)
	return index.Kind() == syntax.NoneLiteral || q == "numpy.newaxis" || q == "tensorflow.newaxis"
}

// one reports whether an index is a slice of one item: i:i+1, 3:4, :1 or -1:.
func one(index syntax.Node) bool {
	from, to, ok := strings.Cut(strings.ReplaceAll(index.Text(), " ", ""), ":")
	switch {
	case !ok || index.Kind() != syntax.Slice:
		return false
	case from == "-1" && to == "", from != "" && (to == from+"+1" || to == "1+"+from):
		return true
	case from == "":
		from = "0"
	}
	start, err := strconv.Atoi(from)
	return err == nil && start != -1 && to == strconv.Itoa(start+1)
}

// startsWithOne reports whether a shape is written with a leading 1: (1, 28, 28), (1, *shape)
// or (1,) + shape.
func startsWithOne(shape syntax.Node) bool {
	if left := shape.Child(syntax.FieldLeft); shape.Kind() == syntax.BinaryOperator && shape.Child(syntax.FieldOperator).Text() == "+" {
		return left.Is(syntax.Tuple, syntax.List) && names.Element(left, 0).Text() == "1"
	}
	first := names.Element(shape, 0)
	return shape.Is(syntax.Tuple, syntax.List) && first.Text() == "1" && first.Next().Valid()
}

func (c *example) note(n syntax.Node) {
	if n.Valid() {
		n.Walk(func(m syntax.Node) bool {
			if m.Kind() == syntax.Identifier && m.Field() != syntax.FieldAttribute {
				c.leaves = append(c.leaves, m)
			}
			return true
		})
	}
}

// changes reports whether each iteration predicts another example with the same model.
func (c *example) changes(e *flow.Event) bool {
	model := e.Node.Child(syntax.FieldFunction).Child(syntax.FieldObject)
	if !e.Node.Within(c.loop) {
		// The loop is around a call of the function, so its parameters change.
		if slices.ContainsFunc(c.leaves, c.bound) {
			return true
		}
		at := slices.IndexFunc(e.Path, func(call syntax.Node) bool { return call.Within(c.loop) })
		if at < 0 || !c.bound(e.Path[at].Child(syntax.FieldArguments)) {
			return false
		}
		return slices.ContainsFunc(c.leaves, func(n syntax.Node) bool {
			return slices.ContainsFunc(c.info.ReachingDefs(n), func(b *names.Binding) bool {
				return b.Kind == names.ParameterBinding && b.Name != "self" || b.Kind != names.ParameterBinding && c.info.ScopeOf(n).Function() == b.Scope.Function() && b.Scope.Function() != nil
			})
		})
	}
	return !c.bound(model) && slices.ContainsFunc(c.leaves, func(n syntax.Node) bool { return c.bound(n) || c.grows(n) })
}

// grows reports whether the loop changes the list that a name stands for.
func (c *example) grows(n syntax.Node) bool {
	return slices.ContainsFunc(c.info.Calls, func(call syntax.Node) bool {
		function := call.Child(syntax.FieldFunction)
		switch function.Child(syntax.FieldAttribute).Text() {
		case "append", "extend", "insert", "pop":
			return call.Within(c.loop) && function.Child(syntax.FieldObject).Text() == n.Text()
		}
		return false
	}) || c.assignsItem(n.Text())
}

// assignsItem reports whether the loop assigns an item of what a name stands for.
func (c *example) assignsItem(name string) bool {
	found := false
	c.loop.Walk(func(m syntax.Node) bool {
		if left := m.Child(syntax.FieldLeft); m.Is(syntax.Assignment, syntax.AugmentedAssignment) && left.Kind() == syntax.Subscript {
			found = found || left.Child(syntax.FieldValue).Text() == name
		}
		return !found
	})
	return found
}

// bound reports whether an expression reads a name that the loop binds.
func (c *example) bound(n syntax.Node) bool {
	found := false
	n.Walk(func(m syntax.Node) bool {
		if m.Kind() == syntax.Identifier && m.Field() != syntax.FieldAttribute {
			found = found || slices.ContainsFunc(c.info.ReachingDefs(m), func(b *names.Binding) bool { return b.Node.Within(c.loop) })
		}
		return !found
	})
	return found
}

// head returns the span of a loop without its body.
func head(loop syntax.Node) source.Span {
	end := loop.Child(syntax.FieldRight)
	if !end.Valid() {
		end = loop.Child(syntax.FieldCondition)
	}
	if !end.Valid() {
		return rule.Span(loop)
	}
	return source.Span{Start: loop.Start(), End: end.End()}
}

// onBatch offers predict_on_batch instead of predict.
func onBatch(p *rule.Pass, call syntax.Node) []rule.Fix {
	function := call.Child(syntax.FieldFunction).Child(syntax.FieldAttribute)
	if !rule.Fixable(call) || names.HasSplat(call) || !function.Valid() {
		return nil
	}
	edits := []source.Edit{{Span: rule.Span(function), New: "predict_on_batch"}}
	var first syntax.Node
	for a := range call.Child(syntax.FieldArguments).Children() {
		if !first.Valid() {
			if a.Kind() == syntax.KeywordArgument {
				return nil
			}
			if a.Kind() != syntax.Comment {
				first = a
			}
			continue
		}
		name := a.Child(syntax.FieldName).Text()
		if a.Kind() != syntax.KeywordArgument || name != "verbose" && name != "batch_size" {
			return nil
		}
		edits = append(edits[:1], source.Edit{Span: source.Span{Start: first.End(), End: a.End()}})
	}
	return []rule.Fix{{Message: "Predict with predict_on_batch()", Applicability: rule.Unsafe, Edits: edits}}
}
