# Where values come from: the literal stays with the value, and is lost where it is computed.
import os
BATCH = 32  # value: 32 # lit: 32
alias = BATCH  # value: 32 # lit: 32
twice = BATCH * 2  # value: 64 # lit:
neg = -5  # value: -5 # lit:
pair = (8, "x")
first = pair[0]  # value: 8 # lit: 8
second = pair[1]  # value: 'x' # lit: "x"
table = {"batch": 0x10, "nested": {"size": 1_000}}
from_dict = table["batch"]  # value: 16 # lit: 0x10
nested = table["nested"]["size"]  # value: 1000 # lit: 1_000


def build(batch=64, *rest, **options):
    return batch, rest, options


default = build()[0]  # value: 64 # lit: 64
passed = build(7)[0]  # value: 7 # lit: 7
star = build(1, 2.5)[1][0]  # value: 2.5 # lit: 2.5
keyword = build(size=9)[2]["size"]  # value: 9 # lit: 9


class Config:
    size = 128

    def __init__(self, depth=3):
        self.depth = depth


attribute = Config.size  # value: 128 # lit: 128
own = Config().depth  # value: 3 # lit: 3
unpacked, _ = 5, 6  # value unpacked: 5 # lit unpacked: 5
looped = [n for n in [4, 5]][1]  # value: 5 # lit: 5
chosen = 10 if alias > 3 else 20  # value: 10 # lit: 10
fallback = None or 12  # value: 12 # lit: 12
as_int = int(3.0)  # value: 3 # lit: 3.0
text = int("48")  # value: 48 # lit: "48"
smaller = min(BATCH, 100)  # value: 32 # lit:
environment = int(os.environ.get("TFMEM_TEST_BATCH", "24"))  # value: 24 # lit: "24" # soft
other = os.getenv("TFMEM_TEST_SIZE", 7)  # value: 7 # lit: 7 # soft
derived = other * 2  # value: 14 # lit: # soft
hard = BATCH  # hard
global_batch = BATCH * 1  # value: 32 # lit: 32 # hard
popped = [1, 2].pop()  # value: 2 # lit: 2
seven = (walrus := 3) + 4  # value walrus: 3 # lit walrus: 3
one_gpu = 64 * 1  # lit: 64
whole_part = one_gpu // 1 + 0  # lit: 64
doubled = 1 * 32 * 2  # lit:
