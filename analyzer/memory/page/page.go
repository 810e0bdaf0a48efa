// Package page draws assessments of models as one page of HTML, with plots, that
// needs nothing else: no network, no script, no other file. What a run of the
// program used may stand above them.
//
// A figure a file; what it shows stands below it in words too, and in tables, for
// those who do not see it. It computes nothing about memory and reads no source:
// all of that is in the assessments.
package page

import (
	_ "embed"
	"html/template"
	"io"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/analyzer/memory/executor"
	"github.com/tfmem/tfmem/analyzer/source"
)

// A Page is what is drawn.
type Page struct {
	// Device is the GPU that the models are compared with, nil where there is
	// none; Budget is what TensorFlow can have of it.
	Device *memory.Device
	Models []Model
	Index  *Index // of several models; else nil
	Run    *Run   // nil if the program was not run
	Plans  *Plans // nil if none were looked for
	// Warnings are about what has no price, and so no place on the page; clauses without a full stop.
	Warnings []string
	// Unpriced are trainings that no model tells of, and what a person can write about them.
	Unpriced []Unpriced
}

// An Unpriced is a training without a price.
type Unpriced struct {
	Said     string // where it is, and why it has none
	Remedies []string
}

// mostUnpriced is how many of them are shown.
const mostUnpriced = 20

// Shown are the first of the trainings without a price.
func (p Page) Shown() []Unpriced { return p.Unpriced[:min(len(p.Unpriced), mostUnpriced)] }

// More is how many others there are.
func (p Page) More() int { return len(p.Unpriced) - len(p.Shown()) }

// An Index lists models, the worst first.
type Index struct {
	Said  []string // of all of them
	Heads []string
	// Numbers is how many of the columns hold numbers: they come first.
	Numbers int
	Rows    []Entry
}

// An Entry is a model in the index, or several equal ones.
type Entry struct {
	Verdict memory.Verdict // "" without a GPU
	Times   int
	Cells   []string // the peak first
	ID      string   // of the model's details; "" if the page has none
}

// A Place is a place in a file.
type Place struct {
	Text string // as people write it
	Link string // a relative reference to the file; "" for none
	Line string // what is written there
}

// A Model is a model with what only its file tells.
type Model struct {
	*memory.Assessment
	ID    string // of its details, in links
	Name  string
	Where Place
	// Same is how many models like it are made there, 1 for this one alone.
	Same int
	// TrainedAt is where the training is that is priced, of several; else empty.
	TrainedAt Place
	// Said are the model's assumptions and advice, without what the index says of all.
	Said     []string
	Told     []Phase  // to tell apart; none if there is only one
	Part     bool     // of another model, and not used by itself
	Remedies []string // what to write so that it gets a price
	Idle     bool     // only a step that is not known makes use of it
	Folded   bool     // shown where the reader asks for it: others are used more
	Brief    bool     // without plots: others need more
	Among    bool     // it is one of several
}

// A Phase is a phase of a model with its place.
type Phase struct {
	*memory.Phase
	Where Place
}

//go:embed page.html
var text string

var parsed = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("page").Funcs(template.FuncMap{
		"kindNames": func() []executor.Kind { return executor.Kinds },
		"bytes":     memory.Bytes, "count": memory.Count,
		"plain":    source.Printable,
		"show":     show,
		"budget":   func(d memory.Device) memory.Budget { return memory.BudgetOf(d, memory.Process{}) },
		"kinds":    drawKinds,
		"layers":   drawLayers,
		"batches":  drawBatches,
		"timeline": drawTimeline,
		"run":      drawRun,
		"plans":    drawPlans,
		"inc":      func(i int) int { return i + 1 },
		"clock":    clock,
	}).Parse(text))
})

// option is an option of a command line, with its hyphens.
var option = regexp.MustCompile(`--[a-z][a-z-]*`)

// show prepares a text. An option in it is not broken over lines.
func show(text string) template.HTML {
	return template.HTML(option.ReplaceAllString(escape(text), `<span class="whole">$0</span>`))
}

// Write writes the page.
func (p Page) Write(w io.Writer) error { return parsed().Execute(w, p) }

// Whole are the models that are used by themselves.
func (p Page) Whole() []Model {
	return slices.DeleteFunc(slices.Clone(p.Models), func(m Model) bool { return m.Part || m.Idle })
}

// Parts are those that others are made of, and nothing else.
func (p Page) Parts() []Model {
	return slices.DeleteFunc(slices.Clone(p.Models), func(m Model) bool { return !m.Part })
}

// Idle are those of which only a step that is not known makes use.
func (p Page) Idle() []Model {
	return slices.DeleteFunc(slices.Clone(p.Models), func(m Model) bool { return !m.Idle })
}

// Class is what the model is to its author, in words.
func (m Model) Class() string {
	switch m.Model.Class {
	case "Subclass":
		return "subclassed model"
	case "Step":
		return "step that the program writes itself"
	}
	return m.Model.Class + " model"
}

// Priced tells whether there is anything to draw.
func (m Model) Priced() bool { return !m.Part && m.Main() != nil && len(m.Unresolved) == 0 }

// Purpose is what is priced.
func (m Model) Purpose() string {
	if m.Model.Own != nil && m.Trains() {
		return "one step of " + m.Model.Own.Name
	}
	return strings.ToLower(m.Phase.Purpose())
}

// Title is Purpose at the beginning of a line.
func (m Model) Title() string {
	purpose := m.Purpose()
	return strings.ToUpper(purpose[:1]) + purpose[1:]
}

// Outcome is the verdict in words.
func (m Model) Outcome() string {
	switch m.Verdict {
	case memory.Fits:
		return "It fits"
	case memory.Tight:
		return "It is tight"
	case memory.Exceeds:
		return "It does not fit"
	}
	return "Unknown"
}

// AllLayers are the rows of the table of layers: those of a model that is used
// as a layer follow it, and the longest models are cut.
func (m Model) AllLayers() (rows []Row) {
	var visit func(layers []memory.LayerCost, depth int)
	visit = func(layers []memory.LayerCost, depth int) {
		for _, l := range layers {
			if len(rows) < m.mostRows() {
				rows = append(rows, Row{l, depth})
			}
			visit(l.Inner, depth+1)
		}
	}
	visit(m.Layers, 0)
	return rows
}

// mostRows is how many layers the table has at most.
func (m Model) mostRows() int {
	if m.Among {
		return 60
	}
	return 500
}

// Cut is how many layers the table leaves out.
func (m Model) Cut() int {
	n := 0
	var visit func(layers []memory.LayerCost)
	visit = func(layers []memory.LayerCost) {
		n += len(layers)
		for _, l := range layers {
			visit(l.Inner)
		}
	}
	visit(m.Layers)
	return max(n-m.mostRows(), 0)
}

// A Row is a layer in the table, with how deep it stands in other models.
type Row struct {
	memory.LayerCost
	Depth int
}

// Kinds are the kinds of memory in use at the peak.
func (m Model) Kinds() (kinds []KindUse) {
	use := m.Main().AtPeak()
	for _, k := range executor.Kinds {
		if use[k] > 0 {
			kinds = append(kinds, KindUse{k, use[k]})
		}
	}
	return kinds
}

// A KindUse is how much memory is used for what.
type KindUse struct {
	executor.Kind
	Bytes int64
}
