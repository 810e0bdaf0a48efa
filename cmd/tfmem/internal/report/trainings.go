package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/rules/estimate"
)

// A Note is a sentence about a run.
type Note struct{ Text string }

// Trainings are those of all files.
type Trainings struct{ at map[trainingAt]estimate.Brief }

// A trainingAt is where a training is. Several programs may import its module.
type trainingAt struct {
	path  string
	start int
}

// Add adds what a program tells of a training in a file, given by its absolute path.
func (t *Trainings) Add(path string, b estimate.Brief) {
	if t.at == nil {
		t.at = map[trainingAt]estimate.Brief{}
	}
	at := trainingAt{path, b.Start}
	if best, known := t.at[at]; !known || b.Better(best) {
		t.at[at] = b
	}
}

// mostNamed is how many trainings a note names.
const mostNamed = 3

// Notes say which trainings are not compared with a GPU, which are not priced, and what a person can
// write so that they are.
func (t *Trainings) Notes() (notes []Note) {
	var unknown, open, uncounted, unpriced []estimate.Brief
	for _, at := range slices.SortedFunc(maps.Keys(t.at), func(a, b trainingAt) int {
		return cmp.Or(cmp.Compare(a.path, b.path), cmp.Compare(a.start, b.start))
	}) {
		switch b := t.at[at]; {
		case b.ByFit:
		case b.Why != "":
			unpriced = append(unpriced, b)
		case b.Uncounted != "" && (b.Open || b.Device == ""):
			uncounted = append(uncounted, b)
		case b.Device == "":
			unknown = append(unknown, b)
		case b.Open:
			open = append(open, b)
		}
	}
	say := func(all []estimate.Brief, one, several, comma, and string, each func(estimate.Brief) string) {
		format := several
		switch len(all) {
		case 0:
			return
		case 1:
			format = one
		}
		var named []string
		for _, b := range all[:min(len(all), mostNamed)] {
			named = append(named, each(b))
		}
		notes = append(notes, Note{fmt.Sprintf(format, len(all), source.Printable(list(named, comma, and, len(all)-len(named))))})
	}
	slices.SortStableFunc(unknown, func(a, b estimate.Brief) int { return cmp.Compare(b.Peak, a.Peak) })
	const name = "; no GPU is known: name one with --gpu or in tfmem.toml."
	say(unknown, "%d training needs %s"+name, "%d trainings need %s"+name, ", ", " and ", func(b estimate.Brief) string { return memory.Bytes(b.Peak) })
	say(open, "%d training may or may not fit: its range is too wide to tell (%s).", "%d trainings may or may not fit: their ranges are too wide to tell (%s).", "; ", "; ", func(b estimate.Brief) string {
		return fmt.Sprintf("%s: %s to %s on %s", b.Where(), memory.Bytes(b.Low), memory.Bytes(b.High), b.Device)
	})
	say(uncounted, "%d training may or may not fit: the size of data on the GPU is not known (%s).", "%d trainings may or may not fit: the size of data on the GPU is not known (%s).", "; ", "; ", func(b estimate.Brief) string {
		return b.Where() + ": " + b.Uncounted
	})
	say(unpriced, "%d training is not priced (%s).", "%d trainings are not priced (%s).", "; ", "; ", func(b estimate.Brief) string { return b.Where() + ": " + b.Why })
	var remedies []string
	for _, b := range unpriced {
		if b.Remedy != "" && !slices.Contains(remedies, b.Remedy) && len(remedies) < mostNamed {
			remedies = append(remedies, b.Remedy)
		}
	}
	if len(remedies) > 0 {
		notes = append(notes, Note{"To price more, write " + source.Printable(strings.Join(remedies, "; "))})
	}
	return notes
}

// list joins what is named, and counts what is not.
func list(named []string, comma, and string, more int) string {
	if more > 0 {
		named = append(named, fmt.Sprintf("%d more", more))
	}
	last := len(named) - 1
	if last == 0 {
		return named[0]
	}
	return strings.Join(named[:last], comma) + and + named[last]
}
