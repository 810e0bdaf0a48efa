package keras

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/arrays/numpy"
	"github.com/tfmem/tfmem/analyzer/arrays/pandas"
	"github.com/tfmem/tfmem/analyzer/interp"
	"github.com/tfmem/tfmem/analyzer/keras/models"
	"github.com/tfmem/tfmem/analyzer/keras/pipelines"
	"github.com/tfmem/tfmem/analyzer/observed"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// An observing is one value that is compared with what a run told of it.
type observing struct {
	evaluator
	in *value.Interp
	at syntax.Node
	// sure is set if both are of the same moment of the program, and ranges if what the text says may
	// be a bound of what it is.
	sure, ranges bool
}

// Observed implements [value.Host]. What the text says, in full or in part, stays.
func (e evaluator) Observed(in *value.Interp, name string, at syntax.Node, o *observed.Value, v value.Value, sure bool) value.Value {
	v, _ = (&observing{e, in, at, sure, len(e.Bounds.Assumed) > 0}).value(name, o, v)
	return v
}

// took records that a value was taken, or why it cannot be.
func (o *observing) took(name string, said fmt.Stringer, wrong string) {
	o.in.Observed.Use(value.ObservationUse{What: name, Said: said.String(), At: o.at, Wrong: wrong})
}

// value returns a value with what a run told of it, and whether that changes it.
func (o *observing) value(name string, said *observed.Value, v value.Value) (value.Value, bool) {
	if said == nil {
		return v, false
	}
	if value.Unsaid(v) || numpy.IsUnknown(v) {
		out := o.made(said, v)
		if out.X == nil {
			return v, false
		}
		o.took(name, said, "")
		out.Overridable = v.Overridable
		return out, true
	}
	if v.Overridable {
		switch said.Kind {
		case observed.Number, observed.Text, observed.None:
			out := o.made(said, v)
			if value.Same(out, v, 1) {
				return v, false
			}
			switch v.X.(type) {
			case int64, float64, bool, string, value.None:
				o.took(name, said, "")
				out.Overridable = true // another run may have another one
				return out, true
			}
			return v, false
		case observed.Sequence:
			if list, ok := v.X.(*value.List); ok && list.Open == nil && said.Items != nil {
				out := o.made(said, v)
				if out.X == nil || value.Same(out, v, 4) {
					return v, false
				}
				o.took(name, said, "")
				out.Overridable = true
				return out, true
			}
		}
	}
	switch x := v.X.(type) {
	case int64:
		if n, ok := wholeOf(said); ok && n != x && o.sure && o.ranges {
			o.took(name, said, "")
			return value.Value{X: n}, true
		}
	case *numpy.Array:
		return o.array(name, said, x, v)
	case *pandas.DataFrame:
		if said.Kind == observed.Table {
			out, changed, wrong := x.Observed(o.in, said)
			switch {
			case wrong != "" && o.sure && o.ranges:
				o.took(name, said, "")
				return pandas.Observed(o.Arrays, o.in, said), true
			case wrong != "" && o.sure:
				o.took(name, said, wrong)
			case wrong == "" && changed:
				o.took(name, said, "")
				return out, true
			}
		}
	case *models.ModelValue:
		if said.Kind == observed.Model && len(x.Model.Unresolved) > 0 && !o.grows(x) {
			if out := models.Observed(o.Host, o.in, said, o.at); out.X != nil {
				x.Model.Replaced = true
				o.took(name, said, "")
				return out, true
			}
		}
	case *pipelines.Dataset:
		if said.Kind == observed.Dataset {
			if out, changed := x.Observed(said); changed {
				o.took(name, said, "")
				return out, true
			}
		}
	case *value.List:
		if x.Open != nil && said.Kind == observed.Sequence {
			if out := o.made(said, v); out.X != nil {
				o.took(name, said, "")
				return out, true
			}
		}
	case value.Tuple:
		if said.Kind == observed.Sequence && said.Items != nil && len(said.Items.List) == len(x) {
			out, changed := slices.Clone(x), false
			for i := range x {
				var more bool
				out[i], more = o.value(fmt.Sprintf("%s[%d]", name, i), said.Items.List[i], x[i])
				changed = changed || more
			}
			if changed {
				v.X = out
				return v, true
			}
		}
	case *value.Dict:
		o.dict(name, said, x)
	case *value.Instance:
		o.instance(name, said, x)
	}
	return v, false
}

// grows reports whether the program may add layers to a model once it is bound: a run told what it
// was in the end.
func (o *observing) grows(m *models.ModelValue) bool {
	return m.Model.Class == "Sequential" && len(o.in.Info().MethodCalls(func(name string) bool { return name == "add" || name == "pop" })) > 0
}

// array adds what is not known of an array.
func (o *observing) array(name string, said *observed.Value, a *numpy.Array, v value.Value) (value.Value, bool) {
	if said.Kind == observed.Number && len(a.Shape) == 0 && a.Known() == nil { // NumPy's numbers are arrays
		o.took(name, said, "")
		return value.Value{X: said.Value.X}, true
	}
	if said.Kind != observed.Array {
		return v, false
	}
	shape := tensor.Shape(*said.Shape)
	fits := len(shape) == len(a.Shape)
	full := append(tensor.Shape{}, a.Shape...)
	changed := false
	for i := 0; fits && i < len(shape); i++ {
		switch {
		case shape[i] == tensor.None:
		case full[i] == tensor.None:
			full[i], changed = shape[i], true
		default:
			fits = full[i] == shape[i]
			if !fits && o.sure && o.ranges {
				full[i], fits, changed = shape[i], true, true
			}
		}
	}
	if !fits {
		if o.sure && !o.ranges {
			o.took(name, said, "The program makes it an array of the shape "+a.Shape.String()+".")
		}
		return v, false
	}
	d := a.DType
	if d == "" {
		d = dtypeOf(said.DType)
		changed = changed || d != ""
	}
	if !changed {
		return v, false
	}
	o.took(name, said, "")
	out := *a
	out.Shape, out.DType = full, d
	if out.Buffer != nil {
		buffer := *out.Buffer
		if len(buffer.Shape) == len(full) {
			buffer.Shape = full
		}
		out.Buffer = &buffer
	}
	v.X = &out
	return v, true
}

// dict adds what is not known of the items of a mapping, or of the attributes of options that are one.
func (o *observing) dict(name string, said *observed.Value, d *value.Dict) {
	items, item := said.Fields, "%s.%s"
	if said.Kind == observed.Mapping && said.Items != nil {
		if items = said.Items.Named; !d.Dotted {
			item = "%s[%q]"
		}
	}
	for _, key := range slices.Sorted(maps.Keys(items)) {
		old, there := d.Get(key)
		if !there && d.Open == nil {
			continue
		}
		if !there {
			old = d.Open.Unknown()
		}
		if v, changed := o.value(fmt.Sprintf(item, name, key), items[key], old); changed {
			o.in.Record(d)
			d.Put(value.Value{X: key}, v)
		}
	}
}

// instance adds what is not known of the attributes of an object that only holds values: the
// options of a command line, a dataclass. Those that methods set are told of where they do.
func (o *observing) instance(name string, said *observed.Value, x *value.Instance) {
	plain := !x.Class.Node.Valid()
	if held, ok := x.Holds.(*value.Dict); ok {
		o.dict(name, said, held)
	}
	if said.Kind != observed.Object || !plain && !x.Class.Dataclass() && !x.Class.Tuple {
		return
	}
	for _, field := range slices.Sorted(maps.Keys(said.Fields)) {
		old, there := x.Attrs.Get(field)
		why := x.Class.Open()
		if !there && (!plain || why == nil) {
			continue
		}
		if !there {
			old = why.Unknown()
		}
		if v, changed := o.value(name+"."+field, said.Fields[field], old); changed {
			o.in.Set(x.Attrs, field, v)
		}
	}
}

// made returns a value of what a run told alone; nothing if that does not make one.
func (o *observing) made(said *observed.Value, v value.Value) value.Value {
	why := value.Because(value.UnmodelledUse, "a run did not tell it")
	switch said.Kind {
	case observed.None:
		return value.NoneValue
	case observed.Number, observed.Text:
		return value.Value{X: said.Value.X}
	case observed.Sequence:
		return o.sequence(said, why)
	case observed.Mapping:
		if said.Items == nil {
			return v.OfLength(length(said))
		}
		return value.Value{X: o.mapping(said.Items.Named, said.Length == nil || *said.Length > int64(len(said.Items.Named)), why)}
	case observed.Object:
		if len(said.Fields) > 0 {
			return interp.PlainInstance(o.in, said.Class[strings.LastIndexByte(said.Class, '.')+1:], o.mapping(said.Fields, true, why))
		}
	case observed.Array:
		out := o.Arrays.Array(append(tensor.Shape{}, *said.Shape...), dtypeOf(said.DType))
		switch said.Library {
		case "numpy", "pandas", "h5py", "zarr", "":
		case "tensorflow", "keras", "tf_keras":
			a := out.X.(*numpy.Array)
			a.Tensor, a.Buffer = true, o.Arrays.NewBuffer(a.Shape, a.DType, o.at)
		default:
			return value.Value{} // a sparse matrix, another framework's tensor
		}
		return out
	case observed.Table:
		return pandas.Observed(o.Arrays, o.in, said)
	case observed.Dataset:
		return pipelines.Observed(o.Host, o.at, said)
	case observed.Model:
		return models.Observed(o.Host, o.in, said, o.at)
	case observed.Length:
		if n := length(said); n > 0 {
			return v.OfLength(n)
		}
	}
	return value.Value{}
}

// sequence returns a list, a tuple or a range, with its items if they were told.
func (o *observing) sequence(said *observed.Value, why *value.Cause) value.Value {
	if said.Items == nil || length(said) > int64(len(said.Items.List)) {
		l := value.UnknownList(why, false)
		l.Count = length(said)
		if said.Items != nil && len(said.Items.List) > 0 {
			if first := o.part(said.Items.List[0], why); first.Known() {
				l.First = first
			}
		}
		if said.Type == "set" || l.Count <= 0 {
			return value.Value{}
		}
		return value.Value{X: &l}
	}
	items := make([]value.Value, len(said.Items.List))
	for i, item := range said.Items.List {
		items[i] = o.part(item, why)
	}
	o.in.MakeItems(len(items))
	switch said.Type {
	case "tuple":
		return value.Value{X: value.Tuple(items)}
	case "set":
		return value.Value{X: &value.Set{Items: items}}
	}
	return value.Value{X: &value.List{Items: items}}
}

func (o *observing) mapping(items map[string]*observed.Value, more bool, why *value.Cause) *value.Dict {
	d := &value.Dict{}
	for _, key := range slices.Sorted(maps.Keys(items)) {
		d.Put(value.Value{X: key}, o.part(items[key], why))
	}
	if more {
		d.Open = why
	}
	return d
}

// part is a part of a value: unknown if a run told nothing of it.
func (o *observing) part(said *observed.Value, why *value.Cause) value.Value {
	if said != nil {
		if v := o.made(said, why.Unknown()); v.X != nil {
			return v
		}
	}
	return why.Unknown()
}

// wholeOf returns the whole number that a run told.
func wholeOf(said *observed.Value) (n int64, ok bool) {
	if said.Value != nil {
		n, ok = said.Value.X.(int64)
	}
	return n, ok
}

func length(said *observed.Value) int64 {
	switch {
	case said.Length != nil:
		return *said.Length
	case said.Items != nil:
		return int64(len(said.Items.List) + len(said.Items.Named))
	}
	return 0
}

// dtypeOf returns the type of an array, "" for one that is of no use here: objects.
func dtypeOf(name string) tensor.DType {
	d, _ := tensor.DTypeOf("numpy." + name)
	return d
}
