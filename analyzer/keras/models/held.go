package models

import (
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/arrays/numpy"
	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/keras/ops"
	"github.com/tfmem/tfmem/analyzer/keras/pipelines"
	"github.com/tfmem/tfmem/analyzer/keras/state"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// An argument is one of fit and its like that holds data.
type argument struct {
	name string
	v    value.Value
}

// givenTo returns the data that a method is given, without that of a validation.
func givenTo(method string, args *value.Args) []argument {
	x, _ := args.Get(0, "x")
	y, _ := args.Get(1, "y")
	if method == "predict" {
		return []argument{{"x", x}}
	}
	weights, _ := args.Get(map[string]int{"fit": 10, "evaluate": 4}[method], "sample_weight")
	return []argument{{"x", x}, {"y", y}, {"sample_weight", weights}}
}

// holds finds what lies on the device while a call trains or runs the model: the tensors that the
// program holds, and those that the call makes of its arrays.
func (v *ModelValue) holds(in *value.Interp, u *graph.ModelCall, args *value.Args) {
	switch u.Method {
	case "fit", "evaluate", "predict":
	default:
		u.Data = pipelines.Held(in, nil, args.Positional)
		v.onHost(in, u, args, args.Positional)
		return
	}
	parts := givenTo(u.Method, args)
	held := make([]value.Value, 0, len(parts)+1)
	for _, g := range parts {
		held = append(held, g.v)
	}
	validation := argument{name: "validation_data"}
	if u.Method == "fit" {
		validation.v, _ = args.Get(7, validation.name)
		held = append(held, validation.v)
	}
	lying := pipelines.Held(in, held, nil)
	first, later := copied(v.H, u.Method, parts, validation, args)
	u.Copied = slices.Concat(first, later)
	u.Data = slices.Concat(lying, first)
	if epochs, said := args.Get(3, "epochs"); said && u.Method == "fit" && epochs.X != int64(1) {
		u.Data = slices.Concat(lying, u.Copied) // from the second epoch on
	}
	if u.Validation != nil {
		u.Validation.Data = slices.Concat(lying, u.Copied)
	}
	var returned []graph.DataTerm
	if u.Method == "predict" {
		returned = v.collected(u, parts[0].v)
		u.Data = append(u.Data, returned...)
	}
	v.onHost(in, u, args, held, copiesOnHost(first, later), returnedOnHost(returned), v.histograms(u, args), v.queued(in, u, args, parts[0].v))
}

// Copied returns the tensors that a method of a model makes of the arrays that it is given.
func Copied(h *state.Host, method string, args *value.Args) []graph.DataTerm {
	switch method {
	case "fit", "evaluate", "predict":
	default:
		return nil
	}
	validation := argument{name: "validation_data"}
	if method == "fit" {
		validation.v, _ = args.Get(7, validation.name)
	}
	first, later := copied(h, method, givenTo(method, args), validation, args)
	return slices.Concat(first, later)
}

// copied returns the tensors that fit, evaluate and predict make of arrays: one of each, whatever
// the batch size, because they make datasets of them
// (keras/src/trainers/data_adapters/array_data_adapter.py, get_tf_dataset;
// tf_keras/src/engine/data_adapter.py, TensorLikeDataAdapter). Those of a validation follow at the
// end of the first epoch, and stay until fit returns (keras/src/backend/tensorflow/trainer.py,
// _eval_epoch_iterator; tf_keras/src/engine/training.py, _eval_data_handler). A validation split
// takes its part before any is made.
func copied(h *state.Host, method string, parts []argument, validation argument, args *value.Args) (first, later []graph.DataTerm) {
	c := copies{h: h, method: method, args: args}
	batch, _ := args.Get(map[string]int{"fit": 2, "evaluate": 2, "predict": 1}[method], "batch_size")
	c.sure = some(batch) // it is for arrays
	for _, g := range parts {
		c.sure = c.sure || g.name != "x" && some(g.v)
	}
	c.splits = method == "fit" && !some(validation.v)
	for _, g := range parts {
		c.all(g)
	}
	if some(validation.v) {
		first, c.first, c.sure = c.first, nil, false
		c.all(validation)
		return first, c.first
	}
	return c.first, c.later
}

// some reports whether an argument is given and is not None.
func some(v value.Value) bool {
	_, none := v.X.(value.None)
	return v.X != nil && !none
}

// copies are the tensors that a call makes of arrays.
type copies struct {
	h      *state.Host
	method string
	args   *value.Args
	sure   bool // its data are arrays, even if nothing is known of them
	splits bool // by validation_split, if that is given
	first  []graph.DataTerm
	later  []graph.DataTerm // of the part for validation
}

func (c *copies) all(g argument) {
	if !some(g.v) {
		return
	}
	for _, part := range structured(ops.AsArrays(g.v)) {
		switch part.X.(type) {
		case value.None, *ops.Variable, *pipelines.Dataset:
			continue
		}
		what := g.name + " of " + c.method + "()"
		shape, d, ok := numpy.Of(part)
		switch {
		case !ok && (c.sure || numpy.IsUnknown(part)):
			c.unknown(g.name, value.Because(value.ArrayShape, "the shape is not known: %s", numpy.Reason(objects.Because(part))))
		case ok && len(shape) > 0:
			c.array(what, part, shape, d)
		}
	}
}

// unknown adds an array of unknown size to the one term for all such arrays of the call.
func (c *copies) unknown(name string, why *value.Cause) {
	of := " of " + c.method + "()"
	i := slices.IndexFunc(c.first, func(t graph.DataTerm) bool { return t.Unknown != nil })
	if i < 0 {
		c.first = append(c.first, graph.DataTerm{What: name + of, Node: c.args.Node, Unknown: why})
		return
	}
	if t := &c.first[i]; !slices.Contains(strings.Fields(t.What), name) {
		t.What = strings.TrimSuffix(t.What, of) + " and " + name + of
	}
}

// array adds the tensor that is made of an array. Floating-point numbers become floatx: those of
// NumPy before they are copied, those of a tensor only in Keras 3, in a tensor beside it
// (keras/src/trainers/data_adapters/array_slicing.py, convert_to_sliceable;
// tf_keras/src/engine/data_adapter.py, _process_tensorlike).
func (c *copies) array(what string, part value.Value, shape tensor.Shape, d tensor.DType) {
	a, _ := part.X.(*numpy.Array)
	casts := d.Floating() && string(d) != c.h.Floatx(c.args.Node)
	if a != nil && a.Buffer != nil && !(casts && c.h.Keras() > 2) {
		return
	}
	if casts {
		d = tensor.DType(c.h.Floatx(c.args.Node))
	}
	rows := shape[0]
	if c.splits && rows > 0 {
		if n := rowsTaken(rows, c.method, c.args); n >= 0 {
			rows = n
		}
	}
	if d == "" {
		d = "int64" // of a table's column: nothing in one is wider
	}
	if rows < shape[0] {
		c.later = c.copied(c.later, what, shape.With(0, shape[0]-rows), d, casts)
	}
	c.first = c.copied(c.first, what, shape.With(0, rows), d, casts)
}

// copied adds a tensor of a shape to terms, if the device holds it.
func (c *copies) copied(terms []graph.DataTerm, what string, shape tensor.Shape, d tensor.DType, cast bool) []graph.DataTerm {
	b := c.h.Arrays.NewBuffer(shape, d, c.args.Node)
	b.Copied = true
	if term, ok := ops.DataTerm(b, what); ok {
		term.Cast = cast
		terms = append(terms, term)
	}
	return terms
}

// collected returns what predict keeps of each batch until the end, where it joins them
// (keras/src/backend/tensorflow/trainer.py, predict; tf_keras/src/engine/training.py, predict). Of
// one batch it is the step's own output.
func (v *ModelValue) collected(u *graph.ModelCall, data value.Value) []graph.DataTerm {
	what, rows := "what predict() collects", rowsAmong(data)
	if d, streams := data.X.(*pipelines.Dataset); streams {
		rows = d.Rows()
	}
	if n, ok := u.Batch.Int(); len(v.Model.Outputs) == 0 || ok && 0 <= rows && rows <= n {
		return nil
	}
	term := graph.DataTerm{What: what, Node: u.Node}
	for _, s := range v.Model.Outputs {
		n, ok := s.Shape.With(0, rows).Elements()
		if !ok || len(s.Shape) == 0 {
			term.Unknown = value.Because(value.ArrayShape, "the rows that it returns are not known")
			continue
		}
		term.Bytes += n * s.DType.Size()
	}
	term.Joined = term.Bytes
	return []graph.DataTerm{term}
}
