# device: 4 GiB
# keras: 2.13
import tensorflow as tf

critic = tf.keras.applications.ResNet50(weights=None, input_shape=(128, 128, 3))
critic.compile("adam", "mse")
critic.trainable = False  # for the model below: the critic itself trains as it was compiled
noise = tf.keras.Input((8,))
made = tf.keras.layers.Reshape((128, 128, 3))(tf.keras.layers.Dense(128 * 128 * 3)(noise))
both = tf.keras.Model(noise, critic(made))
both.compile("adam", "mse")
critic.fit(x, y, batch_size=48)  # want "A batch of 256 will not fit the GPU\. Training needs about [\d.]+ GiB of GPU memory \([\d.]+ GiB to [\d.]+ GiB\): weights [\d.]+ [KMG]iB, .*activations [\d.]+ [MG]iB.* at the peak\. TensorFlow can use [\d.]+ GiB of a GPU of [\d.]+ GiB \(named by the case\)\. The largest batch that fits is 54\.$"
