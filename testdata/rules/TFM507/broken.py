import keras

model = keras.Sequential([keras.layers.Dense(1)])
model.compile("adam", "mse", run_eagerly=True)  # want "run_eagerly=True"
if True: model.run_eagerly = True
for i in range(3): model.run_eagerly = True  # want "model.run_eagerly = True"
model.fit(x, y)
model.compile("adam", run_eagerly=
