package keras

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tfmem/tfmem/analyzer/cases"
	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/keras/classes"
	"github.com/tfmem/tfmem/analyzer/keras/layers"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/tensor"
)

// A layersRecord is what one Keras says of the cases (testdata/estimate/layers/record.py).
type layersRecord struct {
	Keras  string
	Batch  int64
	Layers []string
	Cases  []layerCase
}

type layerCase struct {
	Case       string
	Error      string
	Outputs    [][]*int64
	DTypes     []string
	Parameters int64
	Trainable  int64
	Kept       *int64
}

func recordedLayers(t *testing.T, name string, into any) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../../testdata/estimate/layers", name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, into); err != nil {
		t.Fatal(err)
	}
}

// caseProgram returns the program of a case, with a model called m.
func caseProgram(line string) string {
	inputs, expression, _ := strings.Cut(line, " -> ")
	var b strings.Builder
	b.WriteString("import tensorflow as tf\nfrom tensorflow import keras\nfrom tensorflow.keras.layers import *\n")
	var named []string
	for i, in := range strings.Split(inputs, " + ") {
		name := string("xyz"[i])
		named = append(named, name)
		if shape, dtype, typed := strings.Cut(in, ") "); typed {
			fmt.Fprintf(&b, "%s = Input(%s), dtype=%q)\n", name, shape, dtype)
		} else {
			fmt.Fprintf(&b, "%s = Input(%s)\n", name, in)
		}
	}
	fmt.Fprintf(&b, "out = %s\nm = keras.Model([%s], out)\n", expression, strings.Join(named, ", "))
	return b.String()
}

func caseModel(t *testing.T, line string, library effects.Library) *graph.Model {
	t.Helper()
	p := Evaluate(names.Resolve(syntax.Parse(caseProgram(line)), library, nil))
	if len(p.Models) == 0 {
		t.Fatalf("no model:\n%s", caseProgram(line))
	}
	return p.Models[len(p.Models)-1]
}

// keptOf returns the bytes that the gradients of a model's outputs keep from the forward pass, if
// its inputs' gradients are wanted too.
func keptOf(m *graph.Model, batch int64) (int64, error) {
	g := &graph.Graph{}
	for _, s := range m.Inputs {
		t := &graph.Tensor{Shape: s.Shape.With(0, batch), DType: s.DType, Grad: s.DType.Floating()}
		g.Inputs = append(g.Inputs, t)
	}
	if _, err := m.Lower(g, g.Inputs); err != nil {
		return 0, err
	}
	var total int64
	seen := map[*graph.Tensor]bool{}
	for _, op := range g.Ops {
		if !slices.ContainsFunc(op.Out, func(t *graph.Tensor) bool { return t.Grad }) {
			continue
		}
		for _, n := range op.Extra {
			total += n
		}
		total += op.KeptCast()
		for _, t := range op.Kept() {
			for t.From != nil && t.From.View {
				t = t.From.In[0]
			}
			if whole := slices.Contains(g.Inputs, t) && !t.DType.Floating(); seen[t] || whole {
				continue
			}
			seen[t] = true
			total += t.Bytes()
		}
	}
	return total, nil
}

// onCPU makes recurrent layers run without cuDNN, as on the machine of the record.
func onCPU(l *graph.Layer) {
	switch s := l.Impl.(type) {
	case *layers.Recurrent:
		s.Cudnn = false
	case graph.Parent:
		for _, c := range s.Children() {
			onCPU(c)
		}
	}
}

// An exception is cases that differ from the record, and why.
type exception struct{ cases, why string }

func excepted(t *testing.T, list []exception, line string) string {
	t.Helper()
	for _, e := range list {
		if regexp.MustCompile(e.cases).MatchString(line) {
			return e.why
		}
	}
	return ""
}

var (
	// unknownLayers are not modelled.
	unknownLayers = []exception{
		{`-> MaxNumBoundingBoxes`, "it takes a dictionary of boxes"},
		{`Activation\("threshold"\)`, "Keras calls it without the two arguments that it needs"},
	}
	// otherShapes have another output shape than Keras says before it runs.
	otherShapes = []exception{
		{`EinsumDense\(.*None,`, "output_shape= leaves dimensions open that the input has, and Keras 3 forgets them"},
		{`Activation\("glu"\)`, "Keras says the input's shape of every Activation; glu makes half of it"},
	}
	// otherInKeras2 are as in Keras 3, also for Keras 2.
	otherInKeras2 = []exception{
		{`trainable=False\)\(x`, "Keras 2 passes trainable= on to the layers inside"},
		{`^\(2, 12, 11, 3\)`, "Keras 2 takes several dimensions as the batch of a convolution"},
		{`Discretization|invert=True`, "the type is another"},
		{`MultiHeadAttention.*mixed`, "of a layer's dtype=, Keras 2.13 tells the layers inside nothing"},
	}
	// otherKept keep something else than recorded, if there is a GPU or in a model.
	otherKept = []exception{
		{`Conv2D\(.*dilation|Conv1D\(.*dilation`, "TensorFlow cuts the input of a dilated convolution into blocks on a CPU only (tensorflow/python/ops/nn_ops.py, convolution_internal)"},
		{`MaxPool.*channels_first`, "a CPU has no pools with the channels first: the input is transposed"},
		{`Random|Jitter|AutoContrast|Solarization|Augment|AugMix|CutMix|MixUp|MelSpectrogram|crop_to_aspect`, "it stands where no gradient flows"},
		{`LSTM\(6, unroll|LSTM\(6, return_state=True, use_bias=False, dropout|reset_after=False|recurrent_dropout`, "up to 5 % other: constants, the first step's state"},
		{`sparsemax`, "a sum a row is left out"},
		{`-> Attention\((dropout=0.1)?\)\(\[x, y\]`, "the product of a graph transposes the keys, which are the values: no copy is kept beside those (FoldTransposeIntoMatMul)"},
	}
)

// TestCasesAreRecorded holds that the newest Keras was asked about each line of cases.txt.
func TestCasesAreRecorded(t *testing.T) {
	var r layersRecord
	recordedLayers(t, "keras3", &r)
	recorded := map[string]bool{}
	for _, c := range r.Cases {
		recorded[c.Case] = true
	}
	text, err := os.ReadFile("../../testdata/estimate/layers/cases.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") && !recorded[line] {
			t.Errorf("%s is not in keras3.json: CONTRIBUTING.md says how to record it", line)
		}
	}
}

// TestLayers compares every case with Keras: the shapes and types of its outputs and its
// parameters exactly, and what the backward pass keeps. The cases of one layer alone:
//
//	go test ./analyzer/keras -run 'TestLayers/keras3/^Dense$' -v
func TestLayers(t *testing.T) {
	for _, record := range []string{"keras3", "tf_keras", "keras213"} {
		t.Run(record, func(t *testing.T) {
			var r layersRecord
			recordedLayers(t, record, &r)
			library := effects.Library{}
			if record != "keras3" {
				library = library.Legacy()
			}
			of := map[string][]layerCase{}
			for _, c := range r.Cases {
				_, expression, _ := strings.Cut(c.Case, " -> ")
				layer, _, _ := strings.Cut(expression, "(")
				of[layer] = append(of[layer], c)
			}
			ran, exact, kept := 0, 0, 0
			for _, layer := range slices.Sorted(maps.Keys(of)) {
				t.Run(layer, func(t *testing.T) {
					cases.Alone(t)
					for _, c := range of[layer] {
						ran++
						m := caseModel(t, c.Case, library)
						if c.Error != "" {
							// Names and arguments that this Keras lacks belong to another
							// version.
							absent := regexp.MustCompile(`^(NameError|TypeError|AttributeError)|cannot be deserialized|cycle|Exception encountered|fused`).MatchString(c.Error)
							if !absent && len(m.Unresolved) == 0 {
								t.Errorf("%s\nis taken for good; Keras: %s", c.Case, c.Error)
							}
							continue
						}
						if len(m.Unresolved) > 0 {
							if excepted(t, unknownLayers, c.Case) == "" && (record == "keras3" || excepted(t, otherInKeras2, c.Case) == "") {
								t.Errorf("%s\nis unknown: %v", c.Case, m.Unresolved)
							}
							continue
						}
						if got, want := describe(m), c.String(); got != want {
							if excepted(t, otherShapes, c.Case) == "" && (record == "keras3" || excepted(t, otherInKeras2, c.Case) == "") {
								t.Errorf("%s\ngot  %s\nwant %s", c.Case, got, want)
							}
							continue
						}
						exact++
						if c.Kept == nil || record != "keras3" || excepted(t, otherKept, c.Case) != "" {
							continue
						}
						for _, l := range m.Layers() {
							onCPU(l)
						}
						got, err := keptOf(m, r.Batch)
						if err != nil {
							t.Errorf("%s: %v", c.Case, err)
						} else if off := max(got-*c.Kept, *c.Kept-got); off > *c.Kept/50+1024 {
							t.Errorf("%s\nkeeps %d bytes, recorded %d", c.Case, got, *c.Kept)
						}
						kept++
					}
				})
			}
			t.Logf("Keras %s: of %d cases %d are exact in shapes, types and parameters", r.Keras, ran, exact)
			if record == "keras3" {
				t.Logf("what backward keeps is right in %d", kept)
			}
		})
	}
}

func describe(m *graph.Model) string {
	all, trained := m.Parameters()
	out := ""
	for _, s := range m.Outputs {
		out += s.Shape.String() + " " + string(s.DType) + ", "
	}
	return fmt.Sprintf("%s%d parameters, %d trained", out, all, trained)
}

func (c layerCase) String() string {
	out := ""
	for i, dims := range c.Outputs {
		s := tensor.Shape{}
		for _, d := range dims {
			if d == nil {
				s = append(s, tensor.None)
			} else {
				s = append(s, *d)
			}
		}
		out += s.String() + " " + c.DTypes[i] + ", "
	}
	return fmt.Sprintf("%s%d parameters, %d trained", out, c.Parameters, c.Trainable)
}

// notLayers are exports of keras.layers that are not layers.
var notLayers = map[string]string{
	"Input": "it is a tensor", "InputLayer": "it is a tensor", "InputSpec": "it describes inputs", "serialize": "it makes a dictionary", "deserialize": "it reads a dictionary",
	"Layer": "it is a base class", "Wrapper": "it is a base class", "AbstractRNNCell": "it is a base class",
}

// TestEveryLayer checks that each layer that a Keras exports has cases that agree with the
// record, or a reason why it is unknown.
func TestEveryLayer(t *testing.T) {
	all := map[string]bool{}
	done := map[string]int{}
	for _, record := range []string{"keras3", "tf_keras", "keras213"} {
		var r layersRecord
		recordedLayers(t, record, &r)
		for _, name := range r.Layers {
			all[name] = true
		}
		for _, c := range r.Cases {
			if c.Error != "" || excepted(t, unknownLayers, c.Case) != "" {
				continue
			}
			for _, name := range regexp.MustCompile(`[A-Za-z]\w*\(`).FindAllString(c.Case, -1) {
				done[strings.TrimSuffix(name, "(")]++
			}
		}
	}
	if len(all) < 180 {
		t.Errorf("only %d exports are recorded", len(all))
	}
	exact := 0
	for _, name := range slices.Sorted(maps.Keys(all)) {
		why := layers.NotModelled[name] + notLayers[name]
		switch {
		case why != "" && !layers.Modelled(name):
			if testing.Verbose() {
				t.Logf("%-44s unknown: %s", name, why)
			}
		case why != "":
			t.Errorf("%s is modelled, and said not to be: %s", name, why)
		case done[name] == 0 && layers.Modelled(name):
			t.Errorf("%s is modelled, and no case holds it against Keras", name)
		case done[name] == 0:
			t.Errorf("%s has no row in package layers, and no reason in NotModelled", name)
		default:
			exact++
			if testing.Verbose() {
				t.Logf("%-44s done: %d cases", name, done[name])
			}
		}
	}
	t.Logf("%d of %d exports are done", exact, len(all))
}

// TestLayerClasses compares each modelled class with the record of Keras: it is a class of Keras,
// and its layers have weights or not.
func TestLayerClasses(t *testing.T) {
	with := map[string]bool{} // classes with parameters in a case
	for _, record := range []string{"keras3", "tf_keras", "keras213"} {
		var r layersRecord
		recordedLayers(t, record, &r)
		for _, c := range r.Cases {
			_, expression, _ := strings.Cut(c.Case, " -> ")
			if m := regexp.MustCompile(`^(\w+)\([^()]*\)\(\w\)$`).FindStringSubmatch(expression); m != nil && c.Parameters > 0 {
				with[m[1]] = true
			}
		}
	}
	for _, class := range Classes {
		_, in2 := classes.FactsOf(class, 2)
		_, in3 := classes.FactsOf(class, 3)
		if !in2 && !in3 && ofCompat[class] == "" {
			t.Errorf("no Keras exports %s", class)
		}
		switch weights := layers.LayerClasses[class].Weights; {
		case weights == layers.UnknownWeights:
			t.Errorf("the row of %s does not say whether it has weights", class)
		case weights == layers.NoWeights && with[class]:
			t.Errorf("%s has weights in a case, and NoWeights in its row", class)
		}
	}
}

// ofCompat are classes that programs reach through other modules than keras.layers.
var ofCompat = map[string]string{
	"CuDNNLSTM": "tf.compat.v1.keras.layers", "CuDNNGRU": "tf.compat.v1.keras.layers", "SyncBatchNormalization": "keras.layers.experimental",
}

// TestOptimizers compares what optimizers keep with Keras's variables
// (testdata/estimate/layers/optimizers.py).
func TestOptimizers(t *testing.T) {
	weights := []*graph.Weight{
		{Name: "embeddings", Shape: tensor.Shape{50, 8}}, {Name: "kernel", Shape: tensor.Shape{3, 8, 6}}, {Name: "bias", Shape: tensor.Shape{6}},
		{Name: "kernel", Shape: tensor.Shape{6, 5}}, {Name: "bias", Shape: tensor.Shape{5}},
	}
	for _, record := range []string{"optimizers_keras3", "optimizers_tf_keras"} {
		library := effects.Library{}
		if record != "optimizers_keras3" {
			library = library.Legacy()
		}
		var r struct {
			Cases []struct {
				Case, Error string
				Slots       int64
			}
		}
		recordedLayers(t, record, &r)
		checked := 0
		for _, c := range r.Cases {
			// tf_keras 2.21 has another argument, adaptive_epsilon, in front of this one; Keras
			// 2.13 has not.
			moved := c.Case == "Adam(0.001, 0.9, 0.999, 1e-7, True)" && record != "optimizers_keras3"
			if c.Error != "" || moved {
				continue
			}
			checked++
			program := "import keras\nm = keras.Sequential()\nm.compile(keras.optimizers." + strings.Replace(c.Case, "(Adam(", "(keras.optimizers.Adam(", 1) + ")\n"
			p := Evaluate(names.Resolve(syntax.Parse(program), library, nil))
			o := p.Models[0].Optimizer
			if o == nil || o.Unknown != nil {
				t.Errorf("%s: %s: %+v", record, c.Case, o)
				continue
			}
			var got int64
			for _, w := range weights {
				got += int64(o.Slots * float64(w.Elements()))
				if o.Extra != nil {
					got += o.Extra(w)
				}
			}
			if got != c.Slots {
				t.Errorf("%s: %s keeps %d numbers, want %d", record, c.Case, got, c.Slots)
			}
		}
		if checked < 25 {
			t.Errorf("%s: only %d optimizers are compared", record, checked)
		}
	}
}

// TestTrainable freezes layers, and sets types, as programs do.
func TestTrainable(t *testing.T) {
	for program, want := range map[string]string{
		"l = Dense(5)\nl.trainable = False":                                                       "35 parameters, 0 trained, in float32",
		"l = Bidirectional(LSTM(6))\nl.trainable = False":                                         "576 parameters, 0 trained, in float32",
		"l = Bidirectional(LSTM(6, trainable=False))":                                             "576 parameters, 0 trained, in float32",
		"l = TimeDistributed(Dense(4))\nl.trainable = False":                                      "24 parameters, 0 trained, in float32",
		"l = TimeDistributed(keras.Sequential([Dense(4), Dense(2)]))\nl.trainable = False":        "34 parameters, 0 trained, in float32",
		"l = SpectralNormalization(Dense(5))":                                                     "40 parameters, 35 trained, in float32",
		"l = BatchNormalization()\nl.trainable = False":                                           "20 parameters, 0 trained, in float32",
		"l = RNN([LSTMCell(6), LSTMCell(4, trainable=False)])":                                    "464 parameters, 288 trained, in float32",
		"l = Dense(5, dtype=keras.mixed_precision.Policy('mixed_float16'))":                       "35 parameters, 35 trained, in float16",
		"keras.mixed_precision.set_global_policy('mixed_bfloat16')\nl = GRU(6)":                   "234 parameters, 234 trained, in bfloat16",
		"keras.mixed_precision.set_global_policy('mixed_float16')\nl = Dense(5, dtype='float32')": "35 parameters, 35 trained, in float32",
	} {
		shape := "(7, 5)"
		if strings.Contains(program, "Dense(5") {
			shape = "(6,)"
		}
		p := Evaluate(names.Resolve(syntax.Parse("from tensorflow import keras\nfrom tensorflow.keras.layers import *\n"+program+"\nx = keras.Input("+shape+")\nm = keras.Model(x, l(x))\n"), effects.Library{}, nil))
		m := p.Models[len(p.Models)-1]
		all, trained := m.Parameters()
		if len(m.Unresolved) > 0 {
			t.Errorf("%s: %v", program, m.Unresolved)
			continue
		}
		if got := fmt.Sprintf("%d parameters, %d trained, in %s", all, trained, m.Outputs[0].DType); got != want {
			t.Errorf("%s: %s, want %s", program, got, want)
		}
	}
}

// TestSpellings creates layers under their names elsewhere, with the parameters that tf_keras
// 2.21 counts.
func TestSpellings(t *testing.T) {
	for layer, want := range map[string]int64{
		"tf.compat.v1.keras.layers.CuDNNLSTM(6)":                                         312,
		"tf.compat.v1.keras.layers.CuDNNGRU(6)":                                          234,
		"tf.keras.layers.Bidirectional(tf.compat.v1.keras.layers.CuDNNGRU(6))":           468,
		"tf.keras.layers.experimental.SyncBatchNormalization()":                          20,
		"tf.keras.layers.experimental.preprocessing.Rescaling(2.0)":                      0,
		"tf.keras.layers.experimental.EinsumDense('abc,cd->abd', (7, 4), bias_axes='d')": 24,
		"keras.src.layers.core.dense.Dense(4)":                                           24,
	} {
		p := Evaluate(names.Resolve(syntax.Parse("import keras\nimport tensorflow as tf\nm = tf.keras.Sequential([keras.src.layers.core.input_layer.Input((7, 5)), "+layer+"])\n"), effects.Library{}, nil))
		if got, _ := p.Models[0].Parameters(); got != want || len(p.Models[0].Unresolved) > 0 {
			t.Errorf("%s: %d parameters, want %d; %v", layer, got, want, p.Models[0].Unresolved)
		}
	}
}
