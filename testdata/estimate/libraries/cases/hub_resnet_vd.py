import numpy as np
import keras
import keras_hub

backbone = keras_hub.models.ResNetBackbone(
    [32, 32, 64], [3, 3, 3], [64, 128, 256, 512], [1, 1, 1, 1], [1, 2, 2, 2], "bottleneck_block_vd", image_shape=(96, 96, 3))
x = keras.layers.GlobalAveragePooling2D()(backbone.output)
model = keras.Model(backbone.input, keras.layers.Dense(10)(x))
model.compile(optimizer="adam", loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True), jit_compile=False)
model.fit(np.zeros((64, 96, 96, 3), "float32"), np.zeros(64, "int32"), batch_size=8)
