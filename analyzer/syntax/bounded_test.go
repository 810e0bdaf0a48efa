package syntax

import (
	"maps"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/tfmem/tfmem/analyzer/cases"
)

// fill repeats a piece of text up to so many bytes.
func fill(piece string, n int) string { return strings.Repeat(piece, n/len(piece)) }

// stairs are blocks that lie in each other.
func stairs(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.Repeat(" ", i) + "if a:\n")
	}
	return b.String() + strings.Repeat(" ", n) + "a\n"
}

func noise(n int, of string) string {
	random := rand.New(rand.NewPCG(7, 8))
	b := make([]byte, n)
	for i := range b {
		if b[i] = byte(random.Uint32()); of != "" {
			b[i] = of[random.IntN(len(of))]
		}
	}
	return string(b)
}

// hard are texts of about n bytes that take a parser's time, memory or stack, and why they
// are given up, if they are.
func hard(n int) map[string]struct{ text, gaveUp string } {
	return map[string]struct{ text, gaveUp string }{
		"continued lines":        {fill("\\\n", n), tooMuchWork},
		"continued lines of raw": {"rb'" + fill("\\\n", n), tooMuchWork},
		"escapes of bytes":       {"b'" + fill("\\N", n), tooMuchWork},
		"comments, stepping":     {"if a:\n" + fill("  #\n #\n", n) + "  a\n", tooMuchWork},
		"dots":                   {fill(".", 2*n), tooMuchWork},
		"closed, not opened":     {fill("a b c ) ] }\n", 2*n), tooMuchWork},
		"continued sum":          {fill("x = 1 + \\\n", n), ""},
		"backslashes":            {fill("\\", n), ""},
		"comments":               {fill("# a\n", n), ""},
		"commented out":          {"def f():\n    a\n" + fill("    # b = c(d, e=1)\n", 20_000) + "    f\n", ""},
		"blank lines":            {stairs(100) + fill("\n", n), ""},
		"opened":                 {fill("(", n), ""},
		"parentheses":            {fill("(", n/2) + fill(")", n/2), tooDeep},
		"attributes":             {"a" + fill(".b", n), tooDeep},
		"sum":                    {"1" + fill("+1", n), tooDeep},
		"power":                  {fill("a**", n) + "a", tooDeep},
		"and":                    {fill("a and ", 2*n) + "a", tooDeep},
		"comparison":             {fill("a<", n) + "a", ""},
		"not":                    {fill("not ", n) + "a", tooDeep},
		"minus":                  {fill("-", n) + "a", tooDeep},
		"calls of calls":         {"f" + fill("()", n), tooDeep},
		"calls in calls":         {fill("f(", n/2) + fill(")", n/4), tooDeep},
		"subscripts":             {"a" + fill("[0]", n), tooDeep},
		"subscripts in those":    {fill("a[", n/2) + "a" + fill("]", n/4), tooDeep},
		"lambdas":                {fill("lambda:", 2*n) + "a", tooDeep},
		"conditionals":           {fill("1 if 1 else ", 4*n) + "1", tooDeep},
		"assignments":            {fill("a=", n) + "a", tooDeep},
		"await":                  {fill("await ", 2*n) + "a", tooDeep},
		"patterns":               {"match x:\n case " + fill("[", n/2) + fill("]", n/2) + ": a\n", tooDeep},
		"f-strings in those":     {fill("f'{f\"{", n) + "a", ""},
		"elif":                   {"if a: a\n" + fill("elif a: a\n", n), ""},
		"decorators":             {fill("@a\n", n) + "def f(): a\n", ""},
		"blocks":                 {stairs(250), ""},
		"dedents":                {fill("if a:\n\t\t\ta\n\t\ta\n\ta\n", n), ""},
		"names in lines":         {fill("a\n", n), ""},
		"commas in lines":        {fill("a,\n", n), ""},
		"list":                   {"x=[" + fill("1,", n) + "]", ""},
		"dictionary":             {"{" + fill("a:a,", n) + "}", ""},
		"string":                 {"x='" + fill("a", n) + "'", ""},
		"string of escapes":      {"x='" + fill("\\n", n) + "'", ""},
		"string, not closed":     {"x='" + fill("a", n), ""},
		"triple quotes":          {fill(`"""`, n), ""},
		"quotes in lines":        {fill("'\n", n), ""},
		"tabs":                   {fill("\t", n), ""},
		"NUL":                    {fill("\x00", n), ""},
		"noise":                  {noise(n, ""), ""},
		"noise of Python":        {noise(n/2, "()[]{}'\"\n \tabif:=,.#\\@+-*"), ""},
		"byte order marks":       {fill("\ufeff", n), ""},
		"prefixes of strings":    {fill("f", n), ""},
	}
}

// Any text of n bytes is parsed within the limit of work, and in Go allocates at most
// bytesPerByte*n + someBytes. C memory is held in memory_linux_test.go.
const bytesPerByte, someBytes = 128, 1 << 20

// TestBounded holds the work, nodes, depth and memory that hard texts take.
func TestBounded(t *testing.T) {
	all := hard(40_000)
	for _, name := range cases.Sample(t, slices.Sorted(maps.Keys(all)), 12) {
		c := all[name]
		t.Run(name, func(t *testing.T) {
			limit := workLimit(c.text)
			p := NewParser()
			defer p.Close()
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			work := p.parse(c.text)
			tree := p.read(c.text, work)
			runtime.ReadMemStats(&after)
			// tree-sitter asks only every hundred steps whether it is to stop.
			if work > limit+limit/50 {
				t.Errorf("%d chunks of work, more than %d", work, limit)
			}
			if n, most := after.TotalAlloc-before.TotalAlloc, uint64(bytesPerByte*len(c.text)+someBytes); n > most {
				t.Errorf("%d bytes are allocated for %d, more than %d", n, len(c.text), most)
			}
			if tree.GaveUp() != c.gaveUp {
				t.Errorf("given up, as %q, want %q", tree.GaveUp(), c.gaveUp)
			}
			if tree.GaveUp() != "" && (tree.Len() > 0 || tree.NumNodes() > 0 || !tree.HasErrors() || tree.Broken() == 0) {
				t.Errorf("%d statements and %d nodes of what was not parsed, which has errors: %v", tree.Len(), tree.NumNodes(), tree.HasErrors())
			}
			if n := tree.NumNodes(); n > 2*len(c.text) {
				t.Errorf("%d nodes of %d bytes", n, len(c.text))
			}
			for s := range tree.Statements() {
				if d := depth(s); d > maxDepth {
					t.Errorf("a node lies %d deep", d)
				}
			}
		})
	}
}

// depth is how deep the deepest node of a statement lies.
func depth(s Node) (deepest int) {
	depths := make([]int, len(s.at.nodes))
	for i, n := range s.at.nodes {
		if depths[i] = 1; n.parent >= 0 {
			depths[i] += depths[n.parent]
		}
		deepest = max(deepest, depths[i])
	}
	return deepest
}

// TestDepth parses what is just not nested too deeply.
func TestDepth(t *testing.T) {
	for n, gaveUp := range map[int]string{maxDepth - 1: "", maxDepth: "", maxDepth + 1: tooDeep} {
		tree := Parse(strings.Repeat("-", n-2) + "a") // the name and the statement are nodes, too
		if tree.GaveUp() != gaveUp {
			t.Errorf("nodes that lie %d deep are given up, as %q, want %q", n, tree.GaveUp(), gaveUp)
		} else if gaveUp == "" && depth(tree.Statement(0)) != n {
			t.Errorf("the deepest lies %d deep, want %d", depth(tree.Statement(0)), n)
		}
	}
}

// TestTooLong holds how many tokens a text may have.
func TestTooLong(t *testing.T) {
	list := func(tokens int) string { return "x=[" + strings.Repeat("1,", (tokens-4)/2) + "]" }
	for _, c := range []struct{ text, gaveUp string }{
		{list(maxTokens), ""},
		{list(maxTokens + 2), tooLong},
		{"x = '" + strings.Repeat("incompr\u00e9hensible ", 5<<20/18) + "'", ""},
		{"# \n" + strings.Repeat(" \t", maxTokens), ""},
	} {
		if got := Parse(c.text).GaveUp(); got != c.gaveUp {
			t.Errorf("%.10s… of %d bytes is given up, as %q, want %q", c.text, len(c.text), got, c.gaveUp)
		}
	}
}

// TestBoundedEdits edits texts until they are given up and back again, and compares each
// tree with a fresh one.
func TestBoundedEdits(t *testing.T) {
	comments := "if a:\n" + fill("  #\n #\n", 10_000) + "  a\n"
	half := len(comments) / 2
	deep := strings.Repeat("-", maxDepth-3) + "a\n"
	for name, versions := range map[string][]string{
		"more comments": {comments, comments[:half] + fill("  #\n #\n", 5_000) + comments[half:], comments[:half] + fill("  #\n #\n", 40_000) + comments[half:],
			comments + "b\n", "c\n" + comments},
		"deeper": {"x\n" + deep + "y\n", "x\n" + "--" + deep + "y\n", "x\n-" + deep + "y\n", "x\n" + deep + "yz\n"},
		"longer": {"x\n" + strings.Repeat("1;", maxTokens/2-2), "x\n" + strings.Repeat("1;", maxTokens/2+2), "xy\n" + strings.Repeat("1;", maxTokens/2-2)},
		"dots":   {"x\ny\n", "x\n" + fill(".", 80_000) + "y\n", "x\ny.z\n"},
	} {
		t.Run(name, func(t *testing.T) {
			p := NewParser()
			defer p.Close()
			gaveUp := 0
			for i, text := range versions {
				fresh, edited := Parse(text), p.Parse(text)
				if diff := diff(fresh, edited); diff != "" {
					t.Errorf("version %d is another than a fresh one: %s", i, diff)
				}
				if fresh.GaveUp() != "" {
					gaveUp++
				}
			}
			if gaveUp == 0 || gaveUp == len(versions) {
				t.Errorf("%d of %d versions are given up", gaveUp, len(versions))
			}
		})
	}
}

// TestWork adds to what takes long until it is given up: what an edit is parsed at is then
// far less than what a fresh parse would take.
func TestWork(t *testing.T) {
	p := NewParser()
	defer p.Close()
	const step = "  #\n #\n"
	text := "if a:\n" + strings.Repeat(step, 2000) + "  b\n"
	for range 20 {
		text = text[:6] + strings.Repeat(step, 200) + text[6:]
		tree, fresh := p.Parse(text), Parse(text)
		if tree.GaveUp() != fresh.GaveUp() {
			t.Fatalf("%d comments are given up, as %q, by a fresh parse as %q", strings.Count(text, "#"), tree.GaveUp(), fresh.GaveUp())
		} else if fresh.GaveUp() != "" {
			return
		}
	}
	t.Error("never given up")
}
