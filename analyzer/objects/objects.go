// Package objects is what the objects and functions of Python's libraries have in common,
// whichever library they are of: what an object answers that is not followed, how what a
// function is called with is read, and what is said where that is not known.
//
// It models no library, and guesses nothing. It knows value, of whose Host it is the ground,
// and tensor.
package objects

import (
	"strings"

	"github.com/tfmem/tfmem/analyzer/value"
)

// Base is a [value.HostValue] of which nothing is known. An object embeds it and answers
// the questions that it can. Its text names the object in reasons: "a table".
type Base string

// What names it in the reasons why something is not known.
func (b Base) What() string { return string(b) }

// Attr says of no attribute that the object does not have it, as which it has is not known
// here; but of what Python itself asks for, which it asks of the methods below.
func (b Base) Attr(_ *value.Interp, name string) (value.Value, bool) {
	if strings.HasPrefix(name, "__") {
		return value.Value{}, false
	}
	return b.Unknown(name + " of "), true
}

func (b Base) SetAttr(*value.Interp, string, value.Value) bool { return false }
func (b Base) Iterate(*value.Interp) ([]value.Value, bool)     { return nil, false }
func (b Base) Index(*value.Interp, value.Value) value.Value    { return b.Unknown("an item of ") }
func (b Base) Call(*value.Interp, *value.Args) value.Value     { return b.Unknown("a call of ") }
func (b Base) Binary(*value.Interp, string, value.Value, bool) value.Value {
	return b.Unknown("arithmetic with ")
}

// Unknown is the result of a use of the object that is not followed: "a use of ".
func (b Base) Unknown(how string) value.Value {
	return value.Value{X: value.Unknown{Why: how + string(b) + " is not followed"}}
}

// Method makes a value of a function.
func Method(f func(in *value.Interp, args *value.Args) value.Value) (value.Value, bool) {
	return value.Value{X: value.Method(f)}, true
}

// Nothing is a method whose result does not matter.
func Nothing(*value.Interp, *value.Args) value.Value { return value.Value{X: value.None{}} }

// Fields is an object some of whose attributes, which are also its items, are known.
type Fields struct {
	Base
	Values map[string]value.Value // by name
}

// Attr is one of them; of all others nothing is known.
func (f *Fields) Attr(_ *value.Interp, name string) (value.Value, bool) {
	if v, ok := f.Values[name]; ok {
		return v, true
	}
	return f.Unknown(name + " of "), true
}

// Index is one of them by its name.
func (f *Fields) Index(_ *value.Interp, index value.Value) value.Value {
	if name, ok := index.X.(string); ok && f.Values[name].X != nil {
		return f.Values[name]
	}
	return f.Unknown("an item of ")
}

// Ends tells where what only a run decides is taken to be.
type Ends interface {
	// Between is a number at the end at which it is taken to be; why says, in a sentence,
	// why it is not known.
	Between(low, high int64, why string) int64
}

// Counted is a container whose items are unknown: it has at least Low and at most High of
// them. Why is the reason, a sentence.
type Counted struct {
	Base
	Ends      Ends
	Low, High int64
	Why       string
}

// Count is how many things it is taken to hold.
func (c *Counted) Count() int64 { return c.Ends.Between(c.Low, c.High, c.Why) }

// Len is the same to Python.
func (c *Counted) Len(*value.Interp) value.Value { return value.Value{X: c.Count()} }

// Attr is not followed, whatever it is of.
func (c *Counted) Attr(*value.Interp, string) (value.Value, bool) {
	return c.Unknown("a use of "), true
}
