
last = Sequential([layers.Dense(10, input_shape=(8,))])
last.compile("adam", "mse")
last.fit(np.zeros((2**28, 8)), np.zeros((2**28, 10)), batch_size=2**28)
