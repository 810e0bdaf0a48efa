// Package planreport prints the plans for a program, as text and as JSON.
//
// It finds no plans and decides nothing about memory: package plan does that.
package planreport

import (
	"cmp"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/cmd/tfmem/internal/report"
	"github.com/tfmem/tfmem/rules/plan"
)

// A Report is the plans for a file, and what is said beside them.
type Report struct {
	*plan.Plans
	// Smallest is the GPU of the catalogue with the least memory that holds the program as it is.
	Smallest *memory.Device
	// Prices are GPUs that hold it, with what an hour costs, the cheapest first.
	Prices []Price
	// Unwritten is set if the program is no text that a person has, but that of a saved model.
	Unwritten bool
	// Others are how many trainings are not priced.
	Others int
}

// A Price is what an hour of a GPU costs, in whatever the person who wrote it counts.
type Price struct {
	Device memory.Device
	Hour   float64
}

// Text prints the plans for people.
func (r Report) Text(w io.Writer, p report.Palette) error {
	var b strings.Builder
	now := r.Before
	m := now.Worst
	where := report.Where(m.UsedIn, m.UsedAt, p)
	if r.Unwritten {
		where = source.Printable(now.File.Source.Path)
	}
	fmt.Fprintf(&b, "%s: %s\n", where, source.Printable(claim(now)))
	switch {
	case now.Fits():
		r.room(&b)
	case r.Empty:
		b.WriteString(nothingLeft(m.Budget) + "\n")
	case len(r.Fitting) == 0:
		b.WriteString("\nNo change that tfmem can make, alone or with others, makes it fit.\n")
	default:
		b.WriteString("\n")
		t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
		fmt.Fprintf(t, "  \tchange\tat the peak\trange\tbatch\tcosts\n")
		for i, plan := range r.Fitting {
			fmt.Fprintf(t, "  %d\t%s\t%s\t%s\t%s\t%s\n", i+1, plan.Title(), memory.Bytes(plan.After.Need.Peak), bounds(plan.After.Need), batch(plan.Batch(r.Before)), plan.Costs())
		}
		t.Flush()
		if r.Unwritten {
			b.WriteString("\nThe program that loads it is where they are made.\n")
		} else {
			b.WriteString("\n--diff N shows the edits of plan N, --apply N makes them.\n")
		}
	}
	r.refused(&b)
	if r.Assumes != "" {
		fmt.Fprintf(&b, "\n%s\n", r.Assumes)
	}
	if !now.Fits() && r.Smallest != nil {
		fmt.Fprintf(&b, "\nUnchanged it fits %s (%s).\n", r.Smallest.Name, memory.Bytes(r.Smallest.Total))
	}
	r.prices(&b)
	if said := now.Worst.Uncounted(); said != "" && now.Need.Open {
		fmt.Fprintf(&b, "\nNot counted: %s, of unknown size.\n", source.Printable(said))
	}
	if r.Bounded {
		b.WriteString("\nNot all combinations were tried.\n")
	}
	if r.Others > 0 {
		fmt.Fprintf(&b, "\nTrainings that are not priced, and not in this plan: %d. tfmem estimate says why.\n", r.Others)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// nothingLeft says of a GPU that it is not sure to leave TensorFlow anything.
func nothingLeft(b memory.Budget) string {
	if b.High <= 0 {
		return "The CUDA context and the reserve take the whole GPU: no change of the program makes it fit."
	}
	return "The CUDA context, the reserve and a screen may take the whole GPU: no change of the program is sure to make it fit."
}

// claim says what the program needs as it is.
func claim(s *plan.State) string {
	m := s.Worst
	main := m.Main()
	at := ""
	if n := s.Batch(); n > 0 {
		at = fmt.Sprintf(" with a batch of %s", memory.Count(n))
	}
	outcome := map[memory.Verdict]string{memory.Fits: "fits", memory.Tight: "is tight", memory.Exceeds: "does not fit", memory.Unknown: "may not fit"}[s.Verdict]
	if s.Fits() && s.Need.Open {
		outcome = "fits beside data of unknown size"
	}
	return fmt.Sprintf("%s of %s%s %s. It needs about %s (%s); TensorFlow can use %s of %s (%s).", main.Purpose(), m.Name, at, outcome, memory.Bytes(s.Need.Peak), bounds(s.Need), m.Budget, m.Device.Name, m.Device.Source)
}

func bounds(n memory.Need) string {
	if n.Open {
		return "at least " + memory.Bytes(n.Low)
	}
	return memory.Bytes(n.Low) + " to " + memory.Bytes(n.High)
}

func batch(n int64) string {
	if n > 0 {
		return memory.Count(n)
	}
	return ""
}

// room says what a program that fits could do with what is left.
func (r Report) room(b *strings.Builder) {
	m := r.Before.Worst
	if !m.Fixed() && m.Largest > 0 {
		n := memory.Count(m.Largest)
		if m.Largest >= memory.MaxBatch {
			n = "of any size"
		}
		fmt.Fprintf(b, "The largest batch that fits is %s.\n", n)
	}
	if r.Smallest != nil {
		fmt.Fprintf(b, "The smallest GPU of the catalogue that holds it is %s (%s).\n", r.Smallest.Name, memory.Bytes(r.Smallest.Total))
	}
}

func (r Report) refused(b *strings.Builder) {
	if len(r.Refused) == 0 {
		return
	}
	b.WriteString("\nNot among these, and why:\n")
	t := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	for _, refusal := range r.Refused {
		what := cmp.Or(refusal.Title, refusal.What)
		why := refusal.Why
		if refusal.After != nil {
			why += ": " + memory.Bytes(refusal.After.Need.Peak)
		}
		fmt.Fprintf(t, "  %s\t%s\n", source.Printable(what), source.Printable(why))
	}
	t.Flush()
}

func (r Report) prices(b *strings.Builder) {
	if len(r.Prices) == 0 {
		return
	}
	b.WriteString("\nGPUs of the price list that hold it as it is:\n")
	t := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	for _, p := range r.Prices {
		fmt.Fprintf(t, "  %s\t%s\t%s an hour\n", source.Printable(p.Device.Name), memory.Bytes(p.Device.Total), strconv.FormatFloat(p.Hour, 'f', -1, 64))
	}
	t.Flush()
}

// These types are the contract of the JSON format, which plan.schema.json documents. Sizes are in bytes.
type (
	jsonReport struct {
		GPU     jsonGPU      `json:"gpu"`
		Before  jsonState    `json:"before"`
		Plans   []jsonPlan   `json:"plans"`
		Refused []jsonChange `json:"refused"`
		// SmallestGPU of the catalogue holds the program as it is; null if none does.
		SmallestGPU *jsonGPU    `json:"smallest_gpu"`
		Prices      []jsonPrice `json:"prices"`
		Bounded     bool        `json:"bounded"`
		Unpriced    int         `json:"unpriced_trainings"`
		// Assumes says on which release of Keras all rests, where nothing states it; else null.
		Assumes *string `json:"assumes"`
		// Empty is set if the GPU is not sure to leave TensorFlow anything: no plan was looked for.
		Empty bool `json:"gpu_empty"`
	}
	jsonGPU struct {
		Name       string `json:"name"`
		TotalBytes int64  `json:"total_bytes"`
		BudgetLow  int64  `json:"budget_low_bytes"`
		BudgetHigh int64  `json:"budget_high_bytes"`
	}
	jsonState struct {
		Model   string `json:"model"`
		Place   string `json:"place"` // "train.py:12:1"
		Verdict string `json:"verdict"`
		Peak    int64  `json:"pool_peak_bytes"`
		Low     int64  `json:"pool_peak_low_bytes"`
		High    *int64 `json:"pool_peak_high_bytes"` // null if the size of some data is not known
		Batch   *int64 `json:"batch_size"`
		Largest *int64 `json:"largest_batch"` // null if it is not known, or the batch is fixed
		Summary string `json:"summary"`
	}
	jsonPlan struct {
		Changes []jsonChange      `json:"changes"`
		After   jsonState         `json:"after"`
		Edits   []report.JSONEdit `json:"edits"`
	}
	// A jsonChange is one change; of a refused one, Why says why it is no plan by itself, and Peak
	// what the program would need, or null if it cannot be made.
	jsonChange struct {
		Name  string  `json:"name"`
		Title string  `json:"title"`
		Costs string  `json:"costs"`
		Same  bool    `json:"same_numbers"`
		Why   *string `json:"why"`
		Peak  *int64  `json:"pool_peak_bytes"`
	}
	jsonPrice struct {
		GPU  string  `json:"gpu"`
		Hour float64 `json:"hour"`
	}
)

// JSON prints the plans for programs.
func (r Report) JSON(w io.Writer) error {
	m := r.Before.Worst
	out := jsonReport{
		GPU: gpuOf(*m.Device, m.Budget), Before: stateOf(r.Before), Plans: []jsonPlan{}, Refused: []jsonChange{}, Prices: []jsonPrice{}, Bounded: r.Bounded, Unpriced: r.Others, Empty: r.Empty,
	}
	if r.Assumes != "" {
		out.Assumes = &r.Assumes
	}
	if r.Smallest != nil {
		d := gpuOf(*r.Smallest, memory.BudgetOf(*r.Smallest, memory.Process{}))
		out.SmallestGPU = &d
	}
	for _, p := range r.Fitting {
		j := jsonPlan{After: stateOf(p.After), Changes: []jsonChange{}, Edits: []report.JSONEdit{}}
		if !r.Unwritten {
			j.Edits = report.EditsOf(r.Before.File.Source, p.Edits)
		}
		for _, e := range p.Elsewhere {
			j.Edits = append(j.Edits, report.EditsOf(e.Source, e.Edits())...)
		}
		for _, step := range p.Steps {
			j.Changes = append(j.Changes, jsonChange{Name: step.Name, Title: step.Title, Costs: strings.Join(append([]string{step.Costs}, step.Notes...), "; "), Same: step.Same})
		}
		out.Plans = append(out.Plans, j)
	}
	for _, refusal := range r.Refused {
		j := jsonChange{Name: refusal.Name, Title: refusal.Title, Costs: refusal.Costs, Same: refusal.Same, Why: &refusal.Why}
		if refusal.After != nil {
			j.Peak = &refusal.After.Need.Peak
		}
		out.Refused = append(out.Refused, j)
	}
	for _, p := range r.Prices {
		out.Prices = append(out.Prices, jsonPrice{p.Device.Name, p.Hour})
	}
	return report.WriteJSON(w, out)
}

func gpuOf(d memory.Device, b memory.Budget) jsonGPU {
	return jsonGPU{d.Name, d.Total, b.Low, b.High}
}

func stateOf(s *plan.State) jsonState {
	m := s.Worst
	j := jsonState{Model: m.Name, Place: report.Where(m.UsedIn, m.UsedAt, report.Palette{}), Verdict: string(s.Verdict), Peak: s.Need.Peak, Low: s.Need.Low, Summary: claim(s)}
	if !s.Need.Open {
		j.High = &s.Need.High
	}
	if n := s.Batch(); n > 0 {
		j.Batch = &n
	}
	if m.Verdict != memory.Unknown && !m.Fixed() {
		j.Largest = &m.Largest
	}
	return j
}
