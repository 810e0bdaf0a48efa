package keras

import (
	"errors"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/value"
)

// A Layer is an instance of one of Keras's layers.
type Layer struct {
	Class     string // as Keras names it: "Conv2D"
	Name      string
	Node      syntax.Node // the call that creates it
	Trainable bool
	unsure    *value.Cause // why Trainable is not known; nil if it is
	Weights   []*Weight
	DType     DType // the type in which it computes
	Store     DType // of its variables; float32 if empty

	impl  layerImpl
	built bool
	// penalties counts the sums over its weights that are added to the loss, by weight name
	// without "_kernel".
	penalties map[string]int
	// activity is what it adds to the loss for its outputs, or nil.
	activity activityLoss
	// called is set if the program calls it on symbolic tensors. doubt says why that is not
	// certain.
	called bool
	doubt  *value.Cause
	// weightless is set if a layer of its class has no weights, whatever its input.
	weightless bool
	// function is set if it stands for the call of a function, not for a layer.
	function bool
	born     int // by value.Interp.Now
	// calls are those on symbolic tensors, in order.
	calls []*node
	// args are the arguments that it was created with, and input its input_shape=; nil if there
	// is none.
	args  *value.Args
	input *value.Value
	// again creates a layer with the same arguments; nil if that is not modelled.
	again func(in *value.Interp) value.Value
	remat *rematMode // of the scope in which it was created, or nil
	// Inner is the model that the layer is, or wraps.
	Inner *Model
	// Output is the shape of its last output, and KeepsShape is set if all inputs had that shape.
	Output     Shape
	KeepsShape bool
}

// A layerImpl is the behaviour of a kind of layer with given arguments.
type layerImpl interface {
	// build creates the weights for inputs of the given shapes.
	build(l *Layer, in []Shape) error
	// call adds the layer's operations to g, on inputs that fit, and returns the outputs.
	call(l *Layer, g *Graph, in []*Tensor) ([]*Tensor, error)
}

// A parent is a layerImpl that runs layers of its own. Their weights are counted as theirs: the
// constructor's trainable= is not passed on to them (keras/src/layers/layer.py, __init__), but an
// assignment of trainable is.
// An activityLoss adds to the loss for the outputs of a layer.
type activityLoss interface {
	// follow learns the operations on outputs of these shapes, while the program is evaluated.
	follow(out []*Tensor)
	// adds adds what the outputs add to the loss.
	adds(g *Graph, out []*Tensor) error
}

type parent interface{ children() []*Layer }

// A caller is a layerImpl with calls that take more than one tensor or list of them. arguments
// returns the tensors of a call, in the order that layerImpl.call takes, and the layerImpl of
// this call, which may depend on other arguments.
type caller interface {
	arguments(r *argParser) (inputs []value.Value, s layerImpl)
}

// weight adds a variable to the layer.
func (l *Layer) weight(name string, trainable bool, shape ...int64) *Weight {
	made := &struct { // one allocation includes the shape of most weights
		Weight
		shape [4]int64
	}{Weight: Weight{Name: name, DType: l.Store, Trainable: trainable}}
	w := &made.Weight
	w.Shape = append(made.shape[:0], shape...)
	if w.DType == "" {
		w.DType = "float32"
	}
	w.Penalties = l.penalties[strings.TrimSuffix(name, "_kernel")]
	if l.Weights == nil {
		l.Weights = make([]*Weight, 0, 2)
	}
	l.Weights = append(l.Weights, w)
	return w
}

// apply builds the layer if necessary, and adds its operations.
func (l *Layer) apply(g *Graph, in []*Tensor) ([]*Tensor, error) { return l.applyAs(l.impl, g, in) }

// callSteps is the cost of a layer call, by [value.Interp.Spend]: its part of the graph takes
// some 2 KB.
const callSteps = 20

// errTooLong says why there is no graph once the program may take no more steps.
var errTooLong = value.Shared(value.TooLong, "the program is too long to follow")

// mostCalls bounds a graph: nested models that run others twice double with each level.
const mostCalls = 50_000

// applyAs is apply with the layerImpl of one call.
func (l *Layer) applyAs(s layerImpl, g *Graph, in []*Tensor) ([]*Tensor, error) {
	out, err := l.run(s, g, in)
	if err != nil {
		return nil, err
	}
	if l.activity == nil {
		return out, nil
	}
	if g.by != nil && len(out) > 0 {
		l.activity.follow(out)
	}
	return out, l.activity.adds(g, out)
}

// run adds the operations of the layer's call, without what Keras does around it.
func (l *Layer) run(s layerImpl, g *Graph, in []*Tensor) ([]*Tensor, error) {
	for _, t := range in {
		if len(t.Shape) == 0 && !l.function && l.Inner == nil {
			return nil, l.says(value.Because(value.UnmodelledLayer, "a call on a single number is not followed"))
		}
	}
	if g.calls++; g.calls > mostCalls {
		return nil, value.Because(value.TooLong, "the model calls layers more than %d times", mostCalls)
	}
	if g.by != nil && !g.by.Work(callSteps+len(in)) {
		return nil, errTooLong
	}
	outer := g.layer
	g.layer = l
	g.deep++
	defer func() {
		g.layer = outer
		g.deep--
	}()
	if g.deep > mostNested {
		return nil, value.Because(value.TooLong, "it calls layers within layers, more than %d deep", mostNested)
	}
	if l.Inner == nil && !l.function {
		in = autocast(g, in, l.DType)
	}
	if err := l.build(in); err != nil {
		return nil, err
	}
	from := len(g.Ops)
	out, err := s.call(l, g, in)
	if err == nil {
		err = l.rematerialized(g, from, out)
	}
	if err != nil {
		return nil, l.says(err)
	}
	if g.by != nil && len(out) > 0 {
		returned(l, in, out[0], func(t *Tensor) Shape { return t.Shape })
	}
	return out, nil
}

// returned records the first output of a layer's call.
func returned[T any](l *Layer, in []T, out T, shape func(T) Shape) {
	l.Output = shape(out)
	l.KeepsShape = len(in) > 0 && !slices.ContainsFunc(in, func(t T) bool { return !slices.Equal(shape(t), l.Output) })
}

// A refusal is an error that starts with the layer that it comes from.
type refusal struct{ *value.Cause }

// Unwrap returns the cause.
func (r refusal) Unwrap() error { return r.Cause }

// says prefixes an error with the layer, unless a layer inside of it did.
func (l *Layer) says(err error) error {
	var inner refusal
	if errors.As(err, &inner) {
		return err
	}
	return refusal{value.Because(value.UnmodelledLayer, "%s %q: %s", l.Class, l.Name, err).On(l.Node)}
}

// autocast converts a layer's floating-point inputs to the type that it computes in
// (keras/src/layers/layer.py, __call__).
func autocast(g *Graph, in []*Tensor, d DType) []*Tensor {
	out := in
	for i, t := range in {
		if t.DType.Floating() && t.DType != d && d != "" {
			if &out[0] == &in[0] {
				out = append([]*Tensor(nil), in...)
			}
			out[i] = cast(g, t, d)
		}
	}
	return out
}

// visit visits the weights of the layer and of its inner layers.
func (l *Layer) visit(p *trainableSnapshot, trainable bool, seen map[*Weight]bool, visit func(*Weight, bool)) {
	if l.Inner != nil {
		l.Inner.weights(p, trainable, p.trains(&l.Trainable) && p.trains(&l.Inner.Trainable), seen, visit)
		return
	}
	for _, w := range l.Weights {
		if !seen[w] {
			seen[w] = true
			visit(w, w.Trainable && p.trains(&l.Trainable) && trainable)
		}
	}
	if s, ok := l.impl.(parent); ok {
		for _, c := range s.children() {
			c.visit(p, trainable, seen, visit)
		}
	}
}

// mostNumbers bounds a variable, because the bytes of a whole model are counted in 64 bits.
const mostNumbers = 1 << 46

func (l *Layer) build(in []*Tensor) error {
	if l.built {
		return nil
	}
	shapes := make([]Shape, len(in))
	for i, t := range in {
		shapes[i] = t.Shape
	}
	if err := l.impl.build(l, shapes); err != nil {
		return l.says(err)
	}
	for _, w := range l.Weights {
		if n, ok := w.Shape.Elements(); !ok || n > mostNumbers {
			return l.says(value.Because(value.TooLong, "its %s of the shape %s is larger than any memory", w.Name, w.Shape))
		}
	}
	l.built = true
	return nil
}

// trained returns the weights that a gradient reaches. A frozen layer has none, except in eager
// execution: there the tape watches its variables, while a graph drops what nothing reads.
func (l *Layer) trained(g *Graph, weights ...*Weight) []*Weight {
	if !g.eager && !g.snapshot.trains(&l.Trainable) {
		return nil
	}
	if fixed := func(w *Weight) bool { return w == nil || !w.Trainable }; slices.ContainsFunc(weights, fixed) {
		return slices.DeleteFunc(slices.Clone(weights), fixed)
	}
	return weights
}

// rank checks the number of dimensions of an input.
func rank(in []Shape, want int) error {
	if len(in) == 0 {
		return value.Because(value.MissingArgument, "it is called without an input")
	}
	if len(in[0]) != want {
		return value.Because(value.KerasRaises, "TensorFlow will raise: it expects an input of %d dimensions and gets %s", want, in[0])
	}
	return nil
}

// known checks that a dimension is known, as weights require.
func known(d int64, what string) error {
	if d < 0 {
		return value.Because(value.NotBuilt, "%s is not known", what)
	}
	return nil
}

// snake returns the base of the name that Keras gives a layer: Conv2D → conv2d,
// BatchNormalization → batch_normalization.
func snake(class string) string {
	var b strings.Builder
	for i, r := range class {
		upper := r >= 'A' && r <= 'Z'
		if upper && i > 0 {
			previous := rune(class[i-1])
			next := rune(0)
			if i+1 < len(class) {
				next = rune(class[i+1])
			}
			if previous >= 'a' && previous <= 'z' || next >= 'a' && next <= 'z' && previous >= 'A' && previous <= 'Z' {
				b.WriteByte('_')
			}
		}
		b.WriteRune(r)
	}
	return strings.ToLower(b.String())
}
