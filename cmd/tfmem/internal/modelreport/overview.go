package modelreport

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/cmd/tfmem/internal/report"
	"github.com/tfmem/tfmem/rules/estimate"
)

// An Overview is the priced models of many files, those that do not fit first. It keeps no analysis:
// the analyses of a whole tree take a gigabyte.
type Overview struct {
	// Layers has the models of the JSON format kept as well.
	Layers bool

	rows map[use]row
}

// A use is where a model is made, and where it is trained or run.
type use struct{ made, used unit }

// A row is one use of a model, in the program that tells most of it.
type row struct {
	name     string
	where    string // it is used
	verdict  memory.Verdict
	known    bool // a GPU is known
	need     memory.Need
	batch    string
	purpose  string // "training" or "prediction"
	imported bool   // the program is another file than the one that uses the model
	model    *jsonModel
}

// Add adds the models of the program in a file. Models that are parts of others, are not used, or have
// no price are left out.
func (o *Overview) Add(path string, models []estimate.Model) {
	if o.rows == nil {
		o.rows = map[use]row{}
	}
	for _, m := range estimate.InOrder(models).Main {
		main := m.Main()
		if len(m.Unresolved) > 0 || !m.Used() || main == nil {
			continue
		}
		src, at := m.UsedIn, m.UsedAt
		made := unit{absolute(m.Source.Path), m.Span.Start}
		r := row{
			name: m.Name, verdict: m.Verdict, known: m.Budget.Known(), need: main.Need, batch: batchOf(m), purpose: "training", imported: absolute(src.Path) != absolute(path),
			where: report.Where(src, at, report.Palette{}),
		}
		if main == m.Inference {
			r.purpose = "prediction"
		}
		if o.Layers {
			model := jsonOf(m)
			r.model = &model
		}
		key := use{made, unit{absolute(src.Path), at.Start}}
		if known, ok := o.rows[key]; !ok || r.better(known) {
			o.rows[key] = r
		}
	}
}

// better reports whether a row tells more of a use than another: a program knows the arguments that its
// modules do not. Of two programs, the one that needs more counts.
func (r row) better(than row) bool {
	if r.imported != than.imported {
		return r.imported
	}
	return r.need.Peak > than.need.Peak
}

// batchOf says on which batches a model is priced.
func batchOf(m estimate.Model) string {
	switch {
	case m.Assessment.Model.Own.Fixed():
		return "fixed"
	case m.Assumed:
		return memory.Count(m.Batch) + " (assumed)"
	}
	return memory.Count(m.Batch)
}

// urgency is the order of verdicts: what does not fit comes first.
var urgency = []memory.Verdict{memory.Exceeds, memory.Tight, memory.Unknown, memory.Fits}

// ordered returns the rows, those that do not fit first, and among equals those that need most.
func (o *Overview) ordered() []row {
	keys := slices.Collect(maps.Keys(o.rows))
	slices.SortFunc(keys, func(a, b use) int {
		x, y := o.rows[a], o.rows[b]
		return cmp.Or(
			slices.Index(urgency, x.verdict)-slices.Index(urgency, y.verdict), cmp.Compare(y.need.Peak, x.need.Peak),
			a.used.compare(b.used), a.made.compare(b.made))
	})
	rows := make([]row, len(keys))
	for i, key := range keys {
		rows[i] = o.rows[key]
	}
	return rows
}

// Has reports whether a model has one of these verdicts.
func (o *Overview) Has(verdicts ...memory.Verdict) bool {
	for _, r := range o.rows {
		if r.known && slices.Contains(verdicts, r.verdict) {
			return true
		}
	}
	return false
}

// Text prints a table for people: a line a model.
func (o *Overview) Text(w io.Writer, device *memory.Device, p report.Palette) error {
	var b strings.Builder
	t := text{Builder: &b, palette: p}
	rows := o.ordered()
	if len(rows) > 0 && device != nil {
		t.printf("%s has %s for TensorFlow (%s).\n", device.Name, memory.BudgetOf(*device, memory.Process{}), device.Source)
	}
	var cells [][]any
	counts := map[memory.Verdict]int{}
	for _, r := range rows {
		verdict := painted("")
		if r.known {
			verdict = t.verdict(r.verdict, string(r.verdict))
			counts[r.verdict]++
		}
		peak := memory.Bytes(r.need.Peak)
		if r.known && r.verdict == memory.Unknown {
			peak = memory.Bytes(r.need.Low) + " to " + memory.Bytes(r.need.High)
		}
		cells = append(cells, []any{verdict, peak, r.batch, r.purpose, t.strong(r.name), painted(r.where)})
	}
	if len(cells) > 0 {
		head := []any{"", "at the peak", "batch", "of", "model", "at"}
		t.table("lrrlll", slices.Insert(cells, 0, head))
	}
	said := []string{}
	for _, v := range urgency {
		if n := counts[v]; n > 0 {
			said = append(said, fmt.Sprintf("%s %s", v, memory.Count(int64(n))))
		}
	}
	t.printf("%s models are priced", memory.Count(int64(len(rows))))
	if len(said) > 0 {
		t.printf(": %s", strings.Join(said, ", "))
	}
	t.printf(".\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// JSON prints the models as [JSON] does, those that do not fit first.
func (o *Overview) JSON(w io.Writer, device *memory.Device) error {
	out := ReportOf(nil, device)
	for _, r := range o.ordered() {
		out.Models = append(out.Models, *r.model)
	}
	return report.WriteJSON(w, out)
}
