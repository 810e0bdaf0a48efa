package facts

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/facts/origins"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// many is a number of iterations above which the exact number does not matter.
const many = 1 << 20

// Items returns how many items an iterable has at most, if the code shows it, else 0.
func (f *Facts) Items(iterable syntax.Node, in *origins.Call) int {
	defer f.info.Enter(iterable).Leave()
	p := origins.Place{Node: iterable, In: in}
	end, ok := f.begins(items, p)
	if !ok {
		return 0
	}
	defer end()
	most := 0
	for _, origin := range f.origins.Contents(p) {
		n := f.itemsOf(origin)
		if n == 0 {
			return 0
		}
		most = max(most, n)
	}
	return most
}

// length returns the length of a value.
func (f *Facts) length(n syntax.Node, in *origins.Call) Numbers {
	var all Numbers
	for i, origin := range f.origins.Contents(origins.Place{Node: n, In: in}) {
		of := Numbers{}
		if most := f.itemsOf(origin); most > 0 {
			of = Numbers{0, float64(most), true, true}
		}
		if exactly, ok := origins.Length(origin.Node); ok && len(origin.Path) == 0 {
			of = one(float64(exactly))
		}
		if i == 0 {
			all = of
		} else {
			all = among(all, of)
		}
	}
	return all
}

// Most returns the largest number that an expression may be, or 0 if one is not known.
func (f *Facts) Most(n syntax.Node, in *origins.Call) int {
	number := f.Number(n, in)
	if !number.Complete {
		return 0
	}
	return int(min(max(number.High, 0), many))
}

// itemsOf returns how many items an origin has at most, or 0.
func (f *Facts) itemsOf(p origins.Place) int {
	n := p.Node
	if len(p.Path) > 0 {
		return 0
	}
	of := func(n syntax.Node) int { return f.Items(n, p.In) }
	if length, ok := origins.Length(n); ok {
		return length
	}
	switch n.Kind() {
	case syntax.Attribute:
		if values := f.searched(n); values.Valid() {
			return of(values)
		}
	case syntax.ListComprehension, syntax.SetComprehension, syntax.DictionaryComprehension, syntax.GeneratorExpression:
		return f.Iterations(n, p.In)
	case syntax.Subscript:
		if index := n.Child(syntax.FieldSubscript); index.Kind() == syntax.Call {
			return of(index) // an array of indices
		}
		return f.sliced(n, p.In)
	case syntax.BinaryOperator:
		left, right := of(n.Child(syntax.FieldLeft)), of(n.Child(syntax.FieldRight))
		if n.Child(syntax.FieldOperator).Text() == "+" && left > 0 && right > 0 {
			return left + right
		}
	case syntax.Call:
		return f.yielded(n, p.In)
	}
	return 0
}

// yielded returns how many items a call returns at most, or 0.
func (f *Facts) yielded(call syntax.Node, in *origins.Call) int {
	if n := f.folds(call, in); n > 0 {
		return n
	}
	of := func(n syntax.Node) int { return f.Items(n, in) }
	arguments := call.Child(syntax.FieldArguments)
	switch f.iterableKind(call) {
	case "range":
		return f.Range(call, in)
	case "enumerate", "reversed", "list", "tuple", "sorted", "set", "iter", "tqdm":
		return of(names.Argument(call, 0, "iterable"))
	case "map", "filter":
		return of(names.Element(arguments, 1))
	case "zip":
		least := 0
		for a := range arguments.Children() {
			if n := of(a); n > 0 && (least == 0 || n < least) {
				least = n
			}
		}
		return least
	case "itertools.product":
		total := 1
		for a := range arguments.Children() {
			total = min(total*of(a), many)
		}
		return total
	case "itertools.islice":
		return f.Most(names.Argument(call, 1, "stop"), in)
	case "numpy.random.choice":
		return f.Most(names.Argument(call, 1, "size"), in)
	case "items", "keys", "values":
		return of(call.Child(syntax.FieldFunction).Child(syntax.FieldObject))
	case "take": // of a dataset
		return f.Most(names.Argument(call, 0, "count"), in)
	}
	return 0
}

// iterableKind returns which of the known iterables a call makes: the name of a builtin, "range" or
// "tqdm" for what other libraries have like it, a name of itertools, or of a method.
func (f *Facts) iterableKind(call syntax.Node) string {
	q := f.info.Callee(call)
	last := q[strings.LastIndexByte(q, '.')+1:]
	builtin := f.info.Builtin(call)
	switch {
	case q == "numpy.arange", strings.HasPrefix(q, "tqdm.") && last == "trange", builtin == "xrange":
		return "range"
	case strings.HasPrefix(q, "tqdm.") && (last == "tqdm" || last == "tqdm_notebook"):
		return "tqdm"
	case strings.HasPrefix(q, "itertools."), q == "numpy.random.choice":
		return q
	}
	return cmp.Or(builtin, names.Method(call))
}

// Range returns how many numbers a range has at most, or 0.
func (f *Facts) Range(call syntax.Node, in *origins.Call) int {
	from, to, step := one(0), f.Number(names.Argument(call, 0, "start"), in), one(1)
	if stop := names.Argument(call, 1, "stop"); stop.Valid() {
		from, to = to, f.Number(stop, in)
	}
	if by := names.Argument(call, 2, "step"); by.Valid() {
		step = f.Number(by, in)
	}
	if !from.Complete || !to.Complete || !step.Complete {
		return 0
	}
	longest := 0.0
	switch {
	case step.Low > 0:
		longest = math.Ceil((to.High - from.Low) / step.Low)
	case step.High < 0:
		longest = math.Ceil((from.High - to.Low) / -step.High)
	}
	return int(min(max(longest, 0), many))
}

// sliced returns how many items a slice has at most, as in x[:10], x[-10:] or x[5:15].
func (f *Facts) sliced(n syntax.Node, in *origins.Call) int {
	slice := n.Child(syntax.FieldSubscript)
	if slice.Kind() != syntax.Slice {
		return 0
	}
	text := slice.Text()
	colon := strings.IndexByte(text, ':')
	var from, to Numbers
	var begins, ends bool
	for bound := range slice.Children() {
		switch at := bound.Start() - slice.Start(); {
		case strings.Count(text[:at], ":") > 1: // the step
		case int(at) > colon:
			to, ends = f.Number(bound, in), true
		default:
			from, begins = f.Number(bound, in), true
		}
	}
	total, count := f.Items(n.Child(syntax.FieldValue), in), 0
	switch {
	case !begins && to.Complete && to.Low > 0:
		count = int(min(to.High, many))
	case !ends && from.Complete && from.High < 0:
		count = int(min(-from.Low, many))
	case from.Complete && to.Complete && (from.Low >= 0 && to.Low >= 0 || from.High < 0 && to.High < 0):
		count = int(min(max(to.High-from.Low, 0), many))
	}
	if count == 0 || total > 0 && total < count {
		return total
	}
	return count
}

// searched returns the list of values that TensorBoard's HParams goes through, as in
// hp.HParam("units", hp.Discrete([16, 32])).domain.values, or none.
func (f *Facts) searched(values syntax.Node) syntax.Node {
	domain := values.Child(syntax.FieldObject)
	if values.Child(syntax.FieldAttribute).Text() != "values" || domain.Child(syntax.FieldAttribute).Text() != "domain" {
		return syntax.Node{}
	}
	made := f.info.DefiningExpr(domain.Child(syntax.FieldObject))
	discrete := f.info.DefiningExpr(names.Argument(made, 1, "domain"))
	if f.info.Callee(made) != "tensorboard.plugins.hparams.api.HParam" || f.info.Callee(discrete) != "tensorboard.plugins.hparams.api.Discrete" {
		return syntax.Node{}
	}
	return names.Argument(discrete, 0, "values")
}

// folds returns how many folds a split of sklearn's cross-validation has, as in
// KFold(n_splits=5).split(x), or 0 if the code does not show it.
func (f *Facts) folds(split syntax.Node, in *origins.Call) int {
	if made := f.splitter(split); made.Valid() {
		return f.Most(names.Argument(made, 0, "n_splits"), in)
	}
	return 0
}

// splitter returns the call that makes the object whose split a call is, if that is one of sklearn's
// cross-validation, or none.
func (f *Facts) splitter(split syntax.Node) syntax.Node {
	function := split.Child(syntax.FieldFunction)
	if function.Child(syntax.FieldAttribute).Text() != "split" {
		return syntax.Node{}
	}
	made := f.info.DefiningExpr(function.Child(syntax.FieldObject))
	if class, ok := strings.CutPrefix(f.info.Callee(made), "sklearn.model_selection."); !ok || !slices.Contains(splitters, class) {
		return syntax.Node{}
	}
	return made
}

// splitters are the classes of sklearn whose first argument is the number of splits.
var splitters = []string{"KFold", "StratifiedKFold", "GroupKFold", "StratifiedGroupKFold", "TimeSeriesSplit", "ShuffleSplit", "StratifiedShuffleSplit", "GroupShuffleSplit"}

// Yields returns how many items a generator of the program surely yields, or 0: that of a range, of which each
// iteration comes to the only yield.
func (f *Facts) Yields(generator *names.Function) int {
	var yields []syntax.Node
	leaves := false
	generator.Body.Walk(func(n syntax.Node) bool {
		leaves = leaves || n.Is(syntax.ReturnStatement, syntax.BreakStatement, syntax.ContinueStatement, syntax.RaiseStatement)
		if n.Kind() == syntax.Yield {
			yields = append(yields, n)
		}
		return true
	})
	if len(yields) != 1 || leaves {
		return 0
	}
	total := 1
	for n := yields[0]; n != generator.Body; n = n.Parent() {
		switch loop := n.Parent(); {
		case loop.Kind() == syntax.ForStatement && n.Field() == syntax.FieldBody && f.iterableKind(loop.Child(syntax.FieldRight)) == "range":
			total = min(total*f.Iterations(loop, nil), many)
		case loop != generator.Body && !loop.Is(syntax.Block, syntax.ExpressionStatement, syntax.ForStatement, syntax.WithStatement), loop.Kind() == syntax.ForStatement && n.Field() == syntax.FieldBody:
			return 0
		}
	}
	return total
}
