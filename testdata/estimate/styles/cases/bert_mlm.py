from dataclasses import dataclass
import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers


@dataclass
class Config:
    MAX_LEN = 128
    BATCH_SIZE = 16
    LR = 0.001
    VOCAB_SIZE = 8000
    EMBED_DIM = 128
    NUM_HEAD = 8
    FF_DIM = 512
    NUM_LAYERS = 3


config = Config()


def bert_module(query, key, value, i, mask):
    attention_output = layers.MultiHeadAttention(
        num_heads=config.NUM_HEAD, key_dim=config.EMBED_DIM // config.NUM_HEAD,
        name="encoder_{}/multiheadattention".format(i).replace("/", "_"),
    )(query, key, value, attention_mask=mask)
    attention_output = layers.Dropout(0.1, name="encoder_{}_att_dropout".format(i))(attention_output)
    attention_output = layers.LayerNormalization(epsilon=1e-6)(query + attention_output)
    ffn = keras.Sequential(
        [layers.Dense(config.FF_DIM, activation="relu"), layers.Dense(config.EMBED_DIM)],
        name="encoder_{}_ffn".format(i),
    )
    ffn_output = ffn(attention_output)
    ffn_output = layers.Dropout(0.1, name="encoder_{}_ffn_dropout".format(i))(ffn_output)
    return layers.LayerNormalization(epsilon=1e-6)(attention_output + ffn_output)


def get_pos_encoding_matrix(max_len, d_emb):
    pos_enc = np.array([
        [pos / np.power(10000, 2 * (j // 2) / d_emb) for j in range(d_emb)] if pos != 0 else np.zeros(d_emb)
        for pos in range(max_len)
    ])
    pos_enc[1:, 0::2] = np.sin(pos_enc[1:, 0::2])
    pos_enc[1:, 1::2] = np.cos(pos_enc[1:, 1::2])
    return pos_enc


def create_masked_language_bert_model():
    inputs = layers.Input((config.MAX_LEN,), dtype="int64")
    padding = layers.Input((config.MAX_LEN,), dtype="int32")
    segments = layers.Input((config.MAX_LEN,), dtype="int32")
    word_embeddings = layers.Embedding(config.VOCAB_SIZE, config.EMBED_DIM, name="word_embedding")(inputs)
    segment_embeddings = layers.Embedding(2, config.EMBED_DIM)(segments)
    positions = layers.Embedding(
        config.MAX_LEN, config.EMBED_DIM, trainable=False,
        embeddings_initializer=keras.initializers.Constant(get_pos_encoding_matrix(config.MAX_LEN, config.EMBED_DIM)),
    )(np.arange(config.MAX_LEN)[None, :])
    x = word_embeddings + segment_embeddings + positions
    x = layers.LayerNormalization()(x)
    mask = layers.Reshape((1, config.MAX_LEN))(padding)
    for i in range(config.NUM_LAYERS):
        x = bert_module(x, x, x, i, mask)
    mlm_output = layers.Dense(config.VOCAB_SIZE, name="mlm_cls", activation="softmax")(x)
    nsp = layers.Dense(2, activation="softmax", name="nsp")(layers.Lambda(lambda t: t[:, 0])(x))
    return keras.Model([inputs, padding, segments], [mlm_output, nsp], name="masked_bert_model")


bert_masked_model = create_masked_language_bert_model()
bert_masked_model.compile(
    optimizer=keras.optimizers.Adam(learning_rate=config.LR),
    loss=["sparse_categorical_crossentropy", "sparse_categorical_crossentropy"],
)
n = 128
ids = np.random.randint(3, config.VOCAB_SIZE, (n, config.MAX_LEN))
weights = (np.random.rand(n, config.MAX_LEN) < 0.15).astype("float32")
pad = np.ones((n, config.MAX_LEN), "int32")
seg = np.random.randint(0, 2, (n, config.MAX_LEN))
nsp_label = np.random.randint(0, 2, (n,))
mlm_ds = tf.data.Dataset.from_tensor_slices(
    ((ids, pad, seg), (ids, nsp_label), (weights, np.ones(n, "float32")))
).shuffle(1000).batch(config.BATCH_SIZE)
bert_masked_model.fit(mlm_ds, epochs=1)
