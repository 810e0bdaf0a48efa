import numpy as np
import tensorflow as tf
from tensorflow.keras import layers, mixed_precision, regularizers

policy = mixed_precision.Policy("mixed_float16")
mixed_precision.set_global_policy(policy)

BATCH_SIZE = 32
NUM_CLASSES = 10
WEIGHT_DECAY = 1e-4


def conv_bn(x, filters, stride=1, activation=True):
    x = layers.Conv2D(filters, 3, strides=stride, padding="same", use_bias=False, kernel_regularizer=regularizers.l2(WEIGHT_DECAY))(x)
    x = layers.BatchNormalization()(x)
    return layers.Activation("relu")(x) if activation else x


def block(x, filters, stride):
    shortcut = x
    y = conv_bn(x, filters, stride)
    y = conv_bn(y, filters, activation=False)
    if stride != 1 or shortcut.shape[-1] != filters:
        shortcut = layers.Conv2D(filters, 1, strides=stride, use_bias=False)(shortcut)
    return layers.Activation("relu")(layers.Add()([y, shortcut]))


def resnet():
    inputs = tf.keras.Input((32, 32, 3))
    x = conv_bn(inputs, 16)
    for filters, stride in ((16, 1), (16, 1), (32, 2), (32, 1), (64, 2), (64, 1)):
        x = block(x, filters, stride)
    x = layers.GlobalAveragePooling2D()(x)
    x = layers.Dense(NUM_CLASSES)(x)
    outputs = layers.Activation("softmax", dtype="float32")(x)
    return tf.keras.Model(inputs, outputs)


x_train = np.zeros((256, 32, 32, 3), "float32")
y_train = np.zeros((256,), "int64")
dataset = tf.data.Dataset.from_tensor_slices((x_train, y_train)).shuffle(256).batch(BATCH_SIZE).prefetch(tf.data.AUTOTUNE)
model = resnet()
model.compile(
    optimizer=tf.keras.optimizers.SGD(learning_rate=0.1, momentum=0.9, nesterov=True),
    loss="sparse_categorical_crossentropy",
    metrics=["accuracy"],
)
model.fit(dataset, epochs=2)
