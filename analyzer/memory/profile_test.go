package memory_test

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tfmem/tfmem/analyzer/cases"
	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/analyzer/memory/executor"
	"github.com/tfmem/tfmem/analyzer/value"
)

var (
	gpu24 = memory.Device{Name: "RTX 3090", Total: 24 << 30, Major: 8, Minor: 6}
	// alike is another GPU of the same size.
	alike = memory.Device{Name: "RTX 3090 Ti", Total: 24 << 30, Major: 8, Minor: 6}
)

// recorded returns the cases in a folder that the assumed Keras 3 runs.
func recorded(t *testing.T, folder string) []string {
	t.Helper()
	paths, err := filepath.Glob(estimates + folder + "/*.py")
	if err != nil || len(paths) < 20 {
		t.Fatalf("%d cases: %v", len(paths), err)
	}
	refused := map[string]bool{}
	for _, row := range table(t, "peaks.csv") {
		refused[row["program"]] = refused[row["program"]] || row["keras"] == "3" && row["note"] != ""
	}
	return slices.DeleteFunc(paths, func(path string) bool { return refused[strings.TrimSuffix(filepath.Base(path), ".py")] })
}

// eachCase calls f with the first training of each case, in a test with the name of the case:
//
//	go test ./analyzer/memory -run TestProfile/resnet50
func eachCase(t *testing.T, paths []string, f func(t *testing.T, name string, p *graph.Program, u *graph.ModelCall)) {
	for _, path := range paths {
		name := strings.TrimSuffix(filepath.Base(path), ".py")
		t.Run(name, func(t *testing.T) {
			cases.Alone(t)
			p := follow(t, path)
			if len(p.Uses) == 0 {
				t.Fatal("it trains nothing")
			}
			f(t, name, p, p.Uses[0])
		})
	}
}

// TestProfile compares the parts of each case's profile with the whole.
func TestProfile(t *testing.T) {
	eachCase(t, recorded(t, "cases"), profile)
	eachCase(t, recorded(t, "styles/cases"), profile)
}

func profile(t *testing.T, _ string, _ *graph.Program, u *graph.ModelCall) {
	u.Data = nil // of a step alone
	batch, _ := u.Batch.Int()
	want, err := memory.Training(u.Model, u.Model.Optimizer, u.BatchInputs(batch))
	if err != nil {
		t.Fatal(err)
	}
	p := memory.Assess(u.Model, []*graph.ModelCall{u}, memory.Place{}).Training
	if p == nil {
		t.Fatal("it is not assessed")
	}
	if p.Need != want {
		t.Errorf("the profile's need is %+v, without a profile %+v", p.Need, want)
	}
	if got := p.AtPeak().Total(); got != p.Peak {
		t.Errorf("in use at the peak are %d, and the peak is %d", got, p.Peak)
	}
	var kept int64
	for _, n := range p.KeptBy {
		kept += n
	}
	if kept != p.Kept {
		t.Errorf("all layers keep %d, and kept are %d", kept, p.Kept)
	}
	phases := map[executor.Phase]bool{}
	for i, m := range p.Moments {
		phases[m.Phase] = true
		if total := m.Use.Total(); total > p.Peak || total < p.Weights+p.Optimizer+p.Batch {
			t.Fatalf("at moment %d are %d in use; the peak is %d", i, total, p.Peak)
		}
		for k, n := range m.Use {
			if n < 0 {
				t.Fatalf("at moment %d are %d of %s in use", i, n, executor.Kind(k))
			}
		}
	}
	if !phases[executor.Forward] || !phases[executor.Backward] || !phases[executor.Update] {
		t.Errorf("the phases are %v", phases)
	}
	// XLA may compute at the end what no gradient reads, such as a loss's own part of the target.
	if end := p.Moments[len(p.Moments)-1]; end.Phase != executor.Forward && end.Use[executor.Activations] > p.AtPeak()[executor.Activations] {
		t.Errorf("at the end are %d of activations in use", end.Use[executor.Activations])
	}
}

// TestKeptByLayer compares what layers keep with what the same layers kept in TensorFlow: nine
// tenths of the bytes belong where they were recorded.
func TestKeptByLayer(t *testing.T) {
	keptOf := map[string]map[string]int64{}
	for _, row := range table(t, "kept.csv") {
		if keptOf[row["program"]] == nil {
			keptOf[row["program"]] = map[string]int64{}
		}
		kept, err := strconv.ParseInt(row["kept"], 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		// Layers without names are numbered separately if a program creates several models. The
		// test compares how much each position keeps.
		keptOf[row["program"]][row["layer"]] += kept
	}
	var right, all float64
	eachCase(t, recorded(t, "cases"), func(t *testing.T, name string, p *graph.Program, _ *graph.ModelCall) {
		want := keptOf[name]
		p.Uses[0].Model.Compiled.XLA = "False" // as it was recorded
		a := memory.Assess(p.Uses[0].Model, p.Uses, memory.Place{})
		got := map[string]int64{}
		var visit func(layers []memory.LayerCost)
		visit = func(layers []memory.LayerCost) {
			for _, l := range layers {
				if len(l.Inner) == 0 {
					got[l.Layer.Name] += l.Kept
				}
				visit(l.Inner)
			}
		}
		visit(a.Layers)
		var same, total int64
		for layer, n := range want {
			total += n
			same += min(n, got[layer])
		}
		t.Logf("%d of %d bytes are where they were recorded", same, total)
		right, all = right+float64(same), all+float64(total)
	})
	if right < 0.9*all {
		t.Errorf("%.1f %% of the kept bytes belong to the layers they are recorded for, want 90 %%", 100*right/all)
	}
}

// TestAssess checks the batches of each case's assessment against each other.
func TestAssess(t *testing.T) {
	eachCase(t, recorded(t, "cases"), func(t *testing.T, name string, p *graph.Program, u *graph.ModelCall) {
		a := memory.Assess(u.Model, p.Uses, memory.Place{Device: &gpu24, Others: []memory.Device{alike}})
		if len(a.Unresolved) > 0 {
			t.Fatal(a.Unresolved)
		}
		if a.Verdict != memory.Fits || a.Largest < a.Batch {
			t.Errorf("a batch of %d %s, and the largest is %d", a.Batch, a.Verdict, a.Largest)
		}
		var parameters int64
		for _, l := range a.Layers {
			parameters += l.Parameters.Low
		}
		if parameters != a.Parameters.Low {
			t.Errorf("the layers have %d parameters, the model %d", parameters, a.Parameters.Low)
		}
		if mixed := name == "cnn_mixed_precision"; mixed != (a.Precision == "mixed_float16") {
			t.Errorf("the precision is %s", a.Precision)
		}
		for i := range a.Curve[1:] {
			if a.Curve[i].Need.Peak > a.Curve[i+1].Need.Peak {
				t.Errorf("a batch of %d takes more than one of %d", a.Curve[i].Batch, a.Curve[i+1].Batch)
			}
		}
		if a.Inference.Peak > a.Training.Peak || a.Inference.Kept != 0 || a.Inference.Use == nil && a.Inference.Optimizer != 0 {
			t.Errorf("prediction takes %+v, training %+v", a.Inference.Need, a.Training.Need)
		}
		// What is read off the curve is never too much, and close to the largest.
		if off := a.Others[0].Largest; off > a.Largest || float64(off) < 0.9*float64(a.Largest) {
			t.Errorf("the curve says that %d fits, the model itself %d", off, a.Largest)
		}
		high := func(batch int64) int64 {
			trainer, err := memory.NewTrainer(u.Model, u.Model.Optimizer)
			if err != nil {
				t.Fatal(err)
			}
			n, err := trainer.On(gpu24).Need(u.BatchInputs(batch))
			if err != nil {
				t.Fatal(err)
			}
			return n.High + graph.DataBytes(u.Data, batch)
		}
		if a.Largest < memory.MaxBatch && (high(a.Largest) > a.Budget.Low || high(a.Largest+1) <= a.Budget.Low) {
			t.Errorf("%d is not the largest batch within %d: %d, %d", a.Largest, a.Budget.Low, high(a.Largest), high(a.Largest+1))
		}
	})
}

// TestInferenceTruth compares prediction with what real TensorFlow needed for it
// (testdata/estimate/record_inference.py).
func TestInferenceTruth(t *testing.T) {
	text, err := os.ReadFile("../../testdata/estimate/inference.json")
	if err != nil {
		t.Fatal(err)
	}
	var records map[string]struct {
		BatchSize     int64 `json:"batch_size"`
		PoolPeakBytes int64 `json:"pool_peak_bytes"`
	}
	if err := json.Unmarshal(text, &records); err != nil {
		t.Fatal(err)
	}
	if len(records) < 13 {
		t.Fatalf("there are %d records", len(records))
	}
	for name, want := range records {
		t.Run(name, func(t *testing.T) {
			p := follow(t, "../../testdata/estimate/cases/"+name+".py")
			u := p.Uses[0]
			u.Model.Compiled.XLA = "False" // as it was recorded
			got, err := memory.Inference(u.Model, u.BatchInputs(want.BatchSize))
			if err != nil {
				t.Fatal(err)
			}
			off := float64(got.Peak)/float64(want.PoolPeakBytes) - 1
			t.Logf("peak %8.2f MiB, recorded %8.2f: %+6.1f %%", mib(got.Peak), mib(want.PoolPeakBytes), 100*off)
			if math.Abs(off) > 0.05 {
				t.Errorf("prediction is %.1f %% off", 100*off)
			}
		})
	}
}

// TestWrappers: what inner layers keep is reported for the outer ones, and nothing is lost.
func TestWrappers(t *testing.T) {
	p := followText(`
from tensorflow import keras
from tensorflow.keras import layers
m = keras.Sequential([
    keras.Input((10, 16, 16, 3)),
    layers.TimeDistributed(layers.Conv2D(8, 3, activation="relu")),
    layers.TimeDistributed(layers.Flatten()),
    layers.Bidirectional(layers.LSTM(32)),
    keras.Sequential([layers.Dense(16, activation="relu"), layers.Dropout(0.5)]),
    layers.Dense(1),
])
m.compile("adam", "mse")
m.fit(x, y)
`)
	a := memory.Assess(p.Uses[0].Model, p.Uses, memory.Place{})
	if len(a.Unresolved) > 0 {
		t.Fatal(a.Unresolved)
	}
	kept, parameters := a.Training.KeptBy[nil], int64(0)
	var classes []string
	for _, l := range a.Layers {
		classes = append(classes, l.Layer.Class)
		kept += l.Kept
		parameters += l.Parameters.Low
	}
	if got, want := strings.Join(classes, " "), "TimeDistributed TimeDistributed Bidirectional Sequential Dense"; got != want {
		t.Errorf("the layers are %s, want %s", got, want)
	}
	if kept != a.Training.Kept || parameters != a.Parameters.Low {
		t.Errorf("%d are kept and %d parameters, want %d and %d", kept, parameters, a.Training.Kept, a.Parameters.Low)
	}
	for _, i := range []int{0, 2, 3} {
		if a.Layers[i].Kept == 0 {
			t.Errorf("%s keeps nothing", classes[i])
		}
	}
}

func TestAssessUnknown(t *testing.T) {
	for _, c := range []struct{ name, program, why string }{
		{"no input", "keras.Sequential([keras.layers.Dense(1)])", "the shape of the model's input is not known"},
		{"free sizes", "keras.Sequential([keras.Input((None, None, 3)), keras.layers.Conv2D(8, 3), keras.layers.GlobalAveragePooling2D()])", "the shape of its data is known only in part"},
		{"negative", "keras.Sequential([keras.Input((4,)), keras.layers.Dense(-1)])", ""},
		{"huge", "keras.Sequential([keras.Input((4,)), keras.layers.Dense(10 ** 12)])", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := followText("from tensorflow import keras\nm = " + c.program + "\nm.compile('adam', 'mse')\n")
			a := memory.Assess(p.Models[0], p.Uses, memory.Place{Device: &gpu24, Others: []memory.Device{alike}})
			if c.name == "huge" {
				if a.Verdict != memory.Exceeds || a.Largest != 0 {
					t.Errorf("%s, largest %d, %v", a.Verdict, a.Largest, a.Unresolved)
				}
				return
			}
			if a.Verdict != memory.Unknown || len(a.Unresolved) == 0 || !strings.Contains(a.Unresolved[0].String(), c.why) {
				t.Errorf("%s: %v, want %q", a.Verdict, a.Unresolved, c.why)
			}
		})
	}
}

// TestGradientOfAGradient puts an operation that only holds tensors between a gradient and what
// it is computed from. In eager execution that is not followed; compiled it is.
func TestGradientOfAGradient(t *testing.T) {
	for eager, why := range map[string]string{"True": "a gradient of a gradient is not followed in an eager step", "False": ""} {
		p := followText(`
import numpy as np, tensorflow as tf
from tensorflow import keras
class Curved(keras.Model):
    def train_step(self, data):
        x, y = data
        weights = self.trainable_variables
        with tf.GradientTape() as outer:
            with tf.GradientTape() as inner:
                loss = self.compute_loss(y=y, y_pred=self(x, training=True))
            first = inner.gradient(loss, weights)
        self.optimizer.apply_gradients(zip(outer.gradient(first, weights), weights))
i = keras.Input((8,))
m = Curved(i, keras.layers.Dense(1)(keras.layers.Dense(4, activation="tanh")(i)))
m.compile("sgd", "mse", run_eagerly=` + eager + `)
m.fit(np.zeros((64, 8)), np.zeros((64, 1)))
`)
		a := memory.Assess(p.Models[0], p.Uses, memory.Place{Device: &gpu24})
		if got := value.Words(a.Unresolved); !strings.HasPrefix(got, why) || (got == "") != (why == "") {
			t.Errorf("run_eagerly=%s: %q, want %q", eager, got, why)
		}
	}
}

func TestBytes(t *testing.T) {
	for n, want := range map[int64]string{
		0: "0 B", 1000: "1000 B", 1024: "1.00 KiB", 10_230: "9.99 KiB", 10_240: "10.0 KiB", 1<<20 - 1: "1.00 MiB",
		150 << 20: "150 MiB", 5 << 30: "5.00 GiB", math.MaxInt64: "8.00 EiB",
	} {
		if got := memory.Bytes(n); got != want {
			t.Errorf("%d is %s, want %s", n, got, want)
		}
	}
	for n, want := range map[int64]string{0: "0", 999: "999", 1000: "1,000", 25_636_712: "25,636,712", -1000: "-1,000", -100: "-100"} {
		if got := memory.Count(n); got != want {
			t.Errorf("%d is %s, want %s", n, got, want)
		}
	}
}

// TestReserved uses the growth that was measured on an A100 with 40 GB: nvidia-smi showed 254,
// 1022, 2046, 4094 MiB beside the context.
func TestReserved(t *testing.T) {
	a100 := memory.Device{Total: 40 << 30, Major: 8}
	growth := memory.Process{Growth: true}
	context := memory.Reserved(0, a100, growth)
	for peak, want := range map[int64]int64{200: 254, 255: 510, 1000: 1022, 1023: 2046, 2100: 4094} {
		if got := memory.Reserved(peak<<20, a100, growth) - context; got != want<<20 {
			t.Errorf("for %d MiB the pool grows to %d MiB, want %d", peak, got>>20, want)
		}
	}
	if got, want := memory.Reserved(1<<20, a100, memory.Process{}), context+memory.BudgetOf(a100, memory.Process{}).Expected; got != want {
		t.Errorf("without growth %d are reserved, want %d", got, want)
	}
}
