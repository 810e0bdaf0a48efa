import numpy as np
import tensorflow as tf

EMB = 32
N_USERS, N_ITEMS, N_CATS = 60000, 40000, 300


def build_tower(name, vocab, extra_vocab=None, dense_dim=0, hidden=(256, 128)):
    inputs = {}
    idx = tf.keras.Input((1,), name=f"{name}_id", dtype=tf.int32)
    inputs[f"{name}_id"] = idx
    feats = [tf.keras.layers.Flatten()(tf.keras.layers.Embedding(vocab, EMB, embeddings_regularizer=tf.keras.regularizers.l2(1e-6),
                                                               name=f"{name}_emb")(idx))]
    if extra_vocab:
        bag = tf.keras.Input((20,), name=f"{name}_hist", dtype=tf.int32)
        inputs[f"{name}_hist"] = bag
        e = tf.keras.layers.Embedding(extra_vocab, EMB, mask_zero=True)(bag)
        feats.append(tf.keras.layers.GlobalAveragePooling1D()(e))
    if dense_dim:
        d = tf.keras.Input((dense_dim,), name=f"{name}_dense")
        inputs[f"{name}_dense"] = d
        feats.append(tf.keras.layers.BatchNormalization()(d))
    x = tf.keras.layers.Concatenate()(feats)
    for units in hidden:
        x = tf.keras.layers.Dense(units, activation="relu")(x)
    x = tf.keras.layers.Dense(64)(x)
    x = tf.keras.layers.UnitNormalization(axis=-1)(x)
    return tf.keras.Model(inputs, x, name=f"{name}_tower")


user_tower = build_tower("user", N_USERS, extra_vocab=N_ITEMS, dense_dim=8)
item_tower = build_tower("item", N_ITEMS, extra_vocab=N_CATS)
inputs = {}
for tower in (user_tower, item_tower):
    for t in tower.inputs:
        inputs[t.name.split(":")[0]] = tf.keras.Input(t.shape[1:], name=t.name.split(":")[0], dtype=t.dtype)
u = user_tower({k: v for k, v in inputs.items() if k.startswith("user")})
i = item_tower({k: v for k, v in inputs.items() if k.startswith("item")})
logits = tf.keras.layers.Lambda(lambda t: tf.matmul(t[0], t[1], transpose_b=True) / 0.05)([u, i])
model = tf.keras.Model(inputs, logits)


def in_batch_softmax(y_true, y_pred):
    labels = tf.eye(tf.shape(y_pred)[0])
    return tf.nn.softmax_cross_entropy_with_logits(labels=labels, logits=y_pred)


n = 8192
data = {
    "user_id": np.random.randint(0, N_USERS, (n, 1)),
    "user_hist": np.random.randint(0, N_ITEMS, (n, 20)),
    "user_dense": np.random.rand(n, 8).astype("float32"),
    "item_id": np.random.randint(0, N_ITEMS, (n, 1)),
    "item_hist": np.random.randint(0, N_CATS, (n, 20)),
}
ds = tf.data.Dataset.from_tensor_slices((data, np.ones((n, 1), "float32"))).shuffle(n).batch(1024)
model.compile(optimizer=tf.keras.optimizers.Adagrad(0.1), loss=in_batch_softmax)
model.fit(ds, epochs=1)
