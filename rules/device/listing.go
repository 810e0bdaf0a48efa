package device

import (
	"strconv"
	"strings"

	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// A listing is what an expression that is meant to be a device, or several,
// stands for.
type listing struct {
	of deviceKind
	// list tells whether it is a list rather than one of its devices.
	list bool
	part part
	// index is the literal index of a single device; it counts from the end where
	// it is negative.
	index int
	// from is the expression of the whole list that part was taken from, as it
	// stands where cut is.
	from syntax.Node
	// cut is the expression that takes the part: gpus[0], gpus[:1].
	cut syntax.Node
	// loop is the for statement or clause that goes over the list, where the
	// device is the name it binds.
	loop syntax.Node
}

// A deviceKind is what a listing holds.
type deviceKind uint8

const (
	unknownDevices deviceKind = iota
	physicalGPUs
	physicalCPUs
	physicalDevices // of all kinds, the CPU among them
	logicalDevices
	noDevice // a text, a number, True or None
)

// A part says how many of the devices of its kind a listing holds.
type part uint8

const (
	all part = iota
	one
	some
	unknownPart
)

// listingOf follows an expression to the call that lists devices.
func listingOf(info *names.Info, n syntax.Node) listing { return follow(info, n, 0) }

// maxSteps bounds the assignments that lead from one to another.
const maxSteps = 16

func follow(info *names.Info, n syntax.Node, steps int) listing {
	if steps++; steps > maxSteps {
		return listing{}
	}
	switch n.Kind() {
	case syntax.ParenthesizedExpression:
		return follow(info, n.FirstChild(), steps)
	case syntax.String, syntax.Integer, syntax.Float, syntax.True, syntax.False, syntax.NoneLiteral:
		return listing{of: noDevice}
	case syntax.Call:
		return listed(info, n, steps)
	case syntax.Subscript:
		return subscripted(info, n, steps)
	case syntax.Attribute:
		if l := follow(info, n.Child(syntax.FieldObject), steps); l.of != unknownDevices && !l.list && n.Child(syntax.FieldAttribute).Text() == "name" {
			return listing{of: noDevice}
		}
	case syntax.List, syntax.Tuple:
		only := names.Element(n, 0)
		if !only.Valid() || names.Element(n, 1).Valid() || only.Kind() == syntax.ListSplat {
			return listing{}
		}
		l := follow(info, only, steps)
		if l.list {
			return listing{}
		}
		l.list, l.cut = true, n
		return l
	case syntax.Identifier:
		bindings := info.Reaching(n)
		if len(bindings) != 1 {
			return listing{}
		}
		return bound(info, bindings[0], steps)
	}
	return listing{}
}

// bound is what a binding gives its name: the value of an assignment, or an
// element of what a loop goes over.
func bound(info *names.Info, b *names.Binding, steps int) listing {
	switch b.Kind {
	case names.AssignBinding:
		return follow(info, b.Value, steps)
	case names.ForBinding:
		loop := b.Node
		for loop.Valid() && !loop.Is(syntax.ForStatement, syntax.ForInClause) {
			loop = loop.Parent()
		}
		iterable := b.Value
		switch left := loop.Child(syntax.FieldLeft); {
		case left == b.Node:
		case left.Is(syntax.PatternList, syntax.TuplePattern) && names.Element(left, 1) == b.Node && builtin(info, iterable, "enumerate"):
			iterable = names.Argument(iterable, 0, "iterable")
		default:
			return listing{}
		}
		l := follow(info, iterable, steps)
		if !l.list {
			return listing{}
		}
		l.list, l.loop = false, loop
		if !l.from.Valid() {
			l.from = iterable
		}
		return l
	}
	return listing{}
}

// listed is what a call lists.
func listed(info *names.Info, call syntax.Node, steps int) listing {
	name := strings.Replace(info.Callee(call), ".experimental.", ".", 1)
	l := listing{list: true, from: call}
	switch name {
	case "tensorflow.config.list_physical_devices", "tensorflow.config.get_visible_devices":
	case "tensorflow.config.list_logical_devices":
		l.of = logicalDevices
		return l
	default:
		if builtin(info, call, "list") || builtin(info, call, "tuple") || builtin(info, call, "sorted") {
			return follow(info, names.Argument(call, 0, "iterable"), steps)
		}
		return listing{}
	}
	if names.HasSplat(call) {
		return listing{}
	}
	kind := names.Argument(call, 0, "device_type")
	switch text, _ := names.StringValue(kind); {
	case !kind.Valid(), kind.Kind() == syntax.NoneLiteral:
		l.of = physicalDevices
	case text == "GPU":
		l.of = physicalGPUs
	case text == "CPU":
		l.of = physicalCPUs
	default:
		return listing{}
	}
	return l
}

// builtin tells whether a node calls a function of Python's own.
func builtin(info *names.Info, call syntax.Node, name string) bool {
	f := call.Child(syntax.FieldFunction)
	return call.Kind() == syntax.Call && f.Kind() == syntax.Identifier && f.Text() == name && info.Lookup(f) == nil
}

// subscripted is a device, or several, taken from a list.
func subscripted(info *names.Info, n syntax.Node, steps int) listing {
	value := n.Child(syntax.FieldValue)
	l := follow(info, value, steps)
	if !l.list {
		return listing{}
	}
	if l.part != all {
		l.part = unknownPart
	} else {
		l.from, l.cut = value, n
	}
	index := n.Child(syntax.FieldSubscript)
	if index.Kind() == syntax.Slice {
		switch {
		case strings.Trim(index.Text(), " :") == "":
		case l.part == all && literalSlice(index):
			l.part = some
		default:
			l.part = unknownPart
		}
		return l
	}
	l.list = false
	i, ok := integer(index)
	switch {
	case l.part != all:
	case ok:
		l.part, l.index = one, i
	default:
		l.part = unknownPart
	}
	return l
}

// literalSlice tells whether the bounds of a slice are written as numbers.
func literalSlice(n syntax.Node) bool {
	for c := range n.Children() {
		if _, ok := integer(c); !ok {
			return false
		}
	}
	return true
}

// integer is the value of an integer literal, which may have a minus.
func integer(n syntax.Node) (int, bool) {
	if !n.Is(syntax.Integer, syntax.UnaryOperator) {
		return 0, false
	}
	i, err := strconv.Atoi(strings.ReplaceAll(n.Text(), " ", ""))
	return i, err == nil
}

// deviceArgument is the device that a call of a setter is given, or none.
func deviceArgument(call syntax.Node) syntax.Node { return names.Argument(call, 0, "device") }
