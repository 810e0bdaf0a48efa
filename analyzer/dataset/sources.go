package dataset

import (
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/tfdata"
)

// state returns the state of a source's elements, if no argument changes it.
func state(s tfdata.Source) State {
	switch s.Elements {
	case tfdata.Single:
		return Unbatched
	case tfdata.Batched:
		return Batched
	}
	return Unknown
}

// source returns the dataset that a call of a library function creates. ok is false if the
// function creates none.
func (t *Tracer) source(p place, name string) (d Dataset, ok bool) {
	call := p.Node
	d = Dataset{State: Unknown, Kind: Pipeline, Source: call}
	switch name {
	case "tensorflow.data.Dataset.zip":
		// Dataset.zip((a, b)); since TensorFlow 2.13 also zip(a, b).
		parts := call.Child(syntax.FieldArguments)
		if !names.Argument(call, 1, "").Valid() {
			parts = names.Argument(call, 0, "datasets")
		}
		d.State, d.Parts = t.agreed(place{Node: parts, In: p.In})
	case "tensorflow.data.Dataset.sample_from_datasets", "tensorflow.data.experimental.sample_from_datasets",
		"tensorflow.data.Dataset.choose_from_datasets", "tensorflow.data.experimental.choose_from_datasets":
		d.Sampled = true
		d.State, d.Parts = t.agreed(place{Node: names.Argument(call, 0, "datasets"), In: p.In})
	case "tensorflow.keras.utils.split_dataset":
		// Two datasets like the argument (keras/src/utils/dataset_utils.py). From arrays it
		// creates datasets of single examples.
		if len(p.Path) != 1 {
			return nothing, true
		}
		if of := t.at(place{Node: names.Argument(call, 0, "dataset"), In: p.In}); of.Kind == Pipeline {
			d.State, d.Parts = of.State, []Dataset{of}
		}
		return d, true
	case "tensorflow_datasets.as_numpy":
		d = t.at(place{Node: names.Argument(call, 0, "dataset"), Path: p.Path, In: p.In})
		if d.State != NotDataset {
			d.Kind = Iterable
		}
		return d, true
	case "tensorflow.keras.utils.experimental.DatasetCreator":
		d.State = t.run(names.Argument(call, 0, "dataset_fn"), nil, p.In).State
		d.Kind = Distributed
	default:
		s, ok := tfdata.Sources[name]
		if !ok {
			return nothing, false
		}
		d.State = state(s)
		if s.Batch != "" {
			argument := names.Argument(call, s.Position, s.Batch)
			switch {
			case names.HasSplat(call):
				d.State = Unknown
			case argument.Kind() == syntax.NoneLiteral:
				d.State = Unbatched
			case argument.Text() == "-1" && strings.HasPrefix(name, "tensorflow_datasets."):
				return nothing, true // all of it as tensors
			case argument.Valid():
				d.State = Batched
			}
		}
		if !t.part(call, name, p.Path) {
			return nothing, true
		}
		if name == "tensorflow.data.Dataset.from_generator" && t.yieldsNumber(call) {
			d.State = Unbatched
		}
		if name == "tensorflow.data.Dataset.from_tensor_slices" && (AddsDimension(call) || listsArrays(names.Argument(call, 0, "tensors"))) {
			d.State = Unknown
		}
		return d, true
	}
	if d.State == NotDataset {
		d.State = Unknown
	}
	if len(p.Path) > 0 {
		return nothing, true
	}
	return d, true
}

// yieldsNumber reports whether a generator's elements are declared with a part, such as a label,
// that is a single number, which a batch does not have, and with none of an open length.
func (t *Tracer) yieldsNumber(call syntax.Node) bool {
	number, open := false, false
	shape := func(n syntax.Node) {
		display := n.Is(syntax.Tuple, syntax.List)
		number = number || display && !n.FirstChild().Valid()
		open = open || !display || n.FirstChild().Kind() == syntax.NoneLiteral
	}
	if signature := t.info.DefiningExpr(names.Argument(call, -1, "output_signature")); signature.Valid() {
		signature.Walk(func(n syntax.Node) bool {
			if n.Kind() == syntax.Call && t.info.Callee(n) == "tensorflow.TensorSpec" {
				shape(names.Argument(n, 0, "shape"))
			}
			return true
		})
	} else if shapes := t.info.DefiningExpr(names.Argument(call, 2, "output_shapes")); shapes.Valid() {
		t.eachShape(shapes, shape)
	}
	return number && !open
}

// eachShape calls f with the shapes in a structure of them. A tuple or list without further ones
// is a shape.
func (t *Tracer) eachShape(structure syntax.Node, f func(shape syntax.Node)) {
	switch structure.Kind() {
	case syntax.Call:
		if t.info.Callee(structure) == "tensorflow.TensorShape" {
			structure = names.Argument(structure, 0, "dims")
		}
		f(structure)
	case syntax.Dictionary:
		for pair := range structure.Children() {
			t.eachShape(pair.Child(syntax.FieldValue), f)
		}
	case syntax.Tuple, syntax.List:
		nested := false
		for c := range structure.Children() {
			nested = nested || c.Is(syntax.Tuple, syntax.List, syntax.Dictionary, syntax.Call)
		}
		if !nested {
			f(structure)
			return
		}
		for c := range structure.Children() {
			t.eachShape(c, f)
		}
	default:
		f(structure)
	}
}

// part reports whether there is a dataset at a path into what a source returns: it may return
// several, by split.
func (t *Tracer) part(call syntax.Node, name string, path []any) bool {
	switch name {
	case "tensorflow_datasets.load", "tensorflow_datasets.core.DatasetBuilder.as_dataset":
		if names.Argument(call, -1, "with_info").Kind() == syntax.True {
			if len(path) == 0 || path[0] != 0 {
				return false // the pair, or the description
			}
			path = path[1:]
		}
		position := -1
		if strings.HasSuffix(name, "as_dataset") {
			position = 0
		}
		switch split := names.Argument(call, position, "split"); {
		case names.HasSplat(call):
			return len(path) < 2
		case !split.Valid(), split.Kind() == syntax.NoneLiteral:
			if len(path) != 1 {
				return false
			}
			_, ok := path[0].(string)
			return ok
		case split.Is(syntax.List, syntax.Tuple):
			return len(path) == 1
		case split.Is(syntax.String, syntax.ConcatenatedString):
			return len(path) == 0
		}
		return len(path) < 2
	case "tensorflow.keras.utils.image_dataset_from_directory", "tensorflow.keras.utils.text_dataset_from_directory", "tensorflow.keras.utils.audio_dataset_from_directory":
		if subset, ok := names.StringValue(names.Argument(call, -1, "subset")); ok && subset == "both" {
			return len(path) == 1
		}
	}
	return len(path) == 0
}

// agreed returns the state of all datasets in a structure, or Unknown, and the datasets.
func (t *Tracer) agreed(p place) (State, []Dataset) {
	parts := t.parts(p)
	state := NotDataset
	for _, d := range parts {
		if d.State != state && state != NotDataset || d.Kind != Pipeline || d.nested {
			return Unknown, parts
		}
		state = d.State
	}
	return state, parts
}

// parts returns the datasets in nested tuples, lists and dictionaries.
func (t *Tracer) parts(p place) []Dataset {
	defer t.info.Enter(p.Node).Leave()
	if leaves := t.leaves(p); len(leaves) == 1 && len(leaves[0].Path) == 0 && leaves[0].Node.Valid() {
		p = leaves[0]
	}
	var out []Dataset
	switch p.Node.Kind() {
	case syntax.Tuple, syntax.List, syntax.ExpressionList, syntax.ArgumentList, syntax.Dictionary:
		for c := range p.Node.Children() {
			switch c.Kind() {
			case syntax.Comment:
				continue
			case syntax.Pair:
				c = c.Child(syntax.FieldValue)
			case syntax.KeywordArgument:
				continue // name=
			}
			out = append(out, t.parts(place{Node: c, In: p.In})...)
		}
	default:
		out = append(out, t.at(p))
	}
	return out
}

// listsArrays reports whether what is sliced is a list that may have batches as items, or a tuple or
// dict of such lists.
func listsArrays(n syntax.Node) bool {
	switch n.Kind() {
	case syntax.List:
		return slices.ContainsFunc(slices.Collect(n.Children()), func(item syntax.Node) bool {
			return item.Is(syntax.Identifier, syntax.Attribute, syntax.Subscript, syntax.Call)
		})
	case syntax.ListComprehension:
		return n.Child(syntax.FieldBody).Child(syntax.FieldSubscript).Kind() == syntax.Slice // x[i:i + 32]
	case syntax.Tuple:
		return slices.ContainsFunc(slices.Collect(n.Children()), listsArrays)
	case syntax.Dictionary:
		return slices.ContainsFunc(slices.Collect(n.Children()), func(pair syntax.Node) bool { return listsArrays(pair.Child(syntax.FieldValue)) })
	}
	return false
}
