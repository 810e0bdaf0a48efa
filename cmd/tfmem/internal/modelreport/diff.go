package modelreport

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/rules/estimate"
)

// MostReport is how many bytes of a report are read: some 100,000 layers.
const MostReport = 64 << 20

// ReadReport reads what Write printed, now or at another commit. Keys that this version does not know
// are left out.
func ReadReport(text []byte) (r Report, err error) {
	var wrong *json.UnmarshalTypeError
	var syntax *json.SyntaxError
	switch err := json.Unmarshal(text, &r); {
	case errors.As(err, &wrong):
		return r, fmt.Errorf("it is no estimate of tfmem: at byte %d is a %s where none can be", wrong.Offset, wrong.Value)
	case errors.As(err, &syntax):
		return r, fmt.Errorf("it is not JSON: at byte %d: %w", syntax.Offset, err)
	case err != nil:
		return r, fmt.Errorf("it is not JSON: %w", err)
	case r.Models == nil || r.Unresolved == nil:
		return r, errors.New(`it is no estimate of tfmem: it lacks "models" or "unresolved"`)
	}
	for _, m := range r.Models {
		if !slices.Contains(estimate.Urgency, memory.Verdict(m.Verdict)) {
			return r, fmt.Errorf("it is no estimate of tfmem: the verdict of %s is %q", m.Name, m.Verdict)
		}
		for _, p := range m.Phases {
			if !slices.Contains(memory.PhaseKinds, memory.PhaseKind(p.Kind)) {
				return r, fmt.Errorf("it is no estimate of tfmem: a phase of %s is %q", m.Name, p.Kind)
			}
			for _, n := range []*jsonNeed{p.Training, p.Inference} {
				if n != nil && n.Peak < 0 {
					return r, fmt.Errorf("it is no estimate of tfmem: the peak of %s is negative", m.Name)
				}
			}
		}
	}
	return r, nil
}

// A Status says what became of a phase between two reports.
type Status string

const (
	More     Status = "more"     // it needs more at its peak
	Less     Status = "less"     // it needs less
	Same     Status = "same"     // it needs the same
	New      Status = "new"      // it was not there
	Gone     Status = "gone"     // it is not there any more
	Priced   Status = "priced"   // it had no price
	Unpriced Status = "unpriced" // it has no price any more
	Unknown  Status = "unknown"  // it has no price in either
)

// statuses are all of them, in the order of a report: what is worse first.
var statuses = []Status{More, Unpriced, New, Less, Priced, Gone, Same, Unknown}

// These types are the contract of the JSON format of a comparison, which diff.schema.json documents.
type (
	// A Diff compares two reports on one program, before and after a change.
	Diff struct {
		GPU     jsonGPUs       `json:"gpu"`
		Counts  map[Status]int `json:"counts"`
		Growth  *float64       `json:"largest_growth"` // of the phases that need more; null if none does
		Changes []jsonChange   `json:"changes"`
		// Warnings are those of the report on what is there now.
		Warnings []string `json:"warnings"`
	}
	jsonGPUs struct {
		Before *string `json:"before"`
		After  *string `json:"after"`
	}
	// A jsonChange is a fit, a step, an evaluate or a predict in the reports.
	jsonChange struct {
		Status   Status           `json:"status"`
		Kind     *string          `json:"kind"` // null of a training without a price, of which only the place is known
		Name     *string          `json:"name"` // null as well
		Filename string           `json:"filename"`
		Cell     *int             `json:"cell"`
		Location jsonPosition     `json:"location"` // of what is gone, where it was
		Loop     []jsonVariable   `json:"loop"`
		Before   *jsonSide        `json:"before"` // null if it has no price there
		After    *jsonSide        `json:"after"`
		More     *int64           `json:"difference_bytes"` // of the peaks; null unless both are known
		Growth   *float64         `json:"growth"`           // the same as a fraction of the peak before
		AtPeak   map[string]int64 `json:"at_peak_difference_bytes"`
		Reasons  []jsonDifference `json:"reasons"`
	}
	// A jsonSide is what one report says of a phase.
	jsonSide struct {
		Peak    int64  `json:"pool_peak_bytes"`
		Low     int64  `json:"pool_peak_low_bytes"`
		High    *int64 `json:"pool_peak_high_bytes"`
		Verdict string `json:"verdict"`
	}
	// A jsonDifference is something in which the reports differ, and which may be why the peaks do.
	jsonDifference struct {
		Kind    string `json:"kind"`
		Message string `json:"message"`
		Before  any    `json:"before"` // a number or a text; null if there is none, or more than one
		After   any    `json:"after"`
	}
)

// A slot is one phase of one report: what is compared.
type slot struct {
	kind, name string // "" of a training of which only the place is known
	file, loop string
	cell       *int
	at         jsonPosition
	model      *jsonModel // nil without a name
	batch      *int64
	need       *jsonNeed // nil if it has no price
	why        string    // that it has none
}

// slotsOf returns the phases of a report in the order of their places. The making of weights is none
// of them: the program does it for what follows.
func slotsOf(r Report) []slot {
	var all []slot
	for i := range r.Models {
		m := &r.Models[i]
		var loop []string
		for _, v := range m.Loop {
			loop = append(loop, v.Name+"="+strings.Join(v.Values, ","))
		}
		for _, p := range m.Phases {
			if p.Kind == string(memory.Building) {
				continue
			}
			s := slot{kind: p.Kind, name: m.Name, file: slashed(p.Filename), loop: strings.Join(loop, " "), cell: p.Cell, at: p.Location, model: m, batch: p.BatchSize, need: p.Training}
			if s.need == nil {
				s.need = p.Inference
			}
			if s.need == nil && len(m.Unresolved) > 0 {
				s.why = m.Unresolved[0].Message
			}
			all = append(all, s)
		}
	}
	for _, t := range r.Unresolved {
		file := slashed(t.Filename)
		same := func(s slot) bool {
			return s.need == nil && s.file == file && equal(s.cell, t.Cell) && s.at == t.Location
		}
		if i := slices.IndexFunc(all, same); i >= 0 {
			all[i].why = t.Reason.Message
			continue
		}
		all = append(all, slot{file: file, cell: t.Cell, at: t.Location, why: t.Reason.Message})
	}
	slices.SortStableFunc(all, func(a, b slot) int {
		return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(cellOf(a.cell), cellOf(b.cell)), cmp.Compare(a.at.Row, b.at.Row), cmp.Compare(a.at.Column, b.at.Column), cmp.Compare(a.peak(), b.peak()))
	})
	return all
}

// slashed makes the names equal that a file has on two systems.
func slashed(path string) string { return filepath.ToSlash(filepath.Clean(path)) }

func cellOf(cell *int) int {
	if cell == nil {
		return 0
	}
	return *cell
}

// peak returns what is needed, or -1 if that is not known.
func (s *slot) peak() int64 {
	if s.need == nil {
		return -1
	}
	return s.need.Peak
}

// trains reports whether a slot is one of those that reports name if they have no price.
func (s *slot) trains() bool {
	return s.kind == "" || s.kind == string(memory.Fitting) || s.kind == string(memory.Stepping)
}

// A pair is a phase in both reports, or in one of them.
type pair struct{ before, after *slot }

// match finds each phase again. Lines move, so that a phase is known by its file, by the name of its
// model, by what it does, by what loops give it, and by its order among those that are equal in all
// that; then, what is left, by less and less of it.
func match(before, after []slot) []pair {
	var pairs []pair
	lefts, rights := pointers(before), pointers(after)
	// by pairs what has one key, in order; "" is none. With alone it does so where nothing else has it.
	by := func(left, right func(*slot) string, alone bool) {
		groups := map[string][]*slot{}
		for _, s := range rights {
			groups[right(s)] = append(groups[right(s)], s)
		}
		count := map[string]int{}
		for _, s := range lefts {
			count[left(s)]++
		}
		taken := map[*slot]bool{}
		for _, s := range lefts {
			k := left(s)
			if k == "" || len(groups[k]) == 0 || alone && (count[k] > 1 || len(groups[k]) > 1) {
				continue
			}
			other := groups[k][0]
			groups[k] = groups[k][1:]
			taken[s], taken[other] = true, true
			pairs = append(pairs, pair{s, other})
		}
		matched := func(s *slot) bool { return taken[s] }
		lefts, rights = slices.DeleteFunc(lefts, matched), slices.DeleteFunc(rights, matched)
	}
	for _, key := range []func(*slot) []any{
		func(s *slot) []any { return []any{s.file, s.name, s.kind, s.loop, s.peak(), s.why} },
		func(s *slot) []any { return []any{s.file, s.name, s.kind, s.loop} },
		func(s *slot) []any { return []any{s.file, s.name, s.kind} },
	} {
		text := func(s *slot) string { return fmt.Sprintf("%q", key(s)) }
		by(text, text, false)
	}
	renamed := func(s *slot) string { return s.file + "\x00" + s.kind }
	by(renamed, renamed, true)
	// It was moved to another file as it is.
	moved := func(s *slot) string {
		if s.need == nil {
			return ""
		}
		return fmt.Sprintf("%q", []any{s.name, s.kind, s.loop, s.peak()})
	}
	by(moved, moved, true)
	// A training that got or lost its price is named in one of the reports only.
	training := func(priced bool) func(*slot) string {
		return func(s *slot) string {
			if (s.need != nil) != priced || !s.trains() {
				return ""
			}
			return s.file
		}
	}
	by(training(true), training(false), false)
	by(training(false), training(true), false)
	for _, s := range lefts {
		pairs = append(pairs, pair{before: s})
	}
	for _, s := range rights {
		pairs = append(pairs, pair{after: s})
	}
	return pairs
}

func pointers(slots []slot) []*slot {
	out := make([]*slot, len(slots))
	for i := range slots {
		out[i] = &slots[i]
	}
	return out
}

// Compare tells what changed from one report to another.
func Compare(before, after Report) *Diff {
	d := &Diff{Counts: map[Status]int{}, Changes: []jsonChange{}, Warnings: after.Warnings}
	for _, s := range statuses {
		d.Counts[s] = 0
	}
	if before.GPU != nil {
		d.GPU.Before = &before.GPU.Name
	}
	if after.GPU != nil {
		d.GPU.After = &after.GPU.Name
	}
	for _, p := range match(slotsOf(before), slotsOf(after)) {
		c := p.change()
		d.Counts[c.Status]++
		if c.Status == More && c.Growth != nil && (d.Growth == nil || *c.Growth > *d.Growth) {
			d.Growth = c.Growth
		}
		d.Changes = append(d.Changes, c)
	}
	slices.SortStableFunc(d.Changes, func(a, b jsonChange) int {
		return cmp.Or(slices.Index(statuses, a.Status)-slices.Index(statuses, b.Status), cmp.Compare(b.size(), a.size()),
			cmp.Compare(a.Filename, b.Filename), cmp.Compare(cellOf(a.Cell), cellOf(b.Cell)), cmp.Compare(a.Location.Row, b.Location.Row))
	})
	return d
}

// size is by how much a peak changes, in bytes.
func (c *jsonChange) size() int64 {
	switch {
	case c.More != nil:
		return max(*c.More, -*c.More)
	case c.After != nil:
		return c.After.Peak
	}
	return 0
}

// change tells what became of a phase.
func (p pair) change() jsonChange {
	s := cmp.Or(p.after, p.before)
	c := jsonChange{Filename: s.file, Cell: s.cell, Location: s.at, Loop: []jsonVariable{}, AtPeak: map[string]int64{}, Reasons: []jsonDifference{}}
	named := s
	if s.model == nil && p.before != nil {
		named = p.before
	}
	if named.model != nil {
		c.Kind, c.Name = &named.kind, &named.name
		c.Loop = append(c.Loop, named.model.Loop...)
	}
	c.Before, c.After = p.before.side(), p.after.side()
	switch {
	case p.before == nil:
		c.Status = New
	case p.after == nil:
		c.Status = Gone
	case c.Before == nil && c.After == nil:
		c.Status = Unknown
	case c.Before == nil:
		c.Status = Priced
	case c.After == nil:
		c.Status = Unpriced
	default:
		more := c.After.Peak - c.Before.Peak
		c.More = &more
		if c.Before.Peak > 0 {
			growth := math.Round(float64(more)/float64(c.Before.Peak)*1e4) / 1e4
			c.Growth = &growth
		}
		switch {
		case more > 0:
			c.Status = More
		case more < 0:
			c.Status = Less
		default:
			c.Status = Same
		}
	}
	if p.after != nil && p.after.need == nil && p.after.why != "" {
		c.Reasons = append(c.Reasons, jsonDifference{Kind: "unresolved", Message: p.after.why})
	}
	if c.Status == More || c.Status == Less {
		c.AtPeak = difference(p.before.need.AtPeak, p.after.need.AtPeak)
		c.Reasons = append(c.Reasons, reasons(p.before, p.after)...)
	}
	return c
}

func (s *slot) side() *jsonSide {
	if s == nil || s.need == nil {
		return nil
	}
	return &jsonSide{s.need.Peak, s.need.Low, s.need.High, s.model.Verdict}
}

// difference returns by how much each kind of memory changed.
func difference(before, after map[string]int64) map[string]int64 {
	out := map[string]int64{}
	if before == nil || after == nil {
		return out
	}
	for kind, n := range after {
		out[kind] = n
	}
	for kind, n := range before {
		out[kind] -= n
	}
	maps.DeleteFunc(out, func(_ string, n int64) bool { return n == 0 })
	return out
}

// Grew reports whether a phase needs more than it did by over so much of that, such as 0.1.
func (d *Diff) Grew(limit float64) bool {
	return slices.ContainsFunc(d.Changes, func(c jsonChange) bool { return c.grew(limit) })
}

func (c *jsonChange) grew(limit float64) bool {
	return c.Status == More && float64(*c.More) > limit*float64(c.Before.Peak)
}
