import numpy as np
import keras
import keras_hub
encoder = keras_hub.models.RobertaBackbone(vocabulary_size=5000, num_layers=2, num_heads=4, hidden_dim=128, intermediate_dim=512, max_sequence_length=64)
encoder.trainable = False
ids, mask = keras.Input((48,), dtype="int32", name="token_ids"), keras.Input((48,), dtype="int32", name="padding_mask")
sequence = encoder({"token_ids": ids, "padding_mask": mask})
model = keras.Model([ids, mask], keras.layers.Dense(1)(keras.layers.GlobalAveragePooling1D()(sequence)))
model.compile("adam", "mse", jit_compile=False)
model.fit([np.ones((64, 48), "int32"), np.ones((64, 48), "int32")], np.zeros((64, 1)), batch_size=16)
