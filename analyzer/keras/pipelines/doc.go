// Package pipelines models the data that a program feeds its models with: tf.data, generators and
// folders of images, tfds, text vectorization. It follows shapes, types and numbers of elements.
//
// What a method does to batches is a row of package tfdata, which rules read too. The package knows
// ops and state, and no model.
package pipelines
