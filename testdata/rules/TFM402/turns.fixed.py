"""What ends a turn of a loop, or the loop, leads away from the call that follows."""
import tensorflow as tf


def skipped(batches):
    for x in batches:
        with tf.GradientTape() as tape:  # want "asked once, by one of the calls of gradient\(\) from line 10 on"
            loss = model(x)
        if loss > 100:
            report(tape.gradient(loss, x))
            continue
        apply(tape.gradient(loss, x))


def stopped(batches):
    for x in batches:
        with tf.GradientTape() as tape:  # want "asked once"
            loss = model(x)
        if loss > 100:
            report(tape.gradient(loss, x))
            break
        apply(tape.gradient(loss, x))
