package keras

import (
	"errors"
	"fmt"
	"slices"

	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// A Symbolic is a tensor of a model that is being described: what Keras calls a
// KerasTensor.
type Symbolic struct {
	Shape Shape
	DType DType
	from  *node  // nil for an input
	name  string // of an input, where the program gives it one
	// called is the name of any other, once the program has asked for it: none has
	// another's.
	called string
}

// A node is one call of a layer on symbolic tensors.
type node struct {
	layer *Layer
	spec  layerImpl // of this call; nil where it is the layer's
	in    []*Symbolic
	out   []*Symbolic
	// body is what this call does, where the program writes the layer itself.
	body *body
	// at is when the call was, by host.tick; 0 where that does not matter.
	at int
	// gone is when a name that stood for what it made was bound anew, or 0.
	gone int
	// named tells that a name stands for a list that what it made is in.
	named bool
	// asks and applies are set where the node is no call of a layer, but asks a tape
	// for gradients or applies them.
	asks    *request
	applies *Update
	reads   *Weight // the variable that it reads, where it does
	mode    mode
	turns   bool // it is in a turn of a loop of TensorFlow's
	within  bool // it is in the call of a layer of the program's own
	// addsLoss is whether the call adds to the loss, and nil until [node.adds] is asked.
	addsLoss *bool
}

// apply adds the node's operations to g.
func (n *node) apply(g *Graph, in []*Tensor) ([]*Tensor, error) {
	defer n.mode.in(g, n)()
	if n.turns {
		from := len(g.Ops)
		defer func() {
			for _, op := range g.Ops[min(from, len(g.Ops)):] {
				op.Summed = true
			}
		}()
	}
	if n.body != nil {
		return n.body.lower(g, in)
	}
	if n.spec != nil {
		return n.layer.applyAs(n.spec, g, in)
	}
	return n.layer.apply(g, in)
}

// NamedBatch is the batch that the inputs of a model are declared with, batch_shape=(32, …); 0
// where they name none, or several.
func (m *Model) NamedBatch() int64 {
	named := int64(0)
	for _, in := range m.Inputs {
		if m.Own != nil || len(in.Shape) == 0 || in.Shape[0] < 1 || named != 0 && in.Shape[0] != named {
			return 0
		}
		named = in.Shape[0]
	}
	return named
}

// A Model is a Sequential or functional model, a model of keras.applications, or
// a model or layer that the program writes as a class.
type Model struct {
	Class string // "Sequential", "Functional", "Subclass"
	Name  string
	Keras int         // the major version of the Keras that it is of
	Node  syntax.Node // the call that makes it
	// Variable is the module's variable that the model is bound to, or empty.
	Variable string
	Inputs   []*Symbolic
	// Outputs are none for a Sequential that is not built.
	Outputs   []*Symbolic
	returns   value.Value // the outputs as a functional model hands them out: one, a list, a dictionary
	nodes     []*node     // those that lead to the outputs, in order of their making
	holders   []*Model    // the models that it is a part of
	parts     nesting     // of its layers
	adds      *added      // to its loss, by the call that the program writes or from outside; or nil
	stack     []*Layer
	own       []*Weight         // of a model or layer that the program writes
	groups    map[*Layer]*Model // the Sequentials that layers of an application stand in, which are its layers
	held      []*Layer          // by a functional model that the program writes, be they in its graph or not
	Trainable bool
	unsettled string        // why what the program sets for all models is not known; empty where it is
	unsure    string        // why Trainable is not known; empty where it is
	born      int           // by value.Interp.Now
	by        *value.Interp // that follows the program which makes it
	// Unresolved are reasons for which the model is not fully known.
	Unresolved []string

	withoutXLA  bool   // it sets supports_jit to False
	distributed bool   // it is made in the scope of a strategy
	replicas    int64  // of that, 0 where not known
	apart       string // why not

	Optimizer *Optimizer
	Compiled  *Compile
	// Step is why the memory of a step of training is not known though the model
	// is; empty where it is known.
	Step string
	// Own is the step that trains it, where the program writes that itself.
	Own *Step

	// Wider is the model with numbers at their upper end that only a run decides; the model
	// itself has them at their lower one. Nil where the program asks for none. Assumptions say in
	// sentences what they are.
	Wider       *Model
	Assumptions []string

	phase *trainableSnapshot // of its training, where this is the model as a training finds it; else nil

	weightsKnown bool   // all its parts are built, though it is not
	missing      string // why that is not so
	// starved is why the shape of what it is trained or run on first is not known; empty
	// where nothing is.
	starved string
	// Fed tells that a Sequential that says no input has got its weights from the shape of
	// what it is trained or run on first.
	Fed bool
}

// mostReasons is how many reasons are kept of those for which a model is not known.
const mostReasons = 20

// unresolved notes a reason, once.
func (m *Model) unresolved(why string) {
	if why == "" || len(m.Unresolved) >= mostReasons {
		return
	}
	for _, w := range m.Unresolved {
		if w == why {
			return
		}
	}
	m.Unresolved = append(m.Unresolved, why)
}

// call calls a layer on symbolic tensors, on behalf of the program that an interpreter
// follows, and notes the node.
func call(by *value.Interp, l *Layer, in []*Symbolic) ([]*Symbolic, error) {
	return callAs(by, l, nil, in)
}

// callAs is call for one that differs from the layer's other ones.
func callAs(by *value.Interp, l *Layer, s layerImpl, in []*Symbolic) ([]*Symbolic, error) {
	// Most calls return one tensor: it is made in the same place.
	c := &struct {
		node
		one  Symbolic
		outs [1]*Symbolic
	}{node: node{layer: l, spec: s, in: in}}
	n := &c.node
	g := &Graph{by: by}
	for _, s := range in {
		g.Inputs = append(g.Inputs, &Tensor{Shape: s.Shape, DType: s.DType})
	}
	out, err := n.apply(g, g.Inputs)
	if err != nil {
		return nil, err
	}
	n.out = c.outs[:0]
	for i, t := range out {
		if len(t.Shape) > tensor.MostDimensions {
			return nil, fmt.Errorf("TensorFlow will raise: a tensor has more than %d dimensions", tensor.MostDimensions)
		}
		s := &c.one
		if i > 0 {
			s = new(Symbolic)
		}
		*s = Symbolic{Shape: t.Shape, DType: t.DType, from: n}
		n.out = append(n.out, s)
	}
	l.calls = append(l.calls, n)
	return n.out, nil
}

// trace collects the nodes that lead from the inputs to the outputs.
func (m *Model) trace() {
	m.nodes = trace(m.Inputs, m.Outputs)
	for _, l := range m.Layers() {
		if !m.takes(&m.parts, l) {
			m.nodes, m.Outputs = nil, nil
			break
		}
	}
}

// add puts a layer on a Sequential's stack and builds it where the shape that
// reaches it is known.
func (m *Model) add(l *Layer) error {
	parts := m.parts
	if !m.takes(&parts, l) {
		return nil
	}
	m.stack = append(m.stack, l)
	m.grow(parts)
	if len(m.Outputs) == 0 {
		return nil
	}
	return m.extend(l)
}

// input gives a Sequential its input, and builds what is on its stack.
func (m *Model) input(shape Shape, d DType) error {
	s := &Symbolic{Shape: shape, DType: d}
	m.Inputs, m.Outputs = []*Symbolic{s}, []*Symbolic{s}
	for _, l := range m.stack {
		if err := m.extend(l); err != nil {
			return err
		}
	}
	return nil
}

// pop takes the last layer off a Sequential.
func (m *Model) pop() {
	if len(m.stack) == 0 {
		return
	}
	m.stack = slices.Clip(m.stack[:len(m.stack)-1])
	if n := len(m.nodes); n > 0 && len(m.Outputs) > 0 {
		m.Outputs, m.nodes = m.nodes[n-1].in, m.nodes[:n-1]
	}
}

func (m *Model) extend(l *Layer) error {
	if len(m.Unresolved) > 0 {
		return nil // what reaches the layer is not known
	}
	out, err := call(m.by, l, m.Outputs)
	if err != nil && m.weightless() {
		m.Inputs, m.Outputs, m.nodes = nil, nil, nil // it may yet be called with what fits
		return err
	}
	if err != nil {
		m.unresolved(err.Error())
		return err
	}
	if len(out) == 0 {
		m.unresolved("its layer " + l.Name + " returns no tensor")
		return nil
	}
	m.Outputs = out[:1]
	m.nodes = append(m.nodes, out[0].from)
	return nil
}

// Built tells whether the model's input and layers are known.
func (m *Model) Built() bool { return len(m.Inputs) > 0 && len(m.Outputs) > 0 || m.Own != nil }

// Layers are the model's layers, each once, in order.
func (m *Model) Layers() []*Layer {
	if m.Class != "Functional" {
		return m.stack
	}
	out := make([]*Layer, 0, len(m.nodes))
	seen := map[*Layer]bool{} // of those that are called more than once
	for _, n := range m.nodes {
		switch l := n.layer; {
		case l.function, seen[l]:
		case len(l.calls) > 1:
			seen[l] = true
			fallthrough
		default:
			out = append(out, l)
		}
	}
	return out
}

// Last are the layers that make what the model returns, each once; those of a model that
// is used as a layer in its place.
func (m *Model) Last() []*Layer {
	var out []*Layer
	for _, s := range m.Outputs {
		if s.from == nil || s.from.layer == nil {
			continue
		}
		last := []*Layer{s.from.layer}
		if inner := s.from.layer.Inner; inner != nil {
			last = inner.Last()
		}
		for _, l := range last {
			if !slices.Contains(out, l) {
				out = append(out, l)
			}
		}
	}
	return out
}

// Parameters is how many numbers the model's weights hold, and how many of them
// are trained; weights that are shared count once. Those that gradients are gathered in do not.
func (m *Model) Parameters() (all, trained int64) {
	m.weights(m.phase, m.Trainable, m.Trainable, m.sized(), func(w *Weight, trains bool) {
		if w.Sums {
			return
		}
		all += w.Elements()
		if trains {
			trained += w.Elements()
		}
	})
	return all, trained
}

// sized is a set that has room for the model's weights.
func (m *Model) sized() map[*Weight]bool {
	return make(map[*Weight]bool, 2*max(len(m.nodes), len(m.stack)))
}

// weights visits each weight once, with whether it is trained: where trainable says so, of
// whatever the model is within, and of its own where they are not frozen. A part of another
// model that is frozen has in Keras 3 frozen what was in it, of which a layer may be thawed
// again (keras/src/layers/layer.py, trainable_weights, asks its variables alone); in Keras 2 it
// has no weights that are trained (base_layer.py, trainable_weights).
func (m *Model) weights(p *trainableSnapshot, trainable, thawed bool, seen map[*Weight]bool, visit func(*Weight, bool)) {
	for _, w := range m.own {
		if !seen[w] {
			seen[w] = true
			visit(w, w.Trainable && trainable && thawed)
		}
	}
	trainable = trainable && (thawed || m.Keras != 2)
	for _, l := range m.Layers() {
		l.visit(p, trainable, seen, visit)
	}
	for _, l := range m.held {
		l.visit(p, trainable, seen, visit)
	}
}

// Weights are the model's weights, each once, and whether they are trained.
func (m *Model) Weights(visit func(w *Weight, trained bool)) {
	m.weights(m.phase, m.Trainable, m.Trainable, m.sized(), visit)
}

// Lower runs the model on inputs of known shapes and adds its operations to g.
func (m *Model) Lower(g *Graph, in []*Tensor) ([]*Tensor, error) {
	if len(m.Unresolved) > 0 {
		return nil, fmt.Errorf("%s", m.Unresolved[0]) // its outputs are as far as it was followed
	}
	if len(in) != len(m.Inputs) {
		return nil, fmt.Errorf("the model takes %d inputs and is given %d", len(m.Inputs), len(in))
	}
	if m.Class != "Subclass" {
		in = adjusted(g, m.Inputs, in)
	}
	for i, s := range m.Inputs {
		want, got := s.Shape, in[i].Shape
		if n := min(len(want), len(got)); m.Keras == 2 {
			// It compares the dimensions that both have (tf_keras/src/engine/input_spec.py,
			// assert_input_compatibility).
			want, got = want[:n], got[:n]
		}
		if !fits(want, got) {
			return nil, m.misfit(s.Shape, in[i].Shape)
		}
	}
	b := &body{m.Inputs, m.Outputs, m.nodes, m.adds}
	out, at, err := b.run(g, in)
	if g.eager && m.Class != "Subclass" && m.Keras == 3 && err == nil {
		g.holds(b, at)
	}
	return out, err
}

// adjusted adds a last dimension of 1 to data, or takes it away, where a functional
// model's input is so (keras/src/models/functional.py, _adjust_input_rank).
func adjusted(g *Graph, inputs []*Symbolic, in []*Tensor) []*Tensor {
	out := in
	for i, s := range inputs {
		shape := in[i].Shape
		switch {
		case len(shape) == len(s.Shape)+1 && shape.Last() == 1:
			shape = shape[:len(shape)-1]
		case len(shape) == len(s.Shape)-1 && s.Shape.Last() == 1:
			shape = append(append(Shape(nil), shape...), 1)
		default:
			continue
		}
		if &out[0] == &in[0] {
			out = append([]*Tensor(nil), in...)
		}
		out[i] = view(g, in[i], shape)
	}
	return out
}

// fits tells whether data has the shape of an input, whatever the batch, which Keras
// does not compare (keras/src/models/functional.py, input_spec).
func fits(want, got Shape) bool {
	if len(want) != len(got) {
		return false
	}
	for i := 1; i < len(want); i++ {
		if want[i] >= 0 && got[i] >= 0 && want[i] != got[i] {
			return false
		}
	}
	return true
}

// misfit says that data has not the shape of an input. Where a Sequential's layers
// can do with it, so can the Sequential (keras/src/models/sequential.py, call).
func (m *Model) misfit(want, got Shape) error {
	what := fmt.Sprintf("the model expects data of the shape %s and is given %s", want, got)
	if m.Class == "Functional" || len(want) != len(got) {
		what = "TensorFlow will raise: " + what
	}
	return errors.New(what)
}

// nested is a model used as a layer.
type nested struct{ model *Model }

func (s *nested) build(l *Layer, in []Shape) error {
	if s.model.Built() {
		return nil
	}
	if s.model.Class == "Sequential" && len(in) == 1 {
		return s.model.input(in[0].WithBatch(None), "float32")
	}
	return fmt.Errorf("the model's input is not known")
}

func (s *nested) call(l *Layer, g *Graph, in []*Tensor) ([]*Tensor, error) {
	return s.model.Lower(g, in)
}

// asLayer is the model as a layer of another. The same Layer stands for it
// every time.
func (m *Model) asLayer() *Layer {
	return &Layer{Class: m.Class, Name: m.Name, Node: m.Node, Trainable: true, Inner: m, spec: &nested{m}, born: m.born}
}
