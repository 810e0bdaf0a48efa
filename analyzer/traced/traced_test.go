package traced_test

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"strings"
	"testing"

	"github.com/tfmem/tfmem/analyzer/traced"
)

// packed packs the JSON of a graph as trace.py does.
func packed(text string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = z.Write([]byte(text))
	z.Close()
	return base64.StdEncoding.EncodeToString(b.Bytes())
}

// TestPlay runs small graphs. The tensors of 256 numbers have 1024 bytes.
func TestPlay(t *testing.T) {
	const types = `"types": ["Placeholder", "Exp", "Add", "VarHandleOp", "ReadVariableOp", "AssignVariableOp", "AssignSubVariableOp", "MatMul", "Reshape", "Const", "Switch", "Merge", "Sum", "Mul", "Unique", "While", "Less", "TensorListPushBack", "EmptyTensorList", "AssignAddVariableOp"], "dtypes": ["float32", "resource", "int32", "bool", "variant"]`
	for _, c := range []struct {
		name, nodes                string
		variables, inputs, pleased int64
	}{
		{"an argument is not overwritten, what is computed of it is", `[0, [], [[0, 256]]], [1, [0], [[0, 256]]], [1, [1], [[0, 256]]]`, 0, 1024, 1024},
		{"what is read twice is not overwritten", `[0, [], [[0, 256]]], [1, [0], [[0, 256]]], [2, [1, 1], [[0, 256]]]`, 0, 1024, 2048},
		{"a product allocates", `[0, [], [[0, 16, 16]]], [7, [0, 0], [[0, 16, 16]]], [7, [1, 0], [[0, 16, 16]]]`, 0, 1024, 2048},
		{"a reshape is the same memory", `[0, [], [[0, 16, 16]]], [7, [0, 0], [[0, 16, 16]]], [8, [1], [[0, 256]]], [1, [2], [[0, 256]]]`, 0, 1024, 1024},
		{"a variable is updated in place", `[3, [], [[1]], {"variable": [0, 256]}], [0, [], [[0, 256]]], [6, [0, 1], []]`, 1024, 1024, 0},
		{"a variable that is still read gets memory of its own", `[3, [], [[1]], {"variable": [0, 256]}], [0, [], [[0, 256]]], [4, [0], [[0, 256]]], [6, [0, 1, -3], []], [7, [2, 2, -4], [[0, 256]]]`, 1024, 1024, 2048},
		{"a variable takes the memory that it is assigned", `[3, [], [[1]], {"variable": [0, 256]}], [0, [], [[0, 256]]], [1, [1], [[0, 256]]], [5, [0, 2], []], [1, [1, -4], [[0, 256]]]`, 1024, 1024, 1024},
		{"a reduction that is not along the edges transposes", `[0, [], [[0, 4, 4, 4, 4]]], [9, [], [[2, 2]], {"value": [1, 3]}], [12, [0, 1], [[0, 4, 4]]]`, 0, 1024, 256 + 1024},
		{"the longer branch is taken", `[0, [], [[3]]], [0, [], [[0, 256]]], [10, [1, 0], [[0, 256], [0, 256]]], [7, [2, 2], [[0, 256]]], [7, [3, 3], [[0, 256]]], [11, [[2, 1], 4], [[0, 256], [2]]]`, 0, 256 + 1024, 2048},
		{"there are at most as many different numbers as numbers", `[0, [], [[2, 256]]], [14, [0], [[2, -1], [2, 256]]]`, 0, 1024, 2048},
	} {
		g, err := traced.Read(packed(`{` + types + `, "nodes": [` + c.nodes + `]}`))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		u := g.Play()
		if u.Variables != c.variables || u.Inputs != c.inputs || u.Peak != c.pleased || len(u.Unknown) > 0 {
			t.Errorf("%s: %+v; want %d, %d and a peak of %d", c.name, u, c.variables, c.inputs, c.pleased)
		}
	}
}

// loop is a graph in which a loop pushes a tensor to a list, as often as said.
const loop = `{"types": ["Const", "EmptyTensorList", "Placeholder", "While", "Less", "Add", "TensorListPushBack", "MatMul"], "dtypes": ["int32", "variant", "float32", "bool"],
"nodes": [[0, [], [[0]], {"value": [0]}], [1, [], [[1]]], [2, [], [[2, 16, 16]]], [3, [0, 1, 2], [[0], [1], [2, 16, 16]], {"body": "body", "cond": "cond"}]],
"functions": {"cond": {"nodes": [[2, [], [[0]]], [2, [], [[1]]], [2, [], [[2, 16, 16]]], [0, [], [[0]], {"value": [TIMES]}], [4, [0, 3], [[3]]]], "inputs": [0, 1, 2], "outputs": [[4, 0]]},
"body": {"nodes": [[2, [], [[0]]], [2, [], [[1]]], [2, [], [[2, 16, 16]]], [0, [], [[0]], {"value": [1]}], [5, [0, 3], [[0]]], [7, [2, 2], [[2, 16, 16]]], [6, [1, 5], [[1]]]], "inputs": [0, 1, 2], "outputs": [[4, 0], [6, 0], [2, 0]]}}}`

func TestLoops(t *testing.T) {
	g, err := traced.Read(packed(strings.ReplaceAll(loop, "TIMES", "5")))
	if err != nil {
		t.Fatal(err)
	}
	// The list holds a tensor of each iteration; the counter and the condition are small.
	if u := g.Play(); u.Loops || u.Peak < 5*1024 || u.Peak > 5*1024+1024 {
		t.Errorf("%+v", u)
	}
}

// TestRefused: a graph that is not what tfmem probe writes is refused, and what is read ends in time.
func TestRefused(t *testing.T) {
	deep := `{"types": ["F"], "dtypes": [], "nodes": [[0, [], [], {"f": "f"}]]}`
	for _, text := range []string{
		"", "{", "[]", `{"nodes": [[0, [], []]]}`, deep,
		`{"types": ["A"], "dtypes": ["float32"], "nodes": [[0, [0], []]]}`,
		`{"types": ["A"], "dtypes": ["float32"], "nodes": [[0, [], [[0, 1000000000000, 1000000000000]]]]}`,
		`{"types": ["A"], "dtypes": ["float32"], "nodes": [[0, [-2], []]]}`,
		`{"types": ["A"], "dtypes": ["float32"], "nodes": [[0, [[0, 7]], [[0]]]]}`,
		`{"types": ["A"], "dtypes": ["float32"], "nodes": [[0, [], [[3]]]]}`,
	} {
		if _, err := traced.Read(packed(text)); err == nil {
			t.Errorf("%s is not refused", text)
		}
	}
	if _, err := traced.Read("no base64"); err == nil {
		t.Error("what is not packed is not refused")
	}
	for _, text := range []string{
		`{"types": ["PartitionedCall"], "dtypes": [], "nodes": [[0, [], [], {"f": "f"}]], "functions": {"f": {"nodes": [[0, [], [], {"f": "f"}], [0, [], [], {"f": "f"}]]}}}`,
		strings.ReplaceAll(loop, "TIMES", "1000000000"),
	} {
		g, err := traced.Read(packed(text))
		if err != nil {
			t.Fatal(err)
		}
		if u := g.Play(); !u.Cut && !u.Loops {
			t.Errorf("%.60s… ends with %+v", text, u)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(loop)
	f.Add(`{"types": ["VarHandleOp", "AssignVariableOp"], "dtypes": ["float32", "resource"], "nodes": [[0, [], [[1]], {"variable": [0, 4]}], [1, [0, 0], []]]}`)
	f.Add(`{"types": ["Switch", "Merge", "TensorListPopBack", "Split"], "dtypes": ["float32"], "nodes": [[0, [], [[0], [0]]], [1, [0], []], [2, [0], [[0]]], [3, [0], [[0]]]]}`)
	f.Fuzz(func(t *testing.T, text string) {
		g, err := traced.Read(packed(text))
		if err != nil {
			return
		}
		g.Play()
		g.Batch()
	})
}
