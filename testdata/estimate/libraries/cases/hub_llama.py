# A Llama of KerasHub by its arguments, which is trained on tokens.
import keras_hub
import numpy as np

backbone = keras_hub.models.LlamaBackbone(
    vocabulary_size=4000, num_layers=3, num_query_heads=8, hidden_dim=256, intermediate_dim=688, num_key_value_heads=2, dropout=0.1)
model = keras_hub.models.LlamaCausalLM(backbone=backbone)
model.compile(optimizer="adam", jit_compile=False)
tokens, mask = np.zeros((64, 128), "int32"), np.ones((64, 128), "int32")
model.fit({"token_ids": tokens, "padding_mask": mask}, tokens, batch_size=8)
