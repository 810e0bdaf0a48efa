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
	info   *names.Info
	busy   map[visit]bool // expressions being followed
	budget int            // steps left, so that no program takes long
}

// A visit is of an expression, in the function that one call runs.
type visit struct {
	node syntax.Node
	env  *environment
}

// NewTracer returns a tracer for a module.
func NewTracer(info *names.Info) *Tracer {
	return &Tracer{info: info, busy: map[visit]bool{}}
}

// An environment binds a function's parameters to the arguments of one call.
type environment struct {
	function *names.Function
	call     syntax.Node        // none if the library calls it
	given    map[string]Dataset // of the parameters that the library passes datasets for
	outer    *environment
}

// A place is an expression or, if the path is not empty, a part of its value: each item of the
// path is an index (int) or a key (string).
type place struct {
	node syntax.Node
	path []any
	env  *environment
}

// Of follows the dataset that an expression stands for.
func (t *Tracer) Of(n syntax.Node) Dataset {
	t.budget = min(mostFollowed, max(allFollowed/max(len(t.info.Calls), 1), leastFollowed))
	return t.at(place{node: n})
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
	defer t.info.Enter(p.node).Leave()
	found := nothing
	first := true
	for _, leaf := range t.leaves(p, nil) {
		here := visit{leaf.node, leaf.env}
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
	if found.State == NotDataset && len(p.path) == 0 {
		return t.declared(p.node)
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

// leaves appends the expressions that a place stands for to out. It follows names, parameters,
// returns, displays and their items; what cannot be followed further is a leaf. A leaf without a
// node stands for what is too far to follow.
func (t *Tracer) leaves(p place, out []place) []place {
	defer t.info.Enter(p.node).Leave()
	if t.budget--; t.budget < 0 || !p.node.Valid() {
		return append(out, place{})
	}
	n := p.node
	switch n.Kind() {
	case syntax.ParenthesizedExpression:
		return t.leaves(place{n.FirstChild(), p.path, p.env}, out)
	case syntax.NamedExpression:
		return t.leaves(place{n.Child(syntax.FieldValue), p.path, p.env}, out)
	case syntax.ConditionalExpression:
		value := n.FirstChild()
		return t.leaves(place{value.Next().Next(), p.path, p.env}, t.leaves(place{value, p.path, p.env}, out))
	case syntax.Identifier:
		if reaching := t.info.ReachingDefs(n); len(reaching) > 0 {
			return t.bindings(reaching, p, p.env, out)
		}
		return t.bindings(t.info.Starred(n), p, nil, out)
	case syntax.Attribute:
		object, name := n.Child(syntax.FieldObject), n.Child(syntax.FieldAttribute).Text()
		if ty := t.info.TypeOf(object); ty.Local != nil {
			return t.bindings(t.info.Attribute(ty.Local, name), p, nil, out)
		}
		if m := t.info.ModuleOf(object); m != nil {
			return t.bindings(m.Exports(name), p, nil, out)
		}
	case syntax.Subscript:
		if k := key(n.Child(syntax.FieldSubscript)); k != nil {
			return t.leaves(place{n.Child(syntax.FieldValue), append([]any{k}, p.path...), p.env}, out)
		}
	case syntax.Tuple, syntax.ExpressionList, syntax.List, syntax.Dictionary:
		if len(p.path) > 0 {
			return t.leaves(place{item(n, p.path[0]), p.path[1:], p.env}, out)
		}
	case syntax.Call:
		f := t.info.Target(n.Child(syntax.FieldFunction)).Function
		if f == nil || f.Yields || len(f.Returns) == 0 {
			break
		}
		inner := &environment{function: f, call: n, outer: p.env}
		for _, r := range f.Returns {
			out = t.leaves(place{r, p.path, inner}, out)
		}
		return out
	}
	return append(out, p)
}

// key returns the index or key of a subscript, or nil if it is not a literal.
func key(n syntax.Node) any {
	if s, ok := names.StringValue(n); ok {
		return s
	}
	if i, ok := number(n); ok {
		return i
	}
	return nil
}

// item returns the item of a display at an index or a key, or none.
func item(n syntax.Node, k any) syntax.Node {
	if i, ok := k.(int); ok && n.Kind() != syntax.Dictionary {
		return names.Element(n, i)
	}
	if n.Kind() != syntax.Dictionary {
		return syntax.Node{}
	}
	found := syntax.Node{}
	for c := range n.Children() {
		switch c.Kind() {
		case syntax.Pair:
			if key(c.Child(syntax.FieldKey)) == k {
				found = c.Child(syntax.FieldValue)
			}
		case syntax.DictionarySplat:
			found = syntax.Node{}
		}
	}
	return found
}

// bindings appends what the bindings of the name at a place stand for.
func (t *Tracer) bindings(bindings []*names.Binding, p place, env *environment, out []place) []place {
	defer t.info.Enter(p.node).Leave()
	if len(bindings) == 0 {
		return append(out, p)
	}
	for _, b := range bindings {
		switch b.Kind {
		case names.AssignBinding:
			out = t.leaves(place{b.Value, p.path, env}, out)
		case names.UnpackBinding:
			if len(b.Path) == 0 {
				return append(out, place{})
			}
			var path []any
			for _, i := range b.Path {
				path = append(path, i)
			}
			out = t.leaves(place{b.Value, append(path, p.path...), env}, out)
		case names.ParameterBinding:
			out = t.parameter(b, p, env, out)
		case names.FromBinding:
			// What another module of the program binds when it is imported.
			out = t.bindings(t.info.Origin(b), p, nil, out)
		default:
			out = append(out, p)
		}
	}
	return out
}

// parameter appends the argument of the call or, if the function is entered from outside, the
// arguments of all its calls.
func (t *Tracer) parameter(b *names.Binding, p place, env *environment, out []place) []place {
	f := b.Scope.Func
	if f == nil {
		return append(out, p)
	}
	for e := env; e != nil; e = e.outer {
		if e.function == f {
			if !e.call.Valid() {
				return append(out, place{b.Node, p.path, e})
			}
			return t.argument(f, e.call, b.Name, p, e.outer, out)
		}
	}
	calls := t.info.CallsOf(f)
	if len(calls) == 0 {
		return append(out, p)
	}
	for _, call := range calls {
		out = t.argument(f, call, b.Name, p, nil, out)
	}
	return out
}

// argument appends what a call of f passes for a parameter, or the parameter's default. f may be
// a method, called on an instance.
func (t *Tracer) argument(f *names.Function, call syntax.Node, name string, p place, env *environment, out []place) []place {
	for i, parameter := range f.Params {
		if parameter.Name != name || parameter.Star != 0 {
			continue
		}
		position := i
		if parameter.KeywordOnly {
			position = -1
		} else if f.Class != nil && !f.IsStatic() {
			position--
		}
		value := names.Argument(call, position, name)
		if !value.Valid() && !names.HasSplat(call) {
			value, env = parameter.Default, nil
		}
		return t.leaves(place{value, p.path, env}, out)
	}
	return append(out, place{})
}

// leaf returns the dataset of an expression that stands for nothing else.
func (t *Tracer) leaf(p place) Dataset {
	d := nothing
	switch p.node.Kind() {
	case syntax.Identifier:
		if p.env != nil && len(p.path) == 0 {
			d = p.env.given[p.node.Text()]
		}
	case syntax.GeneratorExpression:
		if len(p.path) == 0 {
			d = Dataset{State: Unknown, Kind: Iterable, Source: p.node}
		}
	case syntax.Call:
		d = t.call(p)
	}
	if d.State == NotDataset && len(p.path) == 0 {
		return t.declared(p.node)
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
	n, function := p.node, p.node.Child(syntax.FieldFunction)
	if q := t.info.Qualified(function); q != "" {
		if d, ok := t.source(p, q); ok {
			return d
		}
	}
	if f := t.info.Target(function).Function; f != nil && f.Yields && len(p.path) == 0 {
		return Dataset{State: Unknown, Kind: Iterable, Source: n}
	}
	if len(p.path) > 0 || function.Kind() != syntax.Attribute {
		return nothing
	}
	object, method := function.Child(syntax.FieldObject), function.Child(syntax.FieldAttribute).Text()
	if d, ok := t.distributed(object, method, p); ok {
		return d
	}
	d := t.at(place{node: object, env: p.env})
	if d.Kind != Pipeline {
		return nothing
	}
	return t.step(d, method, n, p.env)
}

// distributed returns the result of a strategy's methods. No other class has methods with these
// names, so the class of the strategy may be unknown.
func (t *Tracer) distributed(object syntax.Node, method string, p place) (Dataset, bool) {
	var d Dataset
	switch method {
	case "experimental_distribute_dataset":
		d = t.at(place{node: names.Argument(p.node, 0, "dataset"), env: p.env})
	case "distribute_datasets_from_function", "experimental_distribute_datasets_from_function":
		d = t.run(names.Argument(p.node, 0, "dataset_fn"), nil, p.env)
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
		d.Source = p.node
	}
	return d, true
}
