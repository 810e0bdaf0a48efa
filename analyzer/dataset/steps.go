package dataset

import (
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/facts/origins"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/tfdata"
)

// step returns the pipeline after a method.
func (t *Tracer) step(d Dataset, name string, call syntax.Node, in *origins.Call) Dataset {
	method, ok := tfdata.Methods[name]
	if !ok || method.Change == tfdata.Iterates {
		return nothing
	}
	from := call // the call with the function among its arguments
	if method.Change == tfdata.Applies {
		transformation := names.Argument(call, 0, "transformation_func")
		from = t.made(transformation)
		if method, name = t.transformation(from); method.Change == 0 {
			return t.applied(d, transformation, call, in)
		}
	}
	d.Steps = append(slices.Clip(d.Steps), Step{name, call})
	function := names.Argument(from, method.Position, method.Function)
	switch method.Change {
	case tfdata.Batches:
		d.State = Batched
		if d.nested {
			d.State = Unknown // of datasets: an error
		}
	case tfdata.Unbatches:
		d.State = Unbatched
	case tfdata.Windows:
		d.nested, d.State = true, Unknown
	case tfdata.Maps:
		if d.nested || t.mayBatch(function, map[*names.Function]bool{}) {
			d.State, d.nested = Unknown, false
		}
	case tfdata.Flattens:
		inner := t.run(function, t.element(d), in)
		switch {
		case inner.Kind != Pipeline, d.nested && inner.State == Batched:
			d.State = Unknown // a window that became one tensor is an example, or a batch
		default:
			d.State = inner.State
		}
		d.nested = inner.nested
	case tfdata.Groups:
		group := Dataset{State: d.State, Kind: Pipeline, Source: d.Source}
		inner := t.run(function, []Dataset{{}, group}, in)
		if d.State = inner.State; inner.Kind != Pipeline {
			d.State = Unknown
		}
	case tfdata.Concatenates:
		other := t.at(place{Node: names.Argument(call, 0, "dataset"), In: in})
		if other.Kind != Pipeline || other.State != d.State {
			d.State = Unknown
		}
		d.Parts = append(slices.Clip(d.Parts), other)
	}
	return d
}

// element returns the argument of the function of flat_map or interleave: a dataset if the
// elements are windows, else no dataset.
func (t *Tracer) element(d Dataset) []Dataset {
	if !d.nested {
		return nil
	}
	window := Dataset{State: Unbatched, Kind: Pipeline, Source: d.Source}
	return []Dataset{window, window, window, window}
}

// made returns the call that creates the transformation passed to apply, if it is the only one.
func (t *Tracer) made(n syntax.Node) syntax.Node {
	if leaves := t.leaves(place{Node: n}); len(leaves) == 1 && leaves[0].Node.Kind() == syntax.Call {
		return leaves[0].Node
	}
	return n
}

// transformation returns what a transformation for apply does, and its name.
func (t *Tracer) transformation(n syntax.Node) (tfdata.Method, string) {
	if n.Kind() != syntax.Call {
		return tfdata.Method{}, ""
	}
	if found, name, ok := tfdata.TransformationOf(t.info.Callee(n)); ok {
		return found.Step(), name
	}
	return tfdata.Method{}, ""
}

// applied returns the pipeline that a function of the program returns when apply calls it.
func (t *Tracer) applied(d Dataset, function, call syntax.Node, in *origins.Call) Dataset {
	out := t.run(function, []Dataset{d}, in)
	if out.Kind != Pipeline {
		out = d
		out.State = Unknown
		out.Steps = append(slices.Clip(d.Steps), Step{"apply", call})
	}
	return out
}

// run returns the dataset that a function returns when the library calls it with the given
// datasets, by position. If one is nothing, the library passes something else.
func (t *Tracer) run(function syntax.Node, given []Dataset, in *origins.Call) Dataset {
	f := t.info.Target(function).Function
	if f == nil {
		// A class of datasets, or a function that creates them: interleave(TFRecordDataset).
		if s, ok := tfdata.Sources[t.info.Qualified(function)]; ok {
			return Dataset{State: state(s), Kind: Pipeline}
		}
		return nothing
	}
	if f.Yields {
		return nothing
	}
	inner := t.origins.Enter(f, syntax.Node{}, in)
	if inner == nil {
		return nothing // too deep
	}
	outer := t.given[inner]
	defer func() { t.given[inner] = outer }()
	t.given[inner] = map[string]Dataset{}
	if function.Kind() != syntax.Call { // it may have bound some of its parameters
		first := 0
		if f.Class != nil && !f.IsStatic() {
			first = 1
		}
		for i, d := range given {
			if first+i < len(f.Params) && d.State != NotDataset && f.Params[first+i].Star == 0 {
				t.given[inner][f.Params[first+i].Name] = d
			}
		}
	}
	found := nothing
	for i, r := range f.Returns {
		if d := t.at(place{Node: r, In: inner}); i == 0 {
			found = d
		} else {
			found = merge(found, d)
		}
	}
	return found
}

// mayBatch reports whether the function passed to map may make batches itself: it is not in this
// module, or it, or a function of the module that it calls, adds a dimension.
func (t *Tracer) mayBatch(n syntax.Node, seen map[*names.Function]bool) bool {
	defer t.info.Enter(n).Leave()
	f := t.info.Target(n).Function
	if f == nil {
		// A TensorFlow function works on one element, as decode_jpeg does, except for those that
		// change its shape.
		q := t.info.Qualified(n)
		return !strings.HasPrefix(q, "tensorflow.") || addsDimension[q[strings.LastIndexByte(q, '.')+1:]]
	}
	if seen[f] {
		return false
	}
	seen[f] = true
	if AddsDimension(f.Node) {
		return true
	}
	may := false
	f.Node.Walk(func(m syntax.Node) bool {
		if m.Kind() == syntax.Call {
			if function := m.Child(syntax.FieldFunction); t.info.Target(function).Function != nil {
				may = may || t.mayBatch(function, seen)
			}
		}
		return !may
	})
	return may
}

// addsDimension are the names of functions that may add a leading dimension to any argument.
var addsDimension = map[string]bool{
	"stack": true, "reshape": true, "batch": true, "py_function": true,
	"numpy_function": true, "parse_example": true, "split": true, "ragged": true, "tile": true,
}

// AddsDimension reports whether code adds a dimension that may be that of a batch: expand_dims, a
// leading index of None, reshape, a batched parse.
func AddsDimension(n syntax.Node) bool {
	found := false
	n.Walk(func(m syntax.Node) bool {
		switch m.Kind() {
		case syntax.Identifier:
			found = found || addsDimension[m.Text()] && !reshapesExample(m)
		case syntax.Call:
			if f := m.Child(syntax.FieldFunction).Text(); f == "expand_dims" || strings.HasSuffix(f, ".expand_dims") {
				axis := names.Argument(m, 1, "axis").Text()
				found = found || axis == "" || !strings.HasPrefix(axis, "-") && (axis[0] < '1' || axis[0] > '9')
			}
		case syntax.Subscript:
			switch index := m.Child(syntax.FieldSubscript); {
			case index.Kind() == syntax.NoneLiteral, strings.HasSuffix(index.Text(), "newaxis"):
				found = true
			}
		}
		return !found
	})
	return found
}

// reshapesExample reports whether a name is reshape in a call with a literal shape, in which the
// first number is not a batch size for one example: reshape(x, [28, 28, 1]).
func reshapesExample(name syntax.Node) bool {
	call := name.Parent()
	if call.Kind() == syntax.Attribute {
		call = call.Parent()
	}
	if name.Text() != "reshape" || call.Kind() != syntax.Call {
		return false
	}
	shape := names.Argument(call, 1, "shape")
	return shape.Is(syntax.List, syntax.Tuple) && multiple(names.Element(shape, 0))
}

// multiple reports whether an expression is a number above 1, or a product with such a number.
func multiple(n syntax.Node) bool {
	if n.Kind() == syntax.BinaryOperator && n.Child(syntax.FieldOperator).Text() == "*" {
		return multiple(n.Child(syntax.FieldLeft)) && multiple(n.Child(syntax.FieldRight))
	}
	i, ok := origins.Literal(n).(int)
	return ok && i > 1
}
