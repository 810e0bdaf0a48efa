package traced

import "strings"

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
	for turn := range mostTurns {
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
		if said := n.value(1); len(said) == 1 && said[0] >= 0 && said[0] <= mostTurns {
			count = said[0]
		}
		out[0] = fresh(make([]value, count))
	case "TensorListFromTensor":
		// Its rows are parts of the tensor if they are aligned, else copies.
		t := n.tensor(0)
		if !t.Ranked || len(t.Shape) == 0 || t.Shape[0] < 0 || t.Shape[0] > mostTurns {
			break
		}
		items := make([]value, t.Shape[0])
		size, _ := t.Shape[1:].Elements()
		for i := range items {
			if size*t.width()%alignment == 0 {
				items[i] = value{buffer: n.args[0].buffer}.retained()
			} else {
				items[i] = m.allocate(round256(size * t.width()))
			}
		}
		out[0] = fresh(items)
	case "TensorListPushBack":
		list := changed()
		list.items = append(list.items, value{buffer: n.args[1].buffer}.retained())
		out[0] = list
	case "TensorListPopBack":
		list := changed()
		out[0] = list
		if last := len(list.items) - 1; last >= 0 {
			out[1] = list.items[last]
			list.items = list.items[:last]
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
