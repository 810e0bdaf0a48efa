package rewrite

import (
	"errors"
	"fmt"
	"strings"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// OwnProcess runs a function in another process.
var OwnProcess = &Rewrite{
	Name:  "own-process",
	Title: "Run this in a separate process",
	What: `
Runs a function that trains or uses a model in a new process, with
multiprocessing's spawn method, and waits for it. When that process ends, all of
its GPU memory is free again; TensorFlow returns none earlier.

It is offered at a call, under "if __name__ == '__main__'", of a function at
module level whose result is not used, whose arguments are numbers, strings,
containers of these or what argparse returned, and where this process does not use
the GPU before.

It is also offered in a for loop at module level. What an iteration does up to its
last use of a model becomes a function that runs in a new process each time. The
rest stays in the loop and works with what that function returns: numbers, strings
and NumPy arrays. A model cannot be returned.

It is offered, too, in a function that Optuna, Hyperopt or scikit-optimize calls for
each trial. What asks the trial for its parameters stays in this process, and the
rest becomes a function that is passed them.

A process that is spawned cannot import from a notebook. There, for loops and
trials, the function goes to a module of its own beside the notebook, with the
imports, functions and classes that it needs. Values of the notebook are passed to it.`,

	Changes: `
Variables that the function changes are changed in the other process only. The
file is imported there again, without the code under "if __name__ == '__main__'".
Values of a notebook are copied there each time. Starting TensorFlow takes some
seconds. A function that fails raises RuntimeError here, with its own error printed
above.`,
	Before: `
import tensorflow as tf

def train(units):
    model = tf.keras.Sequential([tf.keras.layers.Dense(units)])
    model.compile(optimizer="adam", loss="mse")
    model.fit(*load())

if __name__ == "__main__":
    for units in (16, 32):
        train(units)` + Here,
	After: `
import multiprocessing

import tensorflow as tf

def train(units):
    model = tf.keras.Sequential([tf.keras.layers.Dense(units)])
    model.compile(optimizer="adam", loss="mse")
    model.fit(*load())

if __name__ == "__main__":
    for units in (16, 32):
        process = multiprocessing.get_context("spawn").Process(target=train, args=(units,))
        process.start()
        process.join()
        if process.exitcode != 0:
            raise RuntimeError(f"train ended with exit code {process.exitcode}")`,
	Triggers: []string{"__main__", "for ", "def "},
	Check:    checkProcess,
}

func checkProcess(p *Place) (Change, error) {
	s := statement(p.node())
	if r := p.trial(); r != nil {
		return p.trialInProcess(r)
	}
	change, err := p.callInProcess(s)
	if loop := p.loop(); err != nil && loop.Valid() && !loop.Parent().Valid() {
		return p.loopInProcess(loop)
	}
	return change, err
}

// callInProcess runs the function that a statement calls in a process.
func (p *Place) callInProcess(s syntax.Node) (Change, error) {
	info := p.File.Names()
	if s.Kind() != syntax.ExpressionStatement || s.FirstChild().Kind() != syntax.Call {
		return Change{}, errors.New("there is no statement here that only calls a function")
	}
	call := s.FirstChild()
	if err := p.whole(s); err != nil {
		return Change{}, err
	}
	if p.notebook(s) {
		return Change{}, errors.New("a call is rewritten only in scripts, and a loop or a trial also in notebooks")
	}
	callee := call.Child(syntax.FieldFunction)
	target := info.Target(callee)
	f := target.Function
	if f == nil || callee.Kind() != syntax.Identifier || target.Class != nil || target.Wrapped || target.Library != "" ||
		!p.Here(f.Node) || f.Scope.Parent != info.Module || len(f.Decorators) > 0 || f.Yields || f.Node.Kind() != syntax.FunctionDefinition {
		return Change{}, errors.New("this does not call a plain function at module level")
	}
	arguments, err := p.handedOver(call)
	if err != nil {
		return Change{}, err
	}
	guard := mainGuard(info, s)
	if !guard.Valid() {
		return Change{}, errors.New(`the other process imports this file again, so the call must be under "if __name__ == '__main__'"`)
	}
	works := false
	for e := range p.events(s) {
		works = works || e.Effects.Has(uses|effects.BuildsModel)
		if e.Context&(flow.InWorker|flow.InStrategy) != 0 {
			return Change{}, errInProcess
		}
	}
	if !works {
		return Change{}, errNoModel
	}
	guarded := func(b *names.Binding) bool { return b.Node.Within(guard) }
	if why := p.lostInChild(f, guarded, map[*names.Function]bool{}); why != "" {
		return Change{}, errors.New(why)
	}
	if used := p.usedBefore(s); used != nil {
		return Change{}, p.alreadyUsed(used)
	}
	free, err := p.free([]string{"process", "training_process", "worker"})
	if err != nil {
		return Change{}, err
	}
	process, q := free[0], p.Quote()
	module, edits := p.Bound("multiprocessing", info.ScopeOf(s), s), []source.Edit(nil)
	if module == "" {
		module = "multiprocessing"
		imported, err := p.importFirst("multiprocessing")
		if err != nil {
			return Change{}, err
		}
		edits = append(edits, imported)
	}
	nl, indent := p.Newline(), p.IndentOf(s)
	text := process + " = " + module + ".get_context(" + q + "spawn" + q + ").Process(target=" + callee.Text() + arguments + ")"
	after := nl + strings.TrimSuffix(p.lines(indent, []string{
		process + ".start()",
		process + ".join()",
		"if " + process + ".exitcode != 0:",
		"\traise RuntimeError(f" + q + callee.Text() + " ended with exit code {" + process + ".exitcode}" + q + ")",
	}), nl)
	end := p.LineEnd(s)
	return Change{Edits: append(edits, source.Edit{Span: rule.Span(call), New: text}, source.Insert(end, after))}, nil
}

// mainGuard returns the statement "if __name__ == '__main__'" under which a statement always runs,
// directly or through the functions that contain it.
func mainGuard(info *names.Info, s syntax.Node) syntax.Node {
	for range 20 {
		for n := s; n.Valid(); n = n.Parent() {
			if n.Parent().Kind() == syntax.IfStatement && n == n.Parent().Child(syntax.FieldConsequence) && flow.IsMainGuard(n.Parent().Child(syntax.FieldCondition)) {
				return n.Parent()
			}
		}
		f := info.ScopeOf(s).Function()
		if f == nil {
			return syntax.Node{}
		}
		var callers []syntax.Node
		for _, call := range info.Calls {
			if info.Target(call.Child(syntax.FieldFunction)).Function == f {
				callers = append(callers, call)
			}
		}
		if len(callers) != 1 {
			return syntax.Node{}
		}
		s = callers[0]
	}
	return syntax.Node{}
}

// usedBefore returns what takes a GPU in this process before a statement, or nil.
func (p *Place) usedBefore(s syntax.Node) *flow.Event {
	const takes = effects.Initialises | effects.MakesAllocator
	for _, t := range p.File.Flow().Traces() {
		var first *flow.Event // in the statement
		for i := range t.Events {
			e := &t.Events[i]
			if runsIn(e, s) {
				first = e
				break
			}
		}
		for i := range t.Events {
			e := &t.Events[i]
			if first != nil && e.Effects.Has(takes) && e.Context&(flow.InGraph|flow.InWorker) == 0 && e.MaybeBefore(first) && !runsIn(e, s) {
				return e
			}
		}
	}
	return nil
}

// lostInChild returns a name that a function reads and another process would not have, because it
// is bound where only this process runs, or by another function.
func (p *Place) lostInChild(f *names.Function, onlyHere func(*names.Binding) bool, seen map[*names.Function]bool) string {
	defer f.Info.Enter(f.Node).Leave()
	if seen[f] || !p.Here(f.Node) {
		return ""
	}
	seen[f] = true
	info, why := p.File.Names(), ""
	f.Body.Walk(func(n syntax.Node) bool {
		if n.Kind() != syntax.Identifier || n.Field() == syntax.FieldAttribute || why != "" {
			return why == ""
		}
		if n.Parent().Kind() == syntax.KeywordArgument && n.Field() == syntax.FieldName || info.Lookup(n) != info.Module {
			return true
		}
		for _, b := range info.Module.Bindings(n.Text()) {
			if onlyHere(b) {
				why = fmt.Sprintf("%s reads %s, which is set on %s and would not be there in another process", f.Name, n.Text(), p.line(b.Node))
			} else if info.ScopeOf(b.Node).Function() != nil && b.Kind != names.FunctionBinding && b.Kind != names.ClassBinding {
				why = fmt.Sprintf("%s reads %s, which a function changes on %s", f.Name, n.Text(), p.line(b.Node))
			}
		}
		if why == "" {
			if called := info.Target(n).Function; called != nil {
				why = p.lostInChild(called, onlyHere, seen)
			}
		}
		return true
	})
	return why
}

// handedOver writes the arguments of a call as arguments of a Process, if all of them can be passed
// to another process.
func (p *Place) handedOver(call syntax.Node) (string, error) {
	if names.HasSplat(call) {
		return "", errors.New("the arguments are not all written out")
	}
	var positional, keywords []string
	list := call.Child(syntax.FieldArguments)
	if list.Kind() != syntax.ArgumentList {
		return "", errors.New("the arguments are a generator, which cannot be passed to another process")
	}
	for a := range list.Children() {
		value := a
		switch a.Kind() {
		case syntax.Comment:
			return "", errors.New("there are comments among the arguments")
		case syntax.KeywordArgument:
			value = a.Child(syntax.FieldValue)
			keywords = append(keywords, a.Text())
		default:
			positional = append(positional, a.Text())
		}
		if !p.File.Facts().Sendable(value, nil) {
			return "", fmt.Errorf("it is not known whether %s can be passed to another process", value.Text())
		}
	}
	out := ""
	if len(positional) == 1 {
		out = ", args=(" + positional[0] + ",)"
	} else if len(positional) > 1 {
		out = ", args=(" + strings.Join(positional, ", ") + ")"
	}
	if keywords != nil {
		out += ", kwargs=dict(" + strings.Join(keywords, ", ") + ")"
	}
	return out, nil
}
