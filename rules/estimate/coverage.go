package estimate

import (
	"cmp"
	"context"
	"regexp"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/value"
)

// A Training is a place that trains: a call of fit or its like or, if Step is set, a step of the
// program's own with a gradient tape.
type Training struct {
	Node syntax.Node
	Step bool
	// Unit is the function or loop of a step, or else the call.
	Unit   syntax.Node
	Source *source.Source
	// Imported is set if it is in a module of the project that the program imports.
	Imported bool
	// ByFit is set if a fit runs the step, and so is the training.
	ByFit bool
	// Wide is set if it is priced, but the range leaves open how much it needs.
	Wide bool
	// Need and Verdict are those of the heaviest model that it trains, if that is priced.
	Need memory.Need
	// Uncounted names the data of unknown size beside it.
	Uncounted string
	Verdict   memory.Verdict
	// Why is why it is not priced, or nil.
	Why *Reason
}

// What is the training, for people: "fit", "the step".
func (t Training) What() string {
	if t.Step {
		return "the step"
	}
	function := t.Node.Child(syntax.FieldFunction)
	return cmp.Or(function.Child(syntax.FieldAttribute), function).Text()
}

// Trainings returns all trainings that a file's text has, priced or not, in order: also those that
// no run reaches which tfmem follows. Those of imported modules that the program reaches follow.
func Trainings(file *analyzer.File) (found []Training) {
	out, _ := Read(context.Background(), file, Options{}) // nothing interrupts it
	_ = file.Do(context.Background(), func() { found = trainings(file, out) })
	slices.SortStableFunc(found, func(a, b Training) int {
		switch {
		case a.Imported == b.Imported:
			return a.Node.Start() - b.Node.Start()
		case a.Imported:
			return 1
		}
		return -1
	})
	return found
}

func trainings(file *analyzer.File, out *File) (found []Training) {
	if !file.Relevant() {
		return nil
	}
	at := map[syntax.Node]bool{}    // what is found
	units := map[syntax.Node]bool{} // the functions and loops of the steps that are found
	add := func(t Training) {
		t.Source, t.Imported, t.Unit = file.SourceOf(t.Node), t.Node.Tree() != file.Tree, t.Node
		if at[t.Node] || t.Source == nil {
			return
		}
		at[t.Node] = true
		if t.Step {
			t.Unit = unitOf(t.Node)
			units[t.Unit] = true
		}
		found = append(found, t)
	}
	unknown := func(n syntax.Node, code value.Code, why string, args ...any) *Reason {
		r := reason(file, value.Because(code, why, args...), n)
		return &r
	}
	for _, c := range slices.Concat(out.Calls, out.imported) {
		if !c.Trains() || c.Why != nil && c.Model.Assessment == nil && (c.Node.Tree() != file.Tree || !ofKeras(file.Names(), c.Node)) {
			continue
		}
		t := Training{Node: c.Node, Step: c.Method == "step", Why: c.Reason()}
		switch {
		case c.Known():
			t.Wide = wide(c.Model.Training.Profile)
			t.Need, t.Verdict, t.Uncounted = c.Model.Total(), c.Model.Verdict, c.Model.Uncounted()
		case t.Why == nil:
			t.Why = unknown(c.Node, value.NotBuilt, "the model that %s trains is not known", c.Method)
		}
		add(t)
		if !t.Step && c.Model.Assessment != nil {
			if own := c.Model.Model.Own; own != nil && own.Node.Tree() != file.Tree {
				add(Training{Node: own.Node, Step: true, ByFit: true})
			}
		}
	}
	for _, m := range out.Models {
		if m.isStep() && len(m.Reasons) > 0 {
			add(Training{Node: m.Assessment.Model.Node, Step: true, Why: &m.Reasons[0]})
		}
	}
	missed := func(n syntax.Node) *Reason {
		if f := outermost(file.Names(), n); f != nil && !mentioned(file, f.Name) {
			r := reason(file, uncalled(f), n)
			return &r
		}
		if cut := file.Models().Cut; cut != nil {
			return unknown(n, cut.Why.Code, "%s", cut.Why)
		}
		return unknown(n, value.NotReached, "no call that is followed leads here")
	}
	fits := false
	for _, call := range file.Names().MethodCalls(func(name string) bool { return slices.Contains(fitMethods, name) }) {
		if !at[call] && ofKeras(file.Names(), call) {
			add(Training{Node: call, Why: missed(call)})
		}
		fits = fits || at[call]
	}
	for _, tape := range file.Names().CallsTo(func(name string) bool { return name == "tensorflow.GradientTape" }) {
		unit := unitOf(tape)
		f := file.Names().FunctionAt(unit)
		if units[unit] || !applies(file.Names(), unit) || f != nil && f.Name == "train_step" && f.Class != nil && fits && mentioned(file, f.Class.Name) {
			continue // a fit runs a model's train_step
		}
		add(Training{Node: tape, Step: true, Why: missed(tape)})
	}
	return found
}

// fitMethods are the methods that train a model of Keras.
var fitMethods = []string{"fit", "fit_generator", "train_on_batch"}

// fitArguments are arguments that no other library's fit takes.
var fitArguments = []string{"batch_size", "epochs", "nb_epoch", "initial_epoch", "steps_per_epoch", "validation_data", "validation_split", "validation_steps"}

// ofKeras reports whether a call of one of the methods is surely of a model of Keras: what other
// libraries make can be fitted, too.
func ofKeras(info *names.Info, call syntax.Node) bool {
	if callee := info.Callee(call); callee != "" {
		below, ok := strings.CutPrefix(callee, "tensorflow.keras.")
		return ok && !strings.HasPrefix(below, "preprocessing.") // ImageDataGenerator.fit trains nothing
	}
	f := call.Child(syntax.FieldFunction)
	if f.Child(syntax.FieldAttribute).Text() != "fit" {
		return true
	}
	if slices.ContainsFunc(fitArguments, func(name string) bool { return names.Argument(call, -1, name).Valid() }) {
		return true
	}
	model := f.Child(syntax.FieldObject).Text()
	return slices.ContainsFunc(info.MethodCalls(func(name string) bool { return name == "compile" }), func(c syntax.Node) bool {
		return c.Child(syntax.FieldFunction).Child(syntax.FieldObject).Text() == model
	})
}

// unitOf returns the function that a tape is opened in, or the loop of a module.
func unitOf(n syntax.Node) syntax.Node {
	if n.Kind() == syntax.FunctionDefinition {
		return n
	}
	if f := n.Ancestor(syntax.FunctionDefinition); f.Valid() {
		return f
	}
	return n.Ancestor(syntax.ForStatement, syntax.WhileStatement)
}

// applies reports whether code applies gradients, and so trains.
func applies(info *names.Info, unit syntax.Node) bool {
	if !unit.Valid() {
		return false
	}
	calls := info.MethodCalls(func(name string) bool { return name == "apply_gradients" || name == "minimize" })
	return slices.ContainsFunc(calls, func(call syntax.Node) bool { return unit.Start() <= call.Start() && call.End() <= unit.End() })
}

// outermost returns the outermost function around a node, or nil.
func outermost(info *names.Info, n syntax.Node) (f *names.Function) {
	for n = n.Ancestor(syntax.FunctionDefinition); n.Valid(); n = n.Ancestor(syntax.FunctionDefinition) {
		f = info.FunctionAt(n)
	}
	return f
}

// uncalled is why nothing is known of a function that its project defines for others.
func uncalled(f *names.Function) *value.Cause {
	return value.Because(value.NotReached, "nothing here calls %s", f.Name)
}

// mentioned reports whether a file may use a function or class besides defining it: by its name, or
// as Python calls special methods.
func mentioned(file *analyzer.File, name string) bool {
	if strings.HasPrefix(name, "__") {
		return true
	}
	all, err := regexp.Compile(`\b` + regexp.QuoteMeta(name) + `\b`)
	return err != nil || len(all.FindAllStringIndex(file.Source.Text(), 2)) > 1
}

// wide reports whether the range of a price is too wide to be one: over a factor of three, and more
// than a small GPU notices.
func wide(need *memory.Profile) bool {
	const small = 64 << 20
	return need.High > 3*need.Low && need.High > small
}
