# tf.metrics is tf.keras.metrics in TensorFlow 2. A metric makes its variables at once, a loss has none.
import tensorflow as tf

loss = tf.losses.MeanSquaredError()
mean = tf.metrics.Mean()
for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)  # want "tf\.metrics\.Mean\(\) on line 5 has already initialised"
