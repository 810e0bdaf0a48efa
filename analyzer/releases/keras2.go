package releases

import (
	"regexp"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// A sign is a call that Keras 2 runs and Keras 3 refuses (tried with TensorFlow 2.13 and Keras 3.15.1).
type sign struct {
	of    func(name string) bool             // what is called
	shows func(call syntax.Node) syntax.Node // the part of the call that Keras 3 refuses, or none
}

var signs = []sign{
	{func(name string) bool { return effects.OnlyInKeras(name) == 2 }, called},
	{func(name string) bool { // of models of all classes
		dot := strings.LastIndexByte(name, '.')
		return strings.HasPrefix(name, "tensorflow.keras.") && slices.Contains(gone, name[dot+1:])
	}, called},
	{in("Model.", "fit", "evaluate", "predict"), with("workers", "use_multiprocessing", "max_queue_size")},
	{func(name string) bool {
		return strings.HasPrefix(name, "tensorflow.keras.metrics.") && strings.HasSuffix(name, ".reset_states")
	}, called},
	{in("layers.", "LSTM", "GRU", "SimpleRNN"), with("input_dim", "input_length")}, // it is the size of the whole input shape
	{in("layers.", "Dense", "Conv1D"), with("input_length")},
	{layersBut("Bidirectional", "Embedding", "ReversibleEmbedding"), with("weights")},
	{layersBut("InputLayer"), with("batch_input_shape")},
	{in("layers.", "AveragePooling1D", "AveragePooling2D", "AveragePooling3D"), unsized},
	{in("layers.Layer.", "add_weight", "add_variable"), text(0, "")}, // its name, where Keras 3 has the shape
	{in("metrics.Metric.", "add_weight"), text(0, "")},
	{in("optimizers.", "SGD", "Adam", "RMSprop", "Adagrad", "Adadelta", "Nadam", "Adamax"), with("lr")},
	{in("callbacks.", "ModelCheckpoint"), with("period")},
	{in("callbacks.", "ModelCheckpoint"), elsewhere},
	{in("Model.", "compile"), text(-1, "metrics")}, // not a list (keras/src/trainers/compile_utils.py, CompileMetrics)
	{in("", "Input", "layers.Input", "layers.InputLayer"), ofOneSize},
	{layersBut(), slashed},
	{modelsAndOptimizers, slashed},
}

// gone are the methods of models that Keras 3 no longer has.
var gone = []string{"fit_generator", "evaluate_generator", "predict_generator", "predict_classes", "predict_proba"}

// only are methods of models with keywords that only Keras 2 has. They identify Keras 2 even if
// the class of the model is not known.
var only = map[string][]string{
	"fit_generator":      {"steps_per_epoch", "validation_steps", "max_queue_size", "max_q_size", "use_multiprocessing", "samples_per_epoch"},
	"evaluate_generator": {"steps", "max_queue_size", "max_q_size", "use_multiprocessing", "val_samples"},
	"predict_generator":  {"steps", "max_queue_size", "max_q_size", "use_multiprocessing", "val_samples"},
	"fit":                {"max_queue_size", "use_multiprocessing"},
	"evaluate":           {"max_queue_size", "use_multiprocessing"},
	"predict":            {"max_queue_size", "use_multiprocessing"},
}

// in returns a test for some members of a part of Keras.
func in(part string, members ...string) func(string) bool {
	return func(name string) bool {
		member, ok := strings.CutPrefix(name, "tensorflow.keras."+part)
		return ok && slices.Contains(members, member)
	}
}

// layersBut returns a test for the classes of layers except some.
func layersBut(others ...string) func(string) bool {
	return func(name string) bool {
		class, ok := strings.CutPrefix(name, "tensorflow.keras.layers.")
		return ok && class != "" && 'A' <= class[0] && class[0] <= 'Z' && !strings.Contains(class, ".") && !slices.Contains(others, class)
	}
}

var modelsAndOptimizers = in("", "Input", "Model", "Sequential", "models.Model", "models.Sequential", "optimizers.SGD", "optimizers.Adam", "optimizers.RMSprop", "optimizers.Adagrad", "optimizers.Adadelta", "optimizers.Nadam", "optimizers.Adamax")

func called(call syntax.Node) syntax.Node { return call.Child(syntax.FieldFunction) }

// with returns a function that finds the first of some keywords in a call.
func with(keywords ...string) func(syntax.Node) syntax.Node {
	return func(call syntax.Node) syntax.Node {
		for _, keyword := range keywords {
			if v := names.Argument(call, -1, keyword); v.Valid() {
				return v.Parent()
			}
		}
		return syntax.Node{}
	}
}

// unsized returns the call of a pool without a size.
func unsized(call syntax.Node) syntax.Node {
	if names.Argument(call, 0, "pool_size").Valid() || names.HasSplat(call) {
		return syntax.Node{}
	}
	return called(call)
}

// text returns a function that finds an argument that is a text.
func text(place int, keyword string) func(syntax.Node) syntax.Node {
	return func(call syntax.Node) syntax.Node {
		if v := names.Argument(call, place, keyword); v.Kind() == syntax.String {
			return v
		}
		return syntax.Node{}
	}
}

// ofOneSize returns a shape that is a number (keras/src/backend/common/variables.py,
// standardize_shape).
func ofOneSize(call syntax.Node) syntax.Node {
	shape := names.Argument(call, 0, "shape")
	n := shape
	for n.Kind() == syntax.ParenthesizedExpression {
		n = n.FirstChild()
	}
	if n.Kind() == syntax.Integer {
		return shape
	}
	return syntax.Node{}
}

// slashed returns a name that contains a slash: all of it, or a part that is added
// (keras/src/ops/operation.py and keras/src/optimizers/base_optimizer.py, __init__).
func slashed(call syntax.Node) syntax.Node {
	name := names.Argument(call, -1, "name")
	var contains func(n syntax.Node) bool
	contains = func(n syntax.Node) bool {
		switch n.Kind() {
		case syntax.BinaryOperator:
			return contains(n.Child(syntax.FieldLeft)) || contains(n.Child(syntax.FieldRight))
		case syntax.ParenthesizedExpression:
			return contains(n.FirstChild())
		}
		if n.Kind() != syntax.String {
			return false
		}
		text := n.Text()
		for c := range n.Children() { // {} in it
			text = strings.Replace(text, c.Text(), "", 1)
		}
		return strings.Contains(text, "/")
	}
	if contains(name) {
		return name
	}
	return syntax.Node{}
}

// elsewhere returns the path of a checkpoint that Keras 3 does not write.
func elsewhere(call syntax.Node) syntax.Node {
	path := names.Argument(call, 0, "filepath")
	last := path
	if strings.HasSuffix(called(path).Text(), "path.join") && !names.HasSplat(path) {
		for a := range path.Child(syntax.FieldArguments).Children() {
			last = a
		}
	}
	text, literal := names.StringValue(last)
	weights := names.Argument(call, 4, "save_weights_only").Text()
	if !literal || names.HasSplat(call) || weights != "" && weights != "True" && weights != "False" || Saves3(text, weights == "True") {
		return syntax.Node{}
	}
	return path
}

// Saves3 reports whether Keras 3's ModelCheckpoint writes to a path, for weights only or for all
// (keras/src/callbacks/model_checkpoint.py).
func Saves3(path string, weights bool) bool {
	return slices.ContainsFunc(Checkpoints3(weights), func(end string) bool { return strings.HasSuffix(path, end) })
}

// Checkpoints3 returns the suffixes of the paths that Keras 3's ModelCheckpoint writes to.
func Checkpoints3(weights bool) []string {
	if weights {
		return []string{".weights.h5"}
	}
	return []string{".keras", ".h5"}
}

// operates reports whether a TensorFlow function accepts a symbolic tensor of Keras 2 and refuses
// one of Keras 3 ("A KerasTensor cannot be used as input to a TensorFlow function"). Both versions
// refuse it in map_fn and while_loop; Keras 3 accepts it in print and cond (tried with TensorFlow
// 2.13 and Keras 3.15.1).
func operates(name string) bool {
	return effects.Of(name).Has(effects.AddsOperation) && !strings.HasPrefix(name, "tensorflow.keras.") &&
		!slices.Contains([]string{"tensorflow.map_fn", "tensorflow.while_loop", "tensorflow.print", "tensorflow.cond"}, name)
}

// takesSymbolic returns the function of a call that gets a symbolic tensor, alone or in a list; otherwise
// none.
func takesSymbolic(v *flow.Values, call syntax.Node) syntax.Node {
	for a := range call.Child(syntax.FieldArguments).Children() {
		if a.Kind() == syntax.KeywordArgument {
			a = a.Child(syntax.FieldValue)
		}
		if v.Symbolic(a) {
			return called(call)
		}
	}
	return syntax.Node{}
}

// switches returns the positional training argument of a call, if it is True or False: Keras 3
// accepts only tensors and None there (keras/src/layers/layer.py, Layer.__call__).
func switches(v *flow.Values, info *names.Info, call syntax.Node) syntax.Node {
	for i := range 2 {
		a := names.Argument(call, i+1, "")
		if a.Is(syntax.True, syntax.False, syntax.Identifier) && info.InstanceOf(called(call), "tensorflow.keras.layers.Layer") {
			if v.Truth(a) {
				return a
			}
		}
	}
	return syntax.Node{}
}

// SignOfKeras2 returns where a module shows that it can only run with Keras 2, whatever the program
// makes of it. It returns none if the module does not, supports another, or mentions Keras 3 as
// well.
func SignOfKeras2(info *names.Info) syntax.Node {
	text := info.Tree.Text()
	if !strings.Contains(text, "keras") && !strings.Contains(text, "segmentation_models") && !strings.Contains(text, "tensorflow_addons") || mentionsKeras3(info) {
		return syntax.Node{}
	}
	for s := range info.Tree.Statements() {
		if s.Is(syntax.ImportStatement, syntax.ImportFromStatement) && slices.ContainsFunc(imports(s), effects.OfKeras2) {
			return s
		}
	}
	var found syntax.Node
	note := func(n syntax.Node) {
		if n.Valid() && (!found.Valid() || n.Start() < found.Start()) && !hedged(info, n) {
			found = n
		}
	}
	signsOf := map[string][]sign{}
	for _, call := range info.CallsTo(func(name string) bool {
		for _, s := range signs {
			if s.of(name) {
				signsOf[name] = append(signsOf[name], s)
			}
		}
		return len(signsOf[name]) > 0
	}) {
		for _, s := range signsOf[info.Callee(call)] {
			note(s.shows(call))
		}
	}
	for _, call := range info.MethodCalls(func(name string) bool { return only[name] != nil }) {
		function := called(call)
		if info.Callee(call) == "" && with(only[function.Child(syntax.FieldAttribute).Text()]...)(call).Valid() {
			note(function)
		}
	}
	truths := flow.NewValues(info)
	for _, call := range info.Calls {
		note(switches(truths, info, call))
	}
	tensors := flow.NewValues(info)
	for _, call := range info.CallsTo(operates) {
		note(takesSymbolic(tensors, call))
	}
	return found
}

// mentionsKeras3 reports whether a module calls something that only Keras 3 has.
func mentionsKeras3(info *names.Info) bool {
	return len(info.CallsTo(func(name string) bool { return effects.OnlyInKeras(name) == 3 })) > 0
}

// imports returns the modules that an import statement names, and the names that it takes from
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

// AsksForVersion reports whether an expression depends on the version of TensorFlow or Keras: it
// reads the version, itself or through a name that is bound to it, or a name says that it is
// about that. A version of anything else, such as a model's, does not count.
func AsksForVersion(info *names.Info, n syntax.Node) bool {
	return dependsOnVersion(info, n, maxNamed, map[*names.Binding]int{})
}

// maxNamed bounds through how many names a version is followed.
const maxNamed = 4

// dependsOnVersion follows names no deeper than depth. seen holds how deep bindings were followed.
func dependsOnVersion(info *names.Info, n syntax.Node, depth int, seen map[*names.Binding]int) bool {
	defer info.Enter(n).Leave()
	found := false
	n.Walk(func(n syntax.Node) bool {
		switch n.Kind() {
		case syntax.Identifier, syntax.Attribute:
			name := n.Text()
			if n.Kind() == syntax.Attribute {
				name = n.Child(syntax.FieldAttribute).Text()
			}
			found = found || ofTensorFlow.MatchString(name) || ofLibrary(info.Qualified(n)) && namesVersion(name)
			if n.Kind() == syntax.Identifier && depth > 0 && !found && info.Used(n) {
				found = slices.ContainsFunc(info.ReachingDefs(n), func(b *names.Binding) bool {
					if b.Kind != names.AssignBinding || b.Value == n || seen[b] >= depth {
						return false
					}
					seen[b] = depth
					return dependsOnVersion(info, b.Value, depth-1, seen)
				})
			}
		case syntax.Call:
			found = found || asksInstaller(info, n)
		case syntax.Lambda:
			return false
		}
		return !found
	})
	return found
}

// findsVersion reports whether a function finds out the version of a package.
func findsVersion(name string) bool {
	switch name {
	case "tensorflow.compat.forward_compatible", "tensorflow.keras.version",
		"importlib.metadata.version", "importlib_metadata.version", "pkg_resources.get_distribution", "pkg_resources.require":
		return true
	}
	return false
}

// asksInstaller reports whether a call finds out which TensorFlow or Keras is installed.
func asksInstaller(info *names.Info, call syntax.Node) bool {
	name := info.Callee(call)
	if ofLibrary(name) {
		return findsVersion(name)
	}
	dist, ok := names.StringValue(names.Argument(call, 0, "dist"))
	return ok && findsVersion(name) && ofLibrary(strings.ReplaceAll(dist, "-", "."))
}

// ofLibrary reports whether a name belongs to TensorFlow, Keras or one of their packages.
func ofLibrary(name string) bool {
	first, _, _ := strings.Cut(name, ".")
	return first == "tensorflow" || first == "keras" || first == "tf_keras"
}

// namesVersion reports whether version is one of the words of a name.
func namesVersion(name string) bool { return ofVersion.MatchString(name) }

// Chooses reports whether a test seems to choose between two generations of TensorFlow or Keras.
func Chooses(info *names.Info, test syntax.Node) bool {
	return test.Valid() && (AsksForVersion(info, test) || ofGenerations.MatchString(test.Text()))
}

var (
	ofVersion     = regexp.MustCompile(`(?:^|[^a-z])versions?(?:[^a-z]|$)|(?:^|[^A-Z])VERSIONS?(?:[^A-Z]|$)|Versions?(?:[^a-z]|$)`)
	ofTensorFlow  = regexp.MustCompile(`(?i)(?:^|[^a-z])(?:tf|tensorflow|keras)(?:_?v?[12](?:[^a-z0-9]|$)|(?:_.*)?_?version)|version_?(?:of_?)?(?:tf|tensorflow|keras)(?:[^a-z]|$)`)
	ofGenerations = regexp.MustCompile(`(?i)hasattr|compat|eager|legacy|(?:^|[^a-z0-9])v[12](?:[^a-z0-9]|$)`)
)

// hedged reports whether code stands where the program supports another version.
func hedged(info *names.Info, n syntax.Node) bool {
	for p := n.Parent(); p.Valid(); p = p.Parent() {
		switch {
		case p.Is(syntax.TryStatement, syntax.ExceptClause):
			return true
		case p.Is(syntax.IfStatement, syntax.ElifClause, syntax.ConditionalExpression):
			test := p.Child(syntax.FieldCondition)
			if p.Kind() == syntax.ConditionalExpression {
				test = p
			}
			if Chooses(info, test) {
				return true
			}
		}
	}
	return false
}
