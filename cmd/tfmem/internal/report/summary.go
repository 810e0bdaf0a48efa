package report

import (
	"fmt"
	"strings"

	"github.com/tfmem/tfmem/rules/rule"
)

// A Summary counts the outcome of a run.
type Summary struct {
	Severities [rule.Error + 1]int // findings that remain
	Safe       int                 // of these, how many --fix would fix
	Unsafe     int                 // and how many more --unsafe-fixes would
	Mended     int                 // fixed findings
	Failed     int                 // files that could not be checked or written
	Analysed   int                 // files
	Unrelated  int                 // files that have nothing to do with TensorFlow, and were not analysed

	Known int // findings that the baseline knows, and that are not counted
	Gone  int // findings that it knows and that are not there any more

	Trainings Trainings

	// AllowUnsafe is set if unsafe fixes were asked for already.
	AllowUnsafe bool
}

// Add counts a finding that remains.
func (s *Summary) Add(f rule.Finding) {
	s.Severities[f.Severity]++
	if fix := best(f); fix != nil {
		switch fix.Applicability {
		case rule.Safe:
			s.Safe++
		case rule.Unsafe:
			s.Unsafe++
		}
	}
}

// Found returns the number of findings that remain.
func (s *Summary) Found() int {
	n := 0
	for _, c := range s.Severities {
		n += c
	}
	return n
}

// Lines returns the summary in words, below a report.
func (s *Summary) Lines() string {
	var b strings.Builder
	found := s.Found()
	switch {
	case found == 0 && s.Mended == 0 && s.Analysed == 0:
		b.WriteString("Nothing was checked" + s.unrelated() + ".\n")
	case found == 0 && s.Mended == 0 && s.Failed > 0:
		b.WriteString("No findings in what could be checked.\n")
	case found == 0 && s.Mended == 0:
		b.WriteString("All checks passed!\n")
		if s.Unrelated > 0 {
			fmt.Fprintf(&b, "Not checked because they have nothing to do with TensorFlow: %s.\n", Count(s.Unrelated, "file"))
		}
	case found == 0:
		fmt.Fprintf(&b, "Found %s, all fixed.\n", Count(s.Mended, "finding"))
	case s.Mended > 0:
		fmt.Fprintf(&b, "Found %s, fixed %d; left: %s.\n", Count(s.Mended+found, "finding"), s.Mended, s.bySeverity())
	default:
		fmt.Fprintf(&b, "Found %s: %s.\n", Count(found, "finding"), s.bySeverity())
	}
	if s.Known > 0 {
		fmt.Fprintf(&b, "Not shown because the baseline knows them: %s.\n", Count(s.Known, "finding"))
	}
	if s.Gone > 0 {
		fmt.Fprintf(&b, "Gone since the baseline was written: %s; --write-baseline forgets them.\n", Count(s.Gone, "finding"))
	}
	switch {
	case s.AllowUnsafe && s.Safe+s.Unsafe > 0:
		fmt.Fprintf(&b, "%d fixable with --fix --unsafe-fixes.\n", s.Safe+s.Unsafe)
	case s.Safe > 0 && s.Unsafe > 0:
		fmt.Fprintf(&b, "%d fixable with --fix, %d more with --fix --unsafe-fixes.\n", s.Safe, s.Unsafe)
	case s.Safe > 0:
		fmt.Fprintf(&b, "%d fixable with --fix.\n", s.Safe)
	case s.Unsafe > 0:
		fmt.Fprintf(&b, "%d fixable with --fix --unsafe-fixes.\n", s.Unsafe)
	}
	return b.String() + s.notes()
}

// notes says what is not known of the trainings.
func (s *Summary) notes() string {
	var b strings.Builder
	for _, note := range s.Trainings.Notes() {
		b.WriteString(note.Text + "\n")
	}
	return b.String()
}

// unrelated says why none of the files was analysed, if they are readable.
func (s *Summary) unrelated() string {
	switch s.Unrelated {
	case 0:
		return ""
	case 1:
		return ": the file has nothing to do with TensorFlow"
	}
	return fmt.Sprintf(": none of %d files has anything to do with TensorFlow", s.Unrelated)
}

// Fixes returns the summary of a run that only fixes.
func (s *Summary) Fixes() string {
	if s.Mended == 0 {
		return "No fixes to make.\n" + s.notes()
	}
	return "Fixed " + Count(s.Mended, "finding") + ".\n" + s.notes()
}

// Preview returns the summary of a difference that was printed and not applied.
func (s *Summary) Preview() string {
	text := "No fixes to make"
	if s.Mended > 0 {
		text = "Would fix " + Count(s.Mended, "finding")
	}
	if s.Unsafe > 0 && !s.AllowUnsafe {
		text += fmt.Sprintf(" (%d more with --unsafe-fixes)", s.Unsafe)
	}
	return text + ".\n"
}

// bySeverity lists the counts, the most severe first.
func (s *Summary) bySeverity() string {
	var parts []string
	for i := rule.Error; ; i-- {
		if n := s.Severities[i]; n > 0 {
			if i == rule.Information { // which has no plural
				parts = append(parts, fmt.Sprint(n, " information"))
			} else {
				parts = append(parts, Count(n, i.String()))
			}
		}
		if i == rule.Hint {
			return strings.Join(parts, ", ")
		}
	}
}

// Count returns a number of things: "1 file", "2 files".
func Count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
