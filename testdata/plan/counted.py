# device: 8 GiB
# keras: 3.15
# What counts batches counts more of them, or stands for other examples.
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers


def load(batch):
    data = keras.utils.image_dataset_from_directory("train", image_size=(224, 224), batch_size=None)
    return data.shuffle(1000).repeat().batch(batch).prefetch(tf.data.AUTOTUNE)


def smooth(y, predicted):
    return keras.losses.sparse_categorical_crossentropy(y, predicted, from_logits=True) * 0.9


model = keras.Sequential([
    layers.Input((224, 224, 3)),
    layers.Conv2D(64, 3),
    layers.BatchNormalization(),
    layers.ReLU(),
    layers.MaxPooling2D(),
    layers.Conv2D(128, 3, activation="relu"),
    layers.GlobalAveragePooling2D(),
    layers.Dense(10),
])
model.compile(optimizer=keras.optimizers.RMSprop(learning_rate=1e-3), loss=[smooth])
model.fit(load(batch=128), steps_per_epoch=100, epochs=20)
