# Batches that Keras's own generators hand out, by their place and by next.
import numpy as np
import pandas as pd
from tensorflow import data
from tensorflow.keras.preprocessing.image import ImageDataGenerator
from tensorflow.keras.preprocessing.sequence import TimeseriesGenerator
from elsewhere import series

rows = np.zeros((1000, 3))
a = TimeseriesGenerator(rows, rows, length=24)  # elements: 24x3 float64, 3 float64  # batch: 128
a = TimeseriesGenerator(rows, rows[:, 0], 24, sampling_rate=5, batch_size=16)  # elements: 5x3 float64, float64  # batch: 16
a = TimeseriesGenerator(rows, np.zeros((1000, 2)), length=900)  # elements: 900x3 float64, 2 float64  # batch: 100
a = TimeseriesGenerator(rows, rows, length=900, stride=10)  # elements: 900x3 float64, 3 float64  # batch: 10
a = TimeseriesGenerator(rows, rows, length=900, shuffle=True)  # elements: 900x3 float64, 3 float64  # batch: 128
a = TimeseriesGenerator(rows, rows, length=24, start_index=10, end_index=50)  # elements: 24x3 float64, 3 float64  # batch: 17
a = TimeseriesGenerator(series(), series(), length=24, batch_size=1)  # elements: ?  # batch: 1
a = TimeseriesGenerator(series().reshape(-1), series(), length=24, batch_size=1)  # elements: ?  # batch: 1
a = TimeseriesGenerator(rows, rows, length=series(), batch_size=1)  # elements: ?  # batch: 1
a = TimeseriesGenerator(rows, rows, length=0, batch_size=1)  # elements: ?  # batch: 1
a = TimeseriesGenerator(rows, rows, length=-5, stride=0, batch_size=1)  # elements: ?  # batch: 1
a = TimeseriesGenerator(rows, rows, 1 << 62, start_index=1 << 62, end_index=1 << 62, batch_size=2)  # elements: 4611686018427387904x3 float64, 3 float64  # batch: 2
a = TimeseriesGenerator(batch_size=3)  # elements: ?  # batch: 3
windows = TimeseriesGenerator(rows, rows, length=24, batch_size=9)
x, y = windows[0]
a = data.Dataset.from_tensor_slices(x)  # elements: 24x3 float64  # count: 9
images = ImageDataGenerator().flow_from_directory("d", target_size=(6, 5), batch_size=4, class_mode="binary")
x, y = next(images)
a = data.Dataset.from_tensor_slices(x)  # elements: 6x5x3 float32  # count: 4
x, y = images.__next__()
a = data.Dataset.from_tensor_slices(y)  # elements: float32  # count: 4
x, y = images[0]
a = data.Dataset.from_tensor_slices((x, y))  # elements: 6x5x3 float32, float32  # count: 4
