# job: --gres=gpu:a100:1
import numpy as np
from tensorflow import keras

model = keras.Sequential([keras.Input((784,)), keras.layers.Dense(512, "relu"), keras.layers.Dense(10)])
model.compile("adam", keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(np.zeros((60000, 784), "float32"), np.zeros(60000), batch_size=128)  # want "information: A job asks for a GPU with \d+ times the memory that the program needs\. TensorFlow can use 37\.\d GiB of NVIDIA A100-SXM4-40GB \(asked for by .*job\.sh:1\); training on batches of 128 needs about .* MiB \(.*\)\. A smaller GPU, or an instance of one \(MIG\), would do, and is often free sooner\.$"
