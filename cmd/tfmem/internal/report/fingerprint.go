package report

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"

	"github.com/tfmem/tfmem/rules/rule"
)

// A Fingerprinter tells findings apart by what stands where they were found, and not by the number
// of the line, so that a finding keeps its fingerprint when code moves. It must see all findings of
// a run in order: of several that are alike each has a fingerprint of its own.
type Fingerprinter map[string]int

// Of returns the fingerprint of a finding in a file that is known by a path.
func (p Fingerprinter) Of(path string, e Entry, f rule.Finding) string {
	return p.of(path, f.Rule.Code, f.Line(e.Source))
}

// of returns the fingerprint of what these texts tell apart from others.
func (p Fingerprinter) of(texts ...string) string {
	alike := strings.Join(texts, "\x00")
	p[alike]++
	sum := sha256.Sum256([]byte(alike + "\x00" + strconv.Itoa(p[alike])))
	return hex.EncodeToString(sum[:16])
}
