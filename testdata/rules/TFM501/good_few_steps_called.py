# Two steps, in a function that is called once.
import tensorflow as tf


def step(model, optimizer, x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(x))
    optimizer.apply_gradients(zip(tape.gradient(loss, model.weights), model.weights))


def train(model, optimizer, batches):
    for _ in range(2):
        step(model, optimizer, next(batches))


def main():
    train(tf.keras.Sequential([tf.keras.layers.Dense(1)]), tf.keras.optimizers.Adam(), iter(data))


if __name__ == "__main__":
    main()
