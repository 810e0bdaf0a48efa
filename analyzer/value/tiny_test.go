package value

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// tiny models the library testdata/value/lib/tinylib.py.
type tiny struct {
	NoHost
	calls  []string // of Dense and fit, in order
	layers int
}

func (h *tiny) Call(in *Interp, name string, args *Args) (Value, bool) {
	switch name {
	case "tinylib.Input":
		shape, _ := args.Get(0, "shape")
		return Value{X: &tinyTensor{shape: shape}}, true
	case "tinylib.Dense":
		h.note(in, name, args)
		units, _ := args.Get(0, "units")
		h.layers++
		return Value{X: &tinyDense{units: units}}, true
	case "tinylib.data":
		return Value{X: tinyData{}}, true
	case "tinylib.thing":
		return Value{X: Base("a thing")}, true
	case "tinylib.filled":
		return Value{X: tinyFilled{}}, true
	case "tinylib.scope":
		return Value{X: &tinyScope{host: h, name: positional(args, 0)}}, true
	case "tinylib.fit":
		h.note(in, name, args)
		return Value{X: None{}}, true
	}
	return Value{}, false
}

// Text reads files in the program's folder.
func (h *tiny) Text(program, path string) (string, bool) {
	if !filepath.IsAbs(path) {
		path = filepath.Join(filepath.Dir(program), path)
	}
	text, err := os.ReadFile(path)
	return string(text), err == nil
}

func (h *tiny) note(in *Interp, name string, args *Args) {
	var parts []string
	for _, v := range args.Positional {
		parts = append(parts, in.causeOf(v).String())
	}
	call := name + "(" + strings.Join(parts, ", ") + ")"
	h.calls = append(h.calls, call)
}

func (h *tiny) Attr(_ *Interp, name string) (Value, bool) {
	if name == "tinylib.WIDTH" {
		return Value{X: int64(64)}, true
	}
	return Value{}, false
}

func (h *tiny) Instance(_ *Interp, object *Instance, base string) Object {
	if base == "tinylib.Layer" {
		return &tinyLayer{object: object}
	}
	return nil
}

// plainHost is an Object with no slots.
type plainHost struct{ Base }

func (plainHost) What() string { return "a value" }

type tinyTensor struct {
	plainHost
	shape Value
}

func (x *tinyTensor) GetAttr(_ *Interp, name string) (Value, bool) {
	return x.shape, name == "shape"
}

func (x *tinyTensor) Binary(in *Interp, op string, other Value, _ bool) Value {
	if y, ok := other.X.(*tinyTensor); ok {
		if t, _ := in.Truth(in.Compare("==", x.shape, y.shape)); !t {
			return in.Unknown(UnmodelledUse, "shapes that differ")
		}
	}
	return Value{X: &tinyTensor{shape: x.shape}}
}

type tinyDense struct {
	plainHost
	units Value
}

func (d *tinyDense) GetAttr(_ *Interp, name string) (Value, bool) { return d.units, name == "units" }

func (d *tinyDense) SetAttr(_ *Interp, name string, v Value) {
	if name == "units" {
		d.units = v
	}
}

func (d *tinyDense) Call(in *Interp, args *Args) Value {
	x, _ := args.Get(0, "x")
	t, ok := x.X.(*tinyTensor)
	if !ok {
		return in.Unknown(UnmodelledUse, "the result of a Dense for %s", in.describe(x))
	}
	shape, ok := t.shape.X.(Tuple)
	if !ok || len(shape) == 0 {
		return in.Unknown(UnmodelledUse, "the result of a Dense for a shape that is not known")
	}
	return Value{X: &tinyTensor{shape: Value{X: append(slices.Clone(shape[:len(shape)-1]), d.units)}}}
}

// tinyData is a dataset; only the shape of an item is known.
type tinyData struct{ plainHost }

func (tinyData) Sample(*Interp) (Value, bool) {
	return Value{X: &tinyTensor{shape: Value{X: Tuple{{X: int64(8)}}}}}, false
}

// tinyFilled is a dataset that surely has an item.
type tinyFilled struct{ tinyData }

func (f tinyFilled) Sample(in *Interp) (Value, bool) {
	item, _ := f.tinyData.Sample(in)
	return item, true
}

type tinyScope struct {
	plainHost
	host *tiny
	name Value
}

func (s *tinyScope) Enter(*Interp) Value {
	s.host.calls = append(s.host.calls, "enter "+s.name.X.(string))
	return s.name
}

func (s *tinyScope) Exit(*Interp) { s.host.calls = append(s.host.calls, "exit "+s.name.X.(string)) }

// tinyLayer stands behind instances of classes that inherit from Layer.
type tinyLayer struct {
	plainHost
	object    *Instance
	trainable Value
	layers    []string
}

func (l *tinyLayer) GetAttr(in *Interp, name string) (Value, bool) {
	switch name {
	case "__init__":
		return Value{X: Method(func(_ *Interp, args *Args) Value {
			if v, ok := args.Get(-1, "name"); ok {
				l.object.Attrs.put("name", v)
			}
			return Value{X: None{}}
		})}, true
	case "layers":
		list := &List{}
		for _, name := range l.layers {
			list.Items = append(list.Items, Value{X: name})
		}
		return Value{X: list}, true
	case "trainable":
		if l.trainable.X == nil {
			return Value{X: true}, true
		}
		return l.trainable, true
	}
	return Value{}, false
}

func (l *tinyLayer) SetAttr(_ *Interp, name string, v Value) {
	if _, ok := v.X.(*tinyDense); ok && !slices.Contains(l.layers, name) {
		l.layers = append(l.layers, name)
	}
	if name == "trainable" {
		l.trainable = v
	}
}

func (l *tinyLayer) Call(in *Interp, args *Args) Value {
	if !in.Defines(l.object, "call") {
		return in.Unknown(UnmodelledUse, "a layer without call")
	}
	return in.CallMethod(l.object, "call", args)
}
