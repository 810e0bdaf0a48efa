package rewrite

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tfmem/tfmem/analyzer/dataset"
	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// AccumulateGradients trains on a batch in parts.
var AccumulateGradients = &Rewrite{
	Name:  "accumulate-gradients",
	Title: "Accumulate gradients: split each batch into four parts",
	What: `
Splits every batch into four parts, in a loop over a dataset that records with
tf.GradientTape and applies the gradients, or in a function that such a loop calls
for each batch. The gradients of the parts are averaged, each by its share of the
examples, and applied once: a smaller last batch counts as before, and no example
is left over. The sparse gradients of an embedding (IndexedSlices) stay sparse.
The function may be compiled by tf.function, which then processes the parts one
after the other, if it is traced for each batch size: with input_signature or
reduce_retracing the rewrite is not offered.

At a call of fit, the optimizer gets gradient_accumulation_steps=4 and the batch
size becomes a quarter of what it was. Keras 2 has no such argument: where the
project or the file shows that it runs Keras 2, the model gets a train_step that
splits each batch into four parts. Neither is offered with an embedding: its
sparse gradients would become dense, which most optimizers treat differently.

It is offered where the loss is known to be a mean over the examples of a batch,
where the batch size is a number in the file (fit), and where nothing in the loop
but metrics and the loss itself reads the forward pass.`,
	Changes: `
The updates equal those of the whole batch but for rounding, if each example is
processed by itself. BatchNormalization is different: it sees the smaller parts.
Dropout drops other units. A quarter of the activations is live at a time, and one
more copy of all gradients. Four small steps take longer than a large one.

In fit, batches left over at the end of an epoch count in the first update of the
next one, and batches left over at the very end are not applied; a dataset whose
length the batch size divides has none. Callbacks see four times as many batches.`,
	Before: `
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.Adam()
loss_fn = tf.keras.losses.MeanSquaredError()
dataset = tf.data.Dataset.from_tensor_slices((features, labels)).batch(64)
for x, y in dataset:` + Here + `
    with tf.GradientTape() as tape:
        loss = loss_fn(y, model(x, training=True))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))`,
	After: `
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.Adam()
loss_fn = tf.keras.losses.MeanSquaredError()
dataset = tf.data.Dataset.from_tensor_slices((features, labels)).batch(64)
for x, y in dataset:
    # Each batch is taken in four parts, whose gradients are averaged.
    batch = (x, y)
    size = tf.nest.flatten(batch)[0].shape[0]
    rows = (size + 3) // 4
    for start in range(0, size, rows):
        x, y = tf.nest.map_structure(lambda t: t[start:start + rows], batch)
        with tf.GradientTape() as tape:
            loss = loss_fn(y, model(x, training=True))
        share = min(rows, size - start) / size
        if start == 0:
            gradients = [None] * len(model.trainable_variables)
        for i, part in enumerate(tape.gradient(loss, model.trainable_variables)):
            if isinstance(part, tf.IndexedSlices):  # the rows of an embedding
                values, indices = share * part.values, part.indices
                if gradients[i] is not None:
                    values = tf.concat([gradients[i].values, values], 0)
                    indices = tf.concat([gradients[i].indices, indices], 0)
                gradients[i] = tf.IndexedSlices(values, indices, part.dense_shape)
            elif part is not None:
                part = share * part
                gradients[i] = part if gradients[i] is None else gradients[i] + part
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))`,
	Triggers: []string{"GradientTape", "fit"},
	Check:    checkAccumulate,
}

func checkAccumulate(p *Place) (Change, error) {
	if call := p.method("fit"); call.Valid() {
		return accumulateInFit(p, call)
	}
	for _, body := range p.bodies() {
		switch tapes := p.tapes(body); len(tapes) {
		case 0:
		case 1:
			edits, err := p.inParts(body, tapes[0], 4)
			return Change{Edits: edits}, err
		default:
			return Change{}, fmt.Errorf("the step has more than one tape: those on %s and %s", p.line(tapes[0]), p.line(tapes[1]))
		}
	}
	return Change{}, errors.New("there is neither a call of fit here nor a loop or a function with a gradient tape")
}

// InParts are the edits that have the step of a tape take each batch in so many parts, as
// [AccumulateGradients] does, or why that cannot be.
func InParts(pass *rule.Pass, tape syntax.Node, parts int64) ([]source.Edit, error) {
	p := &Place{Pass: pass, Span: rule.Span(tape)}
	body := tape.Ancestor(syntax.ForStatement, syntax.WhileStatement, syntax.FunctionDefinition, syntax.Lambda)
	if !body.Valid() || len(p.tapes(body)) != 1 {
		return nil, errors.New("the tape is not the one of a loop or of a function")
	}
	edits, err := p.inParts(body, tape, parts)
	return joined(edits), err
}

func (p *Place) inParts(body, tape syntax.Node, parts int64) ([]source.Edit, error) {
	info := p.File.Names()
	s := step{Place: p, info: info, loop: body, function: info.FunctionAt(body), tape: tape, parts: parts}
	for _, find := range []func() error{s.findStep, s.findData, s.findContext, s.findReads} {
		if err := find(); err != nil {
			return nil, err
		}
	}
	if why := rule.MeanLoss(info, s.loss); why != "" {
		return nil, errors.New(why)
	}
	return s.write()
}

// bodies are what may be a step: the loops around the place, its function, and the functions
// that are called in its loops or its statement.
func (p *Place) bodies() []syntax.Node {
	info := p.File.Names()
	calling := p.node()
	var bodies []syntax.Node
	for loop := p.loop(); loop.Valid(); loop = loop.Ancestor(syntax.ForStatement, syntax.WhileStatement, syntax.FunctionDefinition, syntax.Lambda, syntax.ClassDefinition) {
		bodies, calling = append(bodies, loop), loop
	}
	if f := info.ScopeOf(p.node()).Function(); f != nil {
		bodies = append(bodies, f.Node)
	}
	if s := statement(calling); s.Valid() {
		calling = s
	}
	for _, call := range info.Calls {
		if f := info.Target(call.Child(syntax.FieldFunction)).Function; call.Within(calling) && f != nil && p.Here(f.Node) {
			bodies = append(bodies, f.Node)
		}
	}
	return bodies
}

// tapes are the tapes of a loop or a function, without those of nested ones.
func (p *Place) tapes(body syntax.Node) []syntax.Node {
	info := p.File.Names()
	return slices.DeleteFunc(slices.Clone(info.Calls), func(call syntax.Node) bool {
		e := effects.Lookup(info.Callee(call))
		return e == nil || !e.Effects.Has(effects.StartsTape) ||
			call.Ancestor(syntax.ForStatement, syntax.WhileStatement, syntax.FunctionDefinition, syntax.Lambda) != body
	})
}

// A step trains on a batch: the body of a loop, in every iteration, or that of a function,
// in every call.
type step struct {
	*Place
	info     *names.Info
	loop     syntax.Node     // the loop, or the function's definition
	function *names.Function // nil for a loop
	compiled bool            // by tf.function, for each size of a batch
	tape     syntax.Node     // the call
	parts    int64           // that are made of a batch

	with, taken, apply syntax.Node // statements of the body, in this order
	gradient           syntax.Node // the call, in taken
	gradients          string      // the name of what it yields
	loss               syntax.Node // the identifier in gradient
	variables          syntax.Node // of which gradient takes the gradients
	data               []string    // the names of what the loop goes over, as the step sees them

	metrics              []syntax.Node // updates that read what only a part has
	readsLoss, readsData bool          // after the step
}

// findStep finds the statements of the step in the body of the loop.
func (s *step) findStep() error {
	body := s.loop.Child(syntax.FieldBody)
	s.with = rule.StatementIn(s.tape, body)
	if s.loop.Kind() == syntax.WhileStatement || s.with.Kind() != syntax.WithStatement || s.tape.Ancestor(syntax.WithStatement) != s.with {
		return errors.New("the tape is not a with statement of its own in a for loop or a function")
	}
	items := 0
	s.with.FirstChild().Walk(func(n syntax.Node) bool {
		if n.Kind() == syntax.WithItem {
			items++
		}
		return n.Is(syntax.WithClause)
	})
	if items != 1 {
		return errors.New("the with statement of the tape enters something else too")
	}
	if !rule.Fixable(s.loop) {
		return errors.New("the code here does not parse")
	}
	for _, call := range s.info.Calls {
		if !call.Within(body) {
			continue
		}
		e := effects.Lookup(s.info.Callee(call))
		switch {
		case e == nil:
		case e.Effects.Has(effects.TakesGradient):
			if s.gradient.Valid() {
				return fmt.Errorf("gradients are taken twice, on %s and %s", s.line(s.gradient), s.line(call))
			}
			s.gradient = call
		case e.Effects.Has(effects.AppliesGradients):
			if s.apply.Valid() {
				return fmt.Errorf("gradients are applied twice, on %s and %s", s.line(s.apply), s.line(call))
			}
			s.apply = call
		}
	}
	if !s.gradient.Valid() || !s.apply.Valid() {
		return errors.New("the gradients are not both taken and applied here")
	}
	if s.apply.Child(syntax.FieldFunction).Child(syntax.FieldAttribute).Text() == "minimize" || s.gradient.Child(syntax.FieldFunction).Child(syntax.FieldAttribute).Text() != "gradient" {
		return errors.New("the gradients are not taken by gradient() and applied by apply_gradients()")
	}
	s.taken, s.apply = statement(s.gradient), rule.StatementIn(s.apply, body)
	assigned := s.taken.FirstChild()
	if s.taken.Kind() != syntax.ExpressionStatement || assigned.Kind() != syntax.Assignment || assigned.Child(syntax.FieldLeft).Kind() != syntax.Identifier || assigned.Child(syntax.FieldRight) != s.gradient {
		return errors.New("what gradient() returns is not simply given a name")
	}
	if !s.StartsLine(s.taken) || !s.EndsLine(s.taken) {
		return errors.New("the statement that takes the gradients shares its line with another")
	}
	s.gradients = assigned.Child(syntax.FieldLeft).Text()
	if in := s.taken.Parent(); in != body && in != s.with.Child(syntax.FieldBody) {
		return errors.New("the gradients are taken under a condition")
	}
	if s.apply.Kind() != syntax.ExpressionStatement || s.apply.Start() < s.taken.End() {
		return errors.New("the gradients are applied under a condition")
	}
	s.loss, s.variables = names.Argument(s.gradient, 0, "target"), names.Argument(s.gradient, 1, "sources")
	if s.loss.Kind() != syntax.Identifier {
		return errors.New("the loss has no name")
	}
	if !isList(s.info, s.variables, 0) {
		return errors.New("the gradients are not those of a list of variables, such as model.trainable_variables")
	}
	if names.HasSplat(s.gradient) {
		return errors.New("gradient() is called with arguments that are not written out")
	}
	if left := exits(s.with); left.Valid() {
		return fmt.Errorf("the step is left on %s", s.line(left))
	}
	return nil
}

// exits is a statement that leaves the code of n, or none.
func exits(n syntax.Node) syntax.Node {
	var found syntax.Node
	n.Walk(func(m syntax.Node) bool {
		if m.Is(syntax.BreakStatement, syntax.ContinueStatement, syntax.ReturnStatement, syntax.Yield) {
			found = m
		}
		return !m.Is(syntax.FunctionDefinition, syntax.Lambda)
	})
	return found
}

// isList reports whether an expression is surely a list of variables, and the same
// whenever it is evaluated.
func isList(info *names.Info, n syntax.Node, depth int) bool {
	switch n.Kind() {
	case syntax.Attribute:
		return strings.HasSuffix(n.Child(syntax.FieldAttribute).Text(), "variables") || strings.HasSuffix(n.Child(syntax.FieldAttribute).Text(), "weights")
	case syntax.List:
		return true
	case syntax.BinaryOperator:
		return isList(info, n.Child(syntax.FieldLeft), depth) && isList(info, n.Child(syntax.FieldRight), depth)
	case syntax.ParenthesizedExpression:
		return isList(info, n.FirstChild(), depth)
	case syntax.Identifier:
		reaching := info.ReachingDefs(n)
		return depth < 3 && len(reaching) == 1 && reaching[0].Kind == names.AssignBinding && isList(info, reaching[0].Value, depth+1)
	}
	return false
}

// elements are the names that a loop binds to the elements of a dataset.
func (s *step) elements(loop syntax.Node) (syntax.Node, error) {
	left, right := loop.Child(syntax.FieldLeft), loop.Child(syntax.FieldRight)
	counted := false
	if f := right.Child(syntax.FieldFunction); right.Kind() == syntax.Call {
		switch {
		case f.Text() == "enumerate" && s.info.Lookup(f) == nil:
			right, counted = names.Argument(right, 0, "iterable"), true
		case f.Kind() == syntax.Attribute && f.Child(syntax.FieldAttribute).Text() == "enumerate":
			right, counted = f.Child(syntax.FieldObject), true
		}
	}
	if right.Kind() == syntax.Call && strings.HasPrefix(s.info.Qualified(right.Child(syntax.FieldFunction)), "tqdm.") {
		right = names.Argument(right, 0, "iterable")
	}
	switch d := dataset.NewTracer(s.info).Of(right); {
	case d.State == dataset.Unbatched:
		return left, errors.New("the dataset yields single examples, not batches")
	case d.State == dataset.NotDataset && s.info.TypeOf(right).Class != "tensorflow.data.Dataset":
		return left, errors.New("what the loop goes over is not known to be a tf.data.Dataset")
	}
	if counted {
		if left = names.Element(left, 1); !left.Valid() {
			return left, errors.New("what the loop binds is not known")
		}
	}
	return left, nil
}

// A parameter of a function that is a step, by what all calls give it.
type parameter struct {
	node         syntax.Node // where it is bound
	batch, model bool
	other        bool // neither, nor a number or an object of Keras
}

// parameters are the parameters of the function that is the step.
func (s *step) parameters() ([]parameter, error) {
	f := s.function
	for _, b := range f.Scope.Parent.Bindings(f.Name) {
		for _, use := range s.info.Uses(b) {
			call := use.Parent().Parent()
			compiles := use.Parent().Kind() == syntax.ArgumentList && s.info.Callee(call) == "tensorflow.function"
			if use.Parent().Child(syntax.FieldFunction) != use && !compiles {
				return nil, fmt.Errorf("%s escapes on %s", f.Name, s.line(use))
			}
		}
	}
	calls := s.info.CallsOf(f)
	if len(calls) == 0 {
		return nil, fmt.Errorf("no call of %s is visible here", f.Name)
	}
	var out []parameter
	first := 0 // that a call gives
	if f.Class != nil && !f.IsStatic() {
		first = 1
	}
	for i, param := range f.Params {
		if i < first {
			continue
		}
		made := parameter{batch: true, model: true}
		for _, b := range f.Scope.Bindings(param.Name) {
			if b.Kind == names.ParameterBinding {
				made.node = b.Node
			}
		}
		for _, call := range calls {
			given := names.Argument(call, i-first, param.Name)
			if !given.Valid() && !names.HasSplat(call) {
				given = param.Default
			}
			t := s.info.TypeOf(given)
			made.batch = made.batch && s.isBatch(call, given)
			made.model = made.model && s.isModel(given)
			made.other = made.other || !given.Is(syntax.True, syntax.False, syntax.NoneLiteral, syntax.Integer, syntax.Float, syntax.String) &&
				!strings.HasPrefix(t.Class, "tensorflow.keras.") && t.Local == nil
		}
		made.other = made.other && !made.batch
		out = append(out, made)
	}
	return out, nil
}

// isBatch reports whether the arguments of a call hold the examples of a batch: the call is
// in a loop over a dataset, and its arguments are made of the elements.
func (s *step) isBatch(call, given syntax.Node) bool {
	for loop := call; ; {
		loop = loop.Ancestor(syntax.ForStatement, syntax.FunctionDefinition, syntax.Lambda)
		if loop.Kind() != syntax.ForStatement {
			return false
		}
		left, err := s.elements(loop)
		if err != nil {
			continue
		}
		depth := 0
		var isElement func(n syntax.Node) bool
		isElement = func(n syntax.Node) bool {
			depth++
			reaching := s.info.ReachingDefs(n)
			return depth < 20 && len(reaching) > 0 && !slices.ContainsFunc(reaching, func(b *names.Binding) bool {
				return !b.Node.Within(left) && (!b.Node.Within(loop) || !b.Value.Valid() || b.Kind == names.AugmentedBinding || !rowwise(s.info, b.Value, isElement))
			})
		}
		if given.Valid() && rowwise(s.info, given, isElement) {
			return true
		}
	}
}

// findData finds the names of a batch that the step reads: loop variables over a dataset,
// or parameters of the function.
func (s *step) findData() error {
	batch, made := map[string]bool{}, map[syntax.Node]bool{} // the names now, and where they are bound
	isBatch := func(n syntax.Node) bool { return batch[n.Text()] }
	bind := func(target syntax.Node, rows bool) {
		target.Walk(func(n syntax.Node) bool {
			if n.Kind() == syntax.Identifier {
				batch[n.Text()], made[n] = rows, rows
			}
			return !n.Is(syntax.Attribute, syntax.Subscript)
		})
	}
	models, others := map[syntax.Node]bool{}, map[syntax.Node]bool{}
	left := s.loop.Child(syntax.FieldParameters)
	if s.function == nil {
		var err error
		if left, err = s.elements(s.loop); err != nil {
			return err
		}
		bind(left, true)
	} else {
		params, err := s.parameters()
		if err != nil {
			return err
		}
		for _, param := range params {
			bind(param.node, param.batch)
			models[param.node], others[param.node] = param.model, param.other
		}
	}
	isModel := func(n syntax.Node) bool {
		reaching := s.info.ReachingDefs(n)
		return s.isModel(n) || len(reaching) == 1 && models[reaching[0].Node]
	}
	// What statements before the step make of a batch is taken in parts too.
	for b := range rule.Siblings(s.with) {
		if b.Start() >= s.with.Start() {
			break
		}
		if a := b.FirstChild(); b.Kind() == syntax.ExpressionStatement && a.Kind() == syntax.Assignment {
			bind(a.Child(syntax.FieldLeft), rowwise(s.info, a.Child(syntax.FieldRight), isBatch))
		}
	}
	feeds := false
	inLoop := s.loop.Child(syntax.FieldBody)
	var err error
	s.with.Walk(func(n syntax.Node) bool {
		if n.Kind() != syntax.Identifier || n.Field() == syntax.FieldAttribute || n.Parent().Kind() == syntax.KeywordArgument && n.Field() == syntax.FieldName {
			return true
		}
		for _, b := range s.info.ReachingDefs(n) {
			switch {
			case b.Node.Within(s.with) || b.Node == n:
			case made[b.Node]:
				if !slices.Contains(s.data, b.Name) {
					s.data = append(s.data, b.Name)
				}
				if call := n.Parent().Parent(); n.Parent().Kind() == syntax.ArgumentList && call.Kind() == syntax.Call && isModel(call.Child(syntax.FieldFunction)) {
					feeds = true
				}
			case b.Node.Within(inLoop) || others[b.Node]:
				err = fmt.Errorf("the step reads %s of %s, which may or may not be of the size of a batch", b.Name, s.line(b.Node))
			}
		}
		return true
	})
	if err == nil && !feeds {
		err = errors.New("no Keras model is called on a batch")
	}
	slices.SortStableFunc(s.data, func(a, b string) int { return strings.Index(left.Text(), a) - strings.Index(left.Text(), b) })
	return err
}

// rowwise reports whether an expression has the same examples as the batch it is made of.
// isBatch says which names are the batch.
func rowwise(info *names.Info, n syntax.Node, isBatch func(syntax.Node) bool) bool {
	switch n.Kind() {
	case syntax.Identifier:
		return isBatch(n)
	case syntax.ParenthesizedExpression:
		return rowwise(info, n.FirstChild(), isBatch)
	case syntax.BinaryOperator:
		left, right := n.Child(syntax.FieldLeft), n.Child(syntax.FieldRight)
		return rowwise(info, left, isBatch) && right.Is(syntax.Integer, syntax.Float)
	case syntax.Call:
		switch info.Callee(n) {
		case "tensorflow.cast", "tensorflow.convert_to_tensor", "tensorflow.one_hot", "tensorflow.image.convert_image_dtype", "tensorflow.image.resize":
			first := n.Child(syntax.FieldArguments).FirstChild()
			return rowwise(info, first, isBatch)
		}
	case syntax.Subscript: // of a dictionary
		return rowwise(info, n.Child(syntax.FieldValue), isBatch) && n.Child(syntax.FieldSubscript).Kind() == syntax.String
	}
	return false
}

// findContext makes sure that Python can count the examples of a batch, and that no strategy
// shares them. A compiled function can where eager code calls it: it is traced for each size.
func (s *step) findContext() error {
	inStrategy := errors.New("the step runs under a distribution strategy")
	if s.function == nil {
		for e := range s.events(s.with) {
			switch {
			case e.Node != s.tape:
			case e.Context&(flow.Compiled|flow.Uncertain|flow.InGraph) != 0:
				return errors.New("the loop is compiled, so that Python cannot count the examples of a batch")
			case e.Context&flow.InStrategy != 0:
				return inStrategy
			}
		}
		return nil
	}
	unknown := false
	s.compiled, unknown = s.function.CompiledBy()
	compilers := slices.DeleteFunc(slices.Clone(s.function.Decorators), func(d syntax.Node) bool { return d.Kind() != syntax.Call })
	for _, call := range s.info.CallsOf(s.function) {
		target := s.info.Target(call.Child(syntax.FieldFunction))
		unknown = unknown || target.Wrapped || target.Compiled && !target.By.Valid()
		if target.Compiled {
			s.compiled, compilers = true, append(compilers, target.By)
		}
		for e := range s.events(call) {
			switch {
			case e.Node != s.tape:
			case e.Context&flow.InGraph != 0 || s.compiledAround(statement(call), e):
				return fmt.Errorf("compiled code calls it on %s, in which Python cannot count the examples of a batch", s.line(call))
			case e.Context&flow.InStrategy != 0:
				return inStrategy
			}
		}
	}
	if unknown {
		return errors.New("it is not known in what the function is wrapped")
	}
	for _, c := range compilers {
		if names.HasSplat(c) {
			return errors.New("what tf.function is given is not all written out")
		}
		for _, relaxes := range []string{"input_signature", "reduce_retracing", "experimental_relax_shapes"} {
			if v := names.Argument(c, -1, relaxes); v.Valid() && !v.Is(syntax.NoneLiteral, syntax.False) {
				return fmt.Errorf("%s leaves the size of a batch open, so that Python cannot count its examples", relaxes)
			}
		}
	}
	return nil
}

// findReads looks at what is read after the step of what it binds.
func (s *step) findReads() error {
	after := func(n syntax.Node) bool { return n.Start() >= s.taken.End() || !n.Within(s.loop) }
	inMetric := map[syntax.Node]bool{}
	check := func(b *names.Binding) error {
		for _, use := range s.info.Uses(b) {
			if use.Within(s.with) || use.Within(s.taken) {
				continue
			}
			update := rule.StatementIn(use, s.loop.Child(syntax.FieldBody))
			switch isData := slices.Contains(s.data, b.Name); {
			case b.Name == s.loss.Text() && after(use):
				s.readsLoss = true
			case update.Valid() && update.Start() >= s.with.End() && s.updatesMetric(update):
				inMetric[update] = true
			case isData && !after(use):
			case isData:
				s.readsData = true
			default:
				return fmt.Errorf("%s, of the whole batch, is read on %s", b.Name, s.line(use))
			}
		}
		return nil
	}
	scope := s.info.ScopeOf(s.with)
	for _, name := range scope.Names() {
		for _, b := range scope.Bindings(name) {
			inStep := b.Node.Within(s.with) && !(b.Kind == names.WithBinding && b.Value == s.tape) && name != s.gradients
			isData := slices.Contains(s.data, name) && b.Node.Within(s.loop) && b.Node.Start() < s.with.Start()
			if inStep || isData {
				if err := check(b); err != nil {
					return err
				}
			}
		}
	}
	// What reads of a part what nothing else has moves to the part.
	for m := s.with.Next(); m.Valid(); m = m.Next() {
		if inMetric[m] {
			if !s.StartsLine(m) || !s.EndsLine(m) {
				return errors.New("a metric is updated on a line that it shares")
			}
			s.metrics = append(s.metrics, m)
			continue
		}
		if m.Start() < s.taken.Start() && m.Kind() != syntax.Comment {
			return fmt.Errorf("something else happens between the tape and its gradients, on %s", s.line(m))
		}
	}
	return nil
}

// updatesMetric reports whether a statement does nothing but update a metric.
func (s *step) updatesMetric(n syntax.Node) bool {
	call := n.FirstChild()
	if n.Kind() != syntax.ExpressionStatement || call.Kind() != syntax.Call {
		return false
	}
	f := call.Child(syntax.FieldFunction)
	if f.Kind() == syntax.Attribute && f.Child(syntax.FieldAttribute).Text() == "update_state" {
		return true
	}
	return strings.HasPrefix(s.info.TypeOf(f).Class, "tensorflow.keras.metrics.")
}

// names are the names of the batch, as an assignment target.
func (s *step) names() string { return strings.Join(s.data, ", ") }

// withComments is the lines of a statement and of the comments right above it.
func (s *step) withComments(n syntax.Node) source.Span {
	lines := s.Lines(n)
	var above []syntax.Node
	for c := range rule.Siblings(n) {
		if c.Start() >= n.Start() {
			break
		}
		above = append(above, c)
	}
	for _, c := range slices.Backward(above) {
		if c.Kind() != syntax.Comment || !s.StartsLine(c) || s.Lines(c).End != lines.Start {
			break
		}
		lines.Start = s.Lines(c).Start
	}
	return lines
}

// withBlank takes the blank line after deleted lines away with them, where there is
// one before them too.
func (s *step) withBlank(lines source.Span) source.Span {
	text := s.File.Source.Text()
	before := source.LineStart(text, max(0, lines.Start-1))
	after := source.NextLine(text, source.LineEnd(text, lines.End))
	if strings.TrimSpace(text[before:lines.Start]) == "" && strings.TrimSpace(text[lines.End:after]) == "" {
		lines.End = after
	}
	return lines
}

// write makes the edits.
func (s *step) write() ([]source.Edit, error) {
	tf, edits, err := s.tensorflow(s.with)
	if err != nil {
		return nil, err
	}
	free, err := s.free(
		[]string{"batch", "whole_batch", "full_batch"}, []string{"size", "batch_rows", "examples"}, []string{"rows", "part_rows"},
		[]string{"start", "first_row"}, []string{"share", "part_share"}, []string{"i", "variable_index"}, []string{"part", "gradient_part"},
		[]string{"mean_loss", "batch_loss"}, []string{"values", "row_values"}, []string{"indices", "row_indices"},
	)
	if err != nil {
		return nil, err
	}
	batch, size, rows, start, share, i, part := free[0], free[1], free[2], free[3], free[4], free[5], free[6]
	mean, values, indices := free[7], free[8], free[9]
	if !s.StartsLine(s.with) || !s.StartsLine(s.apply) || !s.EndsLine(s.apply) {
		return nil, errors.New("the statements of the step share a line with others")
	}
	whole := s.names()
	if len(s.data) > 1 {
		whole = "(" + whole + ")"
	}
	head := []string{
		"# Each batch is taken in " + number(s.parts) + " parts, whose gradients are averaged.",
		batch + " = " + whole,
		size + " = " + tf + ".nest.flatten(" + batch + ")[0].shape[0]",
		fmt.Sprintf("%s = (%s + %d) // %d", rows, size, s.parts-1, s.parts),
	}
	slice := s.names() + " = " + tf + ".nest.map_structure(lambda t: t[" + start + ":" + start + " + " + rows + "], " + batch + ")"
	turn := "for " + start + " in range(0, " + size + ", " + rows + "):"
	if s.compiled {
		// A graph may run the forward passes of all parts before their gradients: eight layers
		// of 1,000 tanh on 20,000 rows peak at 619 MB as a whole, at 457 MB in four parts, and at
		// 178 MB in four that wait for each other (TensorFlow 2.20 on a CPU).
		head = append(head, s.gradients+" = []", turn,
			"\twith "+tf+".control_dependencies([g for g in "+s.gradients+" if g is not None]):  # one part after the other",
			"\t\t"+slice)
	} else {
		head = append(head, turn, "\t"+slice)
	}
	edits = append(edits, s.insertBefore(s.with, head...))
	last := s.taken
	if s.taken.Within(s.with) {
		last = s.with
	}
	moved, err := s.indented(s.with, last)
	if err != nil {
		return nil, err
	}
	// The line on which the gradients are taken becomes the loop over them.
	taken := source.Edit{Span: source.Span{Start: s.taken.Start() - len(s.IndentOf(s.taken)), End: s.gradient.Start()}}
	moved = slices.DeleteFunc(moved, func(e source.Edit) bool { return e.Span.Start == taken.Span.Start })
	inner := s.IndentOf(s.taken) + s.Indent()
	taken.New = strings.TrimSuffix(s.lines(inner, []string{
		share + " = min(" + rows + ", " + size + " - " + start + ") / " + size,
		"if " + start + " == 0:",
		"\t" + s.gradients + " = [None] * len(" + s.variables.Text() + ")",
		"for " + i + ", " + part + " in enumerate(",
	}), s.Newline())
	edits = append(edits, moved...)
	sum := s.gradients + "[" + i + "]"
	tail := []string{
		"\tif isinstance(" + part + ", " + tf + ".IndexedSlices):  # the rows of an embedding",
		"\t\t" + values + ", " + indices + " = " + share + " * " + part + ".values, " + part + ".indices",
		"\t\tif " + sum + " is not None:",
		"\t\t\t" + values + " = " + tf + ".concat([" + sum + ".values, " + values + "], 0)",
		"\t\t\t" + indices + " = " + tf + ".concat([" + sum + ".indices, " + indices + "], 0)",
		"\t\t" + sum + " = " + tf + ".IndexedSlices(" + values + ", " + indices + ", " + part + ".dense_shape)",
		"\telif " + part + " is not None:",
		"\t\t" + part + " = " + share + " * " + part,
		"\t\t" + sum + " = " + part + " if " + sum + " is None else " + sum + " + " + part,
	}
	edits = append(edits, taken, source.Edit{Span: source.Span{Start: s.gradient.End(), End: s.gradient.End()}, New: "):"})
	end := s.LineEnd(s.taken)
	text := s.Newline() + strings.TrimSuffix(s.lines(inner, tail), s.Newline())
	add := func(lines ...string) {
		text += s.Newline() + strings.TrimSuffix(s.lines(s.IndentOf(s.with), lines), s.Newline())
	}
	for _, m := range s.metrics {
		if m.Start() < s.taken.Start() {
			continue // it is between the two, and moved with them
		}
		lines := s.withComments(m)
		edits = append(edits, source.Edit{Span: s.withBlank(lines)})
		for line := range strings.Lines(s.File.Source.Slice(lines)) {
			text += s.Newline() + s.Indent() + strings.TrimRight(line, "\r\n")
		}
	}
	if s.readsLoss {
		add("\t"+mean+" = "+share+" * "+s.loss.Text()+" if "+start+" == 0 else "+mean+" + "+share+" * "+s.loss.Text(), s.loss.Text()+" = "+mean)
	}
	if s.readsData {
		add(s.names() + " = " + batch)
	}
	return append(edits, source.Edit{Span: source.Span{Start: end, End: end}, New: text}), nil
}

// number writes a small number as a word.
func number(n int64) string {
	if words := []string{2: "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"}; n < int64(len(words)) {
		return words[n]
	}
	return strconv.FormatInt(n, 10)
}
