# The window of the script runs at once.
import tkinter

import tensorflow as tf

for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)


class Window(tkinter.Tk):
    def __init__(self):
        super().__init__()
        self.model = tf.keras.models.load_model("classifier.keras")  # want "Memory growth is not set"


Window().mainloop()
