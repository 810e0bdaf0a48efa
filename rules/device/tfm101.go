package device

import (
	"fmt"
	"slices"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/facts"
	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// MissingMemoryGrowth is TFM101.
var MissingMemoryGrowth = &rule.Rule{
	Code: "TFM101", Name: "missing-memory-growth", Severity: rule.Information,
	Summary: "A script uses a GPU and does not say how much of its memory TensorFlow may take.",
	What: `
Checks scripts and notebooks for the first call that makes TensorFlow use the
GPU, where nothing in the program sets memory growth, a memory limit or no
visible GPU, in code or by an environment variable. Modules of the same project
that the script imports count. Code that hides GPUs does not count in a branch
that a constant rules out. The finding is a warning where the program starts
other processes that use TensorFlow, where PyTorch uses a GPU in it and, in an editor,
while another program uses a GPU of the machine.`,
	Why: `
By default TensorFlow reserves nearly all free memory of every visible GPU when
it first uses one, and gives none of it back before the process ends. A second
process on that GPU, another notebook or a colleague's job, then finds no
memory. With growth, TensorFlow reserves memory as the model needs it. Growth
changes what is reserved, not what the model needs: a model that is too large
for the GPU is still too large.`,
	Bad: `
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(10)])
model.compile(optimizer="adam", loss="mse")
model.fit(x, y, batch_size=32)`,
	Good: `
import tensorflow as tf

for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)

model = tf.keras.Sequential([tf.keras.layers.Dense(10)])
model.compile(optimizer="adam", loss="mse")
model.fit(x, y, batch_size=32)`,
	FixSafety: `
Safe: growth changes how memory is reserved, not what is computed. The fix is
offered only where it lands before anything that initialises the GPU. In code for
TensorFlow 1 or Python 2, in code that only imports keras, whose version is not known,
in programs that choose GPUs by CUDA_VISIBLE_DEVICES and in those that start such
processes it sets the environment variable
TF_FORCE_GPU_ALLOW_GROWTH: tf.config does not reach Keras's sessions in TensorFlow
1, and must not be asked before a fork. It lands under the main guard if the module
only uses the GPU there: a program that imports the module configures its devices
itself. Unsafe where the code may run under TensorFlow 1 through
tensorflow.compat.v1.`,
	Limitations: `
Library modules, tests, TPU code, CPU-only scripts, and operations without a session in
code for TensorFlow 1 or Python 2 are not checked, nor is a module whose main guard only
builds models and prints or plots what it defines, which soon ends, nor a program that
passes GPUs, devices or memory to a module outside the project, or that builds its model
in the scope of a strategy of unknown class. A program that only imports keras is assumed
to use TensorFlow, Keras's default, unless it or its project names another backend. A
program that opens a TF1 session before it uses the GPU is checked by TFM201 instead. What
the shell that starts the script exports is not known.`,
	References: []rule.Reference{
		rule.API("tf.config.experimental.set_memory_growth"),
		rule.Guide("gpu#limiting_gpu_memory_growth", "Limiting GPU memory growth"),
	},
	Triggers: []string{"tensorflow", "fit", "predict", "evaluate", "train_on_batch", "GradientTape", "minimize", "apply_gradients", "Sequential", "Model", "applications", "load", "Session", "stimator", "Supervisor", "tuner"},
	Imported: true,
	Check:    checkMissingGrowth,
}

// work is what a program does that does not only look for GPUs.
const work = effects.Trains | effects.Infers | effects.LoadsModel | effects.BuildsModel | effects.CallsLayer | effects.AddsOperation | effects.MakesDataset

func checkMissingGrowth(p *rule.Pass) {
	program := p.File.Flow()
	role := p.File.Role().Kind
	if role != facts.Script && role != facts.Notebook || p.File.Releases().OnlyKeras1().Found() || mayUseTheano(p) || configured(p, program) || rule.MayBeConfiguredElsewhere(program) {
		return
	}
	first, works := -1, false
	for i := range program.Module.Events {
		e := &program.Module.Events[i]
		if first < 0 && onGPU(p, e) && !p.File.Facts().SwitchedOff(e) {
			first = i
		}
		works = works || e.Effects.Has(work) && onGPU(p, e) || e.Effects.Has(effects.AppliesGradients|effects.StartsTape) && e.Context&(flow.InGraph|flow.InWorker) == 0
	}
	if first < 0 || !works {
		return
	}
	use := &program.Module.Events[first]
	if !p.Here(use.Outermost()) || handsGPUsOver(p) || leftToSessions(p, program, use) || underOtherStrategy(p, use) {
		return
	}
	at, taken := whereUsed(p, program.Module.Events[first:]), "every GPU"
	if slices.ContainsFunc(program.Module.Events[:first], func(e flow.Event) bool { return e.Effects.Has(effects.SetsVisible) || e.Key == cudaVisible }) {
		taken = "visible GPUs"
	}
	f := rule.Finding{
		Span:    rule.Callee(at),
		Message: "Memory growth is not set: from here TensorFlow takes nearly all memory of " + taken + ".",
		Fixes:   insertGrowth(p, use),
	}
	if at != use.Node {
		f.Message = fmt.Sprintf("Memory growth is not set: TensorFlow takes nearly all memory of %s. It does so at its first operation, on %s.", taken, p.Line(use.Node, f.Span))
		f.Related = []rule.Related{p.Related(use.Node, rule.Callee(use.Node), "the GPU is first used here")}
	}
	f.FixesAt = tensorFlowImports(p, at)
	if e := usedBeside(program); e != nil {
		f.Message += fmt.Sprintf(" The program starts other processes that use TensorFlow as well, on %s.", p.Line(e.Node, f.Span))
		f.Related = append(f.Related, p.Related(e.Node, rule.Callee(e.Node), "another process uses a GPU here"))
		p.ReportAs(rule.Warning, f)
		return
	}
	if torch := p.File.Facts().TorchOnGPU(); torch.Valid() {
		f.Message += fmt.Sprintf(" PyTorch uses a GPU as well, on %s, and gets what TensorFlow leaves.", p.Line(torch, f.Span))
		f.Related = append(f.Related, p.Related(torch, rule.Callee(torch), "PyTorch uses a GPU here"))
		p.ReportAs(rule.Warning, f)
		return
	}
	if beside := p.File.Neighbours(); len(beside) > 0 {
		f.Message += fmt.Sprintf(" At the moment %s.", inUse(beside))
		p.ReportAs(rule.Warning, f)
		return
	}
	p.Report(f)
}

// inUse says which programs use a GPU.
func inUse(programs []string) string {
	switch n := len(programs); n {
	case 1:
		return programs[0] + " uses a GPU of this machine"
	case 2:
		return programs[0] + " and " + programs[1] + " use a GPU of this machine"
	default:
		return fmt.Sprintf("%s and %d more use a GPU of this machine", programs[0], n-1)
	}
}

// whereUsed returns the call in the file that people regard as the first use of the GPU. If that is
// the creation or call of a layer, it is the model that is built or loaded next, or the training or
// inference before there is one.
func whereUsed(p *rule.Pass, events []flow.Event) syntax.Node {
	if first := &events[0]; first.Effects.Has(effects.BuildsLayer | effects.CallsLayer) {
		for i := range events {
			e := &events[i]
			if e.Effects.Has(effects.BuildsModel|effects.LoadsModel|effects.Trains|effects.Infers|effects.AppliesGradients) && !p.File.Facts().SwitchedOff(e) {
				if at := p.Nearest(e); at.Valid() {
					return at
				}
				break
			}
		}
	}
	return p.Nearest(&events[0])
}

// usedBeside returns where another process that the program starts uses a GPU, or nil.
func usedBeside(program *flow.Program) *flow.Event {
	for _, t := range program.Others {
		for _, e := range t.Having(effects.Initialises | effects.MakesAllocator) {
			if e.Context&flow.InWorker != 0 && e.Context&flow.InGraph == 0 {
				return e
			}
		}
	}
	return nil
}
