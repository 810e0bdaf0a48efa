// Package ops models the functions on tensors of TensorFlow, keras.ops and einops, and the values
// that they take: symbolic tensors, variables, and the sizes and shapes that a step computes.
//
// A function is a row of a table, with a function that adds its operations to the graph. A call is
// recorded as a node of the model or of the step that is running. The package knows layers, whose
// operations some functions share, and no model.
package ops
