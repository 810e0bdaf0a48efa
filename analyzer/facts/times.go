package facts

import (
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// FewIterations is the largest number of iterations of a loop that is taken to show a few examples.
const FewIterations = 50

// Few reports whether the loops around an event surely have only a few iterations together. Only those
// count within the first loop that takes its time elsewhere: it waits for a person, or trains around
// them. The iterations of a loop that trains itself are steps, of which each epoch has a few.
func (f *Facts) Few(t *flow.Trace, e *flow.Event) bool {
	total := 1
	loops := LoopsAround(e)
	for i, loop := range loops {
		slow := f.WaitsForPerson(loop)
		if i == 0 {
			slow = slow || Rarely(e, loop) && Trains(t, loop, syntax.Node{})
		} else {
			slow = slow || Trains(t, loop, loops[i-1]) && !Trains(t, loops[i-1], syntax.Node{})
		}
		if slow {
			break
		}
		n := f.Iterations(loop, nil)
		if total *= n; n == 0 || total > FewIterations {
			return false
		}
	}
	return true
}

// WaitsForPerson reports whether each iteration of a loop takes what a person types, shows something
// to one, or takes a file that a person uploads.
func (f *Facts) WaitsForPerson(loop syntax.Node) bool {
	waits := false
	loop.Walk(func(n syntax.Node) bool {
		if n.Kind() == syntax.Call {
			switch f.info.Callee(n) {
			case "matplotlib.pyplot.show", "IPython.display.display":
				waits = true
			case "cv2.waitKey":
				delay := names.Argument(n, 0, "delay")
				waits = !delay.Valid() || delay.Text() == "0"
			case "":
				waits = f.info.Builtin(n) == "input" || f.info.Builtin(n) == "raw_input"
			}
		}
		return !waits && !n.Is(syntax.FunctionDefinition, syntax.Lambda)
	})
	over := loop.Child(syntax.FieldRight)
	if slices.Contains([]string{"keys", "items", "values"}, names.Method(over)) {
		over = over.Child(syntax.FieldFunction).Child(syntax.FieldObject)
	}
	return waits || f.info.Callee(f.info.DefiningExpr(over)) == "google.colab.files.upload"
}

// Endless reports whether a loop surely goes on until somebody stops the program: its test always holds, and
// none of its own statements leaves it, other than after an exception.
func (f *Facts) Endless(loop syntax.Node) bool {
	if loop.Kind() != syntax.WhileStatement || f.Verdict(loop.Child(syntax.FieldCondition), nil) != names.Always {
		return false
	}
	leaves := false
	loop.Child(syntax.FieldBody).Walk(func(n syntax.Node) bool {
		switch n.Kind() {
		case syntax.FunctionDefinition, syntax.Lambda, syntax.ClassDefinition, syntax.ExceptClause:
			return false
		case syntax.BreakStatement:
			leaves = leaves || LoopOf(n) == loop
		case syntax.ReturnStatement:
			leaves = true
		case syntax.Call:
			callee := f.info.Callee(n)
			leaves = leaves || callee == "sys.exit" || callee == "os._exit" || f.info.Builtin(n) == "exit" || f.info.Builtin(n) == "quit"
		}
		return !leaves
	})
	return !leaves
}

// Rarely reports whether few iterations of a loop reach an event: it is under a test of a remainder.
func Rarely(e *flow.Event, loop syntax.Node) bool {
	for _, at := range append(slices.Clone(e.Path), e.Node) {
		if !at.Within(loop) {
			continue
		}
		for n := at; n != loop; n = n.Parent() {
			if n.Kind() == syntax.IfStatement && strings.Contains(n.Child(syntax.FieldCondition).Text(), "%") {
				return true
			}
		}
	}
	return false
}

// Trains reports whether the iterations of a loop train a model, outside of another loop within it, or
// of none.
func Trains(t *flow.Trace, loop, within syntax.Node) bool {
	return slices.ContainsFunc(t.Having(effects.Trains|effects.AppliesGradients), func(e *flow.Event) bool {
		loops := LoopsAround(e)
		return slices.Contains(loops, loop) && !slices.Contains(loops, within)
	})
}

// Steps returns how often the program surely runs an event at most, from its own statements, if the code
// shows it, else 0.
func (f *Facts) Steps(e *flow.Event) int {
	if f.info.ScopeOf(append(slices.Clone(e.Path), e.Node)[0]).Function() != nil {
		return 0
	}
	return f.Times(LoopsAround(e))
}
