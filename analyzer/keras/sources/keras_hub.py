# Layers and models of KerasHub, as far as shapes, weights and memory depend on them.
import keras
import tensorflow as tf
from keras import ops

ReversibleEmbedding = keras.layers.ReversibleEmbedding
CachedMultiHeadAttention = keras.layers.MultiHeadAttention  # without a cache


def both_masks(padding_mask, attention_mask):
    # keras_hub/src/layers/modeling/transformer_layer_utils.py
    if padding_mask is not None:
        padding_mask = ops.cast(ops.expand_dims(padding_mask, axis=1), "int32")
    if attention_mask is None:
        return padding_mask
    attention_mask = ops.cast(attention_mask, "int32")
    if padding_mask is None:
        return attention_mask
    return ops.minimum(padding_mask, attention_mask)


def causal_mask(x):
    batch, length = ops.shape(x)[0], ops.shape(x)[1]
    at = ops.arange(length, dtype="float32")
    mask = ops.expand_dims(ops.expand_dims(at, axis=1) >= at, axis=0)
    return ops.broadcast_to(mask, (batch, length, length))


class PositionEmbedding(keras.layers.Layer):
    # keras_hub/src/layers/modeling/position_embedding.py
    def __init__(self, sequence_length, initializer="glorot_uniform", **kwargs):
        super().__init__(**kwargs)
        self.sequence_length = sequence_length

    def build(self, inputs_shape):
        self.position_embeddings = self.add_weight(shape=(self.sequence_length, inputs_shape[-1]), name="embeddings")

    def call(self, inputs, start_index=0):
        shape = ops.shape(inputs)
        rows = ops.slice(ops.convert_to_tensor(self.position_embeddings), (start_index, 0), (shape[-2], shape[-1]))
        return ops.broadcast_to(rows, shape)


class SinePositionEncoding(keras.layers.Layer):
    # keras_hub/src/layers/modeling/sine_position_encoding.py
    def __init__(self, max_wavelength=10000, **kwargs):
        super().__init__(**kwargs)
        self.max_wavelength = max_wavelength

    def call(self, inputs, start_index=0):
        shape = ops.shape(inputs)
        size = shape[-1]
        positions = ops.expand_dims(ops.cast(ops.arange(shape[-2]) + start_index, self.compute_dtype), axis=0)
        scales = ops.power(1 / self.max_wavelength, ops.cast(2 * (ops.arange(size) // 2), self.compute_dtype) / size)
        angles = ops.einsum("bi,j->bij", positions, scales)
        cosines = ops.cast(ops.arange(size) % 2, self.compute_dtype)
        encoding = ops.einsum("bij,j->bij", ops.sin(angles), 1 - cosines) + ops.einsum("bij,j->bij", ops.cos(angles), cosines)
        return ops.broadcast_to(encoding, shape)


class TokenAndPositionEmbedding(keras.layers.Layer):
    # keras_hub/src/layers/modeling/token_and_position_embedding.py
    def __init__(self, vocabulary_size, sequence_length, embedding_dim, tie_weights=True,
                 embeddings_initializer="uniform", mask_zero=False, **kwargs):
        super().__init__(**kwargs)
        self.token_embedding = keras.layers.ReversibleEmbedding(
            vocabulary_size, embedding_dim, tie_weights=tie_weights, mask_zero=mask_zero, name="token_embedding")
        self.position_embedding = PositionEmbedding(sequence_length, name="position_embedding")

    def call(self, inputs, start_index=0):
        tokens = self.token_embedding(inputs)
        return tokens + self.position_embedding(tokens, start_index=start_index)


class TransformerEncoder(keras.layers.Layer):
    # keras_hub/src/layers/modeling/transformer_encoder.py
    def __init__(self, intermediate_dim, num_heads, dropout=0, activation="relu", layer_norm_epsilon=1e-05,
                 kernel_initializer="glorot_uniform", bias_initializer="zeros", normalize_first=False, **kwargs):
        super().__init__(**kwargs)
        self.intermediate_dim, self.num_heads, self.dropout = intermediate_dim, num_heads, dropout
        self.activation, self.normalize_first = activation, normalize_first

    def build(self, inputs_shape):
        size = inputs_shape[-1]
        self.attention = keras.layers.MultiHeadAttention(self.num_heads, size // self.num_heads, dropout=self.dropout)
        self.attention_norm = keras.layers.LayerNormalization()
        self.attention_dropout = keras.layers.Dropout(self.dropout)
        self.feedforward_norm = keras.layers.LayerNormalization()
        self.inner_dense = keras.layers.Dense(self.intermediate_dim, activation=self.activation)
        self.outer_dense = keras.layers.Dense(size)
        self.feedforward_dropout = keras.layers.Dropout(self.dropout)

    def call(self, inputs, padding_mask=None, attention_mask=None, training=None):
        mask = both_masks(padding_mask, attention_mask)
        x = self.attention_norm(inputs) if self.normalize_first else inputs
        x = self.attention(query=x, value=x, attention_mask=mask, training=training)
        x = self.attention_dropout(x, training=training) + inputs
        if not self.normalize_first:
            x = self.attention_norm(x)
        residual = x
        if self.normalize_first:
            x = self.feedforward_norm(x)
        x = self.outer_dense(self.inner_dense(x))
        x = self.feedforward_dropout(x, training=training) + residual
        if not self.normalize_first:
            x = self.feedforward_norm(x)
        return x


class TransformerDecoder(keras.layers.Layer):
    # keras_hub/src/layers/modeling/transformer_decoder.py
    def __init__(self, intermediate_dim, num_heads, dropout=0, activation="relu", layer_norm_epsilon=1e-05,
                 kernel_initializer="glorot_uniform", bias_initializer="zeros", normalize_first=False, **kwargs):
        super().__init__(**kwargs)
        self.intermediate_dim, self.num_heads, self.dropout = intermediate_dim, num_heads, dropout
        self.activation, self.normalize_first = activation, normalize_first

    def build(self, decoder_sequence_shape, encoder_sequence_shape=None):
        size = decoder_sequence_shape[-1]
        each = size // self.num_heads
        self.self_attention = keras.layers.MultiHeadAttention(self.num_heads, each, dropout=self.dropout)
        self.self_attention_norm = keras.layers.LayerNormalization()
        self.self_attention_dropout = keras.layers.Dropout(self.dropout)
        self.cross_attention = None
        if encoder_sequence_shape:
            self.cross_attention = keras.layers.MultiHeadAttention(self.num_heads, each, value_dim=each, dropout=self.dropout)
            self.cross_attention_norm = keras.layers.LayerNormalization()
            self.cross_attention_dropout = keras.layers.Dropout(self.dropout)
        self.inner_dense = keras.layers.Dense(self.intermediate_dim, activation=self.activation)
        self.outer_dense = keras.layers.Dense(size)
        self.feedforward_norm = keras.layers.LayerNormalization()
        self.feedforward_dropout = keras.layers.Dropout(self.dropout)

    def call(self, decoder_sequence, encoder_sequence=None, decoder_padding_mask=None, decoder_attention_mask=None,
             encoder_padding_mask=None, encoder_attention_mask=None, use_causal_mask=True, training=None):
        mask = both_masks(decoder_padding_mask, decoder_attention_mask)
        if use_causal_mask:
            causal = causal_mask(decoder_sequence)
            mask = causal if mask is None else ops.minimum(mask, ops.cast(causal, "int32"))
        residual = decoder_sequence
        x = self.self_attention_norm(residual) if self.normalize_first else residual
        x = self.self_attention(query=x, value=x, attention_mask=mask, training=training)
        x = self.self_attention_dropout(x, training=training) + residual
        if not self.normalize_first:
            x = self.self_attention_norm(x)
        if self.cross_attention is not None:
            mask = both_masks(encoder_padding_mask, encoder_attention_mask)
            residual = x
            if self.normalize_first:
                x = self.cross_attention_norm(x)
            x = self.cross_attention(query=x, value=encoder_sequence, attention_mask=mask, training=training)
            x = self.cross_attention_dropout(x, training=training) + residual
            if not self.normalize_first:
                x = self.cross_attention_norm(x)
        residual = x
        if self.normalize_first:
            x = self.feedforward_norm(x)
        x = self.outer_dense(self.inner_dense(x))
        x = self.feedforward_dropout(x, training=training) + residual
        if not self.normalize_first:
            x = self.feedforward_norm(x)
        return x


# Models. What a task is made of is that of its backbone and a head.


def text_inputs():
    return {"token_ids": keras.Input((None,), dtype="int32", name="token_ids"),
            "padding_mask": keras.Input((None,), dtype="int32", name="padding_mask")}


class Backbone(keras.Model):
    # keras_hub/src/models/backbone.py: it adapts the query and the value of each attention, whose weights are those of
    # one layer here
    def enable_lora(self, rank, target_layer_names=None):
        self.trainable = the_adapters_of_its_attention


class BertBackbone(Backbone):
    # keras_hub/src/models/bert/bert_backbone.py
    def __init__(self, vocabulary_size, num_layers, num_heads, hidden_dim, intermediate_dim, dropout=0.1,
                 max_sequence_length=512, num_segments=2, dtype=None, **kwargs):
        inputs = text_inputs()
        inputs["segment_ids"] = keras.Input((None,), dtype="int32", name="segment_ids")
        token_embedding = keras.layers.ReversibleEmbedding(vocabulary_size, hidden_dim, name="token_embedding")
        tokens = token_embedding(inputs["token_ids"])
        positions = PositionEmbedding(max_sequence_length, name="position_embedding")(tokens)
        segments = keras.layers.Embedding(num_segments, hidden_dim, name="segment_embedding")(inputs["segment_ids"])
        x = keras.layers.Add(name="embeddings_add")((tokens, positions, segments))
        x = keras.layers.LayerNormalization(name="embeddings_layer_norm")(x)
        x = keras.layers.Dropout(dropout, name="embeddings_dropout")(x)
        approximate = lambda x: keras.activations.gelu(x, approximate=True)
        for i in range(num_layers):
            layer = TransformerEncoder(intermediate_dim, num_heads, dropout, approximate, name=f"transformer_layer_{i}")
            x = layer(x, padding_mask=inputs["padding_mask"])
        pooled = keras.layers.Dense(hidden_dim, activation="tanh", name="pooled_dense")(x[:, 0, :])
        super().__init__(inputs=inputs, outputs={"sequence_output": x, "pooled_output": pooled}, **kwargs)
        self.token_embedding, self.hidden_dim = token_embedding, hidden_dim


class RobertaBackbone(Backbone):
    # keras_hub/src/models/roberta/roberta_backbone.py; XLMRobertaBackbone and DistilBertBackbone have the same layers
    def __init__(self, vocabulary_size, num_layers, num_heads, hidden_dim, intermediate_dim, dropout=0.1,
                 max_sequence_length=512, dtype=None, **kwargs):
        inputs = text_inputs()
        embeddings = TokenAndPositionEmbedding(vocabulary_size, max_sequence_length, hidden_dim, name="embeddings")
        x = embeddings(inputs["token_ids"])
        x = keras.layers.LayerNormalization(name="embeddings_layer_norm")(x)
        x = keras.layers.Dropout(dropout, name="embeddings_dropout")(x)
        for i in range(num_layers):
            layer = TransformerEncoder(intermediate_dim, num_heads, dropout, "gelu", name=f"transformer_layer_{i}")
            x = layer(x, padding_mask=inputs["padding_mask"])
        super().__init__(inputs=inputs, outputs=x, **kwargs)
        self.token_embedding, self.hidden_dim = embeddings.token_embedding, hidden_dim


XLMRobertaBackbone = DistilBertBackbone = RobertaBackbone


class GPT2Backbone(Backbone):
    # keras_hub/src/models/gpt2/gpt2_backbone.py
    def __init__(self, vocabulary_size, num_layers, num_heads, hidden_dim, intermediate_dim, dropout=0.1,
                 max_sequence_length=1024, dtype=None, **kwargs):
        inputs = text_inputs()
        token_embedding = keras.layers.ReversibleEmbedding(vocabulary_size, hidden_dim, name="token_embedding")
        tokens = token_embedding(inputs["token_ids"])
        positions = PositionEmbedding(max_sequence_length, name="position_embedding")(tokens)
        x = keras.layers.Add(name="embeddings_add")((tokens, positions))
        x = keras.layers.Dropout(dropout, name="embeddings_dropout")(x)
        approximate = lambda x: keras.activations.gelu(x, approximate=True)
        for i in range(num_layers):
            layer = TransformerDecoder(intermediate_dim, num_heads, dropout, approximate, normalize_first=True, name=f"transformer_layer_{i}")
            x = layer(x, decoder_padding_mask=inputs["padding_mask"])
        x = keras.layers.LayerNormalization(name="layer_norm")(x)
        super().__init__(inputs=inputs, outputs=x, **kwargs)
        self.token_embedding, self.hidden_dim = token_embedding, hidden_dim


class OPTBackbone(Backbone):
    # keras_hub/src/models/opt/opt_backbone.py
    def __init__(self, vocabulary_size, num_layers, num_heads, hidden_dim, intermediate_dim, dropout=0.1,
                 max_sequence_length=2048, dtype=None, **kwargs):
        inputs = text_inputs()
        embeddings = TokenAndPositionEmbedding(vocabulary_size, max_sequence_length, hidden_dim, name="embeddings")
        x = embeddings(inputs["token_ids"])
        for i in range(num_layers):
            layer = TransformerDecoder(intermediate_dim, num_heads, dropout, "relu", normalize_first=True, name=f"transformer_layer_{i}")
            x = layer(x, decoder_padding_mask=inputs["padding_mask"])
        x = keras.layers.LayerNormalization(name="layer_norm")(x)
        super().__init__(inputs=inputs, outputs=x, **kwargs)
        self.token_embedding, self.hidden_dim = embeddings.token_embedding, hidden_dim


class RotaryEmbedding(keras.layers.Layer):
    # keras_hub/src/layers/modeling/rotary_embedding.py, of the axes 1 and -1
    def __init__(self, max_wavelength=10000, scaling_factor=1.0, **kwargs):
        super().__init__(**kwargs)
        self.max_wavelength = max_wavelength

    def call(self, inputs, start_index=0):
        shape = ops.shape(inputs)
        positions = ops.expand_dims(ops.arange(shape[1], dtype="float32") + ops.cast(start_index, "float32"), axis=0)
        scales = ops.power(ops.cast(self.max_wavelength, "float32"), -ops.arange(0, shape[-1], 2, dtype="float32") / shape[-1])
        angles = ops.einsum("bi,j->bij", positions, scales)
        angles = ops.reshape(ops.stack((angles, angles), axis=-2), (1, shape[1], shape[-1]))
        if len(inputs.shape) == 4:
            angles = ops.expand_dims(angles, 2)
        x1, x2 = ops.split(inputs, 2, axis=-1)
        turned = ops.reshape(ops.stack((-x2, x1), axis=-2), shape)
        return inputs * ops.cast(ops.cos(angles), self.compute_dtype) + turned * ops.cast(ops.sin(angles), self.compute_dtype)


class RootNormalization(keras.layers.Layer):
    # keras_hub/src/models/llama/llama_layernorm.py and gemma/rms_normalization.py, whose scale is one more
    def __init__(self, epsilon=1e-6, more=0, **kwargs):
        super().__init__(**kwargs)
        self.epsilon, self.more = epsilon, more

    def build(self, input_shape):
        self.scale = self.add_weight(shape=(input_shape[-1],), name="scale")

    def call(self, x):
        x = ops.cast(x, "float32")
        if self.more:
            x = x * ops.reciprocal(ops.sqrt(ops.mean(ops.square(x), axis=-1, keepdims=True) + self.epsilon))
            return ops.cast(x * (1 + self.scale), self.compute_dtype)
        x = x * ops.rsqrt(ops.mean(ops.power(x, 2), axis=-1, keepdims=True) + self.epsilon)
        return ops.cast(x * self.scale, self.compute_dtype)


def decoder_mask(x, padding_mask):
    mask, causal = both_masks(padding_mask, None), ops.cast(causal_mask(x), "int32")
    return causal if mask is None else ops.minimum(mask, causal)


class LlamaAttention(keras.layers.Layer):
    # keras_hub/src/models/llama/llama_attention.py, mistral/mistral_attention.py
    def __init__(self, num_query_heads, num_key_value_heads, rope_max_wavelength, dropout, head_dim, **kwargs):
        super().__init__(**kwargs)
        self.num_query_heads, self.num_key_value_heads = num_query_heads, num_key_value_heads
        self.rotary, self.dropout, self.head_dim = RotaryEmbedding(rope_max_wavelength), keras.layers.Dropout(dropout), head_dim

    def build(self, inputs_shape):
        each = self.head_dim or inputs_shape[-1] // self.num_query_heads
        self.factor = each ** -0.5
        self.query = keras.layers.EinsumDense("bqm,muh->bquh", (None, self.num_query_heads, each), name="query")
        self.key = keras.layers.EinsumDense("bkm,mvh->bkvh", (None, self.num_key_value_heads, each), name="key")
        self.value = keras.layers.EinsumDense("bkm,mvh->bkvh", (None, self.num_key_value_heads, each), name="value")
        self.softmax = keras.layers.Softmax(axis=-1, dtype="float32")
        self.projection = keras.layers.EinsumDense("bquh,uhm->bqm", (None, inputs_shape[-1]), name="attention_output")

    def call(self, x, attention_mask=None, training=None):
        query = self.rotary(self.query(x))
        key, value = self.rotary(self.key(x)), self.value(x)
        groups = self.num_query_heads // self.num_key_value_heads
        key, value = ops.repeat(key, groups, axis=2), ops.repeat(value, groups, axis=2)
        scores = ops.multiply(ops.einsum("bquh,bkuh->buqk", query, key), ops.cast(self.factor, self.compute_dtype))
        scores = ops.cast(self.softmax(scores, attention_mask[:, None, :, :]), self.compute_dtype)
        x = self.dropout(ops.einsum("buqk,bkuh->bquh", scores, value), training=training)
        return self.projection(x)


class LlamaTransformerDecoder(keras.layers.Layer):
    # keras_hub/src/models/llama/llama_decoder.py
    def __init__(self, intermediate_dim, num_query_heads, num_key_value_heads, rope_max_wavelength, dropout, head_dim, **kwargs):
        super().__init__(**kwargs)
        self.intermediate_dim = intermediate_dim
        self.attention = LlamaAttention(num_query_heads, num_key_value_heads, rope_max_wavelength, dropout, head_dim)
        self.attention_norm, self.feedforward_norm = RootNormalization(), RootNormalization()
        self.attention_dropout = keras.layers.Dropout(dropout)

    def build(self, decoder_sequence_shape):
        self.inner_dense = keras.layers.Dense(self.intermediate_dim, use_bias=False)
        self.gate_dense = keras.layers.Dense(self.intermediate_dim, use_bias=False)
        self.outer_dense = keras.layers.Dense(decoder_sequence_shape[-1], use_bias=False)

    def call(self, decoder_sequence, decoder_padding_mask=None, training=None):
        mask = decoder_mask(decoder_sequence, decoder_padding_mask)
        x = self.attention(self.attention_norm(decoder_sequence), attention_mask=mask, training=training)
        x = self.attention_dropout(x, training=training) + decoder_sequence
        y = self.feedforward_norm(x)
        gate = ops.cast(ops.silu(ops.cast(self.gate_dense(y), "float32")), self.compute_dtype)
        return self.outer_dense(ops.multiply(self.inner_dense(y), gate)) + x


class LlamaBackbone(Backbone):
    # keras_hub/src/models/llama/llama_backbone.py; Llama3Backbone has other angles
    def __init__(self, vocabulary_size, num_layers, num_query_heads, hidden_dim, intermediate_dim, num_key_value_heads,
                 rope_max_wavelength=10000, rope_position_scaling_factor=1.0, rope_frequency_adjustment_factor=None,
                 rope_low_freq_factor=None, rope_high_freq_factor=None, rope_pretraining_sequence_length=None,
                 layer_norm_epsilon=1e-6, dropout=0, dtype=None, tie_word_embeddings=False, head_dim=None, **kwargs):
        inputs = text_inputs()
        token_embedding = keras.layers.ReversibleEmbedding(vocabulary_size, hidden_dim, tie_weights=tie_word_embeddings, name="token_embedding")
        x = token_embedding(inputs["token_ids"])
        for i in range(num_layers):
            layer = LlamaTransformerDecoder(intermediate_dim, num_query_heads, num_key_value_heads, rope_max_wavelength, dropout, head_dim, name=f"transformer_layer_{i}")
            x = layer(x, decoder_padding_mask=inputs["padding_mask"])
        super().__init__(inputs=inputs, outputs=RootNormalization(name="sequence_output_layernorm")(x), **kwargs)
        self.token_embedding, self.hidden_dim = token_embedding, hidden_dim


Llama3Backbone = LlamaBackbone


class MistralBackbone(LlamaBackbone):
    # keras_hub/src/models/mistral/mistral_backbone.py; its window masks scores, which are there all the same
    def __init__(self, vocabulary_size, num_layers, num_query_heads, hidden_dim, intermediate_dim, num_key_value_heads,
                 rope_max_wavelength=10000, rope_scaling_factor=1.0, layer_norm_epsilon=1e-6, sliding_window=512,
                 head_dim=None, dropout=0, dtype=None, **kwargs):
        super().__init__(vocabulary_size, num_layers, num_query_heads, hidden_dim, intermediate_dim, num_key_value_heads,
                         rope_max_wavelength, dropout=dropout, head_dim=head_dim, **kwargs)


class GemmaAttention(keras.layers.Layer):
    # keras_hub/src/models/gemma/gemma_attention.py
    def __init__(self, head_dim, num_query_heads, num_key_value_heads, logit_soft_cap, dropout, **kwargs):
        super().__init__(**kwargs)
        self.head_dim, self.num_query_heads, self.num_key_value_heads = head_dim, num_query_heads, num_key_value_heads
        self.logit_soft_cap, self.drops = logit_soft_cap, dropout > 0
        self.dropout, self.rotary, self.softmax = keras.layers.Dropout(dropout), RotaryEmbedding(), keras.layers.Softmax(dtype="float32")

    def build(self, inputs_shape):
        self.query = keras.layers.EinsumDense("btd,ndh->btnh", (None, self.num_query_heads, self.head_dim), name="query")
        self.key = keras.layers.EinsumDense("bsd,kdh->bskh", (None, self.num_key_value_heads, self.head_dim), name="key")
        self.value = keras.layers.EinsumDense("bsd,kdh->bskh", (None, self.num_key_value_heads, self.head_dim), name="value")
        self.projection = keras.layers.EinsumDense("btnh,nhd->btd", (None, inputs_shape[-1]), name="attention_output")

    def rotated(self, x):
        x = self.rotary(x)
        return ops.reshape(ops.stack(ops.split(x, 2, axis=-1), axis=-1), ops.shape(x))

    def call(self, x, attention_mask=None, training=False):
        query, key, value = self.rotated(self.query(x)), self.rotated(self.key(x)), self.value(x)
        query *= ops.cast(self.head_dim ** -0.5, dtype=query.dtype)
        rows, length = ops.shape(query)[0], ops.shape(query)[1]
        groups = self.num_query_heads // self.num_key_value_heads
        query = ops.reshape(query, (rows, length, self.num_key_value_heads, groups, self.head_dim))
        scores = ops.einsum("btkgh,bskh->bkgts", query, key)
        if self.logit_soft_cap is not None:
            scores = ops.multiply(ops.tanh(ops.divide(scores, self.logit_soft_cap)), self.logit_soft_cap)
        scores = ops.cast(self.softmax(scores, mask=attention_mask[:, None, None, :, :]), scores.dtype)
        if self.drops:
            scores = self.dropout(scores, training=training)
        x = ops.einsum("bkgts,bskh->btkgh", scores, value)
        return self.projection(ops.reshape(x, (rows, length, self.num_query_heads, self.head_dim)))


class GemmaDecoderBlock(keras.layers.Layer):
    # keras_hub/src/models/gemma/gemma_decoder_block.py
    def __init__(self, hidden_dim, intermediate_dim, attention, use_post_ffw_norm, use_post_attention_norm, dropout, **kwargs):
        super().__init__(**kwargs)
        self.attention, self.dropout = attention, keras.layers.Dropout(dropout) if dropout else None
        self.before, self.between = RootNormalization(more=1), RootNormalization(more=1)
        self.after_attention = RootNormalization(more=1) if use_post_attention_norm else None
        self.after = RootNormalization(more=1) if use_post_ffw_norm else None
        self.gate = keras.layers.EinsumDense("btd,df->btf", (None, intermediate_dim // 2), name="ffw_gating")
        self.gate2 = keras.layers.EinsumDense("btd,df->btf", (None, intermediate_dim // 2), name="ffw_gating_2")
        self.linear = keras.layers.EinsumDense("btf,fd->btd", (None, hidden_dim), name="ffw_linear")

    def call(self, x, padding_mask=None):
        y = self.before(x)
        y = self.attention(y, attention_mask=decoder_mask(y, padding_mask))
        if self.after_attention is not None:
            y = self.after_attention(y)
        if self.dropout is not None:
            y = self.dropout(y)
        x = x + y
        y = self.between(x)
        y = self.linear(keras.activations.gelu(self.gate(y), approximate=True) * self.gate2(y))
        if self.after is not None:
            y = self.after(y)
        return y + x


class GemmaBackbone(Backbone):
    # keras_hub/src/models/gemma/gemma_backbone.py
    def __init__(self, vocabulary_size, num_layers, num_query_heads, num_key_value_heads, hidden_dim, intermediate_dim,
                 head_dim, query_head_dim_normalize=True, use_post_ffw_norm=False, use_post_attention_norm=False,
                 attention_logit_soft_cap=None, final_logit_soft_cap=None, use_sliding_window_attention=False,
                 sliding_window_size=4096, layer_norm_epsilon=1e-6, dropout=0, dtype=None, **kwargs):
        inputs = text_inputs()
        token_embedding = keras.layers.ReversibleEmbedding(vocabulary_size, hidden_dim, tie_weights=True, logit_soft_cap=final_logit_soft_cap, name="token_embedding")
        x = token_embedding(inputs["token_ids"])
        x = x * ops.cast(hidden_dim ** 0.5, x.dtype)
        for i in range(num_layers):
            attention = GemmaAttention(head_dim, num_query_heads, num_key_value_heads, attention_logit_soft_cap, dropout)
            layer = GemmaDecoderBlock(hidden_dim, intermediate_dim, attention, use_post_ffw_norm, use_post_attention_norm, dropout, name=f"decoder_block_{i}")
            x = layer(x, padding_mask=inputs["padding_mask"])
        super().__init__(inputs=inputs, outputs=RootNormalization(more=1, name="final_normalization")(x), **kwargs)
        self.token_embedding, self.hidden_dim = token_embedding, hidden_dim


class ViTPatches(keras.layers.Layer):
    # keras_hub/src/models/vit/vit_layers.py, ViTPatchingAndEmbedding
    def __init__(self, image_shape, patch_size, hidden_dim, use_class_token, use_patch_bias, **kwargs):
        super().__init__(**kwargs)
        self.hidden_dim, self.use_class_token = hidden_dim, use_class_token
        self.positions = image_shape[0] // patch_size[0] * (image_shape[1] // patch_size[1]) + (1 if use_class_token else 0)
        self.patch_embedding = keras.layers.Conv2D(hidden_dim, patch_size, patch_size, use_bias=use_patch_bias, name="patch_embedding")
        self.position_embedding = keras.layers.Embedding(self.positions, hidden_dim, name="position_embedding")

    def build(self, input_shape):
        if self.use_class_token:
            self.class_token = self.add_weight(shape=(1, 1, self.hidden_dim), name="class_token")
        self.position_ids = ops.expand_dims(ops.arange(self.positions), axis=0)

    def call(self, inputs):
        patches = self.patch_embedding(inputs)
        rows = ops.shape(patches)[0]
        patches = ops.reshape(patches, (rows, -1, self.hidden_dim))
        if self.use_class_token:
            patches = ops.concatenate([ops.tile(self.class_token, (rows, 1, 1)), patches], axis=1)
        return ops.add(patches, self.position_embedding(self.position_ids))


class ViTBlock(keras.layers.Layer):
    # keras_hub/src/models/vit/vit_layers.py, ViTEncoderBlock and MLP
    def __init__(self, num_heads, hidden_dim, mlp_dim, use_mha_bias, use_mlp_bias, dropout_rate, attention_dropout, **kwargs):
        super().__init__(**kwargs)
        self.attention_norm = keras.layers.LayerNormalization()
        self.attention = keras.layers.MultiHeadAttention(num_heads, hidden_dim // num_heads, use_bias=use_mha_bias, dropout=attention_dropout)
        self.attention_dropout = keras.layers.Dropout(dropout_rate)
        self.mlp_norm = keras.layers.LayerNormalization()
        self.inner_dense = keras.layers.Dense(mlp_dim, use_bias=use_mlp_bias, activation="gelu")
        self.outer_dense = keras.layers.Dense(hidden_dim, use_bias=use_mlp_bias)
        self.mlp_dropout = keras.layers.Dropout(dropout_rate)

    def call(self, inputs):
        x = self.attention_norm(inputs)
        x = self.attention_dropout(self.attention(x, x)) + inputs
        y = self.mlp_dropout(self.inner_dense(self.mlp_norm(x)))
        return x + self.mlp_dropout(self.outer_dense(y))


class ViTEncoder(keras.layers.Layer):
    def __init__(self, num_layers, dropout_rate, block, **kwargs):
        super().__init__(**kwargs)
        self.encoder_layers = [block(i) for i in range(num_layers)]
        self.dropout = keras.layers.Dropout(dropout_rate)
        self.layer_norm = keras.layers.LayerNormalization()

    def call(self, inputs):
        x = self.dropout(inputs)
        for layer in self.encoder_layers:
            x = layer(x)
        return self.layer_norm(x)


class ViTBackbone(Backbone):
    # keras_hub/src/models/vit/vit_backbone.py
    def __init__(self, image_shape, patch_size, num_layers, num_heads, hidden_dim, mlp_dim, dropout_rate=0.0,
                 attention_dropout=0.0, layer_norm_epsilon=1e-6, use_mha_bias=True, use_mlp_bias=True,
                 use_class_token=True, use_patch_bias=True, data_format=None, dtype=None, **kwargs):
        if isinstance(patch_size, int):
            patch_size = (patch_size, patch_size)
        inputs = keras.Input(image_shape, name="images")
        x = ViTPatches(image_shape, patch_size, hidden_dim, use_class_token, use_patch_bias, name="vit_patching_and_embedding")(inputs)
        block = lambda i: ViTBlock(num_heads, hidden_dim, mlp_dim, use_mha_bias, use_mlp_bias, dropout_rate, attention_dropout)
        x = ViTEncoder(num_layers, dropout_rate, block, name="vit_encoder")(x)
        super().__init__(inputs=inputs, outputs=x, **kwargs)


def convolved(x, filters, kernel_size, strides=1):
    return keras.layers.Conv2D(filters, kernel_size, strides=strides, padding="valid" if strides > 1 else "same", use_bias=False)(x)


def normalized(x, activation="relu"):
    x = keras.layers.BatchNormalization(epsilon=1e-5, momentum=0.9)(x)
    return keras.layers.Activation(activation)(x) if activation else x


def residual_block(x, filters, strides, shortens, block_type, first_activated):
    # keras_hub/src/models/resnet/resnet_backbone.py, apply_basic_block to apply_bottleneck_block_vd
    bottleneck, averages = "bottleneck" in block_type, block_type.endswith("_vd")
    width = 4 * filters if bottleneck else filters
    shortcut = x
    if first_activated:
        x = normalized(x)
    if shortens:
        if first_activated:
            shortcut = x
        elif averages and strides > 1:
            shortcut = keras.layers.AveragePooling2D(2, strides=strides, padding="same")(shortcut)
        shortcut = keras.layers.Conv2D(width, 1, strides=1 if averages else strides, use_bias=False)(shortcut)
        if not first_activated:
            shortcut = normalized(shortcut, None)
    if bottleneck:
        x = normalized(convolved(x, filters, 1))
    if strides > 1:
        x = keras.layers.ZeroPadding2D(1)(x)
    x = normalized(convolved(x, filters, 3, strides))
    x = convolved(x, width, 1 if bottleneck else 3)
    if first_activated:
        return keras.layers.Add()([shortcut, x])
    return keras.layers.Activation("relu")(keras.layers.Add()([shortcut, normalized(x, None)]))


class ResNetBackbone(Backbone):
    # keras_hub/src/models/resnet/resnet_backbone.py
    def __init__(self, input_conv_filters, input_conv_kernel_sizes, stackwise_num_filters, stackwise_num_blocks,
                 stackwise_num_strides, block_type, use_pre_activation=False, image_shape=(None, None, 3),
                 data_format=None, dtype=None, **kwargs):
        inputs = keras.Input(image_shape)
        x = keras.layers.ZeroPadding2D((input_conv_kernel_sizes[0] - 1) // 2)(inputs)
        x = convolved(x, input_conv_filters[0], input_conv_kernel_sizes[0], 2)
        for filters, size in zip(input_conv_filters[1:], input_conv_kernel_sizes[1:]):
            x = convolved(normalized(x), filters, size)
        if use_pre_activation:
            x = ops.pad(x, ((0, 0), (1, 1), (1, 1), (0, 0)), constant_values=float("-inf"))
        else:
            x = keras.layers.ZeroPadding2D(1)(normalized(x))
        x = keras.layers.MaxPooling2D(3, strides=2)(x)
        pyramid = {}
        for stack, (filters, blocks, strides) in enumerate(zip(stackwise_num_filters, stackwise_num_blocks, stackwise_num_strides)):
            for i in range(blocks):
                shortens = i == 0 and (block_type != "basic_block" or stack > 0)
                x = residual_block(x, filters, strides if i == 0 else 1, shortens, block_type, use_pre_activation)
            pyramid[f"P{stack + 2}"] = x
        if use_pre_activation:
            x = normalized(x)
        super().__init__(inputs=inputs, outputs=x, **kwargs)
        self.pyramid_outputs = pyramid


class VGGBackbone(Backbone):
    # keras_hub/src/models/vgg/vgg_backbone.py
    def __init__(self, stackwise_num_repeats, stackwise_num_filters, image_shape=(None, None, 3), dtype=None, **kwargs):
        x = inputs = keras.Input(image_shape)
        for repeats, filters in zip(stackwise_num_repeats, stackwise_num_filters):
            for _ in range(repeats):
                x = keras.layers.Conv2D(filters, 3, activation="relu", padding="same")(x)
            x = keras.layers.MaxPooling2D(2, 2)(x)
        super().__init__(inputs=inputs, outputs=x, **kwargs)


class TextPreprocessor:
    # keras_hub/src/models/text_classifier_preprocessor.py, causal_lm_preprocessor.py
    def __init__(self, tokenizer=None, sequence_length=512, segments=False, predicts=False, **kwargs):
        self.tokenizer, self.sequence_length, self.segments, self.predicts = tokenizer, sequence_length, segments, predicts

    def __call__(self, x, y=None, sample_weight=None):
        shape = (tf.shape(x)[0], self.sequence_length)
        made = {"token_ids": tf.zeros(shape, "int32"), "padding_mask": tf.zeros(shape, "bool")}
        if self.segments:
            made["segment_ids"] = tf.zeros(shape, "int32")
        if self.predicts:  # the next token of each
            return made, tf.zeros(shape, "int32"), tf.zeros(shape, "bool")
        return made if y is None else (made, y)


def BertTextClassifierPreprocessor(*args, **kwargs):
    return TextPreprocessor(*args, segments=True, **kwargs)


def GPT2CausalLMPreprocessor(tokenizer=None, sequence_length=1024, **kwargs):
    return TextPreprocessor(tokenizer, sequence_length, predicts=True, **kwargs)


OPTCausalLMPreprocessor = LlamaCausalLMPreprocessor = Llama3CausalLMPreprocessor = MistralCausalLMPreprocessor = GPT2CausalLMPreprocessor
GemmaCausalLMPreprocessor = GPT2CausalLMPreprocessor
RobertaTextClassifierPreprocessor = XLMRobertaTextClassifierPreprocessor = DistilBertTextClassifierPreprocessor = TextPreprocessor


class Task(keras.Model):
    # keras_hub/src/models/task.py
    def __init__(self, *args, compile=True, **kwargs):
        super().__init__(*args, **kwargs)
        if compile:
            self.compile()

    # keras_hub/src/utils/pipeline_model.py: a pipeline on the CPU makes tokens of texts
    def pipeline(self, x, y, batch_size):
        if not isinstance(x, tf.data.Dataset):
            x = tf.data.Dataset.from_tensor_slices(x if y is None else (x, y)).batch(batch_size or 32)
        return x.map(self.preprocessor)

    def fit(self, x=None, y=None, batch_size=None, **kwargs):
        if self.preprocessor is None:
            return super().fit(x, y, batch_size=batch_size, **kwargs)
        return super().fit(self.pipeline(x, y, batch_size), **kwargs)

    def predict(self, x, batch_size=None, **kwargs):
        if self.preprocessor is None:
            return super().predict(x, batch_size=batch_size, **kwargs)
        return super().predict(self.pipeline(x, None, batch_size), **kwargs)


class Classifies(Task):
    # keras_hub/src/models/text_classifier.py, image_classifier.py
    def compile(self, optimizer="auto", loss="auto", *, metrics="auto", **kwargs):
        if isinstance(optimizer, str) and optimizer == "auto":
            optimizer = keras.optimizers.Adam(5e-5)
        if isinstance(loss, str) and loss == "auto":
            loss = keras.losses.SparseCategoricalCrossentropy(from_logits=getattr(self, "activation", None) != "softmax")
        if isinstance(metrics, str) and metrics == "auto":
            metrics = [keras.metrics.SparseCategoricalAccuracy()]
        super().compile(optimizer=optimizer, loss=loss, metrics=metrics, **kwargs)


class BertTextClassifier(Classifies):
    # keras_hub/src/models/bert/bert_text_classifier.py
    def __init__(self, backbone, num_classes, preprocessor=None, activation=None, dropout=0.1, **kwargs):
        inputs = backbone.input
        x = keras.layers.Dropout(dropout)(backbone(inputs)["pooled_output"])
        super().__init__(inputs=inputs, outputs=keras.layers.Dense(num_classes, activation=activation, name="logits")(x), **kwargs)
        self.backbone, self.preprocessor, self.activation = backbone, preprocessor, activation


class RobertaTextClassifier(Classifies):
    # keras_hub/src/models/roberta/roberta_text_classifier.py
    def __init__(self, backbone, num_classes, preprocessor=None, activation=None, hidden_dim=None, dropout=0.0, **kwargs):
        inputs = backbone.input
        x = keras.layers.Dropout(dropout)(backbone(inputs)[:, 0, :])
        x = keras.layers.Dense(hidden_dim or backbone.hidden_dim, activation="tanh", name="pooled_dense")(x)
        x = keras.layers.Dropout(dropout)(x)
        super().__init__(inputs=inputs, outputs=keras.layers.Dense(num_classes, activation=activation, name="logits")(x), **kwargs)
        self.backbone, self.preprocessor, self.activation = backbone, preprocessor, activation


XLMRobertaTextClassifier = RobertaTextClassifier


class DistilBertTextClassifier(Classifies):
    # keras_hub/src/models/distil_bert/distil_bert_text_classifier.py
    def __init__(self, backbone, num_classes, preprocessor=None, activation=None, hidden_dim=None, dropout=0.2, **kwargs):
        inputs = backbone.input
        x = backbone(inputs)[:, 0, :]
        x = keras.layers.Dense(hidden_dim or backbone.hidden_dim, activation="relu", name="pooled_dense")(x)
        x = keras.layers.Dropout(dropout)(x)
        super().__init__(inputs=inputs, outputs=keras.layers.Dense(num_classes, activation=activation, name="logits")(x), **kwargs)
        self.backbone, self.preprocessor, self.activation = backbone, preprocessor, activation


class GPT2CausalLM(Task):
    # keras_hub/src/models/gpt2/gpt2_causal_lm.py
    def __init__(self, backbone, preprocessor=None, **kwargs):
        inputs = backbone.input
        super().__init__(inputs=inputs, outputs=backbone.token_embedding(backbone(inputs), reverse=True), **kwargs)
        self.backbone, self.preprocessor = backbone, preprocessor

    def compile(self, optimizer="auto", loss="auto", *, weighted_metrics="auto", sampler="top_k", **kwargs):
        # keras_hub/src/models/causal_lm.py
        if isinstance(optimizer, str) and optimizer == "auto":
            optimizer = keras.optimizers.Adam(2e-5)
        if isinstance(loss, str) and loss == "auto":
            loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
        if isinstance(weighted_metrics, str) and weighted_metrics == "auto":
            weighted_metrics = [keras.metrics.SparseCategoricalAccuracy()]
        super().compile(optimizer=optimizer, loss=loss, weighted_metrics=weighted_metrics, **kwargs)


OPTCausalLM = LlamaCausalLM = Llama3CausalLM = MistralCausalLM = GemmaCausalLM = GPT2CausalLM


class ViTImageClassifier(Classifies):
    # keras_hub/src/models/vit/vit_image_classifier.py
    def __init__(self, backbone, num_classes, preprocessor=None, pooling="token", intermediate_dim=None, activation=None,
                 dropout=0.0, head_dtype=None, **kwargs):
        inputs = backbone.input
        x = backbone(inputs)
        x = x[:, 0] if pooling == "token" else ops.mean(x, axis=1)
        if intermediate_dim is not None:
            x = keras.layers.Dense(intermediate_dim, activation="tanh", name="pre_logits")(x)
        x = keras.layers.Dropout(dropout)(x)
        super().__init__(inputs=inputs, outputs=keras.layers.Dense(num_classes, activation=activation, name="predictions")(x), **kwargs)
        self.backbone, self.preprocessor, self.activation = backbone, preprocessor, activation


class ImageClassifier(Classifies):
    # keras_hub/src/models/image_classifier.py
    def __init__(self, backbone, num_classes, preprocessor=None, pooling="avg", activation=None, dropout=0.0,
                 head_dtype=None, **kwargs):
        inputs = backbone.input
        pooler = keras.layers.GlobalAveragePooling2D if pooling == "avg" else keras.layers.GlobalMaxPooling2D
        x = keras.layers.Dropout(dropout)(pooler(name="pooler")(backbone(inputs)))
        super().__init__(inputs=inputs, outputs=keras.layers.Dense(num_classes, activation=activation, name="predictions")(x), **kwargs)
        self.backbone, self.preprocessor, self.activation = backbone, preprocessor, activation


ResNetImageClassifier = ImageClassifier

BertClassifier, RobertaClassifier, DistilBertClassifier = BertTextClassifier, RobertaTextClassifier, DistilBertTextClassifier
XLMRobertaClassifier = RobertaTextClassifier
