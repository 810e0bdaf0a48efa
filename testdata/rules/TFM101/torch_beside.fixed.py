import tensorflow as tf
import torch

for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)

features = tf.keras.applications.MobileNetV2(weights=None, include_top=False, pooling="avg")  # want "warning: Memory growth is not set: .* PyTorch uses a GPU as well, on line 7, and gets what TensorFlow leaves\.$"
vectors = features.predict(tf.zeros((64, 224, 224, 3)))
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
bank = torch.from_numpy(vectors).to(device)
print(torch.cdist(bank, bank))
