# It runs on GPUs where there is no TPU.
import tensorflow as tf

try:
    resolver = tf.distribute.cluster_resolver.TPUClusterResolver()
    tf.config.experimental_connect_to_cluster(resolver)
    tf.tpu.experimental.initialize_tpu_system(resolver)
    strategy = tf.distribute.TPUStrategy(resolver)
except ValueError:
    strategy = tf.distribute.get_strategy()

(x_train, y_train), (x_test, y_test) = tf.keras.datasets.cifar10.load_data()
with strategy.scope():
    model = tf.keras.applications.ResNet50(weights=None, input_shape=(32, 32, 3), classes=10)
model.predict(x_test)  # want "takes all 10000 examples as one batch"
