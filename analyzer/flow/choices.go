package flow

import (
	"slices"
	"strconv"

	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// maxChoices bounds the alternatives of a call, and maxChosen the names, calls and displays that
// lead to them.
const (
	maxChoices = 8
	maxChosen  = 16
)

// choices returns the functions of the program of which a call runs one: those that a name has on
// different paths, that a factory returns, that a display holds or that are passed for a
// parameter. It returns none if one of them is not known.
func (f *frame) choices(function syntax.Node) []names.Target {
	c := choosing{frame: f, left: maxChosen, runs: map[syntax.Node]names.Verdict{}}
	if !c.add(function) {
		return nil
	}
	return c.found
}

// choosing collects choices.
type choosing struct {
	*frame
	found []names.Target
	left  int // of maxChosen
	// instances is set if the choices are the classes that an object may be of.
	instances bool
	// runs is whether the blocks of the if statements run that were looked at.
	runs map[syntax.Node]names.Verdict
}

// add adds what an expression may stand for, and reports whether all of it is known.
func (c *choosing) add(n syntax.Node) bool {
	defer c.info.Enter(n).Leave()
	if c.left--; c.left < 0 {
		return false
	}
	if c.instances {
		if t := c.info.TypeOf(n); t.Known() {
			return t.Local != nil && c.is(names.Target{Class: t.Local})
		}
		if n.Kind() == syntax.Call {
			return c.made(n)
		}
	} else if t := c.info.Target(n); t != (names.Target{}) {
		return c.is(t)
	}
	switch n.Kind() {
	case syntax.ParenthesizedExpression:
		return c.add(n.FirstChild())
	case syntax.ConditionalExpression:
		value := n.FirstChild()
		test := value.Next()
		verdict := c.decided(test)
		return (verdict == names.Never || c.add(value)) && (verdict == names.Always || c.add(test.Next()))
	case syntax.Identifier:
		return c.each(c.info.ReachingDefs(n))
	case syntax.Attribute:
		object, name := n.Child(syntax.FieldObject), n.Child(syntax.FieldAttribute).Text()
		if class := c.classOf(object); class != nil {
			return c.each(c.info.Attribute(class, name))
		}
		return c.methods(object, name) || !c.instances && c.commands(name)
	case syntax.Subscript:
		return c.items(n.Child(syntax.FieldValue), n.Child(syntax.FieldSubscript))
	case syntax.Call:
		return c.returned(n, nil)
	}
	return false
}

// commands adds the functions that the subcommands of a command line store under a name:
// parser.set_defaults(run=train), then args.run(args).
func (c *choosing) commands(name string) bool {
	found := false
	for _, call := range c.subcommands(c.info) {
		if function := names.Argument(call, -1, name); function.Valid() {
			if found = true; !c.add(function) {
				return false
			}
		}
	}
	return found
}

// subcommands returns the calls of set_defaults in a module, which are found once a walk: each call of
// an unknown attribute asks for them.
func (w *walker) subcommands(info *names.Info) []syntax.Node {
	calls, known := w.setDefaults[info]
	if !known {
		calls = info.MethodCalls(func(method string) bool { return method == "set_defaults" })
		w.setDefaults[info] = calls
	}
	return calls
}

// methods adds the methods that an object has which is of one of several classes: one that a command
// line chooses, or a branch.
func (c *choosing) methods(object syntax.Node, name string) bool {
	of := choosing{frame: c.frame, left: c.left, runs: c.runs, instances: true}
	if !of.add(object) || len(of.found) == 0 {
		return false
	}
	c.left = of.left
	return !slices.ContainsFunc(of.found, func(t names.Target) bool { return t.Class == nil || !c.is(c.info.Member(t.Class, name)) })
}

// made adds the classes of which a call makes an instance: itself, or the function that it calls.
func (c *choosing) made(call syntax.Node) bool {
	function := call.Child(syntax.FieldFunction)
	if fn := c.info.Target(function); fn.Function != nil && fn.Class == nil {
		return c.returned(call, nil)
	}
	of := choosing{frame: c.frame, left: c.left, runs: c.runs}
	if !of.add(function) {
		return false
	}
	c.left = of.left
	return !slices.ContainsFunc(of.found, func(t names.Target) bool { return t.Class == nil || !c.is(t) })
}

// is adds one choice.
func (c *choosing) is(t names.Target) bool {
	if !slices.Contains(c.found, t) {
		c.found = append(c.found, t)
	}
	return known(t) && len(c.found) <= maxChoices
}

// each adds what all bindings stand for, except those in branches that are surely not taken.
func (c *choosing) each(bindings []*names.Binding) bool {
	for _, b := range bindings {
		if c.skipped(b.Node) {
			continue
		}
		known := false
		switch b.Kind {
		case names.FunctionBinding:
			known = c.is(names.Target{Function: b.Func})
		case names.AssignBinding:
			known = c.add(b.Value)
		case names.UnpackBinding:
			known = b.Value.Kind() == syntax.Call && len(b.Path) == 1 && c.returned(b.Value, b.Path)
		case names.ForBinding:
			known = b.Node.Field() == syntax.FieldLeft && c.items(b.Value, syntax.Node{})
		case names.ParameterBinding:
			if c.instances {
				return false // each call passes an object of one class
			}
			for i, passed := range c.passed(b) {
				if known = (known || i == 0) && c.add(passed); !known {
					break
				}
			}
			if c.info == c.root {
				c.own.main = true // an edited call may be anywhere in the module
			}
		}
		if !known {
			return false
		}
	}
	return len(bindings) > 0
}

// items adds the values of a display, or the one of a literal key.
func (c *choosing) items(display, key syntax.Node) bool {
	if display.Kind() == syntax.Identifier {
		bindings := c.info.ReachingDefs(display)
		if len(bindings) != 1 || bindings[0].Kind != names.AssignBinding || slices.ContainsFunc(c.info.Uses(bindings[0]), edits) {
			return false
		}
		c.dependsOn(bindings[0])
		display = bindings[0].Value
	}
	if key.Kind() == syntax.Integer && display.Is(syntax.List, syntax.Tuple) {
		i, err := strconv.Atoi(key.Text())
		return err == nil && c.add(names.Element(display, i))
	}
	wanted, constant := names.StringValue(key)
	found := false
	for item := range display.Children() {
		switch {
		case item.Kind() == syntax.Comment:
		case display.Kind() == syntax.Dictionary && item.Kind() == syntax.Pair:
			if name, written := names.StringValue(item.Child(syntax.FieldKey)); constant && written && name != wanted {
				continue
			}
			if found = true; !c.add(item.Child(syntax.FieldValue)) {
				return false
			}
		case display.Is(syntax.List, syntax.Tuple):
			if found = true; !c.add(item) {
				return false
			}
		default:
			return false
		}
	}
	return found
}

// edits reports whether a use of a display may change its content.
func edits(use syntax.Node) bool {
	parent := use.Parent()
	switch parent.Kind() {
	case syntax.Subscript:
		return parent.Parent().Is(syntax.Assignment, syntax.AugmentedAssignment) && parent.Field() == syntax.FieldLeft
	case syntax.Attribute:
		switch parent.Child(syntax.FieldAttribute).Text() {
		case "items", "keys", "values", "get":
			return false
		}
		return true
	case syntax.ArgumentList:
		return !slices.Contains([]string{"list", "tuple", "set", "sorted", "len", "iter"}, parent.Parent().Child(syntax.FieldFunction).Text())
	case syntax.KeywordArgument:
		return parent.Child(syntax.FieldName).Text() != "choices" // of argparse, click
	}
	return false
}

// returned adds what a function of the program returns, or the item of it at a path.
func (c *choosing) returned(call syntax.Node, path []int) bool {
	fn := c.info.Target(call.Child(syntax.FieldFunction)).Function
	if fn == nil || fn.Info != c.info || len(fn.Returns) == 0 {
		return false
	}
	for _, value := range fn.Returns {
		if c.skipped(value) {
			continue
		}
		for _, i := range path {
			if !value.Is(syntax.Tuple, syntax.ExpressionList, syntax.List) {
				return false
			}
			value = names.Element(value, i)
		}
		if !c.add(value) {
			return false
		}
	}
	return true
}

// skipped reports whether code stands in a branch of its function that is surely not taken.
func (c *choosing) skipped(n syntax.Node) bool {
	for child, p := n, n.Parent(); p.Valid() && !p.Is(syntax.FunctionDefinition, syntax.Lambda, syntax.ClassDefinition); child, p = p, p.Parent() {
		statement := p
		if p.Is(syntax.ElifClause, syntax.ElseClause) {
			statement = p.Parent()
		}
		if statement.Kind() != syntax.IfStatement || child.Kind() != syntax.Block {
			continue
		}
		if _, known := c.runs[child]; !known {
			names.Branches(statement, c.decided, func(block syntax.Node, runs names.Verdict) { c.runs[block] = runs })
		}
		if c.runs[child] == names.Never {
			return true
		}
	}
	return false
}

// decided returns the verdict on a test of constants, and of parameters for which all calls pass
// the same one.
func (c *choosing) decided(test syntax.Node) names.Verdict {
	constant := func(n syntax.Node) names.Verdict {
		return names.Decide(c.info.DefiningExpr(n), func(syntax.Node) names.Verdict { return names.Maybe })
	}
	return names.Decide(test, func(n syntax.Node) names.Verdict {
		return agreed(c.frame, n, map[*names.Binding]names.Verdict{}, constant)
	})
}

// runOne adds what calling one of several functions does, each in a branch of its own. If only
// some of them are compiled, the choice may be between running eagerly and not.
func (f *frame) runOne(call syntax.Node, targets []names.Target) {
	compiled := func(t names.Target) bool {
		if t.Function == nil {
			return t.Compiled
		}
		decorated, unknown := t.Function.CompiledBy()
		return t.Compiled || t.Wrapped || decorated || unknown
	}
	mixed := Context(0)
	if slices.ContainsFunc(targets, func(t names.Target) bool { return compiled(t) != compiled(targets[0]) }) {
		mixed = Uncertain
	}
	for _, t := range targets {
		if len(targets) == 1 {
			f.run(call, t, mixed)
		} else {
			f.branch(func() { f.run(call, t, mixed) })
		}
	}
}
