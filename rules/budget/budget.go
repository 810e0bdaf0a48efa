// Package budget holds the rules that weigh what a model needs against the
// memory of the GPU.
package budget

import (
	"cmp"
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
	use    *keras.Use
	device memory.Device
	budget int64
	batch  int64
	// replicas share the batch under a strategy; replica is the part of each.
	replicas, replica int64
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
	w.use = u
	if !trains(u) {
		return w, "it is not trained here"
	}
	if u.Model.Optimizer == nil {
		return w, "the model is not compiled before this"
	}
	if !u.Model.Built() {
		return w, "the model's input is not known"
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
	var err error
	replicas, why := replicas(file, len(file.Devices()))
	if why != "" {
		return w, why
	}
	// fit's batch is that of all replicas together.
	w.replica = (batch + replicas - 1) / replicas
	w.replicas = replicas
	if w.need, err = memory.Training(u.Model, u.Model.Optimizer, u.BatchInputs(w.replica)); err != nil {
		return w, err.Error()
	}
	w.device, w.budget = against(file)
	return w, ""
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
func trains(u *keras.Use) bool { return u.Method == "fit" || u.Method == "train_on_batch" }

// largest is the largest batch that surely fits, 0 where not even 1 does.
func (w weighing) largest() int64 {
	if w.budget == 0 {
		return 0
	}
	return w.replicas * memory.Largest(maxBatch, w.budget, func(n int64) (int64, error) {
		need, err := memory.Training(w.use.Model, w.use.Model.Optimizer, w.use.BatchInputs(n))
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
			return 0, "what each worker of a " + name + " gets of a batch is not followed"
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
		bytes(w.need.Weights), bytes(w.need.Optimizer), bytes(w.need.Kept), bytes(w.need.Transient))
}

// share says how a batch is shared, or nothing.
func (w weighing) share() string {
	if w.replicas == 1 {
		return ""
	}
	return fmt.Sprintf(", %d on each of %d GPUs", w.replica, w.replicas)
}

// bytes writes a size as people read it.
func bytes(n int64) string {
	switch {
	case n >= 10<<30:
		return fmt.Sprintf("%.1f GiB", float64(n)/(1<<30))
	case n >= 1<<30:
		return fmt.Sprintf("%.2f GiB", float64(n)/(1<<30))
	case n >= 1<<20:
		return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
	}
	return fmt.Sprintf("%.1f KiB", float64(n)/(1<<10))
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
