import numpy as np
import tensorflow.keras as K
import tensorflow.keras.layers as L


class Inception(L.Layer):
    def __init__(self, c1, c2, c3, c4, **kw):
        super(Inception, self).__init__(**kw)
        self.p1_1 = L.Conv2D(c1, 1, activation="relu")
        self.p2_1 = L.Conv2D(c2[0], 1, activation="relu")
        self.p2_2 = L.Conv2D(c2[1], 3, padding="same", activation="relu")
        self.p3_1 = L.Conv2D(c3[0], 1, activation="relu")
        self.p3_2 = L.Conv2D(c3[1], 5, padding="same", activation="relu")
        self.p4_1 = L.MaxPool2D(3, 1, padding="same")
        self.p4_2 = L.Conv2D(c4, 1, activation="relu")

    def call(self, x):
        p1 = self.p1_1(x)
        p2 = self.p2_2(self.p2_1(x))
        p3 = self.p3_2(self.p3_1(x))
        p4 = self.p4_2(self.p4_1(x))
        return L.Concatenate()([p1, p2, p3, p4])


net = K.Sequential()
net.add(K.Input((112, 112, 3)))
net.add(L.Conv2D(32, 7, strides=2, padding="same", activation="relu"))
net.add(L.MaxPool2D(3, strides=2, padding="same"))
net.add(L.Conv2D(64, 1, activation="relu"))
net.add(L.Conv2D(96, 3, padding="same", activation="relu"))
net.add(L.MaxPool2D(3, strides=2, padding="same"))
for spec in [(32, (48, 64), (8, 16), 16), (64, (64, 96), (16, 48), 32)]:
    net.add(Inception(*spec))
net.add(L.MaxPool2D(pool_size=3, strides=2, padding="same"))
net.add(Inception(96, (48, 104), (8, 24), 32))
net.add(L.GlobalAvgPool2D())
net.add(L.Dropout(0.4))
net.add(L.Dense(50))
net.compile(K.optimizers.Ftrl(0.01), K.losses.SparseCategoricalCrossentropy(from_logits=True), metrics=["accuracy"])
xs = np.random.rand(96, 112, 112, 3).astype(np.float32)
ys = np.random.randint(50, size=96)
net.fit(xs, ys, 16, 1)
