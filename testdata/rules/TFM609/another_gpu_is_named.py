# job: -G v100:2 --mem=200G
# device: 40 GiB
import numpy as np
from tensorflow import keras

model = keras.applications.ResNet50(weights=None)
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(np.zeros((1000, 224, 224, 3), "float32"), np.zeros(1000), batch_size=256)  # want "information: The GPU that a job asks for cannot hold what the program needs\. TensorFlow can use 14\.\d GiB of Tesla V100-SXM2-16GB \(asked for by .*job\.sh:1\); training on batches of 256 needs about 19\.\d GiB .* Ask for a larger one, or train on batches of at most 14\d\.$"
