package facts

import (
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// A Repeat is what runs code again and again: a loop, or a function of the program that a library calls.
// effects/table.txt says which libraries do.
type Repeat struct {
	// Node is the loop or comprehension, or the definition of the function.
	Node syntax.Node
	// Function is the one that is called, or nil for a loop.
	Function *names.Function
	// By is the call that is given the function, its decorator, or the function itself if it overrides
	// a method; none for a loop.
	By syntax.Node
	// Each is what the function is called for, such as "trial"; "" for a loop.
	Each string
	// Times is how often it runs at most, if the code shows it, else 0.
	Times int
	// Wrapped is set if an object of a library has the function to build its model, and is itself what
	// is repeated.
	Wrapped bool
	// Collects is set if By has garbage collected each time.
	Collects bool
}

// anItem is what a function is called for that map or a table applies to each of its items.
const anItem = "item"

// ForEachItem reports whether a function is applied to each item of something.
func (r *Repeat) ForEachItem() bool { return r.Each == anItem }

// When says in a message when the function is called, as in "in every trial".
func (r *Repeat) When() string {
	switch r.Each {
	case anItem:
		return "for each item"
	case "message":
		return "with every message"
	case "fold", "candidate":
		return "for every " + r.Each
	}
	return "in every " + r.Each
}

// Slow reports whether the code in between is long: each trial, fold and epoch trains a model.
func (r *Repeat) Slow() bool {
	return slices.Contains([]string{"trial", "fold", "candidate", "epoch"}, r.Each)
}

// Around returns what repeats an event, innermost first: the loops around it and around the calls that
// lead to it, and the functions on the way that a library calls again and again.
func (f *Facts) Around(e *flow.Event) (around []Repeat) {
	loops := LoopsAround(e)
	for _, at := range slices.Backward(append(slices.Clone(e.Path), e.Node)) {
		fn := f.info.ScopeOf(at).Function()
		for fn != nil && len(loops) > 0 && loops[0].Within(fn.Node) {
			around, loops = append(around, Repeat{Node: loops[0], Times: f.Iterations(loops[0], nil)}), loops[1:]
		}
		if r := f.RepeatOf(fn); r != nil {
			around = append(around, *r)
		}
	}
	for _, loop := range loops {
		around = append(around, Repeat{Node: loop, Times: f.Iterations(loop, nil)})
	}
	return around
}

// Times returns how often code runs in all that these repeat, at most, if the code shows it, else 0.
func Times(around []Repeat) int {
	total := 1
	for _, r := range around {
		total = min(total*r.Times, 1<<30)
	}
	return total
}

// RepeatOf returns what has a function of the program called again and again, or nil if nothing is
// known to.
func (f *Facts) RepeatOf(fn *names.Function) *Repeat {
	if fn == nil {
		return nil
	}
	r, known := f.repeats()[fn]
	if !known {
		r = f.calledBack(fn)
		f.repeated[fn] = r
	}
	return r
}

// RepeatedBy returns the function of the program that a library's call repeats, or nil: the first of
// several.
func (f *Facts) RepeatedBy(call syntax.Node) (first *names.Function) {
	for fn, r := range f.repeats() {
		if r != nil && r.By == call && (first == nil || fn.Node.Start() < first.Node.Start()) {
			first = fn
		}
	}
	return first
}

// repeats returns what is known to be repeated so far: at least what calls of libraries repeat.
func (f *Facts) repeats() map[*names.Function]*Repeat {
	if f.repeated == nil {
		f.repeated = map[*names.Function]*Repeat{}
		f.findRepeated()
	}
	return f.repeated
}

// findRepeated finds the calls of libraries that repeat what they are given.
func (f *Facts) findRepeated() {
	for _, module := range f.info.Program() {
		for _, call := range module.CallsTo(func(name string) bool {
			e := effects.Lookup(name)
			return e != nil && e.Runs != "" && e.Each != ""
		}) {
			e := effects.Lookup(module.Callee(call))
			r := Repeat{By: call, Each: e.Each, Times: f.timesOf(call, e)}
			if collects := names.Argument(call, -1, e.Collects); e.Collects != "" && collects.Valid() {
				r.Collects = collects.Kind() != syntax.False
			}
			f.give(names.Argument(call, e.Position, e.Runs), r)
		}
	}
}

// timesOf returns how often a call repeats what it is given, at most, or 0.
func (f *Facts) timesOf(call syntax.Node, e *effects.Entry) int {
	times := f.count(names.Argument(call, e.TimesAt, e.Times), e.Default)
	if e.Folds != "" && times > 0 {
		return min(times*f.count(names.Argument(call, -1, e.Folds), e.FoldsDefault)+1, many) // and a last one on all data
	}
	return times
}

// count returns the number that an argument gives: itself, the folds of a splitter of scikit-learn, or the
// combinations of a grid of parameters; 0 if it is not known.
func (f *Facts) count(given syntax.Node, without int) int {
	if !given.Valid() {
		return without
	}
	switch made, ok := f.Only(given, nil); {
	case ok && strings.HasPrefix(f.info.Callee(made.Node), "sklearn.model_selection."):
		given = names.Argument(made.Node, 0, "n_splits")
	case ok && made.Node.Kind() == syntax.Dictionary:
		total := 1
		for pair := range made.Node.Children() {
			if pair.Kind() != syntax.Comment {
				total = min(total*f.Items(pair.Child(syntax.FieldValue), made.In), many)
			}
		}
		return total
	}
	return f.Most(given, nil)
}

// give records that a library repeats the function of the program that an expression gives it: one itself,
// the method by which an object is called or fitted, or what a wrapper of Keras builds its model with.
func (f *Facts) give(n syntax.Node, r Repeat) {
	defer f.info.Enter(n).Leave()
	fn := f.info.Target(n).Function
	if fn != nil && fn.Node.Kind() == syntax.Lambda {
		if of := f.info.Target(fn.Body.Child(syntax.FieldFunction)).Function; of != nil {
			fn = of // it only passes more arguments
		}
	}
	if class := f.info.TypeOf(n).Local; class != nil {
		if fn = f.info.Method(class, "__call__"); fn == nil {
			fn = f.info.Method(class, "fit")
		}
	}
	if fn != nil {
		if r.Node, r.Function = fn.Node, fn; f.repeated[fn] == nil {
			f.repeated[fn] = &r
		}
		return
	}
	for _, made := range f.Origins(n, nil) {
		items := made.Node
		if items.Kind() == syntax.Call {
			callee := f.info.Callee(items)
			if e := effects.Lookup(callee); e != nil && e.Runs != "" && e.Each == "" {
				wrapped := r
				wrapped.Wrapped = true
				f.give(names.Argument(items, e.Position, e.Runs), wrapped)
			}
			if !strings.HasPrefix(callee, "sklearn.") {
				continue
			}
			items = items.Child(syntax.FieldArguments) // of a pipeline, or of another estimator around it
		}
		if !items.Is(syntax.ArgumentList, syntax.List, syntax.Tuple) {
			continue
		}
		items.Walk(func(item syntax.Node) bool {
			inner := item.Is(syntax.Identifier, syntax.Call)
			if inner && item.Field() != syntax.FieldName {
				f.give(item, r)
			}
			return !inner
		})
	}
}

// onceOnly are the events of a message's connection that happen once for each.
var onceOnly = []string{"connect", "disconnect", "on_ready"}

// calledBack returns what a function of the module is called for by what decorates it, by the library
// whose class it extends, or by map and its like, or nil.
func (f *Facts) calledBack(fn *names.Function) *Repeat {
	info := f.info
	if fn.Info != info || slices.Contains(onceOnly, fn.Name) {
		return nil
	}
	r := Repeat{Node: fn.Node, Function: fn, By: fn.Node}
	each := func(name string) bool {
		if e := effects.Lookup(name); e != nil && e.Runs == "" {
			r.Each = e.Each
		}
		return r.Each != ""
	}
	if fn.Class != nil {
		base := info.LibraryBase(fn.Class)
		if info.IsA(base, "tensorflow.keras.callbacks.Callback") {
			base = "tensorflow.keras.callbacks.Callback"
		}
		if each(base + "." + fn.Name) {
			return &r
		}
		return nil
	}
	for _, d := range fn.Decorators {
		r.By = d
		name := info.Qualified(d)
		if d.Kind() == syntax.Call {
			name = info.Callee(d)
		}
		event := names.Element(d.Child(syntax.FieldArguments), 0).Text()
		if each(name) && !slices.Contains(onceOnly, strings.Trim(event, `'"`)) {
			return &r
		}
	}
	if len(fn.Decorators) > 0 {
		return nil
	}
	for _, use := range info.Identifiers(fn.Name) {
		call := use.Parent().Parent()
		if use.Parent().Kind() != syntax.ArgumentList || names.Element(use.Parent(), 0) != use || info.Target(use).Function != fn {
			continue
		}
		if r.By, r.Each, r.Times = call, anItem, 0; isColumn(info, call.Child(syntax.FieldFunction)) {
			return &r
		}
		if info.Builtin(call) == "map" {
			r.Times = f.Items(use.Next(), nil)
			return &r
		}
	}
	return nil
}

// isColumn reports whether a method applies a function to each item of a column of a table.
func isColumn(info *names.Info, method syntax.Node) bool {
	name, object := method.Child(syntax.FieldAttribute).Text(), method.Child(syntax.FieldObject)
	if name != "apply" && name != "map" && name != "progress_apply" || object.Kind() != syntax.Subscript {
		return false
	}
	return strings.HasPrefix(info.Callee(info.DefiningExpr(object.Child(syntax.FieldValue))), "pandas.") && object.Child(syntax.FieldSubscript).Kind() == syntax.String
}
