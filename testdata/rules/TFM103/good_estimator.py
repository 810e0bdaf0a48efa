import tensorflow as tf

# It makes its session when it is trained.
estimator = tf.estimator.Estimator(model_fn)
for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)
