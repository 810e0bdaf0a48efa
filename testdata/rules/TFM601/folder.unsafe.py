# device: 12 GiB
# Nobody reads the folder: with the fewest classes it is too large already, and what fits does
# so with the most.
import tensorflow as tf

train = tf.keras.utils.image_dataset_from_directory("photos", image_size=(224, 224), batch_size=152)  # want "A batch of 512 will not fit the GPU\. Training needs about 26\.2 GiB of GPU memory \(23\.1 GiB to 31\.9 GiB\): weights [\d.]+ [KMG]iB, .*activations [\d.]+ [MG]iB.* at the peak\. TensorFlow can use 9\.91 GiB of a GPU of 12 GiB \(named by the case\)\. The largest batch that fits is 154\.$"
base = tf.keras.applications.MobileNetV2(include_top=False, input_shape=(224, 224, 3), pooling="avg")
model = tf.keras.Sequential([base, tf.keras.layers.Dense(len(train.class_names))])
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(train, epochs=5)
