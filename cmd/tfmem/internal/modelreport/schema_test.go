package modelreport

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
	"github.com/xeipuuv/gojsonschema"

	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/value"
	"github.com/tfmem/tfmem/rules/estimate"
)

// schemas document the JSON formats; each golden that has the key belongs to it.
var schemas = []struct {
	path, key string
	of        reflect.Type
	types     int // at least
	goldens   int // at least
}{
	{"estimate.schema.json", `"models":`, reflect.TypeFor[Report](), 12, 4},
	{"diff.schema.json", `"largest_growth":`, reflect.TypeFor[Diff](), 7, 1},
}

const schemaPath = "estimate.schema.json" // of schemas

// A node is a part of the schema.
type node struct {
	Ref         string           `json:"$ref"`
	Properties  map[string]*node `json:"properties"`
	Required    []string         `json:"required"`
	Enum        []string         `json:"enum"`
	Items       *node            `json:"items"`
	AnyOf       []*node          `json:"anyOf"`
	Definitions map[string]*node `json:"definitions"`
}

// resolve returns the object that a node describes, an item of it, or the one that it may be beside null.
func (n *node) resolve(root *node) *node {
	switch {
	case n.Ref != "":
		return root.Definitions[strings.TrimPrefix(n.Ref, "#/definitions/")].resolve(root)
	case n.Items != nil && n.Items.Properties == nil && n.Items.Ref == "":
		return n
	case n.Items != nil:
		return n.Items.resolve(root)
	case len(n.AnyOf) > 0:
		return n.AnyOf[0].resolve(root)
	}
	return n
}

// TestSchemaIsThatOfTheTypes compares the schemas' objects with the types that are printed, and their
// lists with those of the program.
func TestSchemaIsThatOfTheTypes(t *testing.T) {
	roots := map[string]*node{}
	for _, s := range schemas {
		text, err := os.ReadFile(s.path)
		if err != nil {
			t.Fatal(err)
		}
		root := &node{}
		if err := json.Unmarshal(text, root); err != nil {
			t.Fatal(err)
		}
		roots[s.path] = root
		seen := map[reflect.Type]bool{}
		var compare func(of reflect.Type, n *node)
		compare = func(of reflect.Type, n *node) {
			for of.Kind() == reflect.Pointer || of.Kind() == reflect.Slice {
				of = of.Elem()
			}
			if of.Kind() != reflect.Struct || seen[of] {
				return
			}
			seen[of] = true
			n = n.resolve(root)
			var names []string
			for i := range of.NumField() {
				name := of.Field(i).Tag.Get("json")
				if names = append(names, name); n.Properties[name] != nil {
					compare(of.Field(i).Type, n.Properties[name])
				}
			}
			slices.Sort(names)
			got := slices.DeleteFunc(slices.Sorted(maps.Keys(n.Properties)), func(name string) bool {
				return s.path == schemaPath && n == root && (name == "path" || name == "errors") // of a line of a stream
			})
			slices.Sort(n.Required)
			if diff := cmp.Diff(names, got) + cmp.Diff(names, n.Required); diff != "" {
				t.Errorf("%s: %s differs from the type:\n%s", s.path, of.Name(), diff)
			}
		}
		compare(s.of, root)
		if len(seen) < s.types {
			t.Errorf("%s: only %d types were compared", s.path, len(seen))
		}
	}
	root := roots[schemaPath]
	for _, s := range statuses {
		if !slices.Contains(roots["diff.schema.json"].Definitions["change"].Properties["status"].Enum, string(s)) {
			t.Errorf("diff.schema.json lacks the status %s", s)
		}
	}
	for _, k := range memory.PhaseKinds {
		if !slices.Contains(root.Definitions["phase"].Properties["kind"].Enum, string(k)) {
			t.Errorf("%s lacks the phase %s", schemaPath, k)
		}
	}
	codes := []string{value.NoCode.String()}
	for _, c := range value.Codes() {
		codes = append(codes, c.String())
	}
	if diff := cmp.Diff(codes, root.Definitions["reason"].Properties["code"].Enum); diff != "" {
		t.Errorf("%s has other codes:\n%s", schemaPath, diff)
	}
	for _, v := range estimate.Urgency {
		if !slices.Contains(root.Definitions["model"].Properties["verdict"].Enum, string(v)) {
			t.Errorf("%s lacks the verdict %s", schemaPath, v)
		}
	}
}

// validator returns what tells whether a document is as a schema says.
func validator(t *testing.T, path string) func(name string, document []byte) bool {
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	schema, err := gojsonschema.NewSchema(gojsonschema.NewBytesLoader(text))
	if err != nil {
		t.Fatal(err)
	}
	return func(name string, document []byte) bool {
		result, err := schema.Validate(gojsonschema.NewBytesLoader(document))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, wrong := range result.Errors() {
			t.Logf("%s: %v", name, wrong)
		}
		return result.Valid()
	}
}

// TestGoldens holds the goldens of all scripts against their schemas.
func TestGoldens(t *testing.T) {
	scripts, err := filepath.Glob("../../../../testdata/cli/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range schemas {
		valid, goldens := validator(t, s.path), 0
		for _, path := range scripts {
			script, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range script.Files {
				if !bytes.Contains(f.Data, []byte(s.key)) || strings.HasPrefix(f.Name, "bad") {
					continue
				}
				goldens++
				if name := filepath.Base(path) + ": " + f.Name; !valid(name, f.Data) {
					t.Errorf("%s is not valid", name)
				}
			}
		}
		if goldens < s.goldens {
			t.Errorf("%s: the scripts have only %d goldens", s.path, goldens)
		}
	}
}

// TestSchema holds the reports on all programs that need a price against the schema.
func TestSchema(t *testing.T) {
	valid := validator(t, schemaPath)
	device := memory.Device{Name: "a GPU", Total: 12 << 30, Major: 8, Minor: 6, Source: "named by the test"}
	kinds, reasons := map[string]bool{}, 0
	for _, pattern := range []string{"examples/*.py", "rules/TFM601/*.py", "estimate/causes/*.py", "estimate/phases/*.py"} {
		paths, err := filepath.Glob("../../../../testdata/" + pattern)
		if err != nil || len(paths) == 0 {
			t.Fatalf("no program is %s: %v", pattern, err)
		}
		for _, path := range paths {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			file := analyzer.Analyze(source.New(path, string(text)), analyzer.Config{Asked: true, Devices: func() []memory.Device { return []memory.Device{device} }})
			models, weighed := estimate.Of(file, estimate.Options{})
			var all Coverage
			all.Add(estimate.Trainings(file))
			report := ReportOf(models, &all, weighed, []string{"a warning"})
			var b bytes.Buffer
			if err := report.Write(&b); err != nil {
				t.Fatal(err)
			}
			if !valid(path, b.Bytes()) {
				t.Errorf("the report on %s is not valid", path)
			}
			for _, m := range report.Models {
				for _, p := range m.Phases {
					kinds[p.Kind] = true
				}
			}
			reasons += len(report.Unresolved)
		}
	}
	if len(kinds) < 5 || reasons == 0 {
		t.Errorf("the programs have only %d kinds of phases, %d trainings without a price", len(kinds), reasons)
	}
	for _, wrong := range []string{`{}`, `{"gpu": null, "models": [{}], "unresolved": [], "remedies": [], "warnings": []}`, `{"gpu": null, "models": [], "unresolved": [], "remedies": [], "warnings": [], "more": 1}`} {
		if valid(wrong, []byte(wrong)) {
			t.Errorf("the schema takes %s", wrong)
		}
	}
}
