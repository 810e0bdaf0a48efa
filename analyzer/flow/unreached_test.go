package flow

import (
	"strings"
	"testing"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// TestUnreached marks the calls of here() that no run reaches, and those that one may, by name:
// never() and here().
func TestUnreached(t *testing.T) {
	const library = `
import abc
import contextlib
import tensorflow as tf
from abc import ABC, abstractmethod

def two(a, b):
    return a

def some(a, b=1, *rest, key=None, **others):
    return a

def strict(a, *, key):
    return a

class Net:
    def __init__(self, units):
        self.units = units

    def run(self, x):
        return x

    def no_self():
        pass

    @staticmethod
    def static(x):
        return x

    @property
    def size(self):
        return len

class Plain:
    pass

class Base(ABC):
    @abstractmethod
    def act(self, state): ...

class Actor(Base):
    def act(self, state):
        return state

class Model(tf.keras.Model):
    pass

`
	for name, text := range map[string]string{
		"missing":          "here()\ntwo(1)\nnever()\n",
		"too many":         "two(1, 2, 3)\nnever()\n",
		"unknown keyword":  "two(1, b=2, c=3)\nnever()\n",
		"given twice":      "two(1, a=2)\nnever()\n",
		"keyword only":     "strict(1, 2)\nnever()\n",
		"keyword missing":  "strict(1)\nnever()\n",
		"fits":             "two(1, 2)\ntwo(b=1, a=2)\nsome(1)\nsome(1, 2, 3, 4, other=5)\nstrict(1, key=2)\nhere()\n",
		"splats":           "two(*x)\ntwo(**x)\ntwo(1, *x)\nhere()\n",
		"class":            "Net()\nnever()\n",
		"class fits":       "net = Net(1)\nhere()\nnet.run()\nnever()\n",
		"no instance":      "Net(1).no_self()\nnever()\n",
		"static":           "Net(1).static(2)\nhere()\nNet.static(2)\nNet.run(Net(1), 2)\nNet(1).size([])\nhere()\n",
		"plain":            "Plain()\nhere()\nPlain(1)\nnever()\n",
		"abstract":         "Actor()\nhere()\nBase()\nnever()\n",
		"library's":        "Model(1, 2)\nhere()\n",
		"argument first":   "two(here())\nnever()\n",
		"in a try":         "try:\n    two(1)\n    never()\nexcept TypeError:\n    here()\nhere()\n",
		"raised again":     "try:\n    two(1)\nexcept TypeError:\n    raise\nnever()\n",
		"finally":          "try:\n    two(1)\n    never()\nfinally:\n    here()\nnever()\n",
		"suppressed":       "with contextlib.suppress(TypeError):\n    two(1)\n    never()\nhere()\n",
		"in a strategy":    "with tf.device('cpu'):\n    two(1)\nnever()\n",
		"in a branch":      "if x:\n    two(1)\n    never()\nhere()\n",
		"in all branches":  "if x:\n    two(1)\nelse:\n    raise ValueError\nnever()\n",
		"perhaps a loop":   "for x in y:\n    here()\n    two(1)\n    never()\nhere()\n",
		"surely a loop":    "for x in [1, 2]:\n    two(1)\nnever()\n",
		"left before":      "for x in [1, 2]:\n    if x:\n        break\n    two(1)\n    never()\nhere()\n",
		"short circuit":    "x and two(1)\n[two(1) for x in y]\nf = lambda: two(1)\nhere()\n",
		"in a function":    "def f():\n    here()\n    two(1)\n    never()\nhere()\nf()\nnever()\n",
		"perhaps returned": "def f(x):\n    if x:\n        return\n    two(1)\n    never()\nf(1)\nhere()\n",
		"generator":        "def f():\n    yield two(1)\nf()\nhere()\n",
		"not called":       "def f():\n    here()\ndef g():\n    two(1)\n    never()\nhere()\n",
		"called later":     "def f():\n    never()\ntwo(1)\nf()\n",
		"called before":    "def f():\n    here()\nf()\ntwo(1)\nf()\n",
		"handed over":      "def f():\n    here()\nregister(f)\ntwo(1)\n",
		"methods":          "class A:\n    def go(self):\n        never()\ntwo(1)\nA().go()\n",
		"method after":     "class A:\n    def train(self):\n        two(1)\n        self.show()\n    def show(self):\n        never()\na = A()\na.train()\n",
		"method elsewhere": "class A:\n    def train(self):\n        two(1)\n        self.show()\n    def show(self):\n        here()\na = A()\nb.show()\na.train()\n",
		"guarded":          "def f():\n    never()\nif __name__ == '__main__':\n    two(1)\n    f()\n",
		"decorated":        "@unknown\ndef f(a):\n    pass\n@tf.function\ndef g(a):\n    pass\nf()\nhere()\ng()\nnever()\n",
		"dataclass":        "@dataclass\nclass A:\n    x: int\nA(1)\nhere()\n",
		"made otherwise":   "class A:\n    def __new__(cls, *a): pass\n    def __init__(self): pass\nA(1)\nclass B(metaclass=M):\n    pass\nB(1)\nclass C(Unknown):\n    def __init__(self): pass\nC(1)\nhere()\n",
		"defined twice":    "if x:\n    def f(a): pass\nelse:\n    def f(): pass\nf()\nhere()\n",
		"overridden":       "class A:\n    def go(self):\n        self.step(1)\n        here()\n    def step(self): pass\nclass B(A):\n    def step(self, x): pass\nB().go()\nhere()\n",
		"replaced":         "class A:\n    def __init__(self):\n        self.step = x\n    def step(self): pass\nA().step(1)\nhere()\nnet = Net(1)\nnet.run = x\nnet.run()\nhere()\n",
		"none":             "def f(x=None):\n    if x is not None:\n        never()\n    elif x:\n        never()\n    else:\n        here()\nf()\nf(None)\n",
		"none passed":      "def f(x=None):\n    if x is not None:\n        here()\nf()\nf(1)\n",
		"none rebound":     "def f(x=None):\n    x = y\n    if x:\n        here()\nf()\n",
		"none by another":  "def f(x=None):\n    if x:\n        here()\nf()\nregister(f)\n",
		"none not called":  "def f(x=None):\n    if x:\n        here()\n",
		"none of self":     "class A:\n    def __init__(self, x=None, y=None):\n        self.x = x\n        self.y = y\n    def go(self):\n        if self.x:\n            never()\n        if self.y is None:\n            here()\n        if self.x is None and self.y:\n            here()\nA(y=1).go()\n",
		"none in a child":  "class A:\n    def __init__(self, x=None):\n        self.x = x\n    def go(self):\n        if self.x:\n            here()\nclass B(A):\n    def __init__(self):\n        super().__init__(1)\nA().go()\n",
		"none set later":   "class A:\n    def __init__(self):\n        self.x = None\n        self.y = None\n    def go(self):\n        self.x = 1\n        if self.x:\n            here()\n        if self.y:\n            never()\nA().go()\n",
		"none set outside": "class A:\n    def __init__(self):\n        self.x = None\n    def go(self):\n        if self.x:\n            here()\na = A()\na.x = 1\na.go()\n",
		"reassigned":       "two = wrap(two)\ntwo(1)\nhere()\n",
	} {
		info := names.Resolve(syntax.Parse(library+text), effects.Library{}, nil)
		p := Of(info)
		for _, call := range info.Calls {
			switch word := call.Child(syntax.FieldFunction).Text(); word {
			case "never", "here":
				if got := p.Unreached(call); got != (word == "never") {
					t.Errorf("%s: %s() on line %d: unreached is %v", name, word, strings.Count(text[:call.Start()-len(library)], "\n")+1, got)
				}
			}
		}
	}
}
