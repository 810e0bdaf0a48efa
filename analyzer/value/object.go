package value

import "strings"

// An Object is a value of any kind beside Python's own: a layer, a tensor, an array, a table,
// a file. Its methods are the slots of the kind, all that it may answer: those that Python has
// are named after Python's own methods, and the last two are the operations of the lattice.
//
// An absent slot means that nothing is known, never a default: it returns an empty Value, false
// or an Unknown. A kind embeds [Base], which has hardly any, and fills those that it knows.
type Object interface {
	// What names the object in the reasons why something is not known: "a table".
	What() string
	// GetAttr is __getattribute__; a method is returned as a [Method]. ok is false only where
	// the object surely has no such attribute.
	GetAttr(in *Interp, name string) (v Value, ok bool)
	// SetAttr is __setattr__.
	SetAttr(in *Interp, name string, v Value)
	// Call is __call__.
	Call(in *Interp, args *Args) Value
	// Signature is __signature__: the names of the parameters of Call.
	Signature() (parameters []string, ok bool)
	// InstanceOf is isinstance(object, class), for a class of Python or of a library.
	InstanceOf(class string) (truth, known bool)
	// Bool is __bool__.
	Bool(in *Interp) (truth, known bool)
	// Is is the operator of that name.
	Is(other Value) (same, known bool)
	// Binary is __add__, __lt__, __eq__ and so on: object op other; where reflected is set it is
	// __radd__ and so on, other op object. What is multiplied by -1 is __neg__ too.
	Binary(in *Interp, op string, other Value, reflected bool) Value
	// Invert is __invert__, the ~.
	Invert(in *Interp) Value

	// GetItem, SetItem and DelItem are __getitem__, __setitem__ and __delitem__.
	GetItem(in *Interp, index Value) Value
	SetItem(in *Interp, index, item Value)
	DelItem(in *Interp, index Value)
	// Len is __len__; where it is absent, there are as many items as Iter has.
	Len(in *Interp) Value
	// Iter is __iter__: the items, if all are known.
	Iter(in *Interp) (items []Value, ok bool)
	// Sample is a typical item where Iter does not know them; first is set where there surely is
	// one, which then looks like it.
	Sample(in *Interp) (item Value, first bool)
	// WhyNotIter is why Iter does not know the items, a clause.
	WhyNotIter() string
	// Keys is keys(): of what dict(object) has an item under each of them.
	Keys(in *Interp) (keys []Value, ok bool)
	// Distinct is set(object), where neither order nor number of the items need be known.
	Distinct() (items []Value, ok bool)

	// Enter is __enter__, which returns what as binds: where it is absent, the object, as most
	// do. Exit is __exit__.
	Enter(in *Interp) Value
	Exit(in *Interp)

	// Join is all that is known of what is this object or another value, such as the shape that
	// two arrays share. Select is the same after branches of which this object is the test: a
	// tensor may only decide which value is computed.
	Join(other Value) (v Value, ok bool)
	Select(a, b Value) (v Value, ok bool)
	// Widen is what is known of every item of a list of which this object and another value, or
	// this one alone, are some.
	Widen(other Value) (v Value, ok bool)
}

// Base is an [Object] of which nothing is known. Its text names it in reasons: "a table".
type Base string

func (b Base) What() string { return string(b) }

// Unknown is the result of a use of the object that is not followed: "a use of ".
func (b Base) Unknown(how string) Value {
	return Value{X: Unknown{how + string(b) + " is not followed"}}
}

// GetAttr says of no attribute that the object does not have it, as which it has is not known
// here; but of what Python itself asks for, which it asks of the other slots.
func (b Base) GetAttr(_ *Interp, name string) (Value, bool) {
	if strings.HasPrefix(name, "__") {
		return Value{}, false
	}
	return b.Unknown(name + " of "), true
}

// InstanceOf tells that the object is of none of Python's own types.
func (b Base) InstanceOf(class string) (truth, known bool) {
	_, python := abstract[strings.TrimPrefix(class, "builtins.")]
	return false, python
}

func (b Base) SetAttr(*Interp, string, Value)            {}
func (b Base) Call(*Interp, *Args) Value                 { return b.Unknown("a call of ") }
func (b Base) Signature() (parameters []string, ok bool) { return nil, false }
func (b Base) Bool(*Interp) (truth, known bool)          { return false, false }
func (b Base) Is(Value) (same, known bool)               { return false, false }
func (b Base) Binary(*Interp, string, Value, bool) Value { return b.Unknown("arithmetic with ") }
func (b Base) Invert(*Interp) Value                      { return Value{} }
func (b Base) GetItem(*Interp, Value) Value              { return b.Unknown("an item of ") }
func (b Base) SetItem(*Interp, Value, Value)             {}
func (b Base) DelItem(*Interp, Value)                    {}
func (b Base) Len(*Interp) Value                         { return Value{} }
func (b Base) Iter(*Interp) (items []Value, ok bool)     { return nil, false }
func (b Base) Sample(*Interp) (item Value, first bool)   { return Value{}, false }
func (b Base) WhyNotIter() string                        { return "" }
func (b Base) Keys(*Interp) (keys []Value, ok bool)      { return nil, false }
func (b Base) Distinct() (items []Value, ok bool)        { return nil, false }
func (b Base) Enter(*Interp) Value                       { return Value{} }
func (b Base) Exit(*Interp)                              {}
func (b Base) Join(Value) (v Value, ok bool)             { return Value{}, false }
func (b Base) Select(Value, Value) (v Value, ok bool)    { return Value{}, false }
func (b Base) Widen(Value) (v Value, ok bool)            { return Value{}, false }

// asked is x, or where there is none, or the Host is not asked, an object without slots.
func (in *Interp) asked(x Object) Object {
	if x == nil || in.hostMuted > 0 {
		return Base("")
	}
	return x
}

// opaque is embedded by the interpreter's own objects: like every object without __bool__ and
// __len__, they are true.
type opaque struct{ Base }

func (opaque) Bool(*Interp) (truth, known bool) { return true, true }
