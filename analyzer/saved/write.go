package saved

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/tfmem/tfmem/analyzer/syntax"
)

// Bounds on what is written of one configuration.
const (
	mostDepth  = 100
	mostPasses = 100     // over the layers of one model, as Keras does until all are called
	mostText   = 4 << 20 // what the analyzer reads of one file
)

// result is the name that the model is bound to.
const result = "model"

var errLoop = errors.New("the graph of its layers has a loop, or calls a layer that is not there")

// A writer writes the Python of one configuration.
type writer struct {
	imports   map[string]bool
	elsewhere map[string]bool // see [Model.Elsewhere]
	body      strings.Builder
	named     int // variables
	depth     int
	keras2    bool
	shared    map[string]string // objects that several places hold, by their number
	err       error             // the first
	scopes    []*network        // the functional models that are being written, the innermost last
	models    int               // the models that are being written, one in the other
	// applications is set where the model has a layer of keras.applications' own.
	applications bool
}

// applications are the layers that keras.applications has of its own, under the names of its modules.
//
//go:embed applications.py
var applications string

// write returns the program that builds a model. Keras 2 is tf_keras today, which behaves alike.
func write(model map[string]any, version, optimizer string) (*Model, error) {
	w := &writer{imports: map[string]bool{"import keras": true}, elsewhere: map[string]bool{}, shared: map[string]string{}, keras2: strings.HasPrefix(version, "2.")}
	if w.keras2 {
		w.imports = map[string]bool{"import tf_keras as keras": true, "import tensorflow as tf": true}
	}
	if class, _ := model["class_name"].(string); class == "" {
		return nil, errors.New("its configuration names no class")
	}
	if made := w.object(model, ""); made != result {
		fmt.Fprintf(&w.body, "%s = %s\n", result, made)
	}
	assumes := w.compile(model, optimizer)
	if w.err != nil {
		return nil, w.err
	}
	program := strings.Join(slices.Sorted(maps.Keys(w.imports)), "\n") + "\n\n"
	if w.applications {
		program += applications + "\n\n"
	}
	return &Model{Python: program + w.body.String(), Version: version, Elsewhere: slices.Sorted(maps.Keys(w.elsewhere)), AssumesLoss: assumes}, nil
}

func (w *writer) fail(err error) string {
	if w.err == nil {
		w.err = err
	}
	return "None"
}

// compile compiles the model. JSON of Keras 2 has no optimizer and no loss, and one that is named needs a
// loss for its training to be priced: the mean squared error is assumed then.
func (w *writer) compile(model map[string]any, optimizer string) (assumesLoss bool) {
	given, _ := model["compile_config"].(map[string]any)
	given = maps.Clone(given)
	if given == nil {
		given = map[string]any{}
	}
	if optimizer != "" {
		given["optimizer"] = optimizer
		if assumesLoss = given["loss"] == nil; assumesLoss {
			given["loss"] = "mse"
		}
	}
	if given["optimizer"] != nil {
		fmt.Fprintf(&w.body, "model.compile(%s)\n", w.keywords(given))
	}
	return assumesLoss
}

// variable binds a new variable to an expression, and returns it.
func (w *writer) variable(expr string) string {
	w.named++
	return w.bind("v"+strconv.Itoa(w.named), expr)
}

// model binds a model, the outermost to result.
func (w *writer) model(expr string) string {
	if w.models > 1 {
		return w.variable(expr)
	}
	return w.bind(result, expr)
}

// bind writes a statement that binds a name, which it returns.
func (w *writer) bind(name, expr string) string {
	fmt.Fprintf(&w.body, "%s = %s\n", name, expr)
	if w.body.Len() > mostText {
		w.fail(fmt.Errorf("it has more layers than %d MiB of Python can describe", mostText>>20))
	}
	return name
}

// value returns the expression of a value, which is the argument of this name.
func (w *writer) value(v any, argument string) string {
	if w.err != nil {
		return "None"
	}
	if w.depth++; w.depth > mostDepth {
		return w.fail(fmt.Errorf("its configuration is nested more than %d deep", mostDepth))
	}
	defer func() { w.depth-- }()
	switch v := v.(type) {
	case nil:
		return "None"
	case bool:
		if v {
			return "True"
		}
		return "False"
	case json.Number:
		return v.String()
	case string:
		return quote(v)
	case []any:
		if n := w.network(); n != nil && w.keras2 { // an argument of a call
			if l, _ := n.named(v); l != nil {
				return w.tensor(v, true)
			}
		}
		if argument == "function" && w.keras2 { // a Lambda layer's code, in Keras 2
			return w.unbound("a lambda")
		}
		items := make([]string, len(v))
		plain := len(v) > 0
		for i, item := range v {
			_, number := item.(json.Number)
			plain = plain && (number || item == nil)
			items[i] = w.value(item, argument)
		}
		if plain { // a shape, or sizes: JSON has no tuples
			return "(" + strings.Join(items, ", ") + ",)"
		}
		return "[" + strings.Join(items, ", ") + "]"
	case map[string]any:
		if _, is := v["class_name"].(string); is {
			return w.object(v, argument)
		}
		items := make([]string, 0, len(v))
		for _, key := range slices.Sorted(maps.Keys(v)) {
			items = append(items, quote(key)+": "+w.value(v[key], argument))
		}
		return "{" + strings.Join(items, ", ") + "}"
	}
	return w.fail(fmt.Errorf("its configuration holds a %T", v))
}

// network returns the functional model that is being written; nil outside of one.
func (w *writer) network() *network {
	if len(w.scopes) == 0 {
		return nil
	}
	return w.scopes[len(w.scopes)-1]
}

// keywords returns the arguments of a call.
func (w *writer) keywords(config map[string]any) string {
	var args []string
	for _, key := range slices.Sorted(maps.Keys(config)) {
		if !identifier(key) {
			w.fail(fmt.Errorf("%q is no argument", key))
		}
		args = append(args, key+"="+w.value(config[key], key))
	}
	return strings.Join(args, ", ")
}

// object returns the expression of an object, which Keras describes by its class and configuration
// (keras/src/saving/serialization_lib.py, deserialize_keras_object).
func (w *writer) object(o map[string]any, argument string) string {
	class, _ := o["class_name"].(string)
	config, _ := o["config"].(map[string]any)
	field := func(name string) string { return w.value(config[name], "") }
	switch class {
	case "__keras_tensor__":
		return w.tensor(config["keras_history"], false)
	case "__tensor__", "__numpy__":
		w.imports["import numpy as np"] = true
		return "np.array(" + field("value") + ", dtype=" + field("dtype") + ")"
	case "__bytes__":
		return field("value")
	case "__tuple__":
		return "tuple(" + w.value(o["items"], "") + ")"
	case "__ellipsis__":
		return "..."
	case "__slice__":
		return "slice(" + field("start") + ", " + field("stop") + ", " + field("step") + ")"
	case "__lambda__":
		return w.unbound("a lambda")
	case "function":
		return w.function(o)
	case "DTypePolicy", "Policy": // an argument of every layer: its name says as much
		return field("name")
	}
	shared, several := o["shared_object_id"].(json.Number)
	if name, ok := w.shared[shared.String()]; several && ok {
		return name
	}
	made := w.made(o, class, config, argument)
	if several && isLayer(config) {
		made = w.variable(made)
		w.shared[shared.String()] = made
	}
	return made
}

// usual are arguments of optimizers as they are if nobody gives them (keras/src/optimizers/adam.py).
var usual = map[string]string{"amsgrad": "false", "beta_1": "0.9", "beta_2": "0.999", "epsilon": "1e-07", "name": "adam"}

// isLayer reports whether a configuration is that of a layer or model, which is one object wherever it
// is used; initializers and policies are alike.
func isLayer(config map[string]any) bool {
	_, named := config["name"]
	_, trainable := config["trainable"]
	return named && trainable
}

// made returns the expression that makes an object of a class.
func (w *writer) made(o map[string]any, class string, config map[string]any, argument string) string {
	module, _ := o["module"].(string)
	registered, _ := o["registered_name"].(string)
	layers, isModel := config["layers"].([]any)
	w.models++
	defer func() { w.models-- }()
	switch _, graph := config["input_layers"]; {
	case isModel && graph:
		return w.functional(config, layers)
	case isModel && class == "Sequential":
		return w.sequential(o, config, layers)
	}
	// What is as it would be without being said is left out, so that a plan may say something else.
	config = maps.Clone(config)
	if isLayer(config) && class != "InputLayer" && w.value(config["dtype"], "") == quote("float32") {
		delete(config, "dtype")
	}
	if argument == "optimizer" {
		maps.DeleteFunc(config, func(key string, v any) bool {
			return v == nil || config["use_ema"] == false && strings.Contains(key, "ema") || fmt.Sprint(v) == usual[key]
		})
	}
	return w.reference(module, class, registered, argument) + "(" + w.keywords(config) + ")"
}

// unbound returns what stands for code that the file has not, or that is not read: Keras looks a class up
// by its name when it loads a model.
func (w *writer) unbound(what string) string {
	w.elsewhere[what] = true
	return "keras.saving.get_registered_object(" + quote(what) + ")"
}

// function returns a function by its name.
func (w *writer) function(o map[string]any) string {
	name, _ := o["config"].(string)
	module, _ := o["module"].(string)
	if module == "builtins" || module == "" { // Keras finds its own by name
		return quote(name)
	}
	return w.reference(module, name, "", "")
}

// reference returns the name of a class or function. One that is not of Keras is imported, unless it
// is of the program's main script, or of no module that is told.
func (w *writer) reference(module, name, registered, argument string) string {
	if !identifier(name) {
		if _, after, ok := strings.Cut(name, ">"); ok { // Keras 2's "Custom>Name"
			return w.unbound(after)
		}
		return w.fail(fmt.Errorf("%q is no class", name))
	}
	if module != "" && !dotted(module) {
		return w.fail(fmt.Errorf("%q is no module", module))
	}
	if after, ok := strings.CutPrefix(module, "tf_"); ok && strings.HasPrefix(after, "keras.") {
		module = after
	}
	switch {
	case strings.HasPrefix(module, "keras.src.applications."):
		w.applications = true
		return name
	case module == "keras" || strings.HasPrefix(module, "keras."):
		return module + "." + name
	case module == "" && registered == "" && argument != "" && w.keras2:
		return "keras." + kind(argument) + "." + name
	case module == "" || module == "__main__" || module == "builtins":
		return w.unbound(name)
	}
	w.imports["from "+module+" import "+name] = true
	w.elsewhere[name] = true
	return name
}

// kind returns the module of Keras whose classes an argument takes. Keras 2 looks a class up there.
func kind(argument string) string {
	for _, k := range []string{"initializer", "regularizer", "constraint"} {
		if argument == k || strings.HasSuffix(argument, "_"+k) {
			return k + "s"
		}
	}
	switch argument {
	case "optimizer":
		return "optimizers"
	case "loss":
		return "losses"
	case "metrics", "weighted_metrics":
		return "metrics"
	case "learning_rate":
		return "optimizers.schedules"
	}
	return "layers"
}

// sequential writes a Sequential model.
func (w *writer) sequential(o, config map[string]any, layers []any) string {
	items := make([]string, len(layers))
	for i, l := range layers {
		items[i] = w.value(l, "layers")
	}
	name := w.model(fmt.Sprintf("keras.Sequential([%s], name=%s)", strings.Join(items, ", "), w.value(config["name"], "")))
	if first, _ := at(layers, 0).(map[string]any); first["class_name"] != "InputLayer" {
		w.build(name, first, o, config)
	}
	w.freeze(name, config)
	return name
}

// build builds a Sequential model that has no input, if it was built: on the shape that it, or else its
// first layer, was built on.
func (w *writer) build(name string, first, o, config map[string]any) {
	shape := config["build_input_shape"]
	for _, of := range []map[string]any{o, first} {
		if built, _ := of["build_config"].(map[string]any); shape == nil {
			shape = built["input_shape"]
		}
	}
	if sides, ok := shape.([]any); ok && len(sides) > 0 {
		sides = slices.Clone(sides)
		sides[0] = nil // the batch's
		fmt.Fprintf(&w.body, "%s.build(%s)\n", name, w.value(sides, ""))
	}
}

// freeze says that a model's weights are not trained, if so.
func (w *writer) freeze(name string, config map[string]any) {
	if config["trainable"] == false {
		fmt.Fprintf(&w.body, "%s.trainable = False\n", name)
	}
}

func at(list []any, i int) any {
	if i < 0 || i >= len(list) {
		return nil
	}
	return list[i]
}

// quote returns a string of Python.
func quote(s string) string {
	var out strings.Builder
	out.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			out.WriteByte('\\')
			out.WriteRune(r)
		case r < ' ' || r == 0x7f || r == unicode.ReplacementChar:
			fmt.Fprintf(&out, "\\u%04x", r)
		default:
			out.WriteRune(r)
		}
	}
	out.WriteByte('"')
	return out.String()
}

// dotted reports whether a name is identifiers with dots between.
func dotted(name string) bool {
	for part := range strings.SplitSeq(name, ".") {
		if !identifier(part) {
			return false
		}
	}
	return true
}

// identifier reports whether a name is one of Python's.
func identifier(name string) bool {
	for i, r := range name {
		if r != '_' && !unicode.IsLetter(r) && (i == 0 || !unicode.IsDigit(r)) {
			return false
		}
	}
	return name != "" && !syntax.Reserved(name)
}
