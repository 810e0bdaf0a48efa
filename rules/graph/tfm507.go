package graph

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/facts"
	"github.com/tfmem/tfmem/analyzer/facts/obstacles"
	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// RunEagerlyLeftOn is TFM507.
var RunEagerlyLeftOn = &rule.Rule{
	Code: "TFM507", Name: "run-eagerly-left-on", Severity: rule.Information,
	Summary: "Training runs eagerly, operation by operation, because run_eagerly is True.",
	What: `
Checks for run_eagerly=True in compile(), for run_eagerly attributes set to
True, and for tf.config.run_functions_eagerly(True), in code that trains; the
last also in modules that it imports or calls.`,
	Why: `
Eager mode is for debugging. Python dispatches every operation separately,
which is slower; XLA is off; and a tensor lives as long as any Python name or
the tape refers to it, while a compiled step frees it after its last use. In
one measured program the eager step took two and a half times the memory.`,
	Bad: `
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile(optimizer="adam", loss="mse", run_eagerly=True)
model.fit(x, y)`,
	Good: `
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile(optimizer="adam", loss="mse")
model.fit(x, y)`,
	FixSafety: `
Unsafe: Python code in the model, its losses and its metrics then runs only
during tracing, so prints and counters happen once. The fix is not offered
where a tf.function applies gradients under a condition, or with several
optimizers: only its first trace may make their variables.`,
	Limitations: `
Tests, settings under a condition such as a debugging flag, and settings that
are switched off again are not reported. Neither are models whose own code may
need eager mode, because it calls .numpy() or NumPy, keeps something in Python,
branches on a value, takes the static size of a batch for a number, or makes
layers or variables in call().`,
	References: []rule.Reference{
		rule.API("tf.config.run_functions_eagerly"),
		rule.Keras("models/model_training_apis#compile-method", "Model.compile"),
	},
	Triggers: []string{"run_eagerly", "run_functions_eagerly"},
	Imported: true,
	Check:    checkRunEagerly,
}

func checkRunEagerly(p *rule.Pass) {
	info := p.File.Names()
	if !setsAnyEagerly(info) || p.File.Role().Kind == facts.Test || needsEager(info) || yieldsUnknownShapes(info.Program()) {
		return
	}
	trains, switched := trainsAnything(info), false
	ofProgram := trains || slices.ContainsFunc(info.Program(), trainsAnything)
	for _, call := range info.Calls {
		if setsEagerly(info.Callee(call)) && names.Argument(call, 0, "run_eagerly").Kind() != syntax.True {
			switched = true // set by something, or off again
		}
	}
	for _, call := range info.Calls {
		if setsEagerly(info.Callee(call)) {
			if ofProgram && !switched && always(info, call) {
				f := rule.Finding{
					Span:    rule.Span(call),
					Message: "Every tf.function of the program runs eagerly from here on. So does training, operation by operation. Eager mode is for debugging, and slows training down.",
				}
				if step := tracedAgain(p); step != nil {
					f.Message += fmt.Sprintf(" Compiled, %s would make variables in a second trace, which raises ValueError: build its models and optimizers before the first call.", step.Name)
				} else {
					f.Fixes = deleteStatement(p, call, "Run compiled functions")
				}
				p.Report(f)
			}
			continue
		}
		keyword := keywordTrue(call)
		if keyword.Valid() && compilesModel(info, call) && always(info, call) {
			p.Report(rule.Finding{
				Span:    rule.Span(keyword),
				Message: eager("run_eagerly=True"),
				Fixes:   deleteKeyword(p, keyword),
			})
		}
	}
	if !trains {
		return
	}
	reportElsewhere(p)
	for _, n := range info.Identifiers("run_eagerly") {
		left := n.Parent()
		set := left.Parent()
		if n.Field() == syntax.FieldAttribute && facts.IsTarget(left) && set.Child(syntax.FieldRight).Kind() == syntax.True && info.MayBe(left.Child(syntax.FieldObject), "tensorflow.keras.Model") && always(info, set) {
			p.Report(rule.Finding{
				Span:    rule.Span(set),
				Message: eager(set.Text()),
				Fixes:   deleteStatement(p, set, "Run the compiled step"),
			})
		}
	}
}

// setsAnyEagerly reports whether the module, or a module that it imports, may switch tf.function off.
// Only then is it of interest what needs that, for which the whole program is searched.
func setsAnyEagerly(info *names.Info) bool {
	return strings.Contains(info.Tree.Text(), "run_eagerly") || slices.ContainsFunc(info.Program(), func(module *names.Info) bool { return len(module.CallsTo(setsEagerly)) > 0 })
}

// reportElsewhere reports the imports and calls by which a program that trains has another module
// switch tf.function off.
func reportElsewhere(p *rule.Pass) {
	info := p.File.Names()
	for _, module := range info.Program() {
		for _, call := range module.CallsTo(setsEagerly) {
			if names.Argument(call, 0, "run_eagerly").Kind() != syntax.True {
				return // set by something, or off again
			}
		}
	}
	for _, e := range p.File.Flow().Having(effects.SetsEager) {
		at := p.Nearest(e)
		if p.Here(e.Node) || !at.Valid() || e.Context&flow.Uncertain != 0 || !always(info, at) || !always(info, e.Node) {
			continue
		}
		span := rule.Span(at)
		p.Report(rule.Finding{
			Span: span,
			Message: fmt.Sprintf("Every tf.function of the program runs eagerly from here on, and so does training. It is set on %s. Eager mode is for debugging, and slows training down.",
				p.Line(e.Node, span)),
			Related: []rule.Related{p.Related(e.Node, rule.Span(e.Node), "set here")},
		})
	}
}

// compilesModel reports whether a call is Keras's compile, which alone has the parameter. The
// object must not be one of the program's own.
func compilesModel(info *names.Info, call syntax.Node) bool {
	function := call.Child(syntax.FieldFunction)
	return function.Child(syntax.FieldAttribute).Text() == "compile" && info.Target(function).Function == nil
}

func eager(setting string) string {
	return fmt.Sprintf("With %s each training step runs eagerly. Python dispatches every operation separately. Eager mode is for debugging, and slows training down.", setting)
}

// keywordTrue returns the argument run_eagerly=True of a call, or none.
func keywordTrue(call syntax.Node) syntax.Node {
	for a := range call.Child(syntax.FieldArguments).Children() {
		if a.Kind() == syntax.KeywordArgument && a.Child(syntax.FieldName).Text() == "run_eagerly" && a.Child(syntax.FieldValue).Kind() == syntax.True {
			return a
		}
	}
	return syntax.Node{}
}

// trainsAnything reports whether a module trains a model.
func trainsAnything(info *names.Info) bool {
	return slices.ContainsFunc(info.Calls, func(call syntax.Node) bool {
		switch call.Child(syntax.FieldFunction).Child(syntax.FieldAttribute).Text() {
		case "fit", "fit_generator", "train_on_batch", "apply_gradients":
			return true
		}
		return false
	})
}

// always reports whether code runs whatever the flags of the program are. It is under no condition
// except the main guard, and in no test.
func always(info *names.Info, n syntax.Node) bool {
	for child, p := n, n.Parent(); p.Valid(); child, p = p, p.Parent() {
		switch p.Kind() {
		case syntax.IfStatement:
			if child.Field() != syntax.FieldConsequence || !flow.IsMainGuard(p.Child(syntax.FieldCondition)) {
				return false
			}
		case syntax.ConditionalExpression, syntax.BooleanOperator, syntax.MatchStatement, syntax.ExceptClause, syntax.Lambda:
			return false
		case syntax.FunctionDefinition:
			if strings.Contains(strings.ToLower(p.Child(syntax.FieldName).Text()), "debug") {
				return false
			}
		case syntax.ClassDefinition:
			if c := info.ClassAt(p); c != nil && strings.HasSuffix(info.LibraryBase(c), "TestCase") {
				return false
			}
		}
	}
	return true
}

// tracedAgain returns a compiled step that the program uses in such a way that another trace than the
// first would make variables, or read what was current when it was traced; nil if there is none. It
// works only as long as functions run eagerly.
func tracedAgain(p *rule.Pass) *names.Function {
	info := p.File.Names()
	for _, e := range p.File.Flow().Having(effects.AppliesGradients) {
		step := compiledOn(info, e)
		if step == nil {
			continue
		}
		fixed := wouldFreeze(info, facts.LoopsAround(e), step.Node)
		if gated(step, e) || severalOptimizers(info, step) || severalObjects(info, step) != "" || fixed.optimizer || fixed.objects {
			return step
		}
	}
	return nil
}

// compiledOn returns the outermost function under tf.function on the path of an event, or nil.
func compiledOn(info *names.Info, e *flow.Event) *names.Function {
	for _, n := range append(slices.Clone(e.Path), e.Node) {
		if fn := info.ScopeOf(n).Function(); fn != nil {
			if compiled, _ := fn.CompiledBy(); compiled {
				return fn
			}
		}
		if fn, by := compiler(info, n); by.Valid() {
			return fn
		}
	}
	return nil
}

// needsEager reports whether code that would be compiled may need eager mode, because it, or what
// it calls in the program, reads a tensor's value, passes one to NumPy, keeps Python state,
// branches on a value, makes variables, or counts the examples of a batch. Such code is the methods
// of a layer, model, loss or metric, the functions that compile is given, and those under tf.function.
// Code of other modules counts if the program mentions it.
func needsEager(info *names.Info) bool {
	mentioned := mentionedIn(info)
	called := namedInSteps(info.Program())
	return slices.ContainsFunc(info.Program(), func(module *names.Info) bool {
		return slices.ContainsFunc(module.Functions, func(f *names.Function) bool {
			at := f.Node
			if f.Class != nil {
				at = f.Class.Node
			}
			if mentioned != nil && at.Is(syntax.FunctionDefinition, syntax.ClassDefinition) && !mentioned[at] {
				return false
			}
			compiled, _ := f.CompiledBy()
			if !compiled && !ofStep(module, f) && !(f.Class != nil && called[f.Name] && traced(module.LibraryBase(f.Class)) && !makes[f.Name]) && !givenToCompile(info, f) {
				return false
			}
			found := obstacles.Of(module, f.Node) & obstacles.Prevents
			if f.Class != nil && !compiled && !steps[f.Name] {
				found &^= obstacles.MakesVariables // it may run where the object is made
			}
			return found != 0 || mayRunNeeding(info.Program(), module, f) || !compiled && readsBatchSize(f)
		})
	})
}

// yieldsUnknownShapes reports whether a pipeline of the program makes tensors of unknown rank, which only
// a step in eager mode may take: by Python code of which nothing tells the shape.
func yieldsUnknownShapes(program []*names.Info) bool {
	calls, told := false, false
	for _, m := range program {
		calls = calls || len(m.CallsTo(func(name string) bool { return facts.RunsPython[name] })) > 0
		told = told || len(m.MethodCalls(func(method string) bool {
			return method == "set_shape" || method == "ensure_shape" || method == "reshape"
		})) > 0
	}
	return calls && !told
}

// ofStep reports whether Keras itself calls a method in a step.
func ofStep(info *names.Info, f *names.Function) bool {
	return f.Class != nil && steps[f.Name] && traced(info.LibraryBase(f.Class))
}

// namedInSteps returns the attributes that compiled functions and the methods of steps name: what
// they may call.
func namedInSteps(program []*names.Info) map[string]bool {
	named := map[string]bool{}
	for _, module := range program {
		for _, f := range module.Functions {
			if compiled, _ := f.CompiledBy(); compiled || ofStep(module, f) {
				for n := range obstacles.Nodes(module, f.Node) {
					named[n.Child(syntax.FieldAttribute).Text()] = true
				}
			}
		}
	}
	return named
}

// mayRunNeeding reports whether a function, or one that it runs, calls a method of an object that is not
// known, and a class of the program has a method of that name which needs eager mode.
func mayRunNeeding(program []*names.Info, info *names.Info, fn *names.Function) bool {
	for call, in := range obstacles.Nodes(info, fn.Node) {
		method, object := names.Method(call), call.Child(syntax.FieldFunction).Child(syntax.FieldObject)
		// A library's class may seem to have an attribute that a subclass gets elsewhere.
		ofInstance := object.Kind() == syntax.Attribute && slices.ContainsFunc(in.Info.ReachingDefs(names.Root(object)), (*names.Binding).IsInstance)
		if method == "" || in.Info.Callee(call) != "" && !ofInstance || in.Info.TypeOf(object).Known() || len(obstacles.MethodsOf(in.Info, call)) > 0 {
			continue
		}
		for _, module := range program {
			if slices.ContainsFunc(module.Functions, func(f *names.Function) bool {
				return f.Class != nil && f.Name == method && obstacles.Of(module, f.Node)&obstacles.Prevents != 0
			}) {
				return true
			}
		}
	}
	return false
}

// makes are the methods of Keras classes that run when an object is created, restored or described,
// and not in a step.
var makes = map[string]bool{
	"__init__": true, "__new__": true, "build": true, "compile": true, "get_config": true, "from_config": true, "fit": true,
	"compute_output_shape": true, "add_weight": true, "save": true, "summary": true, "reset_state": true, "reset_states": true,
}

// traced reports whether a Keras class has methods that run in the step of fit. A callback has
// none.
func traced(class string) bool {
	return strings.HasPrefix(class, "tensorflow.") && !strings.HasPrefix(class, "tensorflow.keras.callbacks.") && !strings.HasPrefix(class, "tensorflow.keras.utils.")
}

// steps are the methods of Keras's classes that surely run in a step.
var steps = map[string]bool{
	"call": true, "__call__": true, "train_step": true, "test_step": true, "predict_step": true, "compute_loss": true,
	"update_state": true, "update_step": true, "compute_metrics": true, "compute_mask": true,
}

// givenToCompile reports whether a function is one of a model's losses or metrics.
func givenToCompile(info *names.Info, fn *names.Function) bool {
	return slices.ContainsFunc(info.MethodCalls(func(name string) bool { return name == "compile" }), func(call syntax.Node) bool {
		return slices.ContainsFunc(facts.Reads(call.Child(syntax.FieldArguments)), func(n syntax.Node) bool { return n.Text() == fn.Name })
	})
}

// deleteKeyword offers to delete an argument.
func deleteKeyword(p *rule.Pass, keyword syntax.Node) []rule.Fix {
	edit, ok := p.WithoutArgument(keyword)
	if !ok {
		return nil
	}
	return rule.OneFix("Run the compiled step", rule.Unsafe, edit)
}

// deleteStatement offers to delete the statement that an expression is, if its block has others.
func deleteStatement(p *rule.Pass, n syntax.Node, message string) []rule.Fix {
	statement := n.Parent()
	if statement.Kind() != syntax.ExpressionStatement || !rule.Fixable(statement) || !p.StartsLine(statement) || !p.EndsLine(statement) {
		return nil
	}
	if block := statement.Parent(); block.Valid() {
		others := 0
		for s := range block.Children() {
			if s != statement && s.Kind() != syntax.Comment {
				others++
			}
		}
		if others == 0 {
			return nil
		}
	}
	return rule.OneFix(message, rule.Unsafe, source.Edit{Span: p.Lines(statement)})
}
