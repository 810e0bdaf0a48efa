// Package suggest finds the known word that an unknown one was probably meant to be.
package suggest

import (
	"strings"

	"github.com/agnivade/levenshtein"
)

// Nearest is the candidate with the fewest changed letters from word, in any
// letter case, or empty where none is near.
func Nearest(word string, candidates []string) string {
	best, least := "", len(word)/2+1
	for _, c := range candidates {
		if d := levenshtein.ComputeDistance(strings.ToLower(word), strings.ToLower(c)); d < least {
			best, least = c, d
		}
	}
	return best
}

// DidYouMean is an advice to put behind an error, or empty.
func DidYouMean(word string, candidates []string) string {
	if n := Nearest(word, candidates); n != "" {
		return "; did you mean " + n + "?"
	}
	return ""
}
