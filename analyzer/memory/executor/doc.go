// Package executor simulates one training step as the executor of TensorFlow runs it: the kernels
// of the forward pass, of the gradients and of the optimizer, the buffers that they read and write,
// and the bytes in use when each of them runs.
//
// It gets the operations of a pass (graph) and no price: package memory turns peaks into needs. It
// knows graph alone.
package executor
