# A progress bar at any place around the dataset.
import tensorflow as tf
from tqdm import tqdm
import tqdm.auto as bars

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
a = tf.data.Dataset.from_tensor_slices((x, y)).map(parse, num_parallel_calls=tf.data.AUTOTUNE).batch(8)
for step, (x, y) in tqdm(enumerate(a), desc="steps"):  # want "does not prefetch"
    with tf.GradientTape() as tape:
        loss = loss_of(y, model(x))
b = tf.data.Dataset.from_tensor_slices((x, y)).batch(8)
for step, (x, y) in enumerate(tqdm(b)):  # want "does not prefetch"
    with tf.GradientTape() as tape:
        loss = loss_of(y, model(x))
c = tf.data.Dataset.from_tensor_slices((x, y)).batch(16)
bar = bars.tqdm(iterable=c, total=10)  # want "does not prefetch"
for x, y in bar:
    with tf.GradientTape() as tape:
        loss = loss_of(y, model(x))
