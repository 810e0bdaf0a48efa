package models

import (
	"errors"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/arrays/numpy"
	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/interp"
	"github.com/tfmem/tfmem/analyzer/keras/ops"
	"github.com/tfmem/tfmem/analyzer/keras/state"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// Call calls the layer or model on symbolic tensors, or on arrays.
func (v *custom) Call(in *value.Interp, args *value.Args) value.Value {
	args = ops.TensorArguments(v.h, args)
	if why := v.model.Model.Unresolved; len(why) > 0 && (v.functional || v.library != "tensorflow.keras.Model") {
		return why[0].Unknown()
	}
	if v.lambda.X == nil && !v.adds(in) {
		return v.inherited(in, args)
	}
	if symbolic, arrays := ops.Kinds(args); !symbolic && arrays {
		if v.isModel && len(args.Positional) > 0 {
			v.model.forward(args)
		}
		return eagerly(v.h, args, func(args *value.Args) value.Value { return v.Call(in, args) })
	}
	replaced, from, fresh := ops.Inside(v.h, args)
	v.h.Called(v.layer)
	said := v.h.Said(args)
	var result value.Value
	var b *graph.Body
	var why *value.Cause
	v.h.Calls.During(said, func() { result, b, why = v.trace(in, replaced, fresh) })
	if why != nil {
		return why.Unknown()
	}
	n := &graph.Node{Layer: v.layer, In: from, Body: b, Mode: said}
	v.layer.Calls = append(v.layer.Calls, n)
	return ops.Outside(v.h, b, result, func(i int) *graph.Symbolic {
		s := &graph.Symbolic{Shape: b.Out[i].Shape, DType: b.Out[i].DType, From: n}
		if j := slices.Index(b.Out, b.Out[i]); j < i {
			s = n.Out[j]
		}
		n.Out = append(n.Out, s)
		return s
	})
}

// adds reports whether the program's class does more than the Keras class that it extends.
func (v *custom) adds(in *value.Interp) bool {
	return v.defines(in, "call") || v.defines(in, "build") || v.holdsMore()
}

// holdsMore reports whether a layer that extends one of Keras's has weights or layers of its own.
func (v *custom) holdsMore() bool {
	if v.inner == nil {
		return false
	}
	v.track()
	return len(v.model.Model.OwnWeights) > 0 || len(v.model.Model.Stack) > 1
}

// inherited runs the call of the Keras class.
func (v *custom) inherited(in *value.Interp, args *value.Args) value.Value {
	switch {
	case v.functional:
		return v.model.Call(in, args)
	case v.inner != nil:
		return v.inner.Call(in, args)
	case len(v.model.Model.Unresolved) > 0:
		return v.model.Model.Unresolved[0].Unknown()
	}
	return v.h.Unknown(value.UndefinedAttribute, "%s defines no call", v.layer.Class)
}

// maxCalling bounds the recursion of a layer's call.
const maxCalling = 3

// trace runs the program's call on tensors that stand for its inputs.
func (v *custom) trace(in *value.Interp, args *value.Args, inputs []*graph.Symbolic) (result value.Value, b *graph.Body, why *value.Cause) {
	if v.calling >= maxCalling {
		return result, nil, value.Because(value.Recursion, "%s calls itself an unknown number of times", v.layer.Class)
	}
	v.calling++
	defer func() { v.calling-- }()
	defer v.h.Calls.Trace()()
	args = v.autocast(args)
	unbuilt := v.build(in, args)
	switch {
	case v.lambda.X != nil:
		result = interp.Call(in, v.lambda, v.withArguments(args))
	case !v.defines(in, "call"):
		result = v.inherited(in, args)
	default:
		result = interp.CallMethod(in, v.object, "call", v.training(in, args))
	}
	v.track()
	if why := v.model.Model.Unresolved; len(why) > 0 && v.library != "tensorflow.keras.Model" {
		return result, nil, why[0]
	}
	lost := result.Cause()
	if part := objects.UnknownIn(result); lost == nil && part != nil && v.unbuilt(map[*graph.Layer]bool{}) != nil {
		lost = part // for one of several outputs; the layers before it are not built
	}
	if why := lost; why != nil {
		if unbuilt != nil {
			why = unbuilt
		}
		if _, given := args.Keywords.Get("mask"); !given && strings.HasSuffix(why.String(), "raises an error") && slices.Contains(v.parameters(in, "call"), "mask") {
			why = value.Because(value.UnmodelledTraining, "the mask that Keras passes to %s is not followed", v.layer.Class)
		}
		if allKnown(args) {
			v.lost = why
		}
		return result, nil, why
	}
	v.lost = nil
	// An output computed only from arrays becomes a tensor of the model, too.
	result = ops.Each(result, func(x value.Value) value.Value {
		if a, ok := x.X.(*numpy.Array); ok {
			return ops.Constant(v.h, a.Shape, a.Computed())
		}
		return x
	})
	result, b = ops.BodyOf(v.h, result, inputs)
	v.regularize(in, b)
	b.Adds = b.Adding(v.h.Calls.Losses())
	v.bodies = append(v.bodies, b)
	v.layer.Built = true
	if len(b.Out) > 0 {
		graph.Returned(v.layer, b.In, b.Out[0], func(s *graph.Symbolic) tensor.Shape { return s.Shape })
	}
	if m := v.model.Model; len(m.Inputs) == 0 && !v.functional {
		m.Inputs, m.Outputs, m.Nodes, m.Adds = b.In, b.Out, b.Nodes, b.Adds
	}
	return result, b, nil
}

// allKnown reports whether every argument of a call is known.
func allKnown(args *value.Args) bool {
	for _, v := range args.Keywords.All() {
		if !v.Known() {
			return false
		}
	}
	return args.Open == nil && !slices.ContainsFunc(args.Positional, func(v value.Value) bool { return !v.Known() })
}

// autocast converts the inputs of a layer to the type that it computes in
// (keras/src/layers/layer.py, __call__).
func (v *custom) autocast(args *value.Args) *value.Args {
	d := v.layer.DType
	return ops.EachArgument(args, func(x value.Value) value.Value {
		s, ok := x.X.(*ops.SymbolicValue)
		if !ok || !s.S.DType.Floating() || s.S.DType == d || !d.Floating() {
			return x
		}
		return ops.Operate(v.h, "Cast", []*graph.Symbolic{s.S}, nil, func(g *graph.Graph, in []*graph.Tensor, _ func(value.Value) value.Value) ([]*graph.Tensor, error) {
			return []*graph.Tensor{graph.Cast(g, in[0], d)}, nil
		})
	})
}

// build runs the program's build with the shapes of the inputs, once. It returns why build did
// not finish.
func (v *custom) build(in *value.Interp, args *value.Args) (why *value.Cause) {
	if v.isMade {
		return nil
	}
	if !v.defines(in, "build") {
		return v.builtFor(in, args)
	}
	v.isMade = true
	var shapes []value.Value
	shaped := func(x value.Value) value.Value {
		return ops.Each(x, func(x value.Value) value.Value {
			if s, ok := x.X.(*ops.SymbolicValue); ok {
				return objects.ShapeValue(s.S.Shape)
			}
			return x
		})
	}
	for _, x := range args.Positional {
		shapes = append(shapes, shaped(x))
	}
	parameters := v.parameters(in, "build")
	if named := v.namedShapes(in, args, parameters, shaped); v.model.Model.Keras == 3 && named.Len() > 0 {
		return interp.CallMethod(in, v.object, "build", &value.Args{Keywords: named, Node: args.Node}).Cause()
	}
	if len(shapes) == 0 { // layer(inputs=x)
		for _, name := range v.parameters(in, "call") {
			if x, ok := args.Keywords.Get(name); ok {
				shapes = append(shapes, shaped(x))
				break
			}
		}
	}
	if parameters != nil {
		shapes = shapes[:min(len(shapes), len(parameters))]
	} else {
		shapes = shapes[:min(len(shapes), 1)]
	}
	return interp.CallMethod(in, v.object, "build", &value.Args{Positional: shapes, Node: args.Node}).Cause()
}

// builtFor builds the Keras layer that a layer with its own call extends, for the first input, as
// Keras does before the call.
func (v *custom) builtFor(in *value.Interp, args *value.Args) (why *value.Cause) {
	if v.inner == nil || !v.defines(in, "call") || len(args.Positional) == 0 {
		return nil
	}
	tensors := tensorsIn(args.Positional[0])
	if len(tensors) != 1 || len(v.parameters(in, "call")) > 1 && len(args.Positional) > 1 {
		return nil
	}
	if err := v.inner.Layer.Build([]*graph.Tensor{{Shape: tensors[0].Shape, DType: tensors[0].DType}}); err != nil {
		return value.From(err)
	}
	return nil
}

// namedShapes returns the shapes for a build with several parameters: the shape of an argument x
// is x_shape (keras/src/layers/layer.py, update_shapes_dict_for_target_fn).
func (v *custom) namedShapes(in *value.Interp, args *value.Args, parameters []string, shaped func(value.Value) value.Value) (out value.Keywords) {
	if len(parameters) < 2 {
		return out
	}
	for i, name := range v.parameters(in, "call") {
		x, ok := args.Get(i, name)
		if ok && slices.Contains(parameters, name+"_shape") && len(tensorsIn(x)) > 0 {
			out.Put(name+"_shape", shaped(x))
		}
	}
	return out
}

// tensorsIn returns the symbolic tensors in a value.
func tensorsIn(v value.Value) (out []*graph.Symbolic) {
	ops.Each(v, func(x value.Value) value.Value {
		if s, ok := x.X.(*ops.SymbolicValue); ok {
			out = append(out, s.S)
		}
		return x
	})
	return out
}

// method returns the function of the program that a method is, or nil.
func (v *custom) method(in *value.Interp, name string) *value.Func {
	if v.object == nil {
		return nil
	}
	bound, ok := interp.Attr(in, value.Value{X: v.object}, name).X.(*value.Bound)
	if !ok {
		return nil
	}
	f, _ := bound.Func.X.(*value.Func)
	return f
}

// parameters returns the names of a method's parameters after self.
func (v *custom) parameters(in *value.Interp, name string) []string {
	f := v.method(in, name)
	if f == nil {
		return nil
	}
	var out []string
	for i, p := range f.Def.Params {
		if i > 0 && p.Star == 0 {
			out = append(out, p.Name)
		}
	}
	return out
}

// training sets the training mode if the program leaves it open, as fit does
// (keras/src/backend/tensorflow/trainer.py, train_step).
func (v *custom) training(in *value.Interp, args *value.Args) *value.Args {
	args = v.taken(in, args)
	for i, name := range v.parameters(in, "call") {
		if name != "training" {
			continue
		}
		given, ok := args.Get(i, name)
		if _, none := given.X.(value.None); ok && !none || i < len(args.Positional) || v.h.Calls.Predicting() {
			return args
		}
		out := *args
		out.Keywords = args.Keywords.Clone()
		out.Keywords.Put(name, value.Value{X: true})
		return &out
	}
	return args
}

// taken drops training and mask if call does not take them (keras/src/layers/layer.py, CallSpec).
func (v *custom) taken(in *value.Interp, args *value.Args) *value.Args {
	for _, name := range []string{"training", "mask"} {
		if _, given := args.Keywords.Get(name); !given || v.takes(in, "call", name) {
			continue
		}
		out := *args
		out.Keywords = args.Keywords.Without(name)
		args = &out
	}
	return args
}

// takes reports whether a method of the program takes a keyword, as far as is known.
func (v *custom) takes(in *value.Interp, method, keyword string) bool {
	f := v.method(in, method)
	return f == nil || slices.ContainsFunc(f.Def.Params, func(p names.Parameter) bool { return p.Star == 2 || p.Name == keyword })
}

// feed calls an unbuilt model on inputs of known shapes.
func (v *custom) feed(in *value.Interp, data value.Value) (why *value.Cause) {
	fresh := tensorsIn(data)
	if v.functional || !v.defines(in, "call") || len(fresh) == 0 {
		return nil
	}
	m := v.model.Model
	inputs, outputs, nodes, adds := m.Inputs, m.Outputs, m.Nodes, m.Adds
	m.Inputs = nil
	told := graph.UnsaidMode
	if v.untrained(in) {
		told = graph.PredictionMode
	}
	var b *graph.Body
	v.h.Calls.During(told, func() { _, b, why = v.trace(in, &value.Args{Positional: []value.Value{data}}, fresh) })
	if told == graph.PredictionMode && b != nil {
		for _, n := range b.Nodes {
			if n.Mode == graph.UnsaidMode {
				n.Mode = graph.PredictionMode
			}
		}
	}
	if why != nil {
		m.Inputs, m.Outputs, m.Nodes, m.Adds = inputs, outputs, nodes, adds
	}
	return why
}

// traced returns the last body for such inputs, or nil.
func (v *custom) traced(in []*graph.Tensor) *graph.Body {
	for _, b := range slices.Backward(v.bodies) {
		if b.Takes(in) {
			return b
		}
	}
	return nil
}

// customImpl is the Impl of a custom layer.
type customImpl struct{ v *custom }

func (s *customImpl) Build(l *graph.Layer, in []tensor.Shape) error {
	if s.v.functional {
		return (&graph.Nested{Model: s.v.model.Model}).Build(l, in)
	}
	return nil
}

// call repeats an earlier call for inputs of these shapes, or runs the program's call for them.
func (s *customImpl) Made() *bool { return &s.v.isMade }

func (s *customImpl) Call(l *graph.Layer, g *graph.Graph, in []*graph.Tensor) ([]*graph.Tensor, error) {
	v := s.v
	if v.functional {
		return v.model.Model.Lower(g, in)
	}
	if b := v.traced(in); b != nil {
		return b.Lower(g, in)
	}
	var fresh []*graph.Symbolic
	var items []value.Value
	for _, t := range in {
		x := &graph.Symbolic{Shape: t.Shape, DType: t.DType}
		fresh = append(fresh, x)
		items = append(items, ops.Tensor(v.h, x))
	}
	x := value.Value{X: &value.List{Items: items}}
	if len(items) == 1 {
		x = items[0]
	}
	args := &value.Args{Positional: []value.Value{x}}
	if v.lambda.X == nil && !v.adds(v.interp) {
		if v.inner != nil {
			return v.inner.Layer.Apply(g, in)
		}
		return nil, errors.New(v.layer.Class + " defines no call")
	}
	var b *graph.Body
	var why *value.Cause
	v.h.Calls.During(g.Mode, func() { _, b, why = v.trace(v.interp, args, fresh) })
	if why != nil {
		return nil, why
	}
	return b.Lower(g, in)
}

// eagerly runs a call on arrays. It builds the layer and returns arrays with the shapes of the
// results. If a result is unknown, it repeats the call with the number of rows in the arrays.
func eagerly(h *state.Host, args *value.Args, call func(*value.Args) value.Value) value.Value {
	out := eagerlyOn(h, args, call, false)
	if out.Known() {
		return out
	}
	end := h.Calls.Count()
	if end == nil {
		return out
	}
	defer end()
	if again := eagerlyOn(h, args, call, true); again.Known() {
		return again
	}
	return out
}

func eagerlyOn(h *state.Host, args *value.Args, call func(*value.Args) value.Value, counted bool) value.Value {
	batch := tensor.None
	args = ops.EachArgument(args, func(x value.Value) value.Value {
		a, ok := x.X.(*numpy.Array)
		if !ok {
			return x
		}
		shape := a.Shape
		if len(shape) > 0 {
			if batch == tensor.None {
				batch = shape[0]
			}
			if !counted {
				shape = shape.With(0, tensor.None)
			}
		}
		return ops.Tensor(h, &graph.Symbolic{Shape: shape, DType: a.Computed()})
	})
	return ops.Each(call(args), func(x value.Value) value.Value {
		s, ok := x.X.(*ops.SymbolicValue)
		if !ok {
			return x
		}
		shape := s.S.Shape
		if len(shape) > 0 && shape[0] < 0 {
			shape = shape.With(0, batch)
		}
		return h.Arrays.Array(shape, s.S.DType)
	})
}
