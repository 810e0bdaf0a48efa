// Package xla builds the step that XLA makes of a pass: fused kernels, stored or computed again, and
// their schedule. Its peak is a range, because what XLA fuses depends on its version and the GPU.
//
// It knows graph and executor, which plays the step.
package xla
