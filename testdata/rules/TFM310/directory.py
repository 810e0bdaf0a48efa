import tensorflow as tf

BATCH = 32
train, valid = tf.keras.utils.image_dataset_from_directory(
    "flowers", image_size=(180, 180), batch_size=BATCH, validation_split=0.2, subset="both", seed=7)


def prepare(ds, augment=False):
    ds = ds.map(lambda x, y: (x / 255.0, y))
    ds = ds.shuffle(1000).batch(BATCH)  # want "warning: The dataset is batched twice: fit\(\) gets batches of batches\. image_dataset_from_directory\(\) on line 4 makes the first\. Each example then has the shape \(32, 180, 180, 3\), and the model's input is \(180, 180, 3\)\. Batch once\.$"
    return ds.prefetch(tf.data.AUTOTUNE)


model = tf.keras.Sequential([
    tf.keras.layers.Input((180, 180, 3)),
    tf.keras.layers.Conv2D(16, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(5),
])
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(prepare(train, augment=True), epochs=5)
