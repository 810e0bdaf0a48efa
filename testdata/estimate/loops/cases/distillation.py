"""Knowledge distillation: a big frozen teacher, a small student; train_step."""
import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers


class Distiller(keras.Model):
    def __init__(self, student, teacher):
        super().__init__()
        self.teacher = teacher
        self.student = student

    def compile(self, optimizer, metrics, student_loss_fn, distillation_loss_fn, alpha=0.1, temperature=3):
        super().compile(optimizer=optimizer, metrics=metrics)
        self.student_loss_fn = student_loss_fn
        self.distillation_loss_fn = distillation_loss_fn
        self.alpha = alpha
        self.temperature = temperature

    def call(self, x, training=False):
        return self.student(x, training=training)

    def train_step(self, data):
        x, y = data
        teacher_predictions = self.teacher(x, training=False)
        with tf.GradientTape() as tape:
            student_predictions = self.student(x, training=True)
            student_loss = self.student_loss_fn(y, student_predictions)
            distillation_loss = (
                self.distillation_loss_fn(
                    tf.nn.softmax(teacher_predictions / self.temperature, axis=1),
                    tf.nn.softmax(student_predictions / self.temperature, axis=1),
                )
                * self.temperature ** 2
            )
            loss = self.alpha * student_loss + (1 - self.alpha) * distillation_loss
        trainable_vars = self.student.trainable_variables
        gradients = tape.gradient(loss, trainable_vars)
        self.optimizer.apply_gradients(zip(gradients, trainable_vars))
        return {"loss": loss, "student_loss": student_loss}


def make(widths, name):
    stack = [keras.Input(shape=(56, 56, 1))]
    for w in widths:
        stack += [layers.Conv2D(w, (3, 3), strides=(2, 2), padding="same"), layers.LeakyReLU(0.2),
                  layers.MaxPooling2D(pool_size=(2, 2), strides=(1, 1), padding="same")]
    stack += [layers.Flatten(), layers.Dense(10)]
    return keras.Sequential(stack, name=name)


teacher = make([256, 512], "teacher")
student = make([64, 96], "student")
distiller = Distiller(student=student, teacher=teacher)
distiller.compile(
    optimizer=keras.optimizers.Adam(),
    metrics=[keras.metrics.SparseCategoricalAccuracy()],
    student_loss_fn=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
    distillation_loss_fn=keras.losses.KLDivergence(),
    alpha=0.1,
    temperature=10,
)
x = np.random.rand(128, 56, 56, 1).astype("float32")
y = np.random.randint(0, 10, 128)
distiller.fit(x, y, epochs=1, batch_size=32)
