package modelreport

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/value"
	"github.com/tfmem/tfmem/cmd/tfmem/internal/report"
	"github.com/tfmem/tfmem/rules/estimate"
)

// Statistics count why models are not priced, over many files.
type Statistics struct {
	Files, Models, Priced, Lost int // Lost are calls that train or compile what is not known

	codes map[value.Code]*tally
	seen  map[place]bool
}

// A tally counts the causes of one code.
type tally struct {
	places int
	stops  int            // models and calls that it keeps from being priced
	words  map[string]int // of the first cause of each chain, by places
}

// A place is that of a cause. What lacks one thing in many models is counted there once.
type place struct {
	path string
	span source.Span
	code value.Code
}

// Add counts the models of a file, and its calls on models that are not known.
func (s *Statistics) Add(models []estimate.Model, lost []estimate.Reason) {
	s.Files++
	for _, m := range estimate.Distinct(models) {
		if m.Part {
			continue
		}
		s.Models++
		if len(m.Reasons) == 0 {
			s.Priced++
		}
		of := map[value.Code]bool{}
		for _, r := range m.Reasons {
			s.count(r, !of[r.Code])
			of[r.Code] = true
		}
	}
	for _, r := range lost {
		s.Lost++
		s.count(r, true)
	}
}

func (s *Statistics) count(r estimate.Reason, another bool) {
	if s.codes == nil {
		s.codes, s.seen = map[value.Code]*tally{}, map[place]bool{}
	}
	t := s.codes[r.Code]
	if t == nil {
		t = &tally{words: map[string]int{}}
		s.codes[r.Code] = t
	}
	if another {
		t.stops++
	}
	if at := (place{r.Source.Path, r.Span, r.Code}); !s.seen[at] {
		s.seen[at] = true
		t.places++
		t.words[r.Root().String()]++
	}
}

// ordered returns the codes, those that stop most first.
func (s *Statistics) ordered() []value.Code {
	codes := slices.Collect(maps.Keys(s.codes))
	slices.SortFunc(codes, func(a, b value.Code) int {
		x, y := s.codes[a], s.codes[b]
		return cmp.Or(y.stops-x.stops, y.places-x.places, int(a)-int(b))
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
func (s *Statistics) Text(w io.Writer, verbose bool) error {
	var b strings.Builder
	if len(s.codes) > 0 {
		fmt.Fprintf(&b, "%6s  %6s  %-21s %s\n", "stops", "places", "code", "what is not known")
	}
	for _, code := range s.ordered() {
		t := s.codes[code]
		fmt.Fprintf(&b, "%6d  %6d  %-21s %s\n", t.stops, t.places, code, code.Meaning())
		if !verbose {
			continue
		}
		for _, words := range t.often() {
			fmt.Fprintf(&b, "%14d    %s\n", t.words[words], source.Printable(words))
		}
	}
	fmt.Fprintf(&b, "%d files: %d models, of which %d are priced; %d calls on models that are not known.\n", s.Files, s.Models, s.Priced, s.Lost)
	_, err := io.WriteString(w, b.String())
	return err
}

// These types are the contract of the JSON format.
type (
	jsonStatistics struct {
		Files  int         `json:"files"`
		Models int         `json:"models"`
		Priced int         `json:"priced"`
		Lost   int         `json:"calls_on_unknown_models"`
		Causes []jsonCause `json:"causes"`
	}
	jsonCause struct {
		Code    string      `json:"code"`
		Meaning string      `json:"meaning"`
		Stops   int         `json:"stops"`
		Places  int         `json:"places"`
		Often   []jsonWords `json:"most_frequent"`
	}
	jsonWords struct {
		Message string `json:"message"`
		Places  int    `json:"places"`
	}
)

// JSON prints the counts as one object.
func (s *Statistics) JSON(w io.Writer) error {
	out := jsonStatistics{s.Files, s.Models, s.Priced, s.Lost, []jsonCause{}}
	for _, code := range s.ordered() {
		t := s.codes[code]
		c := jsonCause{Code: code.String(), Meaning: code.Meaning(), Stops: t.stops, Places: t.places}
		for _, words := range t.often() {
			c.Often = append(c.Often, jsonWords{words, t.words[words]})
		}
		out.Causes = append(out.Causes, c)
	}
	return report.WriteJSON(w, out)
}
