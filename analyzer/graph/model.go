package graph

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/observed"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// A Symbolic is a tensor of a model under construction: what Keras calls a KerasTensor.
type Symbolic struct {
	Shape tensor.Shape
	DType tensor.DType
	From  *Node  // nil for an input
	Name  string // of an input, if the program names it
	// Called is the name of any other tensor, once the program has asked for it. Names are
	// unique.
	Called string
}

// A Node is one call of a layer on symbolic tensors.
type Node struct {
	Layer *Layer
	Impl  Impl // of this call; nil for the layer's own
	In    []*Symbolic
	Out   []*Symbolic
	// Body is the operations of this call, if the layer is a custom one.
	Body *Body
	// At is when the call was, counted by state.Steps; 0 if that does not matter.
	At int
	// Gone is when the name that referred to its output was rebound, or 0.
	Gone int
	// Names is the number of names of the step that refer to its output.
	Names int
	// Named is set if a name refers to a list that contains its output.
	Named bool
	// Asks and Applies are set if the node is not a layer call, but asks a tape for gradients or
	// applies them.
	Asks    *Request
	Applies *Update
	Reads   *Weight // the variable that it reads, if any
	Mode    Mode
	InLoop  bool // it is in an iteration of a TensorFlow loop
	Within  bool // it is in the call of a custom layer
	// addsLoss is whether the call adds to the loss, and nil until [Node.Adds] is asked.
	addsLoss *bool
}

// Apply adds the node's operations to g.
func (n *Node) Apply(g *Graph, in []*Tensor) ([]*Tensor, error) {
	defer n.Mode.in(g, n)()
	if n.InLoop {
		from := len(g.Ops)
		defer func() {
			for _, op := range g.Ops[min(from, len(g.Ops)):] {
				op.Summed = true
			}
		}()
	}
	if n.Body != nil {
		return n.Body.Lower(g, in)
	}
	if n.Impl != nil {
		return n.Layer.ApplyAs(n.Impl, g, in)
	}
	return n.Layer.Apply(g, in)
}

// NamedBatch returns the batch size that the inputs of a model declare, batch_shape=(32, …); 0 if
// they declare none, or several.
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

// A Model is a Sequential or functional model, a model of keras.applications, or a class of the
// program that is a model or layer.
type Model struct {
	Class string // "Sequential", "Functional", "Subclass"
	Name  string
	Keras int         // the major version of Keras that it belongs to
	Node  syntax.Node // the call that creates it
	Led   syntax.Node // the call of the program's own file that leads there, if it stands in another module
	// Variable is the module's variable that the model is bound to, or "".
	Variable string
	Inputs   []*Symbolic
	Declares bool // it is a Sequential that states its input itself
	// Outputs are none for a Sequential that is not built.
	Outputs      []*Symbolic
	Returns      value.Value // the outputs as a functional model returns them: one, a list, a dictionary
	Nodes        []*Node     // those that lead to the outputs, in order of creation
	holders      []*Model    // the models that it is a part of
	parts        Nesting     // of its layers
	Adds         *added      // the losses that its calls add, as written by the program or from outside; or nil
	Stack        []*Layer
	OwnWeights   []*Weight         // the weights of a custom model or layer itself
	Groups       map[*Layer]*Model // the Sequentials of an application that contain layers, and are its layers
	Held         []*Layer          // by a custom functional model, whether in its graph or not
	Trainable    bool
	WhyUnsettled *value.Cause    // why a setting of the program for all models is not known; nil if it is
	WhyUnsure    *value.Cause    // why Trainable is not known; nil if it is
	Born         int             // by value.Interp.Now
	By           *value.Interp   // evaluates the program that creates it
	Within       []value.Setting // as of a [ModelCall]
	// Replaced is set once what a run told of the model has taken its place.
	Replaced bool
	// Unresolved are reasons why the model is not fully known.
	Unresolved []*value.Cause

	Exported      bool         // it is loaded as one function, without its layers
	WithoutXLA    bool         // it sets supports_jit to False
	IsDistributed bool         // it is created in the scope of a strategy
	ReplicaCount  int64        // of the strategy; 0 if not known
	Apart         *value.Cause // why that is not known

	// Data is what lies on the device while the weights are made.
	Data []DataTerm

	Optimizer *Optimizer
	Compiled  *Compile
	// Step says why the memory of a training step is not known although the model is; nil if it is
	// known.
	Step *value.Cause
	// Own is the custom step that trains it, if any.
	Own *Step

	// Traced is the step that trains it as a run traced it, where the text does not say it; else nil.
	Traced *observed.Step

	// Wider is the model at the upper bound of numbers that are only known at run time; the model
	// itself is at the lower one. It is nil if there are no such numbers. Assumptions describes
	// them in sentences.
	Wider       *Model
	Assumptions []string

	snapshot *TrainableSnapshot // the state of its training, if this is the model at the time of a training; else nil

	WeightsKnown bool         // all its parts are built, though it is not
	Missing      *value.Cause // why they are not
	// Starved says why the shape of the first data that it is trained or run on is not known; ""
	// if nothing is missing.
	Starved *value.Cause
	// Fed is set if a Sequential without an input shape got its weights from the shape of its
	// first data.
	Fed bool
}

// mostReasons is how many reasons are kept why a model is not known.
const mostReasons = 20

// AddUnresolved records a reason, once.
func (m *Model) AddUnresolved(why *value.Cause) {
	if why == nil || len(m.Unresolved) >= mostReasons {
		return
	}
	if slices.ContainsFunc(m.Unresolved, why.Same) {
		return
	}
	m.Unresolved = append(m.Unresolved, why)
}

// Call calls a layer on symbolic tensors for the program that by evaluates, and records the node.
func Call(by *value.Interp, l *Layer, in []*Symbolic) ([]*Symbolic, error) {
	return CallAs(by, l, nil, in)
}

// CallAs is call with the Impl of one call.
func CallAs(by *value.Interp, l *Layer, s Impl, in []*Symbolic) ([]*Symbolic, error) {
	// Most calls return one tensor: one allocation holds both.
	c := &struct {
		n    Node
		one  Symbolic
		outs [1]*Symbolic
	}{n: Node{Layer: l, Impl: s, In: in}}
	n := &c.n
	g := &Graph{By: by}
	for _, s := range in {
		g.Inputs = append(g.Inputs, &Tensor{Shape: s.Shape, DType: s.DType})
	}
	out, err := n.Apply(g, g.Inputs)
	if err != nil {
		return nil, err
	}
	n.Out = c.outs[:0]
	for i, t := range out {
		if len(t.Shape) > tensor.MostDimensions {
			return nil, value.Refused("a tensor has more than %d dimensions", tensor.MostDimensions)
		}
		s := &c.one
		if i > 0 {
			s = new(Symbolic)
		}
		*s = Symbolic{Shape: t.Shape, DType: t.DType, From: n}
		n.Out = append(n.Out, s)
	}
	l.Calls = append(l.Calls, n)
	return n.Out, nil
}

// Trace collects the nodes between the inputs and the outputs.
func (m *Model) Trace() {
	m.Nodes = Trace(m.Inputs, m.Outputs)
	for _, l := range m.Layers() {
		if !m.Takes(&m.parts, l) {
			m.Nodes, m.Outputs = nil, nil
			break
		}
	}
}

// Add adds a layer to a Sequential, and builds it if its input shape is known.
func (m *Model) Add(l *Layer) error {
	parts := m.parts
	if !m.Takes(&parts, l) {
		return nil
	}
	m.Stack = append(m.Stack, l)
	m.Grow(parts)
	if len(m.Outputs) == 0 {
		return nil
	}
	return m.extend(l)
}

// Input sets the input of a Sequential, and builds its layers.
func (m *Model) Input(shape tensor.Shape, d tensor.DType) error {
	s := &Symbolic{Shape: shape, DType: d}
	m.Inputs, m.Outputs = []*Symbolic{s}, []*Symbolic{s}
	for _, l := range m.Stack {
		if err := m.extend(l); err != nil {
			return err
		}
	}
	return nil
}

// Pop removes the last layer of a Sequential.
func (m *Model) Pop() {
	if len(m.Stack) == 0 {
		return
	}
	m.Stack = slices.Clip(m.Stack[:len(m.Stack)-1])
	if n := len(m.Nodes); n > 0 && len(m.Outputs) > 0 {
		m.Outputs, m.Nodes = m.Nodes[n-1].In, m.Nodes[:n-1]
	}
}

func (m *Model) extend(l *Layer) error {
	if len(m.Unresolved) > 0 {
		return nil // the layer's input is not known
	}
	out, err := Call(m.By, l, m.Outputs)
	if err != nil && !m.Declares && m.Weightless() {
		m.Inputs, m.Outputs, m.Nodes = nil, nil, nil // it may still be called with data that fits
		return err
	}
	if err != nil {
		m.AddUnresolved(value.From(err))
		return err
	}
	if len(out) == 0 {
		m.AddUnresolved(value.Because(value.NotBuilt, "its layer %s returns no tensor", l.Name))
		return nil
	}
	m.Outputs = out[:1]
	m.Nodes = append(m.Nodes, out[0].From)
	return nil
}

// Built reports whether the model's input and layers are known, or its step.
func (m *Model) Built() bool {
	return len(m.Inputs) > 0 && len(m.Outputs) > 0 || m.Own != nil || m.Traced != nil
}

// Layers returns the model's layers, each once, in order.
func (m *Model) Layers() []*Layer {
	if m.Class != "Functional" {
		return m.Stack
	}
	out := make([]*Layer, 0, len(m.Nodes))
	seen := map[*Layer]bool{} // set only if a layer is called more than once
	for _, n := range m.Nodes {
		switch l := n.Layer; {
		case l.Function, seen[l]:
		case len(l.Calls) > 1:
			seen[l] = true
			fallthrough
		default:
			out = append(out, l)
		}
	}
	return out
}

// Last returns the layers that compute the model's outputs, each once. It returns the layers of
// an inner model instead of the model.
func (m *Model) Last() []*Layer {
	var out []*Layer
	for _, s := range m.Outputs {
		if s.From == nil || s.From.Layer == nil {
			continue
		}
		last := []*Layer{s.From.Layer}
		if inner := s.From.Layer.Inner; inner != nil {
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

// Parameters returns how many numbers the model's weights hold, and how many of them are trained.
// Shared weights count once. Accumulators of gradients do not count.
func (m *Model) Parameters() (all, trained int64) {
	m.weights(m.snapshot, m.Trainable, m.Trainable, m.sized(), func(w *Weight, trains bool) {
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

// sized returns an empty set with space for the model's weights.
func (m *Model) sized() map[*Weight]bool {
	return make(map[*Weight]bool, 2*max(len(m.Nodes), len(m.Stack)))
}

// weights visits each weight once, with whether it is trained. trainable is set if no containing
// model is frozen, thawed if the model itself is not. In Keras 3, freezing a part of another
// model freezes what it contains, but a layer in it may be thawed again
// (keras/src/layers/layer.py, trainable_weights, asks its variables alone). In Keras 2 a frozen
// part has no trained weights (base_layer.py, trainable_weights).
func (m *Model) weights(p *TrainableSnapshot, trainable, thawed bool, seen map[*Weight]bool, visit func(*Weight, bool)) {
	for _, w := range m.OwnWeights {
		if !seen[w] {
			seen[w] = true
			visit(w, w.Trainable && trainable && thawed)
		}
	}
	trainable = trainable && (thawed || m.Keras != 2)
	for _, l := range m.Layers() {
		l.Visit(p, trainable, seen, visit)
	}
	for _, l := range m.Held {
		l.Visit(p, trainable, seen, visit)
	}
}

// Weights visits the model's weights, each once, with whether they are trained, and the variables
// of its own step that are no weights of a model.
func (m *Model) Weights(visit func(w *Weight, trained bool)) {
	seen := m.sized()
	m.weights(m.snapshot, m.Trainable, m.Trainable, seen, visit)
	if m.Own == nil {
		return
	}
	for _, w := range m.Own.Loose {
		if !seen[w] {
			visit(w, w.Trainable)
		}
	}
}

// GiveWeights notes that values that are read or passed replace the first ones of all weights.
func (m *Model) GiveWeights() { m.Weights(func(w *Weight, _ bool) { w.Given = true }) }

// Has reports whether a weight is among the model's.
func (m *Model) Has(w *Weight) (has bool) {
	m.Weights(func(of *Weight, _ bool) { has = has || of == w })
	return has
}

// Lower runs the model on inputs of known shapes and adds its operations to g.
func (m *Model) Lower(g *Graph, in []*Tensor) ([]*Tensor, error) {
	if len(m.Unresolved) > 0 {
		return nil, m.Unresolved[0] // its outputs may be incomplete
	}
	if len(in) != len(m.Inputs) {
		return nil, value.Because(value.MissingArgument, "the model takes %d inputs and is given %d", len(m.Inputs), len(in))
	}
	if m.Class != "Subclass" {
		in = converted(g, m.Inputs, adjusted(g, m.Inputs, in))
	}
	for i, s := range m.Inputs {
		want, got := s.Shape, in[i].Shape
		if n := min(len(want), len(got)); m.Keras == 2 {
			// Keras compares the dimensions that both have (tf_keras/src/engine/input_spec.py,
			// assert_input_compatibility).
			want, got = want[:n], got[:n]
		}
		if !Fits(want, got) {
			return nil, m.misfit(s.Shape, in[i].Shape)
		}
	}
	b := &Body{m.Inputs, m.Outputs, m.Nodes, m.Adds}
	out, at, err := b.run(g, in)
	if g.Eagerly && m.Class != "Subclass" && m.Keras == 3 && err == nil {
		g.holds(b, at)
	}
	return out, err
}

// adjusted adds a last dimension of 1 to data, or removes it, if the input of a functional model
// has that rank (keras/src/models/functional.py, _adjust_input_rank).
func adjusted(g *Graph, inputs []*Symbolic, in []*Tensor) []*Tensor {
	out := in
	for i, s := range inputs {
		shape := in[i].Shape
		switch {
		case len(shape) == len(s.Shape)+1 && shape.Last() == 1:
			shape = shape[:len(shape)-1]
		case len(shape) == len(s.Shape)-1 && s.Shape.Last() == 1:
			shape = append(append(tensor.Shape(nil), shape...), 1)
		default:
			continue
		}
		if &out[0] == &in[0] {
			out = append([]*Tensor(nil), in...)
		}
		out[i] = View(g, in[i], shape)
	}
	return out
}

// converted converts the inputs of a functional model to their declared types
// (keras/src/models/functional.py, _convert_inputs_to_tensors; tf_keras/src/engine/functional.py,
// _conform_to_reference_input).
func converted(g *Graph, inputs []*Symbolic, in []*Tensor) []*Tensor {
	out := slices.Clone(in)
	for i, s := range inputs {
		if in[i].DType != "string" {
			out[i] = Cast(g, in[i], s.DType)
		}
	}
	return out
}

// Fits reports whether data has the shape of an input, whatever the batch size, which Keras does
// not compare (keras/src/models/functional.py, input_spec).
func Fits(want, got tensor.Shape) bool {
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

// misfit says that data does not have the shape of an input. A Sequential accepts what its layers
// accept (keras/src/models/sequential.py, call).
func (m *Model) misfit(want, got tensor.Shape) error {
	const what = "the model expects data of the shape %s and is given %s"
	if m.Class == "Functional" || len(want) != len(got) {
		return value.Refused(""+what, want, got)
	}
	return value.Because(value.WrongType, what, want, got)
}

// Nested is a model used as a layer.
type Nested struct{ Model *Model }

func (s *Nested) Build(l *Layer, in []tensor.Shape) error {
	if s.Model.Built() {
		return nil
	}
	if s.Model.Class == "Sequential" && len(in) == 1 {
		d := tensor.DType("float32")
		if len(s.Model.Stack) > 0 {
			d = s.Model.Stack[0].DType // keras/src/models/sequential.py, build
		}
		return s.Model.Input(in[0].WithBatch(tensor.None), d)
	}
	return value.Because(value.NotBuilt, "the model's input is not known")
}

func (s *Nested) Call(l *Layer, g *Graph, in []*Tensor) ([]*Tensor, error) {
	out, err := s.Model.Lower(g, in)
	if err != nil || !s.Model.Exported || !g.Trains || len(out) == 0 {
		return out, err
	}
	return s.Model.sealed(g, in, out)
}

// AsLayer returns the model as a layer of another, always the same Layer.
func (m *Model) AsLayer() *Layer {
	return &Layer{Class: m.Class, Name: m.Name, Node: m.Node, Trainable: true, Inner: m, Impl: &Nested{m}, Born: m.Born}
}

// Calls returns the first call of each layer in the model.
func (m *Model) Calls() map[*Layer]*Node {
	out := make(map[*Layer]*Node, len(m.Nodes))
	for _, n := range m.Nodes {
		if out[n.Layer] == nil {
			out[n.Layer] = n
		}
	}
	return out
}

// A custom model may have no call, and train its parts in its own train_step: the two networks of
// a GAN, the encoder and the decoder of an autoencoder. Its weights are those of the parts. They
// are known once all parts are built, even if nothing is known of its data.

// Known reports whether all weights of the model are known. What runs the model may still be
// unknown; see Built.
func (m *Model) Known() bool {
	return len(m.Unresolved) == 0 && (m.Built() || m.WeightsKnown || m.Weightless())
}

// Weightless reports whether no layer of a Sequential has weights.
func (m *Model) Weightless() bool { return m.hasNone(map[*Model]bool{}) }

// hasNone is weightless that visits each nested model once.
func (m *Model) hasNone(seen map[*Model]bool) bool {
	if seen[m] {
		return true
	}
	seen[m] = true
	return m.Class == "Sequential" && len(m.Stack) > 0 && !slices.ContainsFunc(m.Stack, func(l *Layer) bool {
		return !l.Weightless && !(l.Inner != nil && l.Inner.hasNone(seen))
	})
}

// Unbuilt says why a model is not built; nil if it is.
func (m *Model) Unbuilt() *value.Cause {
	switch {
	case m.Built():
		return nil
	case m.WeightsKnown && m.Step != nil:
		return m.Step
	case m.WeightsKnown:
		return value.Because(value.NotBuilt, "the shape of its input is not known")
	case m.Missing != nil:
		return m.Missing
	}
	if m.Starved != nil {
		return m.Starved
	}
	return value.Because(value.NotBuilt, "the shape of the model's input is not known: the model declares none, and is not called on data of a known shape")
}

// Unsettled says why the dtypes or the compilation of the model's steps are not known although
// its layers are; nil if they are known.
func (m *Model) Unsettled() *value.Cause {
	if m.WhyUnsettled == nil && m.Compiled != nil {
		return m.Compiled.Undecided
	}
	return m.WhyUnsettled
}
