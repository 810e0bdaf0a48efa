// Package models has the objects of Keras that a program works with: models and layers, those of
// classes of its own, and what fit, compile, copies and files do with them.
//
// The code of a custom layer is evaluated on symbolic tensors, and its calls become the body of the
// layer. The package knows all packages of keras but the one that assembles them.
package models
