"""Encoder-decoder Transformer after the TensorFlow tutorial, subclassed layers, Noam schedule."""
import numpy as np
import tensorflow as tf


def positional_encoding(length, depth):
    depth = depth / 2
    positions = np.arange(length)[:, np.newaxis]
    depths = np.arange(depth)[np.newaxis, :] / depth
    angle_rads = positions / (10000 ** depths)
    enc = np.concatenate([np.sin(angle_rads), np.cos(angle_rads)], axis=-1)
    return tf.cast(enc, dtype=tf.float32)


class PositionalEmbedding(tf.keras.layers.Layer):
    def __init__(self, vocab_size, d_model):
        super().__init__()
        self.d_model = d_model
        self.embedding = tf.keras.layers.Embedding(vocab_size, d_model)
        self.pos_encoding = positional_encoding(length=256, depth=d_model)

    def call(self, x):
        length = tf.shape(x)[1]
        x = self.embedding(x)
        x *= tf.math.sqrt(tf.cast(self.d_model, tf.float32))
        return x + self.pos_encoding[tf.newaxis, :length, :]


class BaseAttention(tf.keras.layers.Layer):
    def __init__(self, **kwargs):
        super().__init__()
        self.mha = tf.keras.layers.MultiHeadAttention(**kwargs)
        self.layernorm = tf.keras.layers.LayerNormalization()
        self.add = tf.keras.layers.Add()


class CrossAttention(BaseAttention):
    def call(self, x, context):
        out = self.mha(query=x, key=context, value=context)
        return self.layernorm(self.add([x, out]))


class GlobalSelfAttention(BaseAttention):
    def call(self, x):
        return self.layernorm(self.add([x, self.mha(query=x, value=x, key=x)]))


class CausalSelfAttention(BaseAttention):
    def call(self, x):
        out = self.mha(query=x, value=x, key=x, use_causal_mask=True)
        return self.layernorm(self.add([x, out]))


class FeedForward(tf.keras.layers.Layer):
    def __init__(self, d_model, dff, rate=0.1):
        super().__init__()
        self.seq = tf.keras.Sequential([
            tf.keras.layers.Dense(dff, activation="relu"),
            tf.keras.layers.Dense(d_model),
            tf.keras.layers.Dropout(rate),
        ])
        self.add = tf.keras.layers.Add()
        self.norm = tf.keras.layers.LayerNormalization()

    def call(self, x):
        return self.norm(self.add([x, self.seq(x)]))


class EncoderLayer(tf.keras.layers.Layer):
    def __init__(self, d_model, heads, dff, rate):
        super().__init__()
        self.attn = GlobalSelfAttention(num_heads=heads, key_dim=d_model, dropout=rate)
        self.ffn = FeedForward(d_model, dff)

    def call(self, x):
        return self.ffn(self.attn(x))


class DecoderLayer(tf.keras.layers.Layer):
    def __init__(self, d_model, heads, dff, rate):
        super().__init__()
        self.causal = CausalSelfAttention(num_heads=heads, key_dim=d_model, dropout=rate)
        self.cross = CrossAttention(num_heads=heads, key_dim=d_model, dropout=rate)
        self.ffn = FeedForward(d_model, dff)

    def call(self, x, context):
        x = self.causal(x=x)
        x = self.cross(x=x, context=context)
        return self.ffn(x)


class Transformer(tf.keras.Model):
    def __init__(self, *, num_layers, d_model, num_heads, dff, src_vocab, tgt_vocab, rate=0.1):
        super().__init__()
        self.src_embed = PositionalEmbedding(src_vocab, d_model)
        self.tgt_embed = PositionalEmbedding(tgt_vocab, d_model)
        self.enc_layers = [EncoderLayer(d_model, num_heads, dff, rate) for _ in range(num_layers)]
        self.dec_layers = [DecoderLayer(d_model, num_heads, dff, rate) for _ in range(num_layers)]
        self.dropout = tf.keras.layers.Dropout(rate)
        self.final = tf.keras.layers.Dense(tgt_vocab)

    def call(self, inputs):
        context, x = inputs
        context = self.dropout(self.src_embed(context))
        for layer in self.enc_layers:
            context = layer(context)
        x = self.dropout(self.tgt_embed(x))
        for layer in self.dec_layers:
            x = layer(x, context)
        return self.final(x)


class CustomSchedule(tf.keras.optimizers.schedules.LearningRateSchedule):
    def __init__(self, d_model, warmup_steps=4000):
        super().__init__()
        self.width = d_model
        self.d_model = tf.cast(d_model, tf.float32)
        self.warmup_steps = warmup_steps

    def get_config(self):
        return {"d_model": self.width, "warmup_steps": self.warmup_steps}

    def __call__(self, step):
        step = tf.cast(step, dtype=tf.float32)
        return tf.math.rsqrt(self.d_model) * tf.math.minimum(tf.math.rsqrt(step), step * (self.warmup_steps ** -1.5))


D_MODEL = 64
transformer = Transformer(num_layers=2, d_model=D_MODEL, num_heads=4, dff=256, src_vocab=3000, tgt_vocab=2500)
optimizer = tf.keras.optimizers.Adam(CustomSchedule(D_MODEL), beta_1=0.9, beta_2=0.98, epsilon=1e-9)
transformer.compile(
    loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True), optimizer=optimizer, metrics=["accuracy"]
)
pt = np.random.randint(1, 3000, (128, 64))
en = np.random.randint(1, 2500, (128, 65))
ds = tf.data.Dataset.from_tensor_slices(((pt, en[:, :-1]), en[:, 1:])).batch(32)
transformer.fit(ds, epochs=1)
