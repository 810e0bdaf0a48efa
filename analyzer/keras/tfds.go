package keras

import (
	_ "embed"
	"encoding/csv"
	"strconv"
	"strings"
	"sync"

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
	out := value.Value{X: &splits{base{"a data set by split"}, d}}
	switch split := args.Keywords.Value("split"); split.X.(type) {
	case string:
		out = d.note()
	case nil, value.None:
	default:
		items, ok := sequence(split)
		if l, list := split.X.(*value.List); !ok || list && l.Open != "" {
			return h.unknown("the split is not known: %s", because(split))
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
		return value.Value{X: value.Tuple{out, h.unknown("what describes a data set is not known")}}
	}
	return out
}

// splits are datasets by split.
type splits struct {
	base
	of *dataset
}

func (s *splits) Index(*value.Interp, value.Value) value.Value { return s.of.note() }

// sets are the elements that the data sets of TensorFlow Datasets 4.9.9 declare, by
// name or name/configuration, under as_supervised=True
// (testdata/dataset/tfds/record.py).
//
//go:embed tfds.csv
var sets string

var setElements = sync.OnceValue(func() map[string][]Input {
	rows, err := csv.NewReader(strings.NewReader(sets)).ReadAll()
	if err != nil {
		panic(err) // the file is part of the program
	}
	out := make(map[string][]Input, len(rows))
	for _, row := range rows[1:] {
		var elements []Input
		for written := range strings.SplitSeq(row[1], ", ") {
			elements = append(elements, elementOf(written))
		}
		out[row[0]] = elements
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
		return nil, "which data set is loaded is not known: " + because(given)
	}
	name, _, _ = strings.Cut(name, ":") // the version
	if elements, ok := setElements()[name]; ok {
		return append([]Input(nil), elements...), ""
	}
	return nil, "the elements of the data set " + name + " are not known"
}
