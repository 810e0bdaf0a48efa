"""The call that asks it is being typed."""
import tensorflow as tf

with tf.GradientTape() as tape:
    y = model(x)
dy = tape.gra(
