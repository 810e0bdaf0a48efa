"""Functional CNN with strided convolutions, fed by a tf.data pipeline."""
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

IMAGE_SIZE = 96
NUM_CLASSES = 20
BATCH = 16


def conv_block(x, filters, kernel_size=3, strides=1, slope=0.1):
    x = layers.Conv2D(filters, kernel_size, strides=strides, padding="same", use_bias=False)(x)
    x = layers.BatchNormalization()(x)
    return layers.LeakyReLU(slope)(x)


def build_model(num_classes=NUM_CLASSES, width=24, depth=4):
    inputs = keras.Input((IMAGE_SIZE, IMAGE_SIZE, 3), name="image")
    x = layers.Rescaling(1.0 / 255)(inputs)
    x = conv_block(x, width, kernel_size=5)
    for stage in range(depth):
        x = layers.ZeroPadding2D(1)(x)
        x = layers.Conv2D(width * 2 ** stage, 3, strides=2, activation="elu")(x)
        x = conv_block(x, width * 2 ** stage)
    x = layers.GlobalAveragePooling2D()(x)
    x = layers.Dropout(0.3)(x)
    outputs = layers.Dense(num_classes, activation="softmax")(x)
    return keras.Model(inputs, outputs)


model = build_model()
model.compile(
    optimizer=keras.optimizers.SGD(learning_rate=0.05, momentum=0.9, nesterov=True),
    loss="sparse_categorical_crossentropy",
    metrics=["accuracy"],
)

train_ds = tf.data.Dataset.from_tensor_slices(
    (tf.zeros([48, IMAGE_SIZE, IMAGE_SIZE, 3]), tf.zeros([48], tf.int32))
)
train_ds = train_ds.shuffle(48).batch(BATCH, drop_remainder=True).prefetch(tf.data.AUTOTUNE)

model.fit(train_ds, epochs=3)
