package saved

import (
	"archive/zip"
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tfmem/tfmem/analyzer/syntax"
)

func read(data string) (*Model, error) {
	return Read(strings.NewReader(data), int64(len(data)), "")
}

// archive returns a .keras file of these entries.
func archive(t testing.TB, entries map[string]string) string {
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for name, text := range entries {
		w, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

const input = `{"module": "keras.layers", "class_name": "InputLayer", "config": {"batch_shape": [null, 4], "name": "x"}, "name": "x", "inbound_nodes": []}`

// functional returns a functional model of an input "x", these layers, and the output "y".
func functional(layers string) string {
	return `{"module": "keras", "class_name": "Functional", "config": {"name": "m", "layers": [` + input + layers + `], "input_layers": [["x", 0, 0]], "output_layers": [["y", 0, 0]]}}`
}

// described returns a layer that is called on the first output of others.
func described(name, class, config string, of ...string) string {
	var args []string
	for _, o := range of {
		args = append(args, fmt.Sprintf(`{"class_name": "__keras_tensor__", "config": {"shape": [null, 4], "dtype": "float32", "keras_history": [%q, 0, 0]}}`, o))
	}
	return fmt.Sprintf(`, {"module": "keras.layers", "class_name": %q, "config": {"name": %q, %s}, "name": %q, "inbound_nodes": [{"args": [%s], "kwargs": {}}]}`, class, name, config, name, strings.Join(args, ", "))
}

// TestWritten: what is written of each form of a value.
func TestWritten(t *testing.T) {
	for config, want := range map[string]string{
		`"units": 4, "use_bias": false`: `use_bias=False`,
		`"kernel_size": [3, 3]`:         `kernel_size=(3, 3,)`,
		`"scale": [0.5, NaN]`:           ``,
		`"names": ["a", "b\"\\\n"]`:     `names=["a", "b\"\\\u000a"]`,
		`"dtype": {"module": "keras", "class_name": "DTypePolicy", "config": {"name": "float16"}}`: `dtype="float16"`,
		`"init": {"module": "keras.initializers", "class_name": "Zeros", "config": {}}`:            `init=keras.initializers.Zeros()`,
		`"activation": {"module": "builtins", "class_name": "function", "config": "relu"}`:         `activation="relu"`,
		`"activation": {"module": "keras.ops", "class_name": "function", "config": "sin"}`:         `activation=keras.ops.sin`,
		`"at": {"class_name": "__slice__", "config": {"start": null, "stop": 3, "step": null}}`:    `at=slice(None, 3, None)`,
		`"w": {"class_name": "__numpy__", "config": {"value": [1, 2], "dtype": "int32"}}`:          `w=np.array((1, 2,), dtype="int32")`,
		`"by": {"b": 2, "a": 1}`: `by={"a": 1, "b": 2}`,
		`"cell": {"module": "my.cells", "class_name": "Cell", "config": {"n": 3}}`:                  `cell=Cell(n=3)`,
		`"cell": {"module": null, "class_name": "Cell", "config": {}, "registered_name": "p>Cell"}`: `cell=keras.saving.get_registered_object("Cell")()`,
	} {
		model, err := read(functional(described("y", "Dense", config, "x")))
		switch {
		case want == "" && err == nil:
			t.Errorf("%s is read", config)
		case want == "":
		case err != nil:
			t.Errorf("%s: %v", config, err)
		case !strings.Contains(model.Python, want):
			t.Errorf("%s: no %s in\n%s", config, want, model.Python)
		case syntax.Parse(model.Python).HasErrors():
			t.Errorf("%s: it is no Python:\n%s", config, model.Python)
		}
	}
}

// TestElsewhere: what the file only names is told.
func TestElsewhere(t *testing.T) {
	model, err := read(functional(described("a", "Lambda", `"function": {"class_name": "__lambda__", "config": {"code": "4wA="}}`, "x") +
		described("y", "Dense", `"cell": {"module": "my.cells", "class_name": "Cell", "config": {}}`, "a")))
	if err != nil || !slices.Equal(model.Elsewhere, []string{"Cell", "a lambda"}) || !strings.Contains(model.Python, "from my.cells import Cell\n") {
		t.Errorf("%+v, %v", model, err)
	}
}

// TestHostile: a file that is no model of Keras, or one that would take for ever, is an error.
func TestHostile(t *testing.T) {
	deep := strings.Repeat(`{"class_name": "RNN", "module": "keras.layers", "config": {"cell": `, 5000) + "1" + strings.Repeat("}}", 5000)
	var many strings.Builder
	for i := range 100_000 {
		many.WriteString(described(fmt.Sprint("l", i), "Dense", `"units": 1`, "x"))
	}
	// Each pass over the layers calls one more: the last needs all before it, which stand behind it.
	var backwards []string
	for i := range 3000 {
		backwards = append(backwards, described(fmt.Sprint("l", i), "Dense", `"units": 1`, fmt.Sprint("l", i-1)))
	}
	slices.Reverse(backwards)
	for name, file := range map[string]string{
		"empty":          "",
		"text":           "a model",
		"list":           "[1]",
		"no class":       `{"config": {}}`,
		"class":          functional(described("y", "Dense(1); import os #", `"units": 1`, "x")),
		"argument":       functional(described("y", "Dense", `"a=1); import os; f(b": 1`, "x")),
		"module":         functional(described("y", "Dense", `"c": {"module": "os; import sys", "class_name": "C", "config": {}}`, "x")),
		"loop":           functional(described("y", "Dense", `"units": 1`, "z") + described("z", "Dense", `"units": 1`, "y")),
		"missing":        functional(described("y", "Dense", `"units": 1`, "z")),
		"no output":      functional(described("z", "Dense", `"units": 1`, "x")),
		"deep":           deep,
		"deep lists":     `{"class_name": "A", "module": "keras", "config": {"a": ` + strings.Repeat("[", 9000) + strings.Repeat("]", 9000) + "}}",
		"many":           functional(many.String()),
		"backwards":      functional(strings.Join(backwards, "")),
		"zip":            archive(t, map[string]string{"a": "b"}),
		"broken zip":     archive(t, map[string]string{"config.json": functional("")})[:60],
		"bomb":           archive(t, map[string]string{"config.json": `{"class_name": "` + strings.Repeat("A", 64<<20) + `"}`}),
		"place":          strings.Replace(functional(described("y", "Dense", `"units": 1`, "x")), `["y", 0, 0]`, `["y", -1, 0]`, 1),
		"place too high": strings.Replace(functional(described("y", "Dense", `"units": 1`, "x")), `["y", 0, 0]`, `["y", 1e99, 0]`, 1),
	} {
		if model, err := read(file); err == nil {
			t.Errorf("%s: it is read:\n%.2000s", name, model.Python)
		}
	}
}

// TestVersion: a model of Keras 2 is built by tf_keras, which has Keras 2's rules.
func TestVersion(t *testing.T) {
	for version, want := range map[string]string{"2.15.0": "import tf_keras as keras\n", "3.15.1": "import keras\n"} {
		file := archive(t, map[string]string{"config.json": functional(described("y", "Dense", `"units": 1`, "x")), "metadata.json": `{"keras_version": "` + version + `"}`})
		model, err := read(file)
		if err != nil || !strings.Contains(model.Python, want) {
			t.Errorf("%s: %+v, %v", version, model, err)
		}
	}
}

// FuzzRead: any bytes are a model whose program is Python, or an error.
func FuzzRead(f *testing.F) {
	f.Add(functional(described("y", "Dense", `"units": 1`, "x")))
	f.Add(`{"class_name": "Functional", "keras_version": "2.15.0", "config": {"name": "m", "layers": [{"class_name": "InputLayer", "config": {"batch_input_shape": [null, 4], "name": "x"}, "name": "x", "inbound_nodes": []}, {"class_name": "TFOpLambda", "config": {"name": "a", "function": "__operators__.add"}, "name": "a", "inbound_nodes": [["x", 0, 0, {"y": ["x", 0, 0], "name": null}]]}], "input_layers": [["x", 0, 0]], "output_layers": [["a", 0, 0]]}}`)
	f.Add(archive(f, map[string]string{"config.json": `{"class_name": "Sequential", "module": "keras", "config": {"name": "s", "layers": [` + input + `]}}`}))
	f.Fuzz(func(t *testing.T, data string) {
		model, err := read(data)
		if err != nil {
			return
		}
		if syntax.Parse(model.Python).HasErrors() {
			t.Errorf("it is no Python:\n%s", model.Python)
		}
		if again, err := read(data); err != nil || again.Python != model.Python {
			t.Errorf("read again it is\n%s\n%v, first\n%s", again.Python, err, model.Python)
		}
	})
}
