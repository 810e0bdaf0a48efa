# A person chooses in each iteration what runs.
import tensorflow as tf


def train():
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile("adam", "mse")
    model.fit(x, y)


while True:
    choice = input("1 to show, 2 to train, q to leave: ").strip()
    if choice == "q":
        break
    try:
        if int(choice) == 1:
            show()
        elif int(choice) == 2:
            train()
        else:
            print("1 or 2")
    except ValueError:
        print("a number")
