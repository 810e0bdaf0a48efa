import tensorflow.compat.v1 as tf

with tf.Session() as sess:
    for step in range(1000):
        sess.run(tf.assign(rate, 0.1))


def test_it():
    assert True
