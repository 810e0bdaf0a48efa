import torch
from tensorflow import keras
import tensorflow as tf

for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)


class Detector(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(8, 2)


detector = Detector().cuda()
classifier = keras.models.load_model("classifier.keras")  # want "warning: .*PyTorch uses a GPU as well, on line 11, and gets what TensorFlow leaves\."
crops = torch.zeros(16, 8, device="cuda:0")
classifier.predict(detector(crops).detach().cpu().numpy())
