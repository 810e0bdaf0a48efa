# The window of the script runs at once.
import tkinter

import tensorflow as tf


class Window(tkinter.Tk):
    def __init__(self):
        super().__init__()
        self.model = tf.keras.models.load_model("classifier.keras")  # want "Memory growth is not set"


Window().mainloop()
