package budget

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/keras/steps"
	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// What makes a model fit whose weights and optimizer state do not.

// leaner are optimizers that keep less than others, those that are most like Adam first.
var leaner = []string{"RMSprop", "SGD"}

// leanerThan reports whether a class of optimizers keeps less than an optimizer.
func leanerThan(o *graph.Optimizer, class string) bool {
	return steps.OptimizerNamed(class, o.Keras).Slots < o.Slots
}

// waysOut says which changes make a training fit, with the fixes that make them. Without one, it says
// how large a GPU must be.
func waysOut(p *rule.Pass, u *graph.ModelCall, m *graph.Model, budget memory.Budget) (said string, fixes []rule.Fix) {
	before := memory.Resident(m, m.Optimizer)
	try := func(what, fix string, then *graph.Model, o *graph.Optimizer, edits []source.Edit) (fits bool) {
		turnsOut, fits := trainedAs(p, u, then, o, budget)
		if turnsOut == "" {
			return false
		}
		said += fmt.Sprintf(" %s, %s.", what, turnsOut)
		if len(edits) > 0 {
			saved := before.Optimizer - memory.Resident(then, o).Optimizer
			fixes = append(fixes, rule.Fix{Message: fmt.Sprintf("%s: %s less", fix, memory.Bytes(saved)), Applicability: rule.Unsafe, Edits: edits})
		}
		return fits
	}
	if single := counterpart(p, u, m); single != nil {
		then := single.ModelAt()
		if turnsOut, _ := trainedAs(p, single, then, then.Optimizer, budget); turnsOut != "" && memory.BuildNeed(then).High <= budget.Low {
			said += fmt.Sprintf(" In float32, %s.", turnsOut)
			after := memory.Resident(then, then.Optimizer)
			fixes = append(fixes, inFloat32(p, before.Weights+before.Optimizer-after.Weights-after.Optimizer)...)
		}
	}
	if m.Own == nil && memory.BuildNeed(m).High <= budget.Low {
		for _, base := range p.File.Models().Models {
			if frozen := freezes(m, base); frozen != nil {
				name, edits := freeze(p, m, base)
				if try("With a frozen "+name, "Freeze "+name, frozen, m.Optimizer, edits) {
					break
				}
			}
		}
		for _, class := range leaner {
			o := steps.OptimizerNamed(class, m.Optimizer.Keras)
			if leanerThan(m.Optimizer, class) && try("With "+class, "Train with "+class, m, o, otherOptimizer(p, m, class)) {
				break
			}
		}
	}
	if said == "" {
		return roomFor(p, leastNeed(p, u, m)), nil
	}
	return said, fixes
}

// leastNeed returns what a training needs with a batch of 1, or at least beside any batch.
func leastNeed(p *rule.Pass, u *graph.ModelCall, m *graph.Model) int64 {
	alone := memory.Resident(m, m.Optimizer)
	need, err := Prices(p.File, 0).Of(u).Cost(1)
	if err != nil {
		need.High = alone.Weights + alone.Optimizer
	}
	return max(need.High, memory.BuildNeed(m).High)
}

// roomFor says on which GPU so many bytes fit: the present one without the program's memory_limit, or a
// larger one.
func roomFor(p *rule.Pass, bytes int64) string {
	device, _ := against(p.File)
	fits := func() bool { return memory.BudgetOf(device, memory.Process{}).Low >= bytes }
	if fits() {
		return fmt.Sprintf(" Without memory_limit=%d it would fit.", limit(p.File)>>20)
	}
	for device.Total = bytes >> 30 << 30; !fits(); {
		device.Total += 1 << 30
	}
	return fmt.Sprintf(" It would fit a GPU of %d GiB.", device.Total>>30)
}

// trainedAs says how a training of a model in another state, or with another optimizer, turns out, and
// whether it surely fits; "" if it does not fit with any batch, or if that is not known.
func trainedAs(p *rule.Pass, u *graph.ModelCall, m *graph.Model, o *graph.Optimizer, budget memory.Budget) (said string, fits bool) {
	phase, err := Prices(p.File, 0).Of(u).As(m, o)
	if err != nil {
		return "", false
	}
	if phase.Batch == 0 {
		if need, err := phase.Cost(1); err == nil && need.High <= budget.Low {
			return fmt.Sprintf("a batch of 1 would need about %s and fit", memory.Bytes(need.Peak)), true
		}
		return "", false
	}
	if phase.Price() != nil || memory.Judge(phase.Need, budget) == memory.Exceeds && phase.Largest(budget) == 0 {
		return "", false
	}
	return fmt.Sprintf("training would need about %s and %s", memory.Bytes(phase.Need.Peak), then(phase, budget)), memory.Judge(phase.Need, budget) == memory.Fits
}

// otherOptimizer returns the edits that compile a model with another class of optimizer, which has no
// argument but the learning rate; none if they cannot be made here.
func otherOptimizer(p *rule.Pass, m *graph.Model, class string) []source.Edit {
	if m.Compiled == nil || !p.Here(m.Compiled.Node) {
		return nil
	}
	if in, edits := anotherOptimizer(p, m, class); in == p {
		return edits
	}
	return nil
}

// anotherOptimizer is otherOptimizer for a model that any module compiles. The edits are of the module that makes the
// optimizer.
func anotherOptimizer(p *rule.Pass, m *graph.Model, class string) (in *rule.Pass, edits []source.Edit) {
	in, compile := p.Of(m.Compiled.Node)
	if in == nil || !rule.Fixable(compile) {
		return nil, nil
	}
	if given := names.Argument(compile, 0, "optimizer"); given.Kind() == syntax.String {
		if name, ok := names.StringValue(given); ok && len(name)+2 == len(given.Text()) {
			return in, []source.Edit{{Span: source.Span{Start: given.Start() + 1, End: given.End() - 1}, New: strings.ToLower(class)}}
		}
	}
	in, made := p.Of(m.Optimizer.Node)
	if in == nil || !made.Valid() || !rule.Fixable(made) {
		return nil, nil
	}
	for a := range made.Child(syntax.FieldArguments).Children() {
		if a != names.Argument(made, 0, "learning_rate") && a.Child(syntax.FieldName).Text() != "learning_rate" {
			return nil, nil
		}
	}
	edits, _ = in.OtherClass(made, m.Optimizer.Class, "optimizers", class)
	return in, edits
}

// freezes returns the model with a part of it frozen, if the part has been trained before and is not
// all that the model trains.
func freezes(m, part *graph.Model) *graph.Model {
	if part == m || part.Node == m.Node {
		return nil
	}
	own, before, given, outside := map[*graph.Weight]bool{}, int64(0), false, false
	m.Weights(func(w *graph.Weight, trained bool) { own[w] = trained })
	part.Weights(func(w *graph.Weight, _ bool) {
		trained, has := own[w]
		outside, given = outside || !has, given || w.Given
		if trained {
			before += w.Bytes()
		}
	})
	frozen := m.Frozen(part)
	if _, left := frozen.Parameters(); outside || !given || before == 0 || left == 0 {
		return nil
	}
	return frozen
}

// freeze returns the name of a part of a model, and the edits that freeze it before the model is
// compiled; none if they cannot be made here.
func freeze(p *rule.Pass, m, part *graph.Model) (name string, edits []source.Edit) {
	name, at := beforeCompile(p, m, part)
	if !at.Valid() {
		return name, nil
	}
	return name, []source.Edit{source.Insert(at.Start(), name+".trainable = False"+p.Newline()+p.IndentOf(at))}
}

// unfrozen returns the statement by which a program trains a part of a model on purpose before it compiles the
// model: it sets trainable of the part, or of layers of it, to True. It returns none if there is none.
func unfrozen(p *rule.Pass, m, part *graph.Model) (found syntax.Node) {
	info := p.File.Names()
	if m.Compiled == nil {
		return found
	}
	f := p.File.Facts()
	before := func(a, b syntax.Node) bool { return a.Tree() != b.Tree() || a.Start() < b.Start() }
	for _, module := range info.Program() {
		for _, n := range module.Identifiers("trainable") {
			target := n.Parent()
			assigned := target.Parent()
			if n.Field() != syntax.FieldAttribute || assigned.Kind() != syntax.Assignment || target.Field() != syntax.FieldLeft || assigned.Child(syntax.FieldRight).Kind() == syntax.False {
				continue
			}
			if before(part.Node, assigned) && before(assigned, m.Compiled.Node) && f.DependsOn(target.Child(syntax.FieldObject), part.Node) {
				found = assigned
			}
		}
	}
	return found
}

// beforeCompile returns the name of a part of a model, and the statement that compiles the model, before
// which the part can be changed; none if it cannot be.
func beforeCompile(p *rule.Pass, m, part *graph.Model) (name string, at syntax.Node) {
	if in, name, at := compiledAfter(p, m, part); in == p {
		return name, at
	}
	return "base", at
}

// compiledAfter is beforeCompile for a module that makes the part and compiles the model, or makes a whole of the part
// by a function that returns it to where it is compiled.
func compiledAfter(p *rule.Pass, m, part *graph.Model) (in *rule.Pass, name string, at syntax.Node) {
	name = "base"
	if m.Compiled != nil {
		if name, at := returnedAs(p, m, part); at.Valid() {
			return p, name, at
		}
	}
	in, made := p.Of(part.Node)
	if in == nil {
		return p, name, at
	}
	bound := made.Parent().Child(syntax.FieldLeft)
	if bound.Kind() != syntax.Identifier {
		return in, name, at
	}
	name = bound.Text()
	if m.Compiled == nil {
		return in, name, at
	}
	info := in.File.Names()
	compiled, compile := p.Of(m.Compiled.Node)
	statement := compile.Ancestor(syntax.ExpressionStatement)
	if compiled != in || info.ScopeOf(statement) != info.ScopeOf(bound) { // the function returns it
		if statement = returns(made); !statement.Valid() || m.Node.Tree() != part.Node.Tree() || m.Node.Ancestor(syntax.FunctionDefinition) != part.Node.Ancestor(syntax.FunctionDefinition) {
			return in, name, at
		}
	}
	defs := info.ScopeOf(bound).Bindings(name)
	if !statement.Valid() || !rule.Fixable(statement) || !in.StartsLine(statement) || info.ScopeOf(statement) != info.ScopeOf(bound) || len(defs) != 1 || bound.Start() > statement.Start() {
		return in, name, at
	}
	return in, name, statement
}

// returnedAs returns the name that the part has where the file compiles the model, if a function that returns the part
// gave it there, and the statement that compiles the model.
func returnedAs(p *rule.Pass, m, part *graph.Model) (name string, at syntax.Node) {
	statement := m.Compiled.Node.Ancestor(syntax.ExpressionStatement)
	if !p.Here(statement) || !rule.Fixable(statement) || !p.StartsLine(statement) {
		return "", at
	}
	scope := p.File.Names().ScopeOf(statement)
	for _, name := range scope.Names() {
		bound := scope.Bindings(name)
		if len(bound) != 1 || bound[0].Kind != names.AssignBinding || bound[0].Value.Kind() != syntax.Call || bound[0].Value == part.Node || bound[0].Node.Start() > statement.Start() {
			continue
		}
		if from, one := p.File.Facts().Only(bound[0].Value, nil); one && from.Node == part.Node {
			return name, statement
		}
	}
	return "", at
}

// returns returns the statement by which the function around a node ends, at the level of its body; none if there is
// none.
func returns(n syntax.Node) (last syntax.Node) {
	for s := range n.Ancestor(syntax.FunctionDefinition).Child(syntax.FieldBody).Children() {
		if s.Kind() == syntax.ReturnStatement {
			last = s
		}
	}
	return last
}

// counterpart returns a training as it is where what the program sets to float64 is float32; nil if
// that changes nothing. It may evaluate the program once more.
func counterpart(p *rule.Pass, u *graph.ModelCall, m *graph.Model) *graph.ModelCall {
	if !inFloat64(m) || p.File.Cut() != nil {
		return nil
	}
	single := p.File.Fact(underSingle{}, func() any { return p.File.ModelsUnder("float32") }).(*graph.Program)
	other := sameUse(single.Uses, u, p.File.Models().Uses)
	if other == nil || inFloat64(other.Model) || len(other.Model.Unresolved) > 0 {
		return nil
	}
	return other
}

// underSingle is the key of the program's models in float32.
type underSingle struct{}

// inFloat64 reports whether a model has weights of float64.
func inFloat64(m *graph.Model) (has bool) {
	m.Weights(func(w *graph.Weight, _ bool) { has = has || w.DType == "float64" })
	return has
}

// inFloat32 returns the fix that sets float32 in place of float64, where the file sets it for all that
// Keras creates, or for layers.
func inFloat32(p *rule.Pass, saved int64) (fixes []rule.Fix) {
	places := float64Places(p)
	if !slices.ContainsFunc(places, func(f float64Place) bool { return f.ofKeras(p) }) {
		return nil
	}
	for _, fix := range useFloat32(p, places) {
		if fix.Applicability != rule.Display { // else these places may not be all
			fix.Message = fmt.Sprintf("%s: %s less", fix.Message, memory.Bytes(saved))
		}
		fixes = append(fixes, fix)
	}
	return fixes
}

// inSingle is inHalf for a model of float64, which is smaller in float32.
func inSingle(p *rule.Pass, m *graph.Model, budget memory.Budget) (said string, fixes []rule.Fix) {
	if !inFloat64(m) || p.File.Cut() != nil {
		return "", nil
	}
	program := p.File.Models()
	single := p.File.Fact(underSingle{}, func() any { return p.File.ModelsUnder("float32") }).(*graph.Program)
	at := slices.Index(program.Models, m)
	if len(single.Models) != len(program.Models) || single.Models[at].Node != m.Node || len(single.Models[at].Unresolved) > 0 {
		return "", nil
	}
	before, build := memory.Resident(m, nil), memory.BuildNeed(single.Models[at])
	if inFloat64(single.Models[at]) || build.High > budget.Low {
		return "", nil
	}
	return fmt.Sprintf(" In float32 they would be %s, and %s while they are made.", memory.Bytes(build.Weights), memory.Bytes(build.Peak)), inFloat32(p, before.Weights-build.Weights)
}

// inHalf returns the fix that makes a model which is not trained with weights of float16, and says how
// large they are then. It returns none if they do not fit then, either, or if the GPU is slow in float16.
func inHalf(p *rule.Pass, m *graph.Model, budget memory.Budget) (said string, fixes []rule.Fix) {
	if said, fixes := inSingle(p, m, budget); said != "" {
		return said, fixes
	}
	if program := p.File.Models(); mixes(p.File) && p.File.Cut() == nil && !slices.ContainsFunc(program.Uses, trains) {
		half := p.File.ModelsUnder("float16")
		at := slices.Index(program.Models, m)
		if len(half.Models) != len(program.Models) || half.Models[at].Node != m.Node || len(half.Models[at].Unresolved) > 0 {
			return roomFor(p, memory.BuildNeed(m).High), nil
		}
		if build := memory.BuildNeed(half.Models[at]); build.High <= budget.Low {
			return fmt.Sprintf(" With the policy float16 they would be %s, and %s while they are made.", memory.Bytes(build.Weights), memory.Bytes(build.Peak)), setPolicy(p, "float16", nil)
		}
	}
	return roomFor(p, memory.BuildNeed(m).High), nil
}
