package budget

import (
	"fmt"

	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// ModelExceedsGPU is TFM602.
var ModelExceedsGPU = &rule.Rule{
	Code: "TFM602", Name: "model-exceeds-gpu", Severity: rule.Error,
	Summary: "A model's weights and its optimizer state alone do not fit the GPU.",
	What: `
Adds up what a model takes for any input: its weights, and the variables that
its optimizer keeps for the trainable ones. Reports a trained model if that
exceeds what TensorFlow can use of the GPU, and another model if its weights
alone do. Also reports a model whose weights fit, but not what is in use while
they are made: the initializers of Keras take about three times the size of the
weight that they compute. The GPU is the one that is present, or the one that TFMEM_GPU or
--gpu names.`,
	Why: `
No batch size is small enough. The program runs out of memory while it creates
the weights or, in its first step, the optimizer state. Use a smaller model,
frozen layers, an optimizer that keeps less state, or a larger GPU.`,
	GPU: "8 GiB",
	Bad: `
from tensorflow import keras

model = keras.Sequential([keras.layers.Input((4096,))] + [keras.layers.Dense(4096) for _ in range(48)])
model.compile(optimizer="adam", loss="mse")
model.fit(images, labels, batch_size=1)`,
	Good: `
from tensorflow import keras

model = keras.Sequential([keras.layers.Input((4096,))] + [keras.layers.Dense(4096) for _ in range(48)])
model.compile(optimizer="sgd", loss="mse")
model.fit(images, labels, batch_size=1)`,
	FixSafety: `
Unsafe: another optimizer trains otherwise, and wants another learning rate. RMSprop,
which keeps one variable a weight, or SGD, which keeps none, is offered if the
training fits with it, at the batch of the program or a smaller one; so is float32
where the program has Keras create everything in float64, or layers say it. A
part of the model that is loaded with weights is frozen if that suffices. A model
that is only run can have weights of float16, which have three digits.`,
	Limitations: `
Without a known GPU nothing is reported, nor where the program places anything
on the CPU or spreads its weights over several devices.`,
	References: []rule.Reference{
		rule.Keras("optimizers", "Keras optimizers"),
		rule.API("tf.errors.ResourceExhaustedError"),
	},
	Triggers:     runWords,
	DependsOnGPU: true,
	Priced:       true,
	Imported:     true,
	Check:        checkModel,
}

func checkModel(p *rule.Pass) {
	device, budget := against(p.File)
	if !budget.Known() || !prices(p) || !MayTrain(p.File) {
		return
	}
	program := p.File.Models()
	if len(program.Models) == 0 || OnCPU(p.File) {
		return
	}
	reported := map[*graph.Model]bool{}
	for _, u := range program.Uses {
		at := callOf(p, u)
		if !trains(u) || !at.Valid() || reported[u.Model] {
			continue
		}
		m := u.ModelAt()
		if m.Optimizer == nil || !exceedsAlone(m, m.Optimizer, budget) {
			continue
		}
		reported[u.Model] = true
		n := memory.Resident(m, m.Optimizer)
		said := making(n, m, budget)
		if said == "" {
			said = fmt.Sprintf("The weights and optimizer state of this model do not fit the GPU. The weights (%s) and the state of %s (%s) are %s together, before any data. A smaller batch does not help. ",
				memory.Bytes(n.Weights), m.Optimizer.Class, memory.Bytes(n.Optimizer), memory.Bytes(n.Weights+n.Optimizer))
		}
		ways, fixes := waysOut(p, u, m, budget)
		related := madeHere(p, at, m)
		if at != u.Node {
			related = append(related, p.Related(u.Node, rule.Callee(u.Node), "trained here"))
		}
		p.Report(rule.Finding{Span: rule.Callee(at), Message: said + has(device, budget) + largestLayer(m) + ways, Related: related, Fixes: fixes})
	}
	inside := map[*graph.Model]bool{} // of a model or a step that exceeds the GPU by itself
	for _, m := range program.Models {
		if reported[m] || exceedsAlone(m, nil, budget) {
			m.AddInside(inside)
		}
	}
	for _, m := range program.Models {
		if !reported[m] && !inside[m] && p.Here(m.Node) && exceedsAlone(m, nil, budget) {
			n := memory.Resident(m, nil)
			said := making(n, m, budget)
			if said == "" {
				said = fmt.Sprintf("The weights of this model do not fit the GPU. They are %s. ", memory.Bytes(n.Weights))
			}
			ways, fixes := inHalf(p, m, budget)
			p.Report(rule.Finding{Span: rule.Callee(m.Node), Message: said + has(device, budget) + largestLayer(m) + ways, Fixes: fixes})
		}
	}
}

// exceedsAlone reports whether a model without any data exceeds the budget. optimizer is nil for a
// model that is not trained.
func exceedsAlone(m *graph.Model, optimizer *graph.Optimizer, budget memory.Budget) bool {
	if len(m.Unresolved) > 0 || !m.Built() || optimizer != nil && optimizer.Unknown != nil {
		return false
	}
	if _, why := m.Replicas(); why != nil {
		return false // the weights may be distributed over several devices
	}
	n := memory.Resident(m, optimizer)
	return n.Weights+n.Optimizer > budget.Expected || memory.BuildNeed(m).Low > budget.Expected
}

// making says that the weights fit, but not what is in use while they are made; "" if they do not.
func making(n memory.Need, m *graph.Model, budget memory.Budget) string {
	if build := memory.BuildNeed(m); n.Weights+n.Optimizer <= budget.Expected {
		return fmt.Sprintf("Making the weights of this model does not fit the GPU. They are %s, but %s are in use while their initializers compute the largest. ", memory.Bytes(n.Weights), memory.Bytes(build.Peak))
	}
	return ""
}

// has says how much memory of a GPU there is.
func has(device memory.Device, budget memory.Budget) string {
	return fmt.Sprintf("TensorFlow can use %s of %s (%s).", budget, device.Name, device.Source)
}

// largestLayer returns the layer that has most of a model's weights, if there is one.
func largestLayer(m *graph.Model) string {
	all, _ := m.Parameters()
	for _, l := range m.Layers() {
		var own int64
		for _, w := range l.Weights {
			own += w.Elements()
		}
		if l.Inner == nil && own > all/2 {
			return fmt.Sprintf(" The layer %q (%s) has %d of its %d parameters.", l.Name, l.Class, own, all)
		}
	}
	return ""
}

// madeHere marks where a model is created, unless that is the place of the finding: a step with a tape
// stands for its models.
func madeHere(p *rule.Pass, at syntax.Node, m *graph.Model) []rule.Related {
	if !m.Node.Valid() || !p.Here(m.Node) || m.Node == at {
		return nil
	}
	return []rule.Related{{Span: rule.Callee(m.Node), Message: "the model is built here"}}
}
