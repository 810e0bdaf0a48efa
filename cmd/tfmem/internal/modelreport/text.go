package modelreport

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/rivo/uniseg"
	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/analyzer/memory/executor"
	"github.com/tfmem/tfmem/analyzer/memory/page"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/cmd/tfmem/internal/report"
	"github.com/tfmem/tfmem/rules/estimate"
	"github.com/tfmem/tfmem/rules/rule"
)

const (
	barWidth      = 32 // of the longest bar, in columns
	largestLayers = 5  // the number of layers shown
)

// Text prints models for people: first those that are trained, then those that only predict. Several
// that are priced are listed in a table, the worst first; unless verbose, only the worst one is
// described. Models that are parts of others, or that only an unknown step uses, are listed in one
// line per group, unless verbose.
func Text(w io.Writer, models []estimate.Model, p report.Palette, verbose bool) error {
	var b strings.Builder
	order := estimate.InOrder(models)
	if verbose {
		order = estimate.Order{Main: order.All()}
	}
	o, told := Overview{Palette: p, Verbose: verbose}, 0
	o.add("", slices.DeleteFunc(slices.Clone(order.Main), func(m estimate.Model) bool { return m.Part }))
	rows := o.ordered()
	several := len(rows) > 1
	if several {
		o.table(&b, rows)
		told++
		if !verbose {
			b.WriteString("\n" + rows[0].details)
		}
	}
	for _, m := range order.Main {
		priced := len(m.Unresolved) == 0 && !m.Part
		if several && priced && !verbose {
			continue
		}
		if told++; told > 1 {
			b.WriteString("\n")
		}
		t := text{Builder: &b, palette: p, m: m}
		switch {
		case priced:
			t.whole()
		case len(m.Unresolved) > 0:
			t.head()
			t.unresolved()
		default:
			t.head()
			b.WriteString("  It is part of another model or of a step, and not used by itself.\n")
		}
	}
	for _, group := range []struct {
		models []estimate.Model
		why    string
	}{{order.Parts, "Parts of other models or of a step"}, {order.Idle, "Not priced: only a training step that tfmem does not understand may train them"}} {
		if len(group.models) > 0 {
			if told++; told > 1 {
				b.WriteString("\n")
			}
			fmt.Fprintf(&b, "%s: %s. --verbose shows them.\n", group.why, listed(group.models))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// listed returns the names of models and where they are created, each once.
func listed(models []estimate.Model) string {
	var names []string
	times := map[string]int{}
	for _, m := range models {
		name := source.Printable(fmt.Sprintf("%s (%s)", m.Name, report.Where(m.Source, m.Span, report.Palette{})))
		if times[name] == 0 {
			names = append(names, name)
		}
		times[name] += m.Same
	}
	for i, name := range names {
		if n := times[name]; n > 1 {
			names[i] = fmt.Sprintf("%d × %s", n, name)
		}
	}
	return strings.Join(names, ", ")
}

// A text is the description of one model.
type text struct {
	*strings.Builder
	palette report.Palette
	m       estimate.Model
	brief   bool // other batch sizes and GPUs are left out
}

// A painted text contains colours, and is otherwise printable.
type painted string

func (t text) strong(s string) painted { return painted(t.palette.Path(source.Printable(s))) }

// printf writes formatted text. String arguments come from the program and are made
// printable.
func (t text) printf(format string, args ...any) {
	for i, a := range args {
		if s, ok := a.(string); ok {
			args[i] = source.Printable(s)
		}
	}
	fmt.Fprintf(t, format, args...)
}

func (t text) head() {
	t.printf("%s: %s", painted(report.Where(t.m.Source, t.m.Span, t.palette)), t.strong(t.m.Name))
	class := t.m.Assessment.Model.Class
	switch class {
	case "Sequential", "Functional":
		class += " model"
	case "Subclass":
		class = "subclassed model"
	case "Step":
		class = "custom training step,"
	}
	t.printf(", a %s", class)
	if t.m.Known() {
		t.printf(" of %s parameters", t.m.Parameters)
		if t.m.Trained != t.m.Parameters && t.m.Assessment.Model.Unsure() == nil {
			t.printf(", %s of them trainable", t.m.Trained)
		}
	}
	if t.m.Same > 1 {
		t.printf(" (%d such models are made here)", t.m.Same)
	}
	t.WriteString("\n")
}

// unresolved is a reason with its place.
func unresolved(r estimate.Reason) string {
	if !r.Found {
		return r.String()
	}
	return r.String() + " (" + r.Where() + ")"
}

// remediesOf are lines that say what a person can write about what is not known.
func remediesOf(r estimate.Reason) (lines string) { return linesOf(r.Remedies(), nil) }

// linesOf are the lines of remedies, each command once.
func linesOf(offers []estimate.HintOffer, told map[string]bool) (lines string) {
	for _, o := range offers {
		if o.Command && told[o.Text] {
			continue
		}
		if told != nil {
			told[o.Text] = true
		}
		lines += source.Printable(fmt.Sprintf("  %s %s: %s", o.What, o.Where(), o.Text)) + "\n"
	}
	return lines
}

// Remedies prints what a person can write for trainings of which no model is known.
func (c *Coverage) Remedies(w io.Writer, models []estimate.Model) error {
	var b strings.Builder
	for _, lines := range c.lines(models) {
		if len(models) > 0 || b.Len() > 0 {
			b.WriteString("\n")
		}
		b.WriteString(lines)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Unpriced are these trainings on the page.
func (c *Coverage) Unpriced(models []estimate.Model) (all []page.Unpriced) {
	for _, lines := range c.lines(models) {
		said, remedies, _ := strings.Cut(strings.TrimSuffix(lines, "\n"), "\n")
		u := page.Unpriced{Said: said}
		for remedy := range strings.SplitSeq(remedies, "\n") {
			u.Remedies = append(u.Remedies, strings.TrimSpace(remedy))
		}
		all = append(all, u)
	}
	return all
}

// lines are what to write for each training of which no model is known: for others it stands under
// their models.
func (c *Coverage) lines(models []estimate.Model) (all []string) {
	told := map[string]bool{}
	for _, m := range models {
		for _, r := range m.Reasons {
			told[remediesOf(r)] = true
		}
	}
	for _, why := range c.unpriced() {
		if _, said, _ := strings.Cut(why.lines, "\n"); said != "" && !told[said] {
			told[said] = true
			all = append(all, why.lines)
		}
	}
	return all
}

func (t text) unresolved() {
	told := map[string]bool{}
	for _, r := range t.m.Reasons {
		t.printf("  %s: %s.\n%s", t.verdict(memory.Tight, "Not priced"), unresolved(r), painted(linesOf(r.Remedies(), told)))
	}
	if t.m.Known() && t.m.Replicas > 0 && t.m.Batch == 0 {
		t.WriteString("  Set --batch-size to price it.\n")
	}
}

// whole prints all that is known of a priced model.
func (t text) whole() {
	t.head()
	t.summary()
	t.phases()
	t.kinds()
	t.data()
	t.layers()
	if t.brief || t.m.Fixed() {
		return
	}
	t.batches()
	t.gpus()
}

// summary prints the answer: whether the model fits, what is priced, and on which assumptions.
func (t text) summary() {
	t.answer()
	m := t.m
	main := m.Main()
	t.printf("  %s", t.purpose())
	if m.Assessment.Model.Own.Fixed() {
		t.WriteString(" on the batch size that the program's constants fix,")
	} else {
		t.printf(" on batches of %s", memory.Count(m.Batch))
	}
	if m.Named {
		t.printf(", the batch size in the shape of its input,")
	}
	if m.Assumed {
		t.WriteString(" (assumed: the program sets no batch size)")
	}
	if m.Replicas > 1 {
		t.printf(", %d on each of %d GPUs,", m.Replica, m.Replicas)
	}
	o := m.Then.Optimizer
	if m.Trains() {
		t.printf(" with %s", o.Class)
	}
	t.printf(" in %s: %s at the peak, between %s and %s%s.\n", m.Precision, t.strong(memory.Bytes(main.Peak)), memory.Bytes(main.Low), memory.Bytes(main.High), without(main.Need))
	switch {
	case m.Trains() && m.Inference != nil && m.Inference.Use == nil:
		t.printf("  Prediction alone: %s.\n", memory.Bytes(m.Inference.Peak))
	case m.Training == nil && o != nil:
		t.WriteString("  It is compiled, but no training of it is known, so none is priced.\n")
	case m.Training == nil:
		t.WriteString("  It is not compiled here, so its training cannot be priced.\n")
	}
	for _, said := range append([]string{m.Advice(), m.Host.Said()}, m.Assumptions()...) {
		if said != "" {
			t.printf("  %s\n", said)
		}
	}
	told := map[string]bool{}
	for _, r := range m.Sizes() {
		if lines := remediesOf(r); !told[lines] {
			told[lines] = true
			t.printf("%s", painted(lines))
		}
	}
}

// without says that a need has not all of the data, or returns "".
func without(n memory.Need) string {
	if n.Open {
		return ", without the data of unknown size"
	}
	return ""
}

// phases prints what each phase needs.
func (t text) phases() {
	told := t.m.Told()
	if len(told) == 0 {
		return
	}
	t.title("What the program does with it")
	most := t.m.Total().Peak
	rows := [][]any{}
	for _, p := range told {
		at := t.m.At(p)
		row := []any{p.Title() + ", " + t.line(at), "", "not known", painted("")}
		if p.Batch > 0 {
			row[1] = memory.Count(p.Batch)
		}
		if p.Priced() {
			row[2], row[3] = memory.Bytes(p.Peak), t.bar(p.Peak, most)
		}
		rows = append(rows, row)
	}
	t.table("lrrl", rows)
}

// line returns the line of a place, with the file if it is not the model's.
func (t text) line(at estimate.Place) string {
	cell, row, _ := report.Locate(at.Source, at.Span)
	switch {
	case at.Source.Text() != t.m.Source.Text():
		return report.Where(at.Source, at.Span, report.Palette{})
	case cell > 0:
		return fmt.Sprintf("cell %d, line %d", cell, row)
	}
	return fmt.Sprintf("line %d", row)
}

// answer prints whether the model fits the GPU, in one line.
func (t text) answer() {
	m := t.m
	if m.Verdict == memory.Unknown {
		t.printf("  %s: %s.\n", t.verdict(memory.Unknown, "Unknown whether it fits"), m.WhyUnknown())
		if m.Assumed && m.Budget.Known() {
			t.WriteString("  Set --batch-size to compare it.\n")
		}
		return
	}
	share := fmt.Sprintf("%s has %s for TensorFlow (%s)", m.Device.Name, m.Budget, m.Device.Source)
	if m.Fixed() {
		t.printf("  %s: %s.\n", t.verdict(m.Verdict, sentence(m.Verdict)), share)
		return
	}
	most := largest(m.Largest)
	if m.Largest > 0 {
		most += without(m.Total())
	}
	t.printf("  %s: %s. %s.\n", t.verdict(m.Verdict, sentence(m.Verdict)), share, most)
}

// purpose returns what is priced.
func (t text) purpose() string {
	switch own := t.m.Assessment.Model.Own; {
	case own != nil && t.m.Trains():
		return "One step of " + t.step(own)
	case t.m.Trains() && t.m.Trainings > 1:
		return "Training" + t.at(t.m.Use.Node)
	}
	return t.m.Purpose()
}

// at returns the line of a node in the model's file, or "" for a node in another file.
func (t text) at(n syntax.Node) string {
	if n.Tree().Text() != t.m.Source.Text() {
		return ""
	}
	cell, row, _ := report.Locate(t.m.Source, rule.Span(n))
	if cell > 0 {
		return fmt.Sprintf(", cell %d, line %d,", cell, row)
	}
	return fmt.Sprintf(", line %d,", row)
}

// step names a custom training step and says where it is.
func (t text) step(own *graph.Step) string {
	place := own.Node
	if of := place.Child(syntax.FieldName); of.Valid() {
		place = of
	}
	return own.Name + t.at(place)
}

func sentence(v memory.Verdict) string {
	switch v {
	case memory.Fits:
		return "It fits"
	case memory.Tight:
		return "It is tight"
	case memory.Exceeds:
		return "It does not fit"
	}
	return "It is not known whether it fits"
}

func largest(batch int64) string {
	if batch == 0 {
		return "Even a batch of 1 may not fit"
	}
	if batch >= memory.MaxBatch {
		return "Any sensible batch size fits"
	}
	return "The largest batch that fits is " + memory.Count(batch)
}

func (t text) verdict(v memory.Verdict, text string) painted {
	switch v {
	case memory.Fits:
		return painted(t.palette.Added(text))
	case memory.Exceeds:
		return painted(t.palette.Severity(rule.Error, text))
	}
	return painted(t.palette.Severity(rule.Warning, text))
}

// kinds prints what the memory at the peak is used for.
func (t text) kinds() {
	use := t.m.Main().AtPeak()
	total := use.Total()
	t.title("Memory at the peak of a step")
	rows := [][]any{}
	for _, k := range executor.Kinds {
		if use[k] > 0 {
			rows = append(rows, []any{k.String(), memory.Bytes(use[k]), percent(use[k], total), t.bar(use[k], total)})
		}
	}
	t.table("lrrl", rows)
}

// data prints the largest of what lies on the device beside the step, if it matters.
func (t text) data() {
	all := t.m.Main().Data
	if 100*all < t.m.Main().Peak {
		return
	}
	t.title("Data on the GPU beside the step")
	rows := [][]any{}
	for _, d := range t.m.Data[:min(len(t.m.Data), largestData)] {
		at := ""
		if d.At.Source != nil {
			at = t.line(d.At)
		}
		rows = append(rows, []any{d.What, at, memory.Bytes(d.Bytes), t.bar(d.Bytes, all)})
	}
	t.table("llrl", rows)
}

// largestData is how many of the data are printed.
const largestData = 5

func percent(part, whole int64) string {
	if 200*part < whole {
		return "<1 %"
	}
	return fmt.Sprintf("%.0f %%", 100*float64(part)/float64(whole))
}

// layers prints the layers that keep the most for their gradients or, for a model that is
// not trained, have the most weights.
func (t text) layers() {
	size, what := func(l *memory.LayerCost) int64 { return l.Kept }, "what they keep for the gradients"
	if t.m.Training == nil || t.m.Training.Kept == 0 {
		size, what = func(l *memory.LayerCost) int64 { return l.Parameters.High }, "parameters"
	}
	ranking := t.m.Rank(largestLayers, size)
	rows := [][]any{{"layer", "type", "output", "parameters", "", ""}}
	if t.m.Training != nil {
		rows[0][4] = "kept"
	}
	for _, l := range ranking.First {
		kept := ""
		if t.m.Training != nil {
			kept = memory.Bytes(l.Kept)
		}
		rows = append(rows, []any{l.Layer.Name, l.Layer.Class, shape(l), l.Parameters.String(), kept, t.bar(size(&l), 2*size(&ranking.First[0]))})
	}
	if len(rows) > 1 {
		t.title(fmt.Sprintf("The largest of %s layers, by %s", memory.Count(int64(ranking.All)), what))
		t.table("lllrrl", rows)
	}
}

// shape returns the output shape of a layer for any batch size.
func shape(l memory.LayerCost) string {
	var parts []string
	for _, d := range dimensions(l) {
		if d == nil {
			parts = append(parts, "None")
		} else {
			parts = append(parts, strconv.FormatInt(*d, 10))
		}
	}
	return "(" + strings.Join(parts, ", ") + ")"
}

// batches shows how memory grows with the batch.
func (t text) batches() {
	points := around(t.m)
	if len(points) == 0 {
		return
	}
	t.title(t.purpose() + " by batch size")
	rows := [][]any{}
	for _, p := range points {
		row := []any{memory.Count(p.Batch), memory.Bytes(p.Need.Peak), t.bar(p.Need.Peak, points[len(points)-1].Need.Peak)}
		if t.m.Verdict != memory.Unknown {
			v := memory.Judge(t.m.Built(p.Need), t.m.Budget)
			row = slices.Insert(row, 2, any(t.verdict(v, string(v))))
		}
		rows = append(rows, row)
	}
	if t.m.Verdict != memory.Unknown {
		t.table("rrll", rows)
	} else {
		t.table("rrl", rows)
	}
}

// around returns the points of a model's curve from an eighth of its batch size to eight times
// that, with the batch size itself.
func around(m estimate.Model) memory.Curve {
	var out memory.Curve
	own := memory.Point{Batch: m.Batch, Need: m.Main().Need}
	for _, p := range m.Curve {
		if own.Batch > 0 && p.Batch >= own.Batch {
			out = append(out, own)
			own.Batch = 0
			if p.Batch == m.Batch {
				continue
			}
		}
		if p.Batch >= m.Batch/8 && p.Batch <= m.Batch*8 {
			out = append(out, p)
		}
	}
	if own.Batch > 0 {
		out = append(out, own)
	}
	return out
}

// gpus shows on which GPUs the model would fit.
func (t text) gpus() {
	if len(t.m.Others) == 0 {
		return
	}
	t.title(t.purpose() + " on other GPUs, on batches of " + memory.Count(t.m.Batch) + without(t.m.Total()))
	rows := [][]any{}
	for _, f := range t.m.Others {
		most := "even a batch of 1 may not fit"
		switch {
		case f.Largest >= memory.MaxBatch:
			most = "any batch"
		case f.Largest > 0:
			most = "batches to " + memory.Count(rounded(f.Largest))
		}
		verdict := painted("")
		if f.Verdict != memory.Unknown {
			verdict = t.verdict(f.Verdict, string(f.Verdict))
		}
		rows = append(rows, []any{f.Device.Name, memory.Bytes(f.Device.Total), verdict, most})
	}
	t.table("lrll", rows)
}

// rounded returns a batch size that people would write, at most n: a power of two below 8, else a
// multiple of 8.
func rounded(n int64) int64 {
	if n >= 8 {
		return n / 8 * 8
	}
	for _, power := range []int64{4, 2} {
		if n >= power {
			return power
		}
	}
	return n
}

func (t text) title(s string) { t.printf("\n  %s\n", t.strong(s)) }

// bar draws a part of the whole as a bar, to an eighth of a column. Any part but zero is visible.
func (t text) bar(part, whole int64) painted {
	if whole <= 0 || part <= 0 {
		return ""
	}
	eighths := max(int(float64(part)/float64(whole)*barWidth*8+0.5), 1)
	s := strings.Repeat("█", eighths/8)
	if rest := eighths % 8; rest > 0 {
		s += string([]rune("▏▎▍▌▋▊▉")[rest-1])
	}
	return painted(t.palette.Note(s))
}

// table prints rows in columns, each aligned to the left or the right. The cells are arguments of
// printf.
func (t text) table(align string, cells [][]any) {
	widths := make([]int, len(align))
	rows := make([][]string, len(cells))
	for n, row := range cells {
		for i, cell := range row {
			text, ok := cell.(painted)
			if !ok {
				text = painted(source.Printable(fmt.Sprint(cell)))
			}
			rows[n] = append(rows[n], string(text))
			widths[i] = max(widths[i], width(string(text)))
		}
	}
	for _, row := range rows {
		line := ""
		for i, cell := range row {
			if widths[i] == 0 {
				continue
			}
			pad := strings.Repeat(" ", widths[i]-width(cell))
			if align[i] == 'r' {
				line += "  " + pad + cell
			} else {
				line += "  " + cell + pad
			}
		}
		t.printf("  %s\n", painted(strings.TrimRight(line, " ")))
	}
}

// width returns how many terminal columns a text takes, without its colours.
func width(s string) int {
	n := 0
	for s != "" {
		before, rest, coloured := strings.Cut(s, "\x1b[")
		n += uniseg.StringWidth(before)
		if !coloured {
			break
		}
		_, s, _ = strings.Cut(rest, "m")
	}
	return n
}
