package layers

import (
	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/keras/state"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/value"
)

// rematScope is keras.RematScope: layers created in it are rematerialised as it says
// (keras/src/layers/layer.py, rematerialized_call; keras/src/ops/operation.py).
type rematScope struct {
	state.Opaque
	h *state.Host
	graph.RematMode
}

func RematScope(h *state.Host, args *value.Args) value.Value {
	r := &ArgParser{Args: args}
	s := &rematScope{state.Opaque{Base: "a RematScope"}, h, graph.RematMode{Mode: r.Text(0, "mode", "full"), Threshold: r.Number(1, "output_size_threshold", 1024)}}
	if v, ok := args.Get(0, "mode"); ok && v.X == (value.None{}) {
		s.Mode = ""
	}
	if v, ok := args.Get(2, "layer_names"); ok {
		items, ok := objects.Sequence(v)
		for _, item := range items {
			name, text := item.X.(string)
			ok = ok && text
			s.Names = append(s.Names, name)
		}
		if !ok {
			r.Fail("layer_names", objects.Because(v))
		}
	}
	s.Why = r.Why
	return value.Value{X: s}
}

// Enter and Exit set the scope of layers that are created in between.
func (s *rematScope) Enter(*value.Interp) value.Value {
	s.h.Remats.Enter(&s.RematMode)
	return value.Value{X: s}
}

func (s *rematScope) Exit(*value.Interp) { s.h.Remats.Leave() }
