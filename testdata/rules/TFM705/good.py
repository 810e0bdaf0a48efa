import tensorflow as tf

strategy = tf.distribute.MirroredStrategy()
with strategy.scope():
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile("sgd", "mse")


class Trainer:
    def fit(self, x):
        for batch in x:
            strategy.run(train_step, args=(batch,))


def make():
    return strategy.experimental_distribute_dataset(dataset)


dataset = tf.data.Dataset.range(100).batch(10)
distributed = strategy.experimental_distribute_dataset(dataset)
model.fit(dataset)
model.fit(distributed, steps_per_epoch=10)
model.fit(dataset, validation_data=distributed, validation_steps=3)
model.fit(distributed, None, None, 1, 1, None, 0.0, None, True, None, None, 0, 10)
model.evaluate(distributed, steps=4)
model.predict(distributed, None, 0, 4)
model.fit(distributed, **options)
model.fit(*arguments)
model.fit(other(distributed))
Trainer().fit(distributed)
unknown_trainer.fit(distributed)
sklearn_model.fit(strategy.experimental_distribute_dataset(dataset))
for batch in make():
    strategy.run(train_step, args=(batch,))
either = distributed if custom_loop else dataset
model.fit(either)
model.fit(
