# device: 8 GiB
from tensorflow import keras


def build():
    return keras.Sequential([keras.layers.Input((40000,)), keras.layers.Dense(8192), keras.layers.Dense(1)])


if __name__ == "__main__":
    teacher = build()
    teacher.compile(keras.optimizers.Adam(), "mse")
    teacher.fit(x, y, epochs=3)
    student = build()
    student.compile(keras.optimizers.Adam(), "mse")
    student.fit(x, teacher.predict(x))  # want "teacher keeps 3\.66 GiB, student keeps 3\.66 GiB"
