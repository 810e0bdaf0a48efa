// Package memory says what training or running a model needs of a GPU's memory: what is resident,
// what one step has in use at its peak, and whether that fits the GPU.
//
// The price of a step does not come from a formula. The package lowers the forward pass to
// operations, each with what its gradient reads. Then it simulates the step kernel by kernel, as
// TensorFlow's executor would run it (package executor), or as XLA compiles it (package xla). It
// knows graph, which packages of keras fill; no rule and no GPU driver.
package memory
