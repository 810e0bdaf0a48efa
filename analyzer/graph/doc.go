// Package graph holds what a program builds: models, their layers and weights, the calls between
// them, training steps, and the operations of a forward pass with what their gradients read.
//
// A functional model is a graph of nodes, which are calls of layers on symbolic tensors. Lowering it
// for a batch gives a Graph of operations on tensors of known shapes. What holds for every
// operation of a kind is a row of kinds.go. Packages of keras fill these types and package memory
// prices them. This package creates no layer of Keras, prices nothing, and knows value, names and
// tensor, no library.
package graph
