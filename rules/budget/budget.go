// Package budget holds the rules that weigh what a model needs against the
// memory of the GPU.
package budget

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/keras"
	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// A weighing is one training of a model held against a GPU.
type weighing struct {
	file   *analyzer.File
	use    *keras.Use
	device memory.Device
	budget int64
	batch  int64
	// replicas share the batch under a strategy; replica is the part of each.
	replicas, replica int64
	trainer           *memory.Trainer
	need              memory.Need
}

// maxBatch bounds the search for the largest batch.
const maxBatch = 1 << 20

// prices tells whether the models of a file are priced at all: there is a GPU to weigh
// them against, and the file does not only test.
func prices(p *rule.Pass) bool {
	return len(p.File.Devices()) > 0 && !rule.IsTest(p.File.Source.Path)
}

// weigh prices a training; ok is false where anything it depends on is not
// known, and why then says what.
func weigh(file *analyzer.File, u *keras.Use) (w weighing, why string) {
	type weighed struct {
		weighing
		why string
	}
	all := file.Fact(u, func() any {
		w, why := weighAnew(file, u)
		return weighed{w, why}
	}).(weighed)
	return all.weighing, all.why
}

func weighAnew(file *analyzer.File, u *keras.Use) (w weighing, why string) {
	w.file, w.use = file, u
	if !trains(u) {
		return w, "it is not trained here"
	}
	if u.Model.Optimizer == nil {
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
		return w, "the batch size is no whole number"
	}
	if batch < 1 {
		return w, fmt.Sprintf("a batch size of %d trains nothing", batch)
	}
	w.batch = batch
	t := termsOf(file)
	if n, why := u.Shared(); n > 0 || why != "" {
		t.replicas, t.why = n, why
	}
	if t.why != "" {
		return w, t.why
	}
	w.device, w.budget, w.replicas = t.device, t.budget, t.replicas
	// fit's batch is that of all replicas together.
	w.replica = (batch + w.replicas - 1) / w.replicas
	var err error
	if w.trainer, err = memory.NewTrainer(u.Model, u.Model.Optimizer); err != nil {
		return w, err.Error()
	}
	w.trainer.On(w.device).Among(w.replicas)
	if w.need, err = w.training(w.trainer, w.replica); err != nil {
		return w, err.Error()
	}
	return w, ""
}

// terms are what a program gets for each of its trainings.
type terms struct {
	device   memory.Device
	budget   int64
	replicas int64
	why      string // it is not known over how many replicas a batch is shared
}

func termsOf(file *analyzer.File) terms {
	return file.Fact(terms{}, func() any {
		var t terms
		t.device, t.budget = against(file)
		t.replicas, t.why = replicas(file, len(file.Devices()))
		return t
	}).(terms)
}

// stepsPerLayer is about what a layer costs to price, in steps of an evaluated program.
const stepsPerLayer = 200

// training is what training the model takes with a batch on one replica.
func (w weighing) training(t *memory.Trainer, batch int64) (memory.Need, error) {
	if !w.file.Spend(stepsPerLayer * len(w.use.Model.Layers())) {
		return memory.Need{}, errors.New("nobody waits for it any more")
	}
	return t.Need(w.use.BatchInputs(batch))
}

// against is the GPU that a program is weighed against, the smallest where there
// are several, and what TensorFlow can have of it; 0 where no GPU is known.
func against(file *analyzer.File) (device memory.Device, budget int64) {
	devices := file.Devices()
	if len(devices) == 0 {
		return device, 0
	}
	device = slices.MinFunc(devices, func(a, b memory.Device) int { return cmp.Compare(a.Total, b.Total) })
	return device, memory.Budget(device, memory.Process{Limit: limit(file)})
}

// trains tells whether a use changes the model's weights.
func trains(u *keras.Use) bool {
	return u.Method == "fit" || u.Method == "train_on_batch" || u.Method == "step"
}

// largest is the largest batch that surely fits, 0 where not even 1 does.
func (w weighing) largest() int64 {
	if w.budget == 0 {
		return 0
	}
	return w.replicas * memory.Largest(maxBatch, w.budget, func(n int64) (int64, error) {
		need, err := w.training(w.trainer, n)
		return need.High, err
	})
}

// verdict is how the need compares with the budget.
func (w weighing) verdict() memory.Verdict {
	if w.budget == 0 {
		return memory.Unknown
	}
	return memory.Judge(w.need, w.budget)
}

// replicas is how many copies of the model share a batch: under a
// MirroredStrategy as many as there are GPUs. Of other strategies it is not known.
func replicas(file *analyzer.File, gpus int) (n int64, why string) {
	n = 1
	for _, call := range file.Names().Calls {
		name, ok := strings.CutPrefix(file.Names().Callee(call), "tensorflow.distribute.")
		if !ok || !strings.HasSuffix(name, "Strategy") {
			continue
		}
		switch name {
		case "OneDeviceStrategy", "Strategy":
		case "MirroredStrategy":
			n = int64(max(gpus, 1))
			if devices := names.Argument(call, 0, "devices"); devices.Is(syntax.List, syntax.Tuple) {
				n = 0
				for range devices.Children() {
					n++
				}
				n = max(n, 1)
			}
		default:
			if why := keras.Elsewhere(strings.TrimPrefix(name, "experimental."), int64(gpus)); why != "" {
				return 0, why
			}
		}
	}
	return n, ""
}

// limit is the memory_limit, in bytes, that the program sets for its logical
// devices, where it sets one and the same for all; else 0.
func limit(file *analyzer.File) int64 {
	var found int64
	for _, call := range file.Names().Calls {
		switch file.Names().Callee(call) {
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

// parts lists what the need is made of.
func (w weighing) parts() string {
	return fmt.Sprintf("weights %s, optimizer %s, kept for the gradients %s, gradients and other temporaries %s at the peak",
		memory.Bytes(w.need.Weights), memory.Bytes(w.need.Optimizer), memory.Bytes(w.need.Kept), memory.Bytes(w.need.Transient))
}

// share says how a batch is shared, or nothing.
func (w weighing) share() string {
	if w.replicas == 1 {
		return ""
	}
	return fmt.Sprintf(", %d on each of %d GPUs", w.replica, w.replicas)
}

// rounded is a batch size that people would write: a power of two, or a
// multiple of 8, at most n.
func rounded(n int64) int64 {
	if n < 8 {
		power := int64(1)
		for power*2 <= n {
			power *= 2
		}
		return power
	}
	return n / 8 * 8
}
