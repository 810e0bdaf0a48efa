package modelreport

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/aymanbagabas/go-udiff/lcs"

	"github.com/tfmem/tfmem/analyzer/memory"
)

// mostLayers is how many layers a reason names.
const mostLayers = 3

// reasons returns in what two phases differ that decides how much they need.
func reasons(before, after *slot) (all []jsonDifference) {
	add := func(kind, words string, a, b said) {
		if a.text() != b.text() {
			all = append(all, jsonDifference{Kind: kind, Message: fmt.Sprintf("%s %s → %s", words, a.text(), b.text()), Before: a.is, After: b.is})
		}
	}
	m, n := before.model, after.model
	add("loop", "loop", worded(&before.loop), worded(&after.loop))
	add("batch_size", "batch size", number(before.batch), number(after.batch))
	add("precision", "precision", worded(&m.Precision), worded(&n.Precision))
	add("optimizer", "optimizer", worded(m.Optimizer), worded(n.Optimizer))
	add("parameters", "parameters", number(m.Parameters), number(n.Parameters))
	if frozen(m) != frozen(n) { // else the other figure says it
		add("trainable_parameters", "trainable parameters", number(m.Trainable), number(n.Trainable))
	}
	all = append(all, layers(m.Layers, n.Layers)...)
	add("data", "data on the GPU", said{before.need.Data, memory.Bytes(before.need.Data)}, said{after.need.Data, memory.Bytes(after.need.Data)})
	if last := len(all) - 1; last >= 0 && all[last].Kind == "data" && after.need.Data > before.need.Data {
		if i := slices.IndexFunc(n.Data, func(d jsonDatum) bool {
			return !slices.ContainsFunc(m.Data, func(o jsonDatum) bool { return o.What == d.What && o.Bytes == d.Bytes })
		}); i >= 0 {
			all[last].Message += ", with " + n.Data[i].What
		}
	}
	for _, a := range n.Assumptions {
		if !slices.Contains(m.Assumptions, a) {
			all = append(all, jsonDifference{Kind: "assumption", Message: "now: " + a, After: a})
		}
	}
	for _, a := range m.Assumptions {
		if !slices.Contains(n.Assumptions, a) {
			all = append(all, jsonDifference{Kind: "assumption", Message: "before: " + a, Before: a})
		}
	}
	return all
}

// A said is what one report says, for programs and for people; the zero said is nothing.
type said struct {
	is    any
	words string
}

func (s said) text() string { return cmp.Or(s.words, "none") }

func number(n *int64) said {
	if n == nil {
		return said{}
	}
	return said{*n, memory.Count(*n)}
}

// worded is what a report says in words, of which no pointer and "" are none.
func worded(s *string) said {
	if s == nil || *s == "" {
		return said{}
	}
	return said{*s, *s}
}

// frozen is how many parameters of a model are not trained, or -1 if that is not known.
func frozen(m *jsonModel) int64 {
	if m.Parameters == nil || m.Trainable == nil {
		return -1
	}
	return *m.Parameters - *m.Trainable
}

// layers returns which layers are new, gone or others. Their names are no help: Keras counts them, so
// that one new layer renames all that follow.
func layers(before, after []jsonLayer) (all []jsonDifference) {
	whats := func(layers []jsonLayer) (out []string) {
		for _, l := range layers {
			out = append(out, l.what())
		}
		return out
	}
	var added, removed, changed []string
	for _, d := range lcs.DiffLines(whats(before), whats(after)) {
		old, now := before[d.Start:d.End], after[d.ReplStart:d.ReplEnd]
		for _, l := range old {
			// A layer that stands where one of its class stood is that one.
			i := slices.IndexFunc(now, func(o jsonLayer) bool { return o.Type == l.Type })
			if i < 0 {
				removed = append(removed, l.Name+" "+l.what())
				continue
			}
			for _, o := range now[:i] {
				added = append(added, o.Name+" "+o.what())
			}
			if was, is := l.what(), now[i].what(); was != is {
				changed = append(changed, fmt.Sprintf("%s %s → %s", now[i].Name, was, strings.TrimPrefix(is, l.Type+" ")))
			}
			now = now[i+1:]
		}
		for _, o := range now {
			added = append(added, o.Name+" "+o.what())
		}
	}
	for _, k := range []struct {
		kind, what string
		which      []string
	}{{"layers_added", "added", added}, {"layers_removed", "removed", removed}, {"layers_changed", "changed", changed}} {
		if len(k.which) == 0 {
			continue
		}
		said := strings.Join(k.which[:min(len(k.which), mostLayers)], "; ")
		if more := len(k.which) - mostLayers; more > 0 {
			said += fmt.Sprintf("; and %s more", memory.Count(int64(more)))
		}
		noun := "layers "
		if len(k.which) == 1 {
			noun = "layer "
		}
		all = append(all, jsonDifference{Kind: k.kind, Message: noun + k.what + ": " + said})
	}
	return all
}

// what says what a layer is but for its name.
func (l *jsonLayer) what() string {
	said := l.Type
	if l.OutputShape != nil {
		var shape []string
		for _, d := range l.OutputShape {
			if d == nil {
				shape = append(shape, "None")
			} else {
				shape = append(shape, fmt.Sprint(*d))
			}
		}
		said += " (" + strings.Join(shape, ", ") + ")"
	}
	if l.Parameters != nil && *l.Parameters > 0 {
		said += " of " + memory.Count(*l.Parameters) + " parameters"
	}
	return said
}
