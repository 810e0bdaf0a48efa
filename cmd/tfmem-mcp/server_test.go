package main

// The next version of the protocol does without roots. Clients have them until then.
//lint:file-ignore SA1019 clients of this version name their folders by roots

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestMain builds tfmem and this program side by side.
func TestMain(m *testing.M) {
	os.Exit(func() int {
		folder, err := os.MkdirTemp("", "tfmem-mcp-")
		if err != nil {
			panic(err)
		}
		defer os.RemoveAll(folder)
		build := exec.Command("go", "build", "-o", folder+string(filepath.Separator), ".", "../tfmem")
		build.Env = append(os.Environ(), "GOFLAGS=")
		if out, err := build.CombinedOutput(); err != nil {
			fmt.Fprintf(os.Stderr, "%v\n%s", err, out)
			return 1
		}
		os.Setenv("PATH", folder+string(os.PathListSeparator)+os.Getenv("PATH"))
		os.Setenv("TFMEM_CACHE_DIR", os.DevNull)
		os.Setenv("TFMEM_GPU", "")
		os.Setenv("KERAS_HOME", folder)
		return m.Run()
	}())
}

const (
	late = "import tensorflow as tf\n\nx = tf.zeros((2, 2))\nfor gpu in tf.config.list_physical_devices('GPU'):\n    tf.config.experimental.set_memory_growth(gpu, True)\n"
	wide = "import keras\n\nmodel = keras.Sequential([keras.Input((64, 64, 3)), keras.layers.Conv2D(16, 3)])\nmodel.compile('adam', 'mse')\nmodel.fit(x, y, batch_size=64)\n"
)

// project makes a folder with two programs, a file outside, and links to it. It returns the folder, and
// what lies outside.
func project(t *testing.T) (folder, outside string) {
	t.Helper()
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	folder, outside = filepath.Join(top, "project"), filepath.Join(top, "outside.py")
	if err := os.MkdirAll(filepath.Join(folder, "src"), 0o777); err != nil {
		t.Fatal(err)
	}
	for path, text := range map[string]string{filepath.Join(folder, "src", "late.py"): late, filepath.Join(folder, "train.py"): wide, outside: late, filepath.Join(top, "model.py"): wide, filepath.Join(top, "gpu.json"): "{}"} {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	// A repository that holds both has links inside it followed.
	if err := os.Mkdir(filepath.Join(top, ".git"), 0o777); err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS != "windows" {
		for link, to := range map[string]string{"linked.py": outside, "linked_model.py": filepath.Join(top, "model.py"), "up": top} {
			if err := os.Symlink(to, filepath.Join(folder, "src", link)); err != nil {
				t.Fatal(err)
			}
		}
	}
	return folder, outside
}

// A dial is how a test reaches the server.
type dial struct {
	folders []string // that are named at the start
	here    string   // the working directory
	roots   []string // of the client, as URIs
	rooted  bool     // the client has roots, if only none
	old     bool     // an older version of the protocol
	real    bool     // the program itself, and no pipe of this process
}

// connect connects a client of the SDK with the server.
func (d dial) connect(t *testing.T) *mcp.ClientSession {
	t.Helper()
	ctx := t.Context()
	options := &mcp.ClientOptions{Capabilities: &mcp.ClientCapabilities{}}
	if d.rooted || len(d.roots) > 0 {
		options.Capabilities.RootsV2 = &mcp.RootCapabilities{}
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, options)
	for _, uri := range d.roots {
		client.AddRoots(&mcp.Root{URI: uri})
	}
	var transport mcp.Transport
	if d.real {
		cmd := exec.Command("tfmem", append([]string{"mcp"}, d.folders...)...)
		cmd.Dir = d.here
		transport = &mcp.CommandTransport{Command: cmd}
	} else {
		s, err := newServer(d.folders)
		if err != nil {
			t.Fatal(err)
		}
		if d.here != "" {
			s.here = d.here
		}
		served, err := s.serve(ctx)
		if err != nil {
			t.Fatal(err)
		}
		ours, theirs := mcp.NewInMemoryTransports()
		if _, err := served.Connect(ctx, ours, nil); err != nil {
			t.Fatal(err)
		}
		transport = theirs
	}
	var connect *mcp.ClientSessionOptions
	if d.old {
		connect = &mcp.ClientSessionOptions{ProtocolVersion: "2025-06-18"}
	}
	session, err := client.Connect(ctx, transport, connect)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { session.Close() })
	return session
}

// call calls a tool. It returns the answer, or the words of its error.
func call(t *testing.T, session *mcp.ClientSession, tool string, arguments map[string]any) (answer map[string]any, refused string) {
	t.Helper()
	r, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		return nil, err.Error()
	}
	if r.IsError {
		var said []string
		for _, c := range r.Content {
			if text, ok := c.(*mcp.TextContent); ok {
				said = append(said, text.Text)
			}
		}
		return nil, strings.Join(said, "\n")
	}
	raw, err := json.Marshal(r.StructuredContent)
	if err == nil {
		err = json.Unmarshal(raw, &answer)
	}
	if err != nil {
		t.Fatalf("%s: %v", tool, err)
	}
	return answer, ""
}

func uri(folder string) string {
	return (&url.URL{Scheme: "file", Path: "/" + strings.TrimPrefix(filepath.ToSlash(folder), "/")}).String()
}

// at follows keys and indexes into an answer.
func at(value any, path ...any) any {
	for _, p := range path {
		switch v := value.(type) {
		case map[string]any:
			value = v[p.(string)]
		case []any:
			if p.(int) >= len(v) {
				return nil
			}
			value = v[p.(int)]
		}
	}
	return value
}

// TestTools calls each tool, in both generations of the protocol and in the program itself.
func TestTools(t *testing.T) {
	folder, _ := project(t)
	for name, d := range map[string]dial{
		"named":      {folders: []string{folder}},
		"roots":      {roots: []string{uri(folder)}},
		"old":        {roots: []string{uri(folder)}, old: true},
		"here":       {here: folder},
		"here, old":  {here: folder, old: true, rooted: true},
		"real":       {here: folder, real: true},
		"real, root": {roots: []string{uri(folder)}, real: true, old: true},
	} {
		t.Run(name, func(t *testing.T) {
			session := d.connect(t)
			list, err := session.ListTools(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			var names []string
			for _, tool := range list.Tools {
				names = append(names, tool.Name)
				if tool.InputSchema == nil || tool.OutputSchema == nil || tool.Annotations.ReadOnlyHint == (tool.Name == "fix") {
					t.Errorf("%s: the schemas are %v and %v, %+v", tool.Name, tool.InputSchema, tool.OutputSchema, tool.Annotations)
				}
				for name, p := range tool.InputSchema.(map[string]any)["properties"].(map[string]any) {
					if _, ok := at(p, "type").(string); !ok || at(p, "description") == nil {
						t.Errorf("%s: the argument %s is %v", tool.Name, name, p)
					}
				}
			}
			slices.Sort(names)
			if got := strings.Join(names, " "); got != "check estimate explain fix gpu plan rule" {
				t.Errorf("the tools are %s", got)
			}
			answer := func(tool string, arguments map[string]any) map[string]any {
				a, refused := call(t, session, tool, arguments)
				if refused != "" {
					t.Errorf("%s: %s", tool, refused)
				}
				return a
			}
			found := answer("check", nil)
			if at(found, "findings", 0, "code") != "TFM102" || at(found, "findings", 0, "filename") != filepath.Join("src", "late.py") {
				t.Errorf("check finds %v", found)
			}
			if all := answer("estimate", nil); len(all["models"].([]any)) != 1 || strings.Contains(fmt.Sprint(found["findings"], all["models"]), "linked") {
				t.Errorf("links are followed outside: %v, %v", found, all)
			}
			if few := answer("check", map[string]any{"select": []string{"TFM1"}, "limit": 1, "paths": []string{"src", "train.py"}, "gpu": "none"}); len(few["findings"].([]any)) != 1 || few["left_out"] != 1.0 {
				t.Errorf("check with a limit finds %v", few)
			}
			shown := answer("fix", map[string]any{"paths": []string{"src/late.py"}})
			if text, _ := os.ReadFile(filepath.Join(folder, "src", "late.py")); shown["applied"] != false || !strings.Contains(shown["diff"].(string), "-x = tf.zeros((2, 2))") && !strings.Contains(shown["diff"].(string), "+x = tf.zeros((2, 2))") || string(text) != late {
				t.Errorf("fix shows %v, and the file is\n%s", shown, text)
			}
			price := answer("estimate", map[string]any{"paths": []string{"train.py"}, "gpu": "T4"})
			if at(price, "models", 0, "verdict") == nil || at(price, "models", 0, "batch_size") != 64.0 || at(price, "models", 0, "layers") != nil || at(price, "gpu", "name") != "Tesla T4" {
				t.Errorf("estimate says %v", price)
			}
			if price := answer("estimate", map[string]any{"paths": []string{"train.py"}, "gpu": "none", "batch_size": 8, "layers": true}); at(price, "models", 0, "batch_size") != 8.0 || at(price, "models", 0, "layers", 0, "type") != "Conv2D" || price["gpu"] != nil {
				t.Errorf("estimate of batches of 8 says %v", price)
			}
			why := answer("explain", map[string]any{"log": "ResourceExhaustedError: OOM when allocating tensor with shape[64,62,62,16] and type float on /job:localhost/replica:0/task:0/device:GPU:0 by allocator GPU_0_bfc", "sources": []string{"train.py"}})
			if at(why, "explanations", 0, "sentence") == nil {
				t.Errorf("explain says %v", why)
			}
			if one := answer("rule", map[string]any{"code": "TFM102"}); at(one, "rules", 0, "name") != "memory-growth-after-init" || at(one, "rules", 0, "what") == nil {
				t.Errorf("rule says %v", one)
			}
			if all := answer("rule", nil); len(all["rules"].([]any)) < 60 || at(all, "rules", 0, "what") != nil {
				t.Errorf("rule lists %v", all)
			}
			if card := answer("gpu", map[string]any{"name": "T4"}); at(card, "devices", 0, "share", "pool_bytes") == nil {
				t.Errorf("gpu says %v", card)
			}
			if plans := answer("plan", map[string]any{"path": "train.py", "gpu": "T4"}); at(plans, "before", "verdict") == nil {
				t.Errorf("plan says %v", plans)
			}
			pages, err := session.ListResources(t.Context(), nil)
			if err != nil || len(pages.Resources) < 60 {
				t.Fatalf("there are %d resources, %v", len(pages.Resources), err)
			}
			page, err := session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "tfmem://rules/TFM102"})
			if err != nil || !strings.Contains(page.Contents[0].Text, "memory-growth-after-init") {
				t.Errorf("the page of a rule is %v, %v", page, err)
			}
		})
	}
}

// TestFix writes only where that is asked for, and only files inside.
func TestFix(t *testing.T) {
	folder, outside := project(t)
	session := dial{folders: []string{folder}, real: true}.connect(t)
	fixed, refused := call(t, session, "fix", map[string]any{"apply": true})
	if refused != "" || fixed["applied"] != true || !strings.Contains(fixed["diff"].(string), "late.py") {
		t.Fatalf("fix says %v%s", fixed, refused)
	}
	if text, _ := os.ReadFile(filepath.Join(folder, "src", "late.py")); string(text) == late {
		t.Error("nothing was written")
	}
	if text, _ := os.ReadFile(outside); string(text) != late {
		t.Errorf("through a link it wrote\n%s", text)
	}
	if runtime.GOOS != "windows" && !strings.Contains(fmt.Sprint(fixed["notes"]), "linked.py") {
		t.Errorf("of the link it says %v", fixed["notes"])
	}
	if again, refused := call(t, session, "fix", map[string]any{"apply": true, "paths": []string{"src/late.py"}}); refused != "" || again["applied"] != false || again["diff"] != "" {
		t.Errorf("a second time it says %v%s", again, refused)
	}
}

// TestRefused are calls that a server must survive, and that reach nothing outside.
func TestRefused(t *testing.T) {
	folder, outside := project(t)
	session := dial{folders: []string{folder}}.connect(t)
	long := strings.Repeat("x", 1<<20)
	nowhere := "there is no file or folder "
	for name, c := range map[string]struct {
		tool      string
		arguments map[string]any
		says      string
	}{
		"outside":     {"check", map[string]any{"paths": []string{outside}}, nowhere},
		"up":          {"check", map[string]any{"paths": []string{"../outside.py"}}, nowhere},
		"in and out":  {"estimate", map[string]any{"paths": []string{"src/../../outside.py"}}, nowhere},
		"link":        {"fix", map[string]any{"paths": []string{"src/linked.py"}, "apply": true}, nowhere},
		"folder link": {"check", map[string]any{"paths": []string{"src/up"}}, nowhere},
		"through":     {"check", map[string]any{"paths": []string{"src/up/outside.py"}}, nowhere},
		"absent":      {"check", map[string]any{"paths": []string{"absent.py"}}, nowhere},
		"pattern":     {"check", map[string]any{"paths": []string{"../*.py"}}, nowhere},
		"flag":        {"check", map[string]any{"paths": []string{"--fix"}}, nowhere},
		"flag of gpu": {"check", map[string]any{"gpu": "--fix"}, "--fix"},
		"input":       {"estimate", map[string]any{"paths": []string{"-"}}, nowhere},
		"gpu file":    {"gpu", map[string]any{"name": "../gpu.json"}, nowhere},
		"gpu":         {"estimate", map[string]any{"paths": []string{"train.py"}, "gpu": "T44"}, "T44"},
		"rule":        {"rule", map[string]any{"code": "TFM9999"}, "there is no rule"},
		"rule flag":   {"rule", map[string]any{"code": "--all"}, "there is no rule"},
		"batch":       {"estimate", map[string]any{"paths": []string{"train.py"}, "batch_size": -1}, "batch"},
		"log":         {"explain", map[string]any{"path": "../outside.py"}, nowhere},
		"logs":        {"explain", map[string]any{"path": "train.py", "log": "x"}, "give the log, or the path"},
		"no log":      {"explain", nil, "give the log, or the path"},
		"source":      {"explain", map[string]any{"log": "OOM", "sources": []string{outside}}, nowhere},
		"long path":   {"check", map[string]any{"paths": []string{long}}, "is no path"},
		"long word":   {"check", map[string]any{"select": []string{long}}, "is too long"},
		"long gpu":    {"check", map[string]any{"gpu": long}, "is too long"},
		"long log":    {"explain", map[string]any{"log": strings.Repeat(long, 9)}, "the log has more than 8 MiB"},
		"many paths":  {"check", map[string]any{"paths": slices.Repeat([]string{"train.py"}, 5000)}, "too many"},
		"type":        {"check", map[string]any{"paths": 7}, "paths"},
		"extra":       {"check", map[string]any{"fix": true}, "fix"},
		"zero":        {"check", map[string]any{"paths": []string{"a\x00.py"}}, "is no path"},
		"plan":        {"plan", map[string]any{"path": outside, "gpu": "T4"}, nowhere},
		"tool":        {"shell", nil, "shell"},
	} {
		if runtime.GOOS == "windows" && strings.Contains(name, "link") {
			continue
		}
		answer, refused := call(t, session, c.tool, c.arguments)
		if !strings.Contains(refused, c.says) || refused == "" {
			t.Errorf("%s: it says %.300v%.300s", name, answer, refused)
		}
		if len(refused) > 2000 {
			t.Errorf("%s: the refusal has %d bytes", name, len(refused))
		}
	}
	if _, err := session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "tfmem://rules/--all"}); err == nil {
		t.Error("a page is read that is not listed")
	}
	if text, _ := os.ReadFile(outside); string(text) != late {
		t.Error("a file outside changed")
	}
	if _, refused := call(t, session, "check", nil); refused != "" {
		t.Errorf("after all that it says %s", refused)
	}
}

// TestRoots are folders that clients name, and those that they do not.
func TestRoots(t *testing.T) {
	folder, outside := project(t)
	for name, c := range map[string]struct {
		dial
		says string
	}{
		"none of this machine": {dial{here: folder, roots: []string{"https://example.org/a", "file://other/a", uri(outside)}}, "none of the client's roots"},
		"one":                  {dial{here: folder, roots: []string{"https://example.org/a", uri(folder)}}, ""},
		"another":              {dial{here: folder, roots: []string{uri(filepath.Join(folder, "src"))}}, "there is no file or folder train.py"},
		"named before roots":   {dial{folders: []string{filepath.Join(folder, "src")}, roots: []string{uri(folder)}}, "there is no file or folder train.py"},
		"whole machine":        {dial{here: string(filepath.Separator)}, "start it as tfmem mcp FOLDER"},
	} {
		if runtime.GOOS == "windows" && name == "whole machine" {
			continue
		}
		for _, old := range []bool{false, true} {
			c.dial.old = old
			_, refused := call(t, c.connect(t), "check", map[string]any{"paths": []string{"train.py"}})
			if !strings.Contains(refused, c.says) || (refused == "") != (c.says == "") {
				t.Errorf("%s: it says %q", name, refused)
			}
		}
	}
	if code := run([]string{filepath.Join(folder, "absent")}, io.Discard); code != 2 {
		t.Errorf("an absent folder ends it with %d", code)
	}
	if code := run([]string{"--http"}, io.Discard); code != 2 {
		t.Errorf("a flag ends it with %d", code)
	}
}

// TestEnds ends the run of tfmem with its call, and with the client: in the program itself, by the lines
// that a client writes.
func TestEnds(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no shell script")
	}
	folder, _ := project(t)
	path, err := exec.LookPath("tfmem-mcp")
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for name, ends := range map[string]func(in io.WriteCloser, server *os.Process){
		"cancelled": func(in io.WriteCloser, _ *os.Process) {
			fmt.Fprintln(in, `{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 2}}`)
		},
		"closed":     func(in io.WriteCloser, _ *os.Process) { in.Close() },
		"terminated": func(_ io.WriteCloser, server *os.Process) { _ = server.Signal(syscall.SIGTERM) },
	} {
		t.Run(name, func(t *testing.T) {
			bin := t.TempDir()
			alive := filepath.Join(bin, "alive") // grows as long as a process of the run lives
			script := "#!/bin/sh\ncase $1 in version) echo tfmem 1;; rule) echo '[]';; *) (while sleep 0.05; do echo >>" + alive + "; done) & wait;; esac\n"
			for file, text := range map[string]string{"tfmem": script, "tfmem-mcp": string(program)} {
				if err := os.WriteFile(filepath.Join(bin, file), []byte(text), 0o777); err != nil {
					t.Fatal(err)
				}
			}
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			server := exec.CommandContext(ctx, filepath.Join(bin, "tfmem-mcp"), folder)
			server.Stderr = os.Stderr
			in, err := server.StdinPipe()
			if err == nil {
				err = server.Start()
			}
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintln(in, `{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}}`)
			fmt.Fprintln(in, `{"jsonrpc": "2.0", "method": "notifications/initialized"}`)
			fmt.Fprintln(in, `{"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "check", "arguments": {}}}`)
			grown := func() int64 {
				info, err := os.Stat(alive)
				if err != nil {
					return 0
				}
				return info.Size()
			}
			for begun := time.Now(); grown() == 0; time.Sleep(10 * time.Millisecond) {
				if time.Since(begun) > 20*time.Second {
					t.Fatal("it does not begin")
				}
			}
			ends(in, server.Process)
			for begun, before := time.Now(), int64(0); before != grown(); time.Sleep(time.Second) {
				if before = grown(); time.Since(begun) > 20*time.Second {
					t.Error("its processes go on")
					_ = server.Process.Signal(syscall.SIGKILL)
					return
				}
			}
			in.Close()
			if err := server.Wait(); err != nil {
				t.Errorf("the server ends with %v", err)
			}
		})
	}
}
