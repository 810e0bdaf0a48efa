package keras

import "github.com/tfmem/tfmem/analyzer/value"

// base answers for what an object does not do.
type base struct{ what string }

// What names it in the reasons why something is not known.
func (b base) What() string { return b.what }

func (b base) Attr(*value.Interp, string) (value.Value, bool)  { return value.Value{}, false }
func (b base) SetAttr(*value.Interp, string, value.Value) bool { return false }
func (b base) Iterate(*value.Interp) ([]value.Value, bool)     { return nil, false }
func (b base) Index(*value.Interp, value.Value) value.Value    { return b.unknown("an item of ") }
func (b base) Call(*value.Interp, *value.Args) value.Value     { return b.unknown("a call of ") }
func (b base) Binary(*value.Interp, string, value.Value, bool) value.Value {
	return b.unknown("arithmetic with ")
}

func (b base) unknown(how string) value.Value {
	return value.Value{X: value.Unknown{Why: how + b.what + " is not followed"}}
}

// opaque is an object of a library of which only what it is matters.
type opaque struct{ base }

func (opaque) SetAttr(*value.Interp, string, value.Value) bool { return true }

// Truth is that of every object that defines neither __bool__ nor __len__.
func (opaque) Truth(*value.Interp) (truth, known bool)        { return true, true }
func (v *layerValue) Truth(*value.Interp) (truth, known bool) { return true, true }
func (v *modelValue) Truth(*value.Interp) (truth, known bool) { return true, true }
func (v *custom) Truth(*value.Interp) (truth, known bool)     { return true, true }
func (d *dataset) Truth(*value.Interp) (truth, known bool)    { return true, true }

// method makes a value of a function.
func method(f func(in *value.Interp, args *value.Args) value.Value) (value.Value, bool) {
	return value.Value{X: value.Method(f)}, true
}

// nothing is a method whose result does not matter.
func nothing(*value.Interp, *value.Args) value.Value { return value.Value{X: value.None{}} }

// shapeValue is a shape as Python sees it.
func shapeValue(s Shape) value.Value {
	var t value.Tuple
	for _, d := range s {
		if d < 0 {
			t = append(t, value.Value{X: value.None{}})
		} else {
			t = append(t, value.Value{X: d})
		}
	}
	return value.Value{X: t}
}
