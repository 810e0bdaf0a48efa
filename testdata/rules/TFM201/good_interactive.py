"""It sets growth itself, and that is the process's."""
import tensorflow as tf

sess = tf.InteractiveSession(config=None)
other = tf.Session()
