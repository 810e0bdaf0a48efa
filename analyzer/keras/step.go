package keras

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/value"
)

// A Step is a step of training that the program writes itself: a forward pass of one
// or more models, what it asks tapes for, and how it applies the gradients. The
// train_step of a model that fit trains is one, and so is a function, or one turn of
// a loop, that opens a tape.
type Step struct {
	// Name is what the program calls it, "train_step", or "the loop".
	Name string
	Node syntax.Node // of the function or the loop
	// Compiled tells whether it runs as a graph, and not operation by operation.
	Compiled bool
	// Inputs are the data of one batch.
	Inputs []*Symbolic
	// Updates are what it applies, in order.
	Updates []*Update

	// Repeats tells that it is one turn of a loop, or returns its gradients to one, whose
	// names hold what they stood for in the turn before.
	Repeats bool

	nodes   []*node
	watched map[*Symbolic]bool
}

// A recorder follows one step while the program runs it.
type recorder struct {
	unit     syntax.Node
	tape     syntax.Node // the call that made the first tape
	name     string
	compiled bool
	xla      bool  // tf.function is asked for it
	replicas int64 // that share its batch, 0 where that is not known
	inputs   []*Symbolic
	batch    value.Value
	model    *Model // whose train_step it is, or nil
	applied  []*node
	born     int       // by value.Interp.Now
	loose    []*Weight // variables that belong to no layer
	returned bool      // its caller, whose names hold them, applies the gradients
	why      string    // why it is not known, or empty
}

// next is the time at which something happens.
func (h *host) next() int {
	h.tick++
	return h.tick
}

// happens notes when a call was made.
func (h *host) happens(out []*Symbolic) {
	if len(out) > 0 && out[0].from != nil && out[0].from.at == 0 {
		n := out[0].from
		n.at, n.turns = h.next(), h.turning > 0
		if h.mode != unsaid {
			n.mode = h.mode
		}
	}
}

// LetsGo notes when a name no longer stands for gradients: `gradients = clipped(gradients)`
// frees those before it.
func (h *host) LetsGo(old value.Value) {
	if h.recorder == nil || h.tracing > 0 {
		return
	}
	switch x := old.X.(type) {
	case *value.List:
		if len(x.Items) > 0 {
			h.LetsGo(x.Items[0]) // a tape's answer is one list
		}
	case *symbolicValue:
		if n := x.s.from; n != nil && n.asks != nil && n.gone == 0 {
			n.gone = h.next()
		}
	}
}

// Enter begins a step where a function, or one turn of a loop, opens a tape.
func (h *host) Enter(in *value.Interp, unit syntax.Node, function *names.Function, bound []value.Value) func(value.Value) value.Value {
	if function != nil {
		h.building(function, bound)
		if compiled, _ := function.CompiledBy(); compiled {
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

// building notes that a program runs the build of a layer: Keras 3 then takes it for built
// (keras/src/layers/layer.py, __new__, build_wrapper).
func (h *host) building(function *names.Function, bound []value.Value) {
	if function.Name != "build" || h.keras != 3 || len(bound) == 0 {
		return
	}
	if o, ok := bound[0].X.(*value.Object); ok {
		if layer, ok := o.Host.(*custom); ok {
			layer.made = true
		}
	}
}

func (h *host) begin(in *value.Interp, unit syntax.Node, function *names.Function, bound []value.Value) func(value.Value) value.Value {
	if h.tracing > 0 || ofFit(function, bound) {
		return nil
	}
	outer := h.recorder
	if outer != nil && !(h.takesOver(unit, function, bound)) {
		return nil
	}
	if !h.opensTape(unit, function) {
		return nil
	}
	r := &recorder{unit: unit, compiled: h.compiled > 0, replicas: h.sharing(), xla: asksForXLA(function), born: in.Now()}
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
	if function != nil && len(r.inputs) == 0 {
		h.givenArrays(bound)
	}
	return func(result value.Value) value.Value {
		h.recorder = outer
		return result
	}
}

// takesOver tells of a loop within a step that is compiled as a whole whether each of its
// turns is a step, as it goes through the batches of a dataset and no tape was opened
// before.
func (h *host) takesOver(unit syntax.Node, function *names.Function, bound []value.Value) bool {
	if function != nil || h.recorder.tape.Valid() || h.recorder.model != nil {
		return false
	}
	found := false
	for _, v := range bound {
		each(v, func(x value.Value) value.Value {
			if a, ok := x.X.(*array); ok && a.batch != nil {
				found = true
			}
			return x
		})
	}
	over := unit.Child(syntax.FieldRight)
	return found || over.Is(syntax.Call) && strings.HasSuffix(over.Child(syntax.FieldFunction).Text(), "tf.range")
}

// given is a value of the program in which batches of datasets are the data of the step.
func (h *host) given(v value.Value) value.Value {
	return each(v, func(x value.Value) value.Value {
		a, ok := x.X.(*array)
		if !ok || a.batch == nil || len(a.shape) == 0 {
			return x
		}
		return h.fed(a.shape[1:], a.dtype, *a.batch)
	})
}

// givenArrays makes the data of a step of the arrays that a function is called with,
// where no dataset hands them out: those of as many rows as the first has.
func (h *host) givenArrays(bound []value.Value) {
	rows := int64(None)
	for i, v := range bound {
		bound[i] = each(v, func(x value.Value) value.Value {
			a, ok := x.X.(*array)
			if !ok || len(a.shape) == 0 || a.shape[0] < 1 || rows >= 1 && a.shape[0] != rows {
				return x
			}
			rows = a.shape[0]
			return h.fed(a.shape[1:], a.dtype, value.Value{X: rows})
		})
	}
}

// Taken tells the host of what next hands out: within a step, its data.
func (h *host) Taken(_ *value.Interp, item value.Value) value.Value {
	if h.recorder == nil || h.tracing > 0 {
		return item
	}
	return h.given(item)
}

// asksForXLA tells whether tf.function is to compile a function with XLA.
func asksForXLA(function *names.Function) bool {
	if function == nil {
		return false
	}
	compiler := function.Compiler()
	return compiler.Valid() && strings.Contains(strings.ReplaceAll(compiler.Text(), " ", ""), "jit_compile=True")
}

// ofFit tells of a train_step whether it is a model's, which fit calls with what it is
// given: see rehearse.
func ofFit(function *names.Function, bound []value.Value) bool {
	return function != nil && function.Name == "train_step" && function.Class != nil && len(bound) > 0 && modelOf(bound[0]) != nil
}

// fed is a tensor of the batch that the step is given.
func (h *host) fed(shape Shape, d DType, batch value.Value) value.Value {
	v := h.symbolic(shape, d)
	r := h.recorder
	r.inputs = append(r.inputs, v.X.(*symbolicValue).s)
	if r.batch.X == nil {
		r.batch = batch
	}
	return v
}

// opensTape tells whether code opens a tape itself: not in a function within it, nor,
// where it is not compiled as a whole, in a loop within it, each turn of which is a
// step of its own.
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

// variable notes a variable that is none of a layer's.
func (r *recorder) variable(v *variable) {
	if v.owner == nil && !slices.Contains(r.loose, v.weight) {
		r.loose = append(r.loose, v.weight)
	}
}

// batched are arguments in which the size of the batch, as the program writes it, is
// that of the data, whatever that is.
func (h *host) batched(args *value.Args) *value.Args {
	r := h.recorder
	if r == nil || !r.batch.Lit.Valid() || len(r.inputs) == 0 {
		return args
	}
	return eachArgument(args, func(x value.Value) value.Value {
		if _, number := x.Int(); number && x.Lit == r.batch.Lit {
			return value.Value{X: dimensionOf(r.inputs[0], 0)}
		}
		return x
	})
}

// tensorArguments are arguments in which arrays are tensors that the step makes.
func (h *host) tensorArguments(args *value.Args) *value.Args {
	if h.recorder == nil {
		return args
	}
	return eachArgument(args, func(x value.Value) value.Value {
		if a, ok := x.X.(*array); ok {
			d := a.dtype
			if d == "float64" {
				d = "float32"
			}
			return h.tensor(h.constant(a.shape, d))
		}
		return x
	})
}

// applies notes that gradients are applied to weights.
func (h *host) applies(u *Update, gradients []*Symbolic) {
	n := &node{layer: &Layer{Class: "Update", Name: "update", function: true}, in: gradients, applies: u, at: h.next()}
	r := h.recorder
	if r == nil { // what a helper returned is applied by its caller
		if r = h.asked(gradients); r != nil {
			r.returned = true
		}
	}
	if r != nil {
		h.interp.Touch(stepUpdates{r})
		r.applied = append(r.applied, n)
	}
}

// stepUpdates are what a step applies, which a branch may or may not.
type stepUpdates struct{ of *recorder }

func (s stepUpdates) Content() any { return updating{slices.Clone(s.of.applied), s.of.why} }
func (s stepUpdates) Restore(x any) {
	c := x.(updating)
	s.of.applied, s.of.why = slices.Clone(c.nodes), c.why
}
func (stepUpdates) Either(a, b any, why string) any {
	x, y := a.(updating), b.(updating)
	if len(x.nodes) > len(y.nodes) {
		x, y = y, x
	}
	// A step that applies its gradients at times is priced as one that does.
	y.why = cmp.Or(y.why, x.why)
	if n := len(x.nodes); !slices.Equal(x.nodes, y.nodes[:n]) && y.why == "" {
		y.why = "what it updates is not known: " + why
	}
	return y
}
func (s stepUpdates) Born() int { return s.of.born }

// updating is what a step applies, and why that is not known.
type updating struct {
	nodes []*node
	why   string
}

// asked is the last step, where that is the one that gradients come from.
func (h *host) asked(gradients []*Symbolic) *recorder {
	if len(h.steps) == 0 {
		return nil
	}
	for _, n := range trace(nil, gradients) {
		if n.asks != nil {
			return h.steps[len(h.steps)-1]
		}
	}
	return nil
}

// summed is the last step that adds to a variable of the program's own.
func (h *host) summed(w *Weight) *recorder {
	for _, r := range slices.Backward(h.steps) {
		for _, n := range r.applied {
			if n.applies.Optimizer == nil && slices.Contains(n.applies.Weights, w) {
				return r
			}
		}
	}
	return nil
}

// assigned notes that a variable gets a value: the sum of gradients that waits for the
// next update.
func (h *host) assigned(v *variable, to value.Value) {
	s, ok := to.X.(*symbolicValue)
	if h.tracing > 0 || !ok || v.owner != nil {
		return
	}
	r := h.recorder
	if r == nil { // the sum of what a helper returned
		r = h.asked([]*Symbolic{s.s})
	}
	if r == nil {
		return
	}
	r.variable(v)
	h.applies(&Update{Weights: []*Weight{v.weight}}, []*Symbolic{s.s})
}

// conclude makes models of the steps that were followed.
func (h *host) conclude() {
	done := map[syntax.Node]*Model{}
	for _, r := range h.steps {
		if r.model == nil && !updates(r) && !learns(r.unit) && !r.returned || !r.tape.Valid() {
			continue // it takes a gradient to look at it
		}
		s, why := r.step()
		if r.model != nil {
			if why == "" {
				r.model.Own, r.model.Step = s, ""
				r.model.Optimizer = s.Updates[0].Optimizer
			} else if r.model.Own == nil {
				r.model.Step = "its train_step is not followed: " + why
			}
			continue
		}
		h.concluded(r, s, why, done)
	}
}

// learns tells whether a step that could not be followed means to apply gradients.
func learns(unit syntax.Node) bool {
	text := unit.Child(syntax.FieldBody).Text()
	return strings.Contains(text, ".apply(") || strings.Contains(text, "apply_gradients") || strings.Contains(text, ".minimize(")
}

// updates tells whether a step has an optimizer apply something.
func updates(r *recorder) bool {
	return slices.ContainsFunc(r.applied, func(n *node) bool { return n.applies.Optimizer != nil })
}

// concluded adds a step that is no model's: what it trains is a model made of those
// that it calls.
func (h *host) concluded(r *recorder, s *Step, why string, done map[syntax.Node]*Model) {
	before := done[r.unit]
	if before != nil && (why != "" || before.Own != nil) {
		return // it is known from another call, or not known for another reason
	}
	m := before
	if m == nil {
		m = &Model{Class: "Step", Name: r.name, Variable: r.name, Node: r.tape, Trainable: true}
		h.program.Models = append(h.program.Models, m)
		done[r.unit] = m
	}
	if why != "" {
		m.Unresolved = []string{why}
		return
	}
	m.Unresolved, m.Own = nil, s
	m.stack, m.own = s.layers(), r.loose
	m.Optimizer = s.Updates[0].Optimizer
	m.Compiled = &Compile{XLA: map[bool]string{true: "True", false: "False"}[r.xla], Eager: !r.compiled, Against: "tf.function compiles with XLA only where jit_compile is True"}
	u := &Use{Method: "step", Node: r.tape, Model: m, Batch: r.batch, Replicas: r.replicas}
	for _, x := range r.inputs {
		u.Inputs = append(u.Inputs, Input{x.Shape[1:], x.DType})
	}
	if u.Batch.X == nil {
		u.Batch = value.Value{X: int64(1)}
	}
	h.program.Uses = append(h.program.Uses, u)
}

// mostAsked bounds the requests of one step: each goes through all that came before.
const mostAsked = 64

// layers are those that the step calls, models among them, each once.
func (s *Step) layers() []*Layer {
	var out []*Layer
	seen := map[*Layer]bool{}
	for _, n := range s.nodes {
		if !n.layer.function && !seen[n.layer] {
			seen[n.layer] = true
			out = append(out, n.layer)
		}
	}
	return out
}

// step is what was followed as a program of calls, requests and updates; why is why it
// is not known.
func (r *recorder) step() (s *Step, why string) {
	if r.why != "" {
		return nil, r.why
	}
	s = &Step{Name: r.name, Node: r.unit, Compiled: r.compiled, Inputs: r.inputs, Repeats: r.returned || !r.unit.Is(syntax.FunctionDefinition), watched: map[*Symbolic]bool{}}
	var applied []*Symbolic
	for _, n := range r.applied {
		applied = append(applied, n.in...)
	}
	s.nodes = append(trace(nil, applied), r.applied...)
	for _, n := range r.applied {
		if n.applies.Optimizer == nil {
			continue
		}
		if why := n.applies.Optimizer.Unknown; why != "" {
			return nil, why
		}
		s.Updates = append(s.Updates, n.applies)
	}
	if len(s.Updates) == 0 {
		return nil, "no optimizer of Keras applies its gradients: what the program does with them itself is not followed"
	}
	if asked := len(slices.DeleteFunc(slices.Clone(s.nodes), func(n *node) bool { return n.asks == nil })); asked > mostAsked {
		return nil, fmt.Sprintf("it asks for gradients more than %d times", mostAsked)
	}
	slices.SortStableFunc(s.nodes, func(a, b *node) int { return a.at - b.at })
	for _, n := range s.nodes {
		if n.asks != nil {
			for _, x := range n.asks.watched {
				s.watched[x] = true
			}
		}
	}
	return s, ""
}

// Fixed tells of a step that it is given no batch: it computes the same each time, as
// where an image is the variable. A nil step is none.
func (s *Step) Fixed() bool { return s != nil && len(s.Inputs) == 0 }

// Slots visits each weight that the step updates, once for each optimizer that does.
func (s *Step) Slots(visit func(o *Optimizer, w *Weight)) {
	type slot struct {
		o *Optimizer
		w *Weight
	}
	seen := map[slot]bool{}
	for _, u := range s.Updates {
		for _, w := range u.Weights {
			if k := (slot{u.Optimizer, w}); !seen[k] {
				seen[k] = true
				visit(u.Optimizer, w)
			}
		}
	}
}
