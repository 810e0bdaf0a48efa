import tensorflow as tf

SIZE = (512, 512)
photos = tf.keras.utils.image_dataset_from_directory("photos", image_size=SIZE, batch_size=64)
photos = photos.shuffle(1000).prefetch(1)  # want "information: This buffer takes 1000 batches of 64 of 192 MiB each, 188 GiB of host memory, if the dataset is as long: shuffle before the examples are decoded or batched, or take a smaller buffer\."
single = tf.keras.utils.image_dataset_from_directory("photos", image_size=SIZE, batch_size=None).shuffle(buffer_size=2000)  # want "takes 2000 elements of 3.00 MiB each, 5.86 GiB"
