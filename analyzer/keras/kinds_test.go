package keras

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/keras/ops"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/tensor"
)

// TestKinds holds that each row of the table of kinds says what XLA makes of it and what is known of
// its second derivative, and that no two rows have one name.
func TestKinds(t *testing.T) {
	seen := map[string]bool{}
	for _, k := range graph.AllKinds {
		if why := incomplete(k); why != "" {
			t.Errorf("the kind %q %s", k.Name, why)
		}
		if name := strings.ToLower(k.Name); seen[name] {
			t.Errorf("two kinds are called %s", name)
		} else {
			seen[name] = true
		}
	}
	for _, k := range []*graph.Kind{{XLA: graph.Fused, Second: graph.Curved}, {Name: "of no role", Second: graph.Curved}, {Name: "of no second derivative", XLA: graph.Fused}} {
		if incomplete(k) == "" {
			t.Errorf("a row that lacks a fact passes for complete: %+v", *k)
		}
	}
}

// incomplete is what a row does not say.
func incomplete(k *graph.Kind) string {
	switch {
	case k.Name == "":
		return "has no name"
	case k.XLA == 0:
		return "does not say what XLA makes of it"
	case k.Second == 0:
		return "does not say whether the gradient of its gradient is known"
	}
	return ""
}

// TestNamesOfKinds holds that each variable of the table is of the row of its name: several share a line.
func TestNamesOfKinds(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "../graph/kinds.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for of := range ast.Preorder(file) {
		row, ok := of.(*ast.ValueSpec)
		if !ok || !strings.HasPrefix(row.Names[0].Name, "Op") {
			continue
		}
		for i, id := range row.Names {
			name := row.Values[i].(*ast.CallExpr).Args[0].(*ast.BasicLit).Value
			if plain := strings.NewReplacer("_", "", `"`, "").Replace(name); !strings.EqualFold("Op"+plain, id.Name) {
				t.Errorf("%s is the kind %s", id.Name, name)
			}
			n++
		}
	}
	if n == 0 {
		t.Error("no row is found")
	}
}

// TestNamedKinds holds that each name by which a program asks for an operation leads to a row.
func TestNamedKinds(t *testing.T) {
	kinds := map[string]*graph.Kind{}
	for name, a := range graph.Activations {
		kinds["the activation "+name] = a.Kind
	}
	maps.Copy(kinds, ops.Reductions)
	maps.Copy(kinds, ops.BinaryFunctions)
	maps.Copy(kinds, ops.Operators)
	for name, k := range kinds {
		if !slices.Contains(graph.AllKinds, k) {
			t.Errorf("%s has no kind of the table", name)
		}
	}
}

// TestKindOfSpellings holds that an operation that has several names is of one kind.
func TestKindOfSpellings(t *testing.T) {
	kindOf := func(call string) *graph.Kind {
		p := Evaluate(names.Resolve(syntax.Parse("import keras\nx = keras.Input((12, 8))\nm = keras.Model(x, "+call+")\nm.predict(data)\n"), effects.Library{}, nil))
		if len(p.Models) != 1 {
			t.Fatalf("%s makes %d models", call, len(p.Models))
		}
		g := &graph.Graph{Inputs: []*graph.Tensor{{Shape: tensor.Shape{2, 12, 8}, DType: "float32"}}}
		if _, err := p.Models[0].Lower(g, g.Inputs); err != nil || len(g.Ops) == 0 {
			t.Fatalf("%s: %d operations, %v", call, len(g.Ops), err)
		}
		return g.Ops[len(g.Ops)-1].Kind
	}
	for _, same := range [][]string{
		{"keras.ops.abs(x)", "keras.ops.absolute(x)"},
		{"keras.ops.max(x, axis=1)", "keras.ops.amax(x, axis=1)", "keras.layers.GlobalMaxPooling1D()(x)"},
		{"keras.ops.mean(x, axis=1)", "keras.layers.GlobalAveragePooling1D()(x)"},
		{"keras.activations.silu(x)", "keras.ops.swish(x)", "keras.layers.Activation('swish')(x)"},
		{"keras.ops.add(x, x)", "x + x", "keras.layers.Add()([x, x])"},
	} {
		for _, other := range same[1:] {
			if a, b := kindOf(same[0]), kindOf(other); a != b {
				t.Errorf("%s is %s, and %s %s", same[0], a.Name, other, b.Name)
			}
		}
	}
}
