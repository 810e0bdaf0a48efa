// Package origins follows a value back to the expressions that make it: through names, attributes,
// parameters, returns, displays and their items, conditional expressions and other modules of the
// program. Whoever wants to know something of a value asks it of its origins.
//
// It never evaluates the program, and judges nothing: what an origin means is for others to say. It
// knows names and their bindings.
package origins

import (
	"slices"
	"strconv"
	"strings"

	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// A Place is an expression or, if the path is not empty, a part of its value: each item of the path
// is an index (int) or a key (string). A place without a node is unknown.
type Place struct {
	Node syntax.Node
	Path []any
	In   *Call // how its function is reached; nil if by any of its calls
}

// A Call binds the parameters of a function to the arguments of one call.
type Call struct {
	Function *names.Function
	Node     syntax.Node // none if a library calls the function
	From     *Call       // how the code of the call is reached
}

// mostNested is the number of nested calls of which each keeps its own arguments. The parameters of
// functions further in have the arguments of all calls: a program has more ways through its functions
// than functions.
const mostNested = 8

func (c *Call) nested() (n int) {
	for ; c != nil; c = c.From {
		n++
	}
	return n
}

// A Follower follows the values of one module and of those that it imports.
type Follower struct {
	info  *names.Info
	calls map[Call]*Call
	// elsewhere are the methods that were asked for, and whether others may call them.
	elsewhere map[*names.Function]bool
}

// New returns a follower for a module.
func New(info *names.Info) *Follower {
	return &Follower{info: info, calls: map[Call]*Call{}, elsewhere: map[*names.Function]bool{}}
}

// Enter returns how a function is reached by a call, whose code is itself reached as from says. The
// call is none if a library calls the function.
func (f *Follower) Enter(function *names.Function, call syntax.Node, from *Call) *Call {
	if from.nested() >= mostNested {
		return nil
	}
	c := Call{function, call, from}
	if f.calls[c] == nil {
		f.calls[c] = &c
	}
	return f.calls[c]
}

// Along returns how a node is reached by calls that lead to it, outermost first.
func (f *Follower) Along(path []syntax.Node, node syntax.Node) (in *Call) {
	for i, call := range path {
		next := node
		if i+1 < len(path) {
			next = path[i+1]
		}
		function := f.info.ScopeOf(next).Function()
		if function == nil {
			continue // the code of a module
		}
		if call.Kind() != syntax.Call || !Runs(f.info, call, function) {
			call = syntax.Node{}
		}
		in = f.Enter(function, call, in)
	}
	return in
}

// Runs reports whether a call by which a function of the program runs passes its arguments to it: it names
// the function, creates an instance with it, calls an instance that has it, or calls a method of its name,
// of an object of which it is not known whether a subclass has another.
func Runs(info *names.Info, call syntax.Node, function *names.Function) bool {
	callee := call.Child(syntax.FieldFunction)
	if info.Target(callee).Function == function || function.Class != nil && names.Method(call) == function.Name {
		return true
	}
	class := info.TypeOf(callee).Local
	return class != nil && (function.Name == "__call__" || function.Name == "call") && info.Method(class, function.Name) == function
}

// mostParts is the longest path that is followed. A function that calls itself with an item of what it is
// given makes paths without end, each copied at each step: 17 GB for a benchmark of keras_cv.
const mostParts = 16

// unlimited is more expressions than the account lets a query follow.
const unlimited = 1 << 30

// Of returns the origins of a place: the expressions that cannot be followed further, or the statement
// of an augmented assignment. One of them is unknown if the place is too far to follow, or if code
// outside of the program may give the value.
func (f *Follower) Of(p Place) []Place { return f.Until(p, nil) }

// Until is Of that does not follow a place at which it is to stop.
func (f *Follower) Until(p Place, stops func(Place) bool) []Place {
	left := unlimited
	return (&walk{Follower: f, left: &left, stops: stops}).from(p)
}

// Within is Of that follows at most so many expressions, and returns how many are left.
func (f *Follower) Within(p Place, most int) (found []Place, left int) {
	left = most
	found = (&walk{Follower: f, left: &left}).from(p)
	return found, left
}

// Contents is Of for whoever wants to know what is in a list or dict: the name of one whose items the
// program changes is not followed to the display that it begins with.
func (f *Follower) Contents(p Place) []Place {
	left := unlimited
	return (&walk{Follower: f, left: &left, contents: true}).from(p)
}

// A Key identifies a place. Keys can be compared.
type Key struct {
	node syntax.Node
	path string
	in   *Call
}

// Key returns what identifies the place.
func (p Place) Key() Key {
	if len(p.Path) == 0 {
		return Key{node: p.Node, in: p.In}
	}
	var b strings.Builder
	for _, item := range p.Path {
		if i, ok := item.(int); ok {
			b.WriteString(strconv.Itoa(i))
		} else {
			b.WriteString(strconv.Quote(item.(string)))
		}
		b.WriteByte('.')
	}
	return Key{p.Node, b.String(), p.In}
}

// A walk collects the origins of one place. It goes on from each place once: a value that is made of
// itself, as by x = f(x) in a loop, has no further origins.
type walk struct {
	*Follower
	seen     map[Key]bool
	found    []Place
	left     *int             // how many expressions may still be followed
	contents bool             // the items of displays are asked for
	stops    func(Place) bool // or nil
}

// from returns what the walk collects from a place on.
func (w *walk) from(p Place) []Place {
	w.seen = map[Key]bool{}
	w.follow(p)
	return w.found
}

func (w *walk) is(p Place) { w.found = append(w.found, p) }

func (w *walk) follow(p Place) {
	defer w.info.Enter(p.Node).Leave()
	if len(p.Path) > mostParts {
		w.is(Place{})
		return
	}
	if k := p.Key(); w.seen[k] {
		return
	} else {
		w.seen[k] = true
	}
	if *w.left--; *w.left < 0 || !p.Node.Valid() {
		w.is(Place{})
		return
	}
	if w.stops != nil && w.stops(p) {
		w.is(p)
		return
	}
	n := p.Node
	switch n.Kind() {
	case syntax.ParenthesizedExpression:
		w.follow(Place{n.FirstChild(), p.Path, p.In})
		return
	case syntax.NamedExpression:
		w.follow(Place{n.Child(syntax.FieldValue), p.Path, p.In})
		return
	case syntax.ConditionalExpression:
		value := n.FirstChild()
		w.follow(Place{value, p.Path, p.In})
		w.follow(Place{value.Next().Next(), p.Path, p.In})
		return
	case syntax.Identifier:
		if reaching := w.reaching(p); len(reaching) > 0 {
			w.bindings(reaching, p, p.In)
		} else {
			w.bindings(w.info.Starred(n), p, nil)
		}
		return
	case syntax.Attribute:
		object, name := n.Child(syntax.FieldObject), n.Child(syntax.FieldAttribute).Text()
		if t := w.info.TypeOf(object); t.Local != nil {
			w.bindings(w.info.Attribute(t.Local, name), p, nil)
			return
		}
		if m := w.info.ModuleOf(object); m != nil {
			w.bindings(m.Exports(name), p, nil)
			return
		}
	case syntax.Subscript:
		value, subscript := n.Child(syntax.FieldValue), n.Child(syntax.FieldSubscript)
		if subscript.Next().Valid() {
			break // x[i, j]
		}
		if subscript.Kind() == syntax.Slice {
			if start, ok := begins(subscript); ok && len(p.Path) > 0 {
				if i, ok := p.Path[0].(int); ok && i >= 0 {
					w.follow(Place{value, append([]any{start + i}, p.Path[1:]...), p.In})
					return
				}
			}
		} else if k := w.index(subscript, p.In); k != nil {
			w.follow(Place{value, append([]any{k}, p.Path...), p.In})
			return
		}
	case syntax.Tuple, syntax.ExpressionList, syntax.List, syntax.Dictionary:
		if len(p.Path) > 0 {
			w.follow(Place{Item(n, p.Path[0]), p.Path[1:], p.In})
			return
		}
	case syntax.BinaryOperator:
		if w.joined(p) {
			return
		}
	case syntax.Call:
		if of := w.copied(n); of.Valid() && len(p.Path) > 0 {
			w.follow(Place{of, p.Path, p.In})
			return
		}
		if fn := w.info.Target(n.Child(syntax.FieldFunction)).Function; fn != nil && !fn.Yields && len(fn.Returns) > 0 {
			in := w.Enter(fn, n, p.In)
			for _, r := range fn.Returns {
				w.follow(Place{r, p.Path, in})
			}
			return
		}
	}
	w.is(p)
}

// reaching returns the bindings that a name may have. One of an enclosing function has those that reach
// the call of the inner function.
func (w *walk) reaching(p Place) []*names.Binding {
	if scope := w.info.Lookup(p.Node); scope != nil && scope.Func != nil && scope.Function() != w.info.ScopeOf(p.Node).Function() {
		for c := p.In; c != nil; c = c.From {
			if c.Node.Valid() && w.info.ScopeOf(c.Node) == scope {
				return w.info.ReachingBefore(scope, p.Node.Text(), c.Node)
			}
		}
	}
	return w.info.ReachingDefs(p.Node)
}

// begins returns the number at which a slice without a step begins.
func begins(slice syntax.Node) (int, bool) {
	if strings.Count(slice.Text(), ":") != 1 {
		return 0, false
	}
	if strings.HasPrefix(slice.Text(), ":") {
		return 0, true
	}
	i, ok := Literal(slice.FirstChild()).(int)
	return i, ok && i >= 0
}

// copied returns the argument of a call that makes a list or tuple of the same items, or none.
func (w *walk) copied(call syntax.Node) syntax.Node {
	switch w.info.Builtin(call) {
	case "list", "tuple":
		return names.Argument(call, 0, "iterable")
	}
	return syntax.Node{}
}

// joined follows an item of two joined tuples or lists to the one that it is in. It reports whether
// it knows which.
func (w *walk) joined(p Place) bool {
	if len(p.Path) == 0 || p.Node.Child(syntax.FieldOperator).Text() != "+" {
		return false
	}
	i, ok := p.Path[0].(int)
	left, right := Place{p.Node.Child(syntax.FieldLeft), nil, p.In}, Place{p.Node.Child(syntax.FieldRight), nil, p.In}
	if !ok {
		return false
	}
	switch first, known := w.length(left); {
	case i < 0:
		last, known := w.length(right)
		if !known {
			return false
		}
		if left.Path = append([]any{i + last}, p.Path[1:]...); -i <= last {
			right.Path = p.Path
			left = right
		}
	case !known:
		return false
	case i >= first:
		right.Path = append([]any{i - first}, p.Path[1:]...)
		left = right
	default:
		left.Path = p.Path
	}
	w.follow(left)
	return true
}

// length returns how many items a place surely has.
func (w *walk) length(p Place) (n int, ok bool) {
	defer w.info.Enter(p.Node).Leave()
	for i, origin := range (&walk{Follower: w.Follower, left: w.left, contents: true}).from(p) {
		of, known := Length(origin.Node)
		if origin.Node.Kind() == syntax.BinaryOperator && origin.Node.Child(syntax.FieldOperator).Text() == "+" {
			left, one := w.length(Place{origin.Node.Child(syntax.FieldLeft), nil, origin.In})
			right, other := w.length(Place{origin.Node.Child(syntax.FieldRight), nil, origin.In})
			of, known = left+right, one && other
		}
		if !known || len(origin.Path) > 0 || i > 0 && of != n {
			return 0, false
		}
		n, ok = of, true
	}
	return n, ok
}

// index returns the index or key that a subscript surely is, or nil.
func (w *walk) index(n syntax.Node, in *Call) any {
	if k := Literal(n); k != nil || !n.Is(syntax.Identifier, syntax.Attribute) {
		return k
	}
	found := (&walk{Follower: w.Follower, left: w.left}).from(Place{Node: n, In: in})
	if len(found) != 1 || len(found[0].Path) > 0 {
		return nil
	}
	return Literal(found[0].Node)
}

// Literal returns the index or key that a literal stands for, or nil.
func Literal(n syntax.Node) any {
	if s, ok := names.StringValue(n); ok {
		return s
	}
	if i, ok := integer(n); ok {
		return i
	}
	return nil
}

func integer(n syntax.Node) (int, bool) {
	sign := 1
	if n.Kind() == syntax.UnaryOperator && n.Child(syntax.FieldOperator).Text() == "-" {
		sign, n = -1, n.Child(syntax.FieldArgument)
	}
	if n.Kind() != syntax.Integer {
		return 0, false
	}
	i, err := strconv.ParseInt(strings.ReplaceAll(n.Text(), "_", ""), 0, 0)
	return sign * int(i), err == nil
}

// Item returns the item of a display at an index or a key, or none.
func Item(display syntax.Node, k any) syntax.Node {
	if i, ok := k.(int); ok && display.Kind() != syntax.Dictionary {
		if i < 0 {
			n, known := Length(display)
			if i += n; !known || i < 0 {
				return syntax.Node{}
			}
		}
		return names.Element(display, i)
	}
	if display.Kind() != syntax.Dictionary {
		return syntax.Node{}
	}
	found := syntax.Node{}
	for c := range display.Children() {
		switch c.Kind() {
		case syntax.Pair:
			if Literal(c.Child(syntax.FieldKey)) == k {
				found = c.Child(syntax.FieldValue)
			}
		case syntax.DictionarySplat:
			found = syntax.Node{}
		}
	}
	return found
}

// Length returns how many items a display has. ok is false for anything else, and if it has the items
// of another value.
func Length(display syntax.Node) (n int, ok bool) {
	if !display.Is(syntax.List, syntax.Tuple, syntax.ExpressionList, syntax.Set, syntax.Dictionary) {
		return 0, false
	}
	for c := range display.Children() {
		switch c.Kind() {
		case syntax.Comment:
		case syntax.ListSplat, syntax.DictionarySplat:
			return 0, false
		default:
			n++
		}
	}
	return n, true
}

// bindings follows what bindings give the name or attribute at a place.
func (w *walk) bindings(bindings []*names.Binding, p Place, in *Call) {
	defer w.info.Enter(p.Node).Leave()
	if len(bindings) == 0 {
		w.is(p)
	}
	for _, b := range bindings {
		switch b.Kind {
		case names.AssignBinding, names.WithBinding: // the context managers that matter here yield themselves
			if (w.contents || len(p.Path) > 0) && b.Value.Is(syntax.List, syntax.Dictionary, syntax.Set) && w.changed(b, map[*names.Binding]bool{}) {
				w.is(p)
				continue
			}
			w.follow(Place{b.Value, p.Path, in})
		case names.UnpackBinding:
			if len(b.Path) == 0 { // first, *rest = values
				w.is(Place{})
				continue
			}
			path := make([]any, 0, len(b.Path)+len(p.Path))
			for _, i := range b.Path {
				path = append(path, i)
			}
			w.follow(Place{b.Value, append(path, p.Path...), in})
		case names.ParameterBinding:
			w.parameter(b, p, in)
		case names.AugmentedBinding: // its statement, as n += 1
			w.is(Place{b.Node.Ancestor(syntax.AugmentedAssignment), p.Path, in})
		case names.FromBinding:
			// What another module of the program binds when it is imported.
			w.bindings(w.info.Origin(b), p, nil)
		default:
			w.is(p)
		}
	}
}

// changed reports whether the program changes the items of what a name or an attribute is bound to, also
// in a function that it is passed to. seen holds the names that were looked at.
func (f *Follower) changed(b *names.Binding, seen map[*names.Binding]bool) bool {
	defer f.info.Enter(b.Node).Leave()
	if seen[b] {
		return false
	}
	seen[b] = true
	attribute := b.Node.Field() == syntax.FieldAttribute
	var uses []syntax.Node
	if attribute {
		for _, module := range f.info.Program() {
			uses = append(uses, module.Identifiers(b.Name)...)
		}
	} else {
		uses = f.info.Uses(b)
	}
	for _, use := range uses {
		if attribute {
			if use.Field() != syntax.FieldAttribute {
				continue
			}
			use = use.Parent()
		}
		switch by := use.Parent(); by.Kind() {
		case syntax.Subscript:
			of := by.Parent()
			if use.Field() == syntax.FieldValue && (by.Field() == syntax.FieldLeft && of.Is(syntax.Assignment, syntax.AugmentedAssignment) || of.Kind() == syntax.DeleteStatement) {
				return true
			}
		case syntax.AugmentedAssignment:
			if use.Field() == syntax.FieldLeft {
				return true
			}
		case syntax.ArgumentList, syntax.KeywordArgument:
			if f.changedBy(use.Ancestor(syntax.Call), use, seen) {
				return true
			}
		case syntax.Attribute:
			if mutators[by.Child(syntax.FieldAttribute).Text()] && use.Field() == syntax.FieldObject {
				return true
			}
		}
	}
	return false
}

// changedBy reports whether a function of the program that a call runs changes the items of an argument.
func (f *Follower) changedBy(call, argument syntax.Node, seen map[*names.Binding]bool) bool {
	fn := f.info.Target(call.Child(syntax.FieldFunction)).Function
	if fn == nil {
		return false
	}
	parameter, ok := fn.ParameterFor(call, argument)
	return ok && slices.ContainsFunc(fn.Scope.Bindings(parameter.Name), func(b *names.Binding) bool {
		return b.Kind == names.ParameterBinding && f.changed(b, seen)
	})
}

// mutators are the methods of lists, dicts and sets that change which items they have.
var mutators = map[string]bool{
	"append": true, "extend": true, "insert": true, "pop": true, "remove": true, "clear": true, "sort": true, "reverse": true,
	"update": true, "setdefault": true, "popitem": true, "add": true, "discard": true,
}

// parameter follows the argument of the call by which the parameter's function is reached, or the
// arguments of all its calls.
func (w *walk) parameter(b *names.Binding, p Place, in *Call) {
	f := b.Scope.Func
	if f == nil {
		w.is(p)
		return
	}
	for c := in; c != nil; c = c.From {
		if c.Function != f {
			continue
		}
		if !c.Node.Valid() {
			w.is(Place{b.Node, p.Path, c})
		} else {
			w.argument(f, c.Node, b.Name, p, c.From)
		}
		return
	}
	called := false
	for _, module := range w.info.Program() {
		for _, call := range module.CallsOf(f) {
			called = true
			w.argument(f, call, b.Name, p, nil)
		}
	}
	if !called {
		w.is(p)
	} else if w.calledElsewhere(f) {
		w.is(Place{})
	}
}

// calledElsewhere reports whether a method may have calls that are not known to be its own: of an
// object whose class is unknown.
func (f *Follower) calledElsewhere(method *names.Function) bool {
	if method.Class == nil || method.Name == "__init__" {
		return false
	}
	if known, ok := f.elsewhere[method]; ok {
		return known
	}
	may := false
	for _, module := range f.info.Program() {
		for _, call := range module.MethodCalls(func(name string) bool { return name == method.Name }) {
			function := call.Child(syntax.FieldFunction)
			base := function.Child(syntax.FieldObject).Child(syntax.FieldFunction).Text() == "super"
			may = may || !base && module.Callee(call) == "" && module.Target(function).Function == nil
		}
	}
	f.elsewhere[method] = may
	return may
}

// argument follows what a call of a function passes for a parameter, or the parameter's default. A
// method is given the instance that it is called on, or that the call makes.
func (w *walk) argument(f *names.Function, call syntax.Node, name string, p Place, in *Call) {
	for i, parameter := range f.Params {
		if parameter.Name == name && parameter.Star == 1 && !names.HasSplat(call) {
			if f.Class != nil && !f.IsStatic() {
				i-- // skip the instance
			}
			w.rest(call, i, p, in)
			return
		}
		if parameter.Name != name || parameter.Star != 0 {
			continue
		}
		value := f.Passed(call, name)
		if f.Class != nil && !f.IsStatic() && f.Params[0].Name == name {
			w.instance(f, call, p, in)
			return
		}
		if !value.Valid() && !names.HasSplat(call) {
			value, in = parameter.Default, nil
		}
		w.follow(Place{value, p.Path, in})
		return
	}
	w.is(Place{})
}

// rest follows what a call passes for *args, the parameters before which take some arguments: one of
// them, or all that the call passes.
func (w *walk) rest(call syntax.Node, before int, p Place, in *Call) {
	arguments := call.Child(syntax.FieldArguments)
	if len(p.Path) > 0 {
		if i, ok := p.Path[0].(int); ok && i >= 0 {
			w.follow(Place{names.Argument(call, before+i, ""), p.Path[1:], in})
			return
		}
	}
	w.is(Place{arguments, p.Path, in})
}

// instance follows the object on which a call runs a method.
func (w *walk) instance(method *names.Function, call syntax.Node, p Place, in *Call) {
	defer w.info.Enter(call).Leave()
	function := call.Child(syntax.FieldFunction)
	switch {
	case w.info.Target(function).Class != nil:
		w.is(Place{call, p.Path, in})
	case function.Kind() == syntax.Attribute && function.Child(syntax.FieldAttribute).Text() == method.Name:
		w.follow(Place{function.Child(syntax.FieldObject), p.Path, in})
	case method.Name == "__call__" || method.Name == "call":
		w.follow(Place{function, p.Path, in})
	default:
		w.is(Place{})
	}
}
