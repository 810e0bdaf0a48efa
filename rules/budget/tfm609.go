package budget

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/facts"
	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/analyzer/project"
	"github.com/tfmem/tfmem/rules/rule"
)

// JobRequest is TFM609.
var JobRequest = &rule.Rule{
	Code: "TFM609", Name: "job-request", Severity: rule.Information, Job: "--gres=gpu:a100:1",
	Summary: "A job asks for a GPU that cannot hold the training it starts, or has four times what that needs.",
	What: `
Compares the GPU that a job of the project asks for with what the trainings of
the program need that it starts: a script for Slurm (--gres, --gpus,
--constraint), a manifest of Kubernetes (nvidia.com/gpu with a node's
gpu.product, MIG's resources) or of Vertex AI (machineType, acceleratorType).
Reports a GPU that surely cannot hold a training, where the GPU of the settings is
another one, and a GPU that has at least four times the memory of the heaviest
training or prediction. The finding stands there; the line of the job is its
related place.`,
	Why: `
A job that cannot hold its training waits in a queue and then fails. One that
asks for much more than it needs waits longer than it must, and keeps a large
GPU from others.`,
	Bad: `
import numpy as np
from tensorflow import keras

model = keras.Sequential([keras.Input((784,)), keras.layers.Dense(512, "relu"), keras.layers.Dense(10)])
model.compile("adam", keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(np.zeros((60000, 784), "float32"), np.zeros(60000), batch_size=128)`,
	Good: `
import numpy as np
from tensorflow import keras

model = keras.applications.ResNet50(weights=None)
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(np.zeros((1000, 224, 224, 3), "float32"), np.zeros(1000), batch_size=256)`,
	Limitations: `
How many GPUs a job asks for is not compared with how many the program uses.
Memory alone is compared: a program may need a large GPU for its speed. A
training of unknown size, and a job whose options differ from those of another,
keep the program from being said to need little. Jobs that Python submits, as to
SageMaker, are not read. What a job asks for of the machine's own memory is
TFM608's.`,
	References: []rule.Reference{
		rule.Guide("gpu#limiting_gpu_memory_growth", "Use a GPU: Limiting GPU memory growth"),
		{Title: "tfmem: what a model needs", URL: "https://github.com/tfmem/tfmem/blob/main/rules/ESTIMATE.md"},
	},
	Triggers:     OversizedBatch.Triggers,
	DependsOnGPU: true,
	Priced:       true,
	Check:        checkJobRequest,
}

// needless is how many times the memory that a program needs a job may ask for.
const needless = 4

func checkJobRequest(p *rule.Pass) {
	if p.File.Role().Kind == facts.Test || OnCPU(p.File) || p.File.Config.DevicesNamed && len(p.File.Devices()) == 0 {
		return
	}
	jobs := slices.DeleteFunc(p.File.Jobs(), func(j analyzer.Job) bool { return j.Devices == nil })
	if len(jobs) == 0 {
		return
	}
	if _, differ := Commanded(p.File.Models()); differ != nil {
		return // each job has its own options
	}
	heaviest, all := mostNeeded(p.File)
	if heaviest.phase == nil || !p.Here(heaviest.use.Node) {
		return
	}
	told := map[string]bool{}
	inUse, _ := against(p.File)
	for _, j := range jobs {
		asked := j.Devices[0]
		if told[asked.Source] {
			continue
		}
		told[asked.Source] = true
		budget := memory.BudgetOf(asked, memory.Process{Limit: limit(p.File)})
		need := heaviest.need
		claim, advice := "", ""
		switch {
		case need.Low > budget.High && inUse.Name != asked.Name: // else TFM601 says so
			claim = "The GPU that a job asks for cannot hold what the program needs."
			advice = "Ask for a larger one"
			if n := heaviest.phase.Largest(budget); n > 0 {
				advice += fmt.Sprintf(", or train on batches of at most %d", n)
			}
		case all && need.High*needless <= budget.Low:
			claim = fmt.Sprintf("A job asks for a GPU with %d times the memory that the program needs.", budget.Low/need.High)
			advice = "A smaller GPU, or an instance of one (MIG), would do, and is often free sooner"
		default:
			continue
		}
		p.Report(rule.Finding{
			Span: rule.Callee(heaviest.use.Node),
			Message: fmt.Sprintf("%s TensorFlow can use %s of %s (%s); %s on batches of %d needs about %s (%s to %s). %s.",
				claim, budget, asked.Name, asked.Source, strings.ToLower(heaviest.phase.Purpose()), heaviest.batch, memory.Bytes(need.Peak), memory.Bytes(need.Low), memory.Bytes(need.High), advice),
			Related: []rule.Related{{Span: project.Line(j.In, j.Asks.GPULine), Source: j.In, Message: "the job asks for it here"}},
		})
	}
}

// mostNeeded returns the training or other run of a model that needs most. all is set if nothing in the program
// that is trained or run is left out of the comparison.
func mostNeeded(file *analyzer.File) (most weighing, all bool) {
	program := file.Models()
	all = len(program.Unresolved) == 0 && program.Beside == nil && program.Cut == nil
	for _, u := range runs(program.Uses) {
		w, why := weighRun(file, u)
		if why != "" || spared(file, u.Node) {
			all = all && (why == covered || spared(file, u.Node))
			continue
		}
		for _, t := range w.phase.Terms() {
			all = all && !t.Open()
		}
		if most.phase == nil || w.need.High > most.need.High {
			most = w
		}
	}
	return most, all
}
