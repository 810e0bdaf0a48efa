import time

import numpy as np
import keras


class Frames(keras.utils.PyDataset):
    def __len__(self):
        return 60

    def __getitem__(self, index):
        return np.ones((16, 256, 256, 2), "float32"), np.zeros((16, 1), "float32")


model = keras.Sequential([keras.Input((256, 256, 2)), keras.layers.GlobalAveragePooling2D(), keras.layers.Dense(1)])
model.compile("sgd", "mse")
wait = keras.callbacks.LambdaCallback(on_train_batch_end=lambda batch, logs: time.sleep(0.2))
model.fit(Frames(workers=2, use_multiprocessing=True, max_queue_size=24), epochs=1, verbose=0, callbacks=[wait])
