import tensorflow as tf

size = 3
model = None


def train(n=1):
    model = tf.keras.Sequential([tf.keras.layers.Dense(n)])
    model.fit(x, y)
    return model


def guarded():
    model = tf.keras.Sequential([tf.keras.layers.Dense(units)])
    model.fit(x, y)


@retry
def decorated():
    tf.keras.Sequential([tf.keras.layers.Dense(1)]).fit(x, y)


def counts():
    global count
    count = 1
    train()


def reads_count():
    print(count)
    train()


def nothing():
    print("nothing")


train()  # <- here not "must be under"

if __name__ == "__main__":
    units = 3
    model = train()  # <- here not "only calls a function"
    guarded()  # <- here not "guarded reads units, which is set on line 41"
    decorated()  # <- here not "not call a plain function"
    reads_count()  # <- here not "reads count, which a function changes on line 25"
    nothing()  # <- here not "no model is known"
    train(load())  # <- here not "it is not known whether load\(\) can be passed to another process"
    train(*sizes)  # <- here not "not all written out"
    tf.print(1)  # <- here not "not call a plain function"
