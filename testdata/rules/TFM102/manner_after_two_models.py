"""Two models under a strategy, and growth as an afterthought."""
import tensorflow as tf

strategy = tf.distribute.MirroredStrategy()
with strategy.scope():
    first, second = create_first(), create_second()
    optimizers = tf.keras.optimizers.Adam(), tf.keras.optimizers.Adam()

gpus = tf.config.list_physical_devices('GPU')
if gpus:
    try:
        # Memory growth needs to be the same across GPUs
        for gpu in gpus:
            tf.config.experimental.set_memory_growth(gpu, True)  # want "tf.distribute.MirroredStrategy\(\) on line 4 has already initialised the devices.*lost"
        logical_gpus = tf.config.list_logical_devices('GPU')
        print(len(gpus), "Physical GPUs,", len(logical_gpus), "Logical GPUs")
    except RuntimeError as e:
        print(e)
