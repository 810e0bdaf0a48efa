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
	// Verbose has the whole table printed, and the details of all models.
	Verbose bool
	Palette report.Palette

	rows  map[use][]row
	worst *estimate.Row // of those that are described
}

// A use is where a model is made, and where it is trained or run.
type use struct{ made, used unit }

// A row is one use of a model with one configuration, in the program that tells most of it.
type row struct {
	estimate.Row
	program  string
	imported bool   // the program is another file than the one that uses the model
	details  string // of some rows: of the worst, or of all
	model    *jsonModel
}

// Add adds the models of the program in a file. Models that are parts of others, are not used, or have
// no price are left out.
func (o *Overview) Add(path string, models []estimate.Model) {
	o.add(path, slices.DeleteFunc(estimate.InOrder(models).Main, func(m estimate.Model) bool { return !m.Used() }))
}

// add adds models that are not parts of others, unless they have no price.
func (o *Overview) add(path string, models []estimate.Model) {
	if o.rows == nil {
		o.rows = map[use][]row{}
	}
	var priced []estimate.Model
	var rows []row
	for _, m := range models {
		if len(m.Unresolved) == 0 && m.Main() != nil {
			where := report.Where(m.UsedIn, m.UsedAt, report.Palette{})
			r := row{Row: estimate.RowOf(m, where), program: path, imported: absolute(m.UsedIn.Path) != absolute(path)}
			r.Model = len(priced)
			rows = append(rows, r)
			priced = append(priced, m)
		}
	}
	slices.SortStableFunc(rows, func(a, b row) int { return a.Worse(b.Row) })
	for i, r := range rows {
		m := priced[r.Model]
		switch {
		case o.Layers:
			model := jsonOf(m)
			r.model = &model
		case o.Verbose, i == 0 && (o.worst == nil || r.Worse(*o.worst) < 0):
			var b strings.Builder
			text{&b, o.Palette, m, !o.Verbose}.whole()
			r.details, o.worst = b.String(), &r.Row
		}
		key := use{unit{absolute(m.Source.Path), m.Span.Start}, unit{absolute(m.UsedIn.Path), m.UsedAt.Start}}
		switch known := o.rows[key]; {
		case len(known) == 0 || known[0].program == path:
			o.rows[key] = append(known, r)
		case r.better(known):
			o.rows[key] = []row{r}
		}
	}
}

// better reports whether a program tells more of a use than another: a program knows the arguments that
// its modules do not. Of two programs, the one that needs more counts.
func (r row) better(than []row) bool {
	if r.imported != than[0].imported {
		return r.imported
	}
	return !slices.ContainsFunc(than, func(t row) bool { return t.Need.Peak >= r.Need.Peak })
}

// ordered returns the rows, the worst first.
func (o *Overview) ordered() (rows []row) {
	keys := slices.SortedFunc(maps.Keys(o.rows), func(a, b use) int { return cmp.Or(a.used.compare(b.used), a.made.compare(b.made)) })
	for _, key := range keys {
		rows = append(rows, o.rows[key]...)
	}
	slices.SortStableFunc(rows, func(a, b row) int { return a.Worse(b.Row) })
	return rows
}

// Has reports whether a model has one of these verdicts.
func (o *Overview) Has(verdicts ...memory.Verdict) bool {
	for _, rows := range o.rows {
		if slices.ContainsFunc(rows, func(r row) bool { return r.Known && slices.Contains(verdicts, r.Verdict) }) {
			return true
		}
	}
	return false
}

// mostRows is how many rows the table has, unless more are asked for.
const mostRows = 20

// Table prints a table for people, a line a model.
func (o *Overview) Table(w io.Writer) error {
	var b strings.Builder
	o.table(&b, o.ordered())
	_, err := io.WriteString(w, b.String())
	return err
}

// Details prints those of the worst of several models, or of all. Of one model the table says enough.
func (o *Overview) Details(w io.Writer) error {
	rows := o.ordered()
	switch {
	case o.Verbose:
	case len(rows) < 2:
		return nil
	default:
		rows = rows[:1]
	}
	var b strings.Builder
	for _, r := range rows {
		if r.details != "" { // another program may tell more of what was the worst
			b.WriteString("\n" + r.details)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// table prints the table, and how many models it has.
func (o *Overview) table(b *strings.Builder, rows []row) {
	t := text{Builder: b, palette: o.Palette}
	plain, counts := []estimate.Row{}, map[memory.Verdict]int{}
	for _, r := range rows {
		if plain = append(plain, r.Row); r.Known {
			counts[r.Verdict] += r.Times
		}
	}
	table := estimate.Tabulate(plain)
	said := slices.Clone(table.Assumptions)
	if len(table.Rows) < 2 {
		said = nil // its details say that
	}
	if table.Equal != "" {
		said = slices.Insert(said, 0, table.Equal)
	}
	if table.GPU != "" {
		said = slices.Insert(said, 0, table.GPU+".")
	}
	for _, s := range said {
		t.printf("%s\n", s)
	}
	cells, align := [][]any{{"", ""}}, "lr"
	for _, column := range table.Columns {
		cells[0] = append(cells[0], estimate.Heads[column])
		align += map[bool]string{true: "r", false: "l"}[column <= estimate.ParametersColumn]
	}
	shown := table.Rows
	if !o.Verbose && len(shown) > mostRows+1 {
		shown = shown[:mostRows]
	}
	for _, r := range shown {
		line := []any{painted(""), ""}
		if r.Known {
			line[0] = t.verdict(r.Verdict, string(r.Verdict))
		}
		if r.Times > 1 {
			line[1] = fmt.Sprintf("%d ×", r.Times)
		}
		for _, column := range table.Columns {
			if column == estimate.NameColumn {
				line = append(line, t.strong(r.Cells[column]))
			} else {
				line = append(line, r.Cells[column])
			}
		}
		cells = append(cells, line)
	}
	if len(cells) > 1 {
		t.table(align, cells)
	}
	if n := len(table.Rows) - len(shown); n > 0 {
		t.printf("    and %s more, of at most %s; --verbose shows all of them.\n", memory.Count(int64(n)), memory.Bytes(most(table.Rows[len(shown):])))
	}
	told := []string{}
	for _, v := range estimate.Urgency {
		if n := counts[v]; n > 0 {
			told = append(told, fmt.Sprintf("%s %s", v, memory.Count(int64(n))))
		}
	}
	t.printf("%s models are priced", memory.Count(int64(table.All)))
	if len(told) > 0 {
		t.printf(": %s", strings.Join(told, ", "))
	}
	t.printf(".\n")
}

// most returns the largest peak of rows.
func most(rows []estimate.Row) (peak int64) {
	for _, r := range rows {
		peak = max(peak, r.Need.Peak)
	}
	return peak
}

// AddTo adds the models to a report, those that do not fit first.
func (o *Overview) AddTo(out *Report) {
	for _, r := range o.ordered() {
		out.Models = append(out.Models, *r.model)
	}
}
