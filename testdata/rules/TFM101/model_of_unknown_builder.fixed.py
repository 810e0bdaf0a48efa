"""Only a model of Keras is compiled with a loss, whoever builds it."""
import tensorflow as tf
from lab.builders import build

for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)

network, backbone = build("unet", (256, 256), classes=8)
network.compile(optimizer="sgd", loss="categorical_crossentropy")  # want "Memory growth is not set"
network.fit(load_images(), epochs=30)
