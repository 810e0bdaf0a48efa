package rule

import (
	"slices"
	"strconv"
	"strings"

	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// A Listing is a device, or the list of devices, that an expression stands for.
type Listing struct {
	Of DeviceKind
	// List is set for a list, and not for a single device.
	List bool
	Part Part
	// Index is the literal index of a single device. A negative one counts from the end.
	Index int
	// From is the expression of the whole list that a part was taken from, as written where Cut is.
	From syntax.Node
	// Cut is the expression that takes the part: gpus[0], gpus[:1].
	Cut syntax.Node
	// Loop is the for statement or clause that iterates over the list and binds the device to a
	// name.
	Loop syntax.Node
}

// A DeviceKind is what a Listing holds.
type DeviceKind uint8

const (
	UnknownDevices DeviceKind = iota
	PhysicalGPUs
	PhysicalCPUs
	PhysicalDevices // of all kinds, the CPU among them
	LogicalDevices
	NoDevice // a string, a number, True or None
)

// A Part says how many of the devices of its kind a Listing holds.
type Part uint8

const (
	AllDevices Part = iota
	OneDevice
	SomeDevices
	UnknownPart
)

// ListingOf follows an expression back to the call that lists devices.
func ListingOf(info *names.Info, n syntax.Node) Listing { return follow(info, n, 0) }

// maxSteps bounds how many assignments are followed.
const maxSteps = 16

func follow(info *names.Info, n syntax.Node, steps int) Listing {
	defer info.Enter(n).Leave()
	if steps++; steps > maxSteps {
		return Listing{}
	}
	switch n.Kind() {
	case syntax.ParenthesizedExpression:
		return follow(info, n.FirstChild(), steps)
	case syntax.String, syntax.Integer, syntax.Float, syntax.True, syntax.False, syntax.NoneLiteral:
		return Listing{Of: NoDevice}
	case syntax.Call:
		return listed(info, n, steps)
	case syntax.Subscript:
		return subscripted(info, n, steps)
	case syntax.Attribute:
		if l := follow(info, n.Child(syntax.FieldObject), steps); l.Of != UnknownDevices && !l.List && n.Child(syntax.FieldAttribute).Text() == "name" {
			return Listing{Of: NoDevice}
		}
	case syntax.List, syntax.Tuple:
		only := names.Element(n, 0)
		if !only.Valid() || names.Element(n, 1).Valid() || only.Kind() == syntax.ListSplat {
			return Listing{}
		}
		l := follow(info, only, steps)
		if l.List {
			return Listing{}
		}
		l.List, l.Cut = true, n
		return l
	case syntax.Identifier:
		bindings := info.ReachingDefs(n)
		if len(bindings) != 1 {
			return Listing{}
		}
		return bound(info, bindings[0], steps)
	}
	return Listing{}
}

// bound returns what a binding gives its name: the value of an assignment, or an element of what a
// loop iterates over.
func bound(info *names.Info, b *names.Binding, steps int) Listing {
	switch b.Kind {
	case names.AssignBinding:
		return follow(info, b.Value, steps)
	case names.UnpackBinding:
		// first, *rest = gpus. Without the star, the pattern says how many there are.
		l := follow(info, b.Value, steps)
		targets := slices.Collect(b.Node.Parent().Children())
		star, at := slices.IndexFunc(targets, isStar), slices.Index(targets, b.Node)
		if !l.List || l.Part != AllDevices || b.Node.Parent().Field() != syntax.FieldLeft || star < 0 || at < 0 || at == star {
			return Listing{}
		}
		if at > star {
			at -= len(targets) // counted from the end
		}
		l.List, l.Part, l.Index, l.From = false, OneDevice, at, b.Value
		return l
	case names.ForBinding:
		loop := b.Node
		for loop.Valid() && !loop.Is(syntax.ForStatement, syntax.ForInClause) {
			loop = loop.Parent()
		}
		iterable := b.Value
		switch left := loop.Child(syntax.FieldLeft); {
		case left == b.Node:
		case left.Is(syntax.PatternList, syntax.TuplePattern) && names.Element(left, 1) == b.Node && info.Builtin(iterable) == "enumerate":
			iterable = names.Argument(iterable, 0, "iterable")
		default:
			return Listing{}
		}
		l := follow(info, iterable, steps)
		if !l.List {
			return Listing{}
		}
		l.List, l.Loop = false, loop
		if !l.From.Valid() {
			l.From = iterable
		}
		return l
	}
	return Listing{}
}

// listed returns what a call lists.
func listed(info *names.Info, call syntax.Node, steps int) Listing {
	defer info.Enter(call).Leave()
	name := strings.Replace(info.Callee(call), ".experimental.", ".", 1)
	l := Listing{List: true, From: call}
	switch name {
	case "tensorflow.config.list_physical_devices", "tensorflow.config.get_visible_devices":
	case "tensorflow.config.list_logical_devices":
		l.Of = LogicalDevices
		return l
	default:
		if info.Builtin(call) == "list" || info.Builtin(call) == "tuple" || info.Builtin(call) == "sorted" {
			return follow(info, names.Argument(call, 0, "iterable"), steps)
		}
		if info.Builtin(call) == "next" {
			return one(info, call, madeOnce(info, names.Argument(call, 0, "iterator")), steps)
		}
		if f := call.Child(syntax.FieldFunction); f.Kind() == syntax.Attribute && f.Child(syntax.FieldAttribute).Text() == "pop" {
			return popped(info, call, steps)
		}
		return returned(info, call, steps)
	}
	if names.HasSplat(call) {
		return Listing{}
	}
	kind := names.Argument(call, 0, "device_type")
	switch text, _ := names.StringValue(kind); {
	case !kind.Valid(), kind.Kind() == syntax.NoneLiteral:
		l.Of = PhysicalDevices
	case text == "GPU":
		l.Of = PhysicalGPUs
	case text == "CPU":
		l.Of = PhysicalCPUs
	default:
		return Listing{}
	}
	return l
}

// madeOnce returns the iterable of an iterator that iter() makes and only one next() takes from, or
// none.
func madeOnce(info *names.Info, iterator syntax.Node) syntax.Node {
	made := info.DefiningExpr(iterator)
	if info.Builtin(made) != "iter" || made != iterator && len(info.Uses(info.ReachingDefs(iterator)[0])) != 1 {
		return syntax.Node{}
	}
	return names.Argument(made, 0, "iterable")
}

// one returns the first device of a list, which a call takes.
func one(info *names.Info, call, list syntax.Node, steps int) Listing {
	l := follow(info, list, steps)
	if !l.List || l.Part != AllDevices {
		return Listing{}
	}
	l.List, l.Part, l.From, l.Cut = false, OneDevice, list, call
	return l
}

// popped returns the device that pop() takes from a list which has no name, and so no other use.
func popped(info *names.Info, call syntax.Node, steps int) Listing {
	list, index := call.Child(syntax.FieldFunction).Child(syntax.FieldObject), -1
	if list.Kind() != syntax.Call {
		return Listing{}
	}
	if given := names.Argument(call, 0, "index"); given.Valid() {
		var literal bool
		if index, literal = integer(given); !literal {
			return Listing{}
		}
	}
	l := one(info, call, list, steps)
	l.Index = index
	return l
}

// returned returns what a call of a function of the program returns, if the function has one
// return.
func returned(info *names.Info, call syntax.Node, steps int) Listing {
	f := info.Target(call.Child(syntax.FieldFunction)).Function
	if f == nil || f.Body.Kind() != syntax.Block {
		return Listing{}
	}
	var value syntax.Node
	returns := 0
	f.Body.Walk(func(n syntax.Node) bool {
		if n.Kind() == syntax.ReturnStatement {
			value = n.FirstChild()
			returns++
		}
		return !n.Is(syntax.FunctionDefinition, syntax.Lambda, syntax.ClassDefinition)
	})
	if returns != 1 {
		return Listing{}
	}
	l := follow(f.Info, value, steps)
	l.From, l.Cut, l.Loop = syntax.Node{}, syntax.Node{}, syntax.Node{}
	if l.List && l.Part == AllDevices {
		l.From = call
	}
	return l
}

func isStar(n syntax.Node) bool { return n.Kind() == syntax.ListSplatPattern }

// subscripted returns the device, or several, taken from a list.
func subscripted(info *names.Info, n syntax.Node, steps int) Listing {
	value := n.Child(syntax.FieldValue)
	l := follow(info, value, steps)
	if !l.List {
		return Listing{}
	}
	if l.Part != AllDevices {
		l.Part = UnknownPart
	} else {
		l.From, l.Cut = value, n
	}
	index := n.Child(syntax.FieldSubscript)
	if index.Kind() == syntax.Slice {
		switch {
		case strings.Trim(index.Text(), " :") == "":
		case l.Part == AllDevices && literalSlice(index):
			l.Part = SomeDevices
		default:
			l.Part = UnknownPart
		}
		return l
	}
	l.List = false
	i, ok := integer(index)
	switch {
	case l.Part != AllDevices:
	case ok:
		l.Part, l.Index = OneDevice, i
	default:
		l.Part = UnknownPart
	}
	return l
}

// literalSlice reports whether the bounds of a slice are written as numbers.
func literalSlice(n syntax.Node) bool {
	for c := range n.Children() {
		if _, ok := integer(c); !ok {
			return false
		}
	}
	return true
}

// integer returns the value of an integer literal, which may have a minus sign.
func integer(n syntax.Node) (int, bool) {
	if !n.Is(syntax.Integer, syntax.UnaryOperator) {
		return 0, false
	}
	i, err := strconv.Atoi(strings.ReplaceAll(n.Text(), " ", ""))
	return i, err == nil
}

// DeviceArgument returns the device that a call of a setter is given, or none.
func DeviceArgument(call syntax.Node) syntax.Node { return names.Argument(call, 0, "device") }
