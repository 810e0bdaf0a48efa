package keras

import (
	"maps"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/interp"
	"github.com/tfmem/tfmem/analyzer/keras/models"
	"github.com/tfmem/tfmem/analyzer/keras/state"
	"github.com/tfmem/tfmem/analyzer/value"
)

// hubModules are the modules of KerasHub's models; keras_nlp is its former name.
var hubModules = []string{"keras_hub.models.", "keras_nlp.models."}

// hubBackbones are the backbones of sources/keras_hub.py, and the tasks on top of each.
var hubBackbones = map[string][]string{
	"BertBackbone":       {"BertTextClassifier", "BertClassifier"},
	"RobertaBackbone":    {"RobertaTextClassifier", "RobertaClassifier"},
	"XLMRobertaBackbone": {"XLMRobertaTextClassifier", "XLMRobertaClassifier"},
	"DistilBertBackbone": {"DistilBertTextClassifier", "DistilBertClassifier"},
	"GPT2Backbone":       {"GPT2CausalLM"},
	"OPTBackbone":        {"OPTCausalLM"},
	"LlamaBackbone":      {"LlamaCausalLM"},
	"Llama3Backbone":     {"Llama3CausalLM"},
	"MistralBackbone":    {"MistralCausalLM"},
	"GemmaBackbone":      {"GemmaCausalLM"},
	"ViTBackbone":        {"ViTImageClassifier"},
	"ResNetBackbone":     {"ResNetImageClassifier"},
	"VGGBackbone":        nil,
}

// hubTextTasks are the tasks whose preprocessors make tokens of texts.
var hubTextTasks = []string{"BertTextClassifier", "RobertaTextClassifier", "XLMRobertaTextClassifier", "DistilBertTextClassifier", "GPT2CausalLM",
	"OPTCausalLM", "LlamaCausalLM", "Llama3CausalLM", "MistralCausalLM", "GemmaCausalLM"}

// hubGeneral are the classes whose from_preset makes one of those that end in it.
var hubGeneral = []string{"Backbone", "TextClassifier", "Classifier", "ImageClassifier", "CausalLM"}

// hubTable are KerasHub's models. Those that are not followed are models of which that is said, and
// so are all of KerasCV.
var hubModelTable = func() state.Table {
	out := state.Table{"keras_cv.models.*": func(c *state.Call) value.Value { return notFollowed(c, "keras_cv.models.") }}
	for _, module := range hubModules {
		out[module+"*"] = func(c *state.Call) value.Value { return notFollowed(c, module) }
		for backbone, tasks := range hubBackbones {
			for _, class := range append(slices.Clone(tasks), backbone) {
				out[module+class] = func(c *state.Call) value.Value { return hubModel(c, class, c.Args) }
				out[module+class+".from_preset"] = func(c *state.Call) value.Value { return ofPreset(c, class) }
			}
		}
		for _, class := range hubGeneral {
			out[module+class+".from_preset"] = func(c *state.Call) value.Value { return ofPreset(c, class) }
		}
	}
	for _, task := range hubTextTasks {
		for _, module := range hubModules {
			out[module+task+"Preprocessor"] = fromSource("keras_hub", task+"Preprocessor")
			out[module+task+"Preprocessor.from_preset"] = func(c *state.Call) value.Value { return hubPreprocessor(c, task) }
		}
	}
	for _, class := range strings.Fields("PositionEmbedding SinePositionEncoding RotaryEmbedding TokenAndPositionEmbedding TransformerEncoder TransformerDecoder ReversibleEmbedding CachedMultiHeadAttention") {
		for _, module := range []string{"keras_hub.layers.", "keras_nlp.layers."} {
			out[module+class] = fromSource("keras_hub", class)
		}
	}
	return out
}()

// notFollowed answers for a class of a library's models, or for its from_preset.
func notFollowed(c *state.Call, module string) value.Value {
	class, method, _ := strings.Cut(strings.TrimPrefix(c.Name, module), ".")
	for _, other := range []string{"Preprocessor", "Tokenizer", "Converter"} {
		if strings.HasSuffix(class, other) {
			return value.Value{}
		}
	}
	if method != "" && method != "from_preset" || class == "" || strings.ToLower(class[:1]) == class[:1] {
		return value.Value{}
	}
	return models.NotFollowed(c.H, c.In, class, c.Args.Node, value.Because(value.UnmodelledLayer, "tfmem does not follow %s", c.Name))
}

// hubModel makes a model of a class of sources/keras_hub.py.
func hubModel(c *state.Call, class string, args *value.Args) value.Value {
	if to, given := args.Keywords.Get("dtype"); given && to.X != (value.None{}) {
		return models.NotFollowed(c.H, c.In, class, c.Args.Node, value.Because(value.UnmodelledArgument, "dtype= of %s is not followed", class))
	}
	made := interp.Call(c.In, ofSource(c.H, c.In, "keras_hub", class), args)
	m := models.ModelOf(made)
	if m == nil {
		return models.NotFollowed(c.H, c.In, class, c.Args.Node, value.Because(value.UnmodelledLayer, "the result of %s is not known: %s", class, made.Cause()))
	}
	m.Model.Node = c.Args.Node
	return made
}

// ofPreset is from_preset of a backbone, of a task, or of a general class.
func ofPreset(c *state.Call, class string) value.Value {
	given, _ := c.Args.Get(0, "preset")
	name, ok := given.X.(string)
	preset, known := hubPresets[name]
	if !known {
		why := value.Because(value.FileContents, "the configuration of the preset %q is not in tfmem's table", name)
		if !ok {
			why = value.Because(value.FileContents, "the preset that %s loads is not known", class)
		}
		return models.NotFollowed(c.H, c.In, class, c.Args.Node, why)
	}
	made := preset.backbone
	if !strings.HasSuffix(class, "Backbone") {
		made = ""
		for _, task := range hubBackbones[preset.backbone] {
			if task == class || made == "" && strings.HasSuffix(task, class) {
				made = task
			}
		}
	}
	if made == "" || class != "Backbone" && strings.HasSuffix(class, "Backbone") && class != made {
		return models.NotFollowed(c.H, c.In, class, c.Args.Node, value.Refused("%s has no preset %q", class, name))
	}
	args := &value.Args{Node: c.Args.Node, Open: c.Args.Open}
	for keyword, v := range c.Args.Keywords.All() {
		if keyword != "preset" && keyword != "load_weights" {
			args.Keywords.Put(keyword, v)
		}
	}
	of := &value.Args{Node: c.Args.Node}
	if made == preset.backbone {
		of = args
	}
	for _, keyword := range slices.Sorted(maps.Keys(preset.arguments)) {
		if _, passed := of.Keywords.Get(keyword); !passed {
			of.Keywords.Put(keyword, preset.arguments[keyword])
		}
	}
	backbone := hubModel(c, preset.backbone, of)
	if made == preset.backbone || models.ModelOf(backbone) == nil {
		return backbone
	}
	args.Keywords.Put("backbone", backbone)
	if _, passed := args.Keywords.Get("preprocessor"); !passed && slices.Contains(hubTextTasks, made) {
		args.Keywords.Put("preprocessor", interp.Call(c.In, ofSource(c.H, c.In, "keras_hub", made+"Preprocessor"), &value.Args{Node: c.Args.Node}))
	}
	return hubModel(c, made, args)
}

// hubPreprocessor is from_preset of a task's preprocessor: the tokenizer of a preset does not matter.
func hubPreprocessor(c *state.Call, task string) value.Value {
	args := &value.Args{Node: c.Args.Node, Open: c.Args.Open}
	for keyword, v := range c.Args.Keywords.All() {
		if keyword != "preset" {
			args.Keywords.Put(keyword, v)
		}
	}
	return interp.Call(c.In, ofSource(c.H, c.In, "keras_hub", task+"Preprocessor"), args)
}
