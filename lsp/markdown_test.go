package lsp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer/html"
	htmltree "golang.org/x/net/html"

	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/rules/settings"
)

// hostileNames returns names with a meaning in Markdown, in HTML or in a terminal.
func hostileNames(t *testing.T) []string {
	t.Helper()
	lines, err := os.ReadFile("../testdata/hostile/names.txt")
	if err != nil {
		t.Fatal(err)
	}
	names := []string{strings.Repeat("x", 100_000), strings.Repeat("[", 100_000)}
	for line := range strings.Lines(string(lines)) {
		name, err := strconv.Unquote(strings.TrimSpace(line))
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		names = append(names, name)
	}
	return names
}

// rendered returns what a client shows for Markdown, with all extensions of CommonMark that
// clients have: the elements, and the visible text.
func rendered(t *testing.T, markdown string) (elements []string, text string) {
	t.Helper()
	var page bytes.Buffer
	client := goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithRendererOptions(html.WithUnsafe()))
	if err := client.Convert([]byte(markdown), &page); err != nil {
		t.Fatal(err)
	}
	root, err := htmltree.Parse(&page)
	if err != nil {
		t.Fatal(err)
	}
	var seen strings.Builder
	for n := range root.Descendants() {
		switch n.Type {
		case htmltree.TextNode:
			seen.WriteString(n.Data)
		case htmltree.ElementNode:
			elements = append(elements, n.Data)
		default:
			elements = append(elements, fmt.Sprint("node of type ", n.Type))
		}
	}
	return elements, strings.TrimSpace(seen.String())
}

// Every name is shown literally, as source.Printable returns it.
func TestMarkdownShowsNames(t *testing.T) {
	for _, name := range hostileNames(t) {
		name = "x" + name // spaces at its ends are invisible
		for _, format := range []markdown{"%s", "**%s** (class)", "**Unknown**: %s.", "- [ours](http://ours): %s", "see `ours` %s"} {
			for _, name := range []string{name, name[1:], name + "x"} {
				if shown := source.Printable(name); shown != strings.TrimSpace(shown) || strings.Contains(shown, "  ") {
					continue
				}
				want, _ := rendered(t, fmt.Sprintf(string(format), "name"))
				got, text := rendered(t, string(markdownf(string(format), name)))
				_, around := rendered(t, fmt.Sprintf(string(format), "\u2400"))
				if seen := strings.ReplaceAll(around, "\u2400", source.Printable(name)); !slices.Equal(got, want) || text != seen {
					t.Errorf("%.60q in %q is %v, want %v, and reads\n%.200q, want\n%.200q", name, format, got, want, text, seen)
				}
				if plain := markdownf(string(format), name).plain(); format == "**Unknown**: %s." && plain != "Unknown: "+source.Printable(name)+"." {
					t.Errorf("%.60q without marks is %.200q", name, plain)
				}
			}
		}
		const table = "| ours | |\n|---|---:|\n| %s | %s |\n| kept | 1 |\n"
		want, _ := rendered(t, fmt.Sprintf(table, "name", "2"))
		if got, _ := rendered(t, string(markdownf(table, name, "2"))); !slices.Equal(got, want) {
			t.Errorf("%.60q in a table is %v, want %v", name, got, want)
		}
		if plain, want := markdownf(table, name, "2").plain(), "ours\n"+strings.TrimSpace(source.Printable(name))+": 2\nkept: 1\n"; plain != want {
			t.Errorf("%.60q in a table without marks is %.200q, want %.200q", name, plain, want)
		}
	}
}

// texts returns the strings of a message, in the order of their keys.
func texts(value any, out []string) []string {
	switch v := value.(type) {
	case string:
		out = append(out, v)
	case []any:
		for _, e := range v {
			out = texts(e, out)
		}
	case map[string]any:
		if v["kind"] == "markdown" {
			return append(out, "markdown:"+v["value"].(string))
		}
		keys := make([]string, 0, len(v))
		for k := range v {
			keys = append(keys, k)
		}
		slices.Sort(keys)
		for _, k := range keys {
			if k != "newText" && k != "data" && k != "uri" { // these are not for people
				out = texts(v[k], out)
			}
		}
	}
	return out
}

// TestHostileNames requests everything that the server says about programs with such names. The
// answers must equal those for a plain name, except for the name.
func TestHostileNames(t *testing.T) {
	program, err := os.ReadFile("../testdata/hostile/program.py")
	if err != nil {
		t.Fatal(err)
	}
	w := dial(t)
	w.call("initialize", message{"processId": nil, "capabilities": message{
		"general": message{"positionEncodings": []string{"utf-8"}},
		"textDocument": message{"hover": message{"contentFormat": []string{"markdown"}}, "inlayHint": message{}, "codeLens": message{},
			"codeAction":         message{"codeActionLiteralSupport": message{"codeActionKind": message{"valueSet": []string{"quickfix"}}}},
			"publishDiagnostics": message{"relatedInformation": true}},
	}})
	w.notify("initialized", message{})
	inText := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\r", `\r`, "\x00", `\0`)
	tell := func(i int, name string) (out [][]string) {
		uri := fmt.Sprintf("file:///p/%d.py", i)
		lines := strings.SplitAfter(strings.ReplaceAll(string(program), "@", `"`+inText.Replace(name)+`"`), "\n")
		w.open(uri, 1, strings.Join(lines, ""))
		defer w.notify("textDocument/didClose", message{"textDocument": message{"uri": uri}})
		in := func(params message) message {
			params["textDocument"] = message{"uri": uri}
			return params
		}
		for _, line := range []int{5, 7, 9, 10, 12, 17, 20} {
			column := strings.Index(lines[line], "(") // after a name
			if line == 10 {
				column = 1
			}
			out = append(out, texts(w.call("textDocument/hover", in(message{"position": message{"line": line, "character": column - 1}}))["result"], nil))
		}
		whole := at(0, 0, len(lines), 0)
		out = append(out, texts(w.call("textDocument/inlayHint", in(message{"range": whole}))["result"], nil))
		out = append(out, texts(w.call("textDocument/codeLens", in(message{}))["result"], nil))
		out = append(out, texts(w.call("textDocument/codeAction", in(message{"range": whole, "context": message{"diagnostics": []any{}, "triggerKind": 1}}))["result"], nil))
		return append(out, texts(map[string]any(w.diagnostics(uri)), nil))
	}
	plain, dotted := tell(0, "name"), tell(1, "na.me") // no layer's name has a dot: it is told of in other words
	for _, at := range []int{0, 1, 4, 7, 8, 9, 10} {
		if len(plain[at]) == 0 || len(dotted[at]) == 0 {
			t.Errorf("answer %d tells nothing", at)
		}
	}
	for i, name := range hostileNames(t) {
		want := plain
		if strings.Contains(name, ".") {
			want = dotted
		}
		for j, got := range tell(i+2, name) {
			// Fixes that would move a "#" are not offered.
			if len(got) != len(want[j]) && !(j == 9 && strings.Contains(name, "#")) {
				t.Errorf("%.60q: answer %d is %.2000q, want %.2000q", name, j, got, want[j])
				continue
			}
			for k, text := range got {
				if i := strings.IndexFunc(text, func(r rune) bool { return r != '\n' && r != '\u200d' && source.Printable(string(r)) != string(r) }); i >= 0 || utf8.RuneCountInString(text) > 10_000 {
					t.Errorf("%.60q: answer %d holds %.2000q", name, j, text)
				}
				got, ok := strings.CutPrefix(text, "markdown:")
				if !ok {
					continue
				}
				elements, _ := rendered(t, got)
				if as, _ := rendered(t, strings.TrimPrefix(want[j][k], "markdown:")); !slices.Equal(elements, as) {
					t.Errorf("%.60q: answer %d has the elements %v, want %v: %.2000q", name, j, elements, as, text)
				}
			}
		}
	}
	if _, err := w.end(); err != nil {
		t.Error(err)
	}
}

// A mistake in the settings quotes them in a message, in which VS Code would make links.
func TestMessagesLinkNothing(t *testing.T) {
	w := dialWith(context.Background(), t, Options{Configure: func(string, []string, *settings.Editor) (Configuration, error) {
		return Configuration{}, errors.New("there is no rule \x1b[2J\u202e[x](http://evil.example)")
	}})
	w.initialize("utf-8")
	w.open("file:///p/a.py", 1, "import tensorflow\n")
	shown := w.expect("a message", func(m message) bool { return m["method"] == "window/showMessage" })["params"].(map[string]any)["message"]
	if want := `tfmem: there is no rule \x1b[2J\u202e[x] (http://evil.example)`; shown != want {
		t.Errorf("%q is shown, want %q", shown, want)
	}
	if _, err := w.end(); err != nil {
		t.Error(err)
	}
}

// TestMarkdownBeside: beside code there are no headings, and code stays code.
func TestMarkdownBeside(t *testing.T) {
	const text = "# name (TST001)\n\nA #1 text.\n\n## Why\nIt is.\n\n```python\n# no heading\n```\n#tag\n"
	const want = "**name (TST001)**\n\n\nA #1 text.\n\n**Why**\n\nIt is.\n\n```python\n# no heading\n```\n#tag\n"
	if got := markdown(text).beside(); string(got) != want {
		t.Errorf("beside code it is\n%s\nwant\n%s", got, want)
	}
}
