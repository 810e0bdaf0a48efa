"""Neural machine translation: bidirectional GRU encoder, GRU decoder, Luong attention, teacher forcing."""
import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

SRC_VOCAB, TGT_VOCAB = 4000, 5000
SRC_LEN, TGT_LEN = 40, 36
EMB, UNITS = 128, 192
BATCH = 48

enc_in = keras.Input((SRC_LEN,), dtype="int32", name="source")
enc_emb = layers.Embedding(SRC_VOCAB, EMB, mask_zero=True)(enc_in)
enc_out, fwd, bwd = layers.Bidirectional(
    layers.GRU(UNITS // 2, return_sequences=True, return_state=True)
)(enc_emb)
state = layers.Concatenate()([fwd, bwd])

dec_in = keras.Input((TGT_LEN,), dtype="int32", name="target")
dec_emb = layers.Embedding(TGT_VOCAB, EMB)(dec_in)
dec_out, _ = layers.GRU(UNITS, return_sequences=True, return_state=True, dropout=0.1)(
    dec_emb, initial_state=state
)
context = layers.Attention(use_scale=True)([dec_out, enc_out])
merged = layers.Concatenate(axis=-1)([dec_out, context])
attn_vec = layers.TimeDistributed(layers.Dense(UNITS, activation="tanh"))(merged)
logits = layers.TimeDistributed(layers.Dense(TGT_VOCAB))(attn_vec)

model = keras.Model([enc_in, dec_in], logits)


def masked_loss(y_true, y_pred):
    loss = keras.losses.sparse_categorical_crossentropy(y_true, y_pred, from_logits=True)
    mask = tf.cast(tf.not_equal(y_true, 0), loss.dtype)
    return tf.reduce_sum(loss * mask) / tf.maximum(tf.reduce_sum(mask), 1.0)


model.compile(optimizer=keras.optimizers.RMSprop(1e-3, centered=True), loss=masked_loss)
N = BATCH * 4
src = np.random.randint(1, SRC_VOCAB, (N, SRC_LEN)).astype("int32")
tgt = np.random.randint(0, TGT_VOCAB, (N, TGT_LEN + 1)).astype("int32")
model.fit({"source": src, "target": tgt[:, :-1]}, tgt[:, 1:], batch_size=BATCH, epochs=1)
