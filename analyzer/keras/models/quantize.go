package models

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/keras/layers"
	"github.com/tfmem/tfmem/analyzer/keras/state"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/value"
)

// A quantizationConfig is one of keras.quantizers.*Config.
type quantizationConfig struct {
	state.Opaque
	mode  string
	group int64
	why   *value.Cause // why it is not followed
}

// defaultGroup is the block size of int4 (keras/src/quantizers/quantization_config.py,
// Int4QuantizationConfig).
const defaultGroup = 128

// QuantizationTable are the configurations of quantize.
var QuantizationTable = state.Table{
	"tensorflow.keras.quantizers.Int8QuantizationConfig":   configOf("int8"),
	"tensorflow.keras.quantizers.Int4QuantizationConfig":   configOf("int4"),
	"tensorflow.keras.quantizers.Float8QuantizationConfig": configOf("float8"),
	"tensorflow.keras.quantizers.GPTQConfig":               configOf("gptq"),
	"tensorflow.keras.quantizers.AWQConfig":                configOf("awq"),
}

func configOf(mode string) func(c *state.Call) value.Value {
	return func(c *state.Call) value.Value {
		config := &quantizationConfig{Opaque: state.Opaque{Base: "a quantization"}, mode: mode, group: defaultGroup}
		for name, v := range c.Args.Keywords.All() {
			switch n, whole := v.Int(); {
			case mode == "gptq" || mode == "awq":
			case name == "block_size" && mode == "int4" && whole && n > 0:
				config.group = n
			case name == "block_size" && mode == "int4" && (whole && n == -1 || v.X == value.None{}):
				config.group = 0
			default:
				config.why = value.Because(value.UnmodelledArgument, "the %s of a quantization is not followed", name)
			}
		}
		if len(c.Args.Positional) > 0 {
			config.why = value.Because(value.UnmodelledArgument, "the quantizers of a quantization are not followed")
		}
		return value.Value{X: config}
	}
}

// quantizationOf returns what a call of quantize asks for.
func quantizationOf(args *value.Args) *quantizationConfig {
	mode, _ := args.Get(0, "mode")
	given, _ := args.Get(1, "config")
	if c, ok := mode.X.(*quantizationConfig); ok {
		return c
	}
	switch c := given.X.(type) {
	case *quantizationConfig:
		return c
	case nil, value.None:
	default:
		return &quantizationConfig{why: value.Because(value.UnmodelledArgument, "the config of quantize is not followed")}
	}
	name, ok := mode.X.(string)
	if !ok {
		return &quantizationConfig{why: value.Because(value.UnmodelledArgument, "the mode of quantize is not known: %s", objects.Because(mode))}
	}
	return &quantizationConfig{mode: name, group: defaultGroup}
}

// quantize quantizes a layer, if Keras does.
func (c *quantizationConfig) quantize(in *value.Interp, l *graph.Layer) {
	q := layers.Quantized(l, c.mode, c.group)
	if q == nil {
		return
	}
	if c.why != nil {
		q.Why, q.Weights = c.why, l.Weights
	}
	l.Quantize(in, q)
}

// quantize is Model.quantize: it quantizes all built layers inside that Keras can
// (keras/src/models/model.py, quantize).
func (v *ModelValue) quantize(in *value.Interp, args *value.Args) value.Value {
	config := quantizationOf(args)
	given, _ := args.Get(2, "filters")
	passes, why := filtered(given)
	if why != nil {
		config = &quantizationConfig{why: why}
	}
	if v.custom != nil {
		v.custom.track()
	}
	before := v.Model.TrainableNow() // in which the program has run it until here
	for _, u := range v.H.Program.Uses {
		if u.Model == v.Model && u.Snapshot == nil && v.Model.Own == nil {
			u.Snapshot = before
		}
	}
	seen := map[*graph.Layer]bool{}
	var visit func(l *graph.Layer)
	visit = func(l *graph.Layer) {
		if seen[l] || !in.Spend(1) {
			return
		}
		seen[l] = true
		inside := l.Parts()
		if l.Inner != nil {
			inside = slices.Concat(l.Inner.Layers(), l.Inner.Held)
		}
		for _, p := range inside {
			if p.Name != l.Name { // else it is the class of Keras that a class of the program extends
				visit(p)
			}
		}
		if len(inside) == 0 && l.Built && l.Quantizable() && passes(l.Name) {
			config.quantize(in, l)
		}
	}
	visit(v.AsLayer())
	return value.Value{X: value.None{}}
}

// filtered returns which names pass the filters of quantize
// (keras/src/quantizers/utils.py, should_quantize_layer).
func filtered(given value.Value) (passes func(name string) bool, why *value.Cause) {
	all := func(string) bool { return true }
	patterns, ok := objects.Sequence(given)
	switch given.X.(type) {
	case nil, value.None:
		return all, nil
	case string:
		patterns, ok = []value.Value{given}, true
	}
	var of []*regexp.Regexp
	for _, p := range patterns {
		text, known := p.X.(string)
		re, err := regexp.Compile(text)
		ok = ok && known && err == nil
		of = append(of, re)
	}
	if !ok {
		return all, value.Because(value.UnmodelledArgument, "which layers the filters of quantize name is not followed")
	}
	return func(name string) bool {
		return slices.ContainsFunc(of, func(re *regexp.Regexp) bool { return re.MatchString(name) })
	}, nil
}

// quantize is Layer.quantize.
func (v *LayerValue) quantize(in *value.Interp, args *value.Args) value.Value {
	if v.Layer.Built && v.Layer.Quantizable() {
		quantizationOf(args).quantize(in, v.Layer)
	}
	return value.Value{X: value.None{}}
}

// quantizedFrom makes a layer quantized as soon as it is built, if its policy is one such as
// int8_from_float32 (keras/src/dtype_policies/dtype_policy.py, QuantizedDTypePolicy).
func quantizedFrom(l *graph.Layer, policy string) {
	mode, _, ok := strings.Cut(policy, "_from_")
	if !ok || !l.Quantizable() {
		return
	}
	config := &quantizationConfig{mode: mode}
	if name, block, grouped := strings.Cut(mode, "/"); grouped {
		group, err := strconv.ParseInt(block, 10, 64)
		if config.mode = name; err == nil && group > 0 {
			config.group = group
		}
	}
	l.OnBuilt = func() { config.quantize(nil, l) }
}
