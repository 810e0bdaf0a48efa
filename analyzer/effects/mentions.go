package effects

import (
	"regexp"
	"strconv"
	"strings"
)

// mention is TensorFlow's name with a version beside it, as commands, lists of packages and prose
// write it: tensorflow-gpu==1.15, %tensorflow_version 1.x, **TensorFlow** 1.13, TensorFlow >= 2.0.
var mention = regexp.MustCompile("(?i)\\btensorflow(?:[-_ ](?:gpu|cpu))?(?:[_ ]version)?(?:\\]\\([^()\\s]*\\))?[`*_'\"\\]]{0,3}[ \t]*(?:[=~>]=|[=:(-])? ?[`*'\"]{0,3}v?([12])\\.(\\d{1,2}|x)\\b")

// MentionedVersion returns the oldest version of TensorFlow that a text for people or for a shell
// names, and the line, from 1, on which it does. A line that denies something names none, and
// neither does 2.x, which is any that is in use.
func MentionedVersion(text string) (oldest Version, line int) {
	if !strings.Contains(strings.ToLower(text), "tensorflow") {
		return Version{}, 0
	}
	number := 0
	for l := range strings.Lines(text) {
		number++
		if denies(l) {
			continue
		}
		for _, found := range mention.FindAllStringSubmatch(l, -1) {
			v := Version{}
			v.Major, _ = strconv.Atoi(found[1])
			if strings.EqualFold(found[2], "x") {
				if v.Major != 1 {
					continue
				}
			} else {
				v.Minor, _ = strconv.Atoi(found[2])
			}
			if line == 0 || v.Before(oldest) {
				oldest, line = v, number
			}
		}
	}
	return oldest, line
}

// denies reports whether a line of prose says what is not so.
func denies(line string) bool {
	line = strings.ToLower(line)
	return strings.Contains(line, " not ") || strings.Contains(line, "n't") || strings.Contains(line, " no longer ")
}
