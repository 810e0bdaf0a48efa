import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

def net(widths, name):
    return keras.Sequential([keras.Input((48, 48, 3))] + [
        l for w in widths for l in (layers.Conv2D(w, 3, padding="same"), layers.LeakyReLU(), layers.MaxPooling2D())
    ] + [layers.Flatten(), layers.Dense(100)], name=name)

class Distiller(keras.Model):
    def __init__(self, student, teacher):
        super().__init__()
        self.teacher = teacher
        self.student = student

    def compile(self, optimizer, metrics, student_loss_fn, distillation_loss_fn, alpha=0.1, temperature=3, **kw):
        super().compile(optimizer=optimizer, metrics=metrics, **kw)
        self.student_loss_fn = student_loss_fn
        self.distillation_loss_fn = distillation_loss_fn
        self.alpha = alpha
        self.temperature = temperature

    def call(self, x):
        return self.student(x)

    def train_step(self, data):
        x, y = data
        tp = self.teacher(x, training=False)
        with tf.GradientTape() as tape:
            sp = self.student(x, training=True)
            sl = self.student_loss_fn(y, sp)
            dl = self.distillation_loss_fn(tf.nn.softmax(tp / self.temperature, axis=1), tf.nn.softmax(sp / self.temperature, axis=1)) * self.temperature ** 2
            loss = self.alpha * sl + (1 - self.alpha) * dl
        tv = self.student.trainable_variables
        gradients = tape.gradient(loss, tv)
        self.optimizer.apply_gradients(zip(gradients, tv))
        return {"student_loss": sl, "distillation_loss": dl}

teacher = net((96, 192), "teacher")
student = net((16, 32), "student")
d = Distiller(student, teacher)
d.compile(keras.optimizers.Adam(), [keras.metrics.SparseCategoricalAccuracy()],
          keras.losses.SparseCategoricalCrossentropy(from_logits=True), keras.losses.KLDivergence(), alpha=0.1, temperature=10, jit_compile=False)
d.fit(np.random.rand(64, 48, 48, 3).astype("float32"), np.random.randint(0, 100, 64), batch_size=32, epochs=1)
