# A Gemma of KerasHub with all that its second generation adds.
import keras_hub
import numpy as np

backbone = keras_hub.models.GemmaBackbone(
    4000, 3, 8, 4, 256, 1024, 32, use_post_ffw_norm=True, use_post_attention_norm=True, attention_logit_soft_cap=50,
    final_logit_soft_cap=30, use_sliding_window_attention=True, sliding_window_size=64)
model = keras_hub.models.GemmaCausalLM(backbone)
model.compile(optimizer="sgd", jit_compile=False)
tokens, mask = np.zeros((64, 96), "int32"), np.ones((64, 96), "int32")
model.fit({"token_ids": tokens, "padding_mask": mask}, tokens, batch_size=8)
