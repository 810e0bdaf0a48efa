package keras

import (
	"errors"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/value"
)

// Call calls the layer or model on symbolic tensors, or on arrays.
func (v *custom) Call(in *value.Interp, args *value.Args) value.Value {
	args = v.h.tensorArguments(args)
	if why := v.model.model.Unresolved; len(why) > 0 && (v.functional || v.library != "tensorflow.keras.Model") {
		return why[0].Unknown()
	}
	if v.lambda.X == nil && !v.adds(in) {
		return v.inherited(in, args)
	}
	if symbolic, arrays := kinds(args); !symbolic && arrays {
		if v.isModel && len(args.Positional) > 0 {
			v.model.forward(args)
		}
		return v.h.eagerly(args, func(args *value.Args) value.Value { return v.Call(in, args) })
	}
	replaced, from, fresh := v.h.inside(args)
	v.h.called(v.layer)
	said := v.h.said(args)
	var result value.Value
	var b *body
	var why *value.Cause
	v.h.during(said, func() { result, b, why = v.trace(in, replaced, fresh) })
	if why != nil {
		return why.Unknown()
	}
	n := &node{layer: v.layer, in: from, body: b, mode: said}
	v.layer.calls = append(v.layer.calls, n)
	return v.h.outside(b, result, func(i int) *Symbolic {
		s := &Symbolic{Shape: b.out[i].Shape, DType: b.out[i].DType, from: n}
		if j := slices.Index(b.out, b.out[i]); j < i {
			s = n.out[j]
		}
		n.out = append(n.out, s)
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
	return len(v.model.model.own) > 0 || len(v.model.model.stack) > 1
}

// inherited runs the call of the Keras class.
func (v *custom) inherited(in *value.Interp, args *value.Args) value.Value {
	switch {
	case v.functional:
		return v.model.Call(in, args)
	case v.inner != nil:
		return v.inner.Call(in, args)
	case len(v.model.model.Unresolved) > 0:
		return v.model.model.Unresolved[0].Unknown()
	}
	return v.h.unknown(value.UndefinedAttribute, "%s defines no call", v.layer.Class)
}

// maxCalling bounds the recursion of a layer's call.
const maxCalling = 3

// trace runs the program's call on tensors that stand for its inputs.
func (v *custom) trace(in *value.Interp, args *value.Args, inputs []*Symbolic) (result value.Value, b *body, why *value.Cause) {
	if v.calling >= maxCalling {
		return result, nil, value.Because(value.Recursion, "%s calls itself, and it is not known how often", v.layer.Class)
	}
	v.calling++
	v.h.tracing++
	defer func() { v.calling--; v.h.tracing-- }()
	outer := v.h.losses
	v.h.losses = nil
	defer func() { v.h.losses = outer }()
	args = v.autocast(args)
	unbuilt := v.build(in, args)
	switch {
	case v.lambda.X != nil:
		result = in.Call(v.lambda, v.withArguments(args))
	case !v.defines(in, "call"):
		result = v.inherited(in, args)
	default:
		result = in.CallMethod(v.object, "call", v.training(in, args))
	}
	v.track()
	if why := v.model.model.Unresolved; len(why) > 0 && v.library != "tensorflow.keras.Model" {
		return result, nil, why[0]
	}
	lost := result.Cause()
	if part := objects.UnknownIn(result); lost == nil && part != nil && v.unbuilt(map[*Layer]bool{}) != nil {
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
	result = each(result, func(x value.Value) value.Value {
		if a, ok := x.X.(*array); ok {
			return v.h.constant(a.Shape, a.Computed())
		}
		return x
	})
	result, b = v.h.bodyOf(result, inputs)
	v.regularize(in, b)
	b.adds = b.adding(v.h.losses)
	v.bodies = append(v.bodies, b)
	v.layer.built = true
	if len(b.out) > 0 {
		returned(v.layer, b.in, b.out[0], func(s *Symbolic) Shape { return s.Shape })
	}
	if m := v.model.model; len(m.Inputs) == 0 && !v.functional {
		m.Inputs, m.Outputs, m.nodes, m.adds = b.in, b.out, b.nodes, b.adds
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
	return eachArgument(args, func(x value.Value) value.Value {
		s, ok := x.X.(*symbolicValue)
		if !ok || !s.s.DType.Floating() || s.s.DType == d || !d.Floating() {
			return x
		}
		return v.h.operate("Cast", []*Symbolic{s.s}, nil, func(g *Graph, in []*Tensor, _ func(value.Value) value.Value) ([]*Tensor, error) {
			return []*Tensor{cast(g, in[0], d)}, nil
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
		return each(x, func(x value.Value) value.Value {
			if s, ok := x.X.(*symbolicValue); ok {
				return objects.ShapeValue(s.s.Shape)
			}
			return x
		})
	}
	for _, x := range args.Positional {
		shapes = append(shapes, shaped(x))
	}
	parameters := v.parameters(in, "build")
	if named := v.namedShapes(in, args, parameters, shaped); v.model.model.Keras == 3 && named.Len() > 0 {
		return in.CallMethod(v.object, "build", &value.Args{Keywords: named, Node: args.Node}).Cause()
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
	return in.CallMethod(v.object, "build", &value.Args{Positional: shapes, Node: args.Node}).Cause()
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
	if err := v.inner.layer.build([]*Tensor{{Shape: tensors[0].Shape, DType: tensors[0].DType}}); err != nil {
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
func tensorsIn(v value.Value) (out []*Symbolic) {
	each(v, func(x value.Value) value.Value {
		if s, ok := x.X.(*symbolicValue); ok {
			out = append(out, s.s)
		}
		return x
	})
	return out
}

// parameters returns the names of a method's parameters after self.
func (v *custom) parameters(in *value.Interp, name string) []string {
	if v.object == nil {
		return nil
	}
	bound, ok := in.Attr(value.Value{X: v.object}, name).X.(*value.Bound)
	if !ok {
		return nil
	}
	f, ok := bound.Func.X.(*value.Func)
	if !ok {
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
		if _, none := given.X.(value.None); ok && !none || i < len(args.Positional) || v.h.predicting {
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
	if v.object == nil {
		return true
	}
	bound, ok := in.Attr(value.Value{X: v.object}, method).X.(*value.Bound)
	if !ok {
		return true
	}
	f, ok := bound.Func.X.(*value.Func)
	return !ok || slices.ContainsFunc(f.Def.Params, func(p names.Parameter) bool { return p.Star == 2 || p.Name == keyword })
}

// feed calls an unbuilt model on inputs of known shapes.
func (v *custom) feed(in *value.Interp, data value.Value) (why *value.Cause) {
	var fresh []*Symbolic
	result := each(data, func(x value.Value) value.Value {
		if s, ok := x.X.(*symbolicValue); ok {
			fresh = append(fresh, s.s)
		}
		return x
	})
	if v.functional || !v.defines(in, "call") || len(fresh) == 0 {
		return nil
	}
	m := v.model.model
	inputs, outputs, nodes, adds := m.Inputs, m.Outputs, m.nodes, m.adds
	m.Inputs = nil
	told := unsaid
	if v.untrained(in) {
		told = predicts
	}
	var b *body
	v.h.during(told, func() { _, b, why = v.trace(in, &value.Args{Positional: []value.Value{result}}, fresh) })
	if told == predicts && b != nil {
		for _, n := range b.nodes {
			if n.mode == unsaid {
				n.mode = predicts
			}
		}
	}
	if why != nil {
		m.Inputs, m.Outputs, m.nodes, m.adds = inputs, outputs, nodes, adds
	}
	return why
}

// traced returns the last body for such inputs, or nil.
func (v *custom) traced(in []*Tensor) *body {
	for _, b := range slices.Backward(v.bodies) {
		if b.takes(in) {
			return b
		}
	}
	return nil
}

// customImpl is the layerImpl of a custom layer.
type customImpl struct{ v *custom }

func (s *customImpl) build(l *Layer, in []Shape) error {
	if s.v.functional {
		return (&nested{s.v.model.model}).build(l, in)
	}
	return nil
}

// call repeats an earlier call for inputs of these shapes, or runs the program's call for them.
func (s *customImpl) made() *bool { return &s.v.isMade }

func (s *customImpl) call(l *Layer, g *Graph, in []*Tensor) ([]*Tensor, error) {
	v := s.v
	if v.functional {
		return v.model.model.Lower(g, in)
	}
	if b := v.traced(in); b != nil {
		return b.lower(g, in)
	}
	var fresh []*Symbolic
	var items []value.Value
	for _, t := range in {
		x := &Symbolic{Shape: t.Shape, DType: t.DType}
		fresh = append(fresh, x)
		items = append(items, v.h.tensor(x))
	}
	x := value.Value{X: &value.List{Items: items}}
	if len(items) == 1 {
		x = items[0]
	}
	args := &value.Args{Positional: []value.Value{x}}
	if v.lambda.X == nil && !v.adds(v.interp) {
		if v.inner != nil {
			return v.inner.layer.apply(g, in)
		}
		return nil, errors.New(v.layer.Class + " defines no call")
	}
	var b *body
	var why *value.Cause
	v.h.during(g.mode, func() { _, b, why = v.trace(v.interp, args, fresh) })
	if why != nil {
		return nil, why
	}
	return b.lower(g, in)
}

// eagerly runs a call on arrays. It builds the layer and returns arrays with the shapes of the
// results. If a result is unknown, it repeats the call with the number of rows in the arrays.
func (h *host) eagerly(args *value.Args, call func(*value.Args) value.Value) value.Value {
	out := h.eagerlyOn(args, call, false)
	if out.Known() || h.counted {
		return out
	}
	h.counted = true
	defer func() { h.counted = false }()
	if again := h.eagerlyOn(args, call, true); again.Known() {
		return again
	}
	return out
}

func (h *host) eagerlyOn(args *value.Args, call func(*value.Args) value.Value, counted bool) value.Value {
	batch := None
	args = eachArgument(args, func(x value.Value) value.Value {
		a, ok := x.X.(*array)
		if !ok {
			return x
		}
		shape := a.Shape
		if len(shape) > 0 {
			if batch == None {
				batch = shape[0]
			}
			if !counted {
				shape = shape.With(0, None)
			}
		}
		return h.tensor(&Symbolic{Shape: shape, DType: a.Computed()})
	})
	return each(call(args), func(x value.Value) value.Value {
		s, ok := x.X.(*symbolicValue)
		if !ok {
			return x
		}
		shape := s.s.Shape
		if len(shape) > 0 && shape[0] < 0 {
			shape = shape.With(0, batch)
		}
		return h.newArray(shape, s.s.DType)
	})
}
