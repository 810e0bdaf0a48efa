package names

import (
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/syntax"
)

// Compiler returns the decorator, a call or a bare name, that compiles the function with
// tf.function, or none.
func (f *Function) Compiler() syntax.Node {
	for _, d := range f.Decorators {
		if f.Info.compiles(d) {
			return d
		}
	}
	return syntax.Node{}
}

// DecoratedBy returns the decorator with a qualified name, a call or a bare name, of the function or of
// the class whose method it is, or none.
func (f *Function) DecoratedBy(name string) syntax.Node {
	all := f.Decorators
	if f.Class != nil {
		for d := range f.Class.Node.Parent().Children() {
			if d.Kind() == syntax.Decorator {
				all = append(slices.Clip(all), d.FirstChild())
			}
		}
	}
	for _, d := range all {
		if f.Info.Qualified(decorator(d)) == name {
			return d
		}
	}
	return syntax.Node{}
}

// compiles reports whether a decorator is tf.function.
func (in *Info) compiles(d syntax.Node) bool {
	q := in.Qualified(decorator(d))
	if q == "functools.partial" {
		q = in.Qualified(Argument(d, 0, "func"))
	}
	return q == "tensorflow.function"
}

// CompiledBy reports whether the decorators compile the function with tf.function, and whether an
// unknown decorator may do so.
func (f *Function) CompiledBy() (compiled, unknown bool) {
	compiled = f.Compiler().Valid()
	return compiled, slices.ContainsFunc(f.Decorators, func(d syntax.Node) bool {
		return !f.Info.compiles(d) && !f.Info.keepsCalls(d) && !f.Info.runsAsIs(d)
	})
}

// Altered reports whether a decorator may change which arguments the function takes, or what a call
// of it returns.
func (f *Function) Altered() bool {
	return slices.ContainsFunc(f.Decorators, func(d syntax.Node) bool {
		return !f.Info.compiles(d) && !f.Info.keepsCalls(d)
	})
}

// decorator returns the function of a decorator that is called with arguments first.
func decorator(d syntax.Node) syntax.Node {
	if d.Kind() == syntax.Call {
		return d.Child(syntax.FieldFunction)
	}
	return d
}

// keepsCalls reports whether a decorator is known to leave a function's calls as they are.
func (in *Info) keepsCalls(d syntax.Node) bool {
	callee := decorator(d)
	switch in.Qualified(callee) {
	case "functools.wraps", "functools.lru_cache", "functools.cache", "abc.abstractmethod", "contextlib.contextmanager",
		"typing.override", "typing.overload", "typeguard.typechecked",
		"tensorflow.keras.utils.register_keras_serializable", "tensorflow.keras.saving.register_keras_serializable", "tensorflow.autograph.experimental.do_not_convert", "tensorflow.Module.with_name_scope":
		return true
	}
	return slices.Contains([]string{"staticmethod", "classmethod", "property"}, callee.Text())
}

// runsAsIs reports whether a decorator surely runs the function as Python: it is one of a library
// that knows nothing of TensorFlow, or one of the program that only calls the function.
func (in *Info) runsAsIs(d syntax.Node) bool {
	defer in.Enter(d).Leave()
	callee := decorator(d)
	if in.plainLibrary(callee, 0) {
		return true
	}
	t := in.Target(callee)
	if t.Function == nil || t.Class != nil || t.Compiled || t.Wrapped || len(t.Function.Decorators) > 0 {
		return false
	}
	wrapper := t.Function
	if d.Kind() == syntax.Call { // it makes the decorator
		if wrapper = wrapper.returned(); wrapper == nil {
			return false
		}
	}
	return wrapper.onlyCalls()
}

// returned returns the function of its own that a function returns, or nil.
func (f *Function) returned() *Function {
	if len(f.Returns) != 1 || f.Yields {
		return nil
	}
	inner := f.Info.Target(f.Returns[0]).Function
	if inner == nil || !inner.Node.Within(f.Node) || inner == f {
		return nil
	}
	return inner
}

// onlyCalls reports whether a decorator's function does no more with the function that it is given
// than call it, read its attributes, or return it, and its wrapper is not compiled either.
func (f *Function) onlyCalls() bool {
	name := f.Node.Child(syntax.FieldParameters).FirstChild()
	if name.Kind() != syntax.Identifier || len(f.Returns) != 1 {
		return false
	}
	if r := f.Returns[0]; r.Text() != name.Text() {
		inner := f.returned()
		if inner == nil {
			return false
		}
		if compiled, unknown := inner.CompiledBy(); compiled || unknown {
			return false
		}
	}
	bindings := f.Scope.Bindings(name.Text())
	if len(bindings) != 1 {
		return false // it is bound again
	}
	return !slices.ContainsFunc(f.Info.Uses(bindings[0]), func(use syntax.Node) bool {
		parent := use.Parent()
		switch parent.Kind() {
		case syntax.Call:
			return use.Field() != syntax.FieldFunction
		case syntax.Attribute:
			return use.Field() != syntax.FieldObject
		case syntax.ReturnStatement:
			return false
		case syntax.ArgumentList:
			return f.Info.Qualified(parent.Parent().Child(syntax.FieldFunction)) != "functools.wraps"
		}
		return true
	})
}

// plainLibraries are libraries with decorators, none of which compiles a function: they run it from
// the command line, for a request, as a task, in an experiment, or measure it.
var plainLibraries = strings.Fields(`click typer hydra gin sacred invoke fire argh flask fastapi starlette aiohttp celery
	prefect luigi airflow dagster metaflow zenml mlflow wandb pytest unittest atexit functools contextlib abc typing dataclasses
	time line_profiler memory_profiler tenacity retry retrying backoff beartype typeguard streamlit gradio dash skopt`)

// plainLibrary reports whether an expression comes from one of them: click.command, or the method of
// what one of their calls or decorators has made.
func (in *Info) plainLibrary(n syntax.Node, depth int) bool {
	defer in.Enter(n).Leave()
	if depth > 4 {
		return false
	}
	if root, _, _ := strings.Cut(in.Qualified(n), "."); slices.Contains(plainLibraries, root) {
		return true
	}
	switch n.Kind() {
	case syntax.Attribute:
		return in.plainLibrary(n.Child(syntax.FieldObject), depth+1)
	case syntax.Call:
		return in.plainLibrary(n.Child(syntax.FieldFunction), depth+1)
	case syntax.Identifier:
		if f := in.Target(n).Function; f != nil {
			return len(f.Decorators) > 0 && f.Info.plainLibrary(decorator(f.Decorators[0]), depth+1)
		}
		if made := in.DefiningExpr(n); made.Kind() == syntax.Call {
			return in.plainLibrary(made, depth+1)
		}
	}
	return false
}
