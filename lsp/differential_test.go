package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/analyzer/notebook"
	"github.com/tfmem/tfmem/analyzer/project"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/rules"
	"github.com/tfmem/tfmem/rules/rule"
	"go.lsp.dev/uri"
)

// every is the number of edits between comparisons.
const every = 50

// TestDifferential edits files, and notebooks made of them, at random. After every so many edits
// it compares the server with one that got the same messages at once. Findings, fixes, related places,
// actions, hints and lenses must be equal, and the findings must be those of a check. TFMEM_TREE
// names a folder with code other than this repository's, TFMEM_TEST_EDITS sets the number of
// edits, and TFMEM_TEST_SEED their seed.
func TestDifferential(t *testing.T) {
	root, edits, seed := "../testdata", 2000, 1
	if v := os.Getenv("TFMEM_TREE"); v != "" {
		root = v
	}
	for name, to := range map[string]*int{"TFMEM_TEST_EDITS": &edits, "TFMEM_TEST_SEED": &seed} {
		if v := os.Getenv(name); v != "" {
			var err error
			if *to, err = strconv.Atoi(v); err != nil {
				t.Fatal(err)
			}
		}
	}
	root, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	files := pythonFiles(t, root)
	projects, err := filepath.Glob("../testdata/project/*.txtar")
	if err != nil || len(projects) == 0 {
		t.Fatal("there are no projects", err)
	}
	compared, differed, lines := 0, 0, 0
	for i := range edits / (2 * every) {
		e := &editing{root: root, files: files, projects: projects, r: rand.New(rand.NewPCG(uint64(seed), uint64(i))), number: i}
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			e.t = t
			e.run()
		})
		compared, differed, lines = compared+e.compared, differed+e.differed, lines+e.lines
	}
	t.Logf("%d edits in some of %d files: %d documents of which %d things are said are compared, %d differ", edits, len(files), compared, lines, differed)
	if lines < compared {
		t.Error("nothing much was compared")
	}
}

// pythonFiles returns the files and notebooks below a folder that concern TensorFlow and are not
// so large that they take all of the test's time.
func pythonFiles(t *testing.T, root string) (files []string) {
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || filepath.Ext(path) != ".py" && !notebook.Is(path) {
			return err
		}
		data, err := os.ReadFile(path)
		if text := string(data); err == nil && len(text) < 100_000 && utf8.ValidString(text) && (strings.Contains(text, "tensorflow") || strings.Contains(text, "keras")) {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Fatalf("no file below %s concerns TensorFlow", root)
	}
	return files
}

// An editing is a conversation about some documents that belong together.
type editing struct {
	t      *testing.T
	root   string
	files  []string
	r      *rand.Rand
	number int

	projects []string // archives of files that import each other

	w         *wire
	documents []*editedDocument
	cells     int // the number of cells so far

	sent []message // all notifications about documents

	compared, differed int
	lines              int // of the compared output
}

// An editedDocument is a document as the client has it: a file, or a notebook.
type editedDocument struct {
	path     string
	uri      string
	version  int
	notebook bool
	cells    []editedCell // one, for a file
	original []editedCell
	undo     []undo // in the order of the edits
}

func (e *editing) server() *wire {
	w := dialWith(context.Background(), e.t, Options{Devices: aMachine, Files: project.Disk{}})
	w.call("initialize", message{"processId": nil, "rootUri": string(uri.File(e.root)), "capabilities": message{"general": message{"positionEncodings": []string{"utf-8"}}}})
	w.notify("initialized", message{})
	<-w.session.gpus.first
	return w
}

// notify tells the server something that any other one is told, too.
func (e *editing) notify(method string, params any) {
	m := message{"method": method, "params": params}
	e.sent = append(e.sent, m)
	e.w.send(m)
}

func (e *editing) run() {
	if e.r.IntN(4) == 0 {
		e.openProject(e.projects[e.r.IntN(len(e.projects))])
	} else {
		e.w = e.server()
		e.openSome()
	}
	for n := range 2 * every {
		d := e.documents[e.r.IntN(len(e.documents))]
		if e.r.IntN(8) == 0 || n%every == every-4 && e.r.IntN(3) > 0 { // otherwise no valid program would remain
			e.restore(d)
		} else if !d.notebook {
			e.editText(d, 0)
		} else {
			e.editNotebook(d)
		}
		e.pauses(d)
		if (n+1)%every == 0 {
			e.compare()
		}
	}
	if _, err := e.w.end(); err != nil {
		e.t.Error(err)
	}
	if log := e.w.log.String(); strings.Contains(log, "tfmem has a bug") {
		e.t.Errorf("%s: %s", e.documents[0].path, log)
	}
}

// pauses waits now and then until a version is analysed: the next version builds on its result.
func (e *editing) pauses(d *editedDocument) {
	if e.r.IntN(2) == 0 {
		e.snapshots(e.w, d)
	}
}

// snapshots returns a document's programs in a server that has read everything sent, once all
// rules have run.
func (e *editing) snapshots(w *wire, d *editedDocument) []*snapshot {
	w.call("no/such/method", nil)
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	doc, err := w.session.newest(ctx, w.session.docs.keyAt(d.path))
	if err != nil {
		e.save(d)
		e.t.Fatalf("editing %d of %s: it is not priced in two minutes: %v", e.number, d.path, err)
	}
	return doc.snapshots
}

// compare compares every document with a server that knows only the current texts.
func (e *editing) compare() {
	fresh := e.server()
	for i, m := range e.sent {
		if fresh.send(m); i%(mostEnds/2) == 0 { // more versions at once may be forgotten
			for _, d := range e.documents {
				e.snapshots(fresh, d)
			}
		}
	}
	for _, d := range e.documents {
		e.compared++
		// Importers are analysed again some time after what they import.
		var got, want string
		for deadline := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
			if got, want = e.said(e.w, d), e.said(fresh, d); got == want || time.Now().After(deadline) {
				break
			}
		}
		e.lines += strings.Count(want, "\n")
		if got != want {
			e.differed++
			e.t.Errorf("editing %d of %s: the server that edits, and another (-want +got):\n%s", e.number, d.path, cmp.Diff(want, got))
			e.save(d)
		}
		if d.notebook {
			continue
		}
		if slices.ContainsFunc(e.documents, func(d *editedDocument) bool {
			return slices.ContainsFunc(e.snapshots(fresh, d), func(s *snapshot) bool { return s.halfTyped() })
		}) {
			continue // what an earlier version said stays, for those who import it, too
		}
		check, found := e.check(d), ""
		for deadline := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) { // importers hear of what was typed after a pause
			if found = e.found(e.snapshots(fresh, d)); found == check || time.Now().After(deadline) {
				break
			}
		}
		if check != found {
			e.differed++
			e.t.Errorf("editing %d of %s: a check, and the server (-want +got):\n%s", e.number, d.path, cmp.Diff(check, found))
			e.save(d)
		}
	}
	if _, err := fresh.end(); err != nil {
		e.t.Error(err)
	}
}

// save stores what differed, if TFMEM_TEST_KEEP names a folder.
func (e *editing) save(d *editedDocument) {
	folder := os.Getenv("TFMEM_TEST_KEEP")
	if folder == "" {
		return
	}
	for i, c := range d.cells {
		name := filepath.Join(folder, fmt.Sprintf("%d-%d-%s.py", e.number, i, filepath.Base(d.path)))
		if err := os.WriteFile(name, []byte(c.text), 0o666); err != nil {
			e.t.Error(err)
		}
	}
}

// said returns everything that a server says of a document.
func (e *editing) said(w *wire, d *editedDocument) string {
	out := e.found(e.snapshots(w, d))
	for _, c := range d.cells {
		if !c.python {
			continue
		}
		end := source.NewLines(c.text).Position(len(c.text), source.UTF8)
		params := message{"textDocument": message{"uri": c.uri}, "range": at(0, 0, end.Line, end.Column), "context": message{"diagnostics": []any{}, "triggerKind": 1}}
		for _, method := range []string{"textDocument/codeAction", "textDocument/inlayHint", "textDocument/codeLens"} {
			answer := w.call(method, params)
			if answer["error"] != nil {
				e.t.Errorf("%s of %s is answered by %v", method, c.uri, answer)
			}
			list, _ := answer["result"].([]any)
			for _, item := range list {
				text, err := json.Marshal(item)
				if err != nil {
					e.t.Fatal(err)
				}
				out += method + " " + string(text) + "\n"
			}
		}
	}
	return out
}

// found returns the findings of snapshots, with fixes and related places.
func (e *editing) found(snaps []*snapshot) string {
	var out strings.Builder
	for i, snap := range snaps {
		fmt.Fprintf(&out, "program %d\n", i)
		describeFindings(&out, snap.all.findings)
	}
	return out.String()
}

func describeFindings(out *strings.Builder, findings []rule.Finding) {
	for _, f := range findings {
		fmt.Fprintf(out, "%s %v %v %v %s\n", f.Rule.Code, f.Severity, f.Span, f.Tags, f.Message)
		for _, r := range f.Related {
			path := ""
			if r.Source != nil {
				path = r.Source.Path
			}
			fmt.Fprintf(out, "    related %s %v %s\n", path, r.Span, r.Message)
		}
		for _, fix := range f.Fixes {
			fmt.Fprintf(out, "    fix %v %s %q\n", fix.Applicability, fix.Message, fmt.Sprint(fix.Edits))
		}
	}
}

// check returns what a check of a file finds, given the texts of all documents.
func (e *editing) check(d *editedDocument) string {
	open := map[string]string{}
	for _, o := range e.documents {
		if !o.notebook {
			open[o.path] = o.cells[0].text
		}
	}
	programs, workspace, err := analyzer.Open(d.path, d.cells[0].text, project.New(project.Files{Below: project.Disk{}, Texts: open}, e.root, e.root))
	if err != nil {
		e.t.Fatal(err)
	}
	var out strings.Builder
	for i, program := range programs {
		fmt.Fprintf(&out, "program %d\n", i)
		config := analyzer.Config{Workspace: workspace, Devices: func() []memory.Device { return aGPU(context.Background()) }}
		describeFindings(&out, rules.Check(analyzer.Analyze(program, config), rules.Selection{}))
	}
	return out.String()
}
