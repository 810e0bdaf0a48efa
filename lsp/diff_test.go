package lsp

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tfmem/tfmem/analyzer/source"
)

func TestDiff(t *testing.T) {
	for _, test := range []struct {
		name, before, after string
		want                []source.Edit
	}{
		{"same", "a\nb\n", "a\nb\n", nil},
		{"empty", "", "a\n", []source.Edit{{Span: source.Span{Start: 0, End: 0}, New: "a\n"}}},
		{"inserted line", "a\nc\n", "a\nb\nc\n", []source.Edit{{Span: source.Span{Start: 2, End: 2}, New: "b\n"}}},
		{"removed line", "a\r\nb\r\nc", "a\r\nc", []source.Edit{{Span: source.Span{Start: 3, End: 6}}}},
		{"within a line", "fit(x, y)\r\n", "fit(x, y, 2)\r\n", []source.Edit{{Span: source.Span{Start: 8, End: 8}, New: ", 2"}}},
		{"half a character", "é\n", "è\n", []source.Edit{{Span: source.Span{Start: 0, End: 2}, New: "è"}}},
		{"line break", "a\r\nb", "a\nb", []source.Edit{{Span: source.Span{Start: 0, End: 3}, New: "a\n"}}},
		{"two places", "a\nb\nc\nd\n", "b\nc\nx\nd\n", []source.Edit{{Span: source.Span{Start: 0, End: 2}}, {Span: source.Span{Start: 6, End: 6}, New: "x\n"}}},
	} {
		if d := cmp.Diff(test.want, diff(test.before, test.after)); d != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, d)
		}
	}
}

// TestDiffProperties: the edits turn one text into the other, also as LSP positions.
func TestDiffProperties(t *testing.T) {
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 3))
		before := randomText(r, 60)
		after := before
		for range r.IntN(4) {
			c := randomChange(r, after)
			after = modelEdit(after, "utf-16", rangeJSON(c), c.text)
		}
		edits := diff(before, after)
		if got, err := source.Apply(before, edits); err != nil || got != after {
			t.Fatalf("seed %d: %q to %q: %v gives %q, %v", seed, before, after, edits, got, err)
		}
		lines := source.NewLines(before)
		for _, e := range edits {
			for _, offset := range []int{e.Span.Start, e.Span.End} {
				for _, enc := range []source.Encoding{source.UTF8, source.UTF16, source.UTF32} {
					if back := offsetOf(lines, lines.Position(offset, enc), enc); back != offset {
						t.Fatalf("seed %d: %q: byte %d of %v is no position, but %d", seed, before, offset, edits, back)
					}
				}
			}
		}
	}
}

// TestDiffOfManyLines: a change on each of many lines is an edit on each.
func TestDiffOfManyLines(t *testing.T) {
	const line = "gpus = tf.config.experimental.list_physical_devices()\n"
	before := strings.Repeat(line+strings.Repeat("pass\n", 9), 300)
	edits := diff(before, strings.ReplaceAll(before, "experimental.", ""))
	if len(edits) != 300 {
		t.Errorf("%d edits, want 300", len(edits))
	}
	for _, e := range edits {
		if e.Span.Len() > len(line) {
			t.Errorf("an edit replaces %d bytes", e.Span.Len())
		}
	}
}

// TestDiffIsBounded: two long texts that have nothing in common take one edit, and little time.
func TestDiffIsBounded(t *testing.T) {
	before, after := strings.Repeat("a\nb\n", 20_000), strings.Repeat("c\nd\n", 20_000)
	if edits := diff(before, after); len(edits) != 1 {
		t.Errorf("%d edits, want 1", len(edits))
	}
}

// An edit that splits a line end reaches no client: LSP has no position there, and each client
// would take it for another.
func TestNoEditCutsALineEnd(t *testing.T) {
	l := &layout{source: source.New("a.py", "x = 1\r\ny = 2\r\n")}
	if got := l.edits([]source.Edit{{Span: source.Span{Start: 7, End: 7}, New: "z"}}); len(got) != 1 {
		t.Errorf("an edit at the start of a line becomes %v", got)
	}
	defer func() {
		if recover() == nil {
			t.Error("an edit within a line end is offered")
		}
	}()
	l.edits([]source.Edit{{Span: source.Span{Start: 6, End: 6}, New: "z"}})
}
