package facts

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/facts/origins"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// lengthVaries reports whether a value is a sequence that surely has another length in most iterations of
// a loop, because each takes it from a text: its words, its characters, its tokens.
func (f *Facts) lengthVaries(p origins.Place, loop syntax.Node) bool {
	defer f.info.Enter(p.Node).Leave()
	end, ok := f.begins(lengths, p)
	if !ok {
		return false
	}
	defer end()
	found := f.origins.Until(p, f.decides)
	if len(found) != 1 || len(found[0].Path) > 0 {
		return false
	}
	origin := found[0]
	n := origin.Node
	of := func(n syntax.Node) bool {
		return n.Valid() && f.lengthVaries(origins.Place{Node: n, In: origin.In}, loop)
	}
	text := func(n syntax.Node) bool { return n.Valid() && f.readTextVaries(n, origin.In, loop) }
	switch n.Kind() {
	case syntax.ListComprehension, syntax.GeneratorExpression:
		var over []syntax.Node
		for c := range n.Children() {
			if c.Kind() == syntax.ForInClause {
				over = append(over, c.Child(syntax.FieldRight))
			}
		}
		return len(over) == 1 && (of(over[0]) || text(over[0]))
	case syntax.Call:
		first := names.Element(n.Child(syntax.FieldArguments), 0)
		switch f.info.Builtin(n) {
		case "list", "tuple", "sorted", "enumerate", "map", "filter":
			if last := names.Element(n.Child(syntax.FieldArguments), 1); last.Valid() {
				first = last // of map
			}
			return of(first) || text(first)
		}
		object := n.Child(syntax.FieldFunction).Child(syntax.FieldObject)
		switch names.Method(n) {
		case "split":
			return f.info.Callee(n) == "" && text(object) && !first.Valid() // with a separator, it may be a table
		case "encode", "tokenize":
			return f.tokenizes(object) && text(first) && !names.Argument(n, -1, "padding").Valid() && !names.Argument(n, -1, "max_length").Valid()
		}
	}
	return false
}

// readTextVaries is TextVaries for text whose length nobody chose: not that of a counted name.
func (f *Facts) readTextVaries(n syntax.Node, in *origins.Call, loop syntax.Node) bool {
	if !f.TextVaries(n, in, loop).Surely {
		return false
	}
	return f.origins.AllUntil(origins.Place{Node: n, In: in}, func(origin origins.Place, same func(origins.Place) bool) bool {
		n := origin.Node
		switch n.Kind() {
		case syntax.Identifier:
			return true // an element: TextVaries knows of what
		case syntax.Call:
			if f.info.Builtin(n) == "input" {
				return true
			}
			object := n.Child(syntax.FieldFunction).Child(syntax.FieldObject)
			return f.info.Callee(n) == "" && object.Valid() && (names.Method(n) == "read" || slices.Contains(keepText, names.Method(n)) && same(origins.Place{Node: object, In: origin.In}))
		}
		return false
	}, f.decides)
}

// tokenizes reports whether an object is a tokenizer of transformers or sentencepiece.
func (f *Facts) tokenizes(object syntax.Node) bool {
	switch f.MadeBy(object) {
	case "transformers.AutoTokenizer.from_pretrained", "transformers.BertTokenizer.from_pretrained", "transformers.BertTokenizerFast.from_pretrained",
		"transformers.GPT2Tokenizer.from_pretrained", "transformers.T5Tokenizer.from_pretrained", "transformers.RobertaTokenizer.from_pretrained":
		return true
	}
	return false
}

// sizeVaries reports whether an array surely has another shape in most iterations of a loop, because of a
// number, a text or a file that is another one in each. It asks the functions that make the array for its
// shape twice, with two sizes of what varies: see [Facts.Rows].
func (f *Facts) sizeVaries(p origins.Place, loop syntax.Node) TraceKey {
	by := NotTraced
	for rank := 1; rank <= mostDimensions; rank++ {
		var shapes [2]tensor.Shape
		key := NotTraced
		for i := range shapes {
			t := f.trial(rank, true, false)
			t.varied = &varied{loops: []syntax.Node{loop}, other: i == 1}
			shapes[i] = shapeOf(t.of(p))
			if !t.varied.reached {
				return NotTraced
			}
			key = ByShape
			if t.varied.file {
				key = ByFileShape
			}
		}
		switch {
		case shapes[0] == nil && shapes[1] == nil:
		case shapes[0] == nil || shapes[1] == nil || slices.Equal(shapes[0], shapes[1]):
			return NotTraced
		default:
			by = key
		}
	}
	return by
}

// varied says in a trial what varies in the iterations of loops, and which of two sizes it has.
type varied struct {
	loops   []syntax.Node
	other   bool
	reached bool
	file    bool // what varies is the size of what a file has
	reads   bool // such a file is being read
}

// size is smaller than the sizes of arrays of which nothing is known, and that of a picture larger than what
// programs cut out of one.
func (v *varied) size() int64 {
	v.reached = true
	size := int64(17)
	if v.reads {
		size = 717
	}
	if v.other {
		size += 6
	}
	return size
}

// seed returns the value of a place that varies.
func (t *trial) seed(p origins.Place) (value.Value, bool) {
	v := t.varied
	if v != nil && len(p.Path) == 1 && slices.ContainsFunc(v.loops, func(loop syntax.Node) bool { return t.readsSound(p, loop) }) {
		v.file, v.reads = true, true
		defer func() { v.reads = false }()
		return t.functions.Array(tensor.Shape{v.size()}, t.unknownType), true
	}
	if v == nil || v.reads || len(p.Path) > 0 || !p.Node.Is(syntax.Identifier, syntax.Attribute, syntax.Call, syntax.BinaryOperator, syntax.ListComprehension, syntax.GeneratorExpression) {
		return value.Value{}, false
	}
	for _, loop := range v.loops {
		if c := t.Varies(p.Node, p.In, loop); c.Surely && (c.Values == 0 || c.Values > 4) {
			return value.Value{X: v.size()}, true
		}
		if t.lengthVaries(p, loop) {
			return t.functions.Array(tensor.Shape{v.size()}, t.unknownType), true
		}
		if t.readsFile(p, loop) {
			v.file, v.reads = true, true
			made := t.call(p.Node, p.In)
			v.reads = false
			return made, true
		}
	}
	return t.seedOfElement(p)
}

// seedOfElement is seed for an element of a list that a comprehension makes.
func (t *trial) seedOfElement(p origins.Place) (value.Value, bool) {
	b := t.info.ReachingDefs(p.Node)
	if p.Node.Kind() != syntax.Identifier || len(b) != 1 || b[0].Kind != names.ForBinding || b[0].Node.Field() != syntax.FieldLeft {
		return value.Value{}, false
	}
	made := t.origins.Contents(origins.Place{Node: b[0].Value, In: p.In})
	if len(made) != 1 || !made[0].Node.Is(syntax.ListComprehension, syntax.GeneratorExpression) || len(made[0].Path) > 0 || slices.Contains(t.varied.loops, made[0].Node) {
		return value.Value{}, false
	}
	defer func(loops []syntax.Node) { t.varied.loops = loops }(t.varied.loops)
	t.varied.loops = append(slices.Clone(t.varied.loops), made[0].Node)
	return t.of(origins.Place{Node: made[0].Node.Child(syntax.FieldBody), In: made[0].In}), true
}

// readsSound reports whether a place is the samples that a call reads, whole, from a file whose name surely is
// another one in each iteration of a loop.
func (f *Facts) readsSound(p origins.Place, loop syntax.Node) bool {
	samples, part := 0, ""
	switch f.info.Callee(p.Node) {
	case "librosa.load":
		part = "duration"
	case "soundfile.read":
		part = "frames"
	case "scipy.io.wavfile.read":
		samples = 1
	case "tensorflow.audio.decode_wav":
		part = "desired_samples"
	default:
		return false
	}
	whole := part == "" || !names.Argument(p.Node, -1, part).Valid()
	first := names.Element(p.Node.Child(syntax.FieldArguments), 0)
	return p.Path[0] == samples && whole && f.TextVaries(first, p.In, loop).Surely
}

// readsFile reports whether a call reads a picture from a file whose name surely is another one in each
// iteration of a loop, or makes an array of such a picture as it is.
func (f *Facts) readsFile(p origins.Place, loop syntax.Node) bool {
	defer f.info.Enter(p.Node).Leave()
	n := p.Node
	if n.Kind() != syntax.Call {
		return false
	}
	first := names.Element(n.Child(syntax.FieldArguments), 0)
	switch f.info.Callee(n) {
	case "cv2.imread", "PIL.Image.open", "tensorflow.io.read_file":
		return f.TextVaries(first, p.In, loop).Surely
	case "tensorflow.keras.preprocessing.image.load_img", "tensorflow.keras.utils.load_img":
		return !names.Argument(n, 2, "target_size").Valid() && f.TextVaries(first, p.In, loop).Surely
	case "numpy.array", "numpy.asarray", "tensorflow.keras.preprocessing.image.img_to_array", "tensorflow.keras.utils.img_to_array",
		"tensorflow.io.decode_jpeg", "tensorflow.io.decode_png", "tensorflow.io.decode_image", "tensorflow.image.decode_jpeg", "tensorflow.image.decode_png", "tensorflow.image.decode_image":
	case "":
		if first = n.Child(syntax.FieldFunction).Child(syntax.FieldObject); names.Method(n) != "convert" {
			return false
		}
	default:
		return false
	}
	made, ok := f.Only(first, p.In)
	return ok && f.readsFile(made, loop)
}
