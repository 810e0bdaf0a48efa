package traced

import (
	"strings"

	"github.com/tfmem/tfmem/analyzer/tensor"
)

// updates reports whether an operation updates variables in place.
func updates(kind string) bool {
	return strings.HasPrefix(kind, "ResourceApply") || strings.HasPrefix(kind, "ResourceSparseApply") || strings.HasPrefix(kind, "ResourceScatter")
}

// rows reports whether an operation reads or writes rows of a variable.
func rows(kind string) bool {
	return kind == "ResourceGather" || kind == "ResourceGatherNd" || strings.HasPrefix(kind, "ResourceScatter") || strings.HasPrefix(kind, "ResourceSparseApply")
}

// called runs a function.
func (m *machine) called(n *node, f *Function, out []value) {
	if f == nil {
		return
	}
	args := n.args
	n.args = nil // they are the function's now
	for i, v := range m.run(f, args) {
		if i < len(out) {
			out[i] = v
		} else {
			m.release(v)
		}
	}
}

// branch runs the branch that is taken, or the longer one if that is not known.
func (m *machine) branch(n *node, out []value) {
	then, other := m.graph.functions[n.Then], m.graph.functions[n.Else]
	if then == nil || other == nil || len(n.args) == 0 {
		return
	}
	f := then
	switch condition := n.args[0]; {
	case condition.known && len(condition.numbers) == 1:
		if condition.numbers[0] == 0 {
			f = other
		}
	case len(other.Nodes) > len(then.Nodes):
		f = other
	}
	m.release(n.args[0])
	n.args = n.args[1:]
	m.called(n, f, out)
}

// hand hands an output on, and reports whether the node that gets it is ready. A node that reads
// something of a branch that is not taken, or waits for it, is not run either, but for a Merge, which
// runs as soon as one of its inputs is there (tensorflow/core/common_runtime/propagator_state.cc).
func (c *call) hand(e edge, made []value, dead bool) (ready bool) {
	merges := c.of.Nodes[e.to].Type == "Merge"
	if e.at >= 0 {
		v := made[e.from]
		dead = dead || v.dead
		if !dead {
			c.given[e.to][e.at] = v.retained()
		}
	}
	if merges && e.at >= 0 {
		if c.waits[e.to] <= 0 {
			return false // it has run
		}
		if c.waits[e.to]--; !dead {
			c.waits[e.to] = 0
		}
		c.dead[e.to] = dead
		return c.waits[e.to] == 0
	}
	c.dead[e.to] = c.dead[e.to] || dead
	c.waits[e.to]--
	return c.waits[e.to] == 0
}

// skipped releases what a node has got that does not run.
func (m *machine) skipped(n *node) []value {
	for _, v := range n.args {
		m.release(v)
	}
	out := make([]value, len(n.Out))
	for i := range out {
		out[i].dead = true
	}
	return out
}

// switched hands the first input on to one branch: the one that is taken, or if that is not known, the
// one of more operations. All switches by one condition take the same.
func (m *machine) switched(n *node, out []value) {
	if len(n.args) < 2 || len(out) < 2 {
		return
	}
	taken := 0
	if said := n.value(1); len(said) == 1 {
		taken = int(min(max(said[0], 0), 1))
	} else {
		by := n.in[1]
		before, known := n.call.taken[by]
		if !known {
			if m.spend(2 * len(n.call.of.Nodes)) {
				before = n.call.longer(by)
			}
			if n.call.taken == nil {
				n.call.taken = map[output]int{}
			}
			n.call.taken[by] = before
		}
		taken = before
	}
	out[taken] = n.args[0].retained()
	out[1-taken].dead = true
}

// longer returns the branch of a condition that has more operations.
func (c *call) longer(by output) int {
	var count [2]int
	for branch := range count {
		seen := make([]bool, len(c.of.Nodes))
		var visit []int32
		for i, n := range c.of.Nodes {
			if n.Type != "Switch" || len(n.in) < 2 || n.in[1] != by {
				continue
			}
			for _, e := range c.next[i] {
				if e.from == int32(branch) {
					visit = append(visit, e.to)
				}
			}
		}
		for len(visit) > 0 {
			at := visit[len(visit)-1]
			visit = visit[:len(visit)-1]
			if seen[at] || c.of.Nodes[at].Type == "Merge" {
				continue
			}
			seen[at] = true
			count[branch]++
			for _, e := range c.next[at] {
				visit = append(visit, e.to)
			}
		}
	}
	if count[0] > count[1] {
		return 0
	}
	return 1
}

// mostTurns is how often a loop runs at most.
const mostTurns = 100_000

// loop runs a loop. If it is not known how often, it runs once.
func (m *machine) loop(n *node, out []value) {
	body, cond := m.graph.functions[n.Body], m.graph.functions[n.Cond]
	args := n.args
	n.args = nil
	if body == nil || cond == nil {
		copy(out, args)
		return
	}
	for turn := 0; ; turn++ {
		if turn == mostTurns {
			m.left = -1
		}
		asked := make([]value, len(args))
		for i, v := range args {
			asked[i] = v.retained()
		}
		answer := m.run(cond, asked)
		goes, sure := true, false
		if len(answer) == 1 {
			if sure = answer[0].known && len(answer[0].numbers) == 1; sure {
				goes = answer[0].numbers[0] != 0
			}
		}
		for _, v := range answer {
			m.release(v)
		}
		if !sure {
			m.use.Loops = true
			if turn > 0 {
				break
			}
		}
		if !goes || m.left < 0 {
			break
		}
		args = m.run(body, args)
	}
	for i, v := range args {
		if i < len(out) {
			out[i] = v
		} else {
			m.release(v)
		}
	}
}

// listed runs an operation on a list of tensors, and reports whether it is one. A list refers to its
// tensors (tensorflow/core/kernels/list_kernels.h).
func (m *machine) listed(n *node, out []value) bool {
	if !strings.HasPrefix(n.Type, "TensorList") && n.Type != "EmptyTensorList" {
		return false
	}
	fresh := func(items []value) value { return value{buffer: &buffer{refs: 1, items: items}} }
	// changed is the list of the first input to be changed: itself if nothing else refers to it.
	changed := func() value {
		list := n.args[0]
		if list.buffer == nil {
			return fresh(nil)
		}
		if list.refs == 1 {
			return list.retained()
		}
		if !m.spend(len(list.items)) {
			return fresh(nil)
		}
		items := make([]value, len(list.items))
		for i, item := range list.items {
			items[i] = item.retained()
		}
		made := fresh(items)
		made.elements = list.elements
		return made
	}
	if len(n.args) == 0 || len(out) == 0 {
		return true
	}
	switch n.Type {
	case "EmptyTensorList":
		out[0] = fresh(nil)
	case "TensorListReserve":
		count := int64(0)
		if said := n.value(1); len(said) == 1 && said[0] >= 0 && said[0] <= mostTurns && m.spend(int(said[0])) {
			count = said[0]
		}
		out[0] = fresh(make([]value, count))
	case "TensorListFromTensor":
		// Its rows are parts of the tensor if they are aligned, else copies.
		t := n.tensor(0)
		if !t.Ranked || len(t.Shape) == 0 || t.Shape[0] < 0 || t.Shape[0] > mostTurns || !m.spend(int(t.Shape[0])) {
			break
		}
		items := make([]value, t.Shape[0])
		size, _ := t.Shape[1:].Elements()
		for i := range items {
			if size*t.width()%alignment == 0 {
				items[i] = value{buffer: n.args[0].buffer}.retained()
			} else {
				items[i] = m.allocate(tensor.Round256(size * t.width()))
			}
		}
		out[0] = fresh(items)
	case "TensorListPushBack":
		list := changed()
		if len(n.args) < 2 {
			return true
		}
		list.items = append(list.items, value{buffer: n.args[1].buffer}.retained())
		out[0] = list
	case "TensorListPopBack":
		list := changed()
		out[0] = list
		if last := len(list.items) - 1; last >= 0 && len(out) > 1 {
			out[1] = list.items[last]
			list.items = list.items[:last]
			m.taken = true
			if m.keeps {
				out[1].retained()
			}
		}
		if len(out) > 1 && out[1].buffer == nil {
			out[1] = m.allocate(m.sized(n, 1))
		}
	case "TensorListSetItem":
		list := changed()
		out[0] = list
		at := n.value(1)
		if len(n.args) < 3 {
			break
		}
		item := value{buffer: n.args[2].buffer}.retained()
		if len(at) != 1 || at[0] < 0 || at[0] >= int64(len(list.items)) {
			list.items = append(list.items, item)
			break
		}
		m.release(list.items[at[0]])
		list.items[at[0]] = item
	case "TensorListGetItem":
		at := n.value(1)
		if list := n.args[0]; list.buffer != nil && len(at) == 1 && at[0] >= 0 && at[0] < int64(len(list.items)) && list.items[at[0]].buffer != nil {
			out[0] = value{buffer: list.items[at[0]].buffer}.retained()
			break
		}
		out[0] = m.allocate(m.sized(n, 0)) // zeros
	case "TensorListStack", "TensorListConcat", "TensorListConcatV2", "TensorListGather":
		for i := range out {
			if size := m.sized(n, i); size > 0 {
				out[i] = m.allocate(size)
			}
		}
	case "TensorListLength":
		out[0] = m.allocate(m.sized(n, 0))
		if n.args[0].buffer != nil {
			out[0].numbers, out[0].known = []int64{int64(len(n.args[0].items))}, true
		}
	default:
		return false
	}
	return true
}
