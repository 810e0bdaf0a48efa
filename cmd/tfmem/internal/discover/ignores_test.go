package discover

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// ignoring is a folder with the patterns and nothing above it.
func ignoring(patterns string) *ignores { return &ignores{folder: "/", patterns: parse(patterns)} }

func TestHides(t *testing.T) {
	for _, c := range []struct {
		patterns, path string
		folder         bool
		want           bool
	}{
		{"*.pyc", "a/b.pyc", false, true},
		{"*.py[cod]", "b.pyo", false, true},
		{"/a.py", "b/a.py", false, false},
		{"/a.py", "a.py", false, true},
		{"docs/_build/", "docs/_build", true, true},
		{"docs/_build/", "docs/_build", false, false},
		{"data", "x/data", true, true},
		{"*.py\n!keep.py", "keep.py", false, false},
		{"!keep.py\n*.py", "keep.py", false, true},
		{"data/*\n!scripts/", "data/scripts/a.py", false, false},
		{"# a.py", "a.py", false, false},
		{`\#a.py`, "#a.py", false, true},
		{`\!a.py`, "!a.py", false, true},
		{"\ufeffa.py  \r", "a.py", false, true},
		{`a\ `, "a ", false, true},
		{"**/logs", "logs", true, true},
		{"**/logs/x", "a/b/logs/x", false, true},
		{"**/logs/x", "xlogs/x", false, false},
		{"a/**/b", "a/b", false, true},
		{"a/**/b", "a/x/y/b", false, true},
		{"a/**", "a", true, false},
		{"a/**\n!a/keep.py", "a/keep.py", false, false},
		{"a/**", "a/x", true, true},
		{"a/**/", "a", true, false},
		{"a/**/", "a/x", true, true},
		{"/**", "a.py", false, true},
		{"[", "[", false, false},
		{"é*", "éa", false, true},
	} {
		if got := ignoring(c.patterns).hides("/"+c.path, c.folder); got != c.want {
			t.Errorf("%q hides %q: %t, want %t", c.patterns, c.path, got, c.want)
		}
	}
}

// No pattern may hold up a walk.
func TestHostilePattern(t *testing.T) {
	i := ignoring(strings.Repeat("*a", 500) + "b")
	start := time.Now()
	if i.hides("/"+strings.Repeat("a", 4000), false) {
		t.Error("a pattern that ends in b matches a name that does not")
	}
	if d := time.Since(start); d > time.Minute {
		t.Errorf("a hostile pattern took %v", d)
	}
}

// TestAgainstGit compares random patterns and paths with what git says of them.
// Where a "!" takes a folder back in, go-git takes all in it back in, and git
// does not: there nothing that git keeps may be hidden. Left out beside what
// leftOut says are "[!a]" and "[[:alpha:]]", which go-git does not know.
func TestAgainstGit(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed, so there is nothing to compare with")
	}
	folder := t.TempDir()
	git := func(input string, args ...string) string {
		cmd := exec.Command("git", args...)
		cmd.Dir = folder
		cmd.Stdin = strings.NewReader(input)
		var out, errs bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &errs
		if err := cmd.Run(); err != nil {
			var exit *exec.ExitError
			if !errors.As(err, &exit) || exit.ExitCode() != 1 {
				t.Fatalf("git %v: %v\n%s", args, err, errs.String())
			}
		}
		return out.String()
	}
	git("", "init", "-q")

	random := rand.New(rand.NewPCG(1, 2))
	pick := func(from []string, most int) string {
		var b strings.Builder
		for range 1 + random.IntN(most) {
			b.WriteString(from[random.IntN(len(from))])
		}
		return b.String()
	}
	letters := []string{"a", "b", "ab", ".py"}
	bits := []string{"a", "b", "ab", ".py", "*", "**", "?", "/", "/**", "**/", "[ab]", "[a-b]", `\a`, "!", " "}
	const rounds, lines = 500, 3
	for range rounds {
		var patterns []string
		for range lines {
			p := pick(bits, 4)
			for leftOut.MatchString(p) {
				p = pick(bits, 4)
			}
			patterns = append(patterns, p)
		}
		text := strings.Join(patterns, "\n") + "\n"
		if err := os.WriteFile(filepath.Join(folder, ".gitignore"), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		var input strings.Builder
		var paths []string
		for range 20 {
			var names []string
			for range 1 + random.IntN(4) {
				names = append(names, pick(letters, 2))
			}
			path := strings.Join(names, "/")
			paths = append(paths, path)
			fmt.Fprintf(&input, "%s\x00", path)
		}
		said := map[string]string{}
		fields := strings.Split(git(input.String(), "check-ignore", "-z", "-v", "-n", "--no-index", "--stdin"), "\x00")
		for i := 0; i+3 < len(fields); i += 4 {
			said[fields[i+3]] = fields[i+2]
		}
		i := ignoring(text)
		for _, path := range paths {
			want := said[path] != "" && !strings.HasPrefix(said[path], "!")
			got := walkHides(i, path)
			if want && !got && strings.Contains("\n"+text, "\n!") {
				continue
			}
			if got != want {
				t.Errorf("patterns %q: path %q ignored is %t, but git decides by %q", patterns, path, got, said[path])
			}
		}
	}
}

// leftOut are the patterns that go-git reads in another way than git, none of
// which people write.
var leftOut = regexp.MustCompile(strings.Join([]string{
	// Beside a slash, stars that share a name with something else match nothing.
	// (Before 2.41 git itself decides by chance there.)
	`/.*[^/!]\*\*`, `/.*\*\*[^/ ]`, `[^/!]\*\*.*/`, `\*\*[^/ ].*/`,
	// Of the names behind "**/" the first is tried in one place only.
	`\*\*/[^/]+/[^/]`,
	// An empty name matches any one folder.
	`//`,
}, "|"))

// walkHides asks for every folder on the way, as a walk does.
func walkHides(i *ignores, path string) bool {
	for at := range path {
		if path[at] == '/' && i.hides("/"+path[:at], true) {
			return true
		}
	}
	return i.hides("/"+path, false)
}
