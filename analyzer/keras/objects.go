package keras

import "github.com/tfmem/tfmem/analyzer/value"

// opaque is an object of a library that is only known by its class.
type opaque struct{ base }

func (opaque) SetAttr(*value.Interp, string, value.Value) bool { return true }

// Truth is that of every object that defines neither __bool__ nor __len__.
func (opaque) Truth(*value.Interp) (truth, known bool)        { return true, true }
func (v *layerValue) Truth(*value.Interp) (truth, known bool) { return true, true }
func (v *modelValue) Truth(*value.Interp) (truth, known bool) { return true, true }
func (v *custom) Truth(*value.Interp) (truth, known bool)     { return true, true }
func (d *dataset) Truth(*value.Interp) (truth, known bool)    { return true, true }
