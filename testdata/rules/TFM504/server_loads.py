# A file that is loaded and asked again and again (tensorflow/tensorflow#47122, #35524).
import tensorflow as tf


def answer(rows):
    net = tf.keras.models.load_model("/large/model")
    return net(rows)


while True:
    print(answer(tf.ones((1, 8))))  # want "information: Every iteration of the loop on line 10 loads another model, .* Load it once, before the loop\.$"
