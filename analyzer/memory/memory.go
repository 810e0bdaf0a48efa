// Package memory says what training or running a model needs of a GPU's memory:
// what is resident, what one step has in use at its peak, and whether that fits
// the GPU.
//
// A step is not priced by a formula: the forward pass is lowered to operations,
// each with what its gradient reads, and the step is played kernel by kernel, as
// TensorFlow's executor would run it. It knows keras, no rule and no GPU driver.
package memory
