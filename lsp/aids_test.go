package lsp

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/rules"
	"github.com/tfmem/tfmem/rules/settings"
	"go.lsp.dev/protocol"
)

// TestRefresher: a client is asked to refresh once for each of its requests, by one request at a
// time.
func TestRefresher(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &session{ctx: t.Context()}
		r := newRefresher()
		requests, answer := 0, make(chan struct{})
		s.start(r.aids, r.onceAsked(func() {
			requests++
			<-answer
		}))
		expect := func(what string, want int) {
			t.Helper()
			synctest.Wait()
			if requests != want {
				t.Errorf("%s: %d requests, want %d", what, requests, want)
			}
		}
		r.aids.call()
		expect("a client that never asked", 0)
		r.asked.Store(true)
		expect("nothing has changed since", 0)
		r.aids.call()
		expect("a change", 1)
		r.aids.call()
		r.aids.call()
		expect("others during the request", 1)
		answer <- struct{}{}
		expect("after which it has not asked", 1)
		r.asked.Store(true)
		r.aids.call()
		expect("it has", 2)
		r.asked.Store(true)
		r.aids.call()
		expect("another change", 2)
		answer <- struct{}{}
		expect("of which it is told", 3)
		answer <- struct{}{}
		expect("and then nothing", 3)
		r.aids.call()
		expect("until it asks", 3)
	})
}

const twoModels = `import tensorflow as tf
from tensorflow import keras
small = keras.Sequential([keras.Input((8,)), keras.layers.Dense(4, name="of_small")])
large = keras.Sequential([keras.Input((8,)), keras.layers.Dense(4096, name="of_large")])
for m in [small, large]:
    m.compile("adam", "mse")
large.fit(x, y, batch_size=64)
`

const unknownModel = `from tensorflow import keras
import mine
other = mine.build()
other.compile("adam", "mse")
other.fit(x, y)
`

// TestShowEstimate: the page shows all models of a document, or the one at a position, and
// compares with other GPUs.
func TestShowEstimate(t *testing.T) {
	w := dialWith(context.Background(), t, Options{
		Config: analyzer.Config{Devices: func() []memory.Device { return aGPU(context.Background()) }},
		Others: []memory.Device{{Name: "Probe 9000", Total: 9 << 30}},
	})
	w.initialize("utf-16")
	w.open("file:///p/a.py", 1, twoModels)
	w.diagnostics("file:///p/a.py")
	for _, c := range []struct {
		what     string
		position any
		holds    []string
		lacks    []string
	}{
		{"all", nil, []string{"of_small", "of_large", "Probe 8000", "Probe 9000", "a.py:3:9"}, nil},
		{"a variable", message{"line": 2, "character": 1}, []string{"of_small"}, []string{"of_large"}},
		{"a training", message{"line": 6, "character": 8}, []string{"of_large"}, []string{"of_small"}},
		{"nothing", message{"line": 0, "character": 0}, []string{"of_small", "of_large"}, nil},
	} {
		arguments := []any{"file:///p/a.py"}
		if c.position != nil {
			arguments = append(arguments, c.position)
		}
		html, _ := w.call("workspace/executeCommand", message{"command": "tfmem.showEstimate", "arguments": arguments})["result"].(string)
		for _, s := range c.holds {
			if !strings.Contains(html, s) {
				t.Errorf("%s: the page does not hold %q", c.what, s)
			}
		}
		for _, s := range c.lacks {
			if strings.Contains(html, s) {
				t.Errorf("%s: the page holds %q", c.what, s)
			}
		}
		if !strings.HasPrefix(html, "<!doctype html>") || strings.Contains(html, "<script") {
			t.Errorf("%s: it is no page that stands alone", c.what)
		}
	}
	w.open("file:///p/b.py", 1, "import tensorflow\n")
	w.diagnostics("file:///p/b.py")
	answer := w.call("workspace/executeCommand", message{"command": "tfmem.showEstimate", "arguments": []any{"file:///p/b.py"}})
	if failure, _ := answer["error"].(map[string]any); failure["code"] != -32803.0 {
		t.Errorf("without a model the answer is %v", answer)
	}
	for name, program := range map[string]string{"c": unknownModel, "d": twoModels + unknownModel} {
		w.open("file:///p/"+name+".py", 1, program)
		w.diagnostics("file:///p/" + name + ".py")
		answer := w.call("workspace/executeCommand", message{"command": "tfmem.showEstimate", "arguments": []any{"file:///p/" + name + ".py"}})
		failure, _ := answer["error"].(map[string]any)
		said := fmt.Sprint(answer["result"], failure["message"])
		if !regexp.MustCompile(`fit at `+name+`\.py:\d+:7 is not priced: .*mine\.build`).MatchString(said) || (answer["result"] == nil) == (name == "d") {
			t.Errorf("%s: what is not priced is not said: %.300s", name, said)
		}
	}
	if _, err := w.end(); err != nil {
		t.Error(err)
	}
}

// TestCompletionOrder: a list offers the rules with findings in the line before all others, and
// none that it names already.
func TestCompletionOrder(t *testing.T) {
	w := dial(t)
	w.initialize("utf-16")
	w.open("file:///a.py", 1, "import tensorflow as tf\ntf.config.experimental.set_memory_growth(True)  # noqa: E501, TFM\n# noqa: TFM101, \n")
	w.diagnostics("file:///a.py")
	ask := func(line, character int) []any {
		answer := w.call("textDocument/completion", message{"textDocument": message{"uri": "file:///a.py"}, "position": message{"line": line, "character": character}})
		list, _ := answer["result"].([]any)
		return list
	}
	list := ask(1, 66)
	if len(list) != len(rules.All) || list[0].(map[string]any)["label"] != "TFM105" {
		t.Errorf("offered are %v", list)
	}
	for _, item := range ask(2, 16) {
		if item.(map[string]any)["label"] == "TFM101" {
			t.Error("what is listed is offered")
		}
	}
	if _, err := w.end(); err != nil {
		t.Error(err)
	}
}

// TestInlayHintSettings: each kind of hints can be turned off.
func TestInlayHintSettings(t *testing.T) {
	for path, want := range map[string]string{
		"": "(None, 4) · 36 params, (None, 4096) · 36,864 params, ≈ 2.56 MiB", "memory": "≈ 2.56 MiB",
		"layers": "(None, 4) · 36 params, (None, 4096) · 36,864 params", "none": "",
	} {
		w := dialWith(context.Background(), t, Options{
			Devices: aMachine,
			Configure: func(string, []string, *settings.Editor) (Configuration, error) {
				switch path {
				case "":
					return Configuration{}, nil
				case "none":
					return Configuration{InlayHints: []string{}}, nil
				}
				return Configuration{InlayHints: []string{path}}, nil
			},
		})
		w.initialize("utf-16")
		w.open("file:///a.py", 1, twoModels)
		w.diagnostics("file:///a.py")
		answer := w.call("textDocument/inlayHint", message{"textDocument": message{"uri": "file:///a.py"},
			"range": message{"start": message{"line": 0, "character": 0}, "end": message{"line": 99, "character": 0}}})
		var labels []string
		for _, h := range answer["result"].([]any) {
			labels = append(labels, h.(map[string]any)["label"].(string))
		}
		if got := strings.Join(labels, ", "); got != want {
			t.Errorf("hints %q: got %s, want %s", path, got, want)
		}
		if _, err := w.end(); err != nil {
			t.Error(err)
		}
	}
}

// TestAidsWait: a request about a version that is being analysed waits for it, unless the request
// is cancelled. A superseded version gets no answer.
func TestAidsWait(t *testing.T) {
	const uri = "file:///a.py"
	document := message{"uri": uri}
	for method, params := range map[string]message{
		"textDocument/inlayHint":   {"textDocument": document, "range": at(0, 0, 99, 0)},
		"textDocument/codeLens":    {"textDocument": document},
		"textDocument/completion":  {"textDocument": document, "position": message{"line": 1, "character": 10}},
		"workspace/executeCommand": {"command": "tfmem.showEstimate", "arguments": []any{uri}},
	} {
		w := dial(t)
		w.initialize("utf-16")
		w.open(uri, 1, "import tensorflow\n# tfmem: ig probe_block\n")
		<-gate.reached
		cancelled := w.request(method, params)
		w.notify("$/cancelRequest", message{"id": cancelled})
		w.change(uri, 2, message{"text": "import tensorflow\n# tfmem: ig\n"})
		skipped := w.request(method, params)
		w.change(uri, 3, message{"text": twoModels + "# tfmem: ig\n"})
		params["position"] = message{"line": 7, "character": 11}
		fresh := w.request(method, params)
		response := func(id int) message {
			return w.expect("a response", func(m message) bool { return m["id"] == float64(id) })
		}
		if code := response(cancelled).code(); code != -32800 {
			t.Errorf("%s: the cancelled request was answered by %d, want RequestCancelled", method, code)
		}
		if code := response(skipped).code(); code != -32801 {
			t.Errorf("%s: the request for a version that was skipped was answered by %d, want ContentModified", method, code)
		}
		gate.release <- ""
		switch m := response(fresh); result := m["result"].(type) {
		case string:
		case []any:
			if len(result) == 0 {
				t.Errorf("%s: the newest version has nothing", method)
			}
		default:
			t.Errorf("%s: the request for the newest version was answered by %v", method, m)
		}
		if _, err := w.end(); err != nil {
			t.Error(err)
		}
	}
}

// TestSettingsSaved: when an open settings file is saved, its folder's documents are analysed
// again, and earlier answers to the client may no longer hold.
func TestSettingsSaved(t *testing.T) {
	var edited atomic.Bool
	w := dialWith(context.Background(), t, Options{
		CheckSettings: func(string, string, []string) []settings.Mistake { return nil },
		Configure: func(string, []string, *settings.Editor) (Configuration, error) {
			if edited.Load() {
				return Configuration{Selection: rules.Selection{Ignore: []string{"ALL"}}}, nil
			}
			return Configuration{}, nil
		},
	})
	watches := message{"workspace": message{"didChangeWatchedFiles": message{"dynamicRegistration": true}}}
	w.call("initialize", message{"processId": nil, "capabilities": watches})
	w.notify("initialized", message{})
	w.open("file:///p/a.py", 1, "import tensorflow\nprobe_warning\n")
	if codes := codesOf(w.diagnostics("file:///p/a.py")); codes != "TST001" {
		t.Fatalf("the findings are %q", codes)
	}
	toml := message{"uri": "file:///p/.tfmem.toml", "languageId": "plaintext", "version": 1, "text": "ignore = ['ALL']"}
	w.notify("textDocument/didOpen", message{"textDocument": toml})
	w.diagnostics("file:///p/.tfmem.toml")
	edited.Store(true)
	w.notify("textDocument/didSave", message{"textDocument": message{"uri": "file:///p/.tfmem.toml"}})
	if codes := codesOf(w.diagnostics("file:///p/a.py")); codes != "" {
		t.Errorf("the findings are %q", codes)
	}
	if _, err := w.end(); err != nil {
		t.Error(err)
	}
}

// TestLens: the lens above a training depends on the GPUs, and a hover shows more.
func TestLens(t *testing.T) {
	const program = `import tensorflow as tf
from tensorflow import keras
model = keras.applications.VGG16(weights=None)
model.compile("adam", "mse", jit_compile=False)
model.fit(keras.utils.image_dataset_from_directory("photos", image_size=(224, 224), label_mode="categorical"))
`
	uncounted := strings.Replace(program, "model.fit(", "model.fit(x, y, batch_size=32)  # ", 1)
	gpu := func(mib int64) memory.Device {
		return memory.Device{Name: "Probe", Total: mib << 20, Major: 8, Source: "found by a test"}
	}
	busy := gpu(24 << 10)
	busy.Free, busy.FreeKnown = 2<<30, true
	mirrored := strings.Replace(program, "model = ", "strategy = tf.distribute.MirroredStrategy()\nwith strategy.scope(): model = ", 1)
	for _, c := range []struct {
		what, program string
		devices       []memory.Device
		title, hover  string
	}{
		{"no GPU", program, nil, "≈ 4.23 GiB of GPU memory", "Name one in the settings"},
		{"a large one", program, []memory.Device{gpu(24 << 10)}, "≈ 4.23 GiB of 21.9 GiB on Probe · fits up to 264", "it **fits**; the largest batch that fits is 264."},
		{"one that is busy", program, []memory.Device{busy}, "≈ 4.23 GiB of 21.9 GiB on Probe · fits up to 264", "When tfmem looked, other programs left it 1.19 GiB."},
		{"data of unknown size", uncounted, []memory.Device{gpu(24 << 10)}, "≈ 4.23 GiB of 21.9 GiB on Probe without x and y of fit() · not known whether it fits", "the GPU holds x and y of fit(), whose size is not known (Probe surely has room for "},
		{"one that is tight", program, []memory.Device{gpu(6700)}, "tight", "it is **tight**"},
		{"a small one", program, []memory.Device{gpu(6 << 10)}, "does not fit, up to", "it does **not fit**; the largest batch that fits is"},
		{"one that is too small", program, []memory.Device{gpu(2 << 10)}, "even a batch of 1 may not fit", "even a batch of 1 may not fit."},
		{"two that share", mirrored, []memory.Device{gpu(24 << 10), gpu(24 << 10)}, "on Probe (each of 2) · fits up to", ", 16 on each of 2 GPUs, takes"},
	} {
		w := dialWith(context.Background(), t, Options{Config: analyzer.Config{Devices: func() []memory.Device { return c.devices }}})
		w.initialize("utf-16")
		w.call("textDocument/codeLens", message{"textDocument": message{"uri": "file:///none.py"}})
		w.open("file:///a.py", 1, c.program)
		lenses, _ := w.call("textDocument/codeLens", message{"textDocument": message{"uri": "file:///a.py"}})["result"].([]any)
		if len(lenses) != 1 {
			t.Errorf("%s: the lenses are %v", c.what, lenses)
			continue
		}
		lens := lenses[0].(map[string]any)
		if title := lens["command"].(map[string]any)["title"].(string); !strings.Contains(title, c.title) {
			t.Errorf("%s: the lens is %q, want %q", c.what, title, c.title)
		}
		position := lens["range"].(map[string]any)["start"]
		hover, _ := w.call("textDocument/hover", message{"textDocument": message{"uri": "file:///a.py"}, "position": position})["result"].(map[string]any)
		plainly := strings.ReplaceAll(c.hover, "**", "")
		if text := hover["contents"].(map[string]any)["value"].(string); !strings.Contains(text, plainly) {
			t.Errorf("%s: the hover is %s, want %q", c.what, text, plainly)
		}
		if _, err := w.end(); err != nil {
			t.Error(err)
		}
	}
}

// TestSuccessor: if a version is analysed again, with other GPUs say, the later analysis answers
// requests about it. That does not hold for another text.
func TestSuccessor(t *testing.T) {
	of := func(version int32, text string, w *worker) *snapshot {
		d := &document{path: "/a.py", version: version, parts: []part{{uri: "file:///a.py", version: version, text: text, python: true}}, worker: w}
		own, _ := d.snapshots()
		return own
	}
	for _, c := range []struct {
		what    string
		version int32
		text    string
		follows bool
	}{
		{"the same", 1, "x", true}, {"the same version of JupyterLab's", 1, "y", false}, {"a newer one", 2, "x", false},
	} {
		w := &worker{}
		first, next := of(1, "x", w), of(c.version, c.text, w)
		w.newest.Store(next)
		first.finish(result{}, protocol.ErrContentModified)
		next.finish(result{}, nil)
		got, err := current(context.Background(), first)
		if c.follows && (got != next || err != nil) || !c.follows && err != protocol.ErrContentModified {
			t.Errorf("%s: %v", c.what, err)
		}
	}
}

// TestInlayHintsOfPlainLayers: a layer without parameters that returns its input shape has no
// hint. One that changes the shape, or has parameters, has one.
func TestInlayHintsOfPlainLayers(t *testing.T) {
	const text = `from tensorflow import keras
from tensorflow.keras import layers

class Noise(layers.Layer):
    def call(self, x):
        return x * 0.5

inputs = keras.Input((32, 32, 3))
x = layers.Conv2D(8, 3, padding="same")(inputs)
y = layers.BatchNormalization()(x)
y = layers.ReLU()(y)
y = layers.Add()([x, y])
y = layers.Dropout(0.5)(y)
y = Noise()(y)
y = layers.Concatenate()([x, y])
y = layers.MaxPooling2D()(y)
y = layers.Flatten()(y)
outputs = layers.Dense(10)(y)
model = keras.Model(inputs, outputs)
`
	w := dialWith(context.Background(), t, Options{Devices: aMachine})
	w.initialize("utf-16")
	w.open("file:///a.py", 1, text)
	w.diagnostics("file:///a.py")
	answer := w.call("textDocument/inlayHint", message{"textDocument": message{"uri": "file:///a.py"},
		"range": message{"start": message{"line": 0, "character": 0}, "end": message{"line": 99, "character": 0}}})
	var got []string
	lines := strings.Split(text, "\n")
	for _, h := range answer["result"].([]any) {
		at := h.(map[string]any)["position"].(map[string]any)["line"].(float64)
		got = append(got, strings.Fields(lines[int(at)])[2])
	}
	const want = `layers.Conv2D(8, layers.BatchNormalization()(x) layers.Concatenate()([x, layers.MaxPooling2D()(y) layers.Flatten()(y) layers.Dense(10)(y)`
	if strings.Join(got, " ") != want {
		t.Errorf("there are hints beside %s, want %s", strings.Join(got, " "), want)
	}
	if _, err := w.end(); err != nil {
		t.Error(err)
	}
}
