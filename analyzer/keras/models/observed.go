package models

import (
	"bytes"
	"crypto/sha256"
	"fmt"

	"github.com/tfmem/tfmem/analyzer/interp"
	"github.com/tfmem/tfmem/analyzer/keras/pipelines"
	"github.com/tfmem/tfmem/analyzer/keras/state"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/observed"
	"github.com/tfmem/tfmem/analyzer/saved"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/value"
)

// Observed returns the model whose configuration a run told, as one that is loaded; nothing if it told
// none.
func Observed(h *state.Host, in *value.Interp, said *observed.Value, at syntax.Node) value.Value {
	if len(said.Config) == 0 || said.Config[0] != '{' {
		return value.Value{}
	}
	name := fmt.Sprintf("a run's model %x", sha256.Sum256(said.Config))
	info, err := h.Libraries.Source(name, in.Info(), func(library names.Library) (*names.Info, error) {
		model, err := saved.Read(bytes.NewReader(said.Config), int64(len(said.Config)), "")
		if err != nil {
			return nil, err
		}
		info := names.Resolve(syntax.Parse(model.Python), library, nil)
		info.Charge(in.Info().Account())
		return info, nil
	})
	if err != nil {
		return value.Value{}
	}
	v, _ := interp.RunModule(in, info, "model").GetAttr(in, "model")
	m := ModelOf(v)
	if m == nil {
		return value.Value{}
	}
	loaded := copyOf(h, in, m, &value.Args{Node: at})
	if of := ModelOf(loaded); of != nil {
		of.Model.Optimizer, of.Model.Compiled = m.Model.Optimizer, m.Model.Compiled
		return loaded
	}
	return value.Value{}
}

// observedBatch returns the batch that a run had at a call, if the text does not say it.
func observedBatch(h *state.Host, in *value.Interp, args *value.Args) (value.Value, bool) {
	o := in.ObservedCall(args.Node)
	if o == nil || o.Batch == nil {
		return value.Value{}, false
	}
	batch, ok := pipelines.BatchOf(h, o.Batch)
	if ok {
		in.Observed.Use(value.ObservationUse{What: "the batch of " + o.Kind, Said: o.Batch.String(), At: args.Node})
	}
	return batch, ok
}
