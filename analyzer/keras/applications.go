package keras

import (
	"archive/zip"
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/tfmem/tfmem/analyzer/value"
)

// architectures holds the layers of keras.applications, recorded from Keras 3.15
// by testdata/estimate/architectures.py: a JSON file a model.
//
//go:embed applications.zip
var architectures []byte

var archive = sync.OnceValues(func() (*zip.Reader, error) {
	return zip.NewReader(bytes.NewReader(architectures), int64(len(architectures)))
})

// An architecture is one model as it is recorded.
type architecture struct {
	Input              []*int64 `json:"input"`
	Parameters         int64    `json:"parameters"`
	Common             int      `json:"common"`   // of Layers, those without the top too
	Features           []row    `json:"features"` // that stand behind them without the top
	FeaturesParameters int64    `json:"features_parameters"`
	Layers             []row    `json:"layers"`
}

// A row is [class, name, arguments, inbound, constants].
type row struct {
	Class, Name string
	Arguments   map[string]any
	Inbound     []string
	Constants   []float64
}

func (r *row) UnmarshalJSON(text []byte) error {
	parts := []any{&r.Class, &r.Name, &r.Arguments, &r.Inbound, &r.Constants}
	return json.Unmarshal(text, &parts)
}

// recordedModel reads a model out of the archive; nil where it holds none of
// that name.
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

// ordinary are the arguments of keras.applications that change neither shapes
// nor weights, or are modelled.
var ordinary = map[string]bool{
	"weights": true, "include_top": true, "input_tensor": true, "input_shape": true, "pooling": true, "classes": true,
	"classifier_activation": true, "name": true,
}

// application is a call of keras.applications.NAME.
func (h *host) application(in *value.Interp, name string, args *value.Args) (value.Value, bool) {
	a, err := recordedModel(name)
	if err != nil {
		return h.unknown("%s", err.Error()), true
	}
	if a == nil {
		return value.Value{}, false
	}
	r := &reader{args: args}
	for keyword, v := range args.Keywords {
		if _, none := v.X.(value.None); !ordinary[keyword] && !none && !standard(keyword, v) {
			return h.unknown("%s with %s= is not recorded", name, keyword), true
		}
	}
	m, why := h.buildApplication(name, a, r)
	if why != "" {
		return h.unknown("%s", why), true
	}
	m.Node = args.Node
	h.program.Models = append(h.program.Models, m)
	return value.Value{X: &modelValue{h: h, model: m}}, true
}

// standard tells whether an argument that changes an architecture has the value
// for which it was recorded.
func standard(keyword string, v value.Value) bool {
	switch x := v.X.(type) {
	case float64:
		return keyword == "alpha" && x == 1
	case int64:
		return (keyword == "alpha" || keyword == "depth_multiplier") && x == 1
	case bool:
		return keyword == "include_preprocessing" && x
	}
	return false
}

func (h *host) buildApplication(name string, a *architecture, r *reader) (*Model, string) {
	top := r.bool(0, "include_top", true)
	classes := r.number(-1, "classes", 1000)
	pooling := r.text(-1, "pooling", "")
	m := &Model{Class: "Functional", Name: r.text(-1, "name", strings.ToLower(name)), Trainable: true}

	var input *Symbolic
	if v, ok := r.get(-1, "input_tensor"); ok {
		s, ok := v.X.(*symbolicValue)
		if !ok {
			return nil, "the input of " + name + " is not known: " + because(v)
		}
		input = s.s
	} else {
		shape := Shape{None}
		for _, d := range a.Input {
			if d == nil || !top {
				shape = append(shape, None)
			} else {
				shape = append(shape, *d)
			}
		}
		shape[len(shape)-1] = 3
		if v, ok := r.get(-1, "input_shape"); ok {
			given, ok := whole(v)
			if !ok || len(given) != 3 {
				return nil, "the input_shape of " + name + " is not known: " + because(v)
			}
			shape = append(Shape{None}, given...)
		}
		input = &Symbolic{Shape: shape, DType: "float32"}
	}
	if r.why != "" {
		return nil, name + ": " + r.why
	}
	m.Inputs = []*Symbolic{input}

	rows := a.Layers
	if !top {
		rows = append(slices.Clone(rows[:a.Common]), a.Features...)
	}
	made := map[string]*Symbolic{}
	var last *Symbolic
	for i, row := range rows {
		if row.Class == "InputLayer" {
			made[row.Name], last = input, input
			continue
		}
		arguments := row.Arguments
		if i >= a.Common {
			arguments = withClasses(arguments, classes)
		}
		l, why := h.recordedLayer(row, arguments)
		if l == nil {
			return nil, name + ": " + why
		}
		var in []*Symbolic
		for _, from := range row.Inbound {
			in = append(in, made[from])
		}
		out, err := call(l, in)
		if err != nil {
			return nil, name + ": " + err.Error()
		}
		made[row.Name], last = out[0], out[0]
	}
	if !top && pooling != "" {
		l := &Layer{Class: "GlobalPooling2D", Name: pooling + "_pool", Trainable: true, DType: h.computes(), spec: globalPooling(pooling == "avg", false, 2)}
		out, err := call(l, []*Symbolic{last})
		if err != nil {
			return nil, name + ": " + err.Error()
		}
		last = out[0]
	}
	m.Outputs = []*Symbolic{last}
	m.trace()
	return m, ""
}

// withClasses puts the number of classes where the recorded model has 1000.
func withClasses(arguments map[string]any, classes int64) map[string]any {
	out := map[string]any{}
	for k, v := range arguments {
		if n, ok := v.(float64); ok && n == 1000 && (k == "units" || k == "filters") {
			v = float64(classes)
		}
		out[k] = v
	}
	return out
}

func (h *host) recordedLayer(row row, arguments map[string]any) (*Layer, string) {
	args := &value.Args{Keywords: map[string]value.Value{}}
	for k, v := range arguments {
		args.Keywords[k] = fromJSON(v)
	}
	var l *Layer
	switch {
	case len(row.Constants) > 0 && len(row.Inbound) == 1, row.Class == "CustomScaleLayer" && len(row.Inbound) == 1:
		l = &Layer{Class: row.Class, spec: arithmetic(row.Class)}
	case row.Class == "CustomScaleLayer":
		l = &Layer{Class: row.Class, spec: elementwise("Add")}
	case row.Class == "LayerScale":
		l = &Layer{Class: row.Class, spec: &scale{}}
	default:
		var why string
		if l, why = makeLayer(row.Class, &reader{args: args}); l == nil {
			return nil, why
		}
	}
	l.Name, l.Trainable, l.DType = row.Name, true, h.computes()
	return l, ""
}

// fromJSON makes a Python value of a JSON one.
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

func (*scale) build(l *Layer, in []Shape) error {
	if err := known(in[0].last(), "the number of channels of its input"); err != nil {
		return err
	}
	l.weight("gamma", true, in[0].last())
	return nil
}

func (*scale) call(l *Layer, g *Graph, in []*Tensor) ([]*Tensor, error) {
	out, op := g.add("Multiply", in[:1], in[0].Shape, in[0].DType)
	op.keepsInputs()
	op.trains(l.trained(l.Weights[0])...)
	op.BackwardTemp = out.Bytes()
	return []*Tensor{out}, nil
}
