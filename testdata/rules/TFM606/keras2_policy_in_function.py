# keras: 2.13
# A function that leads to the step sets the policy, as does the constructor of its class.
import tensorflow as tf


def setup():
    tf.keras.mixed_precision.set_global_policy("mixed_float16")


def step(x, y):
    with tf.GradientTape() as tape:
        loss = loss_fn(y, model(x))
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))  # want "Nothing scales the loss under mixed_float16\."


def main():
    setup()
    strategy.run(step, args=next(data))


if __name__ == "__main__":
    main()
