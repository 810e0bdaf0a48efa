import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
print(model)  # <- here not "no model is known to be trained or used here"
for name in names:  # <- here not "no model is known"
    print(name)


def train(x):
    model.fit(x); print(x)  # <- here not "shares its line"
    return model.fit(x)  # <- here not "nothing runs after it"


@tf.function
def evaluate(xs):
    for x in xs:  # <- here not "in a graph"
        model.predict(x)


def other(model, x):
    model.fit(x)  # <- here not "no model is known"
