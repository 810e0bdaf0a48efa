// Package suggest finds the known word that an unknown one was probably meant to be.
package suggest

import (
	"strings"

	"github.com/agnivade/levenshtein"
)

// Nearest returns the candidate that differs from word in the fewest letters, ignoring case, or ""
// if none is near.
func Nearest(word string, candidates []string) string {
	best, least := "", len(word)/2+1
	for _, c := range candidates {
		if d := levenshtein.ComputeDistance(strings.ToLower(word), strings.ToLower(c)); d < least {
			best, least = c, d
		}
	}
	return best
}

// DidYouMean returns a suggestion to append to an error, or "".
func DidYouMean(word string, candidates []string) string {
	if n := Nearest(word, candidates); n != "" {
		return "; did you mean " + n + "?"
	}
	return ""
}
