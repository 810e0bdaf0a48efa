package python

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/interp"
	"github.com/tfmem/tfmem/analyzer/tally"
	"github.com/tfmem/tfmem/analyzer/value"
)

// tiny models the library testdata/value/lib/tinylib.py.
type tiny struct {
	value.NoHost
	calls  []string // of Dense and fit, in order
	layers int
}

func (h *tiny) Call(in *value.Interp, name string, args *value.Args) (value.Value, bool) {
	switch name {
	case "tinylib.Input":
		shape, _ := args.Get(0, "shape")
		return value.Value{X: &tinyTensor{shape: shape}}, true
	case "tinylib.Dense":
		h.note(in, name, args)
		units, _ := args.Get(0, "units")
		h.layers++
		return value.Value{X: &tinyDense{units: units}}, true
	case "tinylib.data":
		return value.Value{X: tinyData{}}, true
	case "tinylib.thing":
		return value.Value{X: value.Base("a thing")}, true
	case "tinylib.filled":
		return value.Value{X: tinyFilled{}}, true
	case "tinylib.scope":
		return value.Value{X: &tinyScope{host: h, name: value.Positional(args, 0)}}, true
	case "tinylib.fit":
		h.note(in, name, args)
		return value.Value{X: value.None{}}, true
	}
	return value.Value{}, false
}

// Text reads files in the program's folder, but no tables.
func (h *tiny) Text(program, path string) (string, bool) {
	if filepath.Ext(path) == ".csv" {
		return "", false
	}
	text, err := os.ReadFile(h.at(program, path))
	return string(text), err == nil
}

// Lines counts the lines of files in the program's folder.
func (h *tiny) Lines(program, path string) (string, bool) {
	text, err := os.ReadFile(h.at(program, path))
	if err != nil {
		return "", false
	}
	count, err := tally.Read(bytes.NewReader(text))
	return count, err == nil
}

func (h *tiny) at(program, path string) string {
	if !filepath.IsAbs(path) {
		path = filepath.Join(filepath.Dir(program), path)
	}
	return path
}

func (h *tiny) note(in *value.Interp, name string, args *value.Args) {
	var parts []string
	for _, v := range args.Positional {
		parts = append(parts, interp.CauseOf(in, v).String())
	}
	call := name + "(" + strings.Join(parts, ", ") + ")"
	h.calls = append(h.calls, call)
}

func (h *tiny) Attr(_ *value.Interp, name string) (value.Value, bool) {
	if name == "tinylib.WIDTH" {
		return value.Value{X: int64(64)}, true
	}
	return value.Value{}, false
}

func (h *tiny) Instance(_ *value.Interp, object *value.Instance, base string) value.Object {
	if base == "tinylib.Layer" {
		return &tinyLayer{object: object}
	}
	return nil
}

// plainHost is an Object with no slots.
type plainHost struct{ value.Base }

func (plainHost) What() string { return "a value" }

type tinyTensor struct {
	plainHost
	shape value.Value
}

func (x *tinyTensor) GetAttr(_ *value.Interp, name string) (value.Value, bool) {
	return x.shape, name == "shape"
}

func (x *tinyTensor) Binary(in *value.Interp, op string, other value.Value, _ bool) value.Value {
	if y, ok := other.X.(*tinyTensor); ok {
		if t, _ := interp.Truth(in, interp.Compare(in, "==", x.shape, y.shape)); !t {
			return in.Unknown(value.UnmodelledUse, "shapes that differ")
		}
	}
	return value.Value{X: &tinyTensor{shape: x.shape}}
}

type tinyDense struct {
	plainHost
	units value.Value
}

func (d *tinyDense) GetAttr(_ *value.Interp, name string) (value.Value, bool) {
	return d.units, name == "units"
}

func (d *tinyDense) SetAttr(_ *value.Interp, name string, v value.Value) {
	if name == "units" {
		d.units = v
	}
}

func (d *tinyDense) Call(in *value.Interp, args *value.Args) value.Value {
	x, _ := args.Get(0, "x")
	t, ok := x.X.(*tinyTensor)
	if !ok {
		return in.Unknown(value.UnmodelledUse, "the result of a Dense for %s", interp.Describe(in, x))
	}
	shape, ok := t.shape.X.(value.Tuple)
	if !ok || len(shape) == 0 {
		return in.Unknown(value.UnmodelledUse, "the result of a Dense for a shape that is not known")
	}
	return value.Value{X: &tinyTensor{shape: value.Value{X: append(slices.Clone(shape[:len(shape)-1]), d.units)}}}
}

// tinyData is a dataset; only the shape of an item is known.
type tinyData struct{ plainHost }

func (tinyData) Sample(*value.Interp) (value.Value, bool) {
	return value.Value{X: &tinyTensor{shape: value.Value{X: value.Tuple{{X: int64(8)}}}}}, false
}

// tinyFilled is a dataset that surely has an item.
type tinyFilled struct{ tinyData }

func (f tinyFilled) Sample(in *value.Interp) (value.Value, bool) {
	item, _ := f.tinyData.Sample(in)
	return item, true
}

type tinyScope struct {
	plainHost
	host *tiny
	name value.Value
}

func (s *tinyScope) Enter(*value.Interp) value.Value {
	s.host.calls = append(s.host.calls, "enter "+s.name.X.(string))
	return s.name
}

func (s *tinyScope) Exit(*value.Interp) {
	s.host.calls = append(s.host.calls, "exit "+s.name.X.(string))
}

// tinyLayer stands behind instances of classes that inherit from Layer.
type tinyLayer struct {
	plainHost
	object    *value.Instance
	trainable value.Value
	layers    []string
}

func (l *tinyLayer) GetAttr(in *value.Interp, name string) (value.Value, bool) {
	switch name {
	case "__init__":
		return value.Value{X: value.Method(func(_ *value.Interp, args *value.Args) value.Value {
			if v, ok := args.Get(-1, "name"); ok {
				l.object.Attrs.Put("name", v)
			}
			return value.Value{X: value.None{}}
		})}, true
	case "layers":
		list := &value.List{}
		for _, name := range l.layers {
			list.Items = append(list.Items, value.Value{X: name})
		}
		return value.Value{X: list}, true
	case "trainable":
		if l.trainable.X == nil {
			return value.Value{X: true}, true
		}
		return l.trainable, true
	}
	return value.Value{}, false
}

func (l *tinyLayer) SetAttr(_ *value.Interp, name string, v value.Value) {
	if _, ok := v.X.(*tinyDense); ok && !slices.Contains(l.layers, name) {
		l.layers = append(l.layers, name)
	}
	if name == "trainable" {
		l.trainable = v
	}
}

func (l *tinyLayer) Call(in *value.Interp, args *value.Args) value.Value {
	if !l.object.Defines("call") {
		return in.Unknown(value.UnmodelledUse, "a layer without call")
	}
	return interp.CallMethod(in, l.object, "call", args)
}
