package rewrite

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/dataset"
	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/facts"
	"github.com/tfmem/tfmem/analyzer/facts/origins"
	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// A step trains on one batch: the body of a loop, in every iteration, or the body of a function, in
// every call.
type step struct {
	*Place
	info     *names.Info
	loop     syntax.Node     // the loop, or the function's definition
	function *names.Function // nil for a loop
	compiled bool            // by tf.function, once per batch size
	tape     syntax.Node     // the call
	parts    int64           // into which a batch is split

	with, taken, apply syntax.Node // statements of the body, in this order
	gradient           syntax.Node // the call, in taken
	gradients          string      // the name of its result
	loss               syntax.Node // the identifier in gradient
	variables          syntax.Node // for which the gradients are computed
	data               []string    // the names of what the loop iterates over, as the step sees them

	metrics              []syntax.Node // updates that read values which exist per part only
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
		case e.Effects.Has(effects.AddsOperation): // also the optimizers of TensorFlow 1
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
		return errors.New("the result of gradient() is not simply assigned to a name")
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
	f := s.File.Facts()
	if _, one := f.Only(s.variables, nil); !one || !isList(f, s.variables) {
		return errors.New("the gradients are not those of a list of variables, such as model.trainable_variables")
	}
	if names.HasSplat(s.gradient) {
		return errors.New("gradient() is called with arguments that are not written out")
	}
	if left := exits(s.with); left.Valid() {
		return fmt.Errorf("the step ends early on %s", s.line(left))
	}
	return nil
}

// exits returns a statement that leaves the code of n, or none.
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

// isList reports whether an expression is surely a list of variables, and the same list whenever it
// is evaluated.
func isList(f *facts.Facts, n syntax.Node) bool {
	return f.All(n, nil, func(list origins.Place, same func(origins.Place) bool) bool {
		sure := func(part syntax.Node) bool {
			_, one := f.Only(part, list.In)
			return one && same(origins.Place{Node: part, In: list.In})
		}
		switch n := list.Node; n.Kind() {
		case syntax.Attribute:
			name := n.Child(syntax.FieldAttribute).Text()
			return strings.HasSuffix(name, "variables") || strings.HasSuffix(name, "weights")
		case syntax.List:
			return true
		case syntax.BinaryOperator:
			return sure(n.Child(syntax.FieldLeft)) && sure(n.Child(syntax.FieldRight))
		}
		return false
	})
}

// elements returns the names that a loop binds to the elements of a dataset.
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
		return left, errors.New("the loop is not known to iterate over a tf.data.Dataset")
	}
	if counted {
		if left = names.Element(left, 1); !left.Valid() {
			return left, errors.New("the loop's variables are not known")
		}
	}
	return left, nil
}

// A parameter of a function that is a step, according to what all calls pass for it.
type parameter struct {
	node         syntax.Node // where it is bound
	batch, model bool
	other        bool // neither of these, nor a number or a Keras object
}

// parameters returns the parameters of the function that is the step.
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
	first := 0 // the parameters that a call passes
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

// isBatch reports whether the arguments of a call hold the examples of a batch: the call is in a
// loop over a dataset, and its arguments are computed from the elements.
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
			defer s.info.Enter(n).Leave()
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
	// What statements before the step compute from a batch is split too.
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

// rowwise reports whether an expression has the same examples as the batch that it is computed
// from. isBatch says which names are the batch.
func rowwise(info *names.Info, n syntax.Node, isBatch func(syntax.Node) bool) bool {
	defer info.Enter(n).Leave()
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

// findContext checks that Python can count the examples of a batch, and that no strategy splits
// them. A compiled function can count them if eager code calls it: it is traced for each size.
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

// findReads determines which names that the step binds are read after it.
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
	// A statement that reads a part's values, which exist nowhere else, moves into the part.
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

// updatesMetric reports whether a statement only updates a metric.
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
