package main

import (
	"os/exec"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

// seconds are how long a stage took.
var seconds = regexp.MustCompile(` \d+ s `)

// TestStages: in CI's summary, what was skipped has not passed.
func TestStages(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("bash is not everywhere there")
	}
	for _, c := range []struct {
		name, stages, strict string
		want                 []string
		ok                   bool
	}{
		{"all pass", "stage one true\nstage two echo 'not SKIPPED: here'", "1", []string{"one 0 s passed", "two 0 s passed", "2 passed, 0 failed, 0 skipped"}, true},
		{"one is skipped", "stage one true\nstage two echo 'SKIPPED: no editor'", "", []string{"two 0 s SKIPPED: no editor", "1 passed, 0 failed, 1 skipped"}, true},
		{"strict", "stage one echo 'SKIPPED: no editor'", "1", []string{"0 passed, 0 failed, 1 skipped", "TFMEM_CI_STRICT is set"}, false},
		{"one fails", "stage one false\nstage two bash -c 'echo SKIPPED: this; exit 3'", "", []string{"one 0 s FAILED (exit 1)", "two 0 s FAILED (exit 3)", "0 passed, 2 failed, 0 skipped"}, false},
		{"parts are skipped", `stage one printf 'SKIPPED: %s\n' this that`, "", []string{"one 0 s SKIPPED: this;that", "0 passed, 0 failed, 1 skipped"}, true},
		{"tests are skipped", `stage one echo '12 tests passed, 0 failed, 3 skipped'`, "1", []string{"one 0 s passed; 3 tests were skipped"}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			cmd := exec.Command("bash", "-uo", "pipefail", "-c", ". .ci/stages\nmake_room() { :; }\n"+c.stages+"\nsummarize")
			cmd.Dir, cmd.Env = "../..", append(cmd.Environ(), "TFMEM_CI_STRICT="+c.strict)
			out, err := cmd.CombinedOutput()
			said := seconds.ReplaceAllString(strings.Join(strings.Fields(string(out)), " "), " 0 s ")
			for _, want := range c.want {
				if !strings.Contains(said, want) {
					t.Errorf("it does not say %q:\n%s", want, out)
				}
			}
			if (err == nil) != c.ok {
				t.Errorf("it ended with %v:\n%s", err, out)
			}
		})
	}
}

// TestSkippedTests: what go test -json writes is shown as go test shows it, with what was skipped.
func TestSkippedTests(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("there is no python3")
	}
	cmd := exec.Command(python, "../../.ci/skipped")
	cmd.Stdin = strings.NewReader(`{"Action":"start","Package":"example.org/a/b/c"}
{"Action":"run","Package":"example.org/a/b/c","Test":"TestA"}
{"Action":"output","Package":"example.org/a/b/c","Test":"TestA","Output":"=== RUN   TestA\n"}
{"Action":"output","Package":"example.org/a/b/c","Test":"TestA","Output":"    a_test.go:9: no compiler: none\n"}
{"Action":"output","Package":"example.org/a/b/c","Test":"TestA","Output":"--- SKIP: TestA (0.00s)\n"}
{"Action":"skip","Package":"example.org/a/b/c","Test":"TestA","Elapsed":0}
{"Action":"output","Package":"example.org/a/b/c","Test":"TestB","Output":"    b_test.go:9: wrong\n"}
{"Action":"output","Package":"example.org/a/b/c","Test":"TestB","Output":"--- FAIL: TestB (0.00s)\n"}
{"Action":"fail","Package":"example.org/a/b/c","Test":"TestB","Elapsed":0}
{"Action":"output","Package":"example.org/a/b/c","Test":"TestC","Output":"    c_test.go:9: a note\n"}
{"Action":"pass","Package":"example.org/a/b/c","Test":"TestC","Elapsed":0}
{"Action":"output","Package":"example.org/a/b/c","Test":"TestD","Output":"panic: it is over\n"}
not of go test
{"Action":"output","Package":"example.org/a/b/c","Output":"FAIL\n"}
{"Action":"output","Package":"example.org/a/b/c","Output":"FAIL\texample.org/a/b/c\t0.1s\n"}
{"Action":"fail","Package":"example.org/a/b/c","Elapsed":0.1}
{"ImportPath":"example.org/a/d","Action":"build-output","Output":"d.go:1: it does not build\n"}
`)
	out, err := cmd.CombinedOutput()
	const want = `    b_test.go:9: wrong
--- FAIL: TestB (0.00s)
not of go test
FAIL
FAIL	example.org/a/b/c	0.1s
d.go:1: it does not build
example.org/a/b/c TestD did not end
panic: it is over
1 tests passed, 1 failed, 1 skipped
  1 skipped: no compiler: none (c TestA)
`
	if err != nil || string(out) != want {
		t.Errorf("%v: it says\n%s", err, out)
	}
}
