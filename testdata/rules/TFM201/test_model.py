import tensorflow as tf

with tf.Session() as sess:
    sess.run(op)


def test_it():
    assert True
