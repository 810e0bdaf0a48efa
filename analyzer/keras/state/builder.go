package state

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/interp"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/value"
)

// A Builder makes the program of what is found while it is evaluated, each dataset and each use once.
type Builder struct {
	*graph.Program
	datasets map[noted]bool
	uses     map[graph.Used][]*graph.TrainableSnapshot
	own      []settler
	saved    map[string]value.Value // by the file that they were saved in
	// layers are those created or called since the program had that many models, and since the last
	// step began.
	layers, models int
	moments        map[syntax.Node]bool // of Program.Host
}

// A noted identifies a dataset at a place.
type noted struct {
	node syntax.Node
	is   string
}

// A settler is a model of the program's own. It settles when the program has ended.
type settler interface{ Settle() }

func newBuilder() *Builder {
	return &Builder{Program: &graph.Program{}, datasets: map[noted]bool{}, uses: map[graph.Used][]*graph.TrainableSnapshot{}, saved: map[string]value.Value{}, moments: map[syntax.Node]bool{}}
}

// Dataset adds a dataset, unless there is one in the same state at the same place.
func (b *Builder) Dataset(d graph.Dataset, state string) {
	if key := (noted{d.Node, state}); d.Node.Valid() && !b.datasets[key] {
		b.datasets[key] = true
		b.Datasets = append(b.Datasets, &d)
	}
}

// Own adds a model of a class of the program.
func (b *Builder) Own(m *graph.Model, s settler) {
	b.Models = append(b.Models, m)
	b.own = append(b.own, s)
}

// Settle is called when the program has ended.
func (b *Builder) Settle() {
	for _, s := range b.own {
		s.Settle()
	}
	b.Program.Settle()
}

// Save records what a file holds, and Saved returns it; the empty value if nobody saved it.
func (b *Builder) Save(file string, v value.Value) { b.saved[file] = v }

func (b *Builder) Saved(file string) value.Value { return b.saved[file] }

// Use adds a use of a model, unless an earlier iteration of a loop needs as much.
func (b *Builder) Use(in *value.Interp, u *graph.ModelCall) {
	b.snapshot(in, u)
	batch, _ := u.Batch.Int()
	key := graph.Used{Node: u.Node, Model: u.Model, Batch: batch}
	for _, before := range b.uses[key] {
		if before.Covers(u.Snapshot) {
			for _, same := range b.Uses {
				if same.Node == u.Node && same.Model == u.Model && graph.DataBytes(same.Data, 0) < graph.DataBytes(u.Data, 0) {
					same.Data, same.Copied, same.Validation = u.Data, u.Copied, u.Validation
				}
			}
			return
		}
	}
	u.Within = interp.Settings(in)
	u.Leads(in.Led(), u.Model)
	b.uses[key] = append(b.uses[key], u.Snapshot)
	b.Uses = append(b.Uses, u)
}

// Moment adds what the machine's own memory holds while a call, or a loop over a dataset, runs. Of one
// place it takes the first, and the largest of a call.
func (b *Builder) Moment(in *value.Interp, at syntax.Node, m *graph.Model, terms func() []*graph.HostTerm) {
	if !at.Valid() || m == nil && b.moments[at] {
		return
	}
	b.moments[at] = true
	b.Host = append(b.Host, &graph.HostMoment{Node: at, Led: in.Led(), Model: m, Terms: terms()})
}

// End adds what the machine's own memory holds when the program has ended.
func (b *Builder) End(terms []*graph.HostTerm) {
	b.Host = append(b.Host, &graph.HostMoment{Terms: terms})
}

// snapshot records what a training trains. Keras 3 creates the training function when it is first
// needed after compile. Later changes of trainable have no effect until the next compile
// (keras/src/backend/tensorflow/trainer.py, make_train_function). Keras 2 trains what was
// trainable when the model was compiled (tf_keras/src/engine/training_utils.py,
// RespectCompiledTrainableState).
func (b *Builder) snapshot(in *value.Interp, u *graph.ModelCall) {
	if !u.Trains() || u.Model.Optimizer == nil || u.Model.Compiled == nil {
		return
	}
	if p := u.Model.Compiled.Snapshot; p != nil {
		p.Optimizer, p.Compiled = u.Model.Optimizer, u.Model.Compiled
		u.Snapshot = p
		return
	}
	for _, before := range slices.Backward(b.Uses) {
		if p := before.Snapshot; before.Model == u.Model && p != nil && p.Compiled == u.Model.Compiled && !p.Compiled.Eager {
			u.Snapshot = p
			return
		}
	}
	u.Snapshot = u.Model.TrainableNow()
	in.Spend(len(u.Snapshot.Flags))
}

// A loop that creates or calls more than manyLayers layers, and meanwhile no model, builds a
// large model. Each further layer adds the steps that it costs.
const (
	manyLayers = 1000
	layerSteps = 100
)

// Layer records that a layer is created, or called on a symbolic tensor.
func (b *Builder) Layer(in *value.Interp) {
	if n := len(b.Models); n != b.models {
		b.layers, b.models = 0, n
	}
	if b.layers++; b.layers > manyLayers {
		in.Prolong(layerSteps)
	}
}

// Step records that a step begins: the layers that each of many steps makes are no large model.
func (b *Builder) Step() { b.layers = 0 }
