// Package dataset follows tf.data pipelines, and other things that Keras takes batches from,
// through a program: from their source through assignments, chains, helper functions and returns.
// It says whether the elements are batches, and which steps made them so.
//
// It says only what the code proves: a pipeline with an unknown step, or one that differs between
// paths, is Unknown. It knows names and effects and no rule. Package keras knows the shapes of
// elements, because it evaluates the arrays that they come from.
package dataset

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/facts/origins"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// A State says whether the elements of a dataset are batches.
type State uint8

const (
	// NotDataset is an expression that is not known to be a dataset at all.
	NotDataset State = iota
	// Unknown is a dataset that may or may not be batched.
	Unknown
	// Unbatched elements are single examples.
	Unbatched
	// Batched elements are batches, by a step of the pipeline or by its source.
	Batched
)

// A Kind says what provides the elements.
type Kind uint8

const (
	// Pipeline is a tf.data.Dataset.
	Pipeline Kind = iota + 1
	// Distributed is a dataset that a strategy distributes: it has none of a dataset's methods.
	Distributed
	// Sequence is a keras.utils.Sequence or PyDataset. Its items are batches.
	Sequence
	// Iterable is a generator, or anything else that Python iterates over.
	Iterable
)

// A Dataset is what is known of a pipeline.
type Dataset struct {
	State State
	Kind  Kind
	// Source is the call, or the generator expression, that it starts with; none if only its type
	// is known.
	Source syntax.Node
	// Steps are the methods between the source and the expression, in order.
	Steps []Step
	// Several is set if the pipeline differs between paths. Steps then holds the steps of
	// all paths, and any may be missing.
	Several bool
	// Parts are the datasets that the elements are taken from, if the source or a step combines
	// others: zipped, sampled from or concatenated.
	Parts []Dataset
	// Sampled is set if, on some path, each element is taken from one of the parts, as in
	// sample_from_datasets, and not from each.
	Sampled bool

	nested bool // its elements are datasets, as after window
}

// A Step is one transformation of a pipeline.
type Step struct {
	// Name is the name of the method or, for apply, of the function passed to it.
	Name string
	Call syntax.Node // of the method
}

// Has reports whether the pipeline, or one that it takes its elements from, has, on some path, a
// step with one of the names.
func (d Dataset) Has(names ...string) bool {
	return slices.ContainsFunc(d.Steps, func(s Step) bool { return slices.Contains(names, s.Name) }) ||
		slices.ContainsFunc(d.Parts, func(part Dataset) bool { return part.Has(names...) })
}

// A Tracer follows the datasets of one module, also through other modules of its program.
type Tracer struct {
	info    *names.Info
	origins *origins.Follower
	given   map[*origins.Call]map[string]Dataset // of the parameters that a library passes datasets for
	busy    map[visit]bool                       // expressions being followed
	budget  int                                  // expressions left, so that no program takes long
}

// A visit is of an expression, in the function that one call runs.
type visit struct {
	node syntax.Node
	in   *origins.Call
}

// NewTracer returns a tracer for a module.
func NewTracer(info *names.Info) *Tracer {
	return &Tracer{info: info, origins: origins.New(info), given: map[*origins.Call]map[string]Dataset{}, busy: map[visit]bool{}}
}

type place = origins.Place

// Of follows the dataset that an expression stands for.
func (t *Tracer) Of(n syntax.Node) Dataset {
	t.budget = min(mostFollowed, max(allFollowed/max(len(t.info.Calls), 1), leastFollowed))
	return t.at(place{Node: n})
}

// The number of expressions that are followed: allFollowed for all queries of a module together,
// mostFollowed for each. Each dataset of a repeated ds = ds.map(f) depends on all before it.
// Following one takes about a microsecond.
const (
	allFollowed   = 300_000
	mostFollowed  = 2000
	leastFollowed = 8
)

var nothing = Dataset{}

// at returns the dataset at a place: what all expressions that reach it agree on. If they are not
// known to be datasets, an annotation of the place may say so.
func (t *Tracer) at(p place) Dataset {
	defer t.info.Enter(p.Node).Leave()
	found := nothing
	first := true
	for _, leaf := range t.leaves(p) {
		here := visit{leaf.Node, leaf.In}
		if t.busy[here] {
			continue // ds = ds.map(f) in a loop adds nothing of its own
		}
		t.busy[here] = true
		d := t.leaf(leaf)
		delete(t.busy, here)
		if first {
			found, first = d, false
		} else {
			found = merge(found, d)
		}
	}
	if found.State == NotDataset && len(p.Path) == 0 {
		return t.declared(p.Node)
	}
	return found
}

// merge returns the join of two datasets.
func merge(a, b Dataset) Dataset {
	if a.State == NotDataset || b.State == NotDataset {
		return nothing
	}
	if a.Kind != b.Kind {
		if a.Kind != Pipeline && a.Kind != Distributed || b.Kind != Pipeline && b.Kind != Distributed {
			return nothing
		}
		a.Kind = Distributed // with a strategy, if the program is given one: no method of a dataset is safe
	}
	if a.State != b.State {
		a.State = Unknown
	}
	a.nested, a.Sampled = a.nested || b.nested, a.Sampled || b.Sampled
	if a.Several = a.Several || b.Several || a.Source != b.Source || !slices.Equal(a.Steps, b.Steps); a.Several {
		a.Steps = slices.Clip(a.Steps)
		for _, s := range b.Steps {
			if !slices.Contains(a.Steps, s) {
				a.Steps = append(a.Steps, s)
			}
		}
		a.Parts = append(slices.Clip(a.Parts), b.Parts...)
	}
	return a
}

// leaves returns the origins of a place.
func (t *Tracer) leaves(p place) []place {
	found, left := t.origins.Within(p, t.budget)
	t.budget = left
	return found
}

// leaf returns the dataset of an expression that stands for nothing else.
func (t *Tracer) leaf(p place) Dataset {
	d := nothing
	switch p.Node.Kind() {
	case syntax.Identifier:
		if p.In != nil && len(p.Path) == 0 {
			d = t.given[p.In][p.Node.Text()]
		}
	case syntax.GeneratorExpression:
		if len(p.Path) == 0 {
			d = Dataset{State: Unknown, Kind: Iterable, Source: p.Node}
		}
	case syntax.Call:
		d = t.call(p)
	}
	if d.State == NotDataset && len(p.Path) == 0 {
		return t.declared(p.Node)
	}
	return d
}

// declared returns the dataset of an expression by its type: an annotation's, or the class that a
// call instantiates.
func (t *Tracer) declared(n syntax.Node) Dataset {
	if !n.Valid() {
		return nothing
	}
	ty := t.info.TypeOf(n)
	is := func(class string) bool {
		return t.info.IsA(ty.Class, class) || ty.Local != nil && t.info.Inherits(ty.Local, class)
	}
	d := nothing
	switch {
	case n.Kind() == syntax.Call && t.info.Target(n.Child(syntax.FieldFunction)).Function == nil && !is("tensorflow.keras.utils.Sequence"):
		// The library's own calls make a source or a step, or no dataset.
	case is("tensorflow.data.Dataset"):
		d = Dataset{State: Unknown, Kind: Pipeline}
	case is("tensorflow.keras.utils.Sequence"):
		d = Dataset{State: Batched, Kind: Sequence}
	}
	if d.State != NotDataset && n.Kind() == syntax.Call {
		d.Source = n
	}
	return d
}

func (t *Tracer) call(p place) Dataset {
	n, function := p.Node, p.Node.Child(syntax.FieldFunction)
	if q := t.info.Qualified(function); q != "" {
		if d, ok := t.source(p, q); ok {
			return d
		}
	}
	if f := t.info.Target(function).Function; f != nil && f.Yields && len(p.Path) == 0 {
		return Dataset{State: Unknown, Kind: Iterable, Source: n}
	}
	if len(p.Path) > 0 || function.Kind() != syntax.Attribute {
		return nothing
	}
	object, method := function.Child(syntax.FieldObject), function.Child(syntax.FieldAttribute).Text()
	if d, ok := t.distributed(object, method, p); ok {
		return d
	}
	d := t.at(place{Node: object, In: p.In})
	if d.Kind != Pipeline {
		return nothing
	}
	return t.step(d, method, n, p.In)
}

// distributed returns the result of a strategy's methods. No other class has methods with these
// names, so the class of the strategy may be unknown.
func (t *Tracer) distributed(object syntax.Node, method string, p place) (Dataset, bool) {
	var d Dataset
	switch method {
	case "experimental_distribute_dataset":
		d = t.at(place{Node: names.Argument(p.Node, 0, "dataset"), In: p.In})
	case "distribute_datasets_from_function", "experimental_distribute_datasets_from_function":
		d = t.run(names.Argument(p.Node, 0, "dataset_fn"), nil, p.In)
	default:
		return nothing, false
	}
	if ty := t.info.TypeOf(object); ty.Known() && !t.info.IsA(ty.Class, "tensorflow.distribute.Strategy") {
		return nothing, true
	}
	if d.State == NotDataset {
		d = Dataset{State: Unknown}
	}
	if d.Kind = Distributed; !d.Source.Valid() {
		d.Source = p.Node
	}
	return d, true
}
