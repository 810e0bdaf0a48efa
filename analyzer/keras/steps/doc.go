// Package steps follows the training steps that a program writes itself: tapes, optimizers, loops,
// branches of TensorFlow and strategies. A step is recorded while the program runs it.
//
// It knows pipelines and ops, and models only as what package graph holds of them.
package steps
