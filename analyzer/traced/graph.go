// Package traced knows a training step as TensorFlow traced it in a run: its operations, after
// TensorFlow's graph optimizer, with the shapes of what they compute. [Read] reads what tfmem probe
// wrote (editors/python/tfmem/trace.py), and [Graph.Play] runs the graph as TensorFlow's executor
// does, on sizes alone.
//
// The graph is data from elsewhere. It is read within bounds and refused as a whole if it breaks one.
// The package knows neither the program nor what a step costs: package memory turns peaks into needs.
package traced

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/tfmem/tfmem/analyzer/tensor"
)

// The bounds of what is read.
const (
	MostPacked     = 4 << 20 // characters, as it is packed
	mostBytes      = 64 << 20
	mostNodes      = 100_000 // of all functions together
	mostEdges      = 2_000_000
	mostDimensions = 32
	mostSize       = 1 << 40 // of a tensor or a dimension
	mostTypes      = 10_000
	mostText       = 256
)

// A Graph is the graph of a step.
type Graph struct {
	Function
	functions map[string]*Function
}

// A Function is a graph that an operation runs, or the step's own.
type Function struct {
	Nodes   []*Node
	inputs  []int32 // the nodes of its arguments
	outputs []output
}

// A Node is an operation.
type Node struct {
	Type string
	// in are the tensors that it reads. after are the nodes that it waits for besides.
	in    []output
	after []int32
	Out   []Tensor
	// folded is set for what TensorFlow computes once, when it makes the graph ready.
	folded bool
	attributes
}

// An output is one of a node.
type output struct{ node, index int32 }

// A Tensor is what a node computes. Its shape has a [tensor.None] where TensorFlow does not know it, and
// is not Ranked if nothing of it is known.
type Tensor struct {
	Shape  tensor.Shape
	DType  tensor.DType
	Ranked bool
}

// Bytes returns the size of the tensor as the allocator rounds it, 0 if it is not known.
func (t *Tensor) Bytes() int64 {
	n, ok := t.Shape.Elements()
	if !t.Ranked || !ok {
		return 0
	}
	return tensor.Round256(n * t.width())
}

// width returns the bytes of an element. Handles, lists and texts are not on a device.
func (t *Tensor) width() int64 {
	switch t.DType {
	case "resource", "variant", "string":
		return 0
	}
	return t.DType.Size()
}

// attributes are what else is told of some nodes.
type attributes struct {
	Value    []int64 `json:"value"`    // of a small constant
	Variable []int64 `json:"variable"` // the type and the shape
	Axis     int64   `json:"axis"`
	Equation string  `json:"equation"`
	Element  *int    `json:"element"` // the type of what a list holds
	Body     string  `json:"body"`
	Cond     string  `json:"cond"`
	F        string  `json:"f"`
	Then     string  `json:"then_branch"`
	Else     string  `json:"else_branch"`

	variable *Tensor
}

// told is the JSON of a graph.
type told struct {
	Types     []string                 `json:"types"`
	DTypes    []string                 `json:"dtypes"`
	Nodes     []toldNode               `json:"nodes"`
	Functions map[string]*toldFunction `json:"functions"`
}

type toldFunction struct {
	Nodes   []toldNode `json:"nodes"`
	Inputs  []int64    `json:"inputs"`
	Outputs [][2]int64 `json:"outputs"`
}

type toldNode []json.RawMessage

// Read reads a graph that is packed: gzip, in base64.
func Read(packed string) (*Graph, error) {
	if len(packed) > MostPacked {
		return nil, fmt.Errorf("the graph of a step has more than %d MiB", MostPacked>>20)
	}
	data, err := base64.StdEncoding.DecodeString(packed)
	if err != nil {
		return nil, fmt.Errorf("the graph of a step cannot be unpacked: %w", err)
	}
	unpacked, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("the graph of a step cannot be unpacked: %w", err)
	}
	text, err := io.ReadAll(io.LimitReader(unpacked, mostBytes+1))
	if err != nil {
		return nil, fmt.Errorf("the graph of a step cannot be unpacked: %w", err)
	}
	if len(text) > mostBytes {
		return nil, fmt.Errorf("the graph of a step has more than %d MiB", mostBytes>>20)
	}
	var said told
	if err := json.Unmarshal(text, &said); err != nil {
		return nil, fmt.Errorf("the graph of a step is not what tfmem probe writes: %w", err)
	}
	g, err := said.graph()
	if err != nil {
		return nil, fmt.Errorf("the graph of a step is not what tfmem probe writes: %w", err)
	}
	return g, nil
}

// A reader makes nodes of what was told.
type reader struct {
	*told
	nodes, edges int
}

func (t *told) graph() (*Graph, error) {
	if len(t.Types) > mostTypes || len(t.DTypes) > mostTypes {
		return nil, fmt.Errorf("it has more than %d types", mostTypes)
	}
	for _, name := range slices.Concat(t.Types, t.DTypes) {
		if len(name) > mostText {
			return nil, errors.New("the name of a type is too long")
		}
	}
	r := &reader{told: t}
	g := &Graph{functions: map[string]*Function{}}
	var err error
	if g.Nodes, err = r.all(t.Nodes); err != nil {
		return nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(t.Functions)) {
		f, err := r.function(t.Functions[name])
		if err != nil {
			return nil, fmt.Errorf("%.40q: %w", name, err)
		}
		g.functions[name] = f
	}
	all := []*Function{&g.Function}
	for _, name := range slices.Sorted(maps.Keys(g.functions)) {
		all = append(all, g.functions[name])
	}
	for _, f := range all {
		f.bound()
		f.fold()
		for _, n := range f.Nodes {
			for _, name := range []string{n.Body, n.Cond, n.F, n.Then, n.Else} {
				if name != "" && g.functions[name] == nil {
					return nil, fmt.Errorf("%s runs a function that is not there", n.Type)
				}
			}
		}
	}
	return g, nil
}

func (r *reader) function(said *toldFunction) (*Function, error) {
	if said == nil {
		return nil, errors.New("a function has no nodes")
	}
	f := &Function{}
	var err error
	if f.Nodes, err = r.all(said.Nodes); err != nil {
		return nil, err
	}
	for _, n := range said.Inputs {
		if n < 0 || n >= int64(len(f.Nodes)) || len(f.Nodes[n].Out) == 0 {
			return nil, errors.New("an argument is no node")
		}
		f.inputs = append(f.inputs, int32(n))
	}
	for _, o := range said.Outputs {
		out, err := f.output(o)
		if err != nil {
			return nil, err
		}
		f.outputs = append(f.outputs, out)
	}
	return f, nil
}

func (f *Function) output(o [2]int64) (output, error) {
	if o[0] < 0 || o[0] >= int64(len(f.Nodes)) || o[1] < 0 || o[1] >= int64(len(f.Nodes[o[0]].Out)) {
		return output{}, errors.New("an input is no output of a node")
	}
	return output{int32(o[0]), int32(o[1])}, nil
}

// all makes the nodes of a function. No node may read one behind it: then the graph has no cycle.
func (r *reader) all(said []toldNode) ([]*Node, error) {
	if r.nodes += len(said); r.nodes > mostNodes {
		return nil, fmt.Errorf("it has more than %d nodes", mostNodes)
	}
	f := &Function{Nodes: make([]*Node, 0, len(said))}
	for i, parts := range said {
		n, err := r.node(f, parts)
		if err != nil {
			return nil, fmt.Errorf("node %d: %w", i, err)
		}
		f.Nodes = append(f.Nodes, n)
	}
	return f.Nodes, nil
}

func (r *reader) node(f *Function, parts toldNode) (*Node, error) {
	if len(parts) < 3 || len(parts) > 4 {
		return nil, errors.New("it has no type, inputs and outputs")
	}
	var kind int
	var inputs []json.RawMessage
	var outputs [][]int64
	n := &Node{}
	err := errors.Join(json.Unmarshal(parts[0], &kind), json.Unmarshal(parts[1], &inputs), json.Unmarshal(parts[2], &outputs))
	if len(parts) == 4 {
		err = errors.Join(err, json.Unmarshal(parts[3], &n.attributes))
	}
	if err != nil {
		return nil, err
	}
	if kind < 0 || kind >= len(r.Types) {
		return nil, errors.New("its type is not there")
	}
	n.Type = r.Types[kind]
	if r.edges += len(inputs) + len(outputs); r.edges > mostEdges {
		return nil, fmt.Errorf("there are more than %d inputs and outputs", mostEdges)
	}
	for _, text := range inputs {
		var number int64
		var of [2]int64
		if json.Unmarshal(text, &number) == nil {
			if number < 0 {
				if number = -1 - number; number >= int64(len(f.Nodes)) {
					return nil, errors.New("it waits for a node behind it")
				}
				n.after = append(n.after, int32(number))
				continue
			}
			of[0] = number
		} else if err := json.Unmarshal(text, &of); err != nil {
			return nil, err
		}
		out, err := f.output(of)
		if err != nil {
			return nil, err
		}
		n.in = append(n.in, out)
	}
	for _, o := range outputs {
		t, err := r.tensor(o)
		if err != nil {
			return nil, err
		}
		n.Out = append(n.Out, t)
	}
	if n.Variable != nil {
		t, err := r.tensor(n.Variable)
		if err != nil {
			return nil, err
		}
		n.variable = &t
	}
	if n.Element != nil && (*n.Element < 0 || *n.Element >= len(r.DTypes)) || len(n.Value) > mostDimensions || len(n.Equation) > mostText {
		return nil, errors.New("its attributes are not what they should be")
	}
	return n, nil
}

// tensor reads a type and a shape. -2 stands for an unknown rank.
func (r *reader) tensor(said []int64) (Tensor, error) {
	if len(said) == 0 || said[0] < 0 || said[0] >= int64(len(r.DTypes)) || len(said)-1 > mostDimensions {
		return Tensor{}, errors.New("it has an output that is no tensor")
	}
	t := Tensor{DType: tensor.DType(r.DTypes[said[0]]), Shape: said[1:], Ranked: true}
	if len(said) == 2 && said[1] == -2 {
		return Tensor{DType: t.DType}, nil
	}
	n := int64(1)
	for _, d := range t.Shape {
		if d < tensor.None || d > mostSize || d > 0 && n > mostSize/d {
			return Tensor{}, errors.New("it has an output of an absurd size")
		}
		if d > 0 {
			n *= d
		}
	}
	return t, nil
}

// Batch returns the number of rows that most of the arguments have; 0 if there is none.
func (g *Graph) Batch() (rows int64) {
	count := map[int64]int{}
	for _, n := range g.Nodes {
		if n.Type != "Placeholder" || len(n.Out) != 1 || len(n.Out[0].Shape) == 0 || n.Out[0].width() == 0 {
			continue
		}
		of := n.Out[0].Shape[0]
		if count[of]++; of > 0 && (rows == 0 || count[of] > count[rows]) {
			rows = of
		}
	}
	return rows
}
