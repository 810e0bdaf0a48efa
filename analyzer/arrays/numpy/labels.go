package numpy

import (
	"strings"

	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/shapes"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// Labels is what is known of the numbers in an array of labels: they are integers from 0 on, and
// each class occurs. The label of each example is unknown. Programs derive the number of classes
// from the data to size the last layer.
type Labels struct {
	Classes int64 // 0 if it is not known
	// Hot is set if the last dimension is one-hot.
	Hot bool
	// unread is set if the labels are in files that tfmem does not read.
	unread bool
}

// LabelFunctions are the functions that count labels.
var LabelFunctions = []NumericFunction{
	{Names: "bincount", run: (*Call).counted},
	{Names: "argmax", keywords: "axis", run: (*Call).hottest},
}

// The bounds of the number of classes in data that is not read. The upper one is ImageNet's. For
// most models the difference is a part of the last layer.
const (
	fewestClasses = 2
	mostClasses   = 1000
)

// UnreadClasses returns the classes of data that is not read, for the reason why: a container
// described by what.
func (lib *Library) UnreadClasses(what, why string) *objects.Counted {
	return &objects.Counted{Base: value.Base(what), Ends: lib.Run, Low: fewestClasses, High: mostClasses, Why: why + ": they are taken to be 2 to 1,000."}
}

// UnreadLabels returns the classes of labels that are not read.
func (lib *Library) UnreadLabels() *objects.Counted {
	return lib.UnreadClasses("the classes of labels", "How many classes the labels have is not known, as they are not read")
}

// Labelled returns an array of labels.
func (lib *Library) Labelled(shape tensor.Shape, d tensor.DType, of Labels) value.Value {
	a := &Array{Base: "an array", Lib: lib, Shape: shape, DType: d}
	if of.Classes > 0 || of.unread {
		a.of, a.written = of, new(bool)
	}
	return value.Value{X: a}
}

// Labels returns the labels in an array.
func (a *Array) Labels() Labels {
	if a.written != nil && *a.written {
		return Labels{}
	}
	return a.of
}

// Classes returns the number of classes in an array that holds only labels.
func (a *Array) Classes() (int64, bool) {
	of := a.Labels()
	return of.Classes, of.Classes > 0 && !of.Hot
}

// Distinct returns the labels of an array, each once.
func (a *Array) Distinct() ([]value.Value, bool) {
	n, ok := a.Classes()
	if !ok || len(a.Shape) != 1 {
		return nil, false
	}
	return objects.NumbersTo(n), true
}

// takesAll reports whether an index selects all elements of a shape, at most with its dimensions
// in another order: y[:, 0] of labels in a column.
func takesAll(s tensor.Shape, index value.Value, taken tensor.Shape) bool {
	parts, _ := indexParts(index)
	for _, p := range parts {
		switch p.X.(type) {
		case value.None, value.Ellipsis, value.Slice, int64:
		default:
			return false
		}
	}
	n, ok := s.Elements()
	m, known := taken.Elements()
	return ok && known && n == m
}

// classMost returns the greatest or the least label of an array.
func (c *Call) classMost(a *Array) value.Value {
	n, ok := a.Classes()
	if !ok {
		return value.Value{}
	}
	most := int64(0)
	if strings.HasSuffix(c.Name, "max") {
		most = n - 1
	}
	if a.DType.Floating() {
		return value.Value{X: float64(most)}
	}
	return value.Value{X: most}
}

// distinct is numpy.unique of labels, with the counts if requested.
func (c *Call) distinct(a *Array) value.Value {
	n, ok := a.Classes()
	if !ok {
		return value.Value{}
	}
	each := value.Value{X: c.Lib.Row(objects.NumbersTo(n), a.DType)}
	if counts := c.Args.Keywords.Value("return_counts"); counts.X == true {
		return value.Value{X: value.Tuple{each, c.Lib.Array(tensor.Shape{n}, "int64")}}
	}
	return each
}

// counted is numpy.bincount of labels.
func (c *Call) counted(a *Array) value.Value {
	n, ok := a.Classes()
	if !ok || len(a.Shape) != 1 || len(c.Args.Positional) > 1 {
		return value.Value{}
	}
	return c.Lib.Array(tensor.Shape{n}, "int64")
}

// hottest is argmax along the last dimension of one-hot labels: the labels.
func (c *Call) hottest(a *Array) value.Value {
	of := a.Labels()
	_, given := objects.Passed(c.Args, 1, "axis")
	at, err := shapes.AxisArgument(c.Args, 1, 0, a.Shape)
	if !of.Hot || !given || err != nil || at != len(a.Shape)-1 {
		return value.Value{}
	}
	return c.Lib.Labelled(a.Shape[:at], "int64", Labels{Classes: of.Classes})
}

// Categorical is keras.utils.to_categorical. Keras 3 makes an array of NumPy's own type
// (keras/src/utils/numerical_utils.py); Keras 2 takes the type.
func (c *Call) Categorical() value.Value {
	lib, args, d := c.Lib, c.Args, tensor.DType("float64")
	if lib.Run.Keras() == 2 {
		d = DTypeAt(args, 2, "dtype", "float32")
	}
	v, _ := args.Get(0, "x")
	r := &Reader{Args: args}
	classes := r.Number(1, "num_classes", tensor.None)
	shape, _, ok := Of(v)
	if !ok && classes == tensor.None && lib.Run.AtEnd() {
		return lib.Labelled(tensor.Shape{tensor.None, tensor.None}, d, Labels{Hot: true, unread: true})
	}
	if !ok {
		return Unknown(v)
	}
	if len(shape) > 1 && shape.Last() == 1 {
		shape = shape[:len(shape)-1]
	}
	var of Labels
	if a, ok := v.X.(*Array); ok {
		n, known := a.Classes()
		if classes == tensor.None && known {
			classes = n
		}
		of = Labels{Classes: n, Hot: true}
	}
	return lib.Labelled(append(append(tensor.Shape(nil), shape...), classes), d, of)
}
