package estimate

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/memory"
)

// A Row is a priced model in a table of several. It keeps no analysis.
type Row struct {
	Verdict memory.Verdict
	Known   bool // a GPU is known
	Need    memory.Need
	Cells   Cells
	// Assumptions are those of the model.
	Assumptions []string
	Times       int // how many equal models the row stands for
	Model       int // which of the caller's models it is
	Loop        Loop
}

// The columns of a table.
const (
	PeakColumn = iota
	BatchColumn
	LargestColumn // batch that fits
	ParametersColumn
	LoopColumn
	PurposeColumn
	NameColumn
	PlaceColumn
	GPUColumn
	columns
)

// Cells are the texts of a row.
type Cells [columns]string

// Heads are the headings of the columns.
var Heads = Cells{"at the peak", "batch", "largest that fits", "parameters", "in the loop", "of", "model", "at", "GPU"}

// RowOf returns the row of a priced model, which is used at a place.
func RowOf(m Model, where string) Row {
	main := m.Main()
	r := Row{Verdict: m.Verdict, Known: m.Budget.Known(), Need: main.Need, Assumptions: m.Assumptions(), Times: max(m.Same, 1), Loop: m.Loop}
	of := strings.ToLower(main.Purpose())
	if own := m.Assessment.Model.Own; own != nil && main.Trains() {
		of = "one step of " + own.Name
	}
	if o := main.Then.Optimizer; main.Trains() && o != nil {
		of += " with " + o.Class
	}
	r.Cells = Cells{PeakColumn: memory.Bytes(main.Peak), BatchColumn: memory.Count(m.Batch), ParametersColumn: m.Parameters.String(), PurposeColumn: of + " in " + m.Precision, NameColumn: m.Name, PlaceColumn: where}
	switch {
	case m.Assessment.Model.Own.Fixed():
		r.Cells[BatchColumn] = "fixed"
	case m.Assumed:
		r.Cells[BatchColumn] += " (assumed)"
	}
	if !r.Known {
		return r
	}
	r.Cells[GPUColumn] = fmt.Sprintf("%s has %s for TensorFlow (%s)", m.Device.Name, m.Budget, m.Device.Source)
	switch {
	case r.Verdict == memory.Unknown:
		r.Cells[PeakColumn] = memory.Bytes(r.Need.Low) + " to " + memory.Bytes(r.Need.High)
		if r.Need.Open {
			r.Cells[PeakColumn] = "at least " + memory.Bytes(r.Need.Low)
		}
	case m.Fixed():
	case m.Largest == 0:
		r.Cells[LargestColumn] = "none"
	case m.Largest >= memory.MaxBatch:
		r.Cells[LargestColumn] = "any"
	default:
		r.Cells[LargestColumn] = memory.Count(m.Largest)
	}
	return r
}

// Urgency is the order of verdicts: what does not fit comes first.
var Urgency = []memory.Verdict{memory.Exceeds, memory.Tight, memory.Unknown, memory.Fits}

// Worse orders rows: those that do not fit first, and among equals those that need most.
func (r Row) Worse(than Row) int {
	return cmp.Or(slices.Index(Urgency, r.Verdict)-slices.Index(Urgency, than.Verdict), cmp.Compare(than.Need.Peak, r.Need.Peak))
}

// A Table is rows that are read together. What is equal in all of them is said once.
type Table struct {
	Rows    []Row
	All     int   // models that they stand for
	Columns []int // those that are shown
	GPU     string
	// Equal is what is equal in all rows, and Assumptions what the figures assume, in sentences.
	Equal       string
	Assumptions []string
}

// mostApart is how many assumptions that only some rows have are told.
const mostApart = 4

// Tabulate makes a table of rows, the worst first.
func Tabulate(rows []Row) (t Table) {
	rows = slices.Clone(rows)
	slices.SortStableFunc(rows, Row.Worse)
	made := map[Cells]int{}
	for _, r := range rows {
		t.All += r.Times
		key := r.Cells
		key[BatchColumn] += " " + string(r.Verdict)
		if at, known := made[key]; known {
			t.Rows[at].Times += r.Times
			t.Rows[at].Loop = t.Rows[at].Loop.With(r.Loop)
			continue
		}
		made[key] = len(t.Rows)
		t.Rows = append(t.Rows, r)
	}
	if len(t.Rows) == 0 {
		return t
	}
	tellApart(t.Rows)
	first := t.Rows[0].Cells
	equal := func(column int) bool {
		return !slices.ContainsFunc(t.Rows, func(r Row) bool { return r.Cells[column] != first[column] })
	}
	var said []string
	for column := range columns {
		words := ""
		switch column {
		case ParametersColumn:
			words = first[column] + " parameters"
		case PurposeColumn:
			words = first[column]
		case NameColumn:
			words = "named " + first[column]
		case PlaceColumn:
			words = "at " + first[column]
		case GPUColumn:
			if equal(column) {
				t.GPU = first[column]
				continue
			}
		}
		switch {
		case !equal(column), first[column] != "" && (words == "" || len(t.Rows) == 1):
			t.Columns = append(t.Columns, column)
		case first[column] != "":
			said = append(said, words)
		}
	}
	if len(said) > 0 {
		t.Equal = fmt.Sprintf("All %s: %s.", memory.Count(int64(t.All)), strings.Join(said, ", "))
	}
	t.assume()
	return t
}

// figures are what differs between assumptions that are otherwise the same.
var figures = regexp.MustCompile(`\d[\d.,]*( [KMGTP]?i?B)?`)

// assume gathers the assumptions of the rows: first those of all, then those of some, with the figures
// of the worst one.
func (t *Table) assume() {
	var order []string
	first, count, vary := map[string]string{}, map[string]int{}, map[string]bool{}
	for _, r := range t.Rows {
		for _, a := range r.Assumptions {
			key := figures.ReplaceAllString(a, "#")
			if _, known := first[key]; !known {
				first[key] = a
				order = append(order, key)
			}
			count[key]++
			vary[key] = vary[key] || first[key] != a
		}
	}
	slices.SortStableFunc(order, func(a, b string) int { return count[b] - count[a] })
	apart := 0
	for _, key := range order {
		where := fmt.Sprintf("In %d of the rows", count[key])
		if count[key] == 1 {
			where = "In one row"
		}
		if vary[key] {
			where += ", with the figures of the first"
		}
		switch said := first[key]; {
		case count[key] == len(t.Rows) && !vary[key]:
			t.Assumptions = append(t.Assumptions, said)
			continue
		case apart < mostApart:
			t.Assumptions = append(t.Assumptions, where+": "+said)
		}
		apart++
	}
	if apart > mostApart {
		t.Assumptions = append(t.Assumptions, fmt.Sprintf("Some rows assume more: the details have %d other sentences.", apart-mostApart))
	}
}
