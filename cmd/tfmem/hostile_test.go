package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/net/html"
)

// hostileNames are those of testdata/hostile, some that no line of a file can hold, and what
// is in a program that has nothing against us.
func hostileNames(t *testing.T) []string {
	t.Helper()
	lines, err := os.ReadFile("../../testdata/hostile/names.txt")
	if err != nil {
		t.Fatal(err)
	}
	names := []string{strings.Repeat("x", 100_000), strings.Repeat("\x1b", 100_000), "\xff\xc3("}
	for line := range strings.Lines(string(lines)) {
		name, err := strconv.Unquote(strings.TrimSpace(line))
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		names = append(names, name)
	}
	return names
}

// programs writes a program for each name, which is as it stands in the text and, as far as a
// file can be called so, in the file's name.
func programs(t *testing.T, names []string) (folder string) {
	t.Helper()
	program, err := os.ReadFile("../../testdata/hostile/program.py")
	if err != nil {
		t.Fatal(err)
	}
	inText := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\r", `\r`, "\x00", `\0`)
	inPath := strings.NewReplacer("/", "_", "\x00", "_")
	folder = t.TempDir()
	for i, name := range names {
		text := strings.ReplaceAll(string(program), "@", `"`+inText.Replace(name)+`"`)
		path := fmt.Sprintf("%s/%02d%.200s.py", folder, i, inPath.Replace(name))
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// output is what a command line prints, to standard output and to standard error.
func output(t *testing.T, args ...string) (string, string) {
	t.Helper()
	var out, errs bytes.Buffer
	root := newRoot()
	root.SetArgs(args)
	root.SetOut(&out)
	root.SetErr(&errs)
	execute(root)
	return out.String(), errs.String()
}

// data is what is not for people, of a line of JSON.
var data = regexp.MustCompile(`^ +"(content|name|unresolved)": |^ +"[^"]*",?\n$`)

var palette = regexp.MustCompile("\x1b\\[[0-9;]*m")

// checkShown sees that a terminal acts upon nothing in a text, but for tabs in code, and that
// nothing in it is longer than people write it, but for code and data.
func checkShown(t *testing.T, what, text string, code bool) {
	t.Helper()
	const hidden = "\u200b\u2060\u00ad\ufeff\u061c\u200e\u200f\u2028\u2029\u3164"
	for line := range strings.Lines(text) {
		i := strings.IndexFunc(line, func(r rune) bool {
			return r < ' ' && r != '\n' && !(code && r == '\t') || 0x7f <= r && r < 0xa0 || 0x202a <= r && r <= 0x202e || 0x2066 <= r && r <= 0x2069 || 0xe0000 <= r || strings.ContainsRune(hidden, r)
		})
		if i >= 0 || !utf8.ValidString(line) {
			t.Errorf("%s holds %.200q", what, line[max(i-20, 0):])
		}
		if n := utf8.RuneCountInString(line); n > 10_000 && !code && !data.MatchString(line) {
			t.Errorf("%s has a line of %d characters: %.100q", what, n, line)
		}
	}
}

// Names of files and of what is in them are shown, and do nothing.
func TestHostileNames(t *testing.T) {
	t.Setenv("TFMEM_GPU", "8GiB")
	names := hostileNames(t)
	harmless := make([]string, len(names))
	for i, name := range names {
		harmless[i] = "name"
		if strings.Contains(name, ".") { // which no layer's name has: it is told of in other words
			harmless[i] = "na.me"
		}
	}
	folder, benign := programs(t, names), programs(t, harmless)
	t.Chdir(folder)
	files, err := filepath.Glob("*.py")
	if err != nil || len(files) != len(names) {
		t.Fatalf("there are %d files, want %d: %v", len(files), len(names), err)
	}
	findings := 0
	for _, args := range [][]string{
		{"check", "--isolated", "--exit-zero", "--color", "never"},
		{"check", "--isolated", "--exit-zero", "--output-format", "concise"},
		{"check", "--isolated", "--exit-zero", "--output-format", "json"},
		{"check", "--isolated", "--diff", "--unsafe-fixes", "--color", "always"},
		{"check", "--isolated", "--rewrite", "print-peak-memory", "--diff", "--color", "always", files[5] + ":13"},
		{"check", "--isolated", "missing\x1b[2J\u202e"},
		{"check", "--select", "x\x1b[2J\u202e"},
		{"estimate", "missing\x1b[2J\u202e"},
		{"gpu", "--gpu", "x\x1b[2J\u202e.json"},
		{"config", "x\x1b[2J\u202e"},
		{"x\x1b[2J\u202e"},
	} {
		out, errs := output(t, args...)
		what := fmt.Sprintf("%q", args)
		if slices.Contains(args, "always") {
			out = palette.ReplaceAllString(out, "") // of a difference
		}
		if slices.Contains(args, "json") {
			var list []map[string]any
			if err := json.Unmarshal([]byte(out), &list); err != nil {
				t.Errorf("%s prints no JSON: %v", what, err)
			}
			for _, f := range list {
				findings++
				checkShown(t, what, f["message"].(string), false)
			}
		}
		checkShown(t, what, out, slices.Contains(args, "--diff"))
		checkShown(t, what+" to standard error", errs, false)
		if out+errs == "" {
			t.Errorf("%s prints nothing", what)
		}
	}
	for _, args := range [][]string{{"--color", "never"}, {"--output-format", "json"}, {"--coverage", "-v", "--color", "never"}, {"--html", "page.html", "--color", "never"}} {
		args = slices.Concat([]string{"estimate"}, args, files)
		out, errs := output(t, args...)
		what := fmt.Sprintf("%q", args[:3])
		if args[2] == "json" {
			var report struct{ Models []map[string]any }
			if err := json.Unmarshal([]byte(out), &report); err != nil || len(report.Models) < 3*len(names) {
				t.Errorf("%s prints %d models: %v", what, len(report.Models), err)
			}
		}
		checkShown(t, what, out, slices.Contains(args, "--diff"))
		checkShown(t, what+" to standard error", errs, false)
	}
	page, err := os.ReadFile("page.html")
	if err != nil {
		t.Fatal(err)
	}
	checkShown(t, "the page", string(page), false)
	got := elements(t, page)

	t.Chdir(benign)
	files, _ = filepath.Glob("*.py")
	output(t, slices.Concat([]string{"estimate", "--html", "page.html"}, files)...)
	if page, err = os.ReadFile("page.html"); err != nil {
		t.Fatal(err)
	}
	if want := elements(t, page); len(want) < 1000 || !slices.Equal(got, want) {
		t.Errorf("the page has %d elements and attributes, not the %d of one with other names", len(got), len(want))
	}
	if findings < 3*len(names) {
		t.Errorf("there are %d findings in %d files", findings, len(names))
	}
}

// elements are those of a page, with their attributes' names.
func elements(t *testing.T, page []byte) (out []string) {
	t.Helper()
	root, err := html.Parse(bytes.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	for n := range root.Descendants() {
		switch n.Type {
		case html.ElementNode:
			out = append(out, n.Data)
			for _, a := range n.Attr {
				out = append(out, n.Data+" "+a.Key)
			}
		case html.CommentNode:
			out = append(out, "a comment")
		}
	}
	return out
}
