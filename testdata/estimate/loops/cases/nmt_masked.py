import numpy as np
import tensorflow as tf

num_layers, d_model, dff, num_heads = 2, 128, 512, 8
input_vocab_size, target_vocab_size = 4000, 4000
MAX_LEN, BATCH = 64, 16


def positional_encoding(position, d_model):
    angle = np.arange(position)[:, None] / np.power(10000, (2 * (np.arange(d_model)[None] // 2)) / np.float32(d_model))
    angle[:, 0::2] = np.sin(angle[:, 0::2])
    angle[:, 1::2] = np.cos(angle[:, 1::2])
    return tf.cast(angle[np.newaxis, ...], dtype=tf.float32)


def create_padding_mask(seq):
    seq = tf.cast(tf.math.equal(seq, 0), tf.float32)
    return seq[:, tf.newaxis, tf.newaxis, :]


def create_look_ahead_mask(size):
    return 1 - tf.linalg.band_part(tf.ones((size, size)), -1, 0)


def scaled_dot_product_attention(q, k, v, mask):
    matmul_qk = tf.matmul(q, k, transpose_b=True)
    dk = tf.cast(tf.shape(k)[-1], tf.float32)
    logits = matmul_qk / tf.math.sqrt(dk)
    if mask is not None:
        logits += (mask * -1e9)
    weights = tf.nn.softmax(logits, axis=-1)
    return tf.matmul(weights, v), weights


class MultiHeadAttention(tf.keras.layers.Layer):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.d_model = d_model
        self.depth = d_model // num_heads
        self.wq = tf.keras.layers.Dense(d_model)
        self.wk = tf.keras.layers.Dense(d_model)
        self.wv = tf.keras.layers.Dense(d_model)
        self.dense = tf.keras.layers.Dense(d_model)

    def split_heads(self, x, batch_size):
        x = tf.reshape(x, (batch_size, -1, self.num_heads, self.depth))
        return tf.transpose(x, perm=[0, 2, 1, 3])

    def call(self, v, k, q, mask=None):
        batch_size = tf.shape(q)[0]
        q = self.split_heads(self.wq(q), batch_size)
        k = self.split_heads(self.wk(k), batch_size)
        v = self.split_heads(self.wv(v), batch_size)
        att, weights = scaled_dot_product_attention(q, k, v, mask)
        att = tf.transpose(att, perm=[0, 2, 1, 3])
        return self.dense(tf.reshape(att, (batch_size, -1, self.d_model))), weights


def ffn():
    return tf.keras.Sequential([tf.keras.layers.Dense(dff, activation="relu"), tf.keras.layers.Dense(d_model)])


class EncoderLayer(tf.keras.layers.Layer):
    def __init__(self, rate=0.1):
        super().__init__()
        self.mha = MultiHeadAttention(d_model, num_heads)
        self.ffn = ffn()
        self.ln1 = tf.keras.layers.LayerNormalization(epsilon=1e-6)
        self.ln2 = tf.keras.layers.LayerNormalization(epsilon=1e-6)
        self.d1 = tf.keras.layers.Dropout(rate)
        self.d2 = tf.keras.layers.Dropout(rate)

    def call(self, x, training=None, mask=None):
        a, _ = self.mha(x, x, x, mask)
        x = self.ln1(x + self.d1(a, training=training))
        return self.ln2(x + self.d2(self.ffn(x), training=training))


class DecoderLayer(tf.keras.layers.Layer):
    def __init__(self, rate=0.1):
        super().__init__()
        self.mha1 = MultiHeadAttention(d_model, num_heads)
        self.mha2 = MultiHeadAttention(d_model, num_heads)
        self.ffn = ffn()
        self.lns = [tf.keras.layers.LayerNormalization(epsilon=1e-6) for _ in range(3)]
        self.drops = [tf.keras.layers.Dropout(rate) for _ in range(3)]

    def call(self, x, enc, training=None, look_ahead_mask=None, padding_mask=None):
        a1, w1 = self.mha1(x, x, x, look_ahead_mask)
        o1 = self.lns[0](self.drops[0](a1, training=training) + x)
        a2, w2 = self.mha2(enc, enc, o1, padding_mask)
        o2 = self.lns[1](self.drops[1](a2, training=training) + o1)
        return self.lns[2](self.drops[2](self.ffn(o2), training=training) + o2), w1, w2


class Transformer(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.enc_emb = tf.keras.layers.Embedding(input_vocab_size, d_model)
        self.dec_emb = tf.keras.layers.Embedding(target_vocab_size, d_model)
        self.pos = positional_encoding(1000, d_model)
        self.enc_layers = [EncoderLayer() for _ in range(num_layers)]
        self.dec_layers = [DecoderLayer() for _ in range(num_layers)]
        self.dropout = tf.keras.layers.Dropout(0.1)
        self.final_layer = tf.keras.layers.Dense(target_vocab_size)

    def embed(self, emb, x, training):
        seq_len = tf.shape(x)[1]
        x = emb(x)
        x *= tf.math.sqrt(tf.cast(d_model, tf.float32))
        x += self.pos[:, :seq_len, :]
        return self.dropout(x, training=training)

    def call(self, inputs, training=None):
        inp, tar = inputs
        padding_mask = create_padding_mask(inp)
        look_ahead = tf.maximum(create_padding_mask(tar), create_look_ahead_mask(tf.shape(tar)[1]))
        x = self.embed(self.enc_emb, inp, training)
        for layer in self.enc_layers:
            x = layer(x, training=training, mask=padding_mask)
        enc = x
        attention_weights = {}
        x = self.embed(self.dec_emb, tar, training)
        for i, layer in enumerate(self.dec_layers):
            x, b1, b2 = layer(x, enc, training=training, look_ahead_mask=look_ahead, padding_mask=padding_mask)
            attention_weights[f"decoder_layer{i + 1}_block1"] = b1
            attention_weights[f"decoder_layer{i + 1}_block2"] = b2
        return self.final_layer(x), attention_weights


class CustomSchedule(tf.keras.optimizers.schedules.LearningRateSchedule):
    def __init__(self, d_model, warmup_steps=4000):
        super().__init__()
        self.d_model = tf.cast(d_model, tf.float32)
        self.warmup_steps = warmup_steps

    def __call__(self, step):
        step = tf.cast(step, tf.float32)
        return tf.math.rsqrt(self.d_model) * tf.math.minimum(tf.math.rsqrt(step), step * (self.warmup_steps ** -1.5))


transformer = Transformer()
optimizer = tf.keras.optimizers.Adam(CustomSchedule(d_model), beta_1=0.9, beta_2=0.98, epsilon=1e-9)
loss_object = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True, reduction="none")
train_loss = tf.keras.metrics.Mean(name="train_loss")
train_accuracy = tf.keras.metrics.Mean(name="train_accuracy")


def loss_function(real, pred):
    mask = tf.math.logical_not(tf.math.equal(real, 0))
    loss_ = loss_object(real, pred)
    mask = tf.cast(mask, dtype=loss_.dtype)
    loss_ *= mask
    return tf.reduce_sum(loss_) / tf.reduce_sum(mask)


def accuracy_function(real, pred):
    accuracies = tf.equal(real, tf.argmax(pred, axis=2))
    mask = tf.math.logical_not(tf.math.equal(real, 0))
    accuracies = tf.math.logical_and(mask, accuracies)
    return tf.reduce_sum(tf.cast(accuracies, tf.float32)) / tf.reduce_sum(tf.cast(mask, tf.float32))


@tf.function
def train_step(inp, tar):
    tar_inp = tar[:, :-1]
    tar_real = tar[:, 1:]
    with tf.GradientTape() as tape:
        predictions, _ = transformer([inp, tar_inp], training=True)
        loss = loss_function(tar_real, predictions)
    gradients = tape.gradient(loss, transformer.trainable_variables)
    optimizer.apply_gradients(zip(gradients, transformer.trainable_variables))
    train_loss(loss)
    train_accuracy(accuracy_function(tar_real, predictions))


src = np.random.randint(0, input_vocab_size, (160, MAX_LEN))
tgt = np.random.randint(0, target_vocab_size, (160, MAX_LEN + 1))
train_batches = tf.data.Dataset.from_tensor_slices((src, tgt)).batch(BATCH)
for epoch in range(1):
    train_loss.reset_state()
    for (batch, (inp, tar)) in enumerate(train_batches):
        train_step(inp, tar)
