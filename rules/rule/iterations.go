package rule

import (
	"slices"
	"strconv"
	"strings"

	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// IterationsIn returns how many iterations a loop or comprehension has at most, if the code shows it,
// else 0.
func IterationsIn(info *names.Info, loop syntax.Node) int {
	defer info.Enter(loop).Leave()
	if !loop.Is(syntax.ForStatement, syntax.WhileStatement) {
		total := 1
		for c := range loop.Children() {
			if c.Kind() == syntax.ForInClause {
				total = min(total*IterationsOf(info, c.Child(syntax.FieldRight)), manyIterations)
			}
		}
		return total
	}
	if names.IteratesOnce(loop) {
		return 1
	}
	n, until := whileCounting(info, loop), untilBreak(info, loop)
	if loop.Kind() == syntax.ForStatement {
		n = IterationsOf(info, loop.Child(syntax.FieldRight))
	}
	if n == 0 || until > 0 && until < n {
		return until
	}
	return n
}

// manyIterations is the number of iterations above which their exact number does not matter.
const manyIterations = 1 << 20

// whileCounting returns how many iterations a loop has while a number that it increases by one is
// below a limit, or 0.
func whileCounting(info *names.Info, loop syntax.Node) int {
	condition := loop.Child(syntax.FieldCondition)
	counter, sign, limits := compared(info, condition)
	if len(limits) == 0 || names.GoesOn(loop.Child(syntax.FieldBody)) {
		return 0
	}
	first, ok := countsFrom(info, loop, condition, counter)
	switch {
	case ok && sign == "<":
		return max(most(limits)-first, 0)
	case ok && sign == "<=":
		return max(most(limits)-first+1, 0)
	}
	return 0
}

// compared returns the parts of a comparison of a name with a number, which may have several values.
func compared(info *names.Info, condition syntax.Node) (name syntax.Node, sign string, numbers []int) {
	defer info.Enter(condition).Leave()
	for condition.Kind() == syntax.ParenthesizedExpression {
		condition = condition.FirstChild()
	}
	if condition.Kind() != syntax.ComparisonOperator {
		return name, "", nil
	}
	operands := slices.DeleteFunc(slices.Collect(condition.Children()), func(n syntax.Node) bool { return n.Kind() == syntax.Operator })
	if len(operands) != 2 || operands[0].Kind() != syntax.Identifier {
		return name, "", nil
	}
	between := condition.Text()[operands[0].End()-condition.Start() : operands[1].Start()-condition.Start()]
	return operands[0], strings.TrimSpace(between), constants(info, operands[1], 8)
}

// untilBreak returns after how many iterations a loop surely ends, because a statement of its body
// leaves it at a number that counts the iterations, or 0.
func untilBreak(info *names.Info, loop syntax.Node) int {
	for statement := range loop.Child(syntax.FieldBody).Children() {
		if names.GoesOn(statement) {
			return 0 // what follows may never run
		}
		if statement.Kind() != syntax.IfStatement {
			continue
		}
		leaves := false
		for n := range statement.Child(syntax.FieldConsequence).Children() {
			leaves = leaves || n.Is(syntax.BreakStatement, syntax.ReturnStatement)
		}
		counter, sign, limits := compared(info, statement.Child(syntax.FieldCondition))
		if !leaves || len(limits) == 0 {
			continue
		}
		first, ok := countsFrom(info, loop, statement, counter)
		if !ok {
			continue
		}
		last := most(limits) // the number at which it leaves
		switch sign {
		case ">":
			last++
		case ">=":
		case "==":
			if least(limits) < first {
				continue
			}
		default:
			continue
		}
		return max(last-first+1, 1)
	}
	return 0
}

// countsFrom returns the number that a name has in the first iteration of a loop, where a statement
// of its body reads it, if it surely is one more in each further iteration: the index of enumerate or
// range, or a name that the body increases by one.
func countsFrom(info *names.Info, loop, statement, counter syntax.Node) (first int, ok bool) {
	scope := info.Lookup(counter)
	if scope == nil {
		return 0, false
	}
	var before, inLoop []*names.Binding
	for _, b := range scope.Bindings(counter.Text()) {
		if b.Node.Within(loop) {
			inLoop = append(inLoop, b)
		} else {
			before = append(before, b)
		}
	}
	if len(inLoop) != 1 {
		return 0, false
	}
	b := inLoop[0]
	if b.Kind == names.ForBinding && b.Value == loop.Child(syntax.FieldRight) {
		if b.Node.Field() == syntax.FieldLeft {
			return 0, Builtin(info, b.Value, "range") && !names.Argument(b.Value, 1, "stop").Valid()
		}
		pattern := b.Node.Parent()
		return 0, Builtin(info, b.Value, "enumerate") && !names.Argument(b.Value, 1, "start").Valid() &&
			pattern.Field() == syntax.FieldLeft && pattern.FirstChild() == b.Node
	}
	increase := b.Node.Parent()
	if b.Kind != names.AugmentedBinding || len(before) != 1 || before[0].Kind != names.AssignBinding || before[0].Value.Kind() != syntax.Integer ||
		increase.Child(syntax.FieldOperator).Text() != "+=" || b.Value.Text() != "1" || increase.Parent().Parent() != loop.Child(syntax.FieldBody) {
		return 0, false
	}
	first, _ = strconv.Atoi(before[0].Value.Text())
	if increase.Start() < statement.Start() {
		first++
	}
	return first, true
}

// IterationsOf returns how many items an iterable has at most, or 0.
func IterationsOf(info *names.Info, iterable syntax.Node) int { return itemsOf(info, iterable, 8) }

func itemsOf(info *names.Info, iterable syntax.Node, depth int) int {
	defer info.Enter(iterable).Leave()
	if depth == 0 {
		return 0
	}
	of := func(n syntax.Node) int { return itemsOf(info, n, depth-1) }
	switch iterable.Kind() {
	case syntax.ParenthesizedExpression:
		return of(iterable.FirstChild())
	case syntax.Identifier, syntax.Attribute:
		if values := searched(info, iterable); values.Valid() {
			return of(values)
		}
		return boundItems(info, iterable, depth)
	case syntax.List, syntax.Tuple, syntax.ExpressionList, syntax.Set, syntax.Dictionary:
		n := 0
		for c := range iterable.Children() {
			switch c.Kind() {
			case syntax.Comment:
			case syntax.ListSplat, syntax.DictionarySplat:
				return 0
			default:
				n++
			}
		}
		return n
	case syntax.ListComprehension, syntax.SetComprehension, syntax.DictionaryComprehension, syntax.GeneratorExpression:
		return IterationsIn(info, iterable)
	case syntax.Subscript:
		if index := iterable.Child(syntax.FieldSubscript); index.Kind() == syntax.Call {
			return of(index) // an array of indices
		}
		return sliced(info, iterable, depth)
	}
	if n := foldsOf(info, iterable); n > 0 {
		return n
	}
	if iterable.Kind() != syntax.Call {
		return 0
	}
	first := names.Argument(iterable, 0, "iterable")
	switch name := yields(info, iterable); name {
	case "range":
		return rangeLength(info, iterable, depth)
	case "enumerate", "reversed", "list", "tuple", "sorted", "set", "iter", "tqdm":
		return of(first)
	case "map", "filter":
		return of(names.Element(iterable.Child(syntax.FieldArguments), 1))
	case "zip":
		least := 0
		for a := range iterable.Child(syntax.FieldArguments).Children() {
			if n := of(a); n > 0 && (least == 0 || n < least) {
				least = n
			}
		}
		return least
	case "itertools.product":
		total := 1
		for a := range iterable.Child(syntax.FieldArguments).Children() {
			total = min(total*of(a), manyIterations)
		}
		return total
	case "itertools.islice":
		return most(constants(info, names.Argument(iterable, 1, "stop"), depth))
	case "numpy.random.choice":
		return most(constants(info, names.Argument(iterable, 1, "size"), depth))
	case "items", "keys", "values":
		return of(iterable.Child(syntax.FieldFunction).Child(syntax.FieldObject))
	case "take": // of a dataset
		return most(constants(info, names.Argument(iterable, 0, "count"), depth))
	}
	return 0
}

// yields returns which of the known iterables a call makes: the name of a builtin, "range" or "tqdm"
// for what other libraries have like it, a name of itertools, or of a method.
func yields(info *names.Info, call syntax.Node) string {
	function := call.Child(syntax.FieldFunction)
	q := info.Callee(call)
	last := q[strings.LastIndexByte(q, '.')+1:]
	switch {
	case q == "numpy.arange", strings.HasPrefix(q, "tqdm.") && last == "trange", Builtin(info, call, "xrange"):
		return "range"
	case strings.HasPrefix(q, "tqdm.") && (last == "tqdm" || last == "tqdm_notebook"):
		return "tqdm"
	case strings.HasPrefix(q, "itertools."), q == "numpy.random.choice":
		return q
	case function.Kind() == syntax.Identifier && info.Lookup(function) == nil:
		return function.Text()
	case function.Kind() == syntax.Attribute:
		return Method(call)
	}
	return ""
}

// boundItems returns how many items the list has that a name or attribute is bound to once, if it is
// never changed.
func boundItems(info *names.Info, n syntax.Node, depth int) int {
	made := info.DefiningExpr(n)
	if made.Kind() == syntax.Identifier {
		if b := info.ReachingDefs(made); len(b) == 1 && b[0].Kind == names.ParameterBinding {
			return passedItems(info, b[0], depth-3)
		}
	}
	if !made.Valid() || made.Is(syntax.Identifier, syntax.Attribute) {
		return 0
	}
	if n.Kind() == syntax.Identifier && made.Is(syntax.List, syntax.Dictionary, syntax.Set, syntax.ListComprehension, syntax.DictionaryComprehension, syntax.SetComprehension, syntax.Call) {
		bindings := info.ReachingDefs(n)
		if len(bindings) != 1 {
			return 0
		}
		if from := info.Origin(bindings[0]); bindings[0].Kind == names.FromBinding && len(from) == 1 {
			bindings = from
		}
		b := bindings[0]
		immutable := Builtin(info, made, "range") || Builtin(info, made, "tuple")
		if len(b.Scope.Bindings(b.Name)) != 1 || !immutable && len(info.Uses(b)) != 1 && slices.ContainsFunc(info.Uses(b), func(use syntax.Node) bool { return !onlyRead(info, use) }) {
			return 0
		}
	}
	return itemsOf(info, made, depth-1)
}

// passedItems returns how many items the lists have at most that the program passes for a parameter.
func passedItems(info *names.Info, parameter *names.Binding, depth int) int {
	defer info.Enter(parameter.Node).Leave()
	longest := 0
	values, ok := passed(info, parameter)
	for _, value := range values {
		n := 0
		if depth > 0 {
			n = itemsOf(value.module, value.node, depth)
		}
		if longest = max(longest, n); n == 0 {
			return 0
		}
	}
	if !ok {
		return 0
	}
	return longest
}

// sliced returns how many items a slice has at most, as in x[:10], x[-10:] or x[5:15].
func sliced(info *names.Info, n syntax.Node, depth int) int {
	slice := n.Child(syntax.FieldSubscript)
	if slice.Kind() != syntax.Slice {
		return 0
	}
	text := slice.Text()
	colon := strings.IndexByte(text, ':')
	var bounds [2][]int // before and after the colon
	var given [2]bool
	for bound := range slice.Children() {
		at := bound.Start() - slice.Start()
		if strings.Count(text[:at], ":") > 1 {
			continue // the step
		}
		side := 0
		if at > colon {
			side = 1
		}
		given[side], bounds[side] = true, constants(info, bound, depth)
	}
	total := itemsOf(info, n.Child(syntax.FieldValue), depth-1)
	count := 0
	from, to := bounds[0], bounds[1]
	switch {
	case !given[0] && least(to) > 0:
		count = most(to)
	case !given[1] && len(from) > 0 && most(from) < 0:
		count = -least(from)
	case least(from) >= 0 && len(from) > 0 && len(to) > 0 && least(to) >= 0, most(from) < 0 && most(to) < 0:
		count = max(most(to)-least(from), 0)
	}
	if count == 0 || total > 0 && total < count {
		return total
	}
	return count
}

// LoopsAround returns the loops that repeat an event, innermost first: its own, and those around it
// and around the calls that lead to it.
func LoopsAround(e *flow.Event) (loops []syntax.Node) {
	if !e.Loop.Valid() {
		return nil
	}
	steps := append(slices.Clone(e.Path), e.Node)
	for len(steps) > 1 && !steps[len(steps)-1].Within(e.Loop) {
		steps = steps[:len(steps)-1] // in a function that the loop calls
	}
	for _, at := range slices.Backward(steps) {
		if at.Within(e.Loop) {
			loops = []syntax.Node{e.Loop}
			at = e.Loop
		}
		for child, n := at, at.Parent(); n.Valid() && !n.Is(syntax.FunctionDefinition, syntax.Lambda, syntax.ClassDefinition); child, n = n, n.Parent() {
			comprehension := n.Is(syntax.ListComprehension, syntax.SetComprehension, syntax.DictionaryComprehension, syntax.GeneratorExpression)
			if comprehension || n.Is(syntax.ForStatement, syntax.WhileStatement) && child.Field() == syntax.FieldBody {
				loops = append(loops, n)
			}
		}
	}
	return loops
}

// searched returns the list of values that TensorBoard's HParams goes through, as in
// hp.HParam("units", hp.Discrete([16, 32])).domain.values, or none.
func searched(info *names.Info, values syntax.Node) syntax.Node {
	domain := values.Child(syntax.FieldObject)
	if values.Child(syntax.FieldAttribute).Text() != "values" || domain.Child(syntax.FieldAttribute).Text() != "domain" {
		return syntax.Node{}
	}
	made := info.DefiningExpr(domain.Child(syntax.FieldObject))
	discrete := info.DefiningExpr(names.Argument(made, 1, "domain"))
	if info.Callee(made) != "tensorboard.plugins.hparams.api.HParam" || info.Callee(discrete) != "tensorboard.plugins.hparams.api.Discrete" {
		return syntax.Node{}
	}
	return names.Argument(discrete, 0, "values")
}

// foldsOf returns how many folds a split of sklearn's cross-validation has, as in
// KFold(n_splits=5).split(x), or 0 if the code does not show it.
func foldsOf(info *names.Info, split syntax.Node) int {
	function := split.Child(syntax.FieldFunction)
	if function.Child(syntax.FieldAttribute).Text() != "split" {
		return 0
	}
	made := info.DefiningExpr(function.Child(syntax.FieldObject))
	class, ok := strings.CutPrefix(info.Callee(made), "sklearn.model_selection.")
	if !ok || !slices.Contains(splitters, class) {
		return 0
	}
	return most(constants(info, names.Argument(made, 0, "n_splits"), 8))
}

// splitters are the classes of sklearn whose first argument is the number of splits.
var splitters = []string{"KFold", "StratifiedKFold", "GroupKFold", "StratifiedGroupKFold", "TimeSeriesSplit", "ShuffleSplit", "StratifiedShuffleSplit", "GroupShuffleSplit"}

// onlyRead reports whether the code that uses a list surely leaves its length as it is: it iterates
// over the list, asks for its length or takes an item of it.
func onlyRead(info *names.Info, use syntax.Node) bool {
	switch parent := use.Parent(); parent.Kind() {
	case syntax.ForStatement, syntax.ForInClause:
		return use.Field() == syntax.FieldRight
	case syntax.Subscript:
		return use.Field() == syntax.FieldValue && !parent.Parent().Is(syntax.DeleteStatement, syntax.Assignment, syntax.AugmentedAssignment)
	case syntax.ArgumentList:
		call := parent.Parent()
		switch yields(info, call) {
		case "len", "zip", "print", "enumerate", "reversed", "list", "tuple", "sorted", "set", "map", "filter", "tqdm", "itertools.product":
			return true
		}
	case syntax.Attribute:
		switch parent.Child(syntax.FieldAttribute).Text() {
		case "items", "keys", "values", "index", "count":
			return use.Field() == syntax.FieldObject
		}
	}
	return false
}

// RangeLength returns how many numbers a range has at most, or 0.
func RangeLength(info *names.Info, call syntax.Node) int { return rangeLength(info, call, 8) }

func rangeLength(info *names.Info, call syntax.Node, depth int) int {
	bound := func(i int, name string) []int { return constants(info, names.Argument(call, i, name), depth-1) }
	from, to, step := []int{0}, bound(0, "start"), []int{1}
	if names.Argument(call, 1, "stop").Valid() {
		from, to = to, bound(1, "stop")
	}
	if names.Argument(call, 2, "step").Valid() {
		step = bound(2, "step")
	}
	longest := 0
	for _, first := range from {
		for _, last := range to {
			for _, by := range step {
				switch {
				case by > 0:
					longest = max(longest, (last-first+by-1)/by)
				case by < 0:
					longest = max(longest, (first-last-by-1)/-by)
				}
			}
		}
	}
	return longest
}

// constants returns all numbers that an expression may stand for, or none if one is not known. A
// parameter stands for what all calls of its function pass.
func constants(info *names.Info, n syntax.Node, depth int) []int {
	defer info.Enter(n).Leave()
	if depth <= 0 || !n.Valid() {
		return nil
	}
	of := func(n syntax.Node) []int { return constants(info, n, depth-1) }
	switch n.Kind() {
	case syntax.Integer:
		if v, err := strconv.ParseInt(strings.ReplaceAll(n.Text(), "_", ""), 0, 32); err == nil {
			return []int{int(v)}
		}
	case syntax.ParenthesizedExpression:
		return of(n.FirstChild())
	case syntax.UnaryOperator:
		if n.Child(syntax.FieldOperator).Text() == "-" {
			return combined([]int{0}, of(n.Child(syntax.FieldArgument)), "-")
		}
	case syntax.BinaryOperator:
		return combined(of(n.Child(syntax.FieldLeft)), of(n.Child(syntax.FieldRight)), n.Child(syntax.FieldOperator).Text())
	case syntax.ConditionalExpression:
		value := n.FirstChild()
		return either(of(value), of(value.Next().Next()))
	case syntax.Call:
		if items := itemsOf(info, names.Argument(n, 0, "obj"), depth-1); items > 0 && Builtin(info, n, "len") {
			return []int{items}
		}
	case syntax.Identifier:
		bindings := info.ReachingDefs(n)
		if len(bindings) > 4 {
			return nil
		}
		var all []int
		for i, b := range bindings {
			var values []int
			switch b.Kind {
			case names.AssignBinding:
				values = of(b.Value)
			case names.ParameterBinding:
				values = passedNumbers(info, b, depth-3)
			case names.FromBinding, names.UnpackBinding:
				if made := info.DefiningExpr(n); made.Valid() && made != n {
					values = of(made)
				}
			}
			if all = either(all, values); i == 0 {
				all = values
			}
			if len(all) == 0 {
				return nil
			}
		}
		return all
	case syntax.Attribute:
		if made := info.DefiningExpr(n); made.Valid() && made != n {
			return of(made)
		}
	}
	return nil
}

// passedNumbers returns the numbers that the program passes for a parameter, or none if one is not
// known.
func passedNumbers(info *names.Info, parameter *names.Binding, depth int) (all []int) {
	defer info.Enter(parameter.Node).Leave()
	values, ok := passed(info, parameter)
	if !ok {
		return nil
	}
	for i, value := range values {
		numbers := constants(value.module, value.node, depth)
		if i > 0 {
			numbers = either(all, numbers)
		}
		if all = numbers; len(all) == 0 {
			return nil
		}
	}
	return all
}

// An argument is an expression in a module.
type argument struct {
	module *names.Info
	node   syntax.Node
}

// passed returns what the calls of the program pass for a parameter, or its default if nothing calls
// the function. ok is false if some may pass what is not known.
func passed(info *names.Info, parameter *names.Binding) (values []argument, ok bool) {
	f := parameter.Scope.Func
	if f == nil {
		return nil, false
	}
	for _, module := range info.Program() {
		if f.Class != nil && f.Name != "__init__" {
			unknown := func(call syntax.Node) bool {
				return module.Callee(call) == "" && module.Target(call.Child(syntax.FieldFunction)).Function == nil
			}
			if slices.ContainsFunc(module.MethodCalls(func(name string) bool { return name == f.Name }), unknown) {
				return nil, false
			}
		}
		for _, call := range module.CallsOf(f) {
			value := f.Passed(call, parameter.Name)
			if !value.Valid() {
				value = parameter.Value // the default
			}
			values = append(values, argument{module, value})
			if names.HasSplat(call) || len(values) > 16 {
				return nil, false
			}
		}
	}
	return values, len(values) > 0
}

// either returns the numbers of both, or none if those of one are not known, or there are too many.
func either(a, b []int) []int {
	if len(a) == 0 || len(b) == 0 {
		return nil
	}
	all := slices.Concat(a, b)
	slices.Sort(all)
	if all = slices.Compact(all); len(all) > 16 {
		return nil
	}
	return all
}

// combined returns the results of an operator.
func combined(left, right []int, operator string) (all []int) {
	for _, a := range left {
		for _, b := range right {
			switch {
			case operator == "+":
				all = append(all, a+b)
			case operator == "-":
				all = append(all, a-b)
			case operator == "*":
				all = append(all, a*b)
			case operator == "//" && a >= 0 && b > 0:
				all = append(all, a/b)
			default:
				return nil
			}
			if n := all[len(all)-1]; n > 1<<31 || n < -1<<31 {
				return nil
			}
		}
	}
	if len(all) > 16 {
		return nil
	}
	return all
}

func most(numbers []int) int {
	if len(numbers) == 0 {
		return 0
	}
	return slices.Max(numbers)
}

func least(numbers []int) int {
	if len(numbers) == 0 {
		return 0
	}
	return slices.Min(numbers)
}
