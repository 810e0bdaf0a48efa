# A method, or the program, makes the optimizer or the model anew, while the step stays the same.
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])


class PerEpoch:
    def __init__(self):
        self.optimizer = tf.keras.optimizers.Adam()

    def step(self, x):  # want "step runs eagerly in every iteration of the loop on line 19\. Make a tf\.function of it for each optimizer"
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(model(x))
        self.optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))

    def train(self, dataset):
        for epoch in range(20):
            self.optimizer = tf.keras.optimizers.Adam(0.1 / (epoch + 1))
            for x in dataset:
                self.step(x)


class PerFold:
    def __init__(self):
        self.build()

    def build(self):
        self.model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        self.optimizer = tf.keras.optimizers.Adam()

    def step(self, x):  # want "step runs eagerly in every iteration of the loop on line 39\. Make a tf\.function of it for each optimizer"
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(self.model(x))
        self.optimizer.apply_gradients(zip(tape.gradient(loss, self.model.trainable_variables), self.model.trainable_variables))

    def train(self, dataset):
        for fold in range(20):
            self.build()
            for x in dataset:
                self.step(x)


class Once:
    def __init__(self):
        self.build()

    def build(self):
        self.model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        self.optimizer = tf.keras.optimizers.Adam()

    @tf.function
    def step(self, x):  # want "step runs eagerly in every iteration of the loop on line 58\. Under @tf\.function it is compiled once"
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(self.model(x))
        self.optimizer.apply_gradients(zip(tape.gradient(loss, self.model.trainable_variables), self.model.trainable_variables))

    def train(self, dataset):
        for epoch in range(20):
            for x in dataset:
                self.step(x)


def fresh(x):  # want "fresh runs eagerly in every iteration of the loop on line 69\. fresh makes variables in each call, such as an optimizer's, which a tf\.function may do in its first call only\. Make them once, before the loop, and compile it\.$"
    optimizer = tf.keras.optimizers.Adam()
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(x))
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))


for x in dataset:
    fresh(x)


class Net(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = tf.keras.layers.Dense(1)

    def call(self, x):
        return self.dense(x)


def again(net, x, optimizer):  # want "again runs eagerly in every iteration of the loop on line 92\. Make a tf\.function of it for each optimizer"
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(net(x))
    optimizer.apply_gradients(zip(tape.gradient(loss, net.trainable_variables), net.trainable_variables))


adam = tf.keras.optimizers.Adam()


def run(net):
    for x in dataset:
        again(net, x, adam)


run(Net())
adam = tf.keras.optimizers.Adam(0.01)
run(Net())
layer = tf.Variable(1.0)


def measured(metric, x):  # want "measured runs eagerly in every iteration of the loop on line 111\. Make a tf\.function of it for each metric that the program passes: each one needs a trace, and only the first trace may make variables\.$"
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(x))
    metric.update_state(loss)
    layer.assign_sub(tape.gradient(loss, layer))


def epochs():
    metric = tf.keras.metrics.Mean()
    for x in dataset:
        measured(metric, x)


for epoch in range(10):
    epochs()


class Adversarial:
    def __init__(self):
        self.optimizer = tf.keras.optimizers.Adam()

    def step(self, x, train=False):  # want "step runs eagerly in every iteration of the loop on line 132\. Make the optimizer's variables before \(in Keras by optimizer\.build\(variables\)\): the step applies gradients under a condition"
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(model(x))
        if train:
            self.optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
        return loss


adversarial = Adversarial()
for x in dataset:
    adversarial.step(x, train=False)
    adversarial.step(x, train=True)


for task in tasks:
    head = tf.keras.layers.Dense(5)
    for step in range(100):
        with tf.GradientTape() as tape:  # want "Move it into a function with @tf\.function, one for each head, whose variables only the first trace may make, which is compiled once"
            loss = tf.reduce_mean(head(task))
        adam.apply_gradients(zip(tape.gradient(loss, head.trainable_variables), head.trainable_variables))
