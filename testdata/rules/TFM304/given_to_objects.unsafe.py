# Objects are given the model and the data.
import tensorflow as tf

(x_train, y_train), (x_test, y_test) = tf.keras.datasets.cifar10.load_data()
model = tf.keras.applications.ResNet50(weights=None, classes=10, input_shape=(32, 32, 3))
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(x_train, y_train)


class Judge:
    def __init__(self, model, x):
        self.model = model
        self.x = x
        self.scale = float

    def scores(self):
        return self.model.predict(self.x)  # want "all 10000 examples as one batch"

    def few(self):
        return self.model(self.x[:10]), self.scale(3)

    def of(self, x):
        return tf.argmax(self.model.predict(x), axis=1)  # want "all 10000 examples as one batch"


judge = Judge(model, x_test)
judge.scores()
judge.few()
judge.of(x_test)
