package modelreport

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/value"
	"github.com/tfmem/tfmem/cmd/tfmem/internal/report"
	"github.com/tfmem/tfmem/rules/estimate"
	"github.com/tfmem/tfmem/rules/rule"
)

// Coverage counts the trainings of many files: how many are priced, and why the others are not. A
// training of a module counts once: as priced if that of a program which imports it is.
type Coverage struct {
	Files       int
	Fits, Steps Share

	units map[unit]found
	codes map[value.Code]*tally
	seen  map[place]bool
}

// A Share is how many trainings of a kind there are, and how many are priced: Wide of them in a
// range that leaves open how much they need.
type Share struct{ Found, Priced, Wide int }

// A tally counts the causes of one code.
type tally struct {
	fits, steps int // that it keeps from being priced
	places      int
	words       map[string]int // of the first cause of each chain, by places
}

// A place is that of a cause. What lacks one thing in many trainings is counted there once.
type place struct {
	path string
	span source.Span
	code value.Code
}

// A unit is where a file has one training or several: a call of fit, or a function with tapes.
type unit struct {
	path  string
	start int
}

func (u unit) compare(other unit) int {
	return cmp.Or(cmp.Compare(u.path, other.path), cmp.Compare(u.start, other.start))
}

// A found is what one program tells of the trainings of a unit.
type found struct {
	all      []training
	priced   int
	imported bool
}

// A training is an [estimate.Training] without the program.
type training struct {
	step, wide, byFit bool
	why               *cause // nil if it is priced
}

type cause struct {
	place
	words    string
	at       jsonTraining // what is not priced, and why
	remedies []jsonRemedy
	// lines say for people what is not priced and what to write, and are none where nothing helps.
	lines string
}

// better reports whether f tells more than other does: a program knows the arguments that its
// modules do not.
func (f found) better(other found) bool {
	return f.priced > other.priced || f.priced == other.priced && f.imported && !other.imported
}

// Add adds the trainings of a file, and those that it reaches in its modules.
func (c *Coverage) Add(trainings []estimate.Training) {
	c.Files++
	if c.units == nil {
		c.units = map[unit]found{}
	}
	told := map[unit]found{}
	for _, t := range trainings {
		at := unit{absolute(t.Source.Path), t.Unit.Start()}
		of := told[at]
		brief := training{step: t.Step, wide: t.Wide, byFit: t.ByFit}
		if t.Why == nil {
			of.priced++
		} else {
			why := &cause{
				place: place{absolute(t.Why.Source.Path), t.Why.Span, t.Why.Code}, words: t.Why.Core().String(),
				at: jsonTraining{Reason: jsonReasonOf(*t.Why)}, remedies: jsonRemediesOf(t.Why.Remedies()),
			}
			if said := remediesOf(*t.Why); said != "" {
				where := report.Where(t.Source, rule.Callee(t.Node), report.Palette{})
				why.lines = source.Printable(fmt.Sprintf("%s: %s is not priced: %s.", where, t.What(), unresolved(*t.Why))) + "\n" + said
			}
			why.at.Filename, why.at.Cell, why.at.Location = jsonPlace(t.Source, rule.Callee(t.Node))
			brief.why = why
		}
		of.all, of.imported = append(of.all, brief), t.Imported
		told[at] = of
	}
	for at, of := range told {
		if best, ok := c.units[at]; !ok || of.better(best) {
			c.units[at] = of
		}
	}
}

// absolute makes the paths of one file equal, however it was named.
func absolute(path string) string {
	if full, err := filepath.Abs(path); err == nil {
		return full
	}
	return path
}

// sum counts what was added.
func (c *Coverage) sum() {
	c.Fits, c.Steps, c.codes, c.seen = Share{}, Share{}, map[value.Code]*tally{}, map[place]bool{}
	for _, at := range slices.SortedFunc(maps.Keys(c.units), unit.compare) {
		for _, t := range c.units[at].all {
			c.count(t)
		}
	}
}

// unpriced returns the causes of the trainings that are not priced, in the order of their files.
func (c *Coverage) unpriced() (all []*cause) {
	for _, at := range slices.SortedFunc(maps.Keys(c.units), unit.compare) {
		for _, t := range c.units[at].all {
			if t.why != nil && !t.byFit {
				all = append(all, t.why)
			}
		}
	}
	return all
}

func (c *Coverage) count(t training) {
	if t.byFit {
		return // that call is counted
	}
	of := &c.Fits
	if t.step {
		of = &c.Steps
	}
	of.Found++
	if t.why == nil {
		of.Priced++
		if t.wide {
			of.Wide++
		}
		return
	}
	because := c.codes[t.why.code]
	if because == nil {
		because = &tally{words: map[string]int{}}
		c.codes[t.why.code] = because
	}
	if t.step {
		because.steps++
	} else {
		because.fits++
	}
	if !c.seen[t.why.place] {
		c.seen[t.why.place] = true
		because.places++
		because.words[t.why.words]++
	}
}

// ordered returns the codes, those that stop most first.
func (c *Coverage) ordered() []value.Code {
	codes := slices.Collect(maps.Keys(c.codes))
	slices.SortFunc(codes, func(a, b value.Code) int {
		x, y := c.codes[a], c.codes[b]
		return cmp.Or(y.fits+y.steps-x.fits-x.steps, y.places-x.places, int(a)-int(b))
	})
	return codes
}

// mostWords is how many of a code's causes are listed, where they are.
const mostWords = 10

// often returns the most frequent words of a tally.
func (t *tally) often() []string {
	words := slices.Collect(maps.Keys(t.words))
	slices.SortFunc(words, func(a, b string) int { return cmp.Or(t.words[b]-t.words[a], strings.Compare(a, b)) })
	return words[:min(len(words), mostWords)]
}

// Text prints the counts for people. If verbose is set, the most frequent causes of each code
// follow it.
func (c *Coverage) Text(w io.Writer, verbose bool) error {
	c.sum()
	var b strings.Builder
	if len(c.codes) > 0 {
		fmt.Fprintf(&b, "%6s  %6s  %6s  %-21s %s\n", "fits", "steps", "places", "code", "what is not known")
	}
	for _, code := range c.ordered() {
		t := c.codes[code]
		fmt.Fprintf(&b, "%6d  %6d  %6d  %-21s %s\n", t.fits, t.steps, t.places, code, code.Meaning())
		if !verbose {
			continue
		}
		for _, words := range t.often() {
			fmt.Fprintf(&b, "%22d    %s\n", t.words[words], source.Printable(words))
		}
	}
	fmt.Fprintf(&b, "%d files\n%s\n%s\n", c.Files, c.Fits.words("calls of fit"), c.Steps.words("training steps with a gradient tape"))
	_, err := io.WriteString(w, b.String())
	return err
}

// Trainings says how many trainings there are, and how many are priced.
func (c *Coverage) Trainings() (found, priced int) {
	c.sum()
	return c.Fits.Found + c.Steps.Found, c.Fits.Priced + c.Steps.Priced
}

// words say what is priced of so many.
func (s Share) words(what string) string {
	said := fmt.Sprintf("%d %s", s.Found, what)
	if s.Found > 0 {
		said += fmt.Sprintf(": %d priced (%d %%)", s.Priced, 100*s.Priced/s.Found)
	}
	if s.Wide > 0 {
		said += fmt.Sprintf(", %d of them in a range wider than a factor of three", s.Wide)
	}
	return said
}

// These types are the contract of the JSON format.
type (
	jsonCoverage struct {
		Files  int         `json:"files"`
		Fits   jsonShare   `json:"fits"`
		Steps  jsonShare   `json:"steps"`
		Causes []jsonCause `json:"causes"`
	}
	jsonShare struct {
		Found  int `json:"found"`
		Priced int `json:"priced"`
		Wide   int `json:"priced_in_wide_range"`
	}
	jsonCause struct {
		Code    string      `json:"code"`
		Meaning string      `json:"meaning"`
		Fits    int         `json:"fits"`
		Steps   int         `json:"steps"`
		Places  int         `json:"places"`
		Often   []jsonWords `json:"most_frequent"`
	}
	jsonWords struct {
		Message string `json:"message"`
		Places  int    `json:"places"`
	}
)

// JSON prints the counts as one object.
func (c *Coverage) JSON(w io.Writer) error {
	c.sum()
	out := jsonCoverage{c.Files, jsonShare(c.Fits), jsonShare(c.Steps), []jsonCause{}}
	for _, code := range c.ordered() {
		t := c.codes[code]
		cause := jsonCause{Code: code.String(), Meaning: code.Meaning(), Fits: t.fits, Steps: t.steps, Places: t.places}
		for _, words := range t.often() {
			cause.Often = append(cause.Often, jsonWords{words, t.words[words]})
		}
		out.Causes = append(out.Causes, cause)
	}
	return report.WriteJSON(w, out)
}
