import numpy as np
import keras
from keras import layers

keras.mixed_precision.set_global_policy("mixed_float16")


class Bottleneck(layers.Layer):
    expansion = 4

    def __init__(self, planes, stride=1, downsample=False, **kwargs):
        super().__init__(**kwargs)
        self.conv1 = layers.Conv2D(planes, 1, use_bias=False)
        self.bn1 = layers.BatchNormalization()
        self.conv2 = layers.Conv2D(planes, 3, strides=stride, padding="same", use_bias=False)
        self.bn2 = layers.BatchNormalization()
        self.conv3 = layers.Conv2D(planes * self.expansion, 1, use_bias=False)
        self.bn3 = layers.BatchNormalization()
        self.relu = layers.ReLU()
        if downsample:
            self.shortcut = keras.Sequential([
                layers.Conv2D(planes * self.expansion, 1, strides=stride, use_bias=False),
                layers.BatchNormalization(),
            ])
        else:
            self.shortcut = lambda x, training=None: x

    def call(self, x, training=None):
        identity = self.shortcut(x, training=training)
        x = self.relu(self.bn1(self.conv1(x), training=training))
        x = self.relu(self.bn2(self.conv2(x), training=training))
        x = self.bn3(self.conv3(x), training=training)
        return self.relu(x + identity)


class ResNet(keras.Model):
    def __init__(self, layout, num_classes, **kwargs):
        super().__init__(**kwargs)
        self.stem = keras.Sequential([
            layers.Conv2D(32, 3, padding="same", use_bias=False), layers.BatchNormalization(), layers.ReLU()])
        self.stages = []
        for i, n in enumerate(layout):
            stage = keras.Sequential(name=f"stage{i}")
            for j in range(n):
                stage.add(Bottleneck(16 * 2 ** i, stride=2 if j == 0 and i > 0 else 1, downsample=j == 0))
            self.stages.append(stage)
        self.pool = layers.GlobalAveragePooling2D()
        self.fc = layers.Dense(num_classes)
        self.probs = layers.Activation("softmax", dtype="float32")

    def call(self, x, training=None):
        x = self.stem(x, training=training)
        for stage in self.stages:
            x = stage(x, training=training)
        return self.probs(self.fc(self.pool(x)))


model = ResNet([1, 2, 1], 10)
model.compile(optimizer=keras.optimizers.SGD(0.1, momentum=0.9), loss="sparse_categorical_crossentropy", metrics=["accuracy"])
x = np.random.rand(64, 32, 32, 3).astype("float32")
y = np.random.randint(0, 10, 64)
model.fit(x, y, batch_size=16, epochs=1)
