# Texts: literals, methods and the ways of formatting.
name = "conv"
a = name + "_" + str(3)  # value: 'conv_3'
b = "-" * 5  # value: '-----'
c = "%s_%d_%.2f%%" % (name, 7, 0.5)  # value: 'conv_7_0.50%'
d = "{}-{:03d}-{x:>6}".format(name, 7, x="ab")  # value: 'conv-007-    ab'
e = f"{name!r:>8}|{3.14159:.3f}|{1234567:,}|{255:#x}|{0.25:.1%}"  # value: "  'conv'|3.142|1,234,567|0xff|25.0%"
f = f"{{literal}} {name} {2 + 3}"  # value: '{literal} conv 5'
g = ",".join(["a", "b"])  # value: 'a,b'
h = "a b  c".split()  # value: ['a', 'b', 'c']
i = "a,b,,c".split(",")  # value: ['a', 'b', '', 'c']
j = "path/to/file.txt".rsplit("/", 1)  # value: ['path/to', 'file.txt']
k = "Hello".lower() + "Hello".upper() + "hello world".title()  # value: 'helloHELLOHello World'
l = "  x ".strip() + "xxay".lstrip("x") + "ab".replace("a", "c")  # value: 'xaycb'
m = "model.h5".endswith((".h5", ".keras"))  # value: True
n = "abc"[::-1] + "abc"[-2:] + "abc"[0]  # value: 'cbabca'
o = "7".zfill(3) + "-7".zfill(4)  # value: '007-007'
p = "é" + "\u00e9" + "\x41" + "\t"  # value: 'ééA\t'
q = r"\d" + 'it\'s' "joined"  # value: "\\dit'sjoined"
r = len("héllo")  # value: 5
s = "abc".find("c") + "abc".count("b")  # value: 3
t = "%5.1f|%-5s|%05d" % (2.25, "ab", 42)  # value: '  2.2|ab   |00042'
u = "%(w)dx%(h)d" % {"w": 3, "h": 4}  # value: '3x4'
v = f"{7:{3}d}" + f"{name=}"  # value: "  7name='conv'"
w = "b" in "abc" and "abc" < "abd"  # value: True
x = str([1, "a", None, (1,), {"k": 1.0}])  # value: "[1, 'a', None, (1,), {'k': 1.0}]"
y = "a-b_c".partition("-")  # value: ('a', '-', 'b_c')
z = "{0[1]} {a.real}".format([1, 2], a=5)  # value: '2 5'
aa = f"{1e10:g} {1e-7:.2e} {123456789.0:g}"  # value: '1e+10 1.00e-07 1.23457e+08'
ab = f"{'x':^5}|{5:<4}|{True}|{None}|{-3:+d}"  # value: '  x  |5   |True|None|-3'
ac = "a\nb\r\nc".splitlines()  # value: ['a', 'b', 'c']
ad = "{:.3}".format("abcdef") + "{:>{w}}".format(1, w=3)  # value: 'abc  1'
ae = '''tri
ple'''  # value ae: 'tri\nple'
af = chr(65) + str(ord("a"))  # value: 'A97'
import re
pieces = re.split(r"(\d.*)", "k3"), re.split(r"[,;]\s*", "a, b;c"), re.split("x(y)?", "axbxyc")  # value: (['k', '3', ''], ['a', 'b', 'c'], ['a', None, 'b', 'y', 'c'])
found = re.findall(r"\d+", "a12b3"), re.findall(r"([a-z])(\d)", "a1b2"), re.findall(r"s(\d)", "s1_s2")  # value: (['12', '3'], [('a', '1'), ('b', '2')], ['1', '2'])
replaced = re.sub(r"[^a-z]+", "_", "ab 12cd"), re.escape("a.b-c")  # value: ('ab_cd', 'a\\.b\\-c')
ahead = re.split(r"(?=b)", "abab")  # unknown: re.split
hit, miss, part, whole_text = bool(re.match(r"conv5_.*", "conv5_block1")), re.match("b", "ab"), re.search("b", "ab") is not None, re.fullmatch("a|ab", "ab").group()  # value hit: True # value miss: None # value part: True # value whole_text: 'ab'
block = re.compile(r"block(\d+)(?P<rest>_\w+)?")
grouped = block.match("block12_conv").groups(), block.match("block12_conv").group(1), block.search("a block7")["rest"], block.match("block3")[0], block.findall("block1 block2")  # value: (('12', '_conv'), '12', None, 'block3', [('1', ''), ('2', '')])
deep = [n for n in ("conv1", "conv4_x", "conv5_y") if re.match(r"conv[45]", n)]  # value: ['conv4_x', 'conv5_y']
nested = re.match(r"(?=b)a", "a")  # unknown: re.match
flagged = re.match("A", "a", re.IGNORECASE)  # unknown: re.match
line_end = re.search("a$", "a\n")  # unknown: re.search
vertical = re.split(r"\s", "a\vb\x1cc")  # unknown: re.split
few = re.match("a{,2}b", "aab")  # unknown: re.match
empty = re.split(r"x*", "abc")  # unknown: re.split
foreign = re.split(r"\W", "aéb c")  # unknown: re.split
