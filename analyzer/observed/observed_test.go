package observed_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/xeipuuv/gojsonschema"

	"github.com/tfmem/tfmem/analyzer/cases"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/notebook"
	"github.com/tfmem/tfmem/analyzer/observed"
	"github.com/tfmem/tfmem/analyzer/project"
	"github.com/tfmem/tfmem/analyzer/source"
)

const folder = "../../testdata/observed/dumps"

// TestFromDumps makes observations of the dumps of each case, whose program lies beside them. A dump
// has ROOT in place of the program's folder.
func TestFromDumps(t *testing.T) {
	all, err := filepath.Glob(filepath.Join(folder, "*.txtar"))
	if err != nil || len(all) == 0 {
		t.Fatal("no cases", err)
	}
	for _, path := range all {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			cases.Alone(t)
			archive, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			root := t.TempDir()
			program := observed.Program{Root: root, Read: reader(root)}
			var dumps []*observed.Dump
			for _, f := range archive.Files {
				if strings.HasPrefix(f.Name, "dump") {
					d, err := observed.ReadDump(strings.NewReader(strings.ReplaceAll(string(f.Data), "ROOT", filepath.ToSlash(root))))
					if err != nil {
						t.Fatal(err)
					}
					dumps = append(dumps, d)
					continue
				}
				if notebook.Is(f.Name) {
					program.Notebook = filepath.Join(root, f.Name)
				}
				if err := os.WriteFile(filepath.Join(root, f.Name), f.Data, 0o666); err != nil {
					t.Fatal(err)
				}
			}
			file, err := observed.FromDumps(dumps, program)
			if err != nil {
				t.Fatal(err)
			}
			var out bytes.Buffer
			if err := file.Write(&out); err != nil {
				t.Fatal(err)
			}
			cases.Golden(t, strings.TrimSuffix(path, ".txtar")+".json", out.String())
			again, err := observed.Load(bytes.NewReader(out.Bytes()))
			if err != nil {
				t.Fatal(err)
			}
			var second bytes.Buffer
			if err := again.Write(&second); err != nil || second.String() != out.String() {
				t.Errorf("what is read and written again differs: %v\n%s", err, second.String())
			}
		})
	}
}

func reader(root string) func(path string) (*source.Source, *names.Info, error) {
	w := project.New(project.Disk{}, "", root)
	return func(path string) (*source.Source, *names.Info, error) {
		text, err := project.ReadFile(path, project.MaxSize)
		if err != nil {
			return nil, nil, err
		}
		src := source.New(path, string(text))
		if notebook.Is(path) {
			n, err := notebook.Read(path, string(text))
			if err != nil {
				return nil, nil, err
			}
			if src, err = n.Source(); err != nil {
				return nil, nil, err
			}
		}
		return src, w.Resolve(path, w.Tree(path, src.Text())), nil
	}
}

// TestSchema holds what is written, and what the cases of programs have, against the schema.
func TestSchema(t *testing.T) {
	text, err := os.ReadFile("observed.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	schema, err := gojsonschema.NewSchema(gojsonschema.NewBytesLoader(text))
	if err != nil {
		t.Fatal(err)
	}
	hold := func(name string, document []byte) {
		result, err := schema.Validate(gojsonschema.NewBytesLoader(document))
		if err != nil || !result.Valid() {
			t.Errorf("%s: %v, %v", name, err, result.Errors())
		}
	}
	written, _ := filepath.Glob(filepath.Join(folder, "*.json"))
	for _, path := range written {
		document, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		hold(path, document)
	}
	programs, _ := filepath.Glob("../../testdata/observed/programs/*.txtar")
	for _, path := range programs {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range archive.Files {
			if f.Name == "observed.json" {
				hold(path, f.Data)
			}
		}
	}
	if len(written) == 0 || len(programs) == 0 {
		t.Error("there are no cases")
	}
	// Each field of the types stands in the schema.
	var parts struct {
		Properties  map[string]json.RawMessage
		Definitions map[string]struct{ Properties map[string]json.RawMessage }
	}
	if err := json.Unmarshal(text, &parts); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		of    any
		named map[string]json.RawMessage
	}{
		{observed.File{}, parts.Properties}, {observed.Module{}, parts.Definitions["module"].Properties}, {observed.Name{}, parts.Definitions["name"].Properties},
		{observed.Call{}, parts.Definitions["call"].Properties}, {observed.Value{}, parts.Definitions["value"].Properties}, {observed.Spec{}, parts.Definitions["spec"].Properties},
	} {
		kind := reflect.TypeOf(c.of)
		if kind.NumField() != len(c.named) {
			t.Errorf("%v has %d fields, and the schema %d", kind, kind.NumField(), len(c.named))
		}
		for i := range kind.NumField() {
			if name, _, _ := strings.Cut(kind.Field(i).Tag.Get("json"), ","); c.named[name] == nil {
				t.Errorf("the schema lacks %s of %v", name, kind)
			}
		}
	}
}

// TestRefused sees that files beyond a bound are refused with a reason, and quickly.
func TestRefused(t *testing.T) {
	name := func(value string) string {
		return `{"version": 1, "files": {"a.py": {"names": [{"function": "", "name": "x", "bound": ["x = f()"], "value": ` + value + `}]}}}`
	}
	for what, c := range map[string]struct{ text, why string }{
		"no JSON":            {"x", "not what tfmem probe writes"},
		"nothing":            {"", "not what tfmem probe writes"},
		"another version":    {`{"version": 7}`, "version"},
		"a path outside":     {`{"version": 1, "files": {"../a.py": {}}}`, "path"},
		"an absolute path":   {`{"version": 1, "files": {"/etc/passwd": {}}}`, "path"},
		"backslashes":        {`{"version": 1, "files": {"..\\a.py": {}}}`, "path"},
		"deep JSON":          {`{"version": 1, "files": ` + strings.Repeat(`{"a":`, 1e6), "nested"},
		"deep lists":         {strings.Repeat("[", 1e6), "nested"},
		"a deep value":       {name(strings.Repeat(`{"kind": "sequence", "items": [`, 20) + strings.Repeat("]}", 20)), "nested"},
		"a large dimension":  {name(`{"kind": "array", "shape": [1099511627777], "dtype": "float32"}`), "dimension"},
		"a larger dimension": {name(`{"kind": "array", "shape": [1e300], "dtype": "float32"}`), "not what tfmem probe writes"},
		"a negative one":     {name(`{"kind": "array", "shape": [-4], "dtype": "float32"}`), "dimension"},
		"many dimensions":    {name(`{"kind": "array", "shape": [` + strings.Repeat("1,", 100) + `1]}`), "dimensions"},
		"a long text":        {name(`{"kind": "text", "value": "` + strings.Repeat("a", 1000) + `"}`), "characters"},
		"a negative length":  {name(`{"kind": "length", "length": -1}`), "length"},
		"an unknown kind":    {name(`{"kind": "code", "value": "import os"}`), "kind"},
		"no value":           {name("null"), "value"},
		"many names":         {`{"version": 1, "files": {"a.py": {"names": [` + strings.Repeat(`{"name":"x"},`, 1e6) + `{}]}}}`, "observations"},
		"many bytes":         {strings.Repeat(" ", 40<<20), "MiB"},
	} {
		if _, err := observed.Load(strings.NewReader(c.text)); err == nil || !strings.Contains(err.Error(), c.why) {
			t.Errorf("%s: %v, not %q", what, err, c.why)
		}
	}
}

// FuzzRead sees that any bytes are read or refused, and that what is read can be written.
func FuzzRead(f *testing.F) {
	all, err := filepath.Glob(filepath.Join(folder, "*.json"))
	if err != nil {
		f.Fatal(err)
	}
	for _, path := range all {
		text, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Add([]byte(`{"event": {"kind": "fit", "file": "/p/a.py", "line": 1}, "frames": [{"file": "/p/a.py", "line": 1, "names": {"x": {"kind": "none"}}}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		file, dump, err := observed.Read(data)
		switch {
		case err != nil:
		case file != nil:
			if err := file.Write(&bytes.Buffer{}); err != nil {
				t.Fatal(err)
			}
		default:
			_, _ = observed.FromDumps([]*observed.Dump{dump}, observed.Program{Root: "/p", Read: func(string) (*source.Source, *names.Info, error) { return nil, nil, os.ErrNotExist }})
		}
	})
}
