package device

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/source"
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
other processes that use TensorFlow and, in an editor, while another program
uses a GPU of the machine.`,
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
TensorFlow 1, in code that only imports keras, which may be of any age, and in
programs that start such processes it sets the environment variable
TF_FORCE_GPU_ALLOW_GROWTH: tf.config does not reach Keras's sessions in TensorFlow
1, and must not be asked before a fork. Unsafe where the
code may run under TensorFlow 1 through tensorflow.compat.v1, and where
only the main guard of a module with classes uses the GPU: another program may
import these classes and configure its devices later.`,
	Limitations: `
Library modules, tests, TPU code and CPU-only scripts are not checked, nor is a
program that passes GPUs, devices or memory to a module outside the project, or
that builds its model in the scope of a strategy of unknown class. A
program that only imports keras is taken to compute with TensorFlow, which is
Keras's default, unless it or its project names another backend. A program that opens a TF1 session before it uses the GPU is checked
by TFM201 instead. What the shell that starts the script exports is not known.`,
	References: []rule.Reference{
		rule.API("tf.config.experimental.set_memory_growth"),
		rule.Guide("gpu#limiting_gpu_memory_growth", "Limiting GPU memory growth"),
	},
	Triggers: []string{"tensorflow", "fit", "predict", "evaluate", "train_on_batch", "GradientTape", "minimize", "apply_gradients", "Sequential", "Model", "applications", "load", "Session", "stimator", "Supervisor"},
	Imported: true,
	Check:    checkMissingGrowth,
}

func checkMissingGrowth(p *rule.Pass) {
	program := p.File.Flow()
	if rule.IsTest(p) || p.OnlyKeras1() || mayUseTheano(p) || configured(p, program) || rule.MayBeConfiguredElsewhere(program) {
		return
	}
	first, works := -1, false
	for i := range program.Module.Events {
		e := &program.Module.Events[i]
		if first < 0 && onGPU(p, e) && !switchedOff(p.File.Names(), e) {
			first = i
		}
		works = works || worksOn(p, e)
	}
	if first < 0 || !works && !operates(p) {
		return
	}
	use := &program.Module.Events[first]
	if !p.Here(use.Outermost()) || !isNotebook(p) && onlyDefines(p) || handsGPUsOver(p) || leftToSessions(p, program, use) || underOtherStrategy(p, use) {
		return
	}
	at := whereUsed(p, program.Module.Events[first:])
	f := rule.Finding{
		Span:    rule.Callee(at),
		Message: "Memory growth is not set: from here TensorFlow takes nearly all memory of every GPU.",
		Fixes:   insertGrowth(p, use),
	}
	if at != use.Node {
		f.Message += fmt.Sprintf(" The first operation is on %s.", p.Line(use.Node, f.Span))
		f.Related = []rule.Related{p.Related(use.Node, rule.Callee(use.Node), "the GPU is first used here")}
	}
	f.FixesAt = tensorFlowImports(p, at)
	if e := usedBeside(program); e != nil {
		f.Message += fmt.Sprintf(" The program starts other processes that use TensorFlow as well, on %s.", p.Line(e.Node, f.Span))
		f.Related = append(f.Related, p.Related(e.Node, rule.Callee(e.Node), "another process uses a GPU here"))
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

// underOtherStrategy reports whether an event is in the scope of a strategy that the file does not
// make. Whoever made it has decided about devices, which may be TPUs.
func underOtherStrategy(p *rule.Pass, e *flow.Event) bool {
	info := p.File.Names()
	return slices.ContainsFunc(append(slices.Clone(e.Path), e.Node), func(n syntax.Node) bool {
		if !p.Here(n) {
			return false
		}
		for with := n.Ancestor(syntax.WithStatement); with.Valid(); with = with.Ancestor(syntax.WithStatement) {
			for c := range with.Children() {
				if c.Kind() == syntax.WithClause && opensUnknownScope(info, c) {
					return true
				}
			}
		}
		return false
	})
}

// opensUnknownScope reports whether a with clause calls scope() of an object of unknown class.
func opensUnknownScope(info *names.Info, clause syntax.Node) bool {
	found := false
	clause.Walk(func(n syntax.Node) bool {
		if n.Kind() == syntax.Call && rule.Method(n) == "scope" {
			found = found || !info.TypeOf(n.Child(syntax.FieldFunction).Child(syntax.FieldObject)).Known()
		}
		return !found
	})
	return found
}

// inUse says which programs use a GPU.
func inUse(programs []string) string {
	const most = 2
	verb := "uses"
	if len(programs) > 1 {
		verb = "use"
	}
	text := strings.Join(programs[:min(len(programs), most)], " and ")
	if more := len(programs) - most; more > 0 {
		text = fmt.Sprintf("%s and %d more", strings.Join(programs[:most], ", "), more)
	}
	return text + " " + verb + " a GPU of this machine"
}

// onlyDefines reports whether the module only imports, and assigns values such as models to names
// that it uses no further: a configuration that others import, or classes and a leftover call.
// Running it has no result.
func onlyDefines(p *rule.Pass) bool {
	if !definitions(p) || slices.ContainsFunc(slices.Collect(p.File.Tree.Statements()), underGuard) {
		return false
	}
	info, program := p.File.Names(), p.File.Flow()
	return !slices.ContainsFunc(program.Module.Events, func(e flow.Event) bool {
		call := e.Outermost() // a model that is called computes something
		if p.Here(call) && call.Kind() == syntax.Call && info.InstanceOf(call.Child(syntax.FieldFunction), "tensorflow.keras.Model") {
			return true
		}
		return e.Effects.Has(effects.Trains | effects.Infers | effects.AppliesGradients | effects.OpensSession | effects.StartsTape)
	})
}

// definitions reports whether all statements of the module, but for its main guard, only import and
// assign.
func definitions(p *rule.Pass) bool {
	for s := range p.File.Tree.Statements() {
		switch {
		case s.Kind() == syntax.Comment, imports(s), underGuard(s), s.Is(syntax.FunctionDefinition, syntax.ClassDefinition, syntax.DecoratedDefinition):
		case s.Kind() == syntax.ExpressionStatement && s.FirstChild().Is(syntax.Assignment, syntax.String):
		case s.Kind() == syntax.ExpressionStatement && (registers(p, s.FirstChild()) || leftOver(p, s.FirstChild())):
		default:
			return false
		}
	}
	return true
}

// isNotebook reports whether the program is a notebook, which nobody imports.
func isNotebook(p *rule.Pass) bool { return p.File.Source.Segments()[0].Cell != 0 }

// leftOver reports whether a call makes a layer or model of a class of the file for nothing, or runs
// a function of a file with classes that only shows what it builds.
func leftOver(p *rule.Pass, call syntax.Node) bool {
	info := p.File.Names()
	target := info.Target(call.Child(syntax.FieldFunction))
	switch {
	case target.Class != nil:
		return p.Here(target.Class.Node) && info.Inherits(target.Class, "tensorflow.keras.layers.Layer")
	case target.Function != nil && p.Here(target.Function.Node):
		return isModule(p) && shows(p, target.Function.Body, false)
	}
	return false
}

// registers reports whether a call is of another library, or of a setting of TensorFlow, and takes
// nothing of the module.
func registers(p *rule.Pass, call syntax.Node) bool {
	info := p.File.Names()
	root, _, dotted := strings.Cut(info.Callee(call), ".")
	entry := effects.Lookup(info.Callee(call))
	ok := dotted && (root != "tensorflow" || entry != nil && entry.Effects == 0)
	function := call.Child(syntax.FieldFunction)
	call.Walk(func(n syntax.Node) bool {
		ok = ok && (n.Kind() != syntax.Identifier || !slices.ContainsFunc(info.ReachingDefs(n), func(b *names.Binding) bool {
			return b.Kind == names.AssignBinding || b.Kind == names.ClassBinding && n.Within(function) // Window().mainloop()
		}))
		return ok
	})
	return ok
}

// whereUsed returns the call in the file that people regard as the first use of the GPU. If that is
// the creation or call of a layer, it is the model that is built or loaded next, or the training or
// inference before there is one.
func whereUsed(p *rule.Pass, events []flow.Event) syntax.Node {
	if first := &events[0]; first.Effects.Has(effects.BuildsLayer | effects.CallsLayer) {
		for i := range events {
			e := &events[i]
			if e.Effects.Has(effects.BuildsModel|effects.LoadsModel|effects.Trains|effects.Infers|effects.AppliesGradients) && !switchedOff(p.File.Names(), e) {
				if at := p.Nearest(e); at.Valid() {
					return at
				}
				break
			}
		}
	}
	return p.Nearest(&events[0])
}

// worksOn reports whether an event works with a model, trains in a custom loop, or differentiates
// in a class of the program.
func worksOn(p *rule.Pass, e *flow.Event) bool {
	switch {
	case e.Effects.Has(effects.AppliesGradients):
		return rule.TrainsEagerly(p.File.Names(), e)
	case e.Effects.Has(effects.OpensSession):
		return true
	case e.Effects.Has(effects.StartsTape):
		return (e.Loop.Valid() || e.Node.Ancestor(syntax.ClassDefinition).Valid()) && e.Context&(flow.InGraph|flow.InWorker) == 0
	case !onGPU(p, e):
		return false
	}
	return e.Effects.Has(effects.Trains|effects.Infers|effects.LoadsModel) || e.Effects.Has(effects.BuildsModel) && !demonstrates(p, e)
}

// operates reports whether the program is a script that runs an operation, which is enough, however
// small: TensorFlow takes the memory before the first. What a module for others runs only shows what
// it defines.
func operates(p *rule.Pass) bool {
	operation := func(e flow.Event) bool {
		return onGPU(p, &e) && e.Effects.Has(effects.AddsOperation|effects.MakesDataset) && !importable(p, &e) && !demonstrates(p, &e)
	}
	i := slices.IndexFunc(p.File.Flow().Module.Events, operation)
	switch {
	case i < 0:
		return false
	case isNotebook(p):
		return !definitions(p) // a cell may write a module
	}
	return !underGuard(p.File.Flow().Module.Events[i].Outermost()) && !definitions(p) || !definesForOthers(p)
}

// definesForOthers reports whether the module defines a function or a class that it does not use
// itself, as a library does.
func definesForOthers(p *rule.Pass) bool {
	info := p.File.Names()
	return slices.ContainsFunc(info.Module.Names(), func(name string) bool {
		return slices.ContainsFunc(info.Module.Bindings(name), func(b *names.Binding) bool {
			return (b.Kind == names.FunctionBinding || b.Kind == names.ClassBinding) && len(info.Uses(b)) == 0
		})
	})
}

// demonstrates reports whether an event is only under the main guard of a module that does nothing
// there but build models, compute and print: a library with a demonstration, which soon ends.
func demonstrates(p *rule.Pass, builds *flow.Event) bool {
	return !p.File.Config.EntryPoint && underGuard(builds.Outermost()) && shows(p, builds.Outermost().Top().Child(syntax.FieldConsequence), true)
}

// shows reports whether code only builds models, calls them and prints what they are. With calls,
// functions of the file may do the same, if their results are not used.
func shows(p *rule.Pass, code syntax.Node, calls bool) bool {
	info, ok := p.File.Names(), true
	code.Walk(func(n syntax.Node) bool {
		switch n.Kind() {
		case syntax.ForStatement:
			ok = rule.IterationsIn(info, n) > 0 // over models, for example
		case syntax.WhileStatement:
			ok = false
		case syntax.Call:
			function := n.Child(syntax.FieldFunction)
			root, _, _ := strings.Cut(info.Callee(n), ".")
			switch target := info.Target(function); {
			case target.Class != nil, target.Function != nil && n.Parent().Kind() != syntax.ExpressionStatement:
				// It builds something. A function that trains has events of its own.
			case target.Function != nil:
				ok = calls && p.Here(target.Function.Node) && shows(p, target.Function.Body, false)
			case root != "":
				ok = root == "tensorflow" || root == "numpy"
			case function.Kind() == syntax.Identifier:
				ok = function.Text() == "print" || slices.ContainsFunc(info.ReachingDefs(function), func(b *names.Binding) bool {
					return b.Kind == names.AssignBinding || b.Kind == names.ForBinding // an object, such as a model
				})
			default:
				ok = showing[rule.Method(n)]
			}
		}
		return ok
	})
	return ok
}

// showing are methods of models and tensors that only describe them.
var showing = map[string]bool{"summary": true, "build": true, "count_params": true, "as_list": true, "numpy": true, "format": true, "get_layer": true}

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

// configured reports whether anything in the program decides about device memory, wherever it is.
func configured(p *rule.Pass, program *flow.Program) bool {
	for _, t := range program.Traces() {
		for i := range t.Events {
			e := &t.Events[i]
			if (e.Effects.Has(effects.SetsVisible) || e.Key == "CUDA_VISIBLE_DEVICES") && switchedOff(p.File.Names(), e) {
				continue
			}
			switch {
			case e.Effects.Has(effects.SetsGrowth | effects.SetsLogical), e.NeedsTPU(), e.Effects.Has(effects.SetsVisible) && !rule.LeavesGPUs(e):
				return true
			case e.Effects.Has(effects.SetsEnvironment) && p.EnvironmentDecides(e):
				return true
			}
		}
	}
	return false
}

// switchedOff reports whether an event is under an if that a constant of the program rules out, such
// as "if not USE_GPU" with USE_GPU = True, or a test of a parameter for which the calls that lead
// there pass a constant. What hides GPUs there does not hide them as the program is.
func switchedOff(info *names.Info, e *flow.Event) bool {
	return ruledOut(info, e, e.Node) || slices.ContainsFunc(e.Path, func(n syntax.Node) bool { return ruledOut(info, e, n) })
}

// ruledOut reports whether code on the way to an event is under such an if.
func ruledOut(info *names.Info, e *flow.Event, n syntax.Node) bool {
	decided := func(test syntax.Node) names.Verdict {
		return names.Decide(test, func(n syntax.Node) names.Verdict {
			if n.Kind() == syntax.ComparisonOperator {
				return compared(info, e, n)
			}
			return names.Decide(constant(info, e, n), func(syntax.Node) names.Verdict { return names.Maybe })
		})
	}
	for block := n.Ancestor(syntax.Block); block.Valid(); block = block.Ancestor(syntax.Block) {
		statement := block.Parent()
		if statement.Is(syntax.ElifClause, syntax.ElseClause) {
			statement = statement.Parent()
		}
		if statement.Kind() != syntax.IfStatement {
			continue
		}
		off := false
		names.Branches(statement, decided, func(of syntax.Node, runs names.Verdict) { off = off || of == block && runs == names.Never })
		if off {
			return true
		}
	}
	return false
}

// constant returns the expression that gives another its value where an event happens, through
// names and the parameters of the calls that lead there, or none.
func constant(info *names.Info, e *flow.Event, n syntax.Node) syntax.Node {
	const most = 20
	for range most {
		made := info.DefiningExpr(n)
		if made.Kind() != syntax.Identifier {
			return made
		}
		n = e.Argument(info, info.ReachingDefs(made)[0])
	}
	return syntax.Node{}
}

// compared returns the verdict on a comparison of two strings, == or !=.
func compared(info *names.Info, e *flow.Event, comparing syntax.Node) names.Verdict {
	var parts []syntax.Node
	for c := range comparing.Children() {
		if c.Kind() != syntax.Comment {
			parts = append(parts, c)
		}
	}
	if len(parts) != 3 {
		return names.Maybe
	}
	a, known := names.StringValue(constant(info, e, parts[0]))
	b, too := names.StringValue(constant(info, e, parts[2]))
	if !known || !too {
		return names.Maybe
	}
	sign := parts[1].Text()
	switch {
	case sign == "==" && a != b, sign == "!=" && a == b:
		return names.Never
	case sign == "==", sign == "!=":
		return names.Always
	}
	return names.Maybe
}

// leftToSessions reports whether TFM201 checks the program instead: it opens a session, or
// turns eager execution off, and no operation surely uses the GPU eagerly before that.
func leftToSessions(p *rule.Pass, program *flow.Program, use *flow.Event) bool {
	sessions := false
	for _, t := range program.Traces() {
		for _, e := range t.Having(effects.OpensSession | effects.GraphMode) {
			sessions = true
			if t != program.Module || !usedBefore(p, program, e) {
				return true
			}
		}
	}
	if !sessions {
		return false
	}
	allocators := program.Module.Having(effects.MakesAllocator)
	return len(allocators) > 0 && !use.MaybeBefore(allocators[0]) || maybeTensorFlow1(p, p.File.Names().Module, use.Outermost().Top()) ||
		p.ProgramBuildsGraphs()
}

// usedBefore reports whether an operation has surely used the GPU eagerly before a session is
// opened: the first session of the program, or the first of its branch.
func usedBefore(p *rule.Pass, program *flow.Program, session *flow.Event) bool {
	withGPU := rule.WithGPU(p.File.Names())
	return slices.ContainsFunc(program.Module.Events, func(e flow.Event) bool { return onGPU(p, &e) && e.BeforeWhere(session, withGPU) })
}

// elsewhere are modules outside the project that do not configure TensorFlow's memory, though their
// names may mention GPUs, devices and memory.
var elsewhere = map[string]bool{
	"tensorflow": true, "os": true, "sys": true, "logging": true, "argparse": true, "subprocess": true, "platform": true, "resource": true, "tracemalloc": true,
	"multiprocessing": true, "torch": true, "jax": true, "cupy": true, "numba": true, "numpy": true, "pandas": true, "psutil": true, "pynvml": true, "GPUtil": true,
	"memory_profiler": true, "gpustat": true, "wandb": true, "mlflow": true, "absl": true, "click": true,
}

// handsGPUsOver reports whether the file calls a module outside the project, such as a lab's
// package, that may prepare the devices: its name or its arguments mention GPUs, devices or memory.
func handsGPUsOver(p *rule.Pass) bool {
	info := p.File.Names()
	return slices.ContainsFunc(info.Calls, func(call syntax.Node) bool {
		name := info.Qualified(call.Child(syntax.FieldFunction))
		root, member, ok := strings.Cut(name, ".")
		if !ok || elsewhere[root] || strings.HasPrefix(root, "tensorflow_") || effects.Lookup(name) != nil || info.Target(call.Child(syntax.FieldFunction)).Function != nil {
			return false
		}
		found := speaksOfGPUs(member)
		call.Child(syntax.FieldArguments).Walk(func(n syntax.Node) bool {
			found = found || n.Kind() == syntax.Identifier && speaksOfGPUs(n.Text())
			return !found && n.Kind() != syntax.Lambda
		})
		return found
	})
}

// speaksOfGPUs reports whether a name mentions GPUs or memory configuration. A replay memory does
// not.
func speaksOfGPUs(name string) bool {
	name = strings.ToLower(name)
	in := func(word string) bool { return strings.Contains(name, word) }
	return slices.ContainsFunc([]string{"gpu", "cuda", "device", "vram"}, in) ||
		in("memory") && slices.ContainsFunc([]string{"set", "limit", "grow", "alloc", "config", "init", "fraction"}, in)
}

// insertGrowth offers the loop after the imports that precede the first use: at module level, or in
// the function where TensorFlow is imported.
func insertGrowth(p *rule.Pass, first *flow.Event) []rule.Fix {
	at, scope := first.Outermost().Top(), p.File.Names().Module
	block := rule.Siblings(at)
	if p.TensorFlow(scope, at) == "" && !importsKeras(p, scope, at) {
		// TensorFlow is imported where it is used: take the function whose code comes first.
		f := p.File.Names().ScopeOf(first.Node).Function()
		if f == nil || !p.Here(f.Node) || f.Body.Kind() != syntax.Block {
			return nil
		}
		scope, block = f.Scope, f.Body.Children()
		at = rule.StatementIn(first.Node, f.Body)
	}
	byVariable := p.ForTensorFlow1() || p.RanOlder(effects.Version{Major: 2}) || ofUnknownAge(p) || usedBeside(p.File.Flow()) != nil
	anchor := lastImport(p, block, at, func(here syntax.Node) bool {
		if byVariable {
			return p.Bound("os", scope, here) != "" || p.FreeName("os") != ""
		}
		return p.TensorFlow(scope, here) == p.TensorFlow(scope, at)
	})
	if chosen := choosesGPUs(p, first); chosen != nil && anchor.Valid() && anchor.Start() < chosen.Outermost().Start() {
		// Listing the GPUs fixes which of them CUDA shows.
		from, to := flow.Part(chosen, first)
		if !p.Here(from) || !p.Here(to) {
			return nil
		}
		inner := commonBlock(from, to)
		anchor, at = rule.StatementIn(from, inner), rule.StatementIn(to, inner)
		scope = p.File.Names().ScopeOf(anchor)
	}
	if !anchor.Valid() || !p.StartsLine(anchor) || !p.EndsLine(anchor) || at.HasError() || !lineBefore(p, anchor, at) {
		return nil
	}
	indent, nl := p.IndentOf(anchor), p.Newline()
	end := p.LineEnd(anchor)
	if byVariable {
		text := growthVariable(p, scope, at, indent)
		if text != "" && !p.BlankAfter(anchor) {
			text += nl
		}
		return fixOf(text, end, rule.Safe)
	}
	text := ""
	alias := p.TensorFlow(scope, at)
	if alias == "" {
		if alias = p.FreeName("tf", "tensorflow"); alias == "" {
			return nil
		}
		text = nl + indent + "import tensorflow"
		if alias == "tf" {
			text += " as tf"
		}
	}
	loop := growthLoop(p, alias, indent)
	if loop == "" {
		return nil
	}
	text += nl + nl + loop
	if !p.BlankAfter(anchor) {
		text += nl
	}
	applicability := rule.Safe
	if maybeTensorFlow1(p, scope, at) || importable(p, first) {
		applicability = rule.Unsafe
	}
	return fixOf(text, end, applicability)
}

// fixOf returns the fix that inserts a text, or none if the text is empty.
func fixOf(text string, at int, applicability rule.Applicability) []rule.Fix {
	if text == "" {
		return nil
	}
	return []rule.Fix{{
		Message:       "Set memory growth on every GPU before the first use",
		Applicability: applicability,
		Edits:         []source.Edit{{Span: source.Span{Start: at, End: at}, New: text}},
	}}
}

// growthVariable returns the lines that turn growth on by an environment variable. In TensorFlow 1
// the sessions of Keras have a configuration of their own, which tf.config does not reach; and to
// list the GPUs in a process that forks workers breaks CUDA in these. Workers inherit the variable
// (tensorflow/core/common_runtime/gpu/gpu_bfc_allocator.cc, GetAllowGrowthValue).
func growthVariable(p *rule.Pass, scope *names.Scope, at syntax.Node, indent string) string {
	nl, text := p.Newline(), ""
	os := p.Bound("os", scope, at)
	if os == "" {
		if os = p.FreeName("os"); os == "" {
			return ""
		}
		text = nl + indent + "import os"
	}
	return text + nl + nl + indent + os + ".environ[" + p.Quote() + "TF_FORCE_GPU_ALLOW_GROWTH" + p.Quote() + "] = " + p.Quote() + "true" + p.Quote()
}

// choosesGPUs returns the last event before the first use that decides which GPUs CUDA shows, and
// in which order, or nil.
func choosesGPUs(p *rule.Pass, first *flow.Event) *flow.Event {
	var last *flow.Event
	events := p.File.Flow().Module.Events
	for i := range events {
		if &events[i] == first {
			break
		}
		if e := &events[i]; e.Effects.Has(effects.SetsEnvironment) && strings.HasPrefix(e.Key, "CUDA_") {
			last = e
		}
	}
	return last
}

// maybeTensorFlow1 reports whether the code may also run under TensorFlow 1, which has no
// tf.config.list_physical_devices: it uses tensorflow.compat.v1 only.
func maybeTensorFlow1(p *rule.Pass, scope *names.Scope, at syntax.Node) bool {
	if p.Bound("tensorflow", scope, at) != "" {
		return false
	}
	v := p.File.Versions().TensorFlow
	return p.Bound("tensorflow.compat.v1", scope, at) != "" && (v.Source == "" || v.Low.Major < 2)
}

// ofUnknownAge reports whether the program imports only Keras under its own name and the version of
// Keras is not known. It may be one of TensorFlow 1, whose sessions tf.config does not reach.
func ofUnknownAge(p *rule.Pass) bool {
	keras := p.File.Versions().Keras
	major, known := keras.Major()
	return importsOnly(p, "keras") && (keras.Source == "" || !known || major < 3)
}

// mayUseTheano reports whether a program that imports only Keras imports a backend that Keras had
// beside TensorFlow before version 2.4, too.
func mayUseTheano(p *rule.Pass) bool {
	return importsOnly(p, "keras") && slices.ContainsFunc(p.File.Names().Program(), func(info *names.Info) bool {
		imported := info.Imported()
		return imported["theano"] || imported["cntk"] || imported["plaidml"]
	})
}

// importsOnly reports whether the program imports a library, and no TensorFlow.
func importsOnly(p *rule.Pass, library string) bool {
	found := false
	for _, module := range p.File.Names().Program() {
		imported := module.Imported()
		if imported["tensorflow"] {
			return false
		}
		found = found || imported[library]
	}
	return found
}

// importable reports whether the first use is under "if __name__ == '__main__'", or in a function
// called there, in a module that defines classes. Others may import it and configure their devices
// afterwards.
func importable(p *rule.Pass, first *flow.Event) bool {
	return underGuard(first.Outermost()) && isModule(p)
}

// isModule reports whether others may import the file for the classes that it defines. A file that
// the settings name as a program is for nobody to import.
func isModule(p *rule.Pass) bool {
	if p.File.Config.EntryPoint {
		return false
	}
	for s := range p.File.Tree.Statements() {
		if s.Kind() == syntax.ClassDefinition {
			return true
		}
	}
	return false
}

// underGuard reports whether a node of a module's own code is under its main guard.
func underGuard(n syntax.Node) bool {
	top := n.Top()
	return top.Kind() == syntax.IfStatement && flow.IsMainGuard(top.Child(syntax.FieldCondition))
}

func lineBefore(p *rule.Pass, anchor, at syntax.Node) bool {
	return p.Lines(anchor).End <= at.Start()
}

// lastImport returns the statement after which a person would configure devices: the last import of
// the first group that imports TensorFlow, or Keras, and after which the code has what it needs;
// else the last import before the first use.
func lastImport(p *rule.Pass, block iter.Seq[syntax.Node], before syntax.Node, has func(at syntax.Node) bool) syntax.Node {
	var last syntax.Node
	ours, open := false, false // a group that may go on
	for s := range block {
		if !before.Valid() || s.Start() >= before.Start() {
			break
		}
		if open && (ownWork(s) || p.Cell(s.Start()) != p.Cell(last.Start())) {
			open = false
			if ours && has(s) {
				return last
			}
		}
		if imports(s) {
			last, open = s, true
			ours = ours || effects.Mentioned(s.Text())
		}
	}
	return last
}

// ownWork reports whether a statement is one of the program's own work, rather than an import or a
// setting such as sys.path.append(folder).
func ownWork(n syntax.Node) bool {
	switch n.Kind() {
	case syntax.FunctionDefinition, syntax.ClassDefinition, syntax.DecoratedDefinition, syntax.ForStatement, syntax.WhileStatement, syntax.WithStatement:
		return true
	case syntax.ExpressionStatement:
		return n.FirstChild().Child(syntax.FieldLeft).Is(syntax.Identifier, syntax.PatternList, syntax.TuplePattern)
	}
	return false
}

// imports reports whether a statement is an import, or a try or if whose body
// begins with one.
func imports(n syntax.Node) bool {
	switch n.Kind() {
	case syntax.ImportStatement, syntax.ImportFromStatement, syntax.FutureImportStatement:
		return true
	case syntax.TryStatement:
		return imports(n.Child(syntax.FieldBody).FirstChild())
	case syntax.IfStatement:
		return imports(n.Child(syntax.FieldConsequence).FirstChild())
	}
	return false
}

// tensorFlowImports returns the statements that import TensorFlow or Keras for the code at a node
// of the file. People expect memory to be configured there.
func tensorFlowImports(p *rule.Pass, at syntax.Node) (spans []source.Span) {
	info := p.File.Names()
	scopes := []*names.Scope{info.Module}
	if f := info.ScopeOf(at).Function(); f != nil {
		scopes = append(scopes, f.Scope)
	}
	for _, scope := range scopes {
		for _, name := range scope.Names() {
			for _, b := range info.ReachingBefore(scope, name, at) {
				statement := b.Value
				switch {
				case b.Kind == names.ImportBinding:
					statement = statement.Parent()
				case b.Kind != names.FromBinding:
					continue
				}
				if root, _, _ := strings.Cut(info.Meaning(b), "."); root == "tensorflow" && p.Here(statement) {
					spans = append(spans, rule.Span(statement))
				}
			}
		}
	}
	slices.SortFunc(spans, func(a, b source.Span) int { return a.Start - b.Start })
	return slices.Compact(spans)
}

// importsKeras reports whether the module imports Keras, or anything of TensorFlow, under a name
// other than tensorflow's own.
func importsKeras(p *rule.Pass, scope *names.Scope, at syntax.Node) bool {
	info := p.File.Names()
	for _, name := range scope.Names() {
		for _, b := range info.ReachingBefore(scope, name, at) {
			if (b.Kind == names.ImportBinding || b.Kind == names.FromBinding) && strings.HasPrefix(info.Meaning(b), "tensorflow.") {
				return true
			}
		}
	}
	return false
}
