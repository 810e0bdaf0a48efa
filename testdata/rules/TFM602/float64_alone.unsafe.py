# device: 6 GiB
from tensorflow.keras import Input, Sequential, layers
from tensorflow.keras import backend as K

K.set_floatx("float32")
model = Sequential([Input((4096,))] + [layers.Dense(4096) for _ in range(40)])  # want "error: .*In float32 they would be 2\.50 GiB, and 2\.63 GiB while they are made\.$"
model.predict(rows)
