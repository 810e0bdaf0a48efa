package keras

import "github.com/tfmem/tfmem/analyzer/value"

// opaque is an object of a library of which only the class is known.
type opaque struct{ base }

// Bool is the truth of an object that defines neither __bool__ nor __len__.
func (opaque) Bool(*value.Interp) (truth, known bool)        { return true, true }
func (v *layerValue) Bool(*value.Interp) (truth, known bool) { return true, true }
func (v *modelValue) Bool(*value.Interp) (truth, known bool) { return true, true }
func (v *custom) Bool(*value.Interp) (truth, known bool)     { return true, true }
func (d *dataset) Bool(*value.Interp) (truth, known bool)    { return true, true }
