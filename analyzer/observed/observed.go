// Package observed knows what a run of a program told of its values: numbers, texts that choose
// something, shapes, types and lengths, never contents.
//
// A [Dump] is what the running program wrote when it was stopped. [FromDumps] makes a [File] of such
// dumps: observations, each with the text of the statements that may have bound the name. An [Index]
// finds those of a module, as long as its text is the one that ran.
//
// Both formats are data from elsewhere. They are read within bounds and refused as a whole if they
// break one. The package opens no files, runs nothing, and does not know what a value means to the
// program: the evaluator takes it where the text says nothing.
package observed

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/traced"
)

// Version is that of the format of a File.
const Version = 1

// The kinds of values and specs.
const (
	None     = "none"
	Number   = "number"
	Text     = "text"
	Sequence = "sequence"
	Mapping  = "mapping"
	Object   = "object"
	Array    = "array"
	Table    = "table"
	Dataset  = "dataset"
	Model    = "model"
	Length   = "length"
	Tensor   = "tensor"
	Tuple    = "tuple"
)

// The bounds of what is read.
const (
	MostBytes      = 32 << 20
	mostDumpBytes  = 10 << 20
	mostDepth      = 8
	mostSize       = 1 << 40
	mostDimensions = 32
	mostNames      = 20000 // of a file, and of a dump
	mostFiles      = 2000
	mostItems      = 4096
	mostBound      = 64
	mostText       = 256
	mostStatement  = 16 << 10
)

// A Value is what is known of an object of the running program.
type Value struct {
	Kind string `json:"kind"`
	// Value is that of a number or a text.
	Value *Scalar `json:"value,omitempty"`
	// Type is that of a sequence, Class that of an object or model, Library that of an array.
	Type    string `json:"type,omitempty"`
	Class   string `json:"class,omitempty"`
	Library string `json:"library,omitempty"`
	// Length is how many items there are; of a dataset it may be unknown, or [tensor.None]: endless.
	Length *int64 `json:"length,omitempty"`
	// Items are those of a sequence, or of a mapping; nil if only the length is known.
	Items *Items `json:"items,omitempty"`
	// Fields are an object's.
	Fields map[string]*Value `json:"fields,omitempty"`
	// Shape and DType are those of an array.
	Shape *Shape `json:"shape,omitempty"`
	DType string `json:"dtype,omitempty"`
	// Rows, Columns, Count (of columns) and DTypes are those of a table.
	Rows    *int64   `json:"rows,omitempty"`
	Columns []string `json:"columns,omitempty"`
	Count   *int64   `json:"count,omitempty"`
	DTypes  []string `json:"dtypes,omitempty"`
	// Spec is that of a dataset's elements, with the size of its batches where that is known.
	Spec *Spec `json:"spec,omitempty"`
	// Config is what to_json returns of a model, Inputs the shapes that it was called with.
	Config     json.RawMessage `json:"config,omitempty"`
	Inputs     []Shape         `json:"inputs,omitempty"`
	Parameters *int64          `json:"parameters,omitempty"`
	Trainable  *int64          `json:"trainable,omitempty"`
}

// A Spec is what a batch, or an element of a dataset, looks like.
type Spec struct {
	Kind  string     `json:"kind"`
	Shape *Shape     `json:"shape,omitempty"`
	DType string     `json:"dtype,omitempty"`
	Items *SpecItems `json:"items,omitempty"`
}

// Items are those of a sequence, or of a mapping.
type Items struct {
	List  []*Value
	Named map[string]*Value
}

// SpecItems are those of a tuple, or of a mapping.
type SpecItems struct {
	List  []*Spec
	Named map[string]*Spec
}

// A Shape is a tensor's; null stands for [tensor.None].
type Shape tensor.Shape

// A Scalar is an int64, a float64, a bool or a string.
type Scalar struct{ X any }

// A File is what runs of a program told, by the file of the program.
type File struct {
	Version    int      `json:"version"`
	Tfmem      string   `json:"tfmem,omitempty"`
	Command    []string `json:"command,omitempty"`
	Date       string   `json:"date,omitempty"`
	Python     string   `json:"python,omitempty"`
	TensorFlow string   `json:"tensorflow,omitempty"`
	Keras      string   `json:"keras,omitempty"`
	// Texts are digests of the program's files as they ran, by path, if steps were traced: what a step
	// computes may stand in any of them.
	Texts map[string]string  `json:"texts,omitempty"`
	Files map[string]*Module `json:"files"`
}

// A Module holds what is known of the names and calls of a file.
type Module struct {
	Names []Name `json:"names,omitempty"`
	Calls []Call `json:"calls,omitempty"`
}

// A Name is an observation of a variable, or of an attribute of a class's instances.
type Name struct {
	// Function is where the name is bound: "Trainer.run", or "" for the module. For an attribute it
	// is the class, and the name is then "self.n".
	Function string `json:"function"`
	Name     string `json:"name"`
	// Bound are the texts of the statements that may have bound it last.
	Bound []string `json:"bound"`
	// Called is the statement that called the function, if the program itself did.
	Called string `json:"called,omitempty"`
	Value  *Value `json:"value"`
}

// A Call is an observation of a step: a call of fit, train_on_batch, gradient and so on.
type Call struct {
	Function string `json:"function"`
	Call     string `json:"call"` // its text
	Kind     string `json:"kind"`
	Batch    *Spec  `json:"batch,omitempty"`
	Steps    *int64 `json:"steps,omitempty"`
	// Batches is how many batches Batch is the largest of; nil for one that all batches are like.
	Batches *int64 `json:"batches,omitempty"`
	Model   *Value `json:"model,omitempty"`
	Step    *Step  `json:"step,omitempty"`
}

// What says what the batch of the call is: "the batch of fit".
func (c *Call) What() string {
	switch {
	case c.Batches == nil:
		return "the batch of " + c.Kind
	case *c.Batches == 1:
		return "the first batch of " + c.Kind
	}
	return fmt.Sprintf("the largest of the first %d batches of %s", *c.Batches, c.Kind)
}

// A Step is a training step as TensorFlow traced it.
type Step struct {
	// Graph is what package traced reads; "" if Why says why there is none.
	Graph string `json:"graph,omitempty"`
	Why   string `json:"why,omitempty"`
	// Unread are the bytes of the variables that are there beside those that the graph has.
	Unread int64 `json:"unread,omitempty"`
	// Parameters and Trainable are the numbers in the weights, and Weights the bytes of these.
	Parameters int64 `json:"parameters,omitempty"`
	Trainable  int64 `json:"trainable,omitempty"`
	Weights    int64 `json:"weights,omitempty"`
	// Optimizer is the class of the one that applies the gradients.
	Optimizer string `json:"optimizer,omitempty"`

	read *traced.Graph // once it is checked
}

// Traced returns the graph, or nil.
func (s *Step) Traced() *traced.Graph { return s.read }

func (s *Step) check() error {
	switch {
	case s == nil:
		return nil
	case len(s.Why) > mostText, len(s.Optimizer) > mostText:
		return errors.New("a word of a traced step is too long")
	case s.Graph == "":
		return nil
	}
	return errors.Join(s.Read(), size("variables", &s.Unread, 0), size("parameters", &s.Parameters, 0), size("parameters", &s.Trainable, 0), size("weights", &s.Weights, 0))
}

// Read makes the graph of what was told.
func (s *Step) Read() (err error) {
	s.read, err = traced.Read(s.Graph)
	return err
}

// Load reads and checks a file of observations.
func Load(r io.Reader) (*File, error) {
	f := &File{}
	if err := decode(r, MostBytes, f); err != nil {
		return nil, err
	}
	return f, f.check()
}

// decode reads one JSON value of at most so many bytes.
func decode(r io.Reader, most int, into any) error {
	data, err := io.ReadAll(io.LimitReader(r, int64(most)+1))
	if err != nil {
		return err
	}
	if len(data) > most {
		return fmt.Errorf("it has more than %d MiB", most>>20)
	}
	if deep(data) {
		return fmt.Errorf("it is nested more than %d times", mostNested)
	}
	if err := json.Unmarshal(data, into); err != nil {
		return fmt.Errorf("it is not what tfmem probe writes: %w", err)
	}
	return nil
}

// mostNested bounds the JSON itself: a model of models has some ten levels for each.
const mostNested = 100

// deep reports whether JSON is nested too deeply to be decoded: that reads it again at each level.
func deep(data []byte) bool {
	depth, text := 0, false
	for i := 0; i < len(data); i++ {
		switch c := data[i]; {
		case text && c == '\\':
			i++
		case c == '"':
			text = !text
		case text:
		case c == '{' || c == '[':
			if depth++; depth > mostNested {
				return true
			}
		case c == '}' || c == ']':
			depth--
		}
	}
	return false
}

// Write writes the file so that equal observations are equal texts, a name a line.
func (f *File) Write(w io.Writer) error {
	if err := f.check(); err != nil {
		return err
	}
	for _, m := range f.Files {
		m.sort()
	}
	text, err := f.lines()
	if err != nil {
		return err
	}
	_, err = w.Write(text)
	return err
}

func (m *Module) sort() {
	slices.SortFunc(m.Names, func(a, b Name) int { return strings.Compare(a.order(), b.order()) })
	slices.SortFunc(m.Calls, func(a, b Call) int { return strings.Compare(a.order(), b.order()) })
}

// order is what tells observations of names apart.
func (n *Name) order() string {
	return strings.Join(slices.Concat([]string{n.Function, n.Name, n.Called}, n.Bound), "\x00")
}

func (c *Call) order() string { return strings.Join([]string{c.Function, c.Call, c.Kind}, "\x00") }

// lines is the JSON of the file, an observation a line, which a person can read in a diff.
func (f *File) lines() ([]byte, error) {
	head := *f
	head.Files = nil
	text, err := marshal(head)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	b.Write(bytes.TrimSuffix(text, []byte("null}")))
	b.WriteString("{")
	list := func(name string, n int, item func(i int) any) error {
		fmt.Fprintf(&b, "%q: [", name)
		for i := range n {
			text, err := marshal(item(i))
			if err != nil {
				return err
			}
			b.WriteString(map[bool]string{true: "\n", false: ",\n"}[i == 0])
			b.Write(text)
		}
		b.WriteString("]")
		return nil
	}
	for i, path := range slices.Sorted(maps.Keys(f.Files)) {
		name, err := marshal(path)
		if err != nil {
			return nil, err
		}
		b.WriteString(map[bool]string{true: "\n", false: ",\n"}[i == 0])
		b.Write(name)
		b.WriteString(": {")
		m := f.Files[path]
		err = list("names", len(m.Names), func(i int) any { return m.Names[i] })
		b.WriteString(", ")
		err = errors.Join(err, list("calls", len(m.Calls), func(i int) any { return m.Calls[i] }))
		if err != nil {
			return nil, err
		}
		b.WriteString("}")
	}
	b.WriteString("}}\n")
	return b.Bytes(), nil
}

// marshal is json.Marshal that leaves "<" and ">" of statements as they are.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimSpace(b.Bytes()), err
}

// check reports the first thing that is beyond a bound, or that the format does not have.
func (f *File) check() error {
	if f.Version != Version {
		return fmt.Errorf("its version is %d, and this tfmem reads %d; run tfmem probe again", f.Version, Version)
	}
	if len(f.Texts) > mostFiles {
		return fmt.Errorf("it has digests of %d files, more than %d", len(f.Texts), mostFiles)
	}
	for _, path := range slices.Sorted(maps.Keys(f.Texts)) {
		if !isPath(path) || len(f.Texts[path]) > mostText {
			return fmt.Errorf("%.100q is not the path of a file in its folder", path)
		}
	}
	if len(f.Files) > mostFiles {
		return fmt.Errorf("it has %d files, more than %d", len(f.Files), mostFiles)
	}
	for _, s := range append([]string{f.Tfmem, f.Date, f.Python, f.TensorFlow, f.Keras}, f.Command...) {
		if len(s) > mostStatement {
			return errors.New("a part of its command or versions is too long")
		}
	}
	names := 0
	for _, path := range slices.Sorted(maps.Keys(f.Files)) {
		if !isPath(path) {
			return fmt.Errorf("%.100q is not the path of a file in its folder", path)
		}
		m := f.Files[path]
		if m == nil {
			return fmt.Errorf("%s has no observations", path)
		}
		if names += len(m.Names) + len(m.Calls); names > mostNames {
			return fmt.Errorf("it has more than %d observations", mostNames)
		}
		for _, n := range m.Names {
			if err := n.check(); err != nil {
				return fmt.Errorf("%s: %w", path, err)
			}
		}
		for _, c := range m.Calls {
			if err := c.check(); err != nil {
				return fmt.Errorf("%s: %w", path, err)
			}
		}
	}
	return nil
}

func isPath(path string) bool {
	return fs.ValidPath(path) && path != "." && !strings.ContainsAny(path, "\\\x00") && len(path) <= mostStatement
}

func (n *Name) check() error {
	switch {
	case n.Name == "" || len(n.Name) > mostText || len(n.Function) > mostStatement:
		return fmt.Errorf("%.100q is not a name", n.Name)
	case len(n.Bound) == 0 || len(n.Bound) > mostBound:
		return fmt.Errorf("%s has %d statements that bind it", n.Name, len(n.Bound))
	case n.Value == nil:
		return fmt.Errorf("%s has no value", n.Name)
	}
	for _, s := range append(n.Bound, n.Called) {
		if len(s) > mostStatement {
			return fmt.Errorf("a statement of %s is too long", n.Name)
		}
	}
	if err := n.Value.check(mostDepth); err != nil {
		return fmt.Errorf("%s: %w", n.Name, err)
	}
	return nil
}

func (c *Call) check() error {
	if c.Call == "" || len(c.Call) > mostStatement || len(c.Function) > mostStatement || len(c.Kind) > mostText {
		return fmt.Errorf("%.100q is not a call", c.Call)
	}
	if err := errors.Join(c.Batch.check(mostDepth), size("steps", c.Steps, 0), size("batches", c.Batches, 0), c.Model.check(mostDepth), c.Step.check()); err != nil {
		return fmt.Errorf("%.100s: %w", c.Call, err)
	}
	return nil
}

// size checks a number of things.
func size(what string, n *int64, least int64) error {
	if n != nil && (*n < least || *n > mostSize) {
		return fmt.Errorf("%d is not possible for %s", *n, what)
	}
	return nil
}

// check checks a value with what it contains, to a depth.
func (v *Value) check(depth int) error {
	if v == nil {
		return nil
	}
	if depth == 0 {
		return errors.New("a value is nested too deeply")
	}
	known := v.Kind == None
	switch v.Kind {
	case Number:
		known = v.Value != nil && !v.Value.isText()
	case Text:
		known = v.Value != nil && v.Value.isText()
	case Sequence, Mapping, Length:
		known = v.Length != nil || v.Items != nil
	case Object:
		known = true
	case Array:
		known = v.Shape != nil
	case Table:
		known = v.Rows != nil && (v.Count != nil || v.Columns != nil)
	case Dataset:
		known = true
	case Model:
		known = true
	}
	if !known {
		return fmt.Errorf("a value of the kind %.40q is not what it should be", v.Kind)
	}
	for _, s := range slices.Concat([]string{v.Type, v.Class, v.Library, v.DType}, v.Columns, v.DTypes) {
		if len(s) > mostText {
			return fmt.Errorf("a text has more than %d characters", mostText)
		}
	}
	if v.Value != nil && v.Value.isText() && len(v.Value.X.(string)) > mostText {
		return fmt.Errorf("a text has more than %d characters", mostText)
	}
	if len(v.Columns) > mostItems || len(v.DTypes) > mostItems || len(v.Fields) > mostItems || len(v.Inputs) > mostItems {
		return fmt.Errorf("a value has more than %d parts", mostItems)
	}
	least := int64(0)
	if v.Kind == Dataset {
		least = tensor.None
	}
	err := errors.Join(size("a length", v.Length, least), size("rows", v.Rows, 0), size("columns", v.Count, 0), size("parameters", v.Parameters, 0), size("parameters", v.Trainable, 0), v.Shape.check(), v.Spec.check(mostDepth))
	for i := range v.Inputs {
		err = errors.Join(err, v.Inputs[i].check())
	}
	if err != nil {
		return err
	}
	if v.Items != nil {
		if len(v.Items.List)+len(v.Items.Named) > mostItems {
			return fmt.Errorf("a value has more than %d items", mostItems)
		}
		for _, item := range v.Items.List {
			if item == nil {
				continue // one that nothing is known of
			}
			if err := item.check(depth - 1); err != nil {
				return err
			}
		}
		if err := checkNamed(v.Items.Named, depth); err != nil {
			return err
		}
	}
	return checkNamed(v.Fields, depth)
}

func checkNamed(all map[string]*Value, depth int) error {
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if len(name) > mostText {
			return fmt.Errorf("a name has more than %d characters", mostText)
		}
		if err := all[name].check(depth - 1); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

func (s *Spec) check(depth int) error {
	if s == nil {
		return nil
	}
	if depth == 0 {
		return errors.New("a batch is nested too deeply")
	}
	switch {
	case s.Kind == None:
	case s.Kind == Tensor:
		if s.Shape == nil {
			return nil // of unknown rank
		}
		return s.Shape.check()
	case s.Kind == Tuple && s.Items != nil, s.Kind == Mapping && s.Items != nil:
		if len(s.Items.List)+len(s.Items.Named) > mostItems {
			return fmt.Errorf("a batch has more than %d items", mostItems)
		}
		for _, item := range s.Items.List {
			if err := item.check(depth - 1); err != nil {
				return err
			}
		}
		for _, name := range slices.Sorted(maps.Keys(s.Items.Named)) {
			if err := s.Items.Named[name].check(depth - 1); err != nil {
				return err
			}
		}
	default:
		return fmt.Errorf("a batch of the kind %.40q is not what it should be", s.Kind)
	}
	return nil
}

func (s *Shape) check() error {
	if s == nil {
		return nil
	}
	if len(*s) > mostDimensions {
		return fmt.Errorf("a shape has %d dimensions", len(*s))
	}
	for _, n := range *s {
		if n != tensor.None && (n < 0 || n > mostSize) {
			return fmt.Errorf("%d is not possible for a dimension", n)
		}
	}
	return nil
}

// Equal reports whether two values are the same.
func (v *Value) Equal(other *Value) bool {
	a, err := marshal(v)
	b, err2 := marshal(other)
	return err == nil && err2 == nil && bytes.Equal(a, b)
}

func (s *Scalar) isText() bool { _, text := s.X.(string); return text }

// MarshalJSON implements [json.Marshaler].
func (s Scalar) MarshalJSON() ([]byte, error) { return marshal(s.X) }

// UnmarshalJSON implements [json.Unmarshaler].
func (s *Scalar) UnmarshalJSON(data []byte) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var x any
	if err := d.Decode(&x); err != nil {
		return err
	}
	switch x := x.(type) {
	case bool, string:
		s.X = x
		return nil
	case json.Number:
		if n, err := x.Int64(); err == nil {
			s.X = n
			return nil
		}
		n, err := x.Float64()
		s.X = n
		return err
	}
	return fmt.Errorf("%.40s is neither a number nor a text", data)
}

// MarshalJSON implements [json.Marshaler].
func (s Shape) MarshalJSON() ([]byte, error) {
	dims := make([]*int64, len(s))
	for i := range s {
		if s[i] != tensor.None {
			dims[i] = &s[i]
		}
	}
	return json.Marshal(dims)
}

// UnmarshalJSON implements [json.Unmarshaler].
func (s *Shape) UnmarshalJSON(data []byte) error {
	var dims []*int64
	if err := json.Unmarshal(data, &dims); err != nil {
		return err
	}
	*s = make(Shape, len(dims))
	for i, d := range dims {
		(*s)[i] = tensor.None
		if d != nil {
			if (*s)[i] = *d; *d < 0 {
				return fmt.Errorf("%d is not possible for a dimension", *d)
			}
		}
	}
	return nil
}

// MarshalJSON implements [json.Marshaler].
func (i Items) MarshalJSON() ([]byte, error) { return oneOf(i.List, i.Named) }

// UnmarshalJSON implements [json.Unmarshaler].
func (i *Items) UnmarshalJSON(data []byte) (err error) {
	i.List, i.Named, err = either[*Value](data)
	return err
}

// MarshalJSON implements [json.Marshaler].
func (i SpecItems) MarshalJSON() ([]byte, error) { return oneOf(i.List, i.Named) }

// UnmarshalJSON implements [json.Unmarshaler].
func (i *SpecItems) UnmarshalJSON(data []byte) (err error) {
	i.List, i.Named, err = either[*Spec](data)
	return err
}

func oneOf[T any](list []T, named map[string]T) ([]byte, error) {
	switch {
	case named != nil:
		return marshal(named)
	case list == nil:
		return []byte("[]"), nil
	}
	return marshal(list)
}

func either[T any](data []byte) (list []T, named map[string]T, err error) {
	if bytes.HasPrefix(bytes.TrimSpace(data), []byte("{")) {
		err = json.Unmarshal(data, &named)
	} else {
		err = json.Unmarshal(data, &list)
	}
	return list, named, err
}
