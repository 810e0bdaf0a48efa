package traced

import (
	"cmp"
	"slices"
)

// The bounds of a play.
const (
	mostRun   = 5_000_000 // operations, and what is set up for them, in all iterations of all loops
	mostDepth = 50        // of calls within calls
)

// A Use is what a step needs.
type Use struct {
	Variables int64 // bytes of the variables that it reads or writes
	Inputs    int64 // of its arguments and of what else is there before it
	Peak      int64 // the most that is in use beside them
	Kept      int64 // the same, if what is taken from lists stays in use: where others have the list as well
	// Unknown are the types of operations of which a size is not known, and which are not counted.
	Unknown []string
	// Loops is set if it is not known how often a loop runs; one iteration is counted.
	Loops bool
	// Cut is set if the step has more operations than are run.
	Cut bool
}

// Play runs the step as TensorFlow's executor runs kernels that do not block: first ready, first run
// (tensorflow/core/common_runtime/executor.cc).
func (g *Graph) Play() Use {
	m := newMachine(g)
	m.run(&g.Function, nil)
	m.use.Cut = m.left < 0
	m.use.Peak, m.use.Kept = m.peak, m.peak
	if m.taken && !m.use.Cut {
		kept := newMachine(g)
		kept.keeps = true
		kept.run(&g.Function, nil)
		m.use.Kept = max(m.peak, kept.peak)
	}
	slices.Sort(m.use.Unknown)
	m.use.Unknown = slices.Compact(m.use.Unknown)
	return m.use
}

// A buffer is memory.
type buffer struct {
	size int64
	refs int
	by   *Node // that it was allocated for
	// items are what a list of tensors holds.
	items []value
}

// A value is what a node returned: memory, and what is known of it. It has no memory if it has no size,
// or is a handle.
type value struct {
	*buffer
	of       *variable
	numbers  []int64 // of a small tensor of integers
	known    bool    // the numbers are
	dead     bool    // it is of a branch that is not taken
	elements int64   // of a list: how many it will hold
}

// A variable's memory is shared with those that have read it.
type variable struct {
	value
	size   int64
	copies bool // each read makes a copy
}

type machine struct {
	graph       *Graph
	variables   map[*Node]*variable
	inUse, peak int64
	left, depth int
	taken       bool           // something was taken from a list
	keeps       bool           // what is taken from a list stays in use
	scattered   map[int32]bool // nodes of variables of which rows are read or written by themselves
	use         Use
	running     *Node
	live        map[*buffer]bool // nil unless someone asks what is in use at a peak
	at          int64            // that peak
	found       []Held
}

// Held is memory that is in use at the peak.
type Held struct {
	By    string // the type of the operation that it was allocated for
	Bytes int64
}

// AtPeak returns what is in use at the peak, the largest first, without what is there before the step.
func (g *Graph) AtPeak() []Held {
	m := newMachine(g)
	m.live, m.at = map[*buffer]bool{}, g.Play().Peak
	m.run(&g.Function, nil)
	slices.SortFunc(m.found, func(a, b Held) int { return cmp.Or(cmp.Compare(b.Bytes, a.Bytes), cmp.Compare(a.By, b.By)) })
	return m.found
}

func newMachine(g *Graph) *machine {
	m := &machine{graph: g, variables: map[*Node]*variable{}, left: mostRun, scattered: map[int32]bool{}}
	for _, n := range g.Nodes {
		if rows(n.Type) {
			for _, in := range n.in {
				m.scattered[in.node] = true
			}
		}
	}
	return m
}

// spend takes work from what is left, and reports whether there was as much.
func (m *machine) spend(work int) bool {
	m.left -= work
	return m.left >= 0
}

// reached takes note of a peak.
func (m *machine) reached(bytes, temp int64) {
	m.peak = max(m.peak, bytes+temp)
	if m.live == nil || m.found != nil || bytes+temp < m.at {
		return
	}
	for b := range m.live {
		m.found = append(m.found, Held{b.by.Type, b.size})
	}
	if temp > 0 {
		m.found = append(m.found, Held{"in " + m.running.Type, temp})
	}
}

// A node is one that runs, in a call of its function.
type node struct {
	*Node
	call   *call
	args   []value
	number int32
}

// A call is a run of a function.
type call struct {
	of    *Function
	waits []int32
	next  [][]edge // by node: who reads its outputs or waits for it
	given [][]value
	taken map[output]int // the branches of conditions that are not known
	dead  []bool         // of branches that are not taken
	outs  []value
}

type edge struct {
	to       int32
	from, at int32 // the output, and the input that it becomes; -1 for those that only wait
}

func (n *node) tensor(i int) *Tensor {
	if i >= len(n.in) {
		return nil
	}
	o := n.in[i]
	return &n.call.of.Nodes[o.node].Out[o.index]
}

// value returns the numbers of an input, if they are known.
func (n *node) value(i int) []int64 {
	if i >= len(n.args) || !n.args[i].known {
		return nil
	}
	return n.args[i].numbers
}

func (n *node) elements(i int) int64 {
	t := n.tensor(i)
	if t == nil || !t.Ranked {
		return -1
	}
	count, _ := t.Shape.Elements()
	return count
}

// links returns who follows each node of a function, in the order of the graph: data first, as
// TensorFlow hands outputs on.
func (f *Function) links() [][]edge {
	next := make([][]edge, len(f.Nodes))
	for i, n := range f.Nodes {
		for at, o := range n.in {
			next[o.node] = append(next[o.node], edge{int32(i), o.index, int32(at)})
		}
	}
	for i, n := range f.Nodes {
		for _, o := range n.after {
			next[o] = append(next[o], edge{int32(i), -1, -1})
		}
	}
	return next
}

// run runs a function and returns its outputs. It takes over its arguments.
func (m *machine) run(f *Function, args []value) []value {
	if m.depth++; m.depth > mostDepth {
		m.left = -1
	}
	defer func() { m.depth-- }()
	if !m.spend(len(f.Nodes)) {
		return make([]value, len(f.outputs))
	}
	c := &call{of: f, waits: make([]int32, len(f.Nodes)), next: f.links(), given: make([][]value, len(f.Nodes)), dead: make([]bool, len(f.Nodes)), outs: make([]value, len(f.outputs))}
	argument := map[int32]int{}
	for i, n := range f.inputs {
		argument[n] = i
	}
	var queue []int32
	for i, n := range f.Nodes {
		c.waits[i] = int32(len(n.in) + len(n.after))
		c.given[i] = make([]value, len(n.in))
		if c.waits[i] == 0 {
			queue = append(queue, int32(i))
		}
	}
	for at := 0; at < len(queue); at++ {
		if !m.spend(1) {
			break
		}
		i := queue[at]
		n := &node{f.Nodes[i], c, c.given[i], i}
		var made []value
		a, is := argument[i]
		switch {
		case is && a < len(args):
			made = []value{args[a]}
		case c.dead[i]:
			made = m.skipped(n)
		default:
			made = m.kernel(n)
		}
		for j, o := range f.outputs {
			if o.node == i {
				c.outs[j] = made[o.index].retained()
			}
		}
		for _, e := range c.next[i] {
			if c.hand(e, made, c.dead[i]) {
				queue = append(queue, e.to)
			}
		}
		for _, v := range made {
			m.release(v)
		}
	}
	return c.outs
}

func (v value) retained() value {
	if v.buffer != nil {
		v.refs++
	}
	return v
}

func (m *machine) release(v value) {
	if v.buffer == nil {
		return
	}
	if v.refs--; v.refs == 0 {
		m.inUse -= v.buffer.size
		delete(m.live, v.buffer)
		for _, item := range v.items {
			m.release(item)
		}
		v.items = nil
	}
}

func (m *machine) allocate(size int64) value {
	m.inUse += size
	made := &buffer{size: size, refs: 1, by: m.running}
	if m.live != nil {
		m.live[made] = true
	}
	m.reached(m.inUse, 0)
	return value{buffer: made}
}

// resident returns memory that is there before the step, and stays.
func resident(size int64) value { return value{buffer: &buffer{size: size, refs: 1 << 30}} }

// kernel runs a node, releases what it has read, and returns its outputs.
func (m *machine) kernel(n *node) []value {
	out := make([]value, len(n.Out))
	m.running = n.Node
	if handled := m.special(n, out); !handled {
		m.compute(n, out)
	}
	m.count(n, out)
	for _, v := range n.args {
		m.release(v)
	}
	return out
}

// compute runs a kernel that makes tensors of tensors.
func (m *machine) compute(n *node, out []value) {
	k := kernels[n.Type]
	source := 0
	if n.Type == "Split" {
		source = 1
	}
	if source < len(n.args) && (k.view || k.shares != nil && k.shares(n)) {
		for i := range out {
			out[i] = value{buffer: n.args[source].buffer}.retained()
		}
		return
	}
	temp := int64(0)
	if k.temp != nil {
		temp = k.temp(n)
	}
	for i := range n.Out {
		size := m.sized(n, i)
		if size == 0 {
			continue
		}
		if i == k.out && k.over != nil {
			if over := n.overwritten(k.over, i); over.buffer != nil {
				out[i] = value{buffer: over.buffer}.retained()
				continue
			}
		}
		out[i] = m.allocate(size)
	}
	m.reached(m.inUse, temp)
}

// sized returns the size of an output.
func (m *machine) sized(n *node, i int) int64 {
	t := &n.Out[i]
	if t.width() == 0 {
		return 0
	}
	if _, known := t.Shape.Elements(); !known || !t.Ranked {
		m.use.Unknown = append(m.use.Unknown, n.Type)
		return 0
	}
	return t.Bytes()
}

// overwritten returns the input whose memory an output takes: the first that nothing else refers to.
func (n *node) overwritten(over []int, output int) value {
	out := &n.Out[output]
	if len(over) == 1 && over[0] < 0 {
		over = over[:0:0]
		for i := range n.in {
			over = append(over, i)
		}
	}
	for _, i := range over {
		if in := n.tensor(i); in != nil && n.args[i].buffer != nil && n.args[i].refs == 1 && in.DType == out.DType && in.Shape.Product() == out.Shape.Product() {
			return n.args[i]
		}
	}
	return value{}
}

// variableOf returns the variable that an input is the handle of, or nil.
func (n *node) variableOf(i int) *variable {
	if i >= len(n.args) {
		return nil
	}
	return n.args[i].of
}

// special runs a node that does more than compute a tensor, and reports whether it is one.
func (m *machine) special(n *node, out []value) bool {
	if len(out) == 0 && returns[n.Type] {
		return true
	}
	if n.folded && n.Type != "Const" {
		for i := range out {
			out[i] = resident(0)
		}
		return true
	}
	switch n.Type {
	case "VarHandleOp":
		out[0].of = m.variable(n.Node, n.number)
	case "Placeholder":
		if n.Out[0].width() > 0 {
			size := m.sized(n, 0)
			m.use.Inputs += size
			out[0] = resident(size)
		}
	case "Const":
		out[0] = resident(0)
		if n.Value != nil {
			out[0].numbers, out[0].known = n.Value, true
		}
	case "ReadVariableOp":
		v := n.variableOf(0)
		switch {
		case v == nil:
			m.compute(n, out)
		case v.copies:
			out[0] = m.allocate(v.size)
		default:
			out[0] = value{buffer: v.buffer}.retained()
		}
	case "AssignVariableOp":
		v := n.variableOf(0)
		if v == nil || len(n.args) < 2 {
			break
		}
		m.assign(v, n.args[1])
	case "AssignAddVariableOp", "AssignSubVariableOp":
		m.prepare(n.variableOf(0))
	case "NoOp", "Assert", "DestroyResourceOp", "ControlTrigger":
	case "IdentityN":
		for i := range out {
			if i < len(n.args) {
				out[i] = n.args[i].retained()
			}
		}
	case "Identity":
		if len(n.args) > 0 {
			out[0] = n.args[0].retained()
		}
	case "Switch", "RefSwitch":
		m.switched(n, out)
	case "Merge", "RefMerge":
		for _, v := range n.args {
			if v.buffer != nil || v.of != nil {
				out[0] = v.retained()
			}
		}
	case "PartitionedCall", "StatefulPartitionedCall":
		m.called(n, m.graph.functions[n.F], out)
	case "If", "StatelessIf":
		m.branch(n, out)
	case "While", "StatelessWhile":
		m.loop(n, out)
	default:
		if m.listed(n, out) {
			return true
		}
		if !updates(n.Type) {
			return false
		}
		for i := range n.args {
			m.prepare(n.variableOf(i))
		}
	}
	return true
}

// returns are the operations below that return something in TensorFlow; a graph that says otherwise is not
// one of its.
var returns = map[string]bool{"VarHandleOp": true, "Placeholder": true, "Const": true, "ReadVariableOp": true, "Identity": true, "Merge": true, "RefMerge": true}

func (m *machine) variable(n *Node, at int32) *variable {
	v := m.variables[n]
	if v == nil {
		v = &variable{}
		if n.variable != nil {
			v.size = n.variable.Bytes()
		}
		v.copies = m.scattered[at]
		v.value = value{buffer: &buffer{size: v.size, refs: 1}}
		m.use.Variables += v.size
		// It is resident: what replaces it is counted against it.
		m.variables[n] = v
	}
	return v
}

// assign makes a variable refer to a value's memory.
func (m *machine) assign(v *variable, to value) {
	next := value{buffer: to.buffer}.retained()
	if v.copies || to.buffer == nil {
		next = m.allocate(v.size)
	} else if to.refs >= 1<<29 && to.buffer.size == 0 {
		// A constant is as old as the graph. The variable gives its own buffer back in the first
		// step that it takes one, and from then on there is nothing to give back.
		next = value{buffer: to.buffer}
	}
	m.release(v.value)
	v.value = next
}

// prepare makes a variable that others still read one of its own
// (tensorflow/core/kernels/training_op_helpers.h, PrepareToUpdateVariable).
func (m *machine) prepare(v *variable) {
	if v == nil || v.copies || v.buffer == nil || v.refs == 1 {
		return
	}
	next := m.allocate(v.size)
	m.release(v.value)
	v.value = next
}

// count evaluates the small integers on which loops depend.
func (m *machine) count(n *node, out []value) {
	if len(out) != 1 || len(n.args) == 0 {
		return
	}
	for _, v := range n.args {
		if !v.known {
			return
		}
	}
	if numbers, ok := evaluate(n); ok {
		out[0].numbers, out[0].known = numbers, true
	}
}

// evaluate computes what loops count with.
func evaluate(n *node) ([]int64, bool) {
	a := n.args[0].numbers
	binary := func(do func(a, b int64) int64) ([]int64, bool) {
		if len(n.args) != 2 || len(a) != 1 || len(n.args[1].numbers) != 1 {
			return nil, false
		}
		return []int64{do(a[0], n.args[1].numbers[0])}, true
	}
	truth := func(b bool) int64 {
		if b {
			return 1
		}
		return 0
	}
	switch n.Type {
	case "Add", "AddV2":
		return binary(func(a, b int64) int64 { return a + b })
	case "Sub":
		return binary(func(a, b int64) int64 { return a - b })
	case "Mul":
		return binary(func(a, b int64) int64 { return a * b })
	case "Maximum":
		return binary(func(a, b int64) int64 { return max(a, b) })
	case "Minimum":
		return binary(func(a, b int64) int64 { return min(a, b) })
	case "Less":
		return binary(func(a, b int64) int64 { return truth(a < b) })
	case "LessEqual":
		return binary(func(a, b int64) int64 { return truth(a <= b) })
	case "Greater":
		return binary(func(a, b int64) int64 { return truth(a > b) })
	case "GreaterEqual":
		return binary(func(a, b int64) int64 { return truth(a >= b) })
	case "LogicalAnd":
		return binary(func(a, b int64) int64 { return a & b })
	case "LogicalOr":
		return binary(func(a, b int64) int64 { return a | b })
	case "Cast", "Reshape", "Squeeze", "ExpandDims", "Identity", "StopGradient":
		return a, len(a) > 0
	}
	return nil, false
}
