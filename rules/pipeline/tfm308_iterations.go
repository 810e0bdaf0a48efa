package pipeline

import (
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/facts"
	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// fewIterations is the largest number of iterations of a loop that is taken to show a few examples.
const fewIterations = 50

// few reports whether the loops around a prediction surely have only a few iterations together, until
// one that takes its time elsewhere: it waits for a person, or trains around them. The iterations of
// a loop that trains itself are steps, of which each epoch or update has a few.
func few(info *names.Info, t *flow.Trace, e *flow.Event) bool {
	total := 1
	loops := facts.LoopsAround(e)
	for i, loop := range loops {
		if waitsForPerson(info, loop) || i > 0 && trainsIn(t, loop, loops[i-1]) && !trainsIn(t, loops[i-1], syntax.Node{}) || i == 0 && nowAndThen(e, loop) && trainsIn(t, loop, syntax.Node{}) {
			break
		}
		if n := facts.Of(info).Iterations(loop, nil); n == 0 || n > fewIterations {
			return false
		} else if total *= n; total > fewIterations {
			return false
		}
	}
	return true
}

// waitsForPerson reports whether each iteration of a loop takes what a person types, shows something
// to one, or takes a file that a person uploads.
func waitsForPerson(info *names.Info, loop syntax.Node) bool {
	waits := false
	loop.Walk(func(n syntax.Node) bool {
		if n.Kind() == syntax.Call {
			switch info.Callee(n) {
			case "matplotlib.pyplot.show", "IPython.display.display":
				waits = true
			case "cv2.waitKey":
				delay := names.Argument(n, 0, "delay")
				waits = !delay.Valid() || delay.Text() == "0"
			case "":
				waits = rule.Builtin(info, n, "input") || rule.Builtin(info, n, "raw_input")
			}
		}
		return !waits && !n.Is(syntax.FunctionDefinition, syntax.Lambda)
	})
	over := loop.Child(syntax.FieldRight)
	if slices.Contains([]string{"keys", "items", "values"}, rule.Method(over)) {
		over = over.Child(syntax.FieldFunction).Child(syntax.FieldObject)
	}
	return waits || info.Callee(info.DefiningExpr(over)) == "google.colab.files.upload"
}

// nowAndThen reports whether an event happens only now and then: where a remainder is tested.
func nowAndThen(e *flow.Event, loop syntax.Node) bool {
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

// trainsIn reports whether a loop trains a model, and not only in a loop within it.
func trainsIn(t *flow.Trace, loop, within syntax.Node) bool {
	return slices.ContainsFunc(t.Having(effects.Trains|effects.AppliesGradients), func(e *flow.Event) bool {
		loops := facts.LoopsAround(e)
		return slices.Contains(loops, loop) && !slices.Contains(loops, within)
	})
}
