package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/tfmem/tfmem/analyzer/cases"
	counted "github.com/tfmem/tfmem/analyzer/folders"
	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/analyzer/project"
	"github.com/tfmem/tfmem/analyzer/tally"
	"github.com/tfmem/tfmem/rules/baseline"
	"github.com/tfmem/tfmem/rules/rule"
	"github.com/tfmem/tfmem/rules/settings"
)

// TestConversations runs the conversations in testdata/lsp. Each starts with a description,
// followed by sections, in order:
//
//	-- client --  a message to the server, less "jsonrpc". A string "$name"
//	              stands for the section of that name, "$$" for "$".
//	-- body --    a body that is sent with its header and without a change
//	-- bytes --   a quoted Go string that is sent as it is
//	-- server --  the message the server must send: of those not yet consumed
//	              the first of that method and document, or the response of that id. It is
//	              compared whole; only a string "<any>" matches anything.
//	-- applied N --  the text of the document that the N-th action, from 0, of
//	              the last response edits, after it; 0 is one that was resolved
//	-- text URI --  the text that the client has
//	-- file PATH --  a file on disk, from here on; where it is empty, none. Only
//	              where there is such a section does the server see a disk at all
//	-- gpus --    what is found where GPUs are looked for, from here on: a Detection.
//	              Only where there is such a section does the server look for any;
//	              else the settings name one
//	-- measured --  the last measurement, as JSON: the Text that was measured, and
//	              a Measurement
//	-- end --     what Serve returns, "ok" for nil. Without it the client sends
//	              shutdown and exit, and it must be nil.
//
// Any other section is a text for "$name". An unexpected message fails the conversation.
func TestConversations(t *testing.T) {
	files, err := filepath.Glob("../testdata/lsp/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("there are no conversations: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			t.Parallel()
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			c := &conversation{sections: sections(string(data)), texts: map[string]string{}}
			var options Options
			if slices.ContainsFunc(c.sections, func(s *section) bool { return strings.HasPrefix(s.name, "file ") }) {
				c.disk = &disk{files: map[string]string{}}
				options.Files = c.disk
				options.Scope = func(ctx context.Context, folders []string, editor func(string) *settings.Editor, warn func(error)) Scope {
					scope := c.disk.scope(ctx, folders, editor, warn)
					scope.Configure = func(path string) (Configuration, error) { return c.configure(path, folders, editor(path)) }
					return scope
				}
			}
			options.Configure, options.Editor = c.configure, c.disk.editor
			if i := slices.IndexFunc(c.sections, func(s *section) bool { return s.name == "gpus" }); i >= 0 {
				c.find(t, c.sections[i].data)
				options.Devices = func(context.Context) Detection { return *c.found.Load() }
			}
			if i := slices.IndexFunc(c.sections, func(s *section) bool { return s.name == "measured" }); i >= 0 {
				var last struct {
					Text        string
					Measurement Measurement
				}
				if err := json.Unmarshal([]byte(c.sections[i].data), &last); err != nil {
					t.Fatal(err)
				}
				options.Measured = func(_, text string) *Measurement {
					if text != last.Text {
						return nil
					}
					return &last.Measurement
				}
			}
			options.GPUs = []string{"Probe 8000", "Probe 9000"}
			options.CheckSettings = c.disk.checkSettings
			c.wire = dialWith(context.Background(), t, options)
			if strings.TrimSpace(c.sections[0].data) == "" {
				t.Error("the conversation does not say what it shows")
			}
			c.hold()
			if *cases.Update {
				if err := os.WriteFile(file, []byte(format(c.sections)), 0o666); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// A section is what follows a line "-- name --". The text before the first such line is a section
// without a name.
type section struct{ name, data string }

var heading = regexp.MustCompile(`(?m)^-- (.+) --\n`)

func sections(text string) []*section {
	headings := heading.FindAllStringSubmatchIndex(text, -1)
	out := []*section{{}}
	from := 0
	for _, h := range headings {
		out[len(out)-1].data = text[from:h[0]]
		out = append(out, &section{name: text[h[2]:h[3]]})
		from = h[1]
	}
	out[len(out)-1].data = text[from:]
	return out
}

func format(sections []*section) string {
	var b strings.Builder
	for _, s := range sections {
		if s.name != "" {
			fmt.Fprintf(&b, "-- %s --\n", s.name)
		}
		b.WriteString(s.data)
	}
	return b.String()
}

type conversation struct {
	*wire
	sections []*section
	encoding string
	texts    map[string]string // as the client has them, by URI
	last     message           // the last response
	disk     *disk
	found    atomic.Pointer[Detection] // the GPUs; nil if there is no detection
}

// find sets the GPUs that are found from here on.
func (c *conversation) find(t testing.TB, data string) {
	t.Helper()
	var found Detection
	if err := json.Unmarshal([]byte(data), &found); err != nil {
		t.Fatalf("%v in\n%s", err, data)
	}
	c.found.Store(&found)
}

// configure returns the configuration of a file from the files on disk and the editor's settings.
func (c *conversation) configure(path string, folders []string, editor *settings.Editor) (Configuration, error) {
	how, err := c.disk.configure(path, folders, editor)
	if how.Devices == nil && c.found.Load() == nil {
		how.Devices = func() []memory.Device { return aGPU(context.Background()) }
	}
	return how, err
}

// A disk is a file system in memory.
type disk struct {
	mu    sync.Mutex
	files map[string]string
}

func (d *disk) Kind(path string) project.Kind {
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, ok := d.files[path]; ok {
		return project.File
	}
	for p := range d.files {
		if strings.HasPrefix(p, path+"/") {
			return project.Folder
		}
	}
	return project.Nothing
}

func (d *disk) Read(path string) (string, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if text, ok := d.files[path]; ok {
		return text, nil
	}
	return "", os.ErrNotExist
}

func (d *disk) Head(path string) (string, error) {
	if d.Kind(path) != project.Folder {
		return d.Read(path)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	all := fstest.MapFS{}
	for name := range d.files {
		all[strings.TrimPrefix(name, "/")] = &fstest.MapFile{}
	}
	list := func(folder string) ([]fs.DirEntry, error) { return all.ReadDir(strings.TrimPrefix(folder, "/")) }
	return counted.Read(path, list, func(string) bool { return false })
}

func (d *disk) Lines(path string) (string, error) {
	text, err := d.Read(path)
	if err != nil {
		return "", err
	}
	return tally.Read(strings.NewReader(text))
}

func (*disk) Real(path string) string { return path }

func (d *disk) List(folder string, keep func(string) bool) ([]string, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	var names []string
	for path := range d.files {
		if rest, ok := strings.CutPrefix(path, folder+"/"); ok {
			if name, _, _ := strings.Cut(rest, "/"); keep(name) {
				names = append(names, name)
			}
		}
	}
	return names, nil
}

// scope returns all Python files and notebooks of the folders.
func (d *disk) scope(_ context.Context, folders []string, editor func(string) *settings.Editor, _ func(error)) Scope {
	d.mu.Lock()
	defer d.mu.Unlock()
	scope := Scope{Read: d.Read, Configure: func(path string) (Configuration, error) { return d.configure(path, folders, editor(path)) }}
	for path := range d.files {
		within := slices.ContainsFunc(folders, func(f string) bool { return strings.HasPrefix(path, f+"/") })
		if ext := filepath.Ext(path); within && (ext == ".py" || ext == ".ipynb") {
			scope.Files = append(scope.Files, path)
		}
	}
	slices.Sort(scope.Files)
	return scope
}

// settings finds the settings in files on disk. Without a disk there are none.
func (d *disk) settings() *settings.Finder {
	return &settings.Finder{GPU: probes, Read: func(path string) ([]byte, error) {
		if d == nil {
			return nil, os.ErrNotExist
		}
		text, err := d.Read(path)
		return []byte(text), err
	}}
}

// probes knows two GPUs.
func probes(setting, _, _ string) (string, error) {
	if !slices.Contains([]string{"none", "Probe 8000", "Probe 80000"}, setting) {
		return "", fmt.Errorf("there is no GPU %q", setting)
	}
	return setting, nil
}

// checkSettings finds mistakes in a settings file.
func (d *disk) checkSettings(path, text string, _ []string) []settings.Mistake {
	return d.settings().Check(path, []byte(text))
}

func (d *disk) editor(object []byte, folder string, _ []string) (*settings.Editor, []error) {
	return d.settings().Editor(object, folder)
}

// configure returns the configuration of a file from the files on disk and the editor's settings.
// It has no devices if these name no GPU.
func (d *disk) configure(path string, _ []string, editor *settings.Editor) (Configuration, error) {
	s, err := d.settings().For(path)
	if err != nil {
		s = &settings.Settings{}
	}
	s = editor.With(s)
	how := Configuration{Selection: s.Selection(path), InlayHints: s.InlayHints, Page: func(r *rule.Rule) string {
		if s.DocsURL != "" {
			return r.URL(s.DocsURL)
		}
		return "file:///cache/rules/" + r.Code + ".html"
	}}
	if s.GPU != "" {
		var devices []memory.Device
		if size, ok := strings.CutPrefix(s.GPU, "Probe "); ok {
			n, _ := strconv.ParseInt(size, 10, 64)
			devices = []memory.Device{{Name: s.GPU, Total: n / 1000 << 30, Major: 8, Minor: 6, Source: "named by " + s.GPUFrom}}
		}
		how.Devices = func() []memory.Device { return devices }
	}
	if s.Baseline != "" && err == nil {
		how.Baseline = baseline.New(s.Baseline)
		if text, missing := d.Read(s.Baseline); missing == nil {
			how.Baseline, err = baseline.Parse(s.Baseline, []byte(text))
		}
	}
	return how, err
}

func (d *disk) set(path, text string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.files[path] = text; text == "" {
		delete(d.files, path)
	}
}

func (c *conversation) hold() {
	c.t.Helper()
	ended := false
	for i, section := range c.sections[1:] {
		data := strings.TrimRight(section.data, "\n")
		verb, arg, _ := strings.Cut(section.name, " ")
		switch verb {
		case "client":
			m := c.substitute(c.parse(data)).(map[string]any)
			c.follow(m)
			c.send(m)
		case "body":
			c.body(data)
		case "bytes":
			s, err := strconv.Unquote(data)
			if err != nil {
				c.t.Fatalf("section %d, bytes: %v", i, err)
			}
			c.raw(s)
		case "server":
			c.server(section, data)
		case "gpus":
			c.find(c.t, data)
		case "file":
			c.disk.set(arg, section.data)
		case "applied":
			n, _ := strconv.Atoi(arg)
			c.compare(section, c.applied(n))
		case "text":
			c.compare(section, c.texts[arg])
		case "end":
			ended = true
			rest, err := c.wait()
			got := "ok"
			if err != nil {
				got = err.Error()
			}
			c.compare(section, got)
			c.nothingIn(rest)
		}
	}
	if !ended {
		rest, err := c.end()
		if err != nil {
			c.t.Errorf("Serve returned %v", err)
		}
		c.nothingIn(rest)
	}
}

func (c *conversation) nothingIn(rest []message) {
	c.t.Helper()
	for _, m := range rest {
		c.t.Errorf("nobody expected\n%s", pretty(m, ""))
	}
}

// compare compares a text section, without its final line break.
func (c *conversation) compare(section *section, got string) {
	c.t.Helper()
	want := strings.TrimSuffix(section.data, "\n")
	got = strings.TrimSuffix(got, "\n")
	if *cases.Update {
		section.data = got + "\n"
		return
	}
	if diff := cmp.Diff(want, got); diff != "" {
		c.t.Errorf("%s is not as expected (-want +got):\n%s", section.name, diff)
	}
}

func (c *conversation) parse(data string) map[string]any {
	c.t.Helper()
	var v map[string]any
	if err := json.Unmarshal([]byte(data), &v); err != nil {
		c.t.Fatalf("%v in\n%s", err, data)
	}
	return v
}

// substitute replaces "$name" by the text of the section.
func (c *conversation) substitute(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for k, e := range v {
			v[k] = c.substitute(e)
		}
	case []any:
		for i, e := range v {
			v[i] = c.substitute(e)
		}
	case string:
		if name, ok := strings.CutPrefix(v, "$"); ok && !strings.HasPrefix(v, "$/") {
			if strings.HasPrefix(name, "$") {
				return name
			}
			for _, s := range c.sections {
				if s.name == name {
					return s.data
				}
			}
			c.t.Fatalf("there is no section %q", name)
		}
	}
	return v
}

// follow keeps the client's own copy of a document.
func (c *conversation) follow(m map[string]any) {
	params, _ := m["params"].(map[string]any)
	document, _ := params["textDocument"].(map[string]any)
	uri, _ := document["uri"].(string)
	switch m["method"] {
	case "textDocument/didOpen":
		c.texts[uri], _ = document["text"].(string)
	case "textDocument/didChange":
		changes, _ := params["contentChanges"].([]any)
		for _, ch := range changes {
			ch, _ := ch.(map[string]any)
			text, ok := ch["text"].(string)
			if r, partial := ch["range"]; ok && partial {
				c.texts[uri] = modelEdit(c.texts[uri], c.encoding, r, text)
			} else if ok {
				c.texts[uri] = text
			}
		}
	}
}

// server takes the message that the section expects and compares it.
func (c *conversation) server(section *section, data string) {
	c.t.Helper()
	if *cases.Update && data == "" {
		section.data = pretty(c.take(func(message) bool { return true }), "") + "\n"
		return
	}
	want := c.substitute(c.parse(data)).(map[string]any)
	got := c.take(func(m message) bool {
		return m["method"] == want["method"] && (want["id"] == "<any>" || m["id"] == want["id"]) && (uriIn(want) == nil || uriIn(m) == uriIn(want))
	})
	diff := cmp.Diff(want, map[string]any(got), cmp.FilterValues(func(a, b any) bool { return a == "<any>" || b == "<any>" }, cmp.Ignore()))
	switch {
	case diff == "":
	case *cases.Update:
		section.data = pretty(got, "") + "\n"
	default:
		c.t.Errorf("the server did not say what was expected (-want +got):\n%s", diff)
	}
}

// uriIn returns the document that a message is about, if it names one: the order in which
// documents are analysed is not fixed.
func uriIn(m message) any {
	params, _ := m["params"].(map[string]any)
	return params["uri"]
}

func (c *conversation) take(matches func(message) bool) message {
	c.t.Helper()
	m := c.expect("what the next section expects", matches)
	if m["jsonrpc"] != "2.0" {
		c.t.Errorf("%v is not JSON-RPC 2.0", m)
	}
	delete(m, "jsonrpc")
	if m["method"] == nil {
		c.last = m
	}
	result, _ := m["result"].(map[string]any)
	if caps, ok := result["capabilities"].(map[string]any); ok {
		c.encoding, _ = caps["positionEncoding"].(string)
	}
	return m
}

// applied returns a document after the edit of an action of the last response.
func (c *conversation) applied(n int) string {
	c.t.Helper()
	actions, ok := c.last["result"].([]any)
	if !ok {
		actions = []any{c.last["result"]} // one that was resolved
	}
	if n >= len(actions) {
		c.t.Fatalf("the last response has no action %d: %v", n, c.last)
	}
	edit := actions[n].(map[string]any)["edit"].(map[string]any)
	if changes, ok := edit["changes"].(map[string]any); ok && len(changes) == 1 {
		for uri, edits := range changes {
			return modelEdits(c.texts[uri], c.encoding, edits.([]any))
		}
	}
	if changes, ok := edit["documentChanges"].([]any); ok && len(changes) == 1 {
		change := changes[0].(map[string]any)
		uri := change["textDocument"].(map[string]any)["uri"].(string)
		return modelEdits(c.texts[uri], c.encoding, change["edits"].([]any))
	}
	c.t.Fatalf("the edit does not concern one document: %v", edit)
	return ""
}

// pretty formats JSON, with short values on one line.
func pretty(v any, indent string) string {
	open, end, parts := "", "", []string(nil)
	switch v := v.(type) {
	case message:
		return pretty(map[string]any(v), indent)
	case map[string]any:
		open, end = "{", "}"
		for _, k := range slices.Sorted(maps.Keys(v)) {
			parts = append(parts, fmt.Sprintf("%q: %s", k, pretty(v[k], indent+"  ")))
		}
	case []any:
		open, end = "[", "]"
		for _, e := range v {
			parts = append(parts, pretty(e, indent+"  "))
		}
	default:
		var b strings.Builder
		enc := json.NewEncoder(&b)
		enc.SetEscapeHTML(false)
		_ = enc.Encode(v) // it came from JSON
		return strings.TrimSuffix(b.String(), "\n")
	}
	if short := open + strings.Join(parts, ", ") + end; len(indent)+len(short) <= 100 && !strings.Contains(short, "\n") {
		return short
	}
	inner := "\n" + indent + "  "
	return open + inner + strings.Join(parts, ","+inner) + "\n" + indent + end
}
