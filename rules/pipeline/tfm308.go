package pipeline

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// PredictInLoop is TFM308.
var PredictInLoop = &rule.Rule{
	Code: "TFM308", Name: "predict-in-loop", Severity: rule.Hint,
	Summary: "Model.predict is called for a single example, or one mini-batch, in every loop iteration.",
	What: `
Checks for Model.predict in a loop, or in a function that a loop calls, if its
argument is surely a single example that changes in every iteration: a batch of
one made by expand_dims, a new axis, a reshape, a slice or a list of one, or the
state of an environment, of which only the first prediction is read. In a loop
that trains on a mini-batch in each iteration, also checks for a mini-batch that
the iteration draws at random.`,
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
subclass may override it. Not offered where the example may be a list of
numbers, which it does not take.`,
	Limitations: `
Calls on other batches, loops of at most 50 iterations in all, loops over models,
callbacks and programs for TensorFlow 1 or Keras 1 are not reported.`,
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
	if (p.ForTensorFlow1() || p.ProgramBuildsGraphs() || p.MayStartInGraph()) && !flow.EnablesEager(p.File.Names().Program()) {
		return // Keras in graphs goes through NumPy's arrays, and leaves nothing behind
	}
	if p.OnlyKeras1() {
		return // all of which runs in graphs
	}
	reported := map[syntax.Node]bool{}
	var calls []syntax.Node // that lead into other modules, which predict there
	elsewhere := map[syntax.Node]*rule.Finding{}
	for _, t := range p.File.Flow().Traces() {
		for i := range t.Events {
			e := &t.Events[i]
			if e.Name != "tensorflow.keras.Model.predict" || e.Context&flow.InLoop == 0 || reported[e.Node] || few(p.File.Names(), t, e) {
				continue
			}
			at := p.Nearest(e)
			if at.Kind() != syntax.Call || at != e.Node && !p.Here(e.Loop) {
				continue // the other module's own finding
			}
			c := &example{info: p.File.Names(), event: e, loop: e.Loop}
			claim, instead := "", ""
			switch {
			case c.changesInLoop():
				claim = "predict() is called for a single example in a loop. "
				if e.EveryIteration {
					claim = "predict() is called for a single example in every loop iteration. "
				}
				instead = "Use predict_on_batch(), or, where all examples are known before the loop, one predict() for all."
			case c.isMiniBatch(t):
				claim = "predict() is called for one mini-batch in a training loop. "
				if e.EveryIteration {
					claim = "predict() is called for one mini-batch in every iteration of a training loop. "
				}
				instead = "Use predict_on_batch(), which takes the mini-batch as it is."
			default:
				continue
			}
			reported[e.Node] = true
			span := rule.Callee(at)
			inLoop := p.Related(e.Loop, head(e.Loop), "in this loop")
			switch f := elsewhere[at]; {
			case at == e.Node:
				var fixes []rule.Fix
				if !mayBeList(p.File.Names(), names.Argument(e.Node, 0, "x"), 4) {
					fixes = onBatch(p, e.Node)
				}
				p.Report(rule.Finding{
					Span: span,
					Message: fmt.Sprintf(claim+"Each call in the loop on %s builds a dataset and its iterator. "+
						instead, p.Line(e.Loop, span)),
					Related: []rule.Related{inLoop},
					Fixes:   fixes,
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

// few reports whether the loops around a prediction surely have only a few iterations together, until
// one that takes its time elsewhere: it waits for a person, or trains around them.
func few(info *names.Info, t *flow.Trace, e *flow.Event) bool {
	total := 1
	loops := rule.LoopsAround(e)
	for i, loop := range loops {
		if waitsForPerson(info, loop) || i > 0 && trainsIn(t, loop, loops[i-1]) || nowAndThen(e, loop) && trainsIn(t, loop, syntax.Node{}) {
			break
		}
		if n := rule.IterationsIn(info, loop); n == 0 || n > fewIterations {
			return false
		} else if total *= n; total > fewIterations {
			return false
		}
	}
	return true
}

// waitsForPerson reports whether each iteration of a loop takes what a person types, shows something
// to one, or takes a file that a person uploads.
func waitsForPerson(info *names.Info, loop syntax.Node) bool {
	waits := false
	loop.Walk(func(n syntax.Node) bool {
		if n.Kind() == syntax.Call {
			switch info.Callee(n) {
			case "matplotlib.pyplot.show", "IPython.display.display":
				waits = true
			case "cv2.waitKey":
				delay := names.Argument(n, 0, "delay")
				waits = !delay.Valid() || delay.Text() == "0"
			case "":
				waits = rule.Builtin(info, n, "input") || rule.Builtin(info, n, "raw_input")
			}
		}
		return !waits && !n.Is(syntax.FunctionDefinition, syntax.Lambda)
	})
	over := loop.Child(syntax.FieldRight)
	if slices.Contains([]string{"keys", "items", "values"}, rule.Method(over)) {
		over = over.Child(syntax.FieldFunction).Child(syntax.FieldObject)
	}
	return waits || info.Callee(info.DefiningExpr(over)) == "google.colab.files.upload"
}

// nowAndThen reports whether an event happens only now and then: where a remainder is tested.
func nowAndThen(e *flow.Event, loop syntax.Node) bool {
	for _, at := range append(slices.Clone(e.Path), e.Node) {
		if !at.Within(loop) {
			continue
		}
		for n := at; n != loop; n = n.Parent() {
			if n.Kind() == syntax.IfStatement && strings.Contains(n.Child(syntax.FieldCondition).Text(), "%") {
				return true
			}
		}
	}
	return false
}

// trainsIn reports whether a loop trains a model, and not only in a loop within it.
func trainsIn(t *flow.Trace, loop, within syntax.Node) bool {
	return slices.ContainsFunc(t.Having(effects.Trains|effects.AppliesGradients), func(e *flow.Event) bool {
		loops := rule.LoopsAround(e)
		return slices.Contains(loops, loop) && !slices.Contains(loops, within)
	})
}

// An example is what a call in a loop predicts.
type example struct {
	info  *names.Info
	event *flow.Event
	loop  syntax.Node
	// leaves are the identifiers in it, and the attributes.
	leaves []syntax.Node
	// broadcast is set if the right operand of an operator may make one example into several.
	broadcast bool
	// batches is set if what the loop iterates over is batches.
	batches bool
	// inside are the calls of the program's functions whose results are being followed.
	inside []syntax.Node
	// holds is what was found of bindings. Those that are being followed hold.
	holds map[*names.Binding]bool
}

// isOne reports whether the prediction is surely of one example. It is made on a batch of one, or
// on a state of an environment, current or remembered, and what is read of it is the result for
// one example.
func (c *example) isOne(argument syntax.Node) bool {
	if c.single(argument, 0) {
		return true
	}
	c.leaves, c.holds, c.broadcast = nil, nil, true
	if c.single(argument, 0) && c.readsOne(c.event.Node, slices.Clone(c.event.Path), true) {
		return true
	}
	c.leaves, c.holds = nil, nil
	known, best := c.remembered(argument), false
	if c.steps() {
		known, best = known || argument.Kind() == syntax.Identifier, c.observed(argument, 0)
	}
	if !known && !best || !c.readsOne(c.event.Node, slices.Clone(c.event.Path), best) {
		return false
	}
	c.note(argument)
	return true
}

// changesInLoop reports whether the prediction is surely of one example that changes in each
// iteration of its loop, or of one around it: the same is then predicted several times.
func (c *example) changesInLoop() bool {
	defer func(loop syntax.Node) { c.loop = loop }(c.loop)
	for _, loop := range rule.LoopsAround(c.event) {
		if c.loop = loop; !c.event.Loop.Within(loop) {
			break
		}
		if c.leaves, c.holds, c.broadcast = nil, nil, false; c.isOne(names.Argument(c.event.Node, 0, "x")) && c.changes(c.event) {
			return true
		}
	}
	return false
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

// remembered reports whether an expression stands for part of what the loop takes from a random
// sample of a replay memory.
func (c *example) remembered(n syntax.Node) bool {
	for range 8 { // state = sample[0]
		switch n.Kind() {
		case syntax.Subscript:
			if c.sampled(n.Child(syntax.FieldValue)) && c.bound(n.Child(syntax.FieldSubscript)) || c.chosen(n.Child(syntax.FieldSubscript)) {
				return true
			}
			n = n.Child(syntax.FieldValue)
			continue
		case syntax.Identifier:
		default:
			return false
		}
		bindings := c.info.ReachingDefs(n)
		if len(bindings) != 1 {
			return false
		}
		b := bindings[0]
		switch {
		case b.Node.Within(c.loop.Child(syntax.FieldLeft)):
			return c.sampled(c.loop.Child(syntax.FieldRight))
		case b.Kind != names.AssignBinding && b.Kind != names.UnpackBinding:
			return false
		}
		n = b.Value
	}
	return false
}

// chosen reports whether an index is one of those that the loop goes through, which are drawn at
// random.
func (c *example) chosen(index syntax.Node) bool {
	b := c.info.ReachingDefs(index)
	return index.Kind() == syntax.Identifier && len(b) == 1 && b[0].Node == c.loop.Child(syntax.FieldLeft) && c.drawn(c.loop.Child(syntax.FieldRight), 0)
}

// sampled reports whether an expression is a random sample of a list.
func (c *example) sampled(n syntax.Node) bool {
	for range 4 {
		if n = c.info.DefiningExpr(n); n.Kind() != syntax.Call {
			return false
		}
		if c.info.Callee(n) == "random.sample" {
			return true
		}
		if function := n.Child(syntax.FieldFunction); function.Text() == "enumerate" {
			n = names.Element(n.Child(syntax.FieldArguments), 0)
		} else if f := c.info.Target(function).Function; f != nil && len(f.Returns) == 1 {
			n = f.Returns[0]
		} else {
			return false
		}
	}
	return false
}

// observed reports whether an expression is the state that an environment returns, perhaps with
// another form.
func (c *example) observed(n syntax.Node, depth int) bool {
	if depth > 16 {
		return false
	}
	depth++
	switch n.Kind() {
	case syntax.ParenthesizedExpression:
		return c.observed(n.FirstChild(), depth)
	case syntax.Identifier:
		return c.every(n, func(b *names.Binding) bool {
			if b.Kind == names.UnpackBinding {
				function := b.Value.Child(syntax.FieldFunction).Child(syntax.FieldAttribute).Text()
				return len(b.Path) == 1 && b.Path[0] == 0 && (function == "step" || function == "reset")
			}
			return c.observed(c.given(b), depth)
		})
	case syntax.BinaryOperator:
		return c.observed(n.Child(syntax.FieldLeft), depth) && c.scalar(n.Child(syntax.FieldRight), depth)
	case syntax.Call:
		function := n.Child(syntax.FieldFunction)
		argument := names.Element(n.Child(syntax.FieldArguments), 0)
		switch c.info.Callee(n) {
		case "numpy.array", "numpy.asarray", "numpy.atleast_2d", "numpy.reshape", "numpy.expand_dims", "numpy.float32", "tensorflow.constant", "tensorflow.convert_to_tensor", "tensorflow.cast", "tensorflow.expand_dims", "tensorflow.reshape":
			return c.observed(argument, depth)
		}
		if function.Child(syntax.FieldAttribute).Text() == "reset" {
			return true
		}
		if f := c.info.Target(function).Function; f != nil && !f.Yields && len(f.Returns) > 0 && len(f.Returns) <= 4 && len(c.inside) < 4 {
			c.inside = append(c.inside, n)
			defer func() { c.inside = c.inside[:len(c.inside)-1] }()
			return !slices.ContainsFunc(f.Returns, func(r syntax.Node) bool { return !c.observed(r, depth) })
		}
		switch function.Child(syntax.FieldAttribute).Text() {
		case "reshape", "astype", "copy":
			return c.observed(function.Child(syntax.FieldObject), depth)
		}
		return keepsExamples(function) && c.observed(argument, depth)
	}
	return false
}

// every reports whether something holds for all bindings that a name may have, at least one. For one
// that is being followed already, such as that of x = x / 2 in a loop, the others decide.
func (c *example) every(n syntax.Node, holds func(*names.Binding) bool) bool {
	bindings := c.bindings(n)
	if len(bindings) > 8 {
		return false
	}
	for _, b := range bindings {
		known, followed := c.holds[b]
		if !followed {
			if c.holds == nil {
				c.holds = map[*names.Binding]bool{}
			}
			c.holds[b] = true
			known = holds(b)
			c.holds[b] = known
		}
		if !known {
			return false
		}
	}
	return len(bindings) > 0
}

// bindings returns those that a name or an attribute may have. An attribute that is None holds no
// example.
func (c *example) bindings(n syntax.Node) []*names.Binding {
	if n.Kind() != syntax.Attribute {
		return c.info.ReachingDefs(n)
	}
	class := c.info.TypeOf(n.Child(syntax.FieldObject)).Local
	if class == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(c.info.Attribute(class, n.Child(syntax.FieldAttribute).Text())), func(b *names.Binding) bool {
		return b.Value.Kind() == syntax.NoneLiteral
	})
}

// given returns the expression that a binding gives its name where the prediction happens, or none.
func (c *example) given(b *names.Binding) syntax.Node {
	switch b.Kind {
	case names.AssignBinding:
		return b.Value
	case names.ParameterBinding:
		for _, call := range slices.Backward(c.inside) {
			if f := c.info.Target(call.Child(syntax.FieldFunction)).Function; f != nil && f == b.Scope.Func {
				return f.Passed(call, b.Name)
			}
		}
		return c.event.Passed(c.info, b)
	}
	return syntax.Node{}
}

// readsOne reports whether only the first item of a call's result is read or, with best, the result
// as a single vector. It may be used directly, through a name or, if it is returned, through the
// previous call on the path. A model may also be fitted to a name.
func (c *example) readsOne(call syntax.Node, path []syntax.Node, best bool) bool {
	parent := call.Parent()
	switch {
	case first(call), best && c.flat(call):
		return true
	case parent.Kind() == syntax.ReturnStatement:
		return len(path) > 0 && c.readsOne(path[len(path)-1], path[:len(path)-1], best)
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
		case first(use), best && c.flat(use):
			read = true
		case parent.Kind() == syntax.ReturnStatement && len(path) > 0 && c.readsOne(path[len(path)-1], path[:len(path)-1], best):
			read = true
		case parent.Kind() == syntax.ArgumentList && rule.Method(parent.Parent()) == "fit":
		default:
			return false
		}
	}
	return read
}

// flat reports whether a result is read as if it had no axis of examples.
func (c *example) flat(n syntax.Node) bool {
	parent := n.Parent()
	if parent.Kind() == syntax.Attribute && n.Field() == syntax.FieldObject && parent.Field() == syntax.FieldFunction {
		switch parent.Child(syntax.FieldAttribute).Text() {
		case "flatten", "ravel", "squeeze", "argmax", "item":
			return !parent.Parent().Child(syntax.FieldArguments).FirstChild().Valid()
		}
		return false
	}
	if parent.Kind() != syntax.ArgumentList || parent.FirstChild() != n || n.Next().Valid() {
		return false
	}
	switch c.info.Callee(parent.Parent()) {
	case "numpy.argmax", "numpy.squeeze", "numpy.ravel":
		return true
	}
	return false
}

// first reports whether only the first item of an expression is read where it stands.
func first(n syntax.Node) bool {
	parent := n.Parent()
	if parent.Kind() != syntax.Subscript || n.Field() != syntax.FieldValue {
		return false
	}
	index := parent.Child(syntax.FieldSubscript)
	if index.Is(syntax.Tuple, syntax.ExpressionList) {
		index = index.FirstChild()
	}
	return index.Text() == "0" || index.Text() == "-1"
}

// single reports whether an expression is surely a batch of one example.
func (c *example) single(n syntax.Node, depth int) bool {
	if depth > 16 {
		return false
	}
	if n.Kind() == syntax.Attribute {
		before := len(c.leaves)
		if !c.every(n, func(b *names.Binding) bool { return c.singleBinding(b, depth) }) {
			return false
		}
		c.leaves = c.leaves[:before]
		c.note(n)
		return true
	}
	made := c.event.DefiningExpr(c.info, n)
	if b := c.info.ReachingDefs(n); !made.Valid() && len(b) == 1 && b[0].Kind == names.UnpackBinding && b[0].Value.Kind() == syntax.Call {
		return c.singleBinding(b[0], depth)
	}
	if !made.Valid() && n.Kind() == syntax.Identifier {
		return c.every(n, func(b *names.Binding) bool { return c.singleBinding(b, depth) })
	}
	switch made.Kind() {
	case syntax.List, syntax.Tuple: // the inputs of a model with several, each of as many examples
		return depth == 0 && names.Element(made, 1).Valid() && c.singleInput(made)
	case syntax.Subscript:
		index := made.Child(syntax.FieldSubscript)
		if c.newAxis(index) || one(index) {
			c.note(made.Child(syntax.FieldValue))
			c.note(index)
			return true
		}
		if index.Kind() == syntax.Slice && index.Text() == ":" {
			return c.single(made.Child(syntax.FieldValue), depth+1) // x[:, 1:]
		}
	case syntax.BinaryOperator: // x / 255.0
		left, right := made.Child(syntax.FieldLeft), made.Child(syntax.FieldRight)
		if depth == 0 && made.Child(syntax.FieldOperator).Text() == "+" && (left.Kind() == syntax.List || right.Kind() == syntax.List) {
			return c.singleInput(left) || c.singleInput(right)
		}
		return (c.broadcast || c.scalar(right, depth)) && c.single(left, depth+1) || c.scalar(left, depth) && c.single(right, depth+1)
	case syntax.Call:
		return c.singleCall(made, depth)
	}
	return false
}

// singleInput reports whether an item of a list is surely a batch of one example. Keras refuses inputs
// of a model that have other numbers of examples, as in [token] + states.
func (c *example) singleInput(list syntax.Node) bool {
	if !list.Is(syntax.List, syntax.Tuple) || !slices.ContainsFunc(slices.Collect(list.Children()), func(item syntax.Node) bool { return c.single(item, 1) }) {
		return false
	}
	c.note(list)
	return true
}

// singleBinding reports whether one of the values that a name may have is surely a batch of one
// example.
func (c *example) singleBinding(b *names.Binding, depth int) bool {
	switch b.Kind {
	case names.UnpackBinding: // each of the results has as many examples
		return b.Value.Kind() == syntax.Call && (c.returned(b.Value, b.Path, depth+1) || c.singleCall(b.Value, depth+1))
	case names.AugmentedBinding: // x /= 255.0
		return c.scalar(b.Node.Parent().Child(syntax.FieldRight), depth) && c.every(b.Node, func(b *names.Binding) bool { return c.singleBinding(b, depth+1) })
	}
	given := c.given(b)
	return given.Valid() && c.single(given, depth+1)
}

// scalar reports whether an expression is surely one number.
func (c *example) scalar(n syntax.Node, depth int) bool {
	if n = c.event.DefiningExpr(c.info, n); depth > 16 {
		return false
	}
	switch n.Kind() {
	case syntax.Integer, syntax.Float:
		return true
	case syntax.UnaryOperator:
		return c.scalar(n.Child(syntax.FieldArgument), depth+1)
	case syntax.BinaryOperator:
		return c.scalar(n.Child(syntax.FieldLeft), depth+1) && c.scalar(n.Child(syntax.FieldRight), depth+1)
	case syntax.Call:
		switch function := n.Child(syntax.FieldFunction); c.info.Callee(n) {
		case "numpy.max", "numpy.min", "numpy.amax", "numpy.amin":
			return !names.Argument(n, 1, "axis").Valid()
		case "":
			return c.info.Lookup(function) == nil && (function.Text() == "float" || function.Text() == "int" || function.Text() == "len")
		}
	}
	return false
}

// keepsExamples reports whether a function, by its name, prepares examples and returns as many: those
// of scikit-learn's scalers and of programs themselves.
func keepsExamples(function syntax.Node) bool {
	name := function.Text()
	if function.Kind() == syntax.Attribute {
		name = function.Child(syntax.FieldAttribute).Text()
	}
	name = strings.ToLower(name)
	return name == "transform" || strings.Contains(name, "preprocess") || strings.Contains(name, "normalize") || strings.Contains(name, "normalise") || strings.Contains(name, "standardize")
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
		if shape := names.Argument(call, 1, "shape"); startsWithOne(shape) || c.ofWhole(first, shape) || c.ofImage(first, shape) {
			c.note(first)
			return true
		}
		return false
	case "tensorflow.cast", "numpy.float32":
		return c.single(first, depth+1)
	case "numpy.append", "numpy.concatenate", "tensorflow.concat", "numpy.roll": // along another axis than the first
		position := 1
		if rule.Method(call) == "append" || rule.Method(call) == "roll" {
			position = 2
		}
		if first.Is(syntax.List, syntax.Tuple) {
			first = names.Element(first, 0)
		}
		axis := names.Argument(call, position, "axis")
		if axis.Kind() != syntax.Integer || axis.Text() == "0" || !c.single(first, depth+1) {
			return false
		}
		c.note(arguments)
		return true
	case "numpy.zeros", "numpy.ones", "numpy.empty", "numpy.full":
		if startsWithOne(names.Argument(call, 0, "shape")) {
			c.note(filled(call))
			return true
		}
		return false
	case "numpy.random.rand", "numpy.random.randn", "numpy.random.normal", "numpy.random.uniform", "tensorflow.random.normal", "tensorflow.random.uniform":
		if drawsOne(call) {
			c.note(filled(call))
			return true
		}
		return false
	}
	function := call.Child(syntax.FieldFunction)
	switch function.Child(syntax.FieldAttribute).Text() {
	case "reshape":
		shape := first
		if shape.Next().Valid() {
			shape = arguments
		}
		if first.Text() == "1" && first.Next().Valid() || startsWithOne(first) || c.ofWhole(function.Child(syntax.FieldObject), shape) || c.ofImage(function.Child(syntax.FieldObject), shape) {
			c.note(function.Child(syntax.FieldObject))
			return true
		}
	case "texts_to_sequences":
		return c.listOfOne(first)
	case "astype", "numpy", "copy":
		return c.single(function.Child(syntax.FieldObject), depth+1)
	}
	if c.returned(call, nil, depth+1) || keepsExamples(function) && c.single(first, depth+1) {
		return true
	}
	return c.readsFirst() && c.ofOne(arguments)
}

// returned reports whether a function of the program returns a batch of one example, in this part of
// its result.
func (c *example) returned(call syntax.Node, path []int, depth int) bool {
	f := c.info.Target(call.Child(syntax.FieldFunction)).Function
	if f == nil || f.Yields || f.Class != nil && f.Name == "__init__" || len(f.Returns) == 0 || len(f.Returns) > 4 || depth > 8 {
		return false
	}
	before := len(c.leaves)
	for _, r := range f.Returns {
		for _, i := range path {
			if !r.Is(syntax.Tuple, syntax.ExpressionList) {
				return false
			}
			r = names.Element(r, i)
		}
		if !r.Valid() || !c.single(r, depth+1) {
			c.leaves = c.leaves[:before]
			return false
		}
	}
	c.leaves = c.leaves[:before]
	c.note(call.Child(syntax.FieldArguments))
	return true
}

// filled returns the name that an array is bound to where it is made.
func filled(call syntax.Node) syntax.Node {
	if call.Parent().Kind() == syntax.Assignment {
		return call.Parent().Child(syntax.FieldLeft)
	}
	return syntax.Node{}
}

// drawsOne reports whether a call draws random numbers for one example: rand(1, 100), or a shape
// or size that is written with a leading 1.
func drawsOne(call syntax.Node) bool {
	for a := range call.Child(syntax.FieldArguments).Children() {
		if name := a.Child(syntax.FieldName).Text(); a.Kind() == syntax.KeywordArgument && (name == "size" || name == "shape") {
			a = a.Child(syntax.FieldValue)
		}
		if startsWithOne(a) {
			return true
		}
	}
	method := rule.Method(call)
	arguments := call.Child(syntax.FieldArguments)
	return (method == "rand" || method == "randn") && names.Element(arguments, 0).Text() == "1" && names.Element(arguments, 1).Valid()
}

// readsFirst reports whether only the first of the predictions is read.
func (c *example) readsFirst() bool { return first(c.event.Node) }

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

// ofWhole reports whether a shape has an axis for as many examples as fit, and then all axes of the
// array itself: x.reshape(-1, *x.shape), x.reshape((-1,) + x.shape) or x.reshape(-1, x.shape[0]).
func (c *example) ofWhole(array, shape syntax.Node) bool {
	if array.Kind() == syntax.Call && (c.info.Callee(array) == "numpy.array" || c.info.Callee(array) == "numpy.asarray") {
		array = names.Element(array.Child(syntax.FieldArguments), 0)
	}
	own := array.Text() + ".shape"
	if left, right := shape.Child(syntax.FieldLeft), shape.Child(syntax.FieldRight); shape.Kind() == syntax.BinaryOperator {
		return left.Is(syntax.Tuple, syntax.List) && names.Element(left, 0).Text() == "-1" && !names.Element(left, 1).Valid() && strings.TrimSpace(right.Text()) == own
	}
	if !shape.Is(syntax.Tuple, syntax.List, syntax.ArgumentList) || names.Element(shape, 0).Text() != "-1" {
		return false
	}
	axes := 0
	for item := range shape.Children() {
		switch {
		case item == shape.FirstChild(), item.Kind() == syntax.Comment:
		case item.Kind() == syntax.ListSplat && item.FirstChild().Text() == own && axes == 0:
			return !item.Next().Valid()
		case item.Kind() == syntax.Subscript && item.Text() == fmt.Sprintf("%s[%d]", own, axes):
			axes++
		default:
			return false
		}
	}
	return axes > 0
}

// ofImage reports whether a shape has an axis for as many examples as fit, and then the height, the
// width and the channels of an array that is one image, which was resized to them.
func (c *example) ofImage(array, shape syntax.Node) bool {
	if !shape.Is(syntax.Tuple, syntax.List, syntax.ArgumentList) || names.Element(shape, 0).Text() != "-1" || !names.Element(shape, 3).Valid() || names.Element(shape, 4).Valid() {
		return false
	}
	size := c.info.DefiningExpr(c.resized(array))
	if !size.Is(syntax.Tuple, syntax.List) || names.Element(size, 2).Valid() {
		return false
	}
	height, width := names.Element(shape, 1).Text(), names.Element(shape, 2).Text()
	a, b := names.Element(size, 0).Text(), names.Element(size, 1).Text()
	return a == width && b == height || a == height && b == width // each library has its order
}

// resized returns the size to which an image, or an array of its pixels, was resized, or none.
func (c *example) resized(n syntax.Node) syntax.Node {
	for range 12 {
		n = c.info.DefiningExpr(n)
		function := n.Child(syntax.FieldFunction)
		switch n.Kind() {
		case syntax.BinaryOperator: // x / 255.0
			if !c.scalar(n.Child(syntax.FieldRight), 0) {
				return syntax.Node{}
			}
			n = n.Child(syntax.FieldLeft)
			continue
		case syntax.Call:
		default:
			return syntax.Node{}
		}
		switch name := c.info.Callee(n); name {
		case "cv2.resize":
			return names.Argument(n, 1, "dsize")
		case "tensorflow.keras.utils.load_img", "tensorflow.keras.preprocessing.image.load_img":
			return names.Argument(n, -1, "target_size")
		case "cv2.cvtColor", "numpy.array", "numpy.asarray", "numpy.float32", "tensorflow.keras.utils.img_to_array", "tensorflow.keras.preprocessing.image.img_to_array":
			n = names.Element(n.Child(syntax.FieldArguments), 0)
			continue
		}
		switch rule.Method(n) {
		case "resize":
			if opened := c.info.DefiningExpr(function.Child(syntax.FieldObject)); strings.HasPrefix(c.info.Callee(opened), "PIL.Image.") || rule.Method(opened) == "convert" {
				return names.Argument(n, 0, "size")
			}
			return syntax.Node{}
		case "astype", "copy", "convert":
			n = function.Child(syntax.FieldObject)
		default:
			return syntax.Node{}
		}
	}
	return syntax.Node{}
}

func (c *example) note(n syntax.Node) {
	if n.Valid() {
		n.Walk(func(m syntax.Node) bool {
			if m.Kind() == syntax.Attribute || m.Kind() == syntax.Identifier && m.Field() != syntax.FieldAttribute {
				c.leaves = append(c.leaves, m)
			}
			return true
		})
	}
}

// reassigned reports whether the loop gives an attribute another value, itself or in a function that
// it runs.
func (c *example) reassigned(n syntax.Node) bool {
	if n.Kind() != syntax.Attribute {
		return false
	}
	return slices.ContainsFunc(c.bindings(n), func(b *names.Binding) bool {
		f := c.info.ScopeOf(b.Node).Function()
		return b.Node.Within(c.loop) || f != nil && f.Name != "__init__" && c.runs(f)
	})
}

// runs reports whether the loop calls a function of the program, itself or in one that it calls.
func (c *example) runs(f *names.Function) bool {
	code, seen := []syntax.Node{c.loop}, map[*names.Function]bool{}
	for i := 0; i < len(code) && i < mostRun && !seen[f]; i++ {
		code[i].Walk(func(n syntax.Node) bool {
			if n.Kind() == syntax.Call {
				if called := c.info.Target(n.Child(syntax.FieldFunction)).Function; called != nil && !seen[called] {
					seen[called] = true
					code = append(code, called.Node)
				}
			}
			return true
		})
	}
	return seen[f]
}

// mostRun bounds the functions that are looked at for one loop.
const mostRun = 64

// changes reports whether each iteration predicts another example with the same model.
func (c *example) changes(e *flow.Event) bool {
	model := e.Node.Child(syntax.FieldFunction).Child(syntax.FieldObject)
	if c.reassigned(model) {
		return false
	}
	if slices.ContainsFunc(c.leaves, c.reassigned) {
		return !c.bound(model)
	}
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
	found := c.assignsItem(n.Text())
	c.loop.Walk(func(call syntax.Node) bool {
		if function := call.Child(syntax.FieldFunction); call.Kind() == syntax.Call {
			switch function.Child(syntax.FieldAttribute).Text() {
			case "append", "extend", "insert", "pop":
				found = found || function.Child(syntax.FieldObject).Text() == n.Text()
			}
		}
		return !found
	})
	return found
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

// mayBeList reports whether an expression may be a list of numbers, which predict makes an array of in
// Keras 2, but predict_on_batch does not.
func mayBeList(info *names.Info, n syntax.Node, depth int) bool {
	if depth == 0 {
		return false
	}
	switch n.Kind() {
	case syntax.List:
		first := names.Element(n, 0)
		return first.Is(syntax.Integer, syntax.Float, syntax.List, syntax.ListComprehension)
	case syntax.ListComprehension:
		return true
	case syntax.Identifier:
		return slices.ContainsFunc(info.ReachingDefs(n), func(b *names.Binding) bool {
			switch {
			case b.Kind == names.AssignBinding:
				return mayBeList(info, b.Value, depth-1)
			case b.Kind == names.ParameterBinding && b.Scope.Func != nil:
				return slices.ContainsFunc(info.CallsOf(b.Scope.Func), func(call syntax.Node) bool {
					return mayBeList(info, b.Scope.Func.Passed(call, b.Name), depth-1)
				})
			}
			return false
		})
	}
	return false
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
