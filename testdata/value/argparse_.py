# argparse: the defaults, which the command line can change.
import argparse


def parse(argv=None):
    parser = argparse.ArgumentParser(description="Train", formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    parser.add_argument("--batch-size", "-b", type=int, default=32, help="size")
    parser.add_argument("-e", "--epochs", type=int, default="10")
    parser.add_argument("--lr", type=float, default=1e-3)
    parser.add_argument("--name", dest="run_name", default="run")
    parser.add_argument("--train", action="store_true")
    parser.add_argument("--no-cache", dest="cache", action="store_false")
    parser.add_argument("--mode", choices=["a", "b"], default="a")
    parser.add_argument("--layers", nargs="+", type=int, default=[64, 32])
    parser.add_argument("-v", action="count", default=0)
    parser.add_argument("--Seed", type=int)
    group = parser.add_argument_group("model")
    group.add_argument("--width", type=int, default=128)
    exclusive = parser.add_mutually_exclusive_group()
    exclusive.add_argument("--fast", action="store_true")
    parser.add_argument("data", nargs="?", default="data")
    parser.set_defaults(dropout=0.5)
    args, rest = parser.parse_known_args(argv)
    return args


args = parse()
a = args.batch_size  # value: 32 # lit: 32 # soft
b = args.epochs  # value: 10 # lit: "10" # soft
c = args.lr  # value: 0.001 # soft
d = args.run_name  # value: 'run' # soft
e = args.train, args.cache, args.fast  # value: (False, True, False)
f = args.layers  # value: [64, 32] # soft
g = args.layers[0]  # value: 64 # lit: 64 # soft
h = args.v, args.Seed, args.data  # value: (0, None, 'data')
i = args.width // 2  # value: 64 # soft # lit:
j = args.dropout  # value: 0.5 # soft
args.extra = 5
k = args.extra  # value: 5 # hard
if args.train:
    mode = "train"
else:
    mode = "test"
l = mode  # value: 'test' # soft
m = vars(args)["batch_size"]  # value: 32 # soft
n = getattr(args, "missing", 3)  # value: 3
o = parse([]).batch_size  # value: 32 # lit: 32 # hard
p = [32] * args.batch_size  # soft
q = f"{args.run_name}_{args.mode}"  # value: 'run_a' # soft
if args.batch_size > 16:
    same = 1
else:
    same = 1
r = same  # value: 1 # hard


def work(size):
    if size > 100:
        return "large"
    return "small"


s = work(args.batch_size)  # value: 'small' # soft
t = "x" if args.train else "y"  # value: 'y' # soft
