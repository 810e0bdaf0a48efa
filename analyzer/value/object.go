package value

import "strings"

// An Object is a value that is not of Python's own kinds: a layer, a tensor, an array,
// a table, a file. Its methods are slots. Those that Python has are named after
// Python's own methods; the last two are the operations of the lattice.
//
// An absent slot means that nothing is known; there are no defaults. It returns an
// empty Value, false or an Unknown. A kind embeds [Base], where nearly all slots are
// absent, and defines those that it knows.
type Object interface {
	// What names the object in reasons: "a table".
	What() string
	// GetAttr is __getattribute__; a method is returned as a [Method]. ok is false only
	// if the object surely has no such attribute.
	GetAttr(in *Interp, name string) (v Value, ok bool)
	// SetAttr is __setattr__.
	SetAttr(in *Interp, name string, v Value)
	// Call is __call__.
	Call(in *Interp, args *Args) Value
	// Signature is __signature__: the names of Call's parameters.
	Signature() (parameters []string, ok bool)
	// InstanceOf is isinstance(object, class), for a class of Python or of a library.
	InstanceOf(class string) (truth, known bool)
	// Bool is __bool__.
	Bool(in *Interp) (truth, known bool)
	// Is is the operator "is".
	Is(other Value) (same, known bool)
	// Binary is __add__, __lt__, __eq__ and so on: object op other; if reflected is
	// set, it is __radd__ and so on: other op object. Multiplication by -1 is also
	// __neg__.
	Binary(in *Interp, op string, other Value, reflected bool) Value
	// Invert is __invert__, the operator ~.
	Invert(in *Interp) Value

	// GetItem, SetItem and DelItem are __getitem__, __setitem__ and __delitem__.
	GetItem(in *Interp, index Value) Value
	SetItem(in *Interp, index, item Value)
	DelItem(in *Interp, index Value)
	// Len is __len__; if it is absent, the length is the number of Iter's items.
	Len(in *Interp) Value
	// Iter is __iter__: the items, if all are known.
	Iter(in *Interp) (items []Value, ok bool)
	// Sample returns a typical item if Iter does not know the items; first is set if
	// there surely is a first item, which then looks like the sample.
	Sample(in *Interp) (item Value, first bool)
	// WhyNotIter says why Iter does not know the items, as a clause.
	WhyNotIter() *Cause
	// Keys is keys(): the keys of dict(object).
	Keys(in *Interp) (keys []Value, ok bool)
	// Distinct is set(object); neither the order nor the number of the items need be
	// known.
	Distinct() (items []Value, ok bool)

	// Enter is __enter__: the value that "as" binds; if it is absent, the object
	// itself. Exit is __exit__.
	Enter(in *Interp) Value
	Exit(in *Interp)

	// Join returns all that is known about a value that is either this object or
	// another value, such as the shape that two arrays share. Select is the same after
	// branches with this object as their test: a tensor may only decide which value is
	// computed.
	Join(other Value) (v Value, ok bool)
	Select(a, b Value) (v Value, ok bool)
	// Widen returns what is known about every item of a list that contains this object
	// and another value, or this object alone.
	Widen(other Value) (v Value, ok bool)
}

// Base is an [Object] without knowledge. Its text names it in reasons: "a table".
type Base string

func (b Base) What() string { return string(b) }

// Unknown returns the result of an unmodelled use of the object; how is a phrase such
// as "a use of ".
func (b Base) Unknown(how string) Value {
	return Because(UnmodelledUse, "%s%s is not followed", how, string(b)).Unknown()
}

// GetAttr never denies an attribute, because the attributes are not known here. The
// exception is Python's own special methods, which the other slots answer.
func (b Base) GetAttr(_ *Interp, name string) (Value, bool) {
	if strings.HasPrefix(name, "__") {
		return Value{}, false
	}
	return b.Unknown(name + " of "), true
}

// InstanceOf says that the object is of none of Python's own types.
func (b Base) InstanceOf(class string) (truth, known bool) {
	_, python := abstract[strings.TrimPrefix(class, "builtins.")]
	return false, python
}

func (b Base) SetAttr(*Interp, string, Value) {}

func (b Base) Call(*Interp, *Args) Value { return b.Unknown("a call of ") }

func (b Base) Signature() (parameters []string, ok bool) { return nil, false }

func (b Base) Bool(*Interp) (truth, known bool) { return false, false }

func (b Base) Is(Value) (same, known bool) { return false, false }

func (b Base) Binary(*Interp, string, Value, bool) Value { return b.Unknown("arithmetic with ") }

func (b Base) Invert(*Interp) Value { return Value{} }

func (b Base) GetItem(*Interp, Value) Value { return b.Unknown("an item of ") }

func (b Base) SetItem(*Interp, Value, Value) {}

func (b Base) DelItem(*Interp, Value) {}

func (b Base) Len(*Interp) Value { return Value{} }

func (b Base) Iter(*Interp) (items []Value, ok bool) { return nil, false }

func (b Base) Sample(*Interp) (item Value, first bool) { return Value{}, false }

func (b Base) WhyNotIter() *Cause { return nil }

func (b Base) Keys(*Interp) (keys []Value, ok bool) { return nil, false }

func (b Base) Distinct() (items []Value, ok bool) { return nil, false }

func (b Base) Enter(*Interp) Value { return Value{} }

func (b Base) Exit(*Interp) {}

func (b Base) Join(Value) (v Value, ok bool) { return Value{}, false }

func (b Base) Select(Value, Value) (v Value, ok bool) { return Value{}, false }

func (b Base) Widen(Value) (v Value, ok bool) { return Value{}, false }

// Slots returns x, or an object without slots if x is nil or the Host is muted.
func (in *Interp) Slots(x Object) Object {
	if x == nil || in.HostMuted > 0 {
		return Base("")
	}
	return x
}

// Opaque is embedded in the interpreter's own objects: like every object without
// __bool__ and __len__, they are true.
type Opaque struct{ Base }

func (Opaque) Bool(*Interp) (truth, known bool) { return true, true }
