import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(1)
gpu = 'not a GPU'
model = tf.keras.Sequential([tf.keras.Input((8,)), tf.keras.layers.Dense(1)])
model.compile(optimizer='adam', loss='mse')
for logical_gpu in tf.config.list_logical_devices('GPU'):
    tf.config.experimental.reset_memory_stats(logical_gpu.name)
history = model.fit(np.ones((64, 8), 'float32'), np.ones((64, 1), 'float32'), verbose=0)  # <- here
for logical_gpu in tf.config.list_logical_devices('GPU'):
    peak = tf.config.experimental.get_memory_info(logical_gpu.name)['peak']
    print(f'{logical_gpu.name}: at most {peak / 2**20:.0f} MiB')
