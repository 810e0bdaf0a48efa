//go:build !windows

package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestClientVanishes: a client that reads no longer does not kill the server by
// a signal; the server ends by itself and says why.
func TestClientVanishes(t *testing.T) {
	cmd := exec.Command("tfmem", "server")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	var errs strings.Builder
	cmd.Stdout, cmd.Stderr = write, &errs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	read.Close()
	write.Close()
	for id := range 3 {
		body := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"initialize","params":{"processId":null,"capabilities":{}}}`, id)
		if _, err := fmt.Fprintf(in, "Content-Length: %d\r\n\r\n%s", len(body), body); err != nil && !errors.Is(err, syscall.EPIPE) {
			t.Fatal(err)
		}
		time.Sleep(50 * time.Millisecond) // for the answer to fail
	}
	in.Close()
	err = cmd.Wait()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 1 || !strings.Contains(errs.String(), "without shutdown") {
		t.Errorf("the server ended with %v and said %q, want exit code 1 and why", err, errs.String())
	}
}

// TestWorkspaceIsWhatCheckSees: a pull of the workspace looks at the files that a check
// of its folder would, each as its settings have it.
func TestWorkspaceIsWhatCheckSees(t *testing.T) {
	folder := t.TempDir()
	const script = "import tensorflow as tf\n\nmodel = tf.keras.Sequential([tf.keras.layers.Dense(1)])\nmodel.fit(x, y)\n"
	for name, text := range map[string]string{
		"tfmem.toml": "exclude = [\"old\"]\n[per-file-ignores]\n\"quiet.py\" = [\"ALL\"]\n", ".gitignore": "generated.py\n", ".git/HEAD": "",
		"train.py": script, "old/a.py": script, "generated.py": script, "venv/b.py": script, "quiet.py": script, "readme.txt": script,
	} {
		path := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	out := converse(t, nil, "TFMEM_GPU=none",
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"processId":null,"rootUri":"file://`+folder+`","initializationOptions":{"diagnosticMode":"workspace"},"capabilities":{}}}`,
		`{"jsonrpc":"2.0","id":2,"method":"workspace/diagnostic","params":{"previousResultIds":[]}}`,
	)
	uris := regexp.MustCompile(`"uri":"file://[^"]*/([^/"]+)","version"`).FindAllStringSubmatch(out, -1)
	var names []string
	for _, m := range uris {
		names = append(names, m[1])
	}
	if strings.Join(names, " ") != "quiet.py train.py" || strings.Count(out, `"TFM101"`) != 1 {
		t.Errorf("files %q are reported in\n%s", names, out)
	}
}

// TestNoFindings: a server without findings gives hovers all the same.
func TestNoFindings(t *testing.T) {
	for _, flags := range [][]string{nil, {"--no-findings"}} {
		out := converse(t, flags, "TFMEM_GPU=none",
			`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"processId":null,"rootUri":null,"capabilities":{"textDocument":{"diagnostic":{}}}}}`,
			`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///t/train.py","languageId":"python","version":1,"text":"import tensorflow as tf\n\nmodel = tf.keras.Sequential([tf.keras.Input((8,)), tf.keras.layers.Dense(1)])\nmodel.fit(x, y)\n"}}}`,
			`{"jsonrpc":"2.0","id":2,"method":"textDocument/diagnostic","params":{"textDocument":{"uri":"file:///t/train.py"}}}`,
			`{"jsonrpc":"2.0","id":3,"method":"textDocument/hover","params":{"textDocument":{"uri":"file:///t/train.py"},"position":{"line":2,"character":70}}}`,
		)
		if has, want := strings.Contains(out, `"TFM101"`), flags == nil; has != want || !strings.Contains(out, "parameters") {
			t.Errorf("%q: TFM101 is reported: %t; a hover tells of parameters: %t", flags, has, strings.Contains(out, "parameters"))
		}
	}
}

// converse sends messages to a server, waits until it has answered each request of them, and
// returns all that it says until it has answered a shutdown.
func converse(t *testing.T, flags []string, env string, bodies ...string) string {
	t.Helper()
	cmd := exec.Command("tfmem", append([]string{"server"}, flags...)...)
	cmd.Env = append(os.Environ(), env)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	read, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	say := func(body string) {
		if _, err := fmt.Fprintf(in, "Content-Length: %d\r\n\r\n%s", len(body), body); err != nil {
			t.Fatal(err)
		}
	}
	buf := make([]byte, 1<<16)
	hear := func(id string) {
		answer := regexp.MustCompile(`"id":` + id + `,"(result|error)"`)
		for !answer.MatchString(out.String()) {
			n, err := read.Read(buf)
			if out.Write(buf[:n]); err != nil {
				t.Fatalf("the server ended with %v after\n%s", err, &out)
			}
		}
	}
	for _, body := range bodies {
		say(body)
	}
	for _, body := range bodies {
		if m := regexp.MustCompile(`^{"jsonrpc":"2.0","id":(\d+),`).FindStringSubmatch(body); m != nil {
			hear(m[1])
		}
	}
	say(`{"jsonrpc":"2.0","id":0,"method":"shutdown"}`)
	hear("0")
	in.Close()
	_ = cmd.Wait() // it ends without exit
	return out.String()
}

// TestServerGPU: which GPU a server knows, and whether it is named by the environment,
// by the editor's settings or by a file.
func TestServerGPU(t *testing.T) {
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "tfmem.toml"), []byte("gpu = \"T4\"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ env, editor, document, source, summary string }{
		{"TFMEM_GPU=24GiB", "{}", "a.py", "TFMEM_GPU", "a GPU of 24GiB (24.0 GiB, named by TFMEM_GPU)"},
		{"TFMEM_GPU=none", "{}", "", "TFMEM_GPU", "no GPU is known: the GPU is set to \\\"none\\\""},
		{"TFMEM_GPU=", "{}", "a.py", "settings", "Tesla T4 (15.0 GiB, named by tfmem.toml)"},
		{"TFMEM_GPU=", `{"gpu": "RTX 3090"}`, "a.py", "settings", "NVIDIA GeForce RTX 3090 (24.0 GiB, named by the editor's settings)"},
		{"TFMEM_GPU=", `{"gpu": "RTX 3090", "configurationPreference": "filesystemFirst"}`, "a.py", "settings", "Tesla T4 (15.0 GiB, named by tfmem.toml)"},
	} {
		params := "{}"
		if c.document != "" {
			params = `{"textDocument":{"uri":"file://` + folder + "/" + c.document + `"}}`
		}
		out := converse(t, nil, c.env,
			`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"processId":null,"rootUri":"file://`+folder+`","initializationOptions":{"settings":`+c.editor+`},"capabilities":{}}}`,
			`{"jsonrpc":"2.0","id":2,"method":"tfmem/gpu","params":`+params+`}`,
		)
		if !strings.Contains(out, `"source":"`+c.source+`"`) || !strings.Contains(out, c.summary) {
			t.Errorf("%s and %s: the answer is not from %q of %q:\n%s", c.env, c.editor, c.source, c.summary, out)
		}
	}
}

// TestServerInside: what settings name lies in the folder that is open, what the editor's
// user names may lie anywhere, and what is not read is told in the client's log.
func TestServerInside(t *testing.T) {
	folder := t.TempDir()
	write := func(name, text string) {
		path := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("t4.json", `{"devices": [{"name": "Tesla T4", "index": 0, "uuid": "GPU-1", "total_bytes": 4294967296}], "source": "nvml"}`)
	write("named/tfmem.toml", "gpu = \"../t4.json\"\n")
	write("named/train.py", "import tensorflow as tf\nfrom helper import f\nf()\n")
	write("odd/train.py", "import tensorflow as tf\nfrom helper import f\nf()\n")
	for _, name := range []string{"odd/helper.py", "odd/.gitignore"} {
		if err := syscall.Mkfifo(filepath.Join(folder, name), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	const outside = "it is outside the workspace "
	for _, c := range []struct{ open, document, settings, want string }{
		{"named", "named/train.py", `{"diagnosticMode": "workspace"}`, `"message":"tfmem: ` + folder + "/named/tfmem.toml:1:7: gpu: cannot read a GPU from " + folder + "/t4.json: " + outside + folder + "/named; copy it there"},
		{"", "named/train.py", "{}", "compared with Tesla T4 (4.00 GiB, named by tfmem.toml)"},
		{"odd", "odd/train.py", `{"diagnosticMode": "workspace", "gpu": "` + folder + `/t4.json"}`, "compared with Tesla T4 (4.00 GiB, named by the editor's settings)"},
	} {
		out := converse(t, nil, "TFMEM_GPU=",
			`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"processId":null,"rootUri":"file://`+filepath.Join(folder, c.open)+`","initializationOptions":{"settings":`+c.settings+`},"capabilities":{}}}`,
			`{"jsonrpc":"2.0","id":9,"method":"workspace/diagnostic","params":{"previousResultIds":[]}}`,
			`{"jsonrpc":"2.0","id":2,"method":"tfmem/gpu","params":{"textDocument":{"uri":"file://`+filepath.Join(folder, c.document)+`"}}}`,
		)
		if !strings.Contains(out, c.want) {
			t.Errorf("where %q is open the server does not say %q:\n%s", c.open, c.want, out)
		}
	}
	t.Setenv("TFMEM_GPU", "")
	first, err := newConfigurator(t.Context(), "", nil)
	if err != nil {
		t.Fatal(err)
	}
	for open, mistakes := range map[string]int{folder: 0, folder + "/named": 1, "/elsewhere": 1} {
		got := first.withEditor([]string{open}, nil).finder.Check(folder+"/named/tfmem.toml", []byte("gpu = \"../t4.json\"\n"))
		if len(got) != mistakes || mistakes > 0 && !strings.Contains(got[0].Err.Error(), outside+folder+"/named;") {
			t.Errorf("where %s is open the mistakes are %v", open, got)
		}
	}
	out := converse(t, nil, "TFMEM_GPU=none",
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"processId":null,"rootUri":"file://`+folder+`/odd","initializationOptions":{"diagnosticMode":"workspace"},"capabilities":{}}}`,
		`{"jsonrpc":"2.0","id":2,"method":"workspace/diagnostic","params":{"previousResultIds":[]}}`,
	)
	for _, want := range []string{
		"tfmem: " + folder + "/odd/.gitignore: it is a FIFO, not a regular file; what it ignores is searched",
		"tfmem: " + folder + "/odd/helper.py: it is a FIFO, not a regular file; it is not read",
	} {
		if strings.Count(out, want) != 1 {
			t.Errorf("the server does not say %q once:\n%s", want, out)
		}
	}
}
