import tensorflow as tf
from tensorflow.python.client.session import Session

y = tf.get_variable("y", [1])
with Session() as sess:  # want "without memory growth"
    sess.run(y)
