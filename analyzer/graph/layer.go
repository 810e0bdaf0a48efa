package graph

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// A Layer is an instance of one of Keras's layers.
type Layer struct {
	Class     string // as Keras names it: "Conv2D"
	Name      string
	Node      syntax.Node // the call that creates it
	Trainable bool
	Unsure    *value.Cause // why Trainable is not known; nil if it is
	Weights   []*Weight
	DType     tensor.DType // the type in which it computes
	Store     tensor.DType // of its variables; float32 if empty

	Impl  Impl
	Built bool
	// Penalties are the sums over its weights that are added to the loss, by weight name without
	// "_kernel".
	Penalties map[string][]Penalty
	// Initializers are those that the program names, by weight name without "_kernel".
	Initializers map[string]string
	// Activity is what it adds to the loss for its outputs, or nil.
	Activity activityLoss
	// Called is set if the program calls it on symbolic tensors. doubt says why that is not
	// certain.
	Called bool
	Doubt  *value.Cause
	// Weightless is set if a layer of its class has no weights, whatever its input.
	Weightless bool
	// Function is set if it stands for the call of a function, not for a layer.
	Function bool
	Born     int // by value.Interp.Now
	// Calls are those on symbolic tensors, in order.
	Calls []*Node
	// Args are the arguments that it was created with, and input its input_shape=; nil if there
	// is none.
	Args  *value.Args
	Input *value.Value
	// Again creates a layer with the same arguments; nil if that is not modelled.
	Again func(in *value.Interp) value.Value
	Remat *RematMode // of the scope in which it was created, or nil
	// Inner is the model that the layer is, or wraps.
	Inner *Model
	// Low is what quantize made of the layer, or nil, and isLow whether it has by now.
	Low   *Quantization
	isLow bool
	// OnBuilt is called when the layer has its weights, unless it is nil.
	OnBuilt func()
	// Output is the shape of its last output, and KeepsShape is set if all inputs had that shape.
	Output     tensor.Shape
	KeepsShape bool
}

// Policy returns the name of the dtype policy that the layer has the types of: mixed_float16 keeps
// its variables in float32, float16 does not.
func (l *Layer) Policy() string {
	computes, stores := cmp.Or(l.DType, "float32"), cmp.Or(l.Store, "float32")
	if computes != stores {
		return "mixed_" + string(computes)
	}
	return string(computes)
}

// An Impl is the behaviour of a kind of layer with given arguments.
type Impl interface {
	// Build creates the weights for inputs of the given shapes.
	Build(l *Layer, in []tensor.Shape) error
	// Call adds the layer's operations to g, on inputs that fit, and returns the outputs.
	Call(l *Layer, g *Graph, in []*Tensor) ([]*Tensor, error)
}

// A parent is an Impl that runs layers of its own. Their weights are counted as theirs: the
// constructor's trainable= is not passed on to them (keras/src/layers/layer.py, __init__), but an
// assignment of trainable is.
// An activityLoss adds to the loss for the outputs of a layer.
type activityLoss interface {
	// Follow learns the operations on outputs of these shapes, while the program is evaluated.
	Follow(out []*Tensor)
	// Adds adds what the outputs add to the loss.
	Adds(g *Graph, out []*Tensor) error
}

type Parent interface{ Children() []*Layer }

// initialDefault returns the initializer that Keras's layers have for a weight unless the program
// names one, by the weight's name without "_kernel".
func initialDefault(name string) string {
	switch name {
	case "recurrent":
		return "orthogonal"
	case "embeddings":
		return "randomuniform"
	case "gamma", "scale", "variance":
		return "ones"
	case "bias", "beta", "mean", "count", "alpha", "lora_b":
		return "zeros"
	}
	return "glorotuniform"
}

// Weight adds a variable to the layer.
func (l *Layer) Weight(name string, trainable bool, shape ...int64) *Weight {
	made := &struct { // one allocation includes the shape of most weights
		Weight
		shape [4]int64
	}{Weight: Weight{Name: name, DType: l.Store, Trainable: trainable}}
	w := &made.Weight
	w.Shape = append(made.shape[:0], shape...)
	w.DType = cmp.Or(w.DType, "float32")
	of := strings.TrimSuffix(name, "_kernel")
	w.Penalties = l.Penalties[of]
	given, ok := l.Initializers[of]
	if w.Initializer = given; !ok {
		w.Initializer = initialDefault(of)
	}
	if l.Weights == nil {
		l.Weights = make([]*Weight, 0, 2)
	}
	l.Weights = append(l.Weights, w)
	return w
}

// Apply builds the layer if necessary, and adds its operations.
func (l *Layer) Apply(g *Graph, in []*Tensor) ([]*Tensor, error) { return l.ApplyAs(l.Impl, g, in) }

// callSteps is the cost of a layer call, by [value.Interp.Spend]: its part of the graph takes
// some 2 KB.
const callSteps = 20

// errTooLong says why there is no graph once the program may take no more steps.
var errTooLong = value.Shared(value.TooLong, "the program is too long to follow")

// mostCalls bounds a graph: nested models that run others twice double with each level.
const mostCalls = 50_000

// ApplyAs is apply with the Impl of one call.
func (l *Layer) ApplyAs(s Impl, g *Graph, in []*Tensor) ([]*Tensor, error) {
	out, err := l.Run(s, g, in)
	if err != nil {
		return nil, err
	}
	if l.Activity == nil {
		return out, nil
	}
	if g.By != nil && len(out) > 0 {
		l.Activity.Follow(out)
	}
	return out, l.Activity.Adds(g, out)
}

// Run adds the operations of the layer's call, without what Keras does around it.
func (l *Layer) Run(s Impl, g *Graph, in []*Tensor) ([]*Tensor, error) {
	for _, t := range in {
		if len(t.Shape) == 0 && !l.Function && l.Inner == nil {
			return nil, l.says(value.Because(value.UnmodelledLayer, "a call on a single number is not followed"))
		}
	}
	if g.Calls++; g.Calls > mostCalls {
		return nil, value.Because(value.TooLong, "the model calls layers more than %d times", mostCalls)
	}
	if g.By != nil && !g.By.Work(callSteps+len(in)) {
		return nil, errTooLong
	}
	outer := g.Layer
	g.Layer = l
	g.deep++
	defer func() {
		g.Layer = outer
		g.deep--
	}()
	if g.deep > mostNested {
		return nil, value.Because(value.TooLong, "it calls layers within layers, more than %d deep", mostNested)
	}
	if l.Inner == nil && !l.Function {
		in = autocast(g, in, l.DType)
	}
	if err := l.Build(in); err != nil {
		return nil, err
	}
	if q := l.Quantized(g.Snapshot); q != nil && q.Why != nil {
		return nil, l.says(q.Why)
	}
	from := len(g.Ops)
	out, err := s.Call(l, g, in)
	if err == nil {
		err = l.rematerialized(g, from, out)
	}
	if err != nil {
		return nil, l.says(err)
	}
	if g.By != nil && len(out) > 0 {
		Returned(l, in, out[0], func(t *Tensor) tensor.Shape { return t.Shape })
	}
	return out, nil
}

// Returned records the first output of a layer's call.
func Returned[T any](l *Layer, in []T, out T, shape func(T) tensor.Shape) {
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
func autocast(g *Graph, in []*Tensor, d tensor.DType) []*Tensor {
	out := in
	for i, t := range in {
		if t.DType.Floating() && t.DType != d && d != "" {
			if &out[0] == &in[0] {
				out = append([]*Tensor(nil), in...)
			}
			out[i] = Cast(g, t, d)
		}
	}
	return out
}

// Visit visits the weights of the layer and of its inner layers.
func (l *Layer) Visit(p *TrainableSnapshot, trainable bool, seen map[*Weight]bool, visit func(*Weight, bool)) {
	if l.Inner != nil {
		l.Inner.weights(p, trainable, p.Trains(&l.Trainable) && p.Trains(&l.Inner.Trainable), seen, visit)
		return
	}
	for _, w := range l.weightsIn(p) {
		if !seen[w] {
			seen[w] = true
			visit(w, w.Trainable && p.Trains(&l.Trainable) && trainable)
		}
	}
	for _, c := range l.Parts() {
		c.Visit(p, trainable, seen, visit)
	}
}

// mostNumbers bounds a variable, because the bytes of a whole model are counted in 64 bits.
const mostNumbers = 1 << 46

func (l *Layer) Build(in []*Tensor) error {
	if l.Built {
		return nil
	}
	shapes := make([]tensor.Shape, len(in))
	for i, t := range in {
		shapes[i] = t.Shape
	}
	if err := l.Impl.Build(l, shapes); err != nil {
		return l.says(err)
	}
	for _, w := range l.Weights {
		if n, ok := w.Shape.Elements(); !ok || n > mostNumbers {
			return l.says(value.Because(value.TooLong, "its %s of the shape %s is larger than any memory", w.Name, w.Shape))
		}
	}
	l.Built = true
	if l.OnBuilt != nil {
		l.OnBuilt()
	}
	return nil
}

// Trained returns the weights that a gradient reaches. A frozen layer has none, except in eager
// execution: there the tape watches its variables, while a graph drops what nothing reads.
func (l *Layer) Trained(g *Graph, weights ...*Weight) []*Weight {
	if !g.Eagerly && !g.Snapshot.Trains(&l.Trainable) {
		return nil
	}
	if fixed := func(w *Weight) bool { return w == nil || !w.Trainable }; slices.ContainsFunc(weights, fixed) {
		return slices.DeleteFunc(slices.Clone(weights), fixed)
	}
	return weights
}

// CheckRank checks the number of dimensions of an input.
func CheckRank(in []tensor.Shape, want int) error {
	if len(in) == 0 {
		return value.Because(value.MissingArgument, "it is called without an input")
	}
	if len(in[0]) != want {
		return value.Refused("it expects an input of %d dimensions and gets %s", want, in[0])
	}
	return nil
}

// CheckKnown checks that a dimension is known, as weights require.
func CheckKnown(d int64, what string) error {
	if d < 0 {
		return value.Because(value.NotBuilt, "%s is not known", what)
	}
	return nil
}

// Checks returns the first of some errors, if there is one.
func Checks(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// Snake returns the base of the name that Keras gives a layer: Conv2D → conv2d,
// BatchNormalization → batch_normalization.
func Snake(class string) string {
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

// Parts returns the layers that a layer runs inside itself. It is nil for most layers, and for a
// model used as a layer; its layers are those of Inner.
func (l *Layer) Parts() []*Layer {
	if p, ok := l.Impl.(Parent); ok {
		return p.Children()
	}
	return nil
}

// Holds reports whether a layer is another one, or contains it. seen are the layers that were
// visited already; it may be nil.
func (l *Layer) Holds(other *Layer, seen map[*Layer]bool) bool {
	if l == other {
		return true
	}
	inside := l.Parts()
	if l.Inner != nil {
		inside = slices.Concat(l.Inner.Layers(), l.Inner.Held)
	}
	if seen == nil && len(inside) > 0 {
		seen = map[*Layer]bool{}
	}
	for _, p := range inside {
		if !seen[p] {
			seen[p] = true
			if p.Holds(other, seen) {
				return true
			}
		}
	}
	return false
}

// EachWeight visits the weights of a layer and of all layers inside it.
func (l *Layer) EachWeight(visit func(*Weight)) {
	if l.Inner != nil {
		l.Inner.Weights(func(w *Weight, _ bool) { visit(w) })
		return
	}
	for _, w := range l.weightsIn(nil) {
		visit(w)
	}
	for _, p := range l.Parts() {
		p.EachWeight(visit)
	}
}
