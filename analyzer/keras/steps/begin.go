package steps

import (
	"strings"

	"github.com/tfmem/tfmem/analyzer/arrays/numpy"
	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/keras/ops"
	"github.com/tfmem/tfmem/analyzer/keras/pipelines"
	"github.com/tfmem/tfmem/analyzer/keras/state"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// Enter begins a step if a function, or one iteration of a loop, opens a tape.
func Enter(h *state.Host, in *value.Interp, unit syntax.Node, function *names.Function, bound []value.Value) func(value.Value) value.Value {
	if function != nil {
		building(h, function, bound)
		if compiled, _ := function.CompiledBy(); compiled && !h.Eager {
			end := h.Steps.Compile()
			leave := begin(h, in, unit, function, bound)
			return func(result value.Value) value.Value {
				end()
				if leave != nil {
					return leave(result)
				}
				return result
			}
		}
	}
	return begin(h, in, unit, function, bound)
}

// building records that a program runs the build of a layer. Keras 3 then counts the layer as
// built (keras/src/layers/layer.py, __new__, build_wrapper).
func building(h *state.Host, function *names.Function, bound []value.Value) {
	if function.Name != "build" || h.Keras() != 3 || len(bound) == 0 {
		return
	}
	if o, ok := bound[0].X.(*value.Instance); ok {
		if layer, ok := o.Host.(graph.Maker); ok {
			*layer.Made() = true
		}
	}
}

func begin(h *state.Host, in *value.Interp, unit syntax.Node, function *names.Function, bound []value.Value) func(value.Value) value.Value {
	if h.Calls.Tracing() || ofFit(h, function, bound) {
		return nil
	}
	outer := h.Steps.Running()
	if outer != nil && !(takesOver(h, unit, function, bound)) {
		if function != nil && opensTape(h, unit, function) {
			for i, v := range bound {
				bound[i] = ops.Each(v, func(x value.Value) value.Value { return ops.Captured(h, x) }) // a source that a tape may be asked about
			}
		}
		if function == nil {
			return nil
		}
		outer.Calls++
		return func(result value.Value) value.Value {
			outer.Calls--
			return result
		}
	}
	if !opensTape(h, unit, function) {
		return nil
	}
	r := &state.Recorder{Unit: unit, Compiled: h.Steps.Compiles(), Xla: asksForXLA(function), Born: in.Now(), Led: in.Led()}
	r.Data = pipelines.Held(in, nil, bound)
	r.Replicas, r.Apart = h.Strategies.Sharing()
	if r.Compiled {
		r.Why = h.Undecided
	}
	if function != nil {
		r.Name = function.Name
	} else {
		r.Name = "the loop"
	}
	end := h.Steps.Begin(r)
	h.Program.Step()
	for i, v := range bound {
		bound[i] = given(h, v)
	}
	if function != nil {
		givenArrays(h, bound)
	}
	return func(result value.Value) value.Value {
		end()
		return result
	}
}

// takesOver reports whether each iteration of a loop in a compiled function is a step of its own:
// the loop iterates over the batches of a dataset, and no tape was opened before.
func takesOver(h *state.Host, unit syntax.Node, function *names.Function, bound []value.Value) bool {
	if function != nil || h.Steps.Running().Tape.Valid() || h.Steps.Running().Model != nil {
		return false
	}
	found := false
	for _, v := range bound {
		ops.Each(v, func(x value.Value) value.Value {
			if a, ok := x.X.(*numpy.Array); ok && a.Batch != nil {
				found = true
			}
			return x
		})
	}
	over := unit.Child(syntax.FieldRight)
	return found || over.Is(syntax.Call) && strings.HasSuffix(over.Child(syntax.FieldFunction).Text(), "tf.range")
}

// given replaces batches of datasets in a value by the data of the step.
func given(h *state.Host, v value.Value) value.Value {
	return ops.Each(v, func(x value.Value) value.Value {
		a, ok := x.X.(*numpy.Array)
		if !ok || a.Batch == nil || len(a.Shape) == 0 {
			return x
		}
		if r := h.Steps.Running(); !r.Source.Valid() {
			r.Source = a.Made
		}
		return fed(h, a.Shape[1:], a.DType, *a.Batch)
	})
}

// givenArrays makes data of a step from the arrays that a function is called with and that no
// dataset yields: those with as many rows as the batch, which were computed from it, or as the
// first array if there is no batch.
func givenArrays(h *state.Host, bound []value.Value) {
	rows := int64(tensor.None)
	if r := h.Steps.Running(); len(r.Inputs) > 0 {
		own, known := r.Batch.Int()
		if !known || own < 2 {
			return
		}
		rows = own
	}
	for i, v := range bound {
		bound[i] = ops.Each(v, func(x value.Value) value.Value {
			a, ok := x.X.(*numpy.Array)
			if !ok || len(a.Shape) == 0 || a.Shape[0] < 1 || rows >= 1 && a.Shape[0] != rows {
				return x
			}
			rows = a.Shape[0]
			return fed(h, a.Shape[1:], a.DType, value.Value{X: rows})
		})
	}
}

// NextItem receives what next returns: within a step, its data.
func NextItem(h *state.Host, item value.Value) value.Value {
	if !h.InStep() {
		return item
	}
	items := []value.Value{given(h, item)}
	givenArrays(h, items) // of a generator of the program's own
	return items[0]
}

// asksForXLA reports whether tf.function is to compile a function with XLA.
func asksForXLA(function *names.Function) bool {
	if function == nil {
		return false
	}
	compiler := function.Compiler()
	return compiler.Valid() && strings.Contains(strings.ReplaceAll(compiler.Text(), " ", ""), "jit_compile=True")
}

// ofFit reports whether a train_step is a model's, which fit calls: see rehearse. One that the
// program itself calls is a step like any other.
func ofFit(h *state.Host, function *names.Function, bound []value.Value) bool {
	return (h.Steps.Running() != nil || h.Uncalled) && function != nil && function.Name == "train_step" && function.Class != nil && len(bound) > 0 && takesFit(bound[0])
}

// fed returns a tensor of the step's batch.
func fed(h *state.Host, shape tensor.Shape, d tensor.DType, batch value.Value) value.Value {
	v := ops.InBatch(h, shape, d)
	r := h.Steps.Running()
	r.Inputs, r.Batches = append(r.Inputs, v.X.(*ops.SymbolicValue).S), append(r.Batches, batch)
	if r.Batch.X == nil {
		r.Batch = batch
	}
	return v
}

// opensTape reports whether code opens a tape itself: not in a nested function, and, unless it is
// compiled as a whole, not in a loop, because each iteration of a loop is a step of its own.
func opensTape(h *state.Host, unit syntax.Node, function *names.Function) bool {
	return h.Steps.Opens(unit, func() bool {
		body := unit.Child(syntax.FieldBody)
		text := body.Text()
		if !strings.Contains(text, "GradientTape") && !strings.Contains(text, "minimize(") && !(h.Steps.Compiles() && strings.Contains(text, "tf.gradients(")) {
			return false
		}
		whole := false
		if function != nil {
			whole, _ = function.CompiledBy()
			whole = whole || function.Name == "train_step" && function.Class != nil
		}
		return tapeWithin(body, whole)
	})
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

// takesFit reports whether a value is a model.
func takesFit(v value.Value) bool {
	type fitted interface{ TakesFit() bool }
	x := v.X
	if o, ok := x.(*value.Instance); ok {
		x = o.Host
	}
	m, ok := x.(fitted)
	return ok && m.TakesFit()
}
