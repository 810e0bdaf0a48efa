import tensorflow.compat.v1 as tf

tf.disable_eager_execution()


def main(_):
  session_config = tf.ConfigProto(allow_soft_placement=True)
  session_config.graph_options.rewrite_options.auto_mixed_precision = 1
  with tf.Session(config=session_config) as sess:  # want "information: .*without memory growth"
    sess.run(build())


if __name__ == '__main__':
  tf.app.run(main)
