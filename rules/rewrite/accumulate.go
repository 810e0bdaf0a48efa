package rewrite

import (
	"errors"
	"fmt"
	"slices"
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
	Title: "Accumulate gradients: take each batch in four parts",
	What: `
In a loop over a dataset that records with tf.GradientTape and applies the
gradients, every batch is taken in four parts. The gradients of the parts are
averaged, each by its share of the examples, and applied once: a last batch that
is smaller counts as before, and no example is left over. The sparse gradients of
an embedding (IndexedSlices) stay sparse.

At a call of fit, the optimizer gets gradient_accumulation_steps=4 and the batch
becomes a quarter of what it was. That needs Keras 3. It is not offered with an
embedding: the sparse gradients would be added up densely, which most optimizers
treat in another way.

It is offered where the loss is known to be a mean over the examples of a batch,
where the size of a batch is a number in the file (fit), and where nothing in the
loop but metrics and the loss itself is read of the forward pass.`,
	Changes: `
The updates are those of the whole batch but for rounding, if each example is
treated by itself. BatchNormalization is not like that: it sees the smaller
parts; Dropout drops others. A quarter of the activations is alive at a time; one more copy of all
gradients is. Four small steps take longer than a large one.

In fit, the batches that are left over at the end of an epoch count in the first
update of the next one, and those that are left over at the very end are not
applied; a dataset that is divided by the batch size has none. Callbacks see four
times as many batches.`,
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
	info := p.File.Names()
	for loop := p.loop(); loop.Valid(); loop = loop.Ancestor(syntax.ForStatement, syntax.WhileStatement, syntax.FunctionDefinition, syntax.Lambda, syntax.ClassDefinition) {
		var tapes []syntax.Node // of this loop, and of none within
		for _, call := range info.Calls {
			if e := effects.Lookup(info.Callee(call)); e == nil || !e.Effects.Has(effects.StartsTape) {
				continue
			}
			if call.Ancestor(syntax.ForStatement, syntax.WhileStatement, syntax.FunctionDefinition, syntax.Lambda) == loop {
				tapes = append(tapes, call)
			}
		}
		switch len(tapes) {
		case 0:
		case 1:
			s := step{Place: p, info: info, loop: loop, tape: tapes[0]}
			return s.rewrite()
		default:
			return Change{}, fmt.Errorf("the loop has more than one tape: those on %s and %s", p.line(tapes[0]), p.line(tapes[1]))
		}
	}
	return Change{}, errors.New("there is neither a call of fit nor a loop with a gradient tape here; a step in a function of its own is left alone")
}

// A step is the body of a loop that trains on a batch in every turn.
type step struct {
	*Place
	info *names.Info
	loop syntax.Node
	tape syntax.Node // the call

	with, taken, apply syntax.Node // statements of the body, in this order
	gradient           syntax.Node // the call, in taken
	gradients          string      // the name of what it yields
	loss               syntax.Node // the identifier in gradient
	variables          syntax.Node // of which gradient takes the gradients
	data               []string    // the names of what the loop goes over, as the step sees them

	metrics              []syntax.Node // updates that read what only a part has
	readsLoss, readsData bool          // after the step
}

func (s *step) rewrite() (Change, error) {
	for _, find := range []func() error{s.findStep, s.findData, s.runsEagerly, s.findReads} {
		if err := find(); err != nil {
			return Change{}, err
		}
	}
	if why := rule.MeanLoss(s.info, s.loss); why != "" {
		return Change{}, errors.New(why)
	}
	return s.write()
}

// findStep finds the statements of the step in the body of the loop.
func (s *step) findStep() error {
	body := s.loop.Child(syntax.FieldBody)
	s.with = rule.StatementIn(s.tape, body)
	if s.loop.Kind() != syntax.ForStatement || s.with.Kind() != syntax.WithStatement || s.tape.Ancestor(syntax.WithStatement) != s.with {
		return errors.New("the tape is not a with statement of its own in a for loop")
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
	if !rule.Mendable(s.loop) {
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
		return errors.New("the gradients are not both taken and applied in this loop")
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

// isList tells whether an expression is surely a list of variables, and the same
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
		reaching := info.Reaching(n)
		return depth < 3 && len(reaching) == 1 && reaching[0].Kind == names.AssignBinding && isList(info, reaching[0].Value, depth+1)
	}
	return false
}

// findData finds the names of a batch: those that the loop binds to the elements
// of a dataset and the step reads.
func (s *step) findData() error {
	left, right := s.loop.Child(syntax.FieldLeft), s.loop.Child(syntax.FieldRight)
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
		return errors.New("the dataset yields single examples, not batches")
	case d.State == dataset.NotDataset && s.info.TypeOf(right).Class != "tensorflow.data.Dataset":
		return errors.New("what the loop goes over is not known to be a tf.data.Dataset")
	}
	if counted {
		if left = names.Element(left, 1); !left.Valid() {
			return errors.New("what the loop binds is not known")
		}
	}
	batch, made := map[string]bool{}, map[syntax.Node]bool{} // the names now, and where they are bound
	bind := func(target syntax.Node, rows bool) {
		target.Walk(func(n syntax.Node) bool {
			if n.Kind() == syntax.Identifier {
				batch[n.Text()], made[n] = rows, rows
			}
			return !n.Is(syntax.Attribute, syntax.Subscript)
		})
	}
	bind(left, true)
	// What statements before the step make of a batch is taken in parts too.
	for b := range rule.Siblings(s.with) {
		if b.Start() >= s.with.Start() {
			break
		}
		if a := b.FirstChild(); b.Kind() == syntax.ExpressionStatement && a.Kind() == syntax.Assignment {
			bind(a.Child(syntax.FieldLeft), rowwise(s.info, a.Child(syntax.FieldRight), batch))
		}
	}
	feeds := false
	inLoop := s.loop.Child(syntax.FieldBody)
	var err error
	s.with.Walk(func(n syntax.Node) bool {
		if n.Kind() != syntax.Identifier || n.Field() == syntax.FieldAttribute || n.Parent().Kind() == syntax.KeywordArgument && n.Field() == syntax.FieldName {
			return true
		}
		for _, b := range s.info.Reaching(n) {
			switch {
			case b.Node.Within(s.with) || b.Node == n:
			case made[b.Node]:
				if !slices.Contains(s.data, b.Name) {
					s.data = append(s.data, b.Name)
				}
				if call := n.Parent().Parent(); n.Parent().Kind() == syntax.ArgumentList && call.Kind() == syntax.Call && s.isModel(call.Child(syntax.FieldFunction)) {
					feeds = true
				}
			case b.Node.Within(inLoop):
				err = fmt.Errorf("the step reads %s of %s, which may or may not be of the size of a batch", b.Name, s.line(b.Node))
			}
		}
		return true
	})
	if err == nil && !feeds {
		err = errors.New("no Keras model is called on what the loop goes over")
	}
	slices.SortStableFunc(s.data, func(a, b string) int { return strings.Index(left.Text(), a) - strings.Index(left.Text(), b) })
	return err
}

// rowwise tells whether an expression has the same examples as the batch that it
// is made of.
func rowwise(info *names.Info, n syntax.Node, batch map[string]bool) bool {
	switch n.Kind() {
	case syntax.Identifier:
		return batch[n.Text()]
	case syntax.ParenthesizedExpression:
		return rowwise(info, n.FirstChild(), batch)
	case syntax.BinaryOperator:
		left, right := n.Child(syntax.FieldLeft), n.Child(syntax.FieldRight)
		return rowwise(info, left, batch) && right.Is(syntax.Integer, syntax.Float)
	case syntax.Call:
		switch info.Callee(n) {
		case "tensorflow.cast", "tensorflow.convert_to_tensor", "tensorflow.one_hot", "tensorflow.image.convert_image_dtype", "tensorflow.image.resize":
			first := n.Child(syntax.FieldArguments).FirstChild()
			return rowwise(info, first, batch)
		}
	case syntax.Subscript: // of a dictionary
		return rowwise(info, n.Child(syntax.FieldValue), batch) && n.Child(syntax.FieldSubscript).Kind() == syntax.String
	}
	return false
}

// runsEagerly makes sure that the loop is not compiled and under no strategy.
func (s *step) runsEagerly() error {
	for e := range s.events(s.with) {
		if e.Node != s.tape {
			continue
		}
		if e.Context&(flow.Compiled|flow.Uncertain|flow.InGraph) != 0 {
			return errors.New("the loop is compiled, so that Python cannot count the examples of a batch")
		}
		if e.Context&flow.InStrategy != 0 {
			return errors.New("the loop runs under a distribution strategy")
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

// updatesMetric tells whether a statement does nothing but update a metric.
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

// names are those of the batch, as a target of assignment.
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
func (s *step) write() (Change, error) {
	tf, edits, err := s.tensorflow(s.with)
	if err != nil {
		return Change{}, err
	}
	free, err := s.free(
		[]string{"batch", "whole_batch", "full_batch"}, []string{"size", "batch_rows", "examples"}, []string{"rows", "part_rows"},
		[]string{"start", "first_row"}, []string{"share", "part_share"}, []string{"i", "variable_index"}, []string{"part", "gradient_part"},
		[]string{"mean_loss", "batch_loss"}, []string{"values", "row_values"}, []string{"indices", "row_indices"},
	)
	if err != nil {
		return Change{}, err
	}
	batch, size, rows, start, share, i, part := free[0], free[1], free[2], free[3], free[4], free[5], free[6]
	mean, values, indices := free[7], free[8], free[9]
	if !s.StartsLine(s.with) || !s.StartsLine(s.apply) || !s.EndsLine(s.apply) {
		return Change{}, errors.New("the statements of the step share a line with others")
	}
	whole := s.names()
	if len(s.data) > 1 {
		whole = "(" + whole + ")"
	}
	edits = append(edits, s.insertBefore(s.with,
		"# Each batch is taken in four parts, whose gradients are averaged.",
		batch+" = "+whole,
		size+" = "+tf+".nest.flatten("+batch+")[0].shape[0]",
		rows+" = ("+size+" + 3) // 4",
		"for "+start+" in range(0, "+size+", "+rows+"):",
		"\t"+s.names()+" = "+tf+".nest.map_structure(lambda t: t["+start+":"+start+" + "+rows+"], "+batch+")",
	))
	last := s.taken
	if s.taken.Within(s.with) {
		last = s.with
	}
	moved, err := s.indented(s.with, last)
	if err != nil {
		return Change{}, err
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
	return Change{Edits: append(edits, source.Edit{Span: source.Span{Start: end, End: end}, New: text})}, nil
}
