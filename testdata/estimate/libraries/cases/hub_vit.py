import numpy as np
import keras
import keras_hub

backbone = keras_hub.models.ViTBackbone(image_shape=(64, 64, 3), patch_size=8, num_layers=3, num_heads=4, hidden_dim=128, mlp_dim=512, dropout_rate=0.1)
model = keras_hub.models.ViTImageClassifier(backbone, num_classes=10)
model.compile(optimizer="adam", loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True), jit_compile=False)
model.fit(np.zeros((64, 64, 64, 3), "float32"), np.zeros(64, "int32"), batch_size=16)
