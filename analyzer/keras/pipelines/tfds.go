package pipelines

import (
	_ "embed"
	"encoding/csv"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/keras/state"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// loaded answers tfds.load: a dataset, or several by split, and a description of it.
func loaded(h *state.Host, args *value.Args) value.Value {
	d := newSource(h, args, nil)
	d.Elements, d.form, d.Why = examples(args)
	hand := (*Dataset).note
	size, batched := args.Keywords.Get("batch_size")
	if batched {
		d.batches(args, -1, 0)
		if size.X == int64(-1) { // all examples at once
			hand = (*Dataset).stacked
		}
	}
	part := func(split value.Value) value.Value {
		of := *d
		if !batched {
			of.Count = examplesOf(args, split)
		}
		return hand(&of)
	}
	out := value.Value{X: &splits{"a data set by split", part}}
	switch split := args.Keywords.Value("split"); split.X.(type) {
	case string:
		out = part(split)
	case nil, value.None:
	default:
		items, ok := objects.Sequence(split)
		if l, list := split.X.(*value.List); !ok || list && l.Open != nil {
			return h.Unknown(value.ArrayShape, "the split is not known: %s", objects.Because(split))
		}
		var tuple value.Tuple
		for _, item := range items {
			tuple = append(tuple, part(item))
		}
		out = value.Value{X: tuple}
	}
	if info, ok := args.Keywords.Get("with_info"); ok {
		if info.X != true {
			return h.Unknown(value.FileContents, "whether a description comes with the data set is not known")
		}
		return value.Value{X: value.Tuple{out, described(h, args)}}
	}
	return out
}

// setBuilder is a tfds.builder. Its methods take the arguments of tfds.load except the name
// (tensorflow_datasets/core/dataset_builder.py).
type setBuilder struct {
	value.Base
	h    *state.Host
	name value.Value
}

func (b *setBuilder) GetAttr(in *value.Interp, name string) (value.Value, bool) {
	args := &value.Args{Positional: []value.Value{b.name}}
	switch name {
	case "download_and_prepare":
		return objects.Method(objects.Nothing)
	case "info":
		return described(b.h, args), true
	case "as_dataset":
		return objects.Method(func(_ *value.Interp, given *value.Args) value.Value {
			args.Keywords, args.Open, args.Node = given.Keywords, given.Open, given.Node
			if len(given.Positional) > 0 {
				args.Keywords = value.Named("split", given.Positional[0])
				for keyword, v := range given.Keywords.All() {
					args.Keywords.Put(keyword, v)
				}
			}
			if _, described := args.Keywords.Get("with_info"); described {
				return b.h.Unknown(value.MissingArgument, "as_dataset takes no with_info")
			}
			return loaded(b.h, args)
		})
	}
	return b.Base.GetAttr(in, name)
}

// splits are datasets by split.
type splits struct {
	value.Base
	part func(split value.Value) value.Value
}

func (s *splits) GetItem(_ *value.Interp, split value.Value) value.Value { return s.part(split) }

// stacked returns a dataset as arrays of all its examples, however many there are.
func (d *Dataset) stacked() value.Value {
	if d.Elements == nil {
		return d.WhyNotIter().Unknown()
	}
	var parts []value.Value
	for _, e := range d.Elements {
		if e.Why != nil {
			parts = append(parts, e.Why.Unknown())
			continue
		}
		parts = append(parts, d.h.Arrays.Array(append(tensor.Shape{tensor.None}, e.Shape...), e.DType))
	}
	return d.Arranged(parts)
}

// described returns the description of a data set: the known shapes of its features, and the
// numbers of classes of its labels.
func described(h *state.Host, args *value.Args) value.Value {
	given, _ := args.Get(0, "name")
	name, _ := given.X.(string)
	name, _, _ = strings.Cut(name, ":") // the version
	set, ok := declared()[name]
	if !ok || set.classes == 0 && set.of == nil {
		return h.Unknown(value.FileContents, "the description of a data set is not known")
	}
	features := &objects.Fields{Base: "the features of a data set", Values: map[string]value.Value{}}
	for i, of := range set.of {
		name, _ := set.features[i].X.(string)
		features.Values[name] = value.Value{X: &objects.Fields{Base: "a feature of a data set", Values: map[string]value.Value{"shape": objects.ShapeValue(of.Shape)}}}
	}
	if set.classes == 0 {
		return value.Value{X: &objects.Fields{Base: "the description of a data set", Values: map[string]value.Value{"features": {X: features}}}}
	}
	features.Values[set.label] = value.Value{X: &objects.Fields{Base: "a feature of a data set", Values: map[string]value.Value{
		"num_classes": {X: set.classes}, "names": h.Arrays.Array(tensor.Shape{set.classes}, "string"), "shape": objects.ShapeValue(tensor.Shape{}),
	}}}
	return value.Value{X: &objects.Fields{Base: "the description of a data set", Values: map[string]value.Value{"features": {X: features}}}}
}

// splitSizes are the numbers of examples of the splits of data sets that people load most, as the catalogue
// of TensorFlow Datasets says (tensorflow/datasets, docs/catalog).
//
//go:embed tfds_splits.csv
var splitSizes string

// sizes are those numbers by "name split".
var sizes = sync.OnceValue(func() map[string]int64 {
	out := map[string]int64{}
	for _, row := range rowsOf(splitSizes) {
		out[row[0]+" "+row[1]], _ = strconv.ParseInt(row[2], 10, 64)
	}
	return out
})

// rowsOf returns the rows of a table below its header.
func rowsOf(table string) [][]string {
	rows, err := csv.NewReader(strings.NewReader(table)).ReadAll()
	if err != nil {
		panic(err) // the file is part of the program
	}
	return rows[1:]
}

// examplesOf returns how many examples a split has that tfds.load is asked for, such as "train[:80%]+test",
// or None. A percentage is rounded (tensorflow_datasets/core/splits.py, _pct_to_abs_closest).
func examplesOf(args *value.Args, split value.Value) int64 {
	given, _ := args.Get(0, "name")
	set, _ := given.X.(string)
	text, _ := split.X.(string)
	set, _, _ = strings.Cut(set, ":")
	all := int64(0)
	for part := range strings.SplitSeq(text, "+") {
		name, slice, sliced := strings.Cut(strings.TrimSpace(part), "[")
		n, ok := sizes()[set+" "+name]
		if !ok {
			return tensor.None
		}
		from, to := int64(0), n
		if sliced {
			start, stop, colon := strings.Cut(strings.TrimSuffix(slice, "]"), ":")
			var begins, ends bool
			from, begins = boundary(start, 0, n)
			to, ends = boundary(stop, n, n)
			if !colon || !begins || !ends || from > to {
				return tensor.None
			}
		}
		all += to - from
	}
	return all
}

// boundary reads one end of a slice of n examples.
func boundary(text string, without, n int64) (at int64, ok bool) {
	if text == "" {
		return without, true
	}
	number, percent := strings.CutSuffix(text, "%")
	at, err := strconv.ParseInt(number, 10, 64)
	if percent {
		at = int64(math.RoundToEven(float64(at*n) / 100))
	}
	if at < 0 {
		at += n
	}
	return at, err == nil && 0 <= at && at <= n
}

// A declaration is what a data set declares about its examples.
type declaration struct {
	elements []graph.Input // under as_supervised=True; nil if there is no such pair
	label    string        // the feature with the labels
	classes  int64         // 0 if the examples have none
	// features are the keys of an example without as_supervised, with their values; nil if they
	// are not known, as some are nested.
	features []value.Value
	of       []graph.Input
}

// sets are the elements that the data sets of TensorFlow Datasets 4.9.9 declare, by name or
// name/configuration, with as_supervised=True and without, and the classes of their labels
// (testdata/dataset/tfds/record.py).
//
//go:embed tfds.csv
var sets string

var declared = sync.OnceValue(func() map[string]declaration {
	rows := rowsOf(sets)
	out := make(map[string]declaration, len(rows))
	for _, row := range rows {
		var d declaration
		for written := range strings.SplitSeq(row[1], ", ") {
			if written != "" {
				d.elements = append(d.elements, elementOf(written))
			}
		}
		for written := range strings.SplitSeq(row[3], ", ") {
			if key, element, ok := strings.Cut(written, ": "); ok {
				d.features, d.of = append(d.features, value.Value{X: key}), append(d.of, elementOf(element))
			}
		}
		label, classes, _ := strings.Cut(row[2], " ")
		d.label = label
		d.classes, _ = strconv.ParseInt(classes, 10, 64)
		out[row[0]] = d
	}
	return out
})

// elementOf parses "28x28x1 uint8". A ? is a dimension that differs between examples.
func elementOf(written string) graph.Input {
	shape, dtype, dimensions := strings.Cut(written, " ")
	if !dimensions {
		return graph.Input{Shape: tensor.Shape{}, DType: tensor.DType(shape)}
	}
	e := graph.Input{Shape: tensor.Shape{}, DType: tensor.DType(dtype)}
	for n := range strings.SplitSeq(shape, "x") {
		size, err := strconv.ParseInt(n, 10, 64)
		if err != nil {
			size = tensor.None
		}
		e.Shape = append(e.Shape, size)
	}
	return e
}

// examples returns the elements for the arguments of tfds.load, and their structure: pairs, or
// dictionaries; or why they are not known.
func examples(args *value.Args) (elements []graph.Input, form value.Value, why *value.Cause) {
	if _, ok := args.Keywords.Get("decoders"); ok {
		return nil, form, value.Because(value.ArrayShape, "the data set is decoded by the program's own decoders")
	}
	pairs, _ := args.Keywords.Get("as_supervised")
	if _, known := pairs.X.(bool); !known && pairs.X != nil {
		return nil, form, value.Because(value.ArrayShape, "whether examples of the data set are dictionaries is not known")
	}
	given, _ := args.Get(0, "name")
	name, ok := given.X.(string)
	if !ok {
		return nil, form, value.Because(value.ArrayShape, "the data set that is loaded is not known: %s", objects.Because(given))
	}
	name, _, _ = strings.Cut(name, ":") // the version
	switch set := declared()[name]; {
	case pairs.X == true && set.elements != nil:
		return slices.Clone(set.elements), form, nil
	case pairs.X != true && set.features != nil:
		form.X = &value.Dict{Keys: slices.Clone(set.features), Values: make([]value.Value, len(set.features))}
		return slices.Clone(set.of), form, nil
	}
	return nil, form, value.Because(value.ArrayShape, "the elements of the data set %s are not known", name)
}
