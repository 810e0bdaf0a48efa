package pipeline

import (
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/dataset"
	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/facts"
	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// isMiniBatch reports whether the prediction is surely of one mini-batch in a step of training: of
// what train_on_batch then takes as one, or of what each iteration draws at random, or takes from what
// it iterates over, in a loop that trains on a mini-batch each time.
func (c *example) isMiniBatch(t *flow.Trace) bool {
	if facts.Rarely(c.event, c.loop) {
		return false
	}
	trainings := t.Having(effects.Trains | effects.AppliesGradients)
	if slices.ContainsFunc(trainings, c.trainedOn) {
		return true
	}
	if names.Argument(c.event.Node, 1, "batch_size").Valid() {
		return false // it is more than one
	}
	return c.draws(c.event, true) && slices.ContainsFunc(trainings, func(e *flow.Event) bool {
		return e.Loop == c.loop && (e.Effects.Has(effects.AppliesGradients) || strings.HasSuffix(e.Name, ".train_on_batch") || c.draws(e, false) && c.draws(c.event, false))
	})
}

// trainedOn reports whether an iteration trains on what is predicted, by train_on_batch: in the same
// function, or in a caller that the prediction is returned to.
func (c *example) trainedOn(e *flow.Event) bool {
	if !strings.HasSuffix(e.Name, ".train_on_batch") || !slices.Contains(facts.LoopsAround(e), c.loop) {
		return false
	}
	f, predicted, path := c.info.ScopeOf(e.Node).Function(), c.event.Node, c.event.Path
	for c.info.ScopeOf(predicted).Function() != f {
		if predicted.Parent().Kind() != syntax.ReturnStatement || len(path) == 0 {
			return false
		}
		predicted, path = path[len(path)-1], path[:len(path)-1]
	}
	arguments := e.Node.Child(syntax.FieldArguments)
	made := []syntax.Node{predicted}
	for i := 0; i < len(made) && i < 16; i++ {
		if made[i].Within(arguments) {
			return true
		}
		to := made[i].Ancestor(syntax.Assignment)
		name := to.Child(syntax.FieldLeft)
		if name.Kind() != syntax.Identifier || !made[i].Within(to.Child(syntax.FieldRight)) {
			continue
		}
		if b := c.info.BindingAt(name); b != nil {
			made = append(made, c.info.Uses(b)...)
		}
	}
	return false
}

// draws reports whether each iteration of the loop draws the first argument of a call at random or,
// with batches, takes it from what it iterates over.
func (c *example) draws(e *flow.Event, batches bool) bool {
	other := &example{info: c.info, event: e, loop: c.loop, batches: batches}
	return other.drawn(names.Argument(e.Node, 0, "x"), 0)
}

// drawn reports whether an expression is made of what the iteration draws at random, or of what is
// at random positions.
func (c *example) drawn(n syntax.Node, depth int) bool {
	defer c.info.Enter(n).Leave()
	if depth++; depth > 16 {
		return false
	}
	if c.taken != nil && c.takes(n) {
		return true
	}
	any := func(n syntax.Node) bool {
		return slices.ContainsFunc(slices.Collect(n.Children()), func(item syntax.Node) bool { return c.drawn(item, depth) })
	}
	switch n.Kind() {
	case syntax.Identifier:
		return c.every(n, func(b *names.Binding) bool { return c.drawnBinding(b, depth) })
	case syntax.ParenthesizedExpression, syntax.List, syntax.Tuple, syntax.ExpressionList, syntax.BinaryOperator, syntax.ListSplat:
		return any(n)
	case syntax.Subscript:
		return c.drawn(n.Child(syntax.FieldValue), depth) || c.drawn(n.Child(syntax.FieldSubscript), depth)
	case syntax.ListComprehension, syntax.GeneratorExpression:
		for clause := range n.Children() {
			if clause.Kind() == syntax.ForInClause {
				return c.drawn(clause.Child(syntax.FieldRight), depth) || c.drawn(n.FirstChild(), depth)
			}
		}
	case syntax.Attribute:
		return n.Child(syntax.FieldAttribute).Text() == "T" && c.drawn(n.Child(syntax.FieldObject), depth)
	case syntax.Call:
		function, arguments := n.Child(syntax.FieldFunction), n.Child(syntax.FieldArguments)
		switch name := c.info.Callee(n); {
		case name == "random.sample", name == "random.choices", strings.HasPrefix(name, "numpy.random."), strings.HasPrefix(name, "tensorflow.random."):
			return !c.elements
		case strings.HasPrefix(name, "numpy."), strings.HasPrefix(name, "tensorflow."), name == "" && c.info.Lookup(function) == nil && function.Kind() == syntax.Identifier:
			return any(arguments) // np.array, zip, map
		}
		if f := c.info.Target(function).Function; f != nil {
			return c.returnsDrawn(f, n, depth)
		}
		switch rule.Method(n) {
		case "reshape", "astype", "copy", "numpy":
			return c.drawn(function.Child(syntax.FieldObject), depth)
		case "sample": // of a replay buffer, or of a table, but not a part of it, which may be the whole
			return !c.elements && !names.Argument(n, -1, "frac").Valid()
		}
	}
	return false
}

// returnsDrawn reports whether a function of the program returns what it draws, or is given drawn.
func (c *example) returnsDrawn(f *names.Function, call syntax.Node, depth int) bool {
	defer c.info.Enter(call).Leave()
	if f.Yields || len(f.Returns) == 0 || len(f.Returns) > 4 || len(c.inside) >= 4 {
		return false
	}
	c.inside = append(c.inside, call)
	defer func() { c.inside = c.inside[:len(c.inside)-1] }()
	return !slices.ContainsFunc(f.Returns, func(r syntax.Node) bool { return !c.drawn(r, depth) })
}

// drawnBinding reports whether the iteration gives a name what it draws: at once, or item by item.
func (c *example) drawnBinding(b *names.Binding, depth int) bool {
	switch b.Kind {
	case names.ParameterBinding:
		given := c.given(b)
		return given.Valid() && c.drawn(given, depth)
	case names.AssignBinding, names.UnpackBinding:
		return c.renewed(b) && (c.drawn(b.Value, depth) || c.filledDrawn(b, depth))
	case names.ForBinding:
		return c.batches && c.isElement(b)
	}
	return false
}

// batchesOf returns "dataset" or "generator" if each iteration predicts what the loop takes from one
// whose elements are surely batches, else "".
func (c *example) batchesOf() string {
	if facts.Rarely(c.event, c.loop) {
		return ""
	}
	tracer := dataset.NewTracer(c.info)
	of := &example{info: c.info, event: c.event, loop: c.loop, elements: true, taken: &batchSource{tracer: tracer}}
	if c.loop.Kind() == syntax.ForStatement {
		over, _ := iterable(c.info, c.loop.Child(syntax.FieldRight))
		if of.batches = of.taken.from(over); !of.batches && of.taken.kind != 0 {
			return "" // a dataset whose elements are not known to be batches
		}
	}
	switch {
	case !of.drawn(names.Argument(c.event.Node, 0, "x"), 0):
		return ""
	case of.taken.kind == dataset.Sequence:
		return "generator"
	}
	return "dataset"
}

// A batchSource is what a loop takes batches from.
type batchSource struct {
	tracer *dataset.Tracer
	kind   dataset.Kind // of the last dataset
}

// from reports whether the elements of an expression's value are surely batches.
func (s *batchSource) from(n syntax.Node) bool {
	d := s.tracer.Of(n)
	if d.State != dataset.NotDataset {
		s.kind = d.Kind
	}
	return d.State == dataset.Batched && d.Kind != dataset.Iterable
}

// takes reports whether an expression takes the next batch of a dataset, or the batch of a generator
// with a number that the loop counts: next(it), generator[i].
func (c *example) takes(n syntax.Node) bool {
	switch n.Kind() {
	case syntax.Subscript:
		return c.bound(n.Child(syntax.FieldSubscript)) && c.taken.from(n.Child(syntax.FieldValue)) && c.taken.kind == dataset.Sequence
	case syntax.Call:
		function := n.Child(syntax.FieldFunction)
		switch rule.Method(n) {
		case "next", "__next__", "__getitem__":
			return c.taken.from(function.Child(syntax.FieldObject)) && c.taken.kind == dataset.Sequence
		}
		return rule.Builtin(c.info, n, "next") && c.taken.from(c.iterated(names.Element(n.Child(syntax.FieldArguments), 0)))
	}
	return false
}

// iterated returns what an iterator goes through: the argument of iter, or the expression itself.
func (c *example) iterated(n syntax.Node) syntax.Node {
	if made := c.info.DefiningExpr(n); rule.Builtin(c.info, made, "iter") {
		return names.Element(made.Child(syntax.FieldArguments), 0)
	}
	return n
}

// isElement reports whether the loop binds a name to an element of what it iterates over, and not to
// a number.
func (c *example) isElement(b *names.Binding) bool {
	left, over := c.loop.Child(syntax.FieldLeft), c.loop.Child(syntax.FieldRight)
	for over.Kind() == syntax.Call {
		switch over.Child(syntax.FieldFunction).Text() {
		case "range", "trange":
			return false
		case "enumerate":
			if b.Node == left || b.Node == left.FirstChild() {
				return false
			}
		}
		over = c.info.DefiningExpr(names.Element(over.Child(syntax.FieldArguments), 0)) // of tqdm
	}
	return b.Node.Within(left)
}

// renewed reports whether each iteration gives a name another value: the loop binds it, or a
// function that the loop is not a part of.
func (c *example) renewed(b *names.Binding) bool {
	f := b.Scope.Function()
	return b.Node.Within(c.loop) || f != nil && !c.loop.Within(f.Node)
}

// filledDrawn reports whether an array or a list is filled with items of what is drawn.
func (c *example) filledDrawn(b *names.Binding, depth int) bool {
	return slices.ContainsFunc(c.info.Uses(b), func(use syntax.Node) bool {
		parent := use.Parent()
		switch {
		case parent.Kind() == syntax.Subscript && parent.Parent().Kind() == syntax.Assignment && parent.Field() == syntax.FieldLeft:
			return c.item(parent.Parent().Child(syntax.FieldRight), depth) // states[i] = step[0]
		case parent.Kind() == syntax.Attribute && rule.Method(parent.Parent()) == "append":
			return c.item(names.Element(parent.Parent().Child(syntax.FieldArguments), 0), depth)
		}
		return false
	})
}

// item reports whether an expression is an item, or a part of one, of what is drawn.
func (c *example) item(n syntax.Node, depth int) bool {
	defer c.info.Enter(n).Leave()
	part := n
	for part.Kind() == syntax.Subscript {
		part = part.Child(syntax.FieldValue)
	}
	b := c.info.ReachingDefs(part)
	if part.Kind() == syntax.Identifier && len(b) == 1 && b[0].Kind == names.ForBinding {
		return c.drawn(b[0].Value, depth)
	}
	return n.Valid() && c.drawn(n, depth)
}
