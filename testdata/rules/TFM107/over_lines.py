import tensorflow as tf

gpus = (tf.config  # want "old name"
        .experimental  # was here before 2.1
        .list_physical_devices("GPU"))
for g in f"{tf.config.experimental.list_physical_devices('GPU')}": print(g)  # want "old name"
