// Package objects is what the objects and functions of Python's libraries have in common,
// whatever their library: the reading of arguments, and the reasons for unknown results.
//
// It models no library, and guesses nothing. It knows value, for whose Host it is the basis, and
// tensor.
package objects

import "github.com/tfmem/tfmem/analyzer/value"

// Method makes a value of a function.
func Method(f func(in *value.Interp, args *value.Args) value.Value) (value.Value, bool) {
	return value.Value{X: value.Method(f)}, true
}

// Nothing is a method whose result does not matter.
func Nothing(*value.Interp, *value.Args) value.Value { return value.Value{X: value.None{}} }

// Fields is an object of which some attributes are known. They are also its items.
type Fields struct {
	value.Base
	Values map[string]value.Value // by name
}

// GetAttr returns a known attribute. All others are unknown.
func (f *Fields) GetAttr(_ *value.Interp, name string) (value.Value, bool) {
	if v, ok := f.Values[name]; ok {
		return v, true
	}
	return f.Unknown(name + " of "), true
}

// GetItem returns a known attribute by name.
func (f *Fields) GetItem(_ *value.Interp, index value.Value) value.Value {
	if name, ok := index.X.(string); ok && f.Values[name].X != nil {
		return f.Values[name]
	}
	return f.Unknown("an item of ")
}

// Ends gives the values assumed for what is only known at run time.
type Ends interface {
	// Between returns a number at the assumed bound. why says, in a sentence, why it is not
	// known.
	Between(low, high int64, why string) int64
}

// Counted is a container whose items are unknown: it has at least Low and at most High of
// them. Why is the reason, a sentence.
type Counted struct {
	value.Base
	Ends      Ends
	Low, High int64
	Why       string
	Item      value.Value // what each item is, if that is known
}

// Count returns the assumed number of items.
func (c *Counted) Count() int64 { return c.Ends.Between(c.Low, c.High, c.Why) }

// Len is len(c).
func (c *Counted) Len(*value.Interp) value.Value { return value.Value{X: c.Count()} }

func (c *Counted) GetItem(in *value.Interp, index value.Value) value.Value {
	if c.Item.Known() {
		return c.Item
	}
	return c.Base.GetItem(in, index)
}

// GetAttr is not modelled.
func (c *Counted) GetAttr(*value.Interp, string) (value.Value, bool) {
	return c.Unknown("a use of "), true
}
