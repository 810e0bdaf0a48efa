import tensorflow as tf

frames = tf.keras.utils.image_dataset_from_directory("frames", labels=None, image_size=(64, 64), batch_size=16, shuffle=False)
clips = frames.batch(4).map(lambda clip: (clip, clip))
coder = tf.keras.Sequential([tf.keras.layers.Input((16, 64, 64, 3)), tf.keras.layers.ConvLSTM2D(3, 3, padding="same", return_sequences=True)])
coder.compile("adam", "mse")
coder.fit(clips)
