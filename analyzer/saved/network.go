package saved

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
)

// A network is a functional model that is being written: its layers and what their calls returned.
type network struct {
	layers map[string]*layer
}

// A layer is an object of a network that is called.
type layer struct {
	name, variable string
	calls          []string // the variables of what each call returned
	pending        []any    // the calls that are still to be written
	// built is 1 for a model whose first call made it, which Keras counts in places.
	built int
	// operation is the function of keras.ops that a call of an operation is, and its arguments.
	operation string
	keywords  map[string]any
}

// functional writes a functional model: each layer, then the calls that connect them
// (keras/src/models/functional.py, functional_from_config).
func (w *writer) functional(config map[string]any, layers []any) string {
	n := &network{layers: map[string]*layer{}}
	var order []*layer
	for _, item := range layers {
		described, _ := item.(map[string]any)
		l := w.layer(described)
		if w.err != nil {
			return "None"
		}
		n.layers[l.name] = l
		order = append(order, l)
	}
	w.scopes = append(w.scopes, n)
	defer func() { w.scopes = w.scopes[:len(w.scopes)-1] }()
	for pass, left := 0, true; left; pass++ {
		left = false
		wrote := false
		for _, l := range order {
			for len(l.pending) > 0 && n.ready(l.pending[0], w.keras2) && w.err == nil {
				l.calls = append(l.calls, w.variable(w.call(l, l.pending[0])))
				l.pending, wrote = l.pending[1:], true
			}
			left = left || len(l.pending) > 0
		}
		if left && (!wrote || pass == mostPasses) {
			return w.fail(errLoop)
		}
	}
	made := w.model(fmt.Sprintf("keras.Model(inputs=%s, outputs=%s, name=%s)", w.ends(config["input_layers"]), w.ends(config["output_layers"]), w.value(config["name"], "")))
	w.freeze(made, config)
	return made
}

// layer writes a layer of a network.
func (w *writer) layer(described map[string]any) *layer {
	config, _ := described["config"].(map[string]any)
	l := &layer{}
	if l.name, _ = described["name"].(string); l.name == "" {
		if l.name, _ = config["name"].(string); l.name == "" {
			w.fail(errLoop)
		}
	}
	l.pending, _ = described["inbound_nodes"].([]any)
	for i, call := range l.pending {
		if tensor, ok := call.([]any); ok && len(tensor) > 0 {
			if _, named := tensor[0].(string); named { // Keras 2's operations take no list of tensors
				l.pending[i] = []any{call}
			}
		}
	}
	class, _ := described["class_name"].(string)
	module, _ := described["module"].(string)
	switch {
	case class == "InputLayer":
		l.calls = []string{w.variable("keras.Input(" + w.keywords(config) + ")")}
		l.pending = nil
	case strings.HasPrefix(module, "keras.src.ops."):
		l.operation, l.keywords = "keras.ops."+function(class), maps.Clone(config)
		delete(l.keywords, "name")
	case w.keras2 && class == "TFOpLambda":
		name, _ := config["function"].(string)
		l.operation = "tf." + name
	default:
		_, graph := config["input_layers"]
		if nested, _ := config["layers"].([]any); graph {
			l.built = 1
		} else if first, _ := at(nested, 0).(map[string]any); w.keras2 && first["class_name"] == "InputLayer" {
			l.built = 1 // Keras 2's Sequential is a functional model
		}
		l.variable = w.variable(w.object(described, "layers"))
	}
	return l
}

// ready reports whether all tensors of a call have been written.
func (n *network) ready(call any, keras2 bool) bool {
	switch call := call.(type) {
	case []any:
		if l, node := n.named(call); l != nil && keras2 {
			return max(0, node-l.built) < len(l.calls) && (len(call) < 4 || n.ready(call[3], keras2))
		}
		for _, item := range call {
			if !n.ready(item, keras2) {
				return false
			}
		}
	case map[string]any:
		if call["class_name"] == "__keras_tensor__" {
			config, _ := call["config"].(map[string]any)
			at, _ := config["keras_history"].([]any)
			name, node, _, _ := history(at)
			l := n.layers[name]
			return l != nil && node < len(l.calls)
		}
		for _, item := range call {
			if !n.ready(item, keras2) {
				return false
			}
		}
	}
	return true
}

// named returns the layer and the call that a tensor of Keras 2 names; nil if it names none.
func (n *network) named(tensor []any) (l *layer, node int) {
	name, node, _, ok := history(tensor)
	if !ok {
		return nil, 0
	}
	return n.layers[name], node
}

// call returns the expression that calls a layer.
func (w *writer) call(l *layer, node any) string {
	var args []string
	keywords := map[string]any{}
	switch node := node.(type) {
	case map[string]any:
		positional, _ := node["args"].([]any)
		if l.operation == "keras.ops.get_item" && len(positional) == 2 {
			return w.value(positional[0], "") + "[" + w.index(positional[1]) + "]"
		}
		for _, a := range positional {
			args = append(args, w.value(a, ""))
		}
		if more, ok := node["kwargs"].(map[string]any); ok {
			keywords = more
		}
	case []any: // Keras 2: a list of tensors, each with the keywords of the call
		var tensors []string
		for _, item := range node {
			tensor, _ := item.([]any)
			if at(tensor, 0) == "_CONSTANT_VALUE" {
				tensors = append(tensors, w.value(at(tensor, 2), ""))
			} else {
				tensors = append(tensors, w.tensor(tensor, true))
			}
			if more, ok := at(tensor, 3).(map[string]any); ok {
				keywords = more
			}
		}
		if args = tensors; len(tensors) > 1 && l.operation == "" {
			args = []string{"[" + strings.Join(tensors, ", ") + "]"}
		}
	}
	called := l.variable
	if l.operation != "" {
		called = l.operation
		keywords = maps.Clone(keywords)
		maps.Copy(keywords, l.keywords)
		if name, operator := strings.CutPrefix(called, "tf.__operators__."); operator {
			return w.operator(name, args, keywords)
		}
		if subscripts, ok := keywords["subscripts"]; ok { // the one operation whose first argument is no tensor
			args = append([]string{w.value(subscripts, "")}, args...)
			delete(keywords, "subscripts")
		}
	}
	if _, said := keywords["training"]; said { // a step trains or not, whatever its layers were called with (functional.py, operation_fn)
		keywords = maps.Clone(keywords)
		delete(keywords, "training")
	}
	if !dotted(called) {
		return w.fail(fmt.Errorf("%q is no function", called))
	}
	if given := w.keywords(keywords); given != "" {
		args = append(args, given)
	}
	return called + "(" + strings.Join(args, ", ") + ")"
}

// operators are Python's, by the names that Keras 2 has for a tensor's.
var operators = map[string]string{
	"add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%", "pow": "**", "matmul": "@",
	"lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "==", "ne": "!=", "and": "&", "or": "|", "xor": "^",
}

// operator returns the use of an operator: Keras 2 names "add", or "getitem", of "tf.__operators__".
func (w *writer) operator(name string, args []string, keywords map[string]any) string {
	if spec, ok := keywords["slice_spec"]; ok && name == "getitem" && len(args) == 1 {
		return args[0] + "[" + w.index(spec) + "]"
	}
	if y, ok := keywords["y"]; ok {
		args = append(args, w.value(y, ""))
	}
	if operators[name] == "" || len(args) != 2 {
		return w.unbound("tf.__operators__."+name) + "()"
	}
	return "(" + args[0] + " " + operators[name] + " " + args[1] + ")"
}

// index returns what stands in the brackets of an item.
func (w *writer) index(v any) string {
	items, several := v.([]any)
	if !several {
		items = []any{v}
	}
	out := make([]string, len(items))
	for i, item := range items {
		if o, ok := item.(map[string]any); ok && o["class_name"] == nil { // Keras 2: {"start": …}
			out[i] = fmt.Sprintf("slice(%s, %s, %s)", w.value(o["start"], ""), w.value(o["stop"], ""), w.value(o["step"], ""))
			continue
		}
		out[i] = w.value(item, "")
	}
	if len(out) == 0 {
		return "()"
	}
	return strings.Join(out, ", ")
}

// tensor returns the expression of a tensor, which a configuration names by the layer that made it, the
// layer's call and the place among what that returned. Keras counts the call that made a nested model
// where counted is set.
func (w *writer) tensor(v any, counted bool) string {
	at, _ := v.([]any)
	name, node, index, ok := history(at)
	n := w.network()
	if !ok || n == nil || n.layers[name] == nil {
		return w.fail(errLoop)
	}
	l := n.layers[name]
	if counted {
		node = max(0, node-l.built)
	}
	if node < 0 || node >= len(l.calls) {
		return w.fail(errLoop)
	}
	return fmt.Sprintf("keras.tree.flatten(%s)[%d]", l.calls[node], index)
}

// ends returns the inputs or outputs of a network, in the structure that its calls have.
func (w *writer) ends(v any) string {
	switch v := v.(type) {
	case []any:
		if _, _, _, ok := history(v); ok {
			return w.tensor(v, true)
		}
		items := make([]string, len(v))
		for i, item := range v {
			items[i] = w.ends(item)
		}
		return "[" + strings.Join(items, ", ") + "]"
	case map[string]any:
		var items []string
		for _, key := range slices.Sorted(maps.Keys(v)) {
			items = append(items, quote(key)+": "+w.ends(v[key]))
		}
		return "{" + strings.Join(items, ", ") + "}"
	}
	return w.fail(errLoop)
}

// history returns the layer, the call and the place that a tensor is named by.
func history(v []any) (layer string, node, index int, ok bool) {
	if len(v) < 3 {
		return "", 0, 0, false
	}
	layer, ok = v[0].(string)
	for i, to := range []*int{&node, &index} {
		n, number := v[i+1].(json.Number)
		whole, err := n.Int64()
		if !number || err != nil || whole < 0 || whole > 1<<20 {
			return "", 0, 0, false
		}
		*to = int(whole)
	}
	return layer, node, index, ok
}

// function returns the name of the function that an operation's class is for: "GetItem" is get_item,
// "RGBToHSV" is rgb_to_hsv (keras/src/ops, where each class stands beside its function).
func function(class string) string {
	var out strings.Builder
	letters := []rune(class)
	for i, r := range letters {
		if i > 0 && unicode.IsUpper(r) && (unicode.IsLower(letters[i-1]) || i+1 < len(letters) && unicode.IsLower(letters[i+1])) {
			out.WriteByte('_')
		}
		out.WriteRune(unicode.ToLower(r))
	}
	return out.String()
}
