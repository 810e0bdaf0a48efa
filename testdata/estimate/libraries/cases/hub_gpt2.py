import numpy as np
import keras
import keras_hub

backbone = keras_hub.models.GPT2Backbone(vocabulary_size=5000, num_layers=3, num_heads=4, hidden_dim=128, intermediate_dim=512, max_sequence_length=128)
lm = keras_hub.models.GPT2CausalLM(backbone)
lm.compile(optimizer=keras.optimizers.AdamW(1e-4), jit_compile=False)
x = {"token_ids": np.ones((64, 64), "int32"), "padding_mask": np.ones((64, 64), "int32")}
lm.fit(x, np.ones((64, 64), "int32"), batch_size=8)
