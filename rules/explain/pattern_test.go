package explain

import (
	"fmt"
	"regexp/syntax"
	"strings"
	"testing"
)

// TestPatterns compares each pattern with its regular expression alone, on each line of the threads.
func TestPatterns(t *testing.T) {
	all := []pattern{
		oom, ranOut, allocator, byOp, sizedOut, unsizedOut, scratch, ofSpace, noRoom, stat, inChunks, regions, used,
		harmless, created, totals, node, detected, opName, frame, script, sized, listed, physical, ofDevice, componentOf, pagingFile,
	}
	for _, p := range phrases {
		all = append(all, p.pattern)
	}
	for _, p := range all {
		if p.compiled(""); len(p.needs) == 0 {
			t.Errorf("%s: no literal is known, so it is tried on each line", p.expr)
		}
	}
	seen := map[string]bool{}
	for name, log := range threads(t) {
		for _, line := range strings.Split(log, "\n") {
			if seen[line] {
				continue
			}
			seen[line] = true
			for _, p := range all {
				if p.MatchString(line) != p.re.MatchString(line) {
					t.Errorf("%s: %s needs %v, but matches %s", name, p.expr, p.needs, line)
				}
			}
		}
	}
}

func TestNeeded(t *testing.T) {
	for expr, want := range map[string]string{
		`a\d+longer(x|y)?`: "[{longer false}]", `(abc|de)\s+f`: "[{abc false} {de false}]", `(?i:abc)x`: "[{ABC true}]",
		`(abc)+`: "[{abc false}]", `(abc)*`: "[]", `abc|\d`: "[]", `a{0,2}`: "[]", ``: "[]", `(abc|)de`: "[{de false}]",
	} {
		parsed, err := syntax.Parse(expr, syntax.Perl)
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(needed(parsed)); got != want {
			t.Errorf("%s needs %s, want %s", expr, got, want)
		}
	}
}

func TestNodeIn(t *testing.T) {
	for line, want := range map[string]string{
		"Caused by op unet_1/conv2d/Conv2D, defined at:": "unet_1/conv2d/Conv2D", "Caused by op u'unet_1/Conv2D', defined at:": "unet_1/Conv2D",
		"Caused by op 'fc1/add', defined at:": "fc1/add", "Detected at node u_net/add defined at (most recent call last):": "u_net/add",
	} {
		if got := nodeIn(line); got != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
}
