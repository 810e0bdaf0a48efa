package value

// An Instance is an instance of a class of the program.
type Instance struct {
	Class *Class
	Attrs *Namespace // attributes set on the instance
	Host  Object     // the library's object behind it, or nil; see Host.Instance
	Args  *Args      // of its creation; nil until __init__ has run
	// Upward are the arguments that its class passes to __init__ of the library; nil if it does not.
	Upward *Args
	Holds  any  // the *Dict or *List inside an instance of a subclass, or nil
	Keyed  bool // its keys are attributes, too
	// Former are the attributes that were set directly, bypassing __setattr__ of the
	// class: by object.__setattr__ or through __dict__.
	Former map[string]bool
}

// Past reports whether an attribute was set directly, bypassing __setattr__ of the object's
// class.
func (o *Instance) Past(name string) bool { return o.Former[name] }

// SetPast records that an attribute was set directly.
func (o *Instance) SetPast(name string) {
	if o.Former == nil {
		o.Former = map[string]bool{}
	}
	o.Former[name] = true
}

// Allocate creates an object before __init__ runs.
func (in *Interp) Allocate(c *Class) *Instance {
	o := &Instance{Class: c, Attrs: in.Namespace()}
	o.Attrs.Instance = o
	bases := c.LibraryBases()
	for _, base := range bases {
		if make, ok := heldTypes[base]; ok {
			o.Holds = make()
			return o
		}
	}
	if in.HostMuted == 0 {
		for _, base := range bases {
			if o.Host = in.Host.Instance(in, o, base); o.Host != nil {
				break
			}
		}
	}
	return o
}

// FieldValues returns the values of the fields of a dataclass or named tuple.
func (o *Instance) FieldValues() []Value {
	out := make([]Value, len(o.Class.Fields))
	for i, f := range o.Class.Fields {
		out[i], _ = o.Attrs.Get(f.Name)
	}
	return out
}

// FieldDict returns the fields as a dict.
func (o *Instance) FieldDict() Value {
	d := &Dict{}
	for i, v := range o.FieldValues() {
		d.Put(Value{X: o.Class.Fields[i].Name}, v)
	}
	return Value{X: d}
}

// EnumValue returns the value of a member of an enumeration.
func (o *Instance) EnumValue() Value {
	v, _ := o.Attrs.Get("_value_")
	return v
}

// heldTypes are Python's container types that a class of the program may inherit from.
// Its instances then hold items.
var heldTypes = map[string]func() any{
	"builtins.dict":           func() any { return &Dict{} },
	"collections.OrderedDict": func() any { return &Dict{} },
	"builtins.list":           func() any { return &List{} },
}

// Held returns the dict or list inside an instance of a subclass, or v itself.
func Held(v Value) Value {
	if o, ok := v.X.(*Instance); ok && o.Holds != nil {
		return Value{X: o.Holds, Overridable: v.Overridable}
	}
	return v
}

// TellHost tells the Host's object behind an instance that an attribute was set.
func (in *Interp) TellHost(o *Instance, name string, v Value) {
	if o.Host != nil && in.HostMuted == 0 && v.X != nil {
		o.Host.SetAttr(in, name, in.Handed(v))
	}
}
