# device: 8 GiB
# keras: 2.13
import tensorflow as tf

model = tf.keras.applications.ResNet50(weights=None)
model.compile("adam", loss="sparse_categorical_crossentropy")


def in_parts(data):
    return {"loss": own(data)}


model.train_step = in_parts
model.fit(tf.zeros((768, 224, 224, 3)), tf.zeros((768,)), batch_size=384)
