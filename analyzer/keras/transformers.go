package keras

import (
	"fmt"
	"strings"

	"github.com/tfmem/tfmem/analyzer/interp"
	"github.com/tfmem/tfmem/analyzer/keras/models"
	"github.com/tfmem/tfmem/analyzer/keras/state"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/value"
)

// A pretrain describes a model of transformers, as its config.json does.
type pretrain struct {
	kind                                                       string
	vocabulary, hidden, layers, heads, inner, positions, kinds int64
}

// The shapes of models that many of them have.
var (
	bertBase    = pretrain{"bert", 0, 768, 12, 12, 3072, 512, 2}
	bertLarge   = pretrain{"bert", 0, 1024, 24, 16, 4096, 512, 2}
	robertaBase = pretrain{"roberta", 0, 768, 12, 12, 3072, 514, 1}
	distilled   = pretrain{"distilbert", 0, 768, 6, 12, 3072, 512, 0}
)

// of is the model with so many words.
func (c pretrain) of(vocabulary int64) pretrain {
	c.vocabulary = vocabulary
	return c
}

// pretrains are the models that from_pretrained loads, by their names on huggingface.co. Their
// figures are those of their config.json, or of the page "Pretrained models" of transformers 4.4,
// and of github.com/google-research/bert for the small ones.
var pretrains = map[string]pretrain{
	"bert-base-uncased":                                bertBase.of(30522),
	"bert-base-cased":                                  bertBase.of(28996),
	"bert-base-chinese":                                bertBase.of(21128),
	"bert-base-multilingual-cased":                     bertBase.of(119547),
	"bert-base-multilingual-uncased":                   bertBase.of(105879),
	"bert-large-uncased":                               bertLarge.of(30522),
	"bert-large-cased":                                 bertLarge.of(28996),
	"bert-large-uncased-whole-word-masking":            bertLarge.of(30522),
	"nlptown/bert-base-multilingual-uncased-sentiment": bertBase.of(105879),
	"dmis-lab/biobert-v1.1":                            bertBase.of(28996),
	"prajjwal1/bert-tiny":                              {"bert", 30522, 128, 2, 2, 512, 512, 2},
	"prajjwal1/bert-mini":                              {"bert", 30522, 256, 4, 4, 1024, 512, 2},
	"prajjwal1/bert-small":                             {"bert", 30522, 512, 4, 8, 2048, 512, 2},
	"prajjwal1/bert-medium":                            {"bert", 30522, 512, 8, 8, 2048, 512, 2},
	"roberta-base":                                     robertaBase.of(50265),
	"roberta-large":                                    {"roberta", 50265, 1024, 24, 16, 4096, 514, 1},
	"distilroberta-base":                               {"roberta", 50265, 768, 6, 12, 3072, 514, 1},
	"distilbert-base-uncased":                          distilled.of(30522),
	"distilbert-base-cased":                            distilled.of(28996),
	"distilbert-base-multilingual-cased":               distilled.of(119547),
	"distilbert-base-uncased-finetuned-sst-2-english":  distilled.of(30522),
}

// transformersTable are the classes of transformers that are followed, and the kind of model that
// each loads; an Auto class loads any.
var transformersTable = func() state.Table {
	out := state.Table{}
	for prefix, kind := range map[string]string{"Bert": "bert", "Roberta": "roberta", "DistilBert": "distilbert", "AutoModel": ""} {
		model := "transformers.TF" + strings.TrimSuffix(prefix, "Model")
		out[model+"Model.from_pretrained"] = pretrained(kind, "encoder")
		out["transformers.TF"+prefix+"ForSequenceClassification.from_pretrained"] = pretrained(kind, "classifier")
	}
	for prefix, kind := range map[string]string{"Bert": "bert", "Roberta": "roberta", "DistilBert": "distilbert", "Auto": ""} {
		for _, speed := range []string{"", "Fast"} {
			out["transformers."+prefix+"Tokenizer"+speed+".from_pretrained"] = tokenizing(kind)
		}
	}
	out["transformers.tokenization_utils_base.longest"] = longest
	// What is read may be anything: it is taken to be several texts.
	out["transformers.tokenization_utils_base.single"] = func(c *state.Call) value.Value {
		_, single := value.Positional(c.Args, 0).X.(string)
		return value.Value{X: single}
	}
	return out
}()

// longest is how many tokens the longest of some texts has, of which at most so many are kept.
func longest(c *state.Call) value.Value {
	most, ok := value.WholeOf(value.Positional(c.Args, 0))
	if !ok || c.H.Bounds.At == state.Unbounded {
		return c.H.Unknown(value.FileContents, "how many tokens the longest text has")
	}
	return value.Value{X: c.H.Bounds.Between(1, most, fmt.Sprintf("How many tokens the longest text has is not known: it is taken to have 1 to %d.", most))}
}

// known returns what from_pretrained loads of a kind, "" for any.
func known(args *value.Args, kind string) (pretrain, *value.Cause) {
	given, _ := args.Get(0, "pretrained_model_name_or_path")
	name, ok := given.X.(string)
	if !ok {
		return pretrain{}, value.Because(value.FileContents, "the model that from_pretrained loads is not known")
	}
	short := name
	for _, owner := range []string{"google-bert/", "FacebookAI/", "distilbert/"} {
		short = strings.TrimPrefix(short, owner)
	}
	k, ok := pretrains[short]
	if !ok || kind != "" && kind != k.kind {
		return pretrain{}, value.Because(value.FileContents, "the configuration of %q is not in tfmem's table", name)
	}
	return k, nil
}

// tokenizing loads the tokenizer of a model of a kind.
func tokenizing(kind string) state.Owner {
	return func(c *state.Call) value.Value {
		k, why := known(c.Args, kind)
		if why != nil {
			return why.Unknown()
		}
		args := &value.Args{Positional: []value.Value{{X: k.kind}, {X: k.vocabulary}}, Node: c.Args.Node}
		return interp.Call(c.In, ofSource(c.H, c.In, "transformers", "tokenizer"), args)
	}
}

// pretrained loads a model of a kind into what a function of sources/transformers.py makes.
func pretrained(kind, function string) state.Owner {
	return func(c *state.Call) value.Value {
		k, why := known(c.Args, kind)
		if why != nil {
			return why.Unknown()
		}
		if _, ok := c.Args.Keywords.Get("config"); ok {
			return objects.Unknown(value.UnmodelledArgument, "from_pretrained with config= is not followed")
		}
		config := value.Tuple{{X: k.kind}}
		for _, n := range []int64{k.vocabulary, k.hidden, k.layers, k.heads, k.inner, k.positions, k.kinds} {
			config = append(config, value.Value{X: n})
		}
		args := &value.Args{Positional: []value.Value{{X: config}}, Keywords: c.Args.Keywords, Open: c.Args.Open, Node: c.Args.Node}
		made := interp.Call(c.In, ofSource(c.H, c.In, "transformers", function), args)
		if m := models.ModelOf(made); m != nil {
			m.Model.Node = c.Args.Node
		}
		return made
	}
}
