package modelreport

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/cmd/tfmem/internal/report"
	"github.com/tfmem/tfmem/rules/rule"
)

// DiffOptions are what the print of a comparison depends on besides it.
type DiffOptions struct {
	Palette report.Palette
	Verbose bool // also what needs the same
	// Limit is the growth that fails, such as 0.1; negative if none does.
	Limit float64
	Root  string // the folder that a CI system shows paths relative to, or ""
}

// DiffFormats print a comparison, by their names.
var DiffFormats = map[string]func(*Diff, io.Writer, DiffOptions) error{
	"text": (*Diff).text, "json": (*Diff).json, "github": (*Diff).github, "gitlab": (*Diff).gitlab, "markdown": (*Diff).markdown,
}

func (d *Diff) json(w io.Writer, _ DiffOptions) error { return report.WriteJSON(w, d) }

// became says what became of so many, by status.
var became = map[Status]string{
	More: "needs more", Less: "needs less", Same: "needs the same", New: "is new", Gone: "is gone",
	Priced: "is priced now", Unpriced: "is no longer priced", Unknown: "is not priced",
}

// plural are the same of several.
var plural = strings.NewReplacer("needs ", "need ", "is ", "are ")

// summary says what became of all, in one line.
func (d *Diff) summary() string {
	phases := memory.Count(int64(len(d.Changes))) + " phases of models"
	switch len(d.Changes) {
	case 0:
		return "No model is trained or run, now or before"
	case 1:
		phases = "1 phase of a model"
	}
	var said []string
	for _, s := range statuses {
		switch n := d.Counts[s]; {
		case n == 1:
			said = append(said, "1 "+became[s])
		case n > 1:
			said = append(said, memory.Count(int64(n))+" "+plural.Replace(became[s]))
		}
	}
	return phases + ": " + strings.Join(said, ", ")
}

// what names a change as a person does: fit of model.
func (c *jsonChange) what() string {
	if c.Kind == nil {
		return "a training"
	}
	said := *c.Kind + " of " + source.Printable(*c.Name)
	if *c.Kind == string(memory.Stepping) {
		said = "the step " + source.Printable(*c.Name)
	}
	var loop []string
	for _, v := range c.Loop {
		loop = append(loop, source.Printable(v.Name+"="+strings.Join(v.Values, ",")))
	}
	if len(loop) > 0 {
		said += " (" + strings.Join(loop, ", ") + ")"
	}
	return said
}

// figures say what it needs, before and after.
func (c *jsonChange) figures() string {
	switch c.Status {
	case More, Less:
		said := fmt.Sprintf("%s → %s", memory.Bytes(c.Before.Peak), memory.Bytes(c.After.Peak))
		if c.Growth != nil {
			said += " (" + growth(*c.Growth) + ")"
		}
		return said + c.verdict()
	case Same:
		return memory.Bytes(c.After.Peak) + c.verdict()
	case New:
		if c.After == nil {
			return "new, not priced"
		}
		return "new, " + memory.Bytes(c.After.Peak) + c.verdict()
	case Gone:
		if c.Before == nil {
			return "gone"
		}
		return "gone, it needed " + memory.Bytes(c.Before.Peak)
	case Priced:
		return "priced now, " + memory.Bytes(c.After.Peak) + c.verdict()
	case Unpriced:
		return "no longer priced, it needed " + memory.Bytes(c.Before.Peak)
	}
	return "not priced"
}

// growth shows by how much a peak changed: in percent or, from ten times on, in times.
func growth(by float64) string {
	n := by * 100
	switch {
	case by >= 9:
		return "× " + memory.Count(int64(math.Round(by+1)))
	case math.Abs(n) < 9.95:
		return strings.Replace(fmt.Sprintf("%+.1f %%", n), "-", "−", 1)
	}
	return strings.Replace(fmt.Sprintf("%+.0f %%", n), "-", "−", 1)
}

// verdict says whether it fits, if that is known.
func (c *jsonChange) verdict() string {
	is, was := c.After.Verdict, c.After.Verdict
	if c.Before != nil {
		was = c.Before.Verdict
	}
	switch unknown := string(memory.Unknown); {
	case is == unknown && was == unknown:
		return ""
	case is == was:
		return ", " + is
	}
	return ", " + was + " → " + is
}

// why are the reasons, and which memory it is. If nothing that the estimates say differs, that is said.
func (c *jsonChange) why() (lines []string) {
	for _, r := range c.Reasons {
		lines = append(lines, strings.TrimSuffix(source.PrintableLines(r.Message), "."))
	}
	if c.Status != More && c.Status != Less {
		return lines
	}
	if len(lines) == 0 {
		lines = append(lines, "nothing else differs in the estimates: the step, a setting or tfmem itself changed")
	}
	kinds := slices.SortedFunc(maps.Keys(c.AtPeak), func(a, b string) int {
		return cmp.Or(cmp.Compare(magnitude(c.AtPeak[b]), magnitude(c.AtPeak[a])), cmp.Compare(a, b))
	})
	var parts []string
	for _, k := range kinds {
		n := c.AtPeak[k]
		if magnitude(n)*20 < magnitude(*c.More) {
			break
		}
		sign := "+"
		if n < 0 {
			sign = "−"
		}
		parts = append(parts, k+" "+sign+memory.Bytes(magnitude(n)))
	}
	if len(parts) > 0 {
		lines = append(lines, "at the peak: "+strings.Join(parts, ", "))
	}
	return lines
}

func magnitude(n int64) int64 { return max(n, -n) }

// told reports whether people want to hear of a change: not of what reads the same.
func (c *jsonChange) told() bool {
	switch c.Status {
	case Same, Unknown:
		return c.Status == Same && c.Before.Verdict != c.After.Verdict
	case More, Less:
		return memory.Bytes(c.Before.Peak) != memory.Bytes(c.After.Peak) || c.Before.Verdict != c.After.Verdict
	}
	return true
}

// gpus says with what the verdicts compare, if that is not the same.
func (d *Diff) gpus() string {
	before, after := worded(d.GPU.Before), worded(d.GPU.After)
	if before == after {
		return ""
	}
	return fmt.Sprintf("The verdicts are not for one GPU: before %s, now %s.", source.Printable(before.text()), source.Printable(after.text()))
}

func (c *jsonChange) place() string {
	cell := ""
	if c.Cell != nil {
		cell = fmt.Sprintf("cell %d:", *c.Cell)
	}
	return fmt.Sprintf("%s:%s%d:%d", source.Printable(c.Filename), cell, c.Location.Row, c.Location.Column)
}

func (d *Diff) text(w io.Writer, o DiffOptions) error {
	var b strings.Builder
	for i := range d.Changes {
		c := &d.Changes[i]
		if !c.told() && !o.Verbose {
			continue
		}
		figures := c.figures()
		switch {
		case c.Status == More || c.Status == Unpriced:
			figures = o.Palette.Removed(figures)
		case c.Status == Less || c.Status == Priced:
			figures = o.Palette.Added(figures)
		}
		fmt.Fprintf(&b, "%s: %s: %s\n", o.Palette.Path(c.place()), c.what(), figures)
		for _, line := range c.why() {
			fmt.Fprintf(&b, "  %s\n", line)
		}
	}
	if b.Len() > 0 {
		b.WriteString("\n")
	}
	if said := d.gpus(); said != "" {
		b.WriteString(said + "\n")
	}
	b.WriteString(d.summary() + ".\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// severity is how grave a change is: an error if it fails, a warning if it is for the worse.
func (c *jsonChange) severity(o DiffOptions) rule.Severity {
	exceeds := c.After != nil && c.After.Verdict == string(memory.Exceeds) && (c.Before == nil || c.Before.Verdict != c.After.Verdict)
	switch {
	case exceeds, o.Limit >= 0 && c.grew(o.Limit):
		return rule.Error
	case c.Status == More, c.Status == Unpriced:
		return rule.Warning
	}
	return rule.Information
}

// remarks are the changes for CI systems, those for the better only if they are asked for. What is gone
// has no line to stand at.
func (d *Diff) remarks(o DiffOptions, better bool) (all []report.Remark) {
	for i := range d.Changes {
		c := &d.Changes[i]
		severity := c.severity(o)
		if !c.told() || c.Status == Gone || !better && severity < rule.Warning {
			continue
		}
		what := c.what()
		message := strings.ToUpper(what[:1]) + what[1:] + ": " + c.figures() + "."
		if why := c.why(); len(why) > 0 {
			message += " Why: " + strings.Join(why, "; ") + "."
		}
		all = append(all, report.Remark{
			Severity: severity, Check: "memory-diff", Path: c.Filename, Cell: cellOf(c.Cell), Row: c.Location.Row, Column: c.Location.Column,
			Key: what + string(c.Status), Message: message,
		})
	}
	return all
}

func (d *Diff) github(w io.Writer, o DiffOptions) error {
	return report.GitHubRemarks(w, d.remarks(o, true), report.Options{Root: o.Root})
}

// gitlab prints what is for the worse: a code quality report lists what is wrong.
func (d *Diff) gitlab(w io.Writer, o DiffOptions) error {
	return report.GitLabRemarks(w, d.remarks(o, false), report.Options{Root: o.Root})
}

// Marker begins a comment that tfmem writes, so that the next run finds it.
const Marker = "<!-- tfmem: memory -->"

// mostCommented is how many bytes the table of a comment has: GitHub takes 65,536 characters.
const mostCommented = 60_000

// markdown prints a comment on a pull request.
func (d *Diff) markdown(w io.Writer, o DiffOptions) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n### GPU memory\n\n%s.\n", Marker, d.summary())
	var told []*jsonChange
	for i := range d.Changes {
		if c := &d.Changes[i]; c.told() || o.Verbose {
			told = append(told, c)
		}
	}
	if len(told) > 0 {
		b.WriteString("\n| | at the peak | why |\n|---|---|---|\n")
	}
	shown := 0
	for _, c := range told {
		figures := c.figures()
		if c.severity(o) == rule.Error {
			figures = "**" + figures + "**"
		}
		var why []string
		for _, line := range c.why() {
			why = append(why, code(line))
		}
		row := fmt.Sprintf("| %s<br>%s | %s | %s |\n", code(c.place()), code(c.what()), figures, strings.Join(why, "<br>"))
		if b.Len()+len(row) > mostCommented {
			break
		}
		b.WriteString(row)
		shown++
	}
	if more := len(told) - shown; more > 0 {
		fmt.Fprintf(&b, "\n%s more are not shown.\n", memory.Count(int64(more)))
	}
	if said := d.gpus(); said != "" {
		fmt.Fprintf(&b, "\n%s\n", code(said))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// mostCode is how many bytes of one text a comment has.
const mostCode = 400

// code shows a text of a program in Markdown, in a cell of a table: as code it makes no tag and no link,
// and calls nobody.
func code(text string) string {
	if len(text) > mostCode {
		text = strings.ToValidUTF8(text[:mostCode], "") + "…"
	}
	text = strings.NewReplacer("\n", " ", "|", `\|`).Replace(text)
	longest, run := 0, 0
	for _, r := range text {
		if r != '`' {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	if longest > 0 {
		text = " " + text + " "
	}
	fence := strings.Repeat("`", longest+1)
	return fence + text + fence
}
