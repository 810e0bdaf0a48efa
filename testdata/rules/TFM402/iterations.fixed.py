"""A statement that ends an iteration, or the loop, skips the call after it."""
import tensorflow as tf


def skipped(batches):
    for x in batches:
        with tf.GradientTape() as tape:  # want "Only one gradient is computed from the tape, so persistent=True is unnecessary\. Only one of the calls of gradient\(\) from line 10 on is reached\. A persistent tape keeps every tensor it recorded as long as it exists; otherwise the backward pass frees them as it goes\.$"
            loss = model(x)
        if loss > 100:
            report(tape.gradient(loss, x))
            continue
        apply(tape.gradient(loss, x))


def stopped(batches):
    for x in batches:
        with tf.GradientTape() as tape:  # want "Only one gradient is computed from the tape, so persistent=True is unnecessary\."
            loss = model(x)
        if loss > 100:
            report(tape.gradient(loss, x))
            break
        apply(tape.gradient(loss, x))
