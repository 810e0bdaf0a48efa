// Package budget holds the rules that compare what a model needs with the memory of the GPU.
package budget

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/facts"
	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/analyzer/memory/executor"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// A weighing is one training of a model, or another run of it, compared with a GPU.
type weighing struct {
	file   *analyzer.File
	use    *graph.ModelCall
	device memory.Device
	budget memory.Budget
	// largest is set if no GPU is known, and it is compared with the largest that there is.
	largest bool
	// phase is the training or run. fit's batch is the total over all its replicas.
	phase                    *memory.Phase
	batch, replicas, replica int64
	optimizer                *graph.Optimizer
	compile                  syntax.Node // the call; none for a custom training step
	alone                    bool        // what it needs without any data exceeds the budget
	need                     memory.Need
}

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
	return len(p.File.Devices()) > 0 && p.File.Role().Kind != facts.Test
}

// judged is prices where also no GPU may be known: then what exceeds every GPU is reported.
func judged(p *rule.Pass) bool {
	return (len(p.File.Devices()) > 0 || p.File.Config.Largest != nil) && p.File.Role().Kind != facts.Test
}

// runWords are in each text that runs a model, or prepares one that another module runs.
var runWords = []string{".fit(", "train_on_batch", ".compile(", "GradientTape", ".predict(", ".evaluate("}

// MayTrain reports whether a file may train a model: it, or a module that it imports as a program, has
// the words of that. What is compiled here may be trained by another module.
func MayTrain(file *analyzer.File) bool {
	has := func(text string) bool {
		return slices.ContainsFunc(runWords, func(word string) bool { return strings.Contains(text, word) })
	}
	if has(file.Source.Text()) {
		return true
	}
	if kind := file.Role().Kind; kind != facts.Script && kind != facts.Notebook || !file.Names().Connected() {
		return false
	}
	return slices.ContainsFunc(file.Names().Program(), func(m *names.Info) bool { return has(m.Tree.Text()) })
}

// weigh prices a training. why says what keeps it from being priced; "" if nothing does.
func weigh(file *analyzer.File, u *graph.ModelCall) (w weighing, why string) {
	if !trains(u) {
		return w, "it is not trained here"
	}
	return weighRun(file, u)
}

// weighRun is weigh for any use of a model, and for the validation inside fit.
func weighRun(file *analyzer.File, u *graph.ModelCall) (w weighing, why string) {
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

// covered says of a training that another one stands for it.
const covered = "another iteration of its loop needs as much"

func weighAnew(file *analyzer.File, u *graph.ModelCall) (w weighing, why string) {
	w.file, w.use = file, u
	if trains(u) && u.ModelAt().Optimizer == nil {
		return w, "the model is not compiled before it is trained"
	}
	if !u.Model.Built() {
		return w, "the model's input is not known"
	}
	if u.Model.Own.Fixed() {
		return w, "it is given no batch"
	}
	if w.device, w.budget = against(file); !w.budget.Known() && file.Config.Largest != nil {
		w.device, w.largest = *file.Config.Largest, true
		w.budget = memory.BudgetOf(w.device, memory.Process{})
	}
	prices := Prices(file, 0)
	if !trains(u) && prices.Covered(u) {
		return w, covered
	}
	w.phase = prices.Of(u)
	w.batch, w.replicas, w.replica = w.phase.Batch, w.phase.Replicas, w.phase.Replica
	then := w.phase.Then
	if then.Compiled != nil {
		w.compile = then.Compiled.Node
	}
	w.optimizer, w.alone = then.Optimizer, exceedsAlone(then, trainedBy(w.phase), w.budget)
	if err := w.phase.Price(); err != nil {
		return w, unpriced(file, u, err)
	}
	w.need = w.phase.Need
	return w, ""
}

// Prices returns what the uses of the file's models need on the GPU, with another batch unless that is
// 0. Rules and estimates ask the same one.
func Prices(file *analyzer.File, batch int64) *memory.Pricing {
	type key struct{ batch int64 }
	return file.Fact(key{batch}, func() any {
		at := memory.Place{Batch: batch, Feeds: file.Releases().KerasFeeds().Found()}
		if device, _ := against(file); device.Total > 0 {
			at.Device = &device
		}
		return memory.NewPricing(file.Models().Uses, at, file.Step)
	}).(*memory.Pricing)
}

// trainedBy returns the optimizer of a training; nil if the phase is none.
func trainedBy(p *memory.Phase) *graph.Optimizer {
	if p.Trains() {
		return p.Then.Optimizer
	}
	return nil
}

// against returns the GPU that a program is compared with, the smallest if there are several, and
// how much of it TensorFlow can use. The latter is 0 if no GPU is known.
func against(file *analyzer.File) (device memory.Device, budget memory.Budget) {
	type share struct {
		device memory.Device
		budget memory.Budget
	}
	s := file.Fact(share{}, func() any {
		devices := file.Devices()
		if len(devices) == 0 {
			return share{}
		}
		d := slices.MinFunc(devices, func(a, b memory.Device) int { return cmp.Compare(a.Total, b.Total) })
		return share{d, memory.BudgetOf(d, memory.Process{Limit: limit(file)})}
	}).(share)
	return s.device, s.budget
}

// trains reports whether a use changes the model's weights.
func trains(u *graph.ModelCall) bool {
	return u.Method == "fit" || u.Method == "train_on_batch" || u.Method == "step"
}

// verdict compares the need with the budget.
func (w weighing) verdict() memory.Verdict {
	if !w.budget.Known() {
		return memory.Unknown
	}
	if v := memory.Judge(w.need, w.budget); !w.largest || w.need.Low > w.budget.High {
		return v
	}
	return memory.Unknown // which GPU it is decides
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
			mib, ok := file.Facts().Number(names.Argument(call, 0, "memory_limit"), nil).Likely()
			if bytes := int64(mib) << 20; !ok || found != 0 && found != bytes {
				return 0
			} else {
				found = bytes
			}
		}
	}
	return found
}

// parts lists what the memory at the peak is used for, by the kinds that reports show.
func (w weighing) parts() string {
	use := w.phase.AtPeak()
	var parts []string
	for _, k := range executor.Kinds {
		if use[k] > 0 {
			parts = append(parts, k.String()+" "+memory.Bytes(use[k]))
		}
	}
	return strings.Join(parts, ", ") + " at the peak"
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
