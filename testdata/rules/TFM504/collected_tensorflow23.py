# Up to TensorFlow 2.3 Keras's graph keeps the layers of deleted models (testdata/freed/layers-2.3.json).
# tensorflow: 2.3
import gc

import tensorflow as tf
from tensorflow.keras import layers

for fold in range(50):
    model = tf.keras.Sequential([layers.Dense(4096, input_shape=(784,)), layers.Dense(10)])  # want "warning: .*TensorFlow 2\.0 to 2\.3 keep the layers of Sequential and functional models in Keras's graph: gc\.collect\(\) alone frees none of them\. Call clear_session\(\) before it\."
    model.compile("adam", "mse")
    model.fit(x[fold], y[fold])
    del model
    gc.collect()
