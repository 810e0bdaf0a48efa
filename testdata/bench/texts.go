package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"unicode/utf16"
)

// group is a model that is built, fed and trained, in 40 lines of which one is a site:
// there the session edits.
const group = `
def build_%[1]d(input_shape=(224, 224, 3), classes=%[1]d, rate=0.%[1]d):
    """A convolutional network with %[1]d classes, é."""
    inputs = keras.Input(shape=input_shape, name="image_%[1]d")
    x = layers.Rescaling(1.0 / 255)(inputs)
    for filters in (32, 64, 128, 256):
        x = layers.Conv2D(filters, 3, padding="same", activation="relu")(x)
        x = layers.BatchNormalization(momentum=0.9)(x)
        x = layers.MaxPooling2D()(x)
    x = layers.GlobalAveragePooling2D()(x)
    outputs = layers.Dense(classes, activation="softmax")(layers.Dropout(rate)(x))
    return keras.Model(inputs, outputs)


@tf.function
def train_step_%[1]d(model, optimizer, images, labels):
    with tf.GradientTape() as tape:
        predictions = model(images, training=True)
        loss = tf.reduce_mean(keras.losses.sparse_categorical_crossentropy(labels, predictions))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


def dataset_%[1]d(images, labels, batch_size=32):
    ds = tf.data.Dataset.from_tensor_slices((images, labels))
    ds = ds.map(lambda a, b: (tf.cast(a, tf.float32), b), num_parallel_calls=tf.data.AUTOTUNE)
    return ds.shuffle(1024).batch(batch_size).prefetch(tf.data.AUTOTUNE)


def notes_%[1]d():
%[2]s
    return %[1]d


model_%[1]d = build_%[1]d(classes=10)
model_%[1]d.compile("adam", "sparse_categorical_crossentropy")
model_%[1]d.fit(np.zeros((1024, 224, 224, 3)), np.zeros((1024,)), batch_size=64)
`

const imports = `"""Train many models."""
import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers
`

// site is a line with a name that an edit makes longer, and behind it something that
// each server reports.
const site = `    "é😀"; notes = tf.config.experimental.list_physical_devices("GPU"); undefined_name`

// A place is a site in one of the documents of a session, as it is now.
type place struct {
	document int
	line     int
	grown    int // characters that were typed there
	pushed   bool
}

// column is where a character is typed: behind the name, in UTF-16.
var column = len(utf16.Encode([]rune(site[:strings.Index(site, " = ")])))

// script is a file of about so many lines, and its sites.
func script(lines int) (text string, places []*place) {
	text = imports
	for i := 1; strings.Count(text, "\n") < lines; i++ {
		text += groupOf(i)
	}
	for i, line := range strings.Split(text, "\n") {
		if line == site {
			places = append(places, &place{line: i})
		}
	}
	return text, places
}

func groupOf(i int) string { return fmt.Sprintf(group, i, site) }

// An edit is a change of one place, as LSP has it.
type edit struct {
	document                   int
	line, column, toLine, toCo int
	text                       string
}

// random edits one of the places: it types a character there, or takes those that were
// typed away, or pushes the line, and all below, down or up again.
func random(r *rand.Rand, places []*place) edit {
	p := places[r.IntN(len(places))]
	e := edit{document: p.document, line: p.line, toLine: p.line}
	below := func(by int) {
		for _, q := range places {
			if q.document == p.document && q.line >= p.line {
				q.line += by
			}
		}
	}
	switch {
	case r.IntN(4) == 0 && p.pushed:
		e.line--
		below(-1)
		p.pushed = false
	case r.IntN(4) == 0 && !p.pushed:
		e.text = "\n"
		below(1)
		p.pushed = true
	case p.grown == 12:
		e.column, e.toCo = column, column+p.grown
		p.grown = 0
	default:
		e.column, e.toCo = column+p.grown, column+p.grown
		e.text = "x"
		p.grown++
	}
	return e
}

// notebook is a program in so many cells, and its sites.
func notebook(cells int) (texts []string, places []*place) {
	texts = []string{imports}
	for i := 1; len(texts) < cells; i++ {
		for part := range strings.SplitSeq(groupOf(i), "\n\n\n") {
			if len(texts) == cells {
				break
			}
			part = strings.TrimLeft(part, "\n")
			for line, text := range strings.Split(part, "\n") {
				if text == site {
					places = append(places, &place{document: len(texts), line: line})
				}
			}
			texts = append(texts, part)
		}
	}
	return texts, places
}
