package estimate

import (
	"context"

	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/dataset"
	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/value"
	"github.com/tfmem/tfmem/rules/budget"
)

// A File is everything that an editor shows about a file's models, by their places in the file. It
// is immutable.
type File struct {
	Device *memory.Device // that models are compared with; nil for none
	Models []Model
	Calls  []Call
	Layers []Layers

	imported []Call // as Calls, in the modules of the project that the file imports
}

// A Call is a call that trains or compiles models.
type Call struct {
	Node   syntax.Node
	Method string // "fit", "train_on_batch", "compile"
	// Model is the model as this call trains it; of several, as in a loop, the one with the
	// largest need. Its Assessment is nil if Why says why nothing is known.
	Model Model
	Why   *Reason
	// Batch is where the batch size is written: the number itself, wherever it comes from,
	// or else the argument; none if it is in neither.
	Batch syntax.Node
}

// Trains reports whether the call is a training, rather than a preparation for one.
func (c *Call) Trains() bool { return c.Method != "compile" }

// Known reports whether the call is priced.
func (c *Call) Known() bool {
	return c.Why == nil && len(c.Model.Unresolved) == 0 && c.Model.Training != nil
}

// Reason is why the call is not priced, or nil.
func (c *Call) Reason() *Reason {
	if c.Why == nil && len(c.Model.Reasons) > 0 {
		return &c.Model.Reasons[0]
	}
	return c.Why
}

// Layers are the layers that one call builds: several in a loop, or in a function that is called
// several times.
type Layers struct {
	Node syntax.Node
	Made []memory.LayerCost
	// Batch is the batch size that the layers' Kept is for, or 0 if that is not priced.
	Batch int64
}

// Read finds the models of a file and prices them. The error is that of
// [analyzer.File.Do].
func Read(ctx context.Context, file *analyzer.File, o Options) (*File, error) {
	out := &File{}
	if !file.Relevant() {
		return out, nil
	}
	err := file.Do(ctx, func() {
		at := place(file, o)
		out.Device = at.Device
		out.Models = models(file, at)
		calls(file, out, at)
		out.layers(file.Tree)
	})
	return out, err
}

// calls adds the trainings of a file, and the calls that compile models.
func calls(file *analyzer.File, out *File, at memory.Place) {
	byModel := map[*graph.Model]Model{}
	for _, m := range out.Models {
		byModel[m.Assessment.Model] = m
	}
	found := map[syntax.Node]int{}
	add := func(c Call) {
		to := &out.Calls
		if c.Node.Tree() != file.Tree {
			to = &out.imported
		}
		i, known := found[c.Node]
		switch {
		case !known:
			found[c.Node] = len(*to)
			*to = append(*to, c)
		case c.Known() && (!(*to)[i].Known() || c.Model.Training.Peak > (*to)[i].Model.Training.Peak):
			(*to)[i] = c
		}
	}
	because := func(why *value.Cause, of syntax.Node) *Reason {
		r := reason(file, why, of)
		return &r
	}
	program := file.Models()
	for _, u := range program.Uses {
		m, ok := byModel[u.Model]
		if !ok || !u.Trains() || file.Step(0) != nil {
			continue
		}
		c := Call{Node: u.Node, Method: u.Method, Model: m, Batch: batchAt(file, u)}
		switch {
		case u.ModelAt().Optimizer == nil:
			c.Why = because(value.Because(value.NotBuilt, "the model is not compiled before it is trained"), u.Node)
		case m.Use != u && len(u.Model.Unresolved) == 0:
			c.Model.Assessment = budget.Prices(file, at.Batch).AssessUse(u, at)
			c.Model.Reasons = reasons(file, c.Model.Assessment)
		}
		add(c)
		if compiled := c.Model.Then.Compiled; compiled != nil {
			add(Call{Node: compiled.Node, Method: "compile", Model: c.Model})
		}
	}
	for _, m := range out.Models {
		compiled := m.Then.Compiled
		if compiled == nil {
			continue
		}
		if _, told := found[compiled.Node]; compiled.Node.Valid() && !told {
			add(Call{Node: compiled.Node, Method: "compile", Model: m})
		}
	}
	for _, l := range program.Unresolved {
		switch l.Method {
		case "fit", "fit_generator", "train_on_batch", "compile":
			why := l.Why
			// What a base class lacks, who calls the method may have.
			if f := outermost(file.Names(), l.Node); l.Assumed && why.Code == value.WillRaise && f != nil && !mentioned(file, f.Name) {
				why = uncalled(f)
			}
			r := because(why, l.Node)
			r.Of = l.Node
			add(Call{Node: l.Node, Method: l.Method, Why: r})
		}
	}
}

// batchAt returns where the batch size of a use is written in the file. A fit on a dataset ignores its own.
func batchAt(file *analyzer.File, u *graph.ModelCall) syntax.Node {
	if lit := u.Batch.Lit; lit.Valid() && lit.Tree() == file.Tree {
		return lit
	}
	if u.Method == "fit" && u.Node.Tree() == file.Tree && dataset.NewTracer(file.Names()).Of(names.Argument(u.Node, 0, "x")).State == dataset.NotDataset {
		return names.Argument(u.Node, 2, "batch_size")
	}
	return syntax.Node{}
}

// layers groups the layers of the models by the calls of a file that create them.
func (f *File) layers(tree *syntax.Tree) {
	models := map[syntax.Node]bool{} // a call that creates a model creates its layers too
	for _, m := range f.Models {
		models[m.Assessment.Model.Node] = true
	}
	at, seen := map[syntax.Node]int{}, map[*graph.Layer]bool{}
	var visit func(m Model, layers []memory.LayerCost)
	visit = func(m Model, layers []memory.LayerCost) {
		for _, l := range layers {
			visit(m, l.Inner)
			node := l.Layer.Node
			if seen[l.Layer] || l.Layer.Inner != nil || !node.Valid() || node.Tree() != tree || models[node] {
				continue
			}
			seen[l.Layer] = true
			i, known := at[node]
			if !known {
				i = len(f.Layers)
				at[node] = i
				f.Layers = append(f.Layers, Layers{Node: node})
			}
			f.Layers[i].Made = append(f.Layers[i].Made, l)
			if m.Training != nil {
				f.Layers[i].Batch = m.Replica
			}
		}
	}
	for _, m := range f.Models {
		visit(m, m.Layers)
	}
}
