# ram: 5 GiB
import tensorflow as tf

SIZE = (512, 512)
photos = tf.keras.utils.image_dataset_from_directory("photos", image_size=SIZE, batch_size=64)
photos = photos.shuffle(1000).prefetch(1)  # want "information: This shuffle buffer takes 188 GiB of host memory\. It holds 1000 batches of 64 of 192 MiB each, if the dataset is as long\. Shuffle before the examples are decoded or batched, or use a smaller buffer\.$"
single = tf.keras.utils.image_dataset_from_directory("photos", image_size=SIZE, batch_size=None).shuffle(buffer_size=2000)  # want "This shuffle buffer takes 5\.86 GiB of host memory\. It holds 2000 elements of 3\.00 MiB each, if the dataset is as long\. Shuffle before the examples are decoded or batched, or use a smaller buffer\.$"
open_ended = tf.keras.utils.image_dataset_from_directory("photos", image_size=SIZE, batch_size=None).shuffle(1600)
