# no python: its arguments must be given
import argparse
parser = argparse.ArgumentParser()
parser.add_argument("path")
parser.add_argument("--must", required=True, type=int)
parser.add_argument("--size", type=int, default=4)
sub = parser.add_subparsers(dest="command")
train = sub.add_parser("train")
train.add_argument("--epochs", type=int, default=3)
test = sub.add_parser("test")
test.add_argument("--epochs", type=int, default=5)
args = parser.parse_args()
a = args.path  # unknown: the argument path of the command line
b = args.must  # unknown: the argument must of the command line, which must be given
c = args.size  # value: 4 # soft
d = args.command  # unknown: the command that is chosen
e = args.epochs  # unknown: the command that is chosen is not known
given = parser.parse_args(["x", "--size", "9"])
f = given.size  # value: 9 # hard
g = args.nothing  # unknown: AttributeError
