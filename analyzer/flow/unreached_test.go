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

def fail(*reasons):
    raise TypeError(reasons)

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
		"mistakes":         "two(1)\ntwo(1, 2, 3)\ntwo(1, b=2, c=3)\ntwo(1, a=2)\nstrict(1)\nNet()\nNet(1).no_self()\nBase()\nunknown\nabc.none\nhere()\n",
		"raises":           "here()\nfail()\nnever()\n",
		"class raises":     "class A:\n    def __init__(self):\n        raise ValueError\nA()\nnever()\n",
		"abstract":         "Actor().act(1)\nhere()\n",
		"argument first":   "fail(here())\nnever()\n",
		"in a try":         "try:\n    fail()\n    never()\nexcept TypeError:\n    here()\nhere()\n",
		"raised again":     "try:\n    fail()\nexcept TypeError:\n    raise\nnever()\n",
		"finally":          "try:\n    fail()\n    never()\nfinally:\n    here()\nnever()\n",
		"suppressed":       "with contextlib.suppress(TypeError):\n    fail()\n    never()\nhere()\n",
		"in a strategy":    "with tf.device('cpu'):\n    fail()\nnever()\n",
		"in a branch":      "if x:\n    fail()\n    never()\nhere()\n",
		"in all branches":  "if x:\n    fail()\nelse:\n    raise ValueError\nnever()\n",
		"perhaps a loop":   "for x in y:\n    here()\n    fail()\n    never()\nhere()\n",
		"surely a loop":    "for x in [1, 2]:\n    fail()\nnever()\n",
		"left before":      "for x in [1, 2]:\n    if x:\n        break\n    fail()\n    never()\nhere()\n",
		"short circuit":    "x and fail()\n[fail() for x in y]\nf = lambda: fail()\nhere()\n",
		"in a function":    "def f():\n    here()\n    fail()\n    never()\nhere()\nf()\nnever()\n",
		"perhaps returned": "def f(x):\n    if x:\n        return\n    fail()\n    never()\nf(1)\nhere()\n",
		"generator":        "def f():\n    yield fail()\nf()\nhere()\n",
		"not called":       "def f():\n    here()\ndef g():\n    fail()\n    never()\nhere()\n",
		"called later":     "def f():\n    never()\nfail()\nf()\n",
		"called before":    "def f():\n    here()\nf()\nfail()\nf()\n",
		"handed over":      "def f():\n    here()\nregister(f)\nfail()\n",
		"methods":          "class A:\n    def go(self):\n        never()\nfail()\nA().go()\n",
		"method after":     "class A:\n    def train(self):\n        fail()\n        self.show()\n    def show(self):\n        never()\na = A()\na.train()\n",
		"method elsewhere": "class A:\n    def train(self):\n        fail()\n        self.show()\n    def show(self):\n        here()\na = A()\nb.show()\na.train()\n",
		"guarded":          "def f():\n    never()\nif __name__ == '__main__':\n    fail()\n    f()\n",
		"decorated":        "@unknown\ndef f(a):\n    pass\n@tf.function\ndef g(a):\n    raise ValueError\nf()\nhere()\ng(1)\nnever()\n",
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
		"reassigned":       "fail = wrap(fail)\nfail()\nhere()\n",
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
