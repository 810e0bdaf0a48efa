package keras

import (
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/arrays"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/value"
)

// enter begins a step if a function, or one iteration of a loop, opens a tape.
func (h *host) enter(in *value.Interp, unit syntax.Node, function *names.Function, bound []value.Value) func(value.Value) value.Value {
	if function != nil {
		h.building(function, bound)
		h.doubles(function, bound)
		if compiled, _ := function.CompiledBy(); compiled && !h.eager {
			h.compiled++
			leave := h.begin(in, unit, function, bound)
			return func(result value.Value) value.Value {
				h.compiled--
				if leave != nil {
					return leave(result)
				}
				return result
			}
		}
	}
	return h.begin(in, unit, function, bound)
}

// building records that a program runs the build of a layer. Keras 3 then counts the layer as
// built (keras/src/layers/layer.py, __new__, build_wrapper).
func (h *host) building(function *names.Function, bound []value.Value) {
	if function.Name != "build" || h.keras() != 3 || len(bound) == 0 {
		return
	}
	if o, ok := bound[0].X.(*value.Instance); ok {
		if layer, ok := o.Host.(maker); ok {
			*layer.made() = true
		}
	}
}

// doubles records which parameters of a function get NumPy's float64.
func (h *host) doubles(function *names.Function, bound []value.Value) {
	if len(bound) != len(function.Params) {
		return // two parameters of one name: a syntax error in Python
	}
	for i, p := range function.Params {
		a, ok := bound[i].X.(*arrays.Array)
		if !ok || a.DType != "float64" || a.Tensor || a.Batch != nil || slices.Contains(h.program.Doubles[function], p.Name) {
			continue
		}
		if h.program.Doubles == nil {
			h.program.Doubles = map[*names.Function][]string{}
		}
		h.program.Doubles[function] = append(h.program.Doubles[function], p.Name)
	}
}

func (h *host) begin(in *value.Interp, unit syntax.Node, function *names.Function, bound []value.Value) func(value.Value) value.Value {
	if h.tracing > 0 || ofFit(function, bound) {
		return nil
	}
	outer := h.recorder
	if outer != nil && !(h.takesOver(unit, function, bound)) {
		if function != nil && h.opensTape(unit, function) {
			for i, v := range bound {
				bound[i] = each(v, func(x value.Value) value.Value { return h.captured(x) }) // a source that a tape may be asked about
			}
		}
		if function == nil {
			return nil
		}
		outer.calls++
		return func(result value.Value) value.Value {
			outer.calls--
			return result
		}
	}
	if !h.opensTape(unit, function) {
		return nil
	}
	r := &recorder{unit: unit, compiled: h.compiled > 0, xla: asksForXLA(function), born: in.Now(), began: h.tick}
	r.replicas, r.apart = h.sharing()
	if r.compiled {
		r.why = h.undecided
	}
	if function != nil {
		r.name = function.Name
	} else {
		r.name = "the loop"
	}
	h.recorder = r
	h.steps = append(h.steps, r)
	for i, v := range bound {
		bound[i] = h.given(v)
	}
	if function != nil {
		h.givenArrays(bound)
	}
	return func(result value.Value) value.Value {
		h.recorder = outer
		return result
	}
}

// takesOver reports whether each iteration of a loop in a compiled function is a step of its own:
// the loop iterates over the batches of a dataset, and no tape was opened before.
func (h *host) takesOver(unit syntax.Node, function *names.Function, bound []value.Value) bool {
	if function != nil || h.recorder.tape.Valid() || h.recorder.model != nil {
		return false
	}
	found := false
	for _, v := range bound {
		each(v, func(x value.Value) value.Value {
			if a, ok := x.X.(*array); ok && a.Batch != nil {
				found = true
			}
			return x
		})
	}
	over := unit.Child(syntax.FieldRight)
	return found || over.Is(syntax.Call) && strings.HasSuffix(over.Child(syntax.FieldFunction).Text(), "tf.range")
}

// given replaces batches of datasets in a value by the data of the step.
func (h *host) given(v value.Value) value.Value {
	return each(v, func(x value.Value) value.Value {
		a, ok := x.X.(*array)
		if !ok || a.Batch == nil || len(a.Shape) == 0 {
			return x
		}
		return h.fed(a.Shape[1:], a.DType, *a.Batch)
	})
}

// givenArrays makes data of a step from the arrays that a function is called with and that no
// dataset yields: those with as many rows as the batch, which were computed from it, or as the
// first array if there is no batch.
func (h *host) givenArrays(bound []value.Value) {
	rows := int64(None)
	if r := h.recorder; len(r.inputs) > 0 {
		own, known := r.batch.Int()
		if !known || own < 2 {
			return
		}
		rows = own
	}
	for i, v := range bound {
		bound[i] = each(v, func(x value.Value) value.Value {
			a, ok := x.X.(*array)
			if !ok || len(a.Shape) == 0 || a.Shape[0] < 1 || rows >= 1 && a.Shape[0] != rows {
				return x
			}
			rows = a.Shape[0]
			return h.fed(a.Shape[1:], a.DType, value.Value{X: rows})
		})
	}
}

// nextItem receives what next returns: within a step, its data.
func (h *host) nextItem(item value.Value) value.Value {
	if h.recorder == nil || h.tracing > 0 {
		return item
	}
	return h.given(item)
}

// asksForXLA reports whether tf.function is to compile a function with XLA.
func asksForXLA(function *names.Function) bool {
	if function == nil {
		return false
	}
	compiler := function.Compiler()
	return compiler.Valid() && strings.Contains(strings.ReplaceAll(compiler.Text(), " ", ""), "jit_compile=True")
}

// ofFit reports whether a train_step is a model's, which fit calls: see rehearse.
func ofFit(function *names.Function, bound []value.Value) bool {
	return function != nil && function.Name == "train_step" && function.Class != nil && len(bound) > 0 && takesFit(bound[0])
}

// fed returns a tensor of the step's batch.
func (h *host) fed(shape Shape, d DType, batch value.Value) value.Value {
	v := h.inBatch(shape, d)
	r := h.recorder
	r.inputs, r.batches = append(r.inputs, v.X.(*symbolicValue).s), append(r.batches, batch)
	if r.batch.X == nil {
		r.batch = batch
	}
	return v
}

// opensTape reports whether code opens a tape itself: not in a nested function, and, unless it is
// compiled as a whole, not in a loop, because each iteration of a loop is a step of its own.
func (h *host) opensTape(unit syntax.Node, function *names.Function) bool {
	if opens, known := h.units[unit]; known {
		return opens
	}
	body := unit.Child(syntax.FieldBody)
	opens := false
	if text := body.Text(); strings.Contains(text, "GradientTape") || strings.Contains(text, "minimize(") || h.compiled > 0 && strings.Contains(text, "tf.gradients(") {
		whole := false
		if function != nil {
			whole, _ = function.CompiledBy()
			whole = whole || function.Name == "train_step" && function.Class != nil
		}
		opens = tapeWithin(body, whole)
	}
	if h.units == nil {
		h.units = map[syntax.Node]bool{}
	}
	h.units[unit] = opens
	return opens
}

func tapeWithin(n syntax.Node, loops bool) bool {
	for c := range n.Children() {
		switch c.Kind() {
		case syntax.FunctionDefinition, syntax.ClassDefinition, syntax.DecoratedDefinition, syntax.Lambda:
			continue
		case syntax.ForStatement, syntax.WhileStatement:
			if !loops {
				continue
			}
		case syntax.Call:
			switch f := c.Child(syntax.FieldFunction).Text(); {
			case strings.HasSuffix(f, "GradientTape"), strings.HasSuffix(f, ".minimize"), f == "tf.gradients":
				return true
			}
		}
		if tapeWithin(c, loops) {
			return true
		}
	}
	return false
}

// batched replaces the batch size in arguments, as the program writes it, by that of the data.
func (h *host) batched(args *value.Args) *value.Args {
	r := h.recorder
	if r == nil || len(r.inputs) == 0 {
		return args
	}
	return eachArgument(args, func(x value.Value) value.Value {
		if _, number := x.Int(); !number || !x.Lit.Valid() {
			return x
		}
		if x.Lit == r.batch.Lit {
			return value.Value{X: dimensionOf(r.inputs[0], 0)}
		}
		for i, batch := range r.batches {
			if x.Lit == batch.Lit {
				return value.Value{X: dimensionOf(r.inputs[i], 0)}
			}
		}
		return x
	})
}

// tensorArguments replaces arrays in arguments by tensors that the step creates.
func (h *host) tensorArguments(args *value.Args) *value.Args {
	if h.recorder == nil {
		return args
	}
	return eachArgument(args, func(x value.Value) value.Value {
		if a, ok := x.X.(*array); ok {
			d := a.DType
			if d == "float64" {
				d = "float32"
			}
			return h.constant(a.Shape, d)
		}
		return x
	})
}

// takesFit reports whether a value is a model.
func takesFit(v value.Value) bool {
	type fitted interface{ takesFit() bool }
	x := v.X
	if o, ok := x.(*value.Instance); ok {
		x = o.Host
	}
	m, ok := x.(fitted)
	return ok && m.takesFit()
}
