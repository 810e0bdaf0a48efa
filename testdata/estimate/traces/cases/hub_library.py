import numpy as np
import tensorflow as tf
import keras_hub

backbone = keras_hub.models.ResNetBackbone(input_conv_filters=[32], input_conv_kernel_sizes=[7], stackwise_num_filters=[32, 64], stackwise_num_blocks=[2, 2], stackwise_num_strides=[1, 2], block_type="basic_block", image_shape=(96, 96, 3))
model = keras_hub.models.ResNetImageClassifier(backbone=backbone, num_classes=5)
model.compile(optimizer="adam", loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(np.zeros((16, 96, 96, 3), "float32"), np.zeros(16, "int32"), batch_size=8, epochs=1)
