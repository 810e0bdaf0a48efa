package steps

import (
	"github.com/tfmem/tfmem/analyzer/keras/ops"
	"github.com/tfmem/tfmem/analyzer/keras/state"
	"github.com/tfmem/tfmem/analyzer/value"
)

// Released records when a name no longer refers to a tensor: `gradients = clipped(gradients)`
// frees the old ones.
func Released(h *state.Host, old value.Value) {
	if !h.InStep() {
		return
	}
	list, ok := old.X.(*value.List)
	if ok && len(list.Items) > 0 {
		old = list.Items[0] // a tape returns one list
		if x, ok := old.X.(*ops.SymbolicValue); !ok || x.S.From == nil || x.S.From.Asks == nil {
			return
		}
	}
	x, ok := old.X.(*ops.SymbolicValue)
	if !ok || x.S.From == nil {
		return
	}
	n := x.S.From
	if n.Asks != nil && list == nil && len(n.Out) > 1 {
		return // one of several gradients, such as a loop's target: the list of them has its own name
	}
	if n.Asks == nil {
		if n.Names == 0 || h.Steps.Running().Calls > 0 {
			return
		}
		if n.Names--; n.Names > 0 {
			return
		}
	}
	if n.Gone == 0 {
		n.Gone = h.Steps.Next()
	}
}

// Binds records that a name refers to a tensor, or to a list of results of functions, such as
// clipped gradients. Names of functions that the step calls are gone when those return.
func Binds(h *state.Host, v value.Value) {
	if !h.InStep() {
		return
	}
	if x, ok := v.X.(*ops.SymbolicValue); ok && x.S.From != nil && x.S.From.Asks == nil && h.Steps.Running().Calls == 0 {
		x.S.From.Names++
		x.S.From.Gone = 0
	}
	list, ok := v.X.(*value.List)
	if !ok {
		return
	}
	for _, item := range list.Items {
		if x, ok := item.X.(*ops.SymbolicValue); ok && x.S.From != nil && x.S.From.Asks == nil {
			x.S.From.Named = true
		}
	}
}
