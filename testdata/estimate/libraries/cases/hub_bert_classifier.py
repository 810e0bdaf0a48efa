import numpy as np
import keras
import keras_hub

backbone = keras_hub.models.BertBackbone(vocabulary_size=5000, num_layers=2, num_heads=4, hidden_dim=128, intermediate_dim=512, max_sequence_length=128)
classifier = keras_hub.models.BertTextClassifier(backbone, num_classes=4)
classifier.compile(optimizer="adam", loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True), jit_compile=False)
x = {"token_ids": np.ones((64, 64), "int32"), "segment_ids": np.zeros((64, 64), "int32"), "padding_mask": np.ones((64, 64), "int32")}
classifier.fit(x, np.zeros(64, "int32"), batch_size=16)
