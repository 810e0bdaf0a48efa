package budget

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// AccumulationNotAveraged is TFM607.
var AccumulationNotAveraged = &rule.Rule{
	Code: "TFM607", Name: "accumulation-not-averaged", Severity: rule.Warning,
	Summary: "Gradients are accumulated by hand in a way that is not that of a larger batch.",
	What: `
Looks at steps that add the gradients of a tape to an accumulator and apply that in
every so many batches, and reports a sum of gradients of a loss that is a mean over the
examples, which nothing divides by the number of batches; a loop after which nothing
applies what the last batches added; and gradients of an Embedding that are divided or
added as they are. Optimizers that make the size of a gradient of no account (Adam and
its like) are not reported for the sum.`,
	Why: `
Accumulation is to train as a batch that many times larger would. The sum of the mean
gradients of four batches is four times the gradient of the large one, so the learning
rate is four times what it says. Batches that are left over at the end are trained on
and forgotten. The gradient of an Embedding is tf.IndexedSlices, and TypeError is what
arithmetic on it raises ("unsupported operand type(s) for /: 'IndexedSlices' and 'int'").`,
	Bad: `
import tensorflow as tf

loss_fn = tf.keras.losses.MeanSquaredError()
optimizer = tf.keras.optimizers.SGD(0.1)
accumulated = [tf.Variable(tf.zeros_like(v), trainable=False) for v in model.trainable_variables]
for step, (x, y) in enumerate(dataset):
    with tf.GradientTape() as tape:
        loss = loss_fn(y, model(x, training=True))
    gradients = tape.gradient(loss, model.trainable_variables)
    for total, gradient in zip(accumulated, gradients):
        total.assign_add(gradient)
    if (step + 1) % 4 == 0:
        optimizer.apply_gradients(zip(accumulated, model.trainable_variables))
        for total in accumulated:
            total.assign(tf.zeros_like(total))`,
	Good: `
import tensorflow as tf

loss_fn = tf.keras.losses.MeanSquaredError()
optimizer = tf.keras.optimizers.SGD(0.1)
accumulated = [tf.Variable(tf.zeros_like(v), trainable=False) for v in model.trainable_variables]
for step, (x, y) in enumerate(dataset):
    with tf.GradientTape() as tape:
        loss = loss_fn(y, model(x, training=True))
    gradients = tape.gradient(loss, model.trainable_variables)
    for total, gradient in zip(accumulated, gradients):
        total.assign_add(gradient)
    if (step + 1) % 4 == 0:
        optimizer.apply_gradients(zip([g / 4 for g in accumulated], model.trainable_variables))
        for total in accumulated:
            total.assign(tf.zeros_like(total))
if (step + 1) % 4 != 0:
    optimizer.apply_gradients(zip([g / ((step + 1) % 4) for g in accumulated], model.trainable_variables))
    for total in accumulated:
        total.assign(tf.zeros_like(total))`,
	FixSafety: `
Unsafe: the updates change, to those of the larger batch. What was tuned to the sum,
the learning rate above all, must be tuned again. The batches that are left over are
applied after the loop, as the mean of as many as there are.`,
	Triggers: []string{"GradientTape"},
	Priced:   true,
	Check:    checkAccumulation,
}

// invariant are the optimizers whose step hardly depends on the size of the gradients:
// they divide by a mean of what it was (keras/src/optimizers), or take its sign.
var invariant = []string{"Adam", "AdamW", "Nadam", "Adamax", "RMSprop", "Adagrad", "Adadelta", "Adafactor", "Lion", "Lamb", "Ftrl"}

func checkAccumulation(p *rule.Pass) {
	text := p.File.Source.Text()
	if !strings.Contains(text, "%") && !strings.Contains(text, "floormod") {
		return // nothing is done every so many turns
	}
	info := p.File.Names()
	reported := map[*names.Scope]bool{}
	for _, gradient := range info.Calls {
		e := effects.Lookup(info.Callee(gradient))
		if e == nil || !e.Effects.Has(effects.TakesGradient) || rule.Method(gradient) != "gradient" || !rule.Mendable(gradient) {
			continue
		}
		a := &accumulation{Pass: p, info: info, gradient: gradient, step: info.ScopeOf(gradient)}
		if a.find() && !reported[a.step] {
			reported[a.step] = true
			a.check()
		}
	}
}

// accumulation is a step that adds up gradients.
type accumulation struct {
	*rule.Pass
	info     *names.Info
	step     *names.Scope
	gradient syntax.Node // the call that takes them

	added       syntax.Node // what is added: an element of the gradients, as it is or divided
	accumulator string      // the name of the list it is added to
	apply       syntax.Node // the call that applies
	applied     syntax.Node // the accumulator in it; none where something is made of it first
	every       syntax.Node // the if statement around it
	modulo      syntax.Node // count % n, in its condition
	loop        syntax.Node // the for loop of batches
}

// find finds what adds and what applies, in the code of the same function.
func (a *accumulation) find() bool {
	target := statementOf(a.gradient)
	assigned := target.FirstChild()
	if assigned.Kind() != syntax.Assignment || assigned.Child(syntax.FieldRight) != a.gradient || assigned.Child(syntax.FieldLeft).Kind() != syntax.Identifier {
		return false
	}
	a.findAdded()
	return a.added.Valid() && a.findApply()
}

// statementOf is the statement that an expression stands in.
func statementOf(n syntax.Node) syntax.Node {
	for n.Parent().Valid() && !n.Parent().Is(syntax.Block) && n.Kind() != syntax.ExpressionStatement {
		n = n.Parent()
	}
	return n
}

// findAdded finds the statement that adds the gradients, as the tape gave them, to an
// accumulator.
func (a *accumulation) findAdded() {
	for s := range a.statements() {
		s.Walk(func(n syntax.Node) bool {
			if a.added.Valid() || n.Kind() == syntax.FunctionDefinition && n != a.step.Node {
				return false
			}
			if n.Start() < a.gradient.Start() {
				return true
			}
			var to, value syntax.Node
			switch n.Kind() {
			case syntax.Call: // total.assign_add(g), accumulated[i].assign_add(gradients[i])
				if rule.Method(n) == "assign_add" {
					to, value = n.Child(syntax.FieldFunction).Child(syntax.FieldObject), names.Argument(n, 0, "delta")
				}
			case syntax.AugmentedAssignment: // accumulated[i] += g
				if n.Child(syntax.FieldOperator).Text() == "+=" && n.Child(syntax.FieldLeft).Kind() == syntax.Subscript {
					to, value = n.Child(syntax.FieldLeft), n.Child(syntax.FieldRight)
				}
			case syntax.ListComprehension: // accumulated = [total + g for …]
				sum, assigned := n.Child(syntax.FieldBody), n.Parent()
				if sum.Kind() == syntax.BinaryOperator && sum.Child(syntax.FieldOperator).Text() == "+" && assigned.Kind() == syntax.Assignment {
					to, value = sum.Child(syntax.FieldLeft), sum.Child(syntax.FieldRight)
					if list, _ := a.listOf(to); list.Text() != assigned.Child(syntax.FieldLeft).Text() {
						to, value = value, to
					}
				}
			case syntax.Assignment: // accumulated[i] = accumulated[i] + g
				left, sum := n.Child(syntax.FieldLeft), n.Child(syntax.FieldRight)
				if left.Kind() == syntax.Subscript && sum.Kind() == syntax.BinaryOperator && sum.Child(syntax.FieldOperator).Text() == "+" && sum.Child(syntax.FieldLeft).Text() == left.Text() {
					to, value = left, sum.Child(syntax.FieldRight)
				}
			}
			if !to.Valid() || !value.Valid() {
				return true
			}
			of := value
			if of.Kind() == syntax.BinaryOperator {
				of = of.Child(syntax.FieldLeft)
			}
			list, ok := a.listOf(of)
			into, known := a.listOf(to)
			if ok && known && a.isGradient(list) && into.Text() != list.Text() {
				a.added, a.accumulator = value, into.Text()
			}
			return true
		})
	}
}

// statements are those of the step: of the function, or of the module.
func (a *accumulation) statements() func(func(syntax.Node) bool) {
	if f := a.step.Function(); f != nil {
		return func(yield func(syntax.Node) bool) { yield(f.Body) }
	}
	return a.File.Tree.Statements()
}

// isGradient tells whether a list is what the tape gave, as it gave it.
func (a *accumulation) isGradient(list syntax.Node) bool {
	if list.Kind() != syntax.Identifier {
		return false
	}
	bindings := a.info.Reaching(list)
	return len(bindings) == 1 && bindings[0].Value == a.gradient
}

// listOf is the list that an expression is an element of: by its index, or
// as a loop over it, or over several in step with it, binds it.
func (a *accumulation) listOf(n syntax.Node) (syntax.Node, bool) {
	switch n.Kind() {
	case syntax.Subscript:
		list := n.Child(syntax.FieldValue)
		return list, list.Is(syntax.Identifier, syntax.Attribute)
	case syntax.Identifier:
		bindings := a.info.Reaching(n)
		if len(bindings) != 1 || !bindings[0].Value.Valid() || !bindings[0].Value.Parent().Is(syntax.ForStatement, syntax.ForInClause) {
			return syntax.Node{}, false
		}
		over := bindings[0].Value
		path, ok := pathTo(over.Parent().Child(syntax.FieldLeft), bindings[0].Node)
		if !ok {
			return syntax.Node{}, false
		}
		if over.Kind() != syntax.Call {
			return over, len(path) == 0
		}
		f := over.Child(syntax.FieldFunction)
		for f.Text() == "enumerate" && a.info.Lookup(f) == nil && len(path) > 0 && path[0] == 1 {
			over, path = names.Argument(over, 0, "iterable"), path[1:]
			if f = over.Child(syntax.FieldFunction); !f.Valid() {
				return over, len(path) == 0
			}
		}
		if f.Text() == "zip" && a.info.Lookup(f) == nil && len(path) == 1 {
			list := names.Element(over.Child(syntax.FieldArguments), path[0])
			return list, list.Is(syntax.Identifier, syntax.Attribute)
		}
	}
	return syntax.Node{}, false
}

// pathTo is where in the pattern of a loop a name stands: an index for each level.
func pathTo(pattern, name syntax.Node) ([]int, bool) {
	if pattern == name {
		return nil, true
	}
	if !pattern.Is(syntax.PatternList, syntax.TuplePattern, syntax.ListPattern) {
		return nil, false
	}
	i := 0
	for c := range pattern.Children() {
		if rest, ok := pathTo(c, name); ok {
			return append([]int{i}, rest...), true
		}
		if c.Kind() == syntax.ListSplatPattern {
			return nil, false
		}
		i++
	}
	return nil, false
}

// findApply finds the call that applies the accumulator in every so many turns.
func (a *accumulation) findApply() bool {
	for _, call := range a.info.Calls {
		if a.info.ScopeOf(call) != a.step || call.Start() < a.added.End() || !rule.Mendable(call) {
			continue
		}
		list, ok := a.appliedBy(call)
		if !ok {
			continue
		}
		every := call.Ancestor(syntax.IfStatement, syntax.ForStatement, syntax.WhileStatement, syntax.FunctionDefinition)
		if every.Kind() != syntax.IfStatement || !call.Within(every.Child(syntax.FieldConsequence)) || every.Child(syntax.FieldAlternative).Valid() {
			return false
		}
		every.Child(syntax.FieldCondition).Walk(func(n syntax.Node) bool {
			if n.Kind() == syntax.BinaryOperator && n.Child(syntax.FieldOperator).Text() == "%" {
				a.modulo = n
			}
			return !a.modulo.Valid()
		})
		a.every, a.apply = every, call
		if list.Text() == a.accumulator {
			a.applied = list
		}
		a.loop = every.Ancestor(syntax.ForStatement, syntax.WhileStatement, syntax.FunctionDefinition)
		return a.modulo.Valid() && (a.applied.Valid() || a.mentions(call))
	}
	return false
}

// mentions tells whether a call's arguments speak of the accumulator.
func (a *accumulation) mentions(call syntax.Node) bool {
	found := false
	call.Child(syntax.FieldArguments).Walk(func(n syntax.Node) bool {
		found = found || n.Text() == a.accumulator
		return !found
	})
	return found
}

// appliedBy is the list of gradients that a call applies, itself or through a function
// of the program that does nothing else with them.
func (a *accumulation) appliedBy(call syntax.Node) (list syntax.Node, ok bool) {
	if list, ok := a.pairs(call); ok {
		return list, true
	}
	f := a.info.Target(call.Child(syntax.FieldFunction)).Function
	if f == nil || f.Info != a.info || f.Class != nil {
		return list, false
	}
	for _, inner := range a.info.Calls {
		if !inner.Within(f.Body) {
			continue
		}
		if list, ok := a.pairs(inner); ok {
			i := slices.IndexFunc(f.Params, func(p names.Parameter) bool { return p.Name == list.Text() })
			if i < 0 {
				return syntax.Node{}, false
			}
			return names.Argument(call, i, list.Text()), true
		}
	}
	return list, false
}

// pairs is the first of the lists in optimizer.apply_gradients(zip(gradients,
// variables)), or the first argument of optimizer.apply.
func (a *accumulation) pairs(call syntax.Node) (syntax.Node, bool) {
	if !call.Child(syntax.FieldArguments).Valid() {
		return syntax.Node{}, false
	}
	e := effects.Lookup(a.info.Callee(call))
	if rule.Method(call) != "apply_gradients" && (e == nil || !e.Effects.Has(effects.AppliesGradients) || rule.Method(call) != "apply") {
		return syntax.Node{}, false
	}
	first := names.Element(call.Child(syntax.FieldArguments), 0)
	if f := first.Child(syntax.FieldFunction); first.Kind() == syntax.Call && f.Text() == "zip" {
		first = names.Element(first.Child(syntax.FieldArguments), 0)
	}
	return first, first.Valid()
}

func (a *accumulation) check() {
	sums, drops, sparse := a.sums(), a.drops(), a.sparse()
	if !sums && !drops && !sparse {
		return
	}
	n := a.modulo.Child(syntax.FieldRight).Text()
	span := rule.Callee(a.apply)
	var what []string
	if sums {
		what = append(what, fmt.Sprintf("The gradients of %s batches are summed on %s and applied as they are, while the loss is a mean over the examples: "+
			"the step is %s times that of the large batch. Divide them by %s.", n, a.Line(a.added, span), n, n))
	}
	if drops {
		what = append(what, fmt.Sprintf("Where the batches are no multiple of %s, nothing applies what the last of them added: apply it after the loop, divided by how many there are.", n))
	}
	if sparse {
		what = append(what, fmt.Sprintf("The gradient of an Embedding is IndexedSlices, and the arithmetic on %s raises TypeError: unsupported operand type(s). Take tf.convert_to_tensor of it first.", a.Line(a.added, span)))
	}
	a.Report(rule.Finding{
		Span:    span,
		Message: strings.Join(what, " "),
		Related: []rule.Related{{Span: rule.Span(a.added), Message: "added here"}},
		Fixes:   a.mend(sums, drops, sparse),
	})
}

// sums tells whether mean gradients are surely added and applied undivided, to an
// optimizer for which that matters.
func (a *accumulation) sums() bool {
	loss := names.Argument(a.gradient, 0, "target")
	if a.added.Kind() == syntax.BinaryOperator || !a.applied.Valid() || a.changed() || rule.MeanLoss(a.info, loss) != "" || a.divides(loss, 0) {
		return false
	}
	optimizer := a.apply.Child(syntax.FieldFunction).Child(syntax.FieldObject)
	made := a.info.Maker(optimizer)
	class, ok := strings.CutPrefix(a.info.Callee(made), "tensorflow.keras.optimizers.")
	return !ok || !slices.Contains(invariant, class)
}

// changed tells whether anything else is done to the accumulator, or the gradients,
// that may divide them.
func (a *accumulation) changed() bool {
	found := false
	for s := range a.statements() {
		s.Walk(func(n syntax.Node) bool {
			switch n.Kind() {
			case syntax.Assignment, syntax.AugmentedAssignment:
				right := n.Child(syntax.FieldRight)
				if n.Within(statementOf(a.gradient)) || a.added.Within(n) {
					return true
				}
				text := " " + spokenCode(right) + " "
				if strings.Contains(text, " "+a.accumulator+" ") && divides(right) {
					found = true
				}
			case syntax.Call:
				if m := rule.Method(n); m == "assign" && !a.added.Within(n) && divides(n) {
					found = true
				}
			}
			return !found
		})
	}
	return found
}

// spokenCode are the identifiers of an expression.
func spokenCode(n syntax.Node) string {
	var out []string
	n.Walk(func(n syntax.Node) bool {
		if n.Kind() == syntax.Identifier {
			out = append(out, n.Text())
		}
		return true
	})
	return strings.Join(out, " ")
}

// divides tells whether an expression divides or multiplies anything, or may by a call.
func divides(n syntax.Node) bool {
	found := false
	n.Walk(func(n syntax.Node) bool {
		switch n.Kind() {
		case syntax.BinaryOperator:
			op := n.Child(syntax.FieldOperator).Text()
			found = found || op == "/" || op == "*" || op == "//"
		case syntax.Attribute:
			name := n.Child(syntax.FieldAttribute).Text()
			found = found || strings.Contains(name, "div") || strings.Contains(name, "mul") || strings.Contains(name, "scal") || strings.Contains(name, "norm")
		}
		return !found
	})
	return found
}

// divides tells whether a loss, as it is made, is divided by anything.
func (a *accumulation) divides(loss syntax.Node, depth int) bool {
	if divides(loss) || depth > 4 {
		return true
	}
	if loss.Kind() != syntax.Identifier {
		return false
	}
	for _, b := range a.info.Reaching(loss) {
		if b.Kind != names.AssignBinding || a.divides(b.Value, depth+1) {
			return true
		}
	}
	return false
}

// drops tells whether what is left over when the batches end is surely not applied:
// the loop goes over data whose number of batches is not chosen here, and nothing
// applies gradients after it.
func (a *accumulation) drops() bool {
	condition := a.every.Child(syntax.FieldCondition)
	both := false
	condition.Walk(func(n syntax.Node) bool {
		both = both || n.Kind() == syntax.BooleanOperator
		return !both
	})
	if both {
		return false
	}
	loop := a.loop
	if loop.Kind() == syntax.FunctionDefinition || !loop.Valid() {
		if loop = a.calledIn(); !loop.Valid() {
			return false
		}
	} else if a.info.ScopeOf(loop) != a.step {
		return false
	}
	if loop.Kind() != syntax.ForStatement || loop.Child(syntax.FieldAlternative).Valid() || !a.openEnded(loop.Child(syntax.FieldRight)) {
		return false
	}
	if outer := loop.Ancestor(syntax.ForStatement, syntax.WhileStatement, syntax.FunctionDefinition); outer.Is(syntax.ForStatement, syntax.WhileStatement) && !a.startsIn(outer) {
		return false // what is left over counts in the next turn
	}
	for _, call := range a.info.Calls {
		// Who applies gradients anywhere else may apply these.
		if _, ok := a.pairs(call); ok && call != a.apply && !a.through(call) {
			return false
		}
	}
	return true
}

// through tells whether a call stands in the function that a.apply calls to apply.
func (a *accumulation) through(call syntax.Node) bool {
	f := a.info.Target(a.apply.Child(syntax.FieldFunction)).Function
	if f == nil || !call.Within(f.Body) {
		return false
	}
	// And nothing else calls that.
	return !slices.ContainsFunc(a.info.Calls, func(c syntax.Node) bool {
		return c != a.apply && a.info.Target(c.Child(syntax.FieldFunction)).Function == f
	})
}

// calledIn is the for loop around the only call of the step's function, or none.
func (a *accumulation) calledIn() syntax.Node {
	f := a.step.Function()
	var only syntax.Node
	for _, call := range a.info.Calls {
		if f != nil && a.info.Target(call.Child(syntax.FieldFunction)).Function == f {
			if only.Valid() {
				return syntax.Node{}
			}
			only = call
		}
	}
	if !only.Valid() {
		return only
	}
	return only.Ancestor(syntax.ForStatement, syntax.WhileStatement, syntax.FunctionDefinition)
}

// openEnded tells whether a loop goes over data, of which no number of batches is
// written down.
func (a *accumulation) openEnded(over syntax.Node) bool {
	for range 3 {
		f := over.Child(syntax.FieldFunction)
		if over.Kind() == syntax.Call && (f.Text() == "enumerate" || strings.HasPrefix(a.info.Qualified(f), "tqdm.")) {
			over = names.Argument(over, 0, "iterable")
		}
	}
	if !over.Is(syntax.Identifier, syntax.Attribute, syntax.Call) {
		return false
	}
	made := over
	for range 8 { // by which steps it was made
		if strings.Contains(made.Text(), "range(") {
			return false
		}
		for c := made; c.Kind() == syntax.Call; c = c.Child(syntax.FieldFunction).Child(syntax.FieldObject) {
			switch rule.Method(c) {
			case "take", "repeat", "skip":
				return false
			}
		}
		next := a.info.Maker(made)
		if !next.Valid() || next == made {
			break
		}
		made = next
	}
	return true
}

// startsIn tells whether the accumulator is made anew in every turn of a loop.
func (a *accumulation) startsIn(loop syntax.Node) bool {
	found := false
	for _, b := range a.step.Bindings(a.accumulator) {
		if b.Node.Within(loop) && !b.Node.Within(a.loop) {
			found = true
		}
	}
	return found
}

// sparse tells whether arithmetic is done on the gradients of a model that surely has
// an Embedding.
func (a *accumulation) sparse() bool {
	if a.added.Kind() != syntax.BinaryOperator {
		return false
	}
	variables := names.Argument(a.gradient, 1, "sources")
	if name := variables.Child(syntax.FieldAttribute).Text(); variables.Kind() != syntax.Attribute || name != "trainable_variables" && name != "trainable_weights" {
		return false
	}
	made := a.info.Maker(variables.Child(syntax.FieldObject))
	for _, m := range a.File.Models().Models {
		if made.Kind() == syntax.Call && m.Node == made && m.Trainable && embeds(m) {
			return true
		}
	}
	return false
}

// mend writes the division, and the update after the loop.
func (a *accumulation) mend(sums, drops, sparse bool) []rule.Fix {
	n := a.modulo.Child(syntax.FieldRight)
	f := a.step.Function()
	compiled := false
	if f != nil {
		yes, unknown := f.CompiledBy()
		compiled = yes || unknown
	}
	if sparse || compiled || !a.applied.Valid() || !n.Is(syntax.Identifier, syntax.Attribute, syntax.Integer) || !a.countsFromOne() || a.loop.Kind() != syntax.ForStatement ||
		!a.apply.Child(syntax.FieldFunction).Child(syntax.FieldObject).Valid() {
		return nil
	}
	count := "(" + a.modulo.Text() + ")"
	whole, rest := "", ""
	switch {
	case sums, a.added.Kind() != syntax.BinaryOperator:
		whole, rest = "g / "+n.Text(), "g / "+count
	case a.added.Child(syntax.FieldOperator).Text() == "/" && a.added.Child(syntax.FieldRight).Text() == n.Text():
		rest = "g * " + n.Text() + " / " + count
	default:
		return nil
	}
	if !sums {
		whole = ""
		if a.added.Kind() != syntax.BinaryOperator {
			rest = "" // a sum, as it is meant
		}
	}
	list := func(each string) string {
		if each == "" {
			return a.applied.Text()
		}
		return "[" + each + " for g in " + a.applied.Text() + "]"
	}
	var edits []source.Edit
	var does []string
	if whole != "" {
		edits = append(edits, source.Edit{Span: rule.Span(a.applied), New: list(whole)})
		does = append(does, "Divide the gradients by "+n.Text())
	}
	if drops {
		after, ok := a.afterLoop(list(rest))
		if !ok {
			return nil
		}
		edits = append(edits, after)
		does = append(does, "apply what is left over after the loop")
	}
	if len(edits) == 0 {
		return nil
	}
	message := strings.Join(does, ", and ")
	return []rule.Fix{{Message: strings.ToUpper(message[:1]) + message[1:], Applicability: rule.Unsafe, Edits: edits}}
}

// countsFromOne tells whether the condition is "count % n == 0" of a count that is the
// number of batches that were added.
func (a *accumulation) countsFromOne() bool {
	squeeze := func(n syntax.Node) string { return strings.Join(strings.Fields(n.Text()), "") }
	if squeeze(a.every.Child(syntax.FieldCondition)) != squeeze(a.modulo)+"==0" || a.loop.Kind() != syntax.ForStatement {
		return false
	}
	over := a.loop.Child(syntax.FieldRight)
	counter := names.Element(a.loop.Child(syntax.FieldLeft), 0)
	if over.Child(syntax.FieldFunction).Text() != "enumerate" || counter.Kind() != syntax.Identifier {
		return false
	}
	count := strings.Trim(squeeze(a.modulo.Child(syntax.FieldLeft)), "()")
	switch start := names.Argument(over, 1, "start"); {
	case !start.Valid(), start.Text() == "0":
		return count == counter.Text()+"+1" || count == "1+"+counter.Text()
	case start.Text() == "1":
		return count == counter.Text()
	}
	return false
}

// afterLoop is the block of the update once more, behind the loop, for what is left
// over.
func (a *accumulation) afterLoop(gradients string) (source.Edit, bool) {
	block := a.every.Child(syntax.FieldConsequence)
	if a.every.Parent() != a.loop.Child(syntax.FieldBody) || !a.StartsLine(a.loop) || !a.StartsLine(a.every) || block.Kind() != syntax.Block {
		return source.Edit{}, false
	}
	text, indent, outer := a.File.Source.Text(), a.IndentOf(a.every), a.IndentOf(a.loop)
	var last syntax.Node
	for c := range block.Children() {
		last = c
		odd := c.Is(syntax.BreakStatement, syntax.ContinueStatement) || !a.StartsLine(c)
		c.Walk(func(n syntax.Node) bool {
			odd = odd || n.Kind() == syntax.String && strings.ContainsAny(n.Text(), "\r\n") || n.Is(syntax.BreakStatement, syntax.ContinueStatement, syntax.Yield)
			return !odd
		})
		if odd && c.Kind() != syntax.Comment {
			return source.Edit{}, false
		}
	}
	start := a.Lines(block.FirstChild()).Start
	end := a.LineEnd(last)
	if !a.applied.Within(block) {
		return source.Edit{}, false
	}
	body := text[start:a.applied.Start()] + gradients + text[a.applied.End():end]
	nl := a.Newline()
	out := nl + outer + "if " + a.modulo.Text() + " != 0:"
	for line := range strings.Lines(body) {
		line = strings.TrimRight(line, "\r\n")
		inner, ok := strings.CutPrefix(line, indent)
		if !ok && strings.TrimSpace(line) != "" {
			return source.Edit{}, false
		}
		if inner == "" {
			out += nl // a blank line
			continue
		}
		out += nl + outer + inner
	}
	at := a.LineEnd(lastOf(a.loop))
	return source.Edit{Span: source.Span{Start: at, End: at}, New: out}, true
}

// lastOf is the last statement of a loop's body.
func lastOf(loop syntax.Node) syntax.Node {
	last := loop
	for c := range loop.Child(syntax.FieldBody).Children() {
		last = c
	}
	return last
}
