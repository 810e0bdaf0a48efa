import tensorflow as tf


class GeneratorTest(tf.test.TestCase):
    def testShape(self):
        self.assertEqual(model.predict(x).shape, (8, 1))


model = tf.keras.models.load_model("generator.keras")

if __name__ == "__main__":
    tf.test.main()
