package keras

import (
	"archive/zip"
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/keras/layers"
	"github.com/tfmem/tfmem/analyzer/keras/models"
	"github.com/tfmem/tfmem/analyzer/keras/ops"
	"github.com/tfmem/tfmem/analyzer/keras/state"
	"github.com/tfmem/tfmem/analyzer/keras/steps"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// architectures holds the layers of keras.applications, recorded from Keras 3.15 by
// testdata/estimate/architectures.py: one JSON file per model.
//
//go:embed applications.zip
var architectures []byte

var archive = sync.OnceValues(func() (*zip.Reader, error) {
	return zip.NewReader(bytes.NewReader(architectures), int64(len(architectures)))
})

// An architecture is a recorded model.
type architecture struct {
	Input              []*int64 `json:"input"`
	FeaturesInput      []*int64 `json:"features_input"` // without the top
	Positional         []string `json:"positional"`     // the names of its arguments
	Parameters         int64    `json:"parameters"`
	Common             int      `json:"common"`   // how many of Layers also exist without the top
	Features           []row    `json:"features"` // the layers that follow those without the top
	FeaturesParameters int64    `json:"features_parameters"`
	Layers             []row    `json:"layers"`
}

// A row is [class, name, arguments, inbound, constants, within, operation].
type row struct {
	Class, Name string
	Arguments   map[string]any
	Inbound     []string
	Constants   []float64
	Within      string // the Sequential that contains the layer, and is a layer of the model in its place
	Operation   bool   // an operation of keras.ops, not a layer
}

func (r *row) UnmarshalJSON(text []byte) error {
	parts := []any{&r.Class, &r.Name, &r.Arguments, &r.Inbound, &r.Constants, &r.Within, &r.Operation}
	return json.Unmarshal(text, &parts)
}

// recordedModel reads a model from the archive. It returns nil if the archive has no such model.
func recordedModel(name string) (*architecture, error) {
	files, err := archive()
	if err != nil {
		return nil, err
	}
	f, err := files.Open(name + ".json")
	if err != nil {
		return nil, nil // no such model
	}
	defer f.Close()
	text, err := io.ReadAll(f)
	if err != nil {
		return nil, err
	}
	var a architecture
	if err := json.Unmarshal(text, &a); err != nil {
		return nil, fmt.Errorf("reading the architecture of %s: %w", name, err)
	}
	return &a, nil
}

// ordinary are the arguments of keras.applications that change neither shapes nor weights, or are
// modelled.
var ordinary = map[string]bool{
	"weights": true, "include_top": true, "input_tensor": true, "input_shape": true, "pooling": true, "classes": true,
	"classifier_activation": true, "name": true, "dropout": true, "dropout_rate": true, "include_preprocessing": true,
}

// application answers a call of keras.applications.NAME.
func application(c *state.Call) value.Value {
	h, in, name, args := c.H, c.In, c.Below("tensorflow.keras.applications"), c.Args
	if strings.Contains(name, ".") {
		return value.Value{}
	}
	a, err := recordedModel(name)
	if err != nil {
		return value.From(err).Unknown()
	}
	if a == nil {
		return value.Value{}
	}
	args = a.named(args)
	variant, why := variantOf(name, args)
	if why != nil {
		return why.Unknown()
	}
	if variant != name {
		if a, err = recordedModel(variant); err != nil || a == nil {
			return h.Unknown(value.UnmodelledLayer, "the architecture %s is not recorded", variant)
		}
	}
	r := models.LayerArguments(h, in, args)
	if why := refusedApplication(name, r); why != nil && h.Format == "channels_last" {
		return why.Unknown()
	}
	m, why := buildApplication(h, name, a, r)
	if m != nil {
		m.Bear(in.Now())
	}
	if why != nil {
		return why.Unknown()
	}
	m.Node = args.Node
	if weights, given := args.Keywords.Get("weights"); !given || weights.X != (value.None{}) {
		m.GiveWeights()
	}
	h.Program.Models = append(h.Program.Models, m)
	return value.Value{X: &models.ModelValue{H: h, Model: m}}
}

// named returns positional arguments as keywords.
func (a *architecture) named(args *value.Args) *value.Args {
	out := &value.Args{Keywords: args.Keywords.Clone(), Open: args.Open, Node: args.Node}
	for i, v := range args.Positional {
		if i < len(a.Positional) {
			out.Keywords.Put(a.Positional[i], v)
		}
	}
	return out
}

// variantOf returns the name of the recorded architecture for arguments that differ from the
// default: "MobileNetV2,alpha=0.5".
func variantOf(name string, args *value.Args) (variant string, why *value.Cause) {
	variant = name
	for _, keyword := range slices.Sorted(args.Keywords.Names()) {
		v := args.Keywords.Value(keyword)
		if _, none := v.X.(value.None); ordinary[keyword] || none {
			continue
		}
		if why := v.Cause(); why != nil {
			return "", value.Because(value.UnmodelledLayer, "%s: %s is not known: %s", name, keyword, why)
		}
		switch x := v.X.(type) {
		case float64:
			if x != 1 {
				variant += fmt.Sprintf(",%s=%v", keyword, x)
			}
			continue
		case int64:
			if x != 1 {
				variant += fmt.Sprintf(",%s=%d", keyword, x)
			}
			continue
		case bool:
			if x {
				variant += fmt.Sprintf(",%s=True", keyword)
			}
			continue
		}
		return "", value.Because(value.UnmodelledLayer, "%s with %s= is not recorded", name, keyword)
	}
	return variant, nil
}

// sources returns the inputs that a tensor depends on, in the order in which they are reached
// (keras/src/ops/operation_utils.py, get_source_inputs).
func sources(s *graph.Symbolic) []*graph.Symbolic {
	var out []*graph.Symbolic
	seen := map[*graph.Symbolic]bool{}
	for stack := []*graph.Symbolic{s}; len(stack) > 0; {
		top := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if seen[top] {
			continue
		}
		seen[top] = true
		if top.From == nil {
			out = append(out, top)
			continue
		}
		stack = append(stack, top.From.In...)
	}
	return out
}

// refusedApplication returns why Keras refuses to create a model of keras.applications, or nil
// (keras/src/applications/imagenet_utils.py, obtain_input_shape, and the file of the model).
func refusedApplication(name string, r *layers.ArgParser) *value.Cause {
	weights, given := r.Args.Keywords.Get("weights")
	imageNet := !given || weights.X == "imagenet"
	classes, top := r.Number(-1, "classes", 1000), r.Bool(-1, "include_top", true)
	if r.Why != nil || r.Args.Open != nil {
		return nil
	}
	if imageNet && top && classes != 1000 {
		return value.Refused("the weights of ImageNet are for 1000 classes, and the model has %d", classes)
	}
	v, _ := r.Get(-1, "input_shape")
	shape, ok := objects.Whole(v)
	if !ok || len(shape) != 3 {
		return nil
	}
	least := int64(32)
	switch name {
	case "InceptionV3", "InceptionResNetV2":
		least = 75
	case "Xception":
		least = 71
	}
	for _, n := range shape[:2] {
		if n >= 0 && n < least {
			return value.Refused("the input of %s has at least %d×%d pixels", name, least, least)
		}
	}
	if imageNet && shape[2] >= 0 && shape[2] != 3 {
		return value.Refused("the weights of ImageNet are for 3 channels, and the input has %d", shape[2])
	}
	return nil
}

func buildApplication(h *state.Host, name string, a *architecture, r *layers.ArgParser) (*graph.Model, *value.Cause) {
	if h.Format != "channels_last" {
		return nil, value.Because(value.UnmodelledLayer, "the models of keras.applications are known with their channels last")
	}
	top := r.Bool(-1, "include_top", true)
	classes := r.Number(-1, "classes", 1000)
	pooling := r.Text(-1, "pooling", "")
	prepares := r.Bool(-1, "include_preprocessing", true)
	m := steps.NewModel(h, "Functional")
	m.Name = r.Text(-1, "name", strings.ToLower(name))

	var input *graph.Symbolic
	if v, ok := r.Get(-1, "input_tensor"); ok {
		s, ok := v.X.(*ops.SymbolicValue)
		if !ok {
			return nil, value.Because(value.UnmodelledUse, "the input of %s is not known: %s", name, objects.Because(v))
		}
		input = s.S
		m.Inputs = sources(input)
	} else {
		from := a.Input
		if !top {
			from = a.FeaturesInput
		}
		shape := tensor.Shape{tensor.None}
		for _, d := range from {
			if d == nil {
				shape = append(shape, tensor.None)
			} else {
				shape = append(shape, *d)
			}
		}
		if v, ok := r.Get(-1, "input_shape"); ok {
			given, ok := objects.Whole(v)
			if !ok || len(given) != 3 {
				return nil, value.Because(value.UnmodelledUse, "the input_shape of %s is not known: %s", name, objects.Because(v))
			}
			shape = append(tensor.Shape{tensor.None}, given...)
		}
		input = &graph.Symbolic{Shape: shape, DType: "float32"}
		m.Inputs = []*graph.Symbolic{input}
	}
	if !top && slices.Contains(input.Shape[1:], tensor.None) {
		// With unknown sizes NASNet has other branches, because it compares the sizes.
		open, err := recordedModel(name + ",open")
		if err != nil {
			return nil, value.From(err)
		}
		if open != nil {
			a = open
		}
	}
	head, why := headOf(r, classes)
	if r.Why != nil || why != nil {
		return nil, value.Because(value.UnmodelledUse, "%s: %s%s", name, r.Why, why)
	}

	rows := a.Layers
	if !top {
		rows = append(slices.Clone(rows[:a.Common]), a.Features...)
	}
	made := map[string]*graph.Symbolic{}
	var last *graph.Symbolic
	for i, row := range rows {
		if row.Class == "InputLayer" {
			made[row.Name], last = input, input
			continue
		}
		if !prepares && (row.Class == "Rescaling" || row.Class == "Normalization") && len(row.Inbound) == 1 {
			made[row.Name] = made[row.Inbound[0]]
			continue
		}
		arguments := row.Arguments
		if i >= a.Common {
			arguments = head.of(row.Class, arguments)
		}
		if row.Class == "ZeroPadding2D" && padsForSize(name, row.Name) {
			arguments = map[string]any{"padding": paddingFor(arguments["padding"], made[row.Inbound[0]].Shape)}
		}
		l, why := recordedLayer(h, r.Args.Node, row, arguments)
		if l == nil {
			return nil, value.Because(value.UnmodelledUse, "%s: %s", name, why)
		}
		var in []*graph.Symbolic
		for _, from := range row.Inbound {
			in = append(in, made[from])
		}
		out, err := graph.Call(h.Interp, l, in)
		if err != nil {
			return nil, value.Because(value.UnmodelledUse, "%s: %s", name, err)
		}
		made[row.Name], last = out[0], out[0]
		m.Hold(row.Within, l)
	}
	if !top && pooling != "" {
		class := map[bool]string{true: "GlobalAveragePooling2D", false: "GlobalMaxPooling2D"}[pooling == "avg"]
		l := &graph.Layer{Class: class, Name: pooling + "_pool", Trainable: true, DType: h.Computes(r.Args.Node), Impl: layers.GlobalPooling(pooling == "avg", layers.Layout{}, false, 2, h.Keras() == 3)}
		out, err := graph.Call(h.Interp, l, []*graph.Symbolic{last})
		if err != nil {
			return nil, value.Because(value.UnmodelledUse, "%s: %s", name, err)
		}
		last = out[0]
	}
	m.Outputs = []*graph.Symbolic{last}
	m.Trace()
	return m, nil
}

// padsForSize reports whether a padding of a model is that of imagenet_utils.correct_pad, which
// depends on the size of the picture. The models name these.
func padsForSize(model, layer string) bool {
	family := strings.HasPrefix(model, "EfficientNetB") || strings.HasPrefix(model, "MobileNetV") || strings.HasPrefix(model, "NASNet")
	return family && !strings.HasPrefix(layer, "zero_padding2d")
}

// paddingFor returns that padding for a picture of another size than the recorded one.
func paddingFor(recorded any, in tensor.Shape) any {
	pads, ok := recorded.([]any)
	if !ok || len(pads) != 2 || len(in) != 4 {
		return recorded
	}
	var out []any
	for i, p := range pads {
		pair, ok := p.([]any)
		if !ok || len(pair) != 2 {
			return recorded
		}
		half, ok := pair[1].(float64) // of the kernel, rounded down
		if !ok {
			return recorded
		}
		out = append(out, []any{half - float64(padAdjustment(in, i)), half})
	}
	return out
}

// padAdjustment is what correct_pad takes off the first padding of a dimension.
func padAdjustment(in tensor.Shape, i int) int64 {
	if n := in[i+1]; in[1] >= 0 && n >= 0 {
		return 1 - n%2
	}
	return 1
}

// A head holds the arguments of a call for the layers after the features.
type head struct {
	classes    int64
	activation value.Value // classifier_activation; empty for the recorded one
	dropout    float64     // negative for the recorded one
}

func headOf(r *layers.ArgParser, classes int64) (head, *value.Cause) {
	h := head{classes: classes, dropout: -1}
	if v, ok := r.Args.Keywords.Get("classifier_activation"); ok {
		if why := v.Cause(); why != nil {
			return h, value.Because(value.UnmodelledUse, "classifier_activation is not known: %s", why)
		}
		h.activation = v
	}
	for _, keyword := range []string{"dropout", "dropout_rate"} {
		h.dropout = r.Float(-1, keyword, h.dropout)
	}
	return h, nil
}

// of returns the arguments of one of those layers, with those of the call.
func (h head) of(class string, recorded map[string]any) map[string]any {
	out := maps.Clone(recorded)
	for k, v := range recorded {
		n, _ := v.(float64)
		switch {
		case n == 1000 && (k == "units" || k == "filters"):
			out[k] = float64(h.classes)
		case k == "target_shape" && reflect.DeepEqual(v, []any{1000.0}): // MobileNet's
			out[k] = []any{float64(h.classes)}
		case v == "softmax" && k == "activation" && h.activation.X != nil:
			out[k] = h.activation
		}
	}
	if class == "Dropout" && h.dropout >= 0 {
		out["rate"] = h.dropout
	}
	return out
}

func recordedLayer(h *state.Host, made syntax.Node, row row, arguments map[string]any) (*graph.Layer, *value.Cause) {
	args := &value.Args{}
	for _, k := range slices.Sorted(maps.Keys(arguments)) {
		if given, ok := arguments[k].(value.Value); ok {
			args.Keywords.Put(k, given)
		} else {
			args.Keywords.Put(k, fromJSON(arguments[k]))
		}
	}
	var l *graph.Layer
	switch {
	case len(row.Constants) > 0 && len(row.Inbound) == 1, row.Class == "CustomScaleLayer" && len(row.Inbound) == 1:
		l = &graph.Layer{Class: row.Class, Impl: layers.Arithmetic(graph.OpArithmetic)}
	case row.Class == "CustomScaleLayer":
		l = &graph.Layer{Class: row.Class, Impl: layers.Elementwise(graph.OpAdd)}
	case row.Class == "LayerScale":
		l = &graph.Layer{Class: row.Class, Impl: &scale{}}
	default:
		var why *value.Cause
		if l, why = layers.MakeLayer(row.Class, &layers.ArgParser{Args: args, H: h}); l == nil {
			return nil, why
		}
	}
	l.Name, l.Trainable, l.Remat, l.Function = row.Name, true, h.Remats.Inner(), row.Operation
	l.DType, l.Store = state.TypesOf(h.DTypePolicy(made))
	l.Again = func(*value.Interp) value.Value {
		copy, why := recordedLayer(h, made, row, arguments)
		if why != nil {
			return why.Unknown()
		}
		return value.Value{X: &models.LayerValue{H: h, Layer: copy}}
	}
	return l, nil
}

// fromJSON converts a JSON value to a Python value.
func fromJSON(v any) value.Value {
	switch x := v.(type) {
	case float64:
		if x == float64(int64(x)) {
			return value.Value{X: int64(x)}
		}
		return value.Value{X: x}
	case []any:
		var t value.Tuple
		for _, i := range x {
			t = append(t, fromJSON(i))
		}
		return value.Value{X: t}
	case nil:
		return value.Value{X: value.None{}}
	}
	return value.Value{X: v}
}

// scale is ConvNeXt's LayerScale: a product with a trained vector.
type scale struct{}

func (*scale) Build(l *graph.Layer, in []tensor.Shape) error {
	if err := graph.CheckKnown(in[0].Last(), "the number of channels of its input"); err != nil {
		return err
	}
	l.Weight("gamma", true, in[0].Last())
	return nil
}

func (*scale) Call(l *graph.Layer, g *graph.Graph, in []*graph.Tensor) ([]*graph.Tensor, error) {
	out, op := g.Add(graph.OpMultiply, in[:1], in[0].Shape, in[0].DType)
	op.KeepsInputs()
	op.Trains(l.Trained(g, l.Weights[0])...)
	return []*graph.Tensor{out}, nil
}
