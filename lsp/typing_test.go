package lsp

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tfmem/tfmem/rules"
)

// mostUnsteady is the share of keys at which a finding on another line may come or go.
const mostUnsteady = 0.005

// TestTyping deletes lines of programs and types them again, key by key, with and without an editor
// that closes brackets. A finding on another line that is there before the line is typed and after
// it must not vanish at a key in between, and none may appear that is there neither before nor
// after. Once the typist pauses, all findings of a text that parses are those of the same text in
// another document, which nobody edited. The programs are the bad examples of all rules and testdata/examples; with TFMEM_TREE they
// are 60 files of that folder, too.
func TestTyping(t *testing.T) {
	programs := map[string]string{}
	for _, r := range rules.All {
		if r.Bad != "" {
			programs[r.Code] = strings.TrimLeft(r.Bad, "\n")
		}
	}
	files, err := filepath.Glob("../testdata/examples/*.py")
	if err != nil || len(files) == 0 {
		t.Fatal("there are no examples", err)
	}
	if root := os.Getenv("TFMEM_TREE"); root != "" {
		public := slices.DeleteFunc(pythonFiles(t, root), func(path string) bool { return filepath.Ext(path) != ".py" })
		rand.New(rand.NewPCG(1, 2)).Shuffle(len(public), func(i, j int) { public[i], public[j] = public[j], public[i] })
		files = append(files, public[:min(len(public), 60)]...)
	}
	for _, path := range files {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		programs[path] = string(text)
	}
	var examples, public typed
	for _, closes := range []bool{false, true} {
		for i, name := range slices.Sorted(maps.Keys(programs)) {
			synctest.Test(t, func(t *testing.T) {
				count := typeAgain(t, name, programs[name], closes, rand.New(rand.NewPCG(uint64(i), 3)))
				if filepath.IsAbs(name) {
					public.add(count)
				} else {
					examples.add(count)
				}
			})
		}
	}
	examples.check(t, "of examples", mostUnsteady)
	if public.keys > 0 {
		public.check(t, "of public files", mostUnsteady)
	}
	if examples.keys < 1000 || examples.compared < examples.keys {
		t.Errorf("of %d keys %d findings are compared: nothing much was tested", examples.keys, examples.compared)
	}
}

// typed counts what was seen while lines were typed again.
type typed struct {
	lines, keys, compared int
	vanished, appeared    int // keys at which a finding had
}

func (t *typed) add(o typed) {
	t.lines += o.lines
	t.keys += o.keys
	t.compared += o.compared
	t.vanished += o.vanished
	t.appeared += o.appeared
}

// check reports the shares, and fails if they are too large.
func (t *typed) check(test *testing.T, what string, most float64) {
	share := func(n int) float64 { return float64(n) / float64(t.keys) }
	test.Logf("%d lines %s typed again, %d keys: at %d of them (%.2f %%) a finding on another line had vanished, at %d (%.2f %%) one had appeared",
		t.lines, what, t.keys, t.vanished, 100*share(t.vanished), t.appeared, 100*share(t.appeared))
	if share(t.vanished+t.appeared) > most {
		test.Errorf("%s: %d of %d keys are not steady", what, t.vanished+t.appeared, t.keys)
	}
}

// typeAgain types some lines of a program again, and compares the findings on all other lines at
// each key, and once more before the next one comes: after 150 ms, of five keys one after 600 ms and
// of twenty one after a minute. People type 136 million keys at 239 ms each, with a deviation of
// 112 ms (Dhakal and others, Observations on Typing, CHI 2018), and think in between.
func typeAgain(t *testing.T, name, text string, closes bool, r *rand.Rand) (count typed) {
	const uri, lines = "file:///a.py", 4
	w := dialWith(context.Background(), t, Options{Devices: aMachine})
	w.initialize("utf-8")
	version := 1
	w.open(uri, version, text)
	at := strings.Split(text, "\n")
	after := w.settledFindings(uri)
	for range lines {
		line := r.IntN(len(at))
		content := strings.TrimLeft(at[line], " \t")
		if content == "" || strings.HasPrefix(content, "#") || len(content) > 120 {
			continue
		}
		count.lines++
		indent := len(at[line]) - len(content)
		replace := func(start, end int, by string) {
			version++
			w.change(uri, version, message{"range": message{"start": position{line, start}, "end": position{line, end}}, "text": by})
		}
		replace(indent, len(at[line]), "")
		before := w.settledFindings(uri)
		both, either := map[string]int{}, maps.Clone(before)
		for key, n := range after {
			both[key], either[key] = min(n, before[key]), max(n, before[key])
		}
		cursor, behind := indent, "" // what the editor closed
		for _, key := range content {
			count.keys++
			typed := string(key)
			closer := closers[typed]
			switch {
			case closes && strings.HasPrefix(behind, typed):
				behind = behind[len(typed):] // typed over
			case closes && closer != "":
				replace(cursor, cursor, typed+closer)
				behind = closer + behind
			default:
				replace(cursor, cursor, typed)
			}
			cursor += len(typed)
			here := fmt.Sprintf(":%d", line)
			var gone, come []string
			compare := func(now map[string]int) {
				count.compared += len(both)
				gone, come = append(gone, missing(both, now, here)...), append(come, missing(now, either, here)...)
			}
			compare(w.findingsNow(uri))
			switch r.IntN(20) {
			case 0:
				now := w.settledFindings(uri)
				compare(now)
				is := slices.Clone(at)
				is[line] = at[line][:indent] + content[:cursor-indent] + behind
				if fresh := w.freshFindings(strings.Join(is, "\n")); !isBroken(fresh) && !maps.Equal(now, fresh) {
					t.Errorf("%s:%d %q: after a pause the findings are %v, and without the typing %v", name, line+1, is[line], now, fresh)
				}
			case 1, 2, 3, 4:
				time.Sleep(600 * time.Millisecond)
				compare(w.findingsNow(uri))
			default:
				time.Sleep(150 * time.Millisecond)
				compare(w.findingsNow(uri))
			}
			if len(gone) > 0 {
				count.vanished++
			}
			if len(come) > 0 {
				count.appeared++
			}
			if len(gone)+len(come) > 0 {
				t.Logf("%s:%d %q: vanished %v, appeared %v", name, line+1, (content + behind)[:cursor-indent], gone, come)
			}
		}
		replace(cursor, cursor+len(behind), "")
		if now := w.settledFindings(uri); !maps.Equal(now, after) {
			t.Errorf("%s: line %d was typed again, and the findings are %v, not %v", name, line+1, now, after)
		}
	}
	if _, err := w.end(); err != nil {
		t.Error(err)
	}
	return count
}

// closers are what an editor types behind what a person types.
var closers = map[string]string{"(": ")", "[": "]", "{": "}", `"`: `"`, "'": "'"}

type position [2]int

// MarshalJSON writes a position as LSP does.
func (p position) MarshalJSON() ([]byte, error) {
	return fmt.Appendf(nil, `{"line":%d,"character":%d}`, p[0], p[1]), nil
}

// missing returns the findings of a that b lacks, without those on a line and those that a
// half-typed text may add: invalid syntax.
func missing(a, b map[string]int, line string) (all []string) {
	for key, n := range a {
		if b[key] < n && !strings.HasSuffix(key, line) && !strings.HasPrefix(key, "TFM003") {
			all = append(all, key)
		}
	}
	slices.Sort(all)
	return all
}

// settledFindings returns the findings once nothing more comes though the typist pauses.
func (w *wire) settledFindings(uri string) map[string]int {
	w.findingsNow(uri)
	time.Sleep(time.Minute)
	return w.findingsNow(uri)
}

// findingsNow returns how often a code is published for a line, once the server has nothing to do.
func (w *wire) findingsNow(uri string) map[string]int {
	w.call("no/such/method", nil)
	synctest.Wait()
	for more := true; more; {
		select {
		case m := <-w.inbox:
			w.unread = append(w.unread, m)
		default:
			more = false
		}
	}
	for _, m := range w.unread {
		if m["method"] != "textDocument/publishDiagnostics" {
			continue
		}
		params := m["params"].(map[string]any)
		found := map[string]int{}
		for _, d := range params["diagnostics"].([]any) {
			d := d.(map[string]any)
			found[fmt.Sprintf("%v:%v", d["code"], d["range"].(map[string]any)["start"].(map[string]any)["line"])]++
		}
		w.shown[params["uri"].(string)] = found
	}
	w.unread = nil
	return w.shown[uri]
}

// freshFindings returns the findings of a text that nobody edits.
func (w *wire) freshFindings(text string) map[string]int {
	const uri = "file:///fresh.py"
	w.open(uri, 1, text)
	defer w.notify("textDocument/didClose", message{"textDocument": message{"uri": uri}})
	return w.settledFindings(uri)
}

func isBroken(findings map[string]int) bool {
	for key := range findings {
		if strings.HasPrefix(key, "TFM003") {
			return true
		}
	}
	return false
}

// TestHalfTyped: while a text does not parse, what its last version that did said stays, moved with
// the edits: findings, fixes, lenses and hovers. What is wrong with it is told once typing pauses.
func TestHalfTyped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const uri = "file:///a.py"
		w := dialWith(context.Background(), t, Options{Devices: aMachine})
		w.initialize("utf-8")
		w.open(uri, 1, "import tensorflow as tf\n\nmodel = tf.keras.Sequential([tf.keras.Input((8,)), tf.keras.layers.Dense(4)])\nmodel.compile(\"adam\", \"mse\")\nmodel.fit(tf.zeros((64, 8)), tf.zeros((64, 4)))\n")
		shows := func(when string, now map[string]int, want ...string) { t.Helper(); haveShown(t, when, now, want...) }
		shows("opened", w.settledFindings(uri), "TFM101:2")
		w.change(uri, 2, message{"range": at(1, 0, 1, 0), "text": "\nx = ("})
		shows("half typed", w.findingsNow(uri), "TFM101:3")
		lens := w.call("textDocument/codeLens", message{"textDocument": message{"uri": uri}})
		if text := fmt.Sprint(lens["result"]); !strings.Contains(text, "fits") || !strings.Contains(text, "line:5") {
			t.Errorf("the lenses are %s", text)
		}
		if hover := fmt.Sprint(w.call("textDocument/hover", hoverParams(uri, 5, 8))["result"]); !strings.Contains(hover, "6.75 KiB") {
			t.Errorf("the hover is %s", hover)
		}
		if actions := fmt.Sprint(w.call("textDocument/codeAction", actionParams(uri, "quickfix", at(3, 10, 3, 10)))["result"]); !strings.Contains(actions, "set_memory_growth") {
			t.Errorf("the fixes are %s", actions)
		}
		time.Sleep(syntaxPause - time.Millisecond)
		shows("just before the pause", w.findingsNow(uri), "TFM101:3")
		time.Sleep(time.Millisecond)
		shows("after the pause", w.findingsNow(uri), "TFM003:2", "TFM101:3")
		w.change(uri, 3, message{"range": at(0, 0, 0, 0), "text": "# \n"})
		shows("edited elsewhere", w.findingsNow(uri), "TFM003:3", "TFM101:4")
		w.change(uri, 4, message{"range": at(3, 5, 3, 5), "text": "1)"})
		shows("mended", w.findingsNow(uri), "TFM101:4")
		w.change(uri, 5, message{"text": "import tensorflow as tf\nx = ("})
		shows("replaced", w.settledFindings(uri), "TFM003:1")
		if _, err := w.end(); err != nil {
			t.Error(err)
		}
	})
}

func haveShown(t *testing.T, when string, now map[string]int, want ...string) {
	t.Helper()
	if got := slices.Sorted(maps.Keys(now)); !slices.Equal(got, want) {
		t.Errorf("%s: %v, want %v", when, got, want)
	}
}

// unbatchedBy is a program whose last line has TFM301 if its fourth is cut before ".batch"; %s is before it.
const unbatchedBy = "import tensorflow as tf\nmodel = tf.keras.Sequential([tf.keras.layers.Dense(4)])\nmodel.compile(\"adam\", \"mse\")\ndata = tf.data.Dataset.from_tensor_slices((tf.zeros((64, 8)), tf.zeros((64, 4)))).batch(8)\n%smodel.fit(data)\n"

// TestTypedLine: what is typed changes findings on other lines once the user pauses, and those on
// its own line at once; what is no key, such as a fix, changes all at once.
func TestTypedLine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const uri = "file:///a.py"
		text := fmt.Sprintf(unbatchedBy, "")
		cut := strings.Index(strings.Split(text, "\n")[3], ".batch")
		w := dialWith(context.Background(), t, Options{Devices: aMachine})
		w.initialize("utf-8")
		w.open(uri, 1, text)
		haveShown(t, "opened", w.settledFindings(uri), "TFM101:1")
		w.change(uri, 2, message{"range": at(3, cut, 3, cut), "text": "#"})
		haveShown(t, "a key", w.findingsNow(uri), "TFM101:1")
		w.change(uri, 3, message{"range": at(3, cut+1, 3, cut+1), "text": "b"})
		time.Sleep(stretchPause - time.Millisecond)
		haveShown(t, "just before the pause", w.findingsNow(uri), "TFM101:1")
		time.Sleep(time.Millisecond)
		haveShown(t, "after the pause", w.findingsNow(uri), "TFM101:1", "TFM301:4")
		w.change(uri, 4, message{"range": at(3, cut+1, 3, cut+2), "text": ""})
		haveShown(t, "typed on, one key back", w.findingsNow(uri), "TFM101:1")
		w.change(uri, 5, message{"range": at(0, 0, 0, 0), "text": "#\n"})
		haveShown(t, "left", w.findingsNow(uri), "TFM101:2", "TFM301:5")
		w.change(uri, 6, message{"range": at(4, cut, 4, cut+10), "text": ".batch(16)"})
		haveShown(t, "a fix", w.findingsNow(uri), "TFM101:2")
		w.change(uri, 7, message{"range": at(2, 0, 2, 0), "text": "#"})
		haveShown(t, "its own line", w.findingsNow(uri))
		if _, err := w.end(); err != nil {
			t.Error(err)
		}
	})
}

// TestTypedPull: a pull of what is being typed is answered once the user pauses, and at once if
// nothing elsewhere depends on it.
func TestTypedPull(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const uri = "file:///a.py"
		text := fmt.Sprintf(unbatchedBy, "\n")
		cut := strings.Index(strings.Split(text, "\n")[3], ".batch")
		w := dialWith(context.Background(), t, Options{Devices: aMachine})
		w.call("initialize", message{"processId": nil, "capabilities": pulls()})
		w.notify("initialized", message{})
		w.open(uri, 1, text)
		pull := func(want string, after time.Duration) {
			t.Helper()
			asked := time.Now()
			got := fmt.Sprint(w.call("textDocument/diagnostic", message{"textDocument": message{"uri": uri}})["result"])
			if took := time.Since(asked); took != after || strings.Contains(got, "TFM301") != (want == "TFM301") {
				t.Errorf("after %v came %s, want %q after %v", took, got, want, after)
			}
		}
		pull("", 0)
		w.change(uri, 2, message{"range": at(4, 0, 4, 0), "text": "x"})
		pull("", 0)
		w.change(uri, 3, message{"range": at(3, cut, 3, cut), "text": "#"})
		pull("TFM301", stretchPause)
		if _, err := w.end(); err != nil {
			t.Error(err)
		}
	})
}

// TestTypedModule: the importers of a module that is being typed go on to read what it said before,
// until the user pauses and it parses.
func TestTypedModule(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const uri, other = "file:///p/a.py", "file:///p/data.py"
		module := "import tensorflow as tf\n\ndata = tf.data.Dataset.from_tensor_slices((tf.zeros((64, 8)), tf.zeros((64, 4)))).batch(8)\n"
		cut := strings.Index(strings.Split(module, "\n")[2], ".batch")
		files := &disk{files: map[string]string{"/p/data.py": module}}
		w := dialWith(context.Background(), t, Options{Devices: aMachine, Files: files})
		w.call("initialize", message{"processId": nil, "rootUri": "file:///p", "capabilities": message{}})
		w.notify("initialized", message{})
		w.open(uri, 1, "import tensorflow as tf\nimport data\nmodel = tf.keras.Sequential([tf.keras.layers.Dense(4)])\nmodel.compile(\"adam\", \"mse\")\nmodel.fit(data.data)\n")
		w.open(other, 1, module)
		haveShown(t, "opened", w.settledFindings(uri), "TFM101:1")
		w.change(other, 2, message{"range": at(2, cut, 2, cut), "text": "#"})
		haveShown(t, "a key", w.findingsNow(uri), "TFM101:1")
		w.change(uri, 2, message{"range": at(0, 0, 0, 0), "text": "\n"})
		haveShown(t, "edited itself", w.findingsNow(uri), "TFM101:2")
		time.Sleep(stretchPause)
		haveShown(t, "after the pause", w.findingsNow(uri), "TFM101:2", "TFM301:5")
		w.change(other, 3, message{"range": at(2, cut, 2, cut+1), "text": ""}, message{"range": at(1, 0, 1, 0), "text": "x = ("})
		haveShown(t, "half typed", w.settledFindings(uri), "TFM101:2", "TFM301:5")
		w.change(other, 4, message{"range": at(1, 5, 1, 5), "text": ")"})
		haveShown(t, "mended", w.settledFindings(uri), "TFM101:2")
		w.change(other, 5, message{"range": at(2, cut, 2, cut+7), "text": " #batch("})
		haveShown(t, "a fix", w.findingsNow(uri), "TFM101:2", "TFM301:5")
		w.notify("textDocument/didClose", message{"textDocument": message{"uri": other}})
		haveShown(t, "closed", w.settledFindings(uri), "TFM101:2")
		if _, err := w.end(); err != nil {
			t.Error(err)
		}
	})
}
