# The command line, an object's attributes, and a text that is not the program's.
# args: --batch-size 64 --name secret
# want: main args Namespace(batch_size=64, optimizer=adam)
# want: Trainer self.n 128
# want: Trainer.run fit ([64, 12] float32, [64, 1] float32) 6
# want: Trainer.run x [384, 12] float32

import argparse, tensorflow as tf
def parse():
    p = argparse.ArgumentParser()
    p.add_argument("--batch-size", type=int, default=32)
    p.add_argument("--optimizer", default="adam")
    p.add_argument("--name", default="x")
    return p.parse_args()
class Trainer:
    def __init__(self, args):
        self.args = args
        self.n = args.batch_size * 2
    def run(self):
        x = tf.zeros((self.n * 3, 12)); y = tf.zeros((self.n * 3, 1))
        model = tf.keras.Sequential([tf.keras.Input((12,)), tf.keras.layers.Dense(self.n), tf.keras.layers.Dense(1)])
        model.compile(self.args.optimizer, "mse")
        model.fit(x, y, batch_size=self.args.batch_size, verbose=2)
def main():
    args = parse()
    Trainer(args).run()
if __name__ == "__main__":
    main()
    print("after")
