package keras

import (
	_ "embed"
	"encoding/csv"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/value"
)

// loaded is what tfds.load returns: a dataset, or several by split, and a
// description of it.
func (h *host) loaded(args *value.Args) value.Value {
	d := h.source(args, "")
	d.Elements, d.why = supervised(args)
	if _, ok := args.Keywords.Get("batch_size"); ok {
		d.batches(args, -1, 0)
	}
	out := value.Value{X: &splits{"a data set by split", d}}
	switch split := args.Keywords.Value("split"); split.X.(type) {
	case string:
		out = d.note()
	case nil, value.None:
	default:
		items, ok := objects.Sequence(split)
		if l, list := split.X.(*value.List); !ok || list && l.Open != "" {
			return h.unknown("the split is not known: %s", objects.Because(split))
		}
		var tuple value.Tuple
		for range items {
			tuple = append(tuple, d.note())
		}
		out = value.Value{X: tuple}
	}
	if info, ok := args.Keywords.Get("with_info"); ok {
		if info.X != true {
			return h.unknown("whether a description comes with the data set is not known")
		}
		return value.Value{X: value.Tuple{out, h.described(args)}}
	}
	return out
}

// splits are datasets by split.
type splits struct {
	base
	of *dataset
}

func (s *splits) Index(*value.Interp, value.Value) value.Value { return s.of.note() }

// described is the description of a data set: of the labels it is known of how many
// classes they are.
func (h *host) described(args *value.Args) value.Value {
	given, _ := args.Get(0, "name")
	name, _ := given.X.(string)
	name, _, _ = strings.Cut(name, ":") // the version
	set, ok := declared()[name]
	if !ok || set.classes == 0 {
		return h.unknown("what describes a data set is not known")
	}
	labels := &fields{Base: "a feature of a data set", Values: map[string]value.Value{
		"num_classes": {X: set.classes}, "names": h.newArray(Shape{set.classes}, "string"),
	}}
	features := &fields{Base: "the features of a data set", Values: map[string]value.Value{set.label: {X: labels}}}
	return value.Value{X: &fields{Base: "the description of a data set", Values: map[string]value.Value{"features": {X: features}}}}
}

// A declaration is what a data set says of its examples.
type declaration struct {
	elements []Input
	label    string // the feature that holds the labels
	classes  int64  // 0 where the examples have none
}

// sets are the elements that the data sets of TensorFlow Datasets 4.9.9 declare, by
// name or name/configuration, under as_supervised=True, and the classes of their labels
// (testdata/dataset/tfds/record.py).
//
//go:embed tfds.csv
var sets string

var declared = sync.OnceValue(func() map[string]declaration {
	rows, err := csv.NewReader(strings.NewReader(sets)).ReadAll()
	if err != nil {
		panic(err) // the file is part of the program
	}
	out := make(map[string]declaration, len(rows))
	for _, row := range rows[1:] {
		var d declaration
		for written := range strings.SplitSeq(row[1], ", ") {
			d.elements = append(d.elements, elementOf(written))
		}
		label, classes, _ := strings.Cut(row[2], " ")
		d.label = label
		d.classes, _ = strconv.ParseInt(classes, 10, 64)
		out[row[0]] = d
	}
	return out
})

// elementOf reads "28x28x1 uint8", in which ? is a dimension that differs from
// example to example.
func elementOf(written string) Input {
	shape, dtype, dimensions := strings.Cut(written, " ")
	if !dimensions {
		return Input{Shape{}, DType(shape)}
	}
	e := Input{Shape{}, DType(dtype)}
	for n := range strings.SplitSeq(shape, "x") {
		size, err := strconv.ParseInt(n, 10, 64)
		if err != nil {
			size = None
		}
		e.Shape = append(e.Shape, size)
	}
	return e
}

// supervised are the elements of what tfds.load is asked for, or why they are not
// known.
func supervised(args *value.Args) ([]Input, string) {
	if pairs, ok := args.Keywords.Get("as_supervised"); !ok || pairs.X != true {
		return nil, "examples of the data set are dictionaries, of which the elements are not known"
	}
	if _, ok := args.Keywords.Get("decoders"); ok {
		return nil, "the data set is decoded by the program's own decoders"
	}
	given, _ := args.Get(0, "name")
	name, ok := given.X.(string)
	if !ok {
		return nil, "which data set is loaded is not known: " + objects.Because(given)
	}
	name, _, _ = strings.Cut(name, ":") // the version
	if set, ok := declared()[name]; ok {
		return slices.Clone(set.elements), ""
	}
	return nil, "the elements of the data set " + name + " are not known"
}
