"""After keras.io's "Timeseries classification with a Transformer model": encoders of FordA's readings."""
# device: 904 MiB
# keras: 3.15
import keras
import numpy as np
from keras import layers

x_train = np.zeros((128, 250, 1), "float32")
y_train = np.zeros((128,), "int32")
n_classes = 2


def transformer_encoder(inputs, head_size, num_heads, ff_dim, dropout=0.0):
    x = layers.MultiHeadAttention(key_dim=head_size, num_heads=num_heads, dropout=dropout)(inputs, inputs)
    x = layers.Dropout(dropout)(x)
    x = layers.LayerNormalization(epsilon=1e-6)(x)
    res = x + inputs
    x = layers.Conv1D(filters=ff_dim, kernel_size=1, activation="relu")(res)
    x = layers.Dropout(dropout)(x)
    x = layers.Conv1D(filters=inputs.shape[-1], kernel_size=1)(x)
    x = layers.LayerNormalization(epsilon=1e-6)(x)
    return x + res


def build_model(input_shape, head_size, num_heads, ff_dim, blocks, units, dropout, mlp_dropout):
    inputs = x = keras.Input(shape=input_shape)
    for _ in range(blocks):
        x = transformer_encoder(x, head_size, num_heads, ff_dim, dropout)
    x = layers.GlobalAveragePooling1D(data_format="channels_last")(x)
    for dim in units:
        x = layers.Dense(dim, activation="relu")(x)
        x = layers.Dropout(mlp_dropout)(x)
    return keras.Model(inputs, layers.Dense(n_classes, activation="softmax")(x))


model = build_model(x_train.shape[1:], head_size=64, num_heads=4, ff_dim=4, blocks=2, units=[128], dropout=0.25, mlp_dropout=0.4)
model.compile(
    loss="sparse_categorical_crossentropy",
    optimizer=keras.optimizers.RMSprop(learning_rate=1e-4),
    metrics=["sparse_categorical_accuracy"],
    jit_compile=False,
)
model.fit(x_train, y_train, epochs=200, batch_size=8)
