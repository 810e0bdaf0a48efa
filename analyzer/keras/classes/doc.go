// Package classes says what the source of Keras shows of its layer classes: their bases, their
// arguments, whether their call takes training=, whether XLA may compile them, and the names of
// their attributes.
//
// The tables are made from Keras itself (testdata/estimate/layers); nobody edits them by hand. The
// package knows no other.
package classes
