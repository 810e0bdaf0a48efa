package value

// opaque is embedded by the interpreter's own objects that it treats like a Host's: it
// knows of them only what they answer.
type opaque struct{}

func (opaque) SetAttr(*Interp, string, Value) bool { return false }
func (opaque) Iterate(*Interp) ([]Value, bool)     { return nil, false }
func (opaque) Truth(*Interp) (truth, known bool)   { return true, true }
func (opaque) Call(in *Interp, _ *Args) Value {
	return in.Unknown("an object is called that is no function")
}
func (opaque) Index(in *Interp, _ Value) Value {
	return in.Unknown("an item of an object that has none")
}
func (opaque) Binary(in *Interp, op string, _ Value, _ bool) Value {
	return in.Unknown("%s of an object that is no number", op)
}
