// Package numpy models the arrays of NumPy, which eager tensors share, and the functions that make
// and change them, also those of keras.ops, tf.math and tf.experimental.numpy.
//
// It tracks the shape and the type of an array, and the numbers if they are few and can be computed.
// What depends on data is unknown, with its reason, and the [Run] gives the values assumed at the
// bounds of a range. A function is a row of a table (shape.go, make.go, reductions.go, edit.go,
// creators.go). Other libraries make arrays through [Library]; the package knows none of them, and
// no Keras: what it needs of models it asks the Run, or the values that it meets.
package numpy
