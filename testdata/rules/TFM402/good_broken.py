"""What does not parse may ask the tape."""
import tensorflow as tf

with tf.GradientTape(persistent=True) as tape:
    y = model(x)
dy = tape.gradient(y, x)
dz = tape.gradient(y

def f(:
