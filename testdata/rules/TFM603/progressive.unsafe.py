# device: 8 GiB
import tensorflow as tf

tf.keras.mixed_precision.set_global_policy("mixed_float16")

base = tf.keras.applications.EfficientNetB0(include_top=False, input_shape=(224, 224, 3), pooling="avg")
model = tf.keras.Sequential([base, tf.keras.layers.Dense(5, activation="softmax", dtype="float32")])
data = tf.keras.utils.image_dataset_from_directory("d", image_size=(224, 224), batch_size=128)
for n in (0, 50, len(base.layers)):
    for i, layer in enumerate(reversed(base.layers)):
        layer.trainable = i < n
    model.compile("adam", "sparse_categorical_crossentropy")
    model.fit(data)  # want "it needs about 6\.\d* GiB, .* it would need about 3\.\d* GiB"
