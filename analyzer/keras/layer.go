package keras

import (
	"fmt"
	"strings"

	"github.com/tfmem/tfmem/analyzer/syntax"
)

// A Layer is an instance of one of Keras's layers.
type Layer struct {
	Class     string // as Keras names it: "Conv2D"
	Name      string
	Node      syntax.Node // the call that makes it
	Trainable bool
	Weights   []*Weight
	DType     DType // of what it computes

	spec  spec
	built bool
	// function tells whether it is a function's call rather than a layer.
	function bool
	// calls are those on tensors of models, in order.
	calls []*node
	// Inner is the model that the layer is, or wraps.
	Inner *Model
	// Output is the shape of what it returned when it was last called.
	Output Shape
}

// A spec is what a kind of layer does with given arguments.
type spec interface {
	// build makes the weights for inputs of the given shapes.
	build(l *Layer, in []Shape) error
	// call adds the layer's operations to g, on inputs that fit, and returns the
	// outputs.
	call(l *Layer, g *Graph, in []*Tensor) ([]*Tensor, error)
}

// weight adds a variable to the layer.
func (l *Layer) weight(name string, trainable bool, shape ...int64) *Weight {
	w := &Weight{Name: name, Shape: shape, DType: "float32", Trainable: trainable}
	l.Weights = append(l.Weights, w)
	return w
}

// apply builds the layer where it is not built, and adds its operations.
func (l *Layer) apply(g *Graph, in []*Tensor) ([]*Tensor, error) {
	for _, t := range in {
		if len(t.Shape) == 0 && !l.function && l.Inner == nil {
			return nil, fmt.Errorf("TensorFlow will raise: %s %q is called on a single number", l.Class, l.Name)
		}
	}
	if err := l.build(in); err != nil {
		return nil, err
	}
	outer := g.layer
	g.layer = l
	out, err := l.spec.call(l, g, in)
	g.layer = outer
	if err != nil {
		return nil, fmt.Errorf("%s %q: %w", l.Class, l.Name, err)
	}
	if len(out) > 0 {
		l.Output = out[0].Shape
	}
	return out, nil
}

func (l *Layer) build(in []*Tensor) error {
	if l.built {
		return nil
	}
	shapes := make([]Shape, len(in))
	for i, t := range in {
		shapes[i] = t.Shape
	}
	if err := l.spec.build(l, shapes); err != nil {
		return fmt.Errorf("%s %q: %w", l.Class, l.Name, err)
	}
	l.built = true
	return nil
}

// trained is the weights that a gradient is wanted for: none where the layer is
// frozen.
func (l *Layer) trained(weights ...*Weight) []*Weight {
	if !l.Trainable {
		return nil
	}
	var out []*Weight
	for _, w := range weights {
		if w != nil && w.Trainable {
			out = append(out, w)
		}
	}
	return out
}

// rank checks the number of dimensions of an input.
func rank(in []Shape, want int) error {
	if len(in) == 0 {
		return fmt.Errorf("it is called without an input")
	}
	if len(in[0]) != want {
		return fmt.Errorf("TensorFlow will raise: it expects an input of %d dimensions and gets %s", want, in[0])
	}
	return nil
}

// known checks that a dimension is known, as weights need it.
func known(d int64, what string) error {
	if d < 0 {
		return fmt.Errorf("%s is not known", what)
	}
	return nil
}

// snake is the base of the name Keras gives a layer: Conv2D → conv2d,
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
