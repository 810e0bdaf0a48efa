// Package budget holds the rules that compare what a model needs with the memory of the GPU.
package budget

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/value"
	"github.com/tfmem/tfmem/rules/rule"
)

// A weighing is one training of a model compared with a GPU.
type weighing struct {
	file   *analyzer.File
	use    *graph.ModelCall
	device memory.Device
	budget int64
	batch  int64
	// replicas share the batch under a strategy. replica is the part of each.
	replicas, replica int64
	optimizer         *graph.Optimizer
	compile           syntax.Node // the call; none for a custom training step
	trainer           *memory.Trainer
	alone             bool // what it needs without any data exceeds the budget
	need              memory.Need
}

// maxBatch bounds the search for the largest batch.
const maxBatch = 1 << 20

// heaviest keeps the training with the largest need for each place, with places in order of
// appearance.
type heaviest struct {
	places []syntax.Node
	of     map[syntax.Node]weighing
}

func (h *heaviest) take(at syntax.Node, w weighing) {
	if h.of == nil {
		h.of = map[syntax.Node]weighing{}
	}
	before, known := h.of[at]
	if !known {
		h.places = append(h.places, at)
	}
	if !known || w.need.Peak > before.need.Peak {
		h.of[at] = w
	}
}

// prices reports whether the models of a file are priced at all: there is a GPU to compare them
// with, and the file is not only a test.
func prices(p *rule.Pass) bool {
	return len(p.File.Devices()) > 0 && !rule.IsTest(p)
}

// weigh prices a training. ok is false if anything it depends on is unknown, and why then says
// what.
func weigh(file *analyzer.File, u *graph.ModelCall) (w weighing, why string) {
	type weighed struct {
		weighing
		why string
	}
	all := file.Fact(u, func() any {
		var w weighed
		w.weighing, w.why = guarded(file, u)
		return w
	}).(weighed)
	return all.weighing, all.why
}

func weighAnew(file *analyzer.File, u *graph.ModelCall) (w weighing, why string) {
	w.file, w.use = file, u
	if !trains(u) {
		return w, "it is not trained here"
	}
	if u.ModelAt().Optimizer == nil {
		return w, "the model is not compiled before this"
	}
	if !u.Model.Built() {
		return w, "the model's input is not known"
	}
	if u.Model.Own.Fixed() {
		return w, "it is given no batch"
	}
	batch, ok := u.Batch.Int()
	if !ok {
		if why := u.Batch.Why(); why != "" {
			return w, "the batch size is not known: " + why
		}
		return w, "the batch size is not an integer"
	}
	if batch < 1 {
		return w, fmt.Sprintf("a batch size of %d trains nothing", batch)
	}
	w.batch = batch
	var apart *value.Cause
	if w.replicas, apart = u.Shared(); apart != nil {
		return w, apart.String()
	}
	w.device, w.budget = against(file)
	// fit's batch is the total over all replicas.
	w.replica = (batch + w.replicas - 1) / w.replicas
	then := u.ModelAt()
	if then.Compiled != nil {
		w.compile = then.Compiled.Node
	}
	w.optimizer, w.alone = then.Optimizer, exceedsAlone(then, then.Optimizer, w.budget)
	var err error
	if w.trainer, err = memory.NewTrainer(then, then.Optimizer); err != nil {
		return w, err.Error()
	}
	w.trainer.On(w.device).Among(w.replicas)
	if w.need, err = w.training(w.trainer, w.replica); err != nil {
		return w, unpriced(file, u, err)
	}
	return w, ""
}

// stepsPerLayer is roughly what pricing a layer costs, in steps of an interpreted program.
const stepsPerLayer = 200

// training returns what training the model needs with a batch on one replica.
func (w weighing) training(t *memory.Trainer, batch int64) (need memory.Need, err error) {
	if err := w.file.Step(stepsPerLayer * len(w.use.Model.Layers())); err != nil {
		return need, err
	}
	return t.Need(w.use.BatchInputs(batch))
}

// against returns the GPU that a program is compared with, the smallest if there are several, and
// how much of it TensorFlow can use. The latter is 0 if no GPU is known.
func against(file *analyzer.File) (device memory.Device, budget int64) {
	type share struct {
		device memory.Device
		budget int64
	}
	s := file.Fact(share{}, func() any {
		devices := file.Devices()
		if len(devices) == 0 {
			return share{}
		}
		d := slices.MinFunc(devices, func(a, b memory.Device) int { return cmp.Compare(a.Total, b.Total) })
		return share{d, memory.Budget(d, memory.Process{Limit: limit(file)})}
	}).(share)
	return s.device, s.budget
}

// trains reports whether a use changes the model's weights.
func trains(u *graph.ModelCall) bool {
	return u.Method == "fit" || u.Method == "train_on_batch" || u.Method == "step"
}

// largest returns the largest batch that surely fits, or 0 if not even 1 does.
func (w weighing) largest() int64 {
	if w.budget == 0 {
		return 0
	}
	unit := w.unit()
	return w.replicas * unit * memory.Largest(maxBatch/unit, w.budget, func(n int64) (int64, error) {
		need, err := w.training(w.trainer, n*unit)
		return need.High, err
	})
}

// unit returns the number of which batches on one replica must be multiples.
func (w weighing) unit() int64 {
	return memory.Unit(w.replica, func(n int64) (memory.Need, error) { return w.training(w.trainer, n) })
}

// verdict compares the need with the budget.
func (w weighing) verdict() memory.Verdict {
	if w.budget == 0 {
		return memory.Unknown
	}
	return memory.Judge(w.need, w.budget)
}

// limit returns the memory_limit in bytes that the program sets for its logical devices, if it is
// one and the same for all, else 0.
func limit(file *analyzer.File) int64 {
	info := file.Names()
	if !info.Mentions("DeviceConfiguration") {
		return 0
	}
	var found int64
	for _, call := range info.Calls {
		switch info.Callee(call) {
		case "tensorflow.config.LogicalDeviceConfiguration", "tensorflow.config.experimental.VirtualDeviceConfiguration":
			mb, err := strconv.ParseInt(names.Argument(call, 0, "memory_limit").Text(), 10, 64)
			if err != nil || found != 0 && found != mb<<20 {
				return 0
			}
			found = mb << 20
		}
	}
	return found
}

// parts lists the parts of the need. At the peak, some of what gradients need may be freed already.
func (w weighing) parts() string {
	n := w.need
	live := n.Peak - n.Weights - n.Optimizer - n.Batch
	kept := min(n.Kept, live)
	return fmt.Sprintf("weights %s, optimizer %s, the batch %s, kept for the gradients %s, gradients and other temporaries %s at the peak",
		memory.Bytes(n.Weights), memory.Bytes(n.Optimizer), memory.Bytes(n.Batch), memory.Bytes(kept), memory.Bytes(live-kept))
}

// share says how a batch is split over replicas, or nothing.
func (w weighing) share() string {
	if w.replicas == 1 {
		return ""
	}
	return fmt.Sprintf(" (%d on each of %d GPUs)", w.replica, w.replicas)
}

// rounded returns a batch size of at most n that people would write: a power of two, or a multiple
// of 8. If a step only takes multiples of a unit, it returns one of those.
func rounded(n, unit int64) int64 {
	if unit > 1 {
		for units := n / unit; units > 1; units-- {
			if units*unit%8 == 0 {
				return units * unit
			}
		}
		return n / unit * unit
	}
	if n < 8 {
		power := int64(1)
		for power*2 <= n {
			power *= 2
		}
		return power
	}
	return n / 8 * 8
}
