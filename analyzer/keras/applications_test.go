package keras

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/keras/layers"
	"github.com/tfmem/tfmem/analyzer/keras/state"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/python"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// TestApplications builds every model of keras.applications from its recorded layers. The
// parameters must be those that Keras counted.
func TestApplications(t *testing.T) {
	files, err := archive()
	if err != nil {
		t.Fatal(err)
	}
	if len(files.File) < 54 {
		t.Errorf("the archive holds %d models", len(files.File))
	}
	for _, f := range files.File {
		name := strings.TrimSuffix(f.Name, ".json")
		t.Run(name, func(t *testing.T) {
			a, err := recordedModel(name)
			if err != nil {
				t.Fatal(err)
			}
			for _, top := range []bool{true, false} {
				h := newHost(state.Environment{}, state.Lower)
				h.Interp = value.New(names.Resolve(syntax.Parse(""), effects.Library{}, nil), evaluator{h}, python.Library())
				m, why := buildApplication(h, name, a, &layers.ArgParser{Args: &value.Args{Keywords: value.Named("include_top", value.Value{X: top})}})
				if why != nil {
					t.Fatalf("include_top=%v: %s", top, why)
				}
				want := a.Parameters
				if !top {
					want = a.FeaturesParameters
				}
				if open, err := recordedModel(name + ",open"); !top && open != nil && err == nil {
					want = open.Parameters // no size is given
				}
				if got, _ := m.Parameters(); got != want {
					t.Errorf("include_top=%v: %d parameters, want %d", top, got, want)
				}
				if top {
					holdOrder(t, m, a)
				}
			}
		})
	}
}

// holdOrder compares the order of a model's layers with Keras's.
func holdOrder(t *testing.T, m *graph.Model, a *architecture) {
	var got, want []string
	for _, p := range m.Members() {
		if p.Layer != nil {
			got = append(got, p.Layer.Name)
		}
	}
	for _, row := range a.Layers {
		if row.Class != "InputLayer" && !row.Operation {
			want = append(want, row.Name)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d layers, want %d", len(got), len(want))
		return
	}
	for i := range got {
		if got[i] != want[i] {
			t.Errorf("layer %d is %s, want %s", i, got[i], want[i])
			return
		}
	}
}

// TestApplicationCalls follows programs that call keras.applications, in the spellings that
// people use.
func TestApplicationCalls(t *testing.T) {
	files, err := archive()
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range files.File {
		variant := strings.TrimSuffix(f.Name, ".json")
		a, err := recordedModel(variant)
		if err != nil {
			t.Fatal(err)
		}
		name, arguments, _ := strings.Cut(variant, ",")
		if arguments == "open" {
			arguments = "include_top=False"
		}
		program := []string{
			"import tensorflow as tf\nmodel = tf.keras.applications." + name + "(weights=None, " + arguments + ")\n",
			"from keras.applications import " + name + "\nmodel = " + name + "(" + arguments + ")\n",
			"from tensorflow import keras\nmodel = keras.applications." + name + "(weights='imagenet', classes=1000, " + arguments + ")\n",
		}[i%3]
		p := Evaluate(names.Resolve(syntax.Parse(program), effects.Library{}, nil))
		if len(p.Models) != 1 || len(p.Models[0].Unresolved) > 0 {
			t.Errorf("%s: models %v", name, p.Models)
			continue
		}
		if got, _ := p.Models[0].Parameters(); got != a.Parameters || p.Models[0].Variable != "model" {
			t.Errorf("%s: %d parameters, want %d", name, got, a.Parameters)
		}
	}
}

// TestOpenSizes checks NASNet without its top: with an open image size it compares unknown sizes,
// and has other layers.
func TestOpenSizes(t *testing.T) {
	for arguments, want := range map[string]int64{
		"": 84_887_922, ", input_shape=(None, None, 3)": 84_887_922, ", input_tensor=keras.Input((None, None, 3))": 84_887_922,
		", input_shape=(331, 331, 3)": 84_916_818,
	} {
		program := "import keras\nmodel = keras.applications.NASNetLarge(include_top=False, weights=None" + arguments + ")\n"
		p := Evaluate(names.Resolve(syntax.Parse(program), effects.Library{}, nil))
		if len(p.Models) != 1 {
			t.Errorf("%q: models %v", arguments, p.Models)
			continue
		}
		if got, _ := p.Models[0].Parameters(); got != want {
			t.Errorf("%q: %d parameters, want %d", arguments, got, want)
		}
	}
}

// TestUnknown checks the reasons for programs that cannot be priced.
func TestUnknown(t *testing.T) {
	for program, why := range map[string]string{
		"m = keras.Sequential([keras.layers.Dense(classes())])":                                           "units is not known",
		"m = keras.Sequential([keras.layers.Input((8,)), keras.layers.Conv2D(3, 3)])":                     "expects an input of 4 dimensions",
		"m = keras.Sequential([keras.layers.Mystery(3)])":                                                 "Mystery is not modelled",
		"m = keras.Sequential([keras.Input((4, 4, 3)), keras.layers.Conv2D(8, 7)])":                       "does not fit into 4",
		"m = keras.applications.MobileNetV2(alpha=0.6, weights=None)":                                     "alpha=0.6 is not recorded",
		"m = keras.Sequential()\nfor n in sizes():\n    m.add(keras.layers.Dense(n))":                     "the items of the loop on line",
		"a = keras.Input((3,))\nb = keras.Input((4,))\nm = keras.Model([a, b], keras.layers.add([a, b]))": "do not fit together",
	} {
		p := Evaluate(names.Resolve(syntax.Parse("import keras\n"+program+"\n"), effects.Library{}, nil))
		var got []string
		for _, m := range p.Models {
			for _, why := range m.Unresolved {
				got = append(got, why.String())
			}
		}
		if len(p.Models) == 0 {
			v := strings.Join(got, "; ")
			if !strings.Contains(program, "applications") {
				t.Errorf("%q: no model, %s", program, v)
			}
			continue
		}
		if !strings.Contains(strings.Join(got, "; "), why) {
			t.Errorf("%q: unresolved because %q, want %q", program, got, why)
		}
	}
}

// TestApplicationArguments compares arguments of keras.applications with the results of Keras
// 3.15: the input and the output, and the parameters (model.input_shape, model.output_shape,
// model.count_params()).
func TestApplicationArguments(t *testing.T) {
	for program, want := range map[string]string{
		"ResNet50(weights=None)":                                                                             "(None, 224, 224, 3) (None, 1000) 25636712",
		"ResNet50(False, None)":                                                                              "(None, None, None, 3) (None, None, None, 2048) 23587712",
		"ResNet50(include_top=False, weights=None, pooling='avg')":                                           "(None, None, None, 3) (None, 2048) 23587712",
		"ResNet50(weights=None, classes=7, input_shape=(64, 64, 3))":                                         "(None, 64, 64, 3) (None, 7) 23602055",
		"VGG16(weights=None, include_top=False, input_shape=(64, 64, 3), pooling='max')":                     "(None, 64, 64, 3) (None, 512) 14714688",
		"VGG16(False, None, c)":                                                                              "(None, 96, 96, 1) (None, 3, 3, 512) 14714718",
		"MobileNetV2((96, 96, 3), 0.5, False, None)":                                                         "(None, 96, 96, 3) (None, 3, 3, 1280) 706224",
		"MobileNet(weights=None, alpha=0.25, include_top=False, pooling='avg')":                              "(None, None, None, 3) (None, 256) 218544",
		"MobileNet(weights=None, classes=7)":                                                                 "(None, 224, 224, 3) (None, 7) 3236039",
		"MobileNetV3Small(weights=None, minimalistic=True, include_top=False, input_shape=(96, 96, 3))":      "(None, 96, 96, 3) (None, 3, 3, 576) 441000",
		"MobileNetV3Large(weights=None, include_preprocessing=False, dropout_rate=0.5, classes=5)":           "(None, None, None, 3) (None, 5) 4232837",
		"NASNetMobile(weights=None, include_top=False)":                                                      "(None, 224, 224, 3) (None, 7, 7, 1056) 4269716",
		"EfficientNetB0(weights=None, include_top=False)":                                                    "(None, None, None, 3) (None, None, None, 1280) 4049571",
		"EfficientNetV2B0(weights=None, include_preprocessing=False, classifier_activation=None, classes=3)": "(None, 224, 224, 3) (None, 3) 5923155",
		"ConvNeXtTiny(weights=None, include_top=False, include_preprocessing=False, pooling='avg')":          "(None, None, None, 3) (None, 768) 27820128",
		"InceptionV3(weights=None, include_top=False, input_tensor=x)":                                       "(None, 96, 96, 1) (None, 1, 1, 2048) 21802208",
		"DenseNet121(weights=None, input_tensor=c, classes=4)":                                               "(None, 96, 96, 1) (None, 4) 7041634",
		"NASNetMobile(input_shape=(299, 299, 3), weights=None, include_top=False)":                           "(None, 299, 299, 3) (None, 10, 10, 1056) 4269716",
		"NASNetLarge(input_shape=(201, 201, 3), weights=None, include_top=False)":                            "(None, 201, 201, 3) (None, 7, 7, 4032) 84916818",
		"EfficientNetB0(input_shape=(225, 225, 3), weights=None, include_top=False)":                         "(None, 225, 225, 3) (None, 8, 8, 1280) 4049571",
		"EfficientNetB1(input_shape=(151, 151, 3), weights=None, include_top=False)":                         "(None, 151, 151, 3) (None, 5, 5, 1280) 6575239",
		"MobileNetV2(input_shape=(225, 225, 3), weights=None, include_top=False)":                            "(None, 225, 225, 3) (None, 8, 8, 1280) 2257984",
		"MobileNetV3Large(input_shape=(225, 225, 3), weights=None, include_top=False)":                       "(None, 225, 225, 3) (None, 8, 8, 960) 2996352",
		"Xception(weights=None, include_top=False)":                                                          "(None, None, None, 3) (None, None, None, 2048) 20861480",
	} {
		p := Evaluate(names.Resolve(syntax.Parse("import keras\nfrom keras.applications import *\nx = keras.Input((96, 96, 1))\nc = keras.layers.Conv2D(3, 3, padding='same')(x)\nm = "+program+"\n"), effects.Library{}, nil))
		if len(p.Models) == 0 || len(p.Models[0].Unresolved) > 0 {
			t.Errorf("%s is unknown: %v", program, p.Models)
			continue
		}
		m := p.Models[0]
		all, _ := m.Parameters()
		if got := fmt.Sprint(m.Inputs[0].Shape, " ", m.Outputs[0].Shape, " ", all); got != want {
			t.Errorf("%s: %s, want %s", program, got, want)
		}
	}
}

// TestLegacyApplications: the layers of keras.applications are those of the Keras that runs.
// Keras 2 fuses batch normalization, which keeps its input even if it is frozen.
func TestLegacyApplications(t *testing.T) {
	ops := func(l effects.Library) map[string]int {
		p := Evaluate(names.Resolve(syntax.Parse("from tensorflow import keras\nm = keras.applications.MobileNet(weights=None)\n"), l, nil))
		g := &graph.Graph{Inputs: []*graph.Tensor{{Shape: tensor.Shape{1, 224, 224, 3}, DType: "float32"}}}
		if _, err := p.Models[0].Lower(g, g.Inputs); err != nil {
			t.Fatal(err)
		}
		count := map[string]int{}
		for _, op := range g.Ops {
			count[op.Kind.Name]++
		}
		return count
	}
	if three := ops(effects.Library{}); three["BatchNorm"] != 27 || three["FusedBatchNorm"] != 0 {
		t.Errorf("Keras 3 normalizes by %v", three)
	}
	if two := ops(effects.Library{}.Legacy()); two["FusedBatchNorm"] != 27 || two["BatchNorm"] != 0 {
		t.Errorf("Keras 2 normalizes by %v", two)
	}
}
