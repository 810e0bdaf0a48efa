import tensorflow as tf
from tensorflow.keras import Model, Input, layers, regularizers

WD = 5e-4
CFG = [(2, 32, 1), (2, 64, 2), (2, 128, 2)]


def conv_bn(x, f, k, s=1, act=True):
    x = layers.Conv2D(f, k, strides=s, padding="same", use_bias=False, kernel_initializer="he_normal",
                      kernel_regularizer=regularizers.l2(WD))(x)
    x = layers.BatchNormalization(momentum=0.9)(x)
    return layers.ReLU()(x) if act else x


def se(x, ratio=8):
    c = x.shape[-1]
    s = layers.GlobalAveragePooling2D(keepdims=True)(x)
    s = layers.Dense(c // ratio, activation="relu", kernel_initializer="he_normal", use_bias=False)(s)
    s = layers.Dense(c, activation="sigmoid", use_bias=False)(s)
    return layers.Multiply()([x, s])


def block(x, f, s):
    shortcut = x
    y = conv_bn(x, f, 3, s)
    y = conv_bn(y, f, 3, act=False)
    y = se(y)
    if s != 1 or shortcut.shape[-1] != f:
        shortcut = conv_bn(shortcut, f, 1, s, act=False)
    return layers.ReLU()(layers.Add()([y, shortcut]))


inp = Input(shape=(48, 48, 3))
x = conv_bn(inp, 32, 3)
for n, f, s in CFG:
    for i in range(n):
        x = block(x, f, s if i == 0 else 1)
x = layers.GlobalAveragePooling2D()(x)
out = layers.Dense(10, activation="softmax", kernel_regularizer=regularizers.l2(WD))(x)
model = Model(inp, out)
model.compile(optimizer=tf.keras.optimizers.SGD(learning_rate=0.1, momentum=0.9), loss="categorical_crossentropy",
              metrics=["accuracy", tf.keras.metrics.AUC()])
images = tf.random.normal((128, 48, 48, 3))
labels = tf.one_hot(tf.random.uniform((128,), 0, 10, tf.int32), 10)
model.fit(images, labels, batch_size=32, epochs=1, callbacks=[tf.keras.callbacks.ReduceLROnPlateau(monitor="loss")])
