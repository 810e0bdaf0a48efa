package names_test

import (
	"slices"
	"testing"

	"github.com/tfmem/tfmem/analyzer/names"
)

// TestDecorators spells out which decorators may compile a function, and which only run it.
func TestDecorators(t *testing.T) {
	const helpers = `
import functools, time
import click, numba, tensorflow as tf, typer
import hydra as h
from compilers import fast
from sacred import Experiment

app = typer.Typer()
ex = Experiment("gan")
compiled = tf.function

def timed(fn):
    @functools.wraps(fn)
    def wrapper(*args, **kwargs):
        start = time.time()
        result = fn(*args, **kwargs)
        print(fn.__name__, time.time() - start)
        return result
    return wrapper

def repeated(times):
    def decorate(fn):
        def wrapper(*args):
            for _ in range(times):
                fn(*args)
        return wrapper
    return decorate

def registered(fn):
    print(fn.__name__)
    return fn

def handed(fn):
    return fast(fn)

def traced(fn):
    @tf.function
    def wrapper(*args):
        return fn(*args)
    return wrapper

def stored(fn):
    steps.append(fn)
    return fn

@click.group()
def cli():
    pass
`
	for _, c := range []struct {
		decorator                  string
		compiled, unknown, altered bool
	}{
		{"@tf.function", true, false, false},
		{"@tf.function(jit_compile=True)", true, false, false},
		{"@functools.partial(tf.function, reduce_retracing=True)", true, false, false},
		{"@compiled", true, false, false},
		{"@staticmethod", false, false, false},
		{"@functools.lru_cache(maxsize=None)", false, false, false},
		{"@click.command()", false, false, true},
		{"@click.command()\n@click.option('--lr')", false, false, true},
		{"@cli.command('train')", false, false, true},
		{"@app.command()", false, false, true},
		{"@h.main(config_path='conf')", false, false, true},
		{"@ex.automain", false, false, true},
		{"@timed", false, false, true},
		{"@repeated(3)", false, false, true},
		{"@registered", false, false, true},
		{"@timed\n@tf.function", true, false, true},
		{"@handed", false, true, true},
		{"@traced", false, true, true},
		{"@stored", false, true, true},
		{"@fast", false, true, true},
		{"@numba.jit", false, true, true},
		{"@unknown", false, true, true},
	} {
		functions := resolve(helpers + "\n" + c.decorator + "\ndef step(x):\n    return x\n").Functions
		f := functions[slices.IndexFunc(functions, func(f *names.Function) bool { return f.Name == "step" })]
		compiled, unknown := f.CompiledBy()
		if altered := f.Altered(); compiled != c.compiled || unknown != c.unknown || altered != c.altered {
			t.Errorf("%s: compiled %t, unknown %t, altered %t", c.decorator, compiled, unknown, altered)
		}
	}
}
