package keras

import (
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/value"
)

// words answers the methods of a layer that maps words or categories to numbers: they are known
// if the program gives it a vocabulary (keras/src/layers/preprocessing/index_lookup.py,
// vocabulary_size, get_vocabulary).
func (v *layerValue) words(in *value.Interp, name string) (value.Value, bool) {
	switch v.layer.Class {
	case "StringLookup", "IntegerLookup", "TextVectorization":
	default:
		return value.Value{}, false
	}
	switch name {
	case "vocabulary_size", "vocab_size", "get_vocabulary":
		return objects.Method(func(in *value.Interp, args *value.Args) value.Value {
			all, why := v.vocabulary()
			switch {
			case why != nil:
				return why.Unknown()
			case name != "get_vocabulary":
				return value.Value{X: int64(len(all))}
			}
			if special, ok := args.Get(0, "include_special_tokens"); ok && special.X != true {
				return v.h.unknown(value.UnmodelledLayer, "the vocabulary without its special tokens is not followed")
			}
			return value.Value{X: &value.List{Items: all}}
		})
	}
	return value.Value{}, false
}

// vocabulary returns the words of the layer, with the tokens for masked and unknown words.
func (v *layerValue) vocabulary() (all []value.Value, why *value.Cause) {
	r := &argParser{args: v.layer.args}
	depends := value.Because(value.CategoryCount, "how many words %s knows depends on the data that it adapts to", v.layer.Name)
	at := map[string]int{"StringLookup": 4, "IntegerLookup": 4, "TextVectorization": 7}[v.layer.Class]
	given, ok := r.get(at, "vocabulary")
	if !ok {
		if r.why != nil {
			return nil, r.why
		}
		return nil, depends
	}
	words, ok := objects.Sequence(given)
	if !ok {
		return nil, depends
	}
	var special []value.Value
	switch mask, masked := v.layer.args.Keywords.Get("mask_token"); {
	case v.layer.Class == "TextVectorization":
		special = []value.Value{{X: ""}, {X: "[UNK]"}}
	case r.text(map[string]int{"StringLookup": 7, "IntegerLookup": 8}[v.layer.Class], "output_mode", "int") != "int":
	case masked && mask.X != value.None{}:
		special = append(special, mask)
	}
	if v.layer.Class != "TextVectorization" {
		unknown, given := v.layer.args.Keywords.Get("oov_token")
		if !given {
			unknown = value.Value{X: "[UNK]"}
			if v.layer.Class == "IntegerLookup" {
				unknown.X = int64(-1)
			}
		}
		for range r.number(1, "num_oov_indices", 1) {
			special = append(special, unknown)
		}
	}
	if r.why != nil {
		return nil, r.why
	}
	if begins(words, special) {
		words = words[len(special):]
	}
	return append(special, words...), nil
}

// begins reports whether a list of words starts with others.
func begins(words, with []value.Value) bool {
	if len(with) > len(words) {
		return false
	}
	for i, w := range with {
		if words[i].X != w.X {
			return false
		}
	}
	return true
}
