package facts

import (
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// OnlyBatches reports whether a number is a batch size and nothing else: wherever the program reads it, it
// makes batches, counts those of some examples, or is only shown. Then a smaller one changes how many steps
// there are, and nothing besides. The number may stand in another module of the program.
func (f *Facts) OnlyBatches(number syntax.Node) bool {
	uses, holders, ok := f.readings(number)
	if !ok || slices.ContainsFunc(holders, func(h Holder) bool { return !f.inSource(h.Node) }) {
		return false
	}
	makes := 0
	for _, u := range uses {
		switch role := f.asBatch(u.Node); {
		case f.inSource(u.Node):
		case u.Part != Whole, role == otherwise:
			return false
		case role == makesBatches:
			makes++
		}
	}
	return makes > 0
}

// Batches returns the numbers that may be the size of the batches that a value yields, where the program does not
// show which one is: those of this size on which the value depends, and which a name with "batch" in it stands for.
func (f *Facts) Batches(size int64, data syntax.Node) (all []syntax.Node) {
	for _, module := range f.info.Program() {
		for s := range module.Tree.Statements() {
			s.Walk(func(n syntax.Node) bool {
				if n.Kind() == syntax.Integer && f.isOf(n, []int64{size}) && strings.Contains(strings.ToLower(nameOf(n)), "batch") && f.DependsOn(data, n) {
					all = append(all, n)
				}
				return true
			})
		}
	}
	return all
}

// inSource reports whether code is that of a source of batches: a generator, or a class that Keras takes batches from.
// Whatever it does with the size of its batches makes them.
func (f *Facts) inSource(n syntax.Node) bool {
	for c := n.Ancestor(syntax.ClassDefinition); c.Valid(); c = c.Ancestor(syntax.ClassDefinition) {
		if f.isSource(f.info.ClassAt(c)) {
			return true
		}
	}
	fn := f.info.ScopeOf(n).Function()
	return fn != nil && fn.Yields
}

func (f *Facts) isSource(c *names.Class) bool {
	return c != nil && (f.info.Inherits(c, "tensorflow.keras.utils.Sequence") || f.info.Inherits(c, "tensorflow.keras.utils.PyDataset"))
}

// readings returns the expressions that have a number, and what else has it. ok is false if others may have it.
func (f *Facts) readings(number syntax.Node) (uses []Use, holders []Holder, ok bool) {
	parent := number.Parent()
	switch info := f.moduleOf(number); {
	case info == nil:
		return nil, nil, false
	case parent.Is(syntax.DefaultParameter, syntax.TypedDefaultParameter):
		scope := info.ScopeOf(parent.Ancestor(syntax.FunctionDefinition, syntax.Lambda).Child(syntax.FieldBody))
		bindings := scope.Bindings(parent.Child(syntax.FieldName).Text())
		if len(bindings) == 0 {
			return nil, nil, false
		}
		uses, holders = f.UsesOf(bindings[0], nil, syntax.Node{})
	case info == f.info && !f.keyed(number):
		if name := parent.Child(syntax.FieldLeft); parent.Kind() == syntax.Assignment && name.Kind() == syntax.Identifier && info.ScopeOf(name).Kind == names.ClassScope {
			return f.named(name.Text(), false)
		}
		uses, holders = f.Uses(number, nil, syntax.Node{})
		uses = slices.DeleteFunc(uses, func(u Use) bool { return u.Node == number && parent.Kind() == syntax.Assignment })
	default:
		return f.named(nameOf(number), info != f.info && !f.keyed(number))
	}
	return uses, holders, true
}

// moduleOf returns the names of the module of the program that a node is in.
func (f *Facts) moduleOf(n syntax.Node) *names.Info {
	for _, m := range f.info.Program() {
		if m.Tree == n.Tree() {
			return m
		}
	}
	return nil
}

// keyed reports whether a number is an item of a dict, or the default of an option.
func (f *Facts) keyed(number syntax.Node) bool {
	parent := number.Parent()
	return parent.Kind() == syntax.Pair || parent.Kind() == syntax.Assignment && parent.Child(syntax.FieldLeft).Is(syntax.Subscript, syntax.Attribute) ||
		parent.Kind() == syntax.KeywordArgument && parent.Child(syntax.FieldName).Text() == "default"
}

// nameOf returns the name or the key by which a program reads a number; "" if it has none.
func nameOf(number syntax.Node) string {
	parent := number.Parent()
	switch parent.Kind() {
	case syntax.Assignment:
		left := parent.Child(syntax.FieldLeft)
		switch left.Kind() {
		case syntax.Identifier:
			return left.Text()
		case syntax.Attribute:
			return left.Child(syntax.FieldAttribute).Text()
		}
		key, _ := names.StringValue(left.Child(syntax.FieldSubscript))
		return key
	case syntax.DefaultParameter, syntax.TypedDefaultParameter:
		return parent.Child(syntax.FieldName).Text()
	case syntax.Pair:
		key, _ := names.StringValue(parent.FirstChild())
		return key
	case syntax.KeywordArgument:
		if option := parent.Ancestor(syntax.Call); names.Method(option) == "add_argument" && parent.Child(syntax.FieldName).Text() == "default" {
			return names.OptionName(option)
		}
		return parent.Child(syntax.FieldName).Text()
	}
	return ""
}

// named returns what may read a number by its name or key, in any module of the program: as an attribute or an item
// or, if it is global, as the name itself.
func (f *Facts) named(name string, global bool) (uses []Use, holders []Holder, ok bool) {
	if name == "" {
		return nil, nil, false
	}
	add := func(n syntax.Node) {
		more, held := f.Uses(n, nil, syntax.Node{})
		uses, holders = append(uses, more...), append(holders, held...)
	}
	for _, m := range f.info.Program() {
		for _, n := range m.Identifiers(name) {
			parent := n.Parent()
			switch {
			case parent.Kind() == syntax.Attribute && n.Field() == syntax.FieldAttribute:
				if parent.Field() != syntax.FieldLeft && parent.Field() != syntax.FieldFunction {
					add(parent)
				}
			case !global, parent.Kind() == syntax.KeywordArgument && n.Field() == syntax.FieldName, m.BindingAt(n) != nil, parent.Is(syntax.DottedName, syntax.AliasedImport):
			case len(m.ReachingDefs(n)) > 0 && m.ReachingDefs(n)[0].Kind == names.ParameterBinding:
			default:
				add(n)
			}
		}
		for s := range m.Tree.Statements() {
			s.Walk(func(n syntax.Node) bool {
				switch key, _ := names.StringValue(n.Child(syntax.FieldSubscript)); {
				case n.Kind() == syntax.Subscript && key == name && n.Field() != syntax.FieldLeft:
					add(n)
				case n.Kind() == syntax.Call && names.Method(n) == "get":
					if key, _ := names.StringValue(names.Argument(n, 0, "key")); key == name {
						add(n)
					}
				}
				return true
			})
		}
	}
	return uses, holders, true
}

// A batchRole is what a use of a number does with it as a batch size.
type batchRole uint8

const (
	otherwise batchRole = iota
	passesOn
	makesBatches
	countsBatches
)

// asBatch says what a use does.
func (f *Facts) asBatch(n syntax.Node) batchRole {
	parent := n.Parent()
	switch parent.Kind() {
	case syntax.ParenthesizedExpression, syntax.Interpolation:
		return passesOn
	case syntax.Assignment:
		if parent.Child(syntax.FieldLeft).Kind() == syntax.Identifier && n.Field() == syntax.FieldRight {
			return passesOn
		}
	case syntax.BinaryOperator:
		switch operator := parent.Child(syntax.FieldOperator).Text(); {
		case n.Field() == syntax.FieldRight && (operator == "//" || operator == "/" || operator == "%"):
			return countsBatches
		case parent.Parent().Kind() == syntax.ArgumentList && onlyOrders[names.Method(parent.Ancestor(syntax.Call))]:
			return countsBatches // a buffer of some batches
		}
	case syntax.KeywordArgument, syntax.ArgumentList:
		call := parent.Ancestor(syntax.Call)
		if parent.Kind() == syntax.ArgumentList {
			call = parent.Parent()
		}
		target := f.info.Target(call.Child(syntax.FieldFunction))
		switch method, fn := names.Method(call), target.Function; {
		case f.isSource(target.Class), fn != nil && fn.Yields:
			return makesBatches
		case fn != nil:
			if parameter, ok := fn.ParameterFor(call, n); ok && parameter.Star == 0 {
				return passesOn
			}
		case names.Argument(call, -1, "batch_size") == n, (method == "batch" || method == "padded_batch") && names.Argument(call, 0, "batch_size") == n:
			return makesBatches
		case names.Argument(call, 2, "batch_size") == n && method == "fit":
			return makesBatches
		case onlyOrders[method], f.info.Builtin(call) == "print":
			return passesOn
		}
	}
	return otherwise
}

// onlyOrders are the methods of a dataset whose numbers change the order of its elements, or when they are
// there, and not what they are.
var onlyOrders = map[string]bool{"shuffle": true, "prefetch": true}
