# The types of results that depend on an argument, as TensorFlow 2.21 and Keras 3 have them.
import keras
import tensorflow as tf

ds = tf.data.Dataset.from_tensor_slices((tf.zeros([100, 28, 28, 3], tf.uint8), tf.zeros([100], tf.int32)))
a = ds.map(lambda x, y: tf.image.resize(x, (14, 14), method="nearest"))  # elements: 14x14x3 uint8
a = ds.map(lambda x, y: tf.image.resize(x, (14, 14), "nearest"))  # elements: 14x14x3 uint8
a = ds.map(lambda x, y: tf.image.resize(x, (14, 14), method=tf.image.ResizeMethod.NEAREST_NEIGHBOR))  # elements: 14x14x3 uint8
a = ds.map(lambda x, y: tf.image.resize(x, (14, 14), tf.image.ResizeMethod.BILINEAR))  # elements: 14x14x3 float32
a = ds.map(lambda x, y: tf.image.resize(x, (28, 28)))  # elements: 28x28x3 float32
a = ds.map(lambda x, y: tf.image.resize(x, (14, 14), method="area"))  # elements: 14x14x3 float32
a = ds.map(lambda x, y: tf.image.resize(x, (14, 14), method="bicubic"))  # elements: 14x14x3 float32
a = ds.map(lambda x, y: tf.image.resize_with_pad(x, 20, 20))  # elements: 20x20x3 float32
a = ds.map(lambda x, y: tf.image.resize_with_pad(x, 20, 20, method="nearest"))  # elements: 20x20x3 uint8
a = ds.map(lambda x, y: tf.image.resize_with_crop_or_pad(x, 20, 20))  # elements: 20x20x3 uint8
a = ds.map(lambda x, y: tf.image.convert_image_dtype(x, tf.float16))  # elements: 28x28x3 float16
a = ds.map(lambda x, y: tf.image.convert_image_dtype(x, dtype=tf.float32))  # elements: 28x28x3 float32
a = ds.map(lambda x, y: tf.zeros_like(x))  # elements: 28x28x3 uint8
a = ds.map(lambda x, y: tf.zeros_like(x, dtype=tf.float16))  # elements: 28x28x3 float16
a = ds.map(lambda x, y: tf.zeros_like(x, tf.float32))  # elements: 28x28x3 float32
a = ds.map(lambda x, y: tf.ones_like(x, dtype="float64"))  # elements: 28x28x3 float64
a = ds.map(lambda x, y: tf.argmax(x, -1))  # elements: 28x28 int64
a = ds.map(lambda x, y: tf.argmax(x, -1, output_type=tf.int32))  # elements: 28x28 int32
a = ds.map(lambda x, y: tf.argmax(x, -1, tf.int32))  # elements: 28x28 int32
a = ds.map(lambda x, y: tf.math.argmin(x, axis=-1, output_type=tf.int32))  # elements: 28x28 int32
a = ds.map(lambda x, y: tf.size(x, out_type=tf.int64))  # elements: int64
a = ds.map(lambda x, y: tf.one_hot(y, 10))  # elements: 10 float32
a = ds.map(lambda x, y: tf.one_hot(y, 10, dtype=tf.int32))  # elements: 10 int32
a = ds.map(lambda x, y: tf.one_hot(y, 10, on_value=1, off_value=0))  # elements: 10 int32
a = ds.map(lambda x, y: tf.one_hot(y, 10, True, False))  # elements: 10 bool
a = ds.map(lambda x, y: tf.one_hot(y, 10, dtype=tf.uint8))  # elements: 10 uint8
a = ds.map(lambda x, y: tf.one_hot(y, 10, 1.0, 0.0, -1, tf.float16))  # elements: 10 float16
a = ds.map(lambda x, y: tf.range(10))  # elements: 10 int32
a = ds.map(lambda x, y: tf.range(10, dtype=tf.float32))  # elements: 10 float32
a = ds.map(lambda x, y: tf.range(0.0, 10.0))  # elements: 10 float32
a = ds.map(lambda x, y: tf.range(10, dtype="int64"))  # elements: 10 int64
a = ds.map(lambda x, y: tf.ones([4], dtype="float16"))  # elements: 4 float16
a = ds.map(lambda x, y: tf.fill([4], 1))  # elements: 4 int32
a = ds.map(lambda x, y: tf.fill([4], 1.0))  # elements: 4 float32
a = ds.map(lambda x, y: tf.eye(4))  # elements: 4x4 float32
a = ds.map(lambda x, y: tf.eye(4, dtype=tf.float64))  # elements: 4x4 float64
a = ds.map(lambda x, y: tf.constant([1, 2, 3]))  # elements: 3 int32
a = ds.map(lambda x, y: tf.constant([1, 2, 3], tf.float32))  # elements: 3 float32
a = ds.map(lambda x, y: tf.constant([1.0, 2, 3]))  # elements: 3 float32
a = ds.map(lambda x, y: tf.convert_to_tensor([1, 2], dtype=tf.float64))  # elements: 2 float64
a = ds.map(lambda x, y: tf.convert_to_tensor([1, 2], tf.int64))  # elements: 2 int64
a = ds.map(lambda x, y: tf.random.uniform([4]))  # elements: 4 float32
a = ds.map(lambda x, y: tf.random.uniform([4], 0, 10, tf.int32))  # elements: 4 int32
a = ds.map(lambda x, y: tf.random.uniform([4], maxval=10, dtype=tf.int64))  # elements: 4 int64
a = ds.map(lambda x, y: tf.random.uniform([4], dtype=tf.float16))  # elements: 4 float16
a = ds.map(lambda x, y: tf.random.normal([4], dtype=tf.float64))  # elements: 4 float64
a = ds.map(lambda x, y: tf.random.normal([4], 0.0, 1.0, tf.float16))  # elements: 4 float16
a = ds.map(lambda x, y: tf.random.truncated_normal([4], dtype=tf.float16))  # elements: 4 float16
a = ds.map(lambda x, y: tf.random.categorical(tf.zeros([2, 5]), 3))  # elements: 2x3 int64
a = ds.map(lambda x, y: tf.random.categorical(tf.zeros([2, 5]), 3, dtype=tf.int32))  # elements: 2x3 int32
a = ds.map(lambda x, y: tf.linspace(0.0, 1.0, 5))  # elements: 5 float32
a = ds.map(lambda x, y: tf.sequence_mask(y, 10))  # elements: 10 bool
a = ds.map(lambda x, y: tf.sequence_mask(y, 10, dtype=tf.float32))  # elements: 10 float32
a = ds.map(lambda x, y: tf.sequence_mask(y, 10, tf.int32))  # elements: 10 int32
a = ds.map(lambda x, y: tf.math.count_nonzero(x))  # elements: int64
a = ds.map(lambda x, y: tf.math.count_nonzero(x, dtype=tf.int32))  # elements: int32
a = ds.map(lambda x, y: tf.math.count_nonzero(x, axis=-1, dtype=tf.int32))  # elements: 28x28 int32
a = ds.map(lambda x, y: tf.divide(x, 2))  # elements: 28x28x3 float32
a = ds.map(lambda x, y: x / 255)  # elements: 28x28x3 float32
a = ds.map(lambda x, y: tf.cast(x, tf.float32) / 255.0)  # elements: 28x28x3 float32
a = ds.map(lambda x, y: x // 2)  # elements: 28x28x3 uint8
a = ds.map(lambda x, y: tf.io.decode_png(tf.io.read_file("x"), 3))  # elements: ?x?x3 uint8
a = ds.map(lambda x, y: tf.io.decode_png(tf.io.read_file("x"), 3, tf.uint16))  # elements: ?x?x3 uint16
a = ds.map(lambda x, y: tf.io.decode_png(tf.io.read_file("x"), channels=3, dtype=tf.uint16))  # elements: ?x?x3 uint16
a = ds.map(lambda x, y: tf.io.decode_image(tf.io.read_file("x"), 3, expand_animations=False))  # elements: ?x?x3 uint8
a = ds.map(lambda x, y: tf.io.decode_image(tf.io.read_file("x"), 3, tf.float32, expand_animations=False))  # elements: ?x?x3 float32
a = ds.map(lambda x, y: tf.io.decode_image(tf.io.read_file("x"), channels=3, dtype=tf.float32, expand_animations=False))  # elements: ?x?x3 float32
a = ds.map(lambda x, y: tf.io.decode_jpeg(tf.io.read_file("x"), channels=3))  # elements: ?x?x3 uint8
a = ds.map(lambda x, y: tf.argsort(tf.zeros([7])))  # elements: 7 int32
a = ds.map(lambda x, y: keras.ops.image.resize(x, (14, 14)))  # elements: 14x14x3 uint8
a = ds.map(lambda x, y: keras.ops.image.resize(x, (14, 14), interpolation="nearest"))  # elements: 14x14x3 uint8
a = ds.map(lambda x, y: keras.ops.one_hot(y, 10))  # elements: 10 float32
a = ds.map(lambda x, y: keras.ops.one_hot(y, 10, dtype="int32"))  # elements: 10 int32
a = ds.map(lambda x, y: keras.ops.arange(10))  # elements: 10 int32
a = ds.map(lambda x, y: keras.ops.arange(10.0))  # elements: 10 float32
a = ds.map(lambda x, y: keras.ops.ones([4], dtype="int32"))  # elements: 4 int32
a = ds.map(lambda x, y: keras.ops.full([4], 1, dtype="float16"))  # elements: 4 float16
a = ds.map(lambda x, y: keras.ops.zeros_like(x))  # elements: 28x28x3 uint8
a = ds.map(lambda x, y: keras.ops.argmax(x, axis=-1))  # elements: 28x28 int32
a = ds.map(lambda x, y: keras.ops.eye(4))  # elements: 4x4 float32
a = ds.map(lambda x, y: keras.ops.eye(4, dtype="int32"))  # elements: 4x4 int32
a = ds.map(lambda x, y: keras.ops.linspace(0, 1, 5))  # elements: 5 float32
a = ds.map(lambda x, y: keras.random.uniform([4]))  # elements: 4 float32
a = ds.map(lambda x, y: keras.random.normal([4], dtype="float16"))  # elements: 4 float16
a = ds.map(lambda x, y: keras.random.randint([4], 0, 5))  # elements: 4 int32
a = ds.map(lambda x, y: tf.math.divide_no_nan(tf.cast(x, tf.float32), 2.0))  # elements: 28x28x3 float32
a = ds.map(lambda x, y: tf.truediv(x, x))  # elements: 28x28x3 float32
a = ds.map(lambda x, y: tf.signal.stft(tf.zeros([16000]), 256, 128))  # elements: 124x129 complex64
a = ds.map(lambda x, y: tf.abs(tf.signal.stft(tf.zeros([16000]), 256, 128)))  # elements: 124x129 float32
