// Package layers models the layers of Keras: a row for each class, with its arguments, weights,
// shapes, and the operations of its call with what their gradients keep.
//
// A family of layers is a file with a table. What is not modelled is listed with the reason
// (NotModelled). The package knows graph, classes and state; it evaluates no code of the program,
// which models and custom layers do (package models).
package layers
