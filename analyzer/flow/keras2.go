package flow

import (
	"regexp"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// generators are the methods of models that Keras 3 no longer has, and keywords that only
// Keras used.
var generators = map[string][]string{
	"fit_generator":      {"steps_per_epoch", "validation_steps", "max_queue_size", "max_q_size", "use_multiprocessing", "samples_per_epoch"},
	"evaluate_generator": {"steps", "max_queue_size", "max_q_size", "use_multiprocessing", "val_samples"},
	"predict_generator":  {"steps", "max_queue_size", "max_q_size", "use_multiprocessing", "val_samples"},
	"predict_classes":    nil,
	"predict_proba":      nil,
}

// refused are arguments that layers and optimizers of Keras 3 refuse (recorded from
// 3.15.1): a recurrent layer takes input_dim for the whole of its input's shape.
func refused(name string) []string {
	class, ok := strings.CutPrefix(name, "tensorflow.keras.layers.")
	switch {
	case ok && (class == "LSTM" || class == "GRU" || class == "SimpleRNN"):
		return []string{"input_dim", "input_length"}
	case ok && (class == "Dense" || class == "Conv1D"):
		return []string{"input_length"}
	}
	switch name {
	case "tensorflow.keras.optimizers.SGD", "tensorflow.keras.optimizers.Adam", "tensorflow.keras.optimizers.RMSprop", "tensorflow.keras.optimizers.Adagrad",
		"tensorflow.keras.optimizers.Adadelta", "tensorflow.keras.optimizers.Nadam", "tensorflow.keras.optimizers.Adamax":
		return []string{"lr"}
	}
	return nil
}

// Keras2 is where a module shows that it can only run with Keras 2, whatever the program makes
// of it; none where it does not, is ready for another, or speaks of Keras 3 as well.
func Keras2(info *names.Info) syntax.Node {
	if !strings.Contains(info.Tree.Text(), "keras") || len(info.CallsTo(func(name string) bool { return effects.OnlyInKeras(name) == 3 })) > 0 {
		return syntax.Node{}
	}
	for s := range info.Tree.Statements() {
		if s.Is(syntax.ImportStatement, syntax.ImportFromStatement) && slices.ContainsFunc(imports(s), effects.OfKeras2) {
			return s
		}
	}
	var found syntax.Node
	note := func(n syntax.Node) {
		if (!found.Valid() || n.Start() < found.Start()) && !hedged(n) {
			found = n
		}
	}
	for _, call := range info.CallsTo(func(name string) bool { return effects.OnlyInKeras(name) == 2 || refused(name) != nil }) {
		name := info.Callee(call)
		if effects.OnlyInKeras(name) == 2 {
			note(call.Child(syntax.FieldFunction))
		}
		for _, keyword := range refused(name) {
			if v := names.Argument(call, -1, keyword); v.Valid() {
				note(v.Parent())
			}
		}
	}
	for _, call := range info.Calls {
		function := call.Child(syntax.FieldFunction)
		keywords, ok := generators[function.Child(syntax.FieldAttribute).Text()]
		if !ok || function.Kind() != syntax.Attribute {
			continue
		}
		switch name := info.Callee(call); {
		case strings.HasPrefix(name, "tensorflow.keras."):
			note(function)
		case name == "" && slices.ContainsFunc(keywords, func(k string) bool { return names.Argument(call, -1, k).Valid() }):
			note(function)
		}
	}
	return found
}

// imports are the modules that an import statement names, and the names that it takes from
// one.
func imports(s syntax.Node) []string {
	module := s.Child(syntax.FieldModuleName)
	out := []string{module.Text()}
	for c := range s.Children() {
		if c.Kind() == syntax.AliasedImport {
			c = c.Child(syntax.FieldName)
		}
		switch {
		case c == module || c.Kind() != syntax.DottedName:
		case module.Valid():
			out = append(out, module.Text()+"."+c.Text())
		default:
			out = append(out, c.Text())
		}
	}
	return out
}

// AsksForVersion reports whether an expression is, by its names, about which TensorFlow it is.
func AsksForVersion(n syntax.Node) bool { return ofVersion.MatchString(n.Text()) }

// Chooses reports whether a choice is, by the look of it, one between two generations of
// TensorFlow or Keras.
func Chooses(test syntax.Node) bool {
	return AsksForVersion(test) || ofGenerations.MatchString(test.Text())
}

var (
	ofVersion     = regexp.MustCompile(`(?i)version|(?:^|[^a-z0-9])(?:tf|tensorflow)_?v?[12](?:[^a-z0-9]|$)`)
	ofGenerations = regexp.MustCompile(`(?i)hasattr|compat|eager|legacy|(?:^|[^a-z0-9])v[12](?:[^a-z0-9]|$)`)
)

// hedged reports whether code stands where the program is ready for another version.
func hedged(n syntax.Node) bool {
	for p := n.Parent(); p.Valid(); p = p.Parent() {
		switch {
		case p.Is(syntax.TryStatement, syntax.ExceptClause):
			return true
		case p.Is(syntax.IfStatement, syntax.ElifClause, syntax.ConditionalExpression):
			test := p.Child(syntax.FieldCondition)
			if p.Kind() == syntax.ConditionalExpression {
				test = p
			}
			if Chooses(test) {
				return true
			}
		}
	}
	return false
}
