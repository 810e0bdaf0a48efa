# Built, compiled and trained in functions.
from tensorflow import keras


def build(units):
    inputs = keras.Input((4000,))
    x = keras.layers.Dense(units)(inputs)
    model = keras.Model(inputs, x)
    model.compile("adam", "mse")
    return model


def evaluate(units):
    model = build(units)
    history = model.fit(data, epochs=2)
    return history.history["loss"][-1]


class Trainer:
    def __init__(self):
        self.model = build(8)

    def again(self, units):
        self.model = build(units)
        self.model.fit(data)


def main():
    losses = []
    for units in [8, 16, 32, 64]:
        losses.append(evaluate(units))  # want "loop on line 30"
    for repeat in range(10):
        model = build(8)  # want "loop on line 32"
        model.fit(data)
        model.save(f"model{repeat}.keras")
    while not done():
        trainer = Trainer()  # want "loop on line 36"
        trainer.model.fit(data)
    trainer = Trainer()
    for repeat in range(10):
        trainer.again(8)  # want "loop on line 40 .* self\.model on line 24 still has the earlier model when an iteration begins"


if __name__ == "__main__":
    main()
