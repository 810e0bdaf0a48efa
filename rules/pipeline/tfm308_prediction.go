package pipeline

import (
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/dataset"
	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/facts"
	"github.com/tfmem/tfmem/analyzer/facts/origins"
	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// A prediction is a call of predict in an iteration.
type prediction struct {
	*facts.Iteration
	info  *names.Info
	trace *flow.Trace
}

// changesInLoop reports whether the prediction is surely of one example that changes in each iteration of
// its loop, or of one around it: the same is then predicted several times.
func (c *prediction) changesInLoop() bool {
	model := c.Event.Node.Child(syntax.FieldFunction).Child(syntax.FieldObject)
	loops := []syntax.Node{c.Loop}
	if !c.Served {
		loops = facts.LoopsAround(c.Event)
	}
	for _, loop := range loops {
		if !c.Served && !c.Event.Loop.Within(loop) {
			break
		}
		in := &prediction{c.Iteration.Facts.Iteration(c.Event, loop, c.Served), c.info, c.trace}
		if of, ok := in.one(names.Argument(c.Event.Node, 0, "x")); ok && in.Changes(of, model) {
			return true
		}
	}
	return false
}

// one reports whether an argument is surely one example, and what it is made of. It is a batch of one, or
// a state of an environment, current or remembered, of which one result is read.
func (c *prediction) one(argument syntax.Node) (of []syntax.Node, ok bool) {
	in := c.At(c.Event)
	if of, ok = c.batchOfOne(argument, in, false); ok {
		return of, true
	}
	if c.ReadsOne(true) {
		if of, ok = c.batchOfOne(argument, in, true); ok {
			return of, true
		}
	}
	vector := c.Steps() && c.Observed(argument)
	state := vector || c.Steps() && argument.Kind() == syntax.Identifier || c.Remembered(argument)
	return facts.Reads(argument), state && c.ReadsOne(vector)
}

// batchOfOne reports whether an argument, or one of several inputs, is a batch of one example. Keras
// refuses inputs of a model that have other numbers of examples, as in [token] + states.
func (c *prediction) batchOfOne(argument syntax.Node, in *origins.Call, assumed bool) (of []syntax.Node, ok bool) {
	inputs := []syntax.Node{}
	made, _ := c.Only(argument, in)
	for _, list := range []syntax.Node{made.Node, made.Node.Child(syntax.FieldLeft), made.Node.Child(syntax.FieldRight)} {
		if list.Is(syntax.List, syntax.Tuple) {
			inputs = slices.AppendSeq(inputs, list.Children())
		}
	}
	if len(inputs) == 0 {
		rows := c.Rows(argument, in, assumed)
		return rows.Of, rows.One
	}
	for _, input := range inputs {
		rows := c.Rows(input, made.In, assumed)
		of, ok = append(of, rows.Of...), ok || rows.One
	}
	return of, ok
}

// otherwise returns the claim and the advice for a prediction of a whole batch of a dataset, or in a loop that
// nothing ends, or "", and whether predict_on_batch surely takes so few examples.
func (c *prediction) otherwise() (claim, instead string, few bool) {
	if of := c.batchesOf(); of != "" {
		return "predict() is called for each batch of a " + of + " in a loop. ", "Use predict_on_batch(), or one predict() for the whole " + of + ".", true
	}
	x, in := names.Argument(c.Event.Node, 0, "x"), c.At(c.Event)
	if c.Served || !x.Valid() || !c.Endless(c.Loop) || c.WaitsForPerson(c.Loop) || c.Kinds(x, in).May(facts.Dataset) {
		return "", "", false
	}
	few = c.Rows(x, in, false).One
	switch {
	case !c.Invariant(x, in, c.Loop):
		claim, instead = "predict() is called again and again in an endless loop. ", "Use predict_on_batch()."
		if !few {
			instead = "Where its input is one batch, use predict_on_batch(), or call the model."
		}
	case facts.Trains(c.trace, c.Loop, syntax.Node{}):
		claim, instead = "predict() is called with the same array in an endless loop. ", "Use predict_on_batch()."
	default:
		claim, instead = "predict() is called with the same array in an endless loop. ", "Use predict_on_batch(), or predict it once, before the loop."
	}
	return claim, instead, few
}

// sizesVary reports whether the prediction surely is of arrays of ever-new sizes. In Keras 2 predict_on_batch, too,
// leaves more behind for each than for the same one (testdata/traces).
func (c *prediction) sizesVary() bool {
	return c.Retraces(names.Argument(c.Event.Node, 0, "x"), c.At(c.Event), c.Loop).By == facts.ByShape
}

// isMiniBatch reports whether a training iteration predicts one mini-batch: the data that
// train_on_batch then uses, a random sample, or the loop's own element.
func (c *prediction) isMiniBatch() bool {
	if facts.Rarely(c.Event, c.Loop) {
		return false
	}
	trainings := c.trace.Having(effects.Trains | effects.AppliesGradients)
	if slices.ContainsFunc(trainings, c.trainedOn) {
		return true
	}
	x := names.Argument(c.Event.Node, 0, "x")
	if names.Argument(c.Event.Node, 1, "batch_size").Valid() || !c.Sampled(x, true) {
		return false // with a batch size, it is more than one
	}
	return slices.ContainsFunc(trainings, func(e *flow.Event) bool {
		return e.Loop == c.Loop && (e.Effects.Has(effects.AppliesGradients) || strings.HasSuffix(e.Name, ".train_on_batch") ||
			c.Sampled(x, false) && c.Iteration.Facts.Iteration(e, c.Loop, false).Sampled(names.Argument(e.Node, 0, "x"), false))
	})
}

// trainedOn reports whether an iteration trains on what is predicted, by train_on_batch: in the same
// function, or in a caller that the prediction is returned to.
func (c *prediction) trainedOn(e *flow.Event) bool {
	if !strings.HasSuffix(e.Name, ".train_on_batch") || !slices.Contains(facts.LoopsAround(e), c.Loop) {
		return false
	}
	f, predicted, path := c.info.ScopeOf(e.Node).Function(), c.Event.Node, c.Event.Path
	for c.info.ScopeOf(predicted).Function() != f {
		if predicted.Parent().Kind() != syntax.ReturnStatement || len(path) == 0 {
			return false
		}
		predicted, path = path[len(path)-1], path[:len(path)-1]
	}
	return slices.ContainsFunc(slices.Collect(e.Node.Child(syntax.FieldArguments).Children()), func(a syntax.Node) bool {
		return facts.Of(c.info).DependsOn(a, predicted)
	})
}

// batchesOf returns "dataset" or "generator" if each iteration predicts what the loop takes from one
// whose elements are surely batches, else "".
func (c *prediction) batchesOf() string {
	if facts.Rarely(c.Event, c.Loop) {
		return ""
	}
	source := &batchSource{prediction: c, tracer: dataset.NewTracer(c.info)}
	elements := false
	if c.Loop.Kind() == syntax.ForStatement {
		over, _ := iterable(c.info, c.Loop.Child(syntax.FieldRight))
		if elements = source.batches(over); !elements && source.kind != 0 {
			return "" // a dataset whose elements are not known to be batches
		}
	}
	taken := c.MadeOf(names.Argument(c.Event.Node, 0, "x"), func(p origins.Place) bool {
		return source.takes(p) || elements && p.Node.Kind() == syntax.Identifier && c.Element(p.Node)
	})
	switch {
	case !taken:
		return ""
	case source.kind == dataset.Sequence:
		return "generator"
	}
	return "dataset"
}

// A batchSource is what a loop takes batches from.
type batchSource struct {
	*prediction
	tracer *dataset.Tracer
	kind   dataset.Kind // of the last dataset
}

// batches reports whether the elements of an expression's value are surely batches.
func (s *batchSource) batches(n syntax.Node) bool {
	d := s.tracer.Of(n)
	if d.State != dataset.NotDataset {
		s.kind = d.Kind
	}
	return d.State == dataset.Batched && d.Kind != dataset.Iterable
}

// takes reports whether an expression takes the next batch of a dataset, or the batch of a generator
// with a number that the loop counts: next(it), generator[i].
func (s *batchSource) takes(p origins.Place) bool {
	n := p.Node
	switch names.Method(n) {
	case "next", "__next__", "__getitem__":
		return s.batches(s.made(n.Child(syntax.FieldFunction).Child(syntax.FieldObject), p.In)) && s.kind == dataset.Sequence
	}
	if n.Kind() == syntax.Subscript {
		return s.Binds(n.Child(syntax.FieldSubscript)) && s.batches(s.made(n.Child(syntax.FieldValue), p.In)) && s.kind == dataset.Sequence
	}
	if s.info.Builtin(n) != "next" {
		return false
	}
	of := s.made(names.Element(n.Child(syntax.FieldArguments), 0), p.In)
	if s.info.Builtin(of) == "iter" {
		of = s.made(names.Element(of.Child(syntax.FieldArguments), 0), p.In)
	}
	return s.batches(of)
}

// made returns the one expression that another comes from, or itself.
func (s *batchSource) made(n syntax.Node, in *origins.Call) syntax.Node {
	if from, ok := s.Only(n, in); ok {
		return from.Node
	}
	return n
}
