"""Neural collaborative filtering (NeuMF)."""
import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras.layers import Concatenate, Dense, Dot, Embedding, Flatten, Input, Multiply
from tensorflow.keras.regularizers import l2

num_users, num_items = 20000, 8000
mf_dim = 16
layers_ = [64, 32, 16, 8]
reg = 1e-6


def get_model():
    user_input = Input(shape=(1,), dtype="int32", name="user_input")
    item_input = Input(shape=(1,), dtype="int32", name="item_input")
    mf_u = Embedding(num_users, mf_dim, embeddings_regularizer=l2(reg), name="mf_user")(user_input)
    mf_i = Embedding(num_items, mf_dim, embeddings_regularizer=l2(reg), name="mf_item")(item_input)
    mlp_u = Embedding(num_users, layers_[0] // 2, embeddings_regularizer=l2(reg), name="mlp_user")(user_input)
    mlp_i = Embedding(num_items, layers_[0] // 2, embeddings_regularizer=l2(reg), name="mlp_item")(item_input)
    mf_vector = Multiply()([Flatten()(mf_u), Flatten()(mf_i)])
    vec = Concatenate()([Flatten()(mlp_u), Flatten()(mlp_i)])
    for idx in range(1, len(layers_)):
        vec = Dense(layers_[idx], activation="relu", name="layer%d" % idx, kernel_regularizer=l2(reg))(vec)
    predict = Concatenate()([mf_vector, vec])
    out = Dense(1, activation="sigmoid", kernel_initializer="lecun_uniform", name="prediction")(predict)
    return keras.Model(inputs=[user_input, item_input], outputs=out)


model = get_model()
model.compile(optimizer=keras.optimizers.Adam(learning_rate=0.001), loss="binary_crossentropy",
              metrics=[keras.metrics.AUC(), "accuracy"])
n = 50000
users = np.random.randint(0, num_users, n)
items = np.random.randint(0, num_items, n)
labels = np.random.randint(0, 2, n)
model.fit([users, items], labels, batch_size=4096, epochs=1, shuffle=True)
