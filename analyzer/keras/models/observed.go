package models

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
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
		config, err := withoutJIT(said.Config)
		if err != nil {
			return nil, err
		}
		model, err := saved.Read(bytes.NewReader(config), int64(len(config)), "")
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

// withoutJIT leaves out of a configuration that steps are not compiled with XLA: without a GPU,
// jit_compile="auto" is False (keras/src/trainers/trainer.py, resolve_auto_jit_compile).
func withoutJIT(config []byte) ([]byte, error) {
	var said map[string]any
	d := json.NewDecoder(bytes.NewReader(config))
	d.UseNumber()
	if err := d.Decode(&said); err != nil {
		return nil, err
	}
	if compiled, ok := said["compile_config"].(map[string]any); ok && compiled["jit_compile"] == false {
		delete(compiled, "jit_compile")
		return json.Marshal(said)
	}
	return config, nil
}

// observedModel returns the model that a run had at a call, if the text does not say all of it; else nil.
func observedModel(in *value.Interp, v *ModelValue, args *value.Args) *ModelValue {
	if len(v.Model.Unresolved) == 0 {
		return nil
	}
	o := in.ObservedCall(args.Node)
	if o == nil || o.Model == nil {
		return nil
	}
	m := ModelOf(Observed(v.H, in, o.Model, v.Model.Node))
	if m == nil || len(m.Model.Unresolved) > 0 {
		return nil
	}
	m.Model.Variable, v.Model.Replaced = v.Model.Variable, true
	if v.Model.Compiled != nil {
		m.Model.Optimizer, m.Model.Compiled = v.Model.Optimizer, v.Model.Compiled
	}
	in.Observed.Use(value.ObservationUse{What: "the model of " + o.Kind, Said: o.Model.String(), At: args.Node})
	return m
}

// observedSizes returns data with the sizes that a batch of a run had, where the text leaves them open:
// those of pictures that are decoded, or of sentences that are padded to the longest.
func observedSizes(in *value.Interp, data value.Value, args *value.Args) value.Value {
	d, ok := data.X.(*pipelines.Dataset)
	if !ok {
		return data
	}
	o := in.ObservedCall(args.Node)
	if o == nil {
		return data
	}
	filled, changed := d.Sized(o.Batch)
	if changed {
		in.Observed.Use(value.ObservationUse{What: o.What(), Said: o.Batch.String(), At: args.Node})
	}
	return filled
}

// observedBatch returns the batch that a run had at a call, if the text does not say it.
func observedBatch(h *state.Host, in *value.Interp, args *value.Args) (value.Value, bool) {
	o := in.ObservedCall(args.Node)
	if o == nil || o.Batch == nil {
		return value.Value{}, false
	}
	batch, ok := pipelines.BatchOf(h, o.Batch)
	if ok {
		in.Observed.Use(value.ObservationUse{What: o.What(), Said: o.Batch.String(), At: args.Node})
	}
	return batch, ok
}
