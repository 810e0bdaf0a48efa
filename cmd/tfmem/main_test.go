package main

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/tfmem/tfmem/analyzer/cases"
)

func TestMain(m *testing.M) {
	// Else each program built with -race sleeps a second before it ends.
	os.Setenv("GORACE", "atexit_sleep_ms=0")
	// Only scripts keep results, each for itself. The programs that they start come here, too.
	if os.Getenv(cacheVariable) == "" {
		os.Setenv(cacheVariable, os.DevNull)
	}
	testscript.Main(m, commands)
}

// commands are the programs that tests can start by these names.
var commands = map[string]func(){"tfmem": main}

// TestScripts runs the cases of testdata/cli. Beside testscript's own commands
// they have
//
//	exits CODE PROGRAM [ARGUMENT]...   run a program that must exit with the code
//	bytes FILE PART...                 write a file
//	holds FILE PART...                 the file holds these bytes and no others
//
// where a part is text with Go's escapes ("\r\n", "\xff"), and "5000*(" repeats
// what follows the star. The condition [root] holds for the superuser, whom no
// permission stops.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "../../testdata/cli",
		UpdateScripts:       *cases.Update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(e *testscript.Env) error {
			e.Setenv("GORACE", os.Getenv("GORACE"))
			e.Setenv(cacheVariable, filepath.Join(e.WorkDir, ".tmp", "cache"))
			return nil
		},
		Condition: func(c string) (bool, error) {
			if c == "root" {
				return os.Getuid() == 0, nil
			}
			return false, fmt.Errorf("unknown condition %q", c)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": exits, "bytes": writeBytes, "holds": holds, "archive": archive,
		},
	})
}

func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE PROGRAM [ARGUMENT]...")
	}
	code := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%v", err)
		}
		code = exit.ExitCode()
	}
	if strconv.Itoa(code) != args[0] {
		ts.Fatalf("the exit code is %d, want %s", code, args[0])
	}
}

func writeBytes(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 {
		ts.Fatalf("usage: bytes FILE PART...")
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), parts(ts, args[1:]), 0o666))
}

func holds(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) < 1 {
		ts.Fatalf("usage: [!] holds FILE PART...")
	}
	got, want := []byte(ts.ReadFile(args[0])), parts(ts, args[1:])
	if bytes.Equal(got, want) == neg {
		ts.Fatalf("%s holds %q, compared with %q", args[0], got, want)
	}
}

var repeated = regexp.MustCompile(`^(\d+)\*`)

// archive makes a zip file of others, each under its own name: archive FILE ENTRY...
func archive(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: archive FILE ENTRY...")
	}
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for _, name := range args[1:] {
		w, err := z.Create(name)
		ts.Check(err)
		_, err = io.WriteString(w, ts.ReadFile(name))
		ts.Check(err)
	}
	ts.Check(z.Close())
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), out.Bytes(), 0o644))
}

func parts(ts *testscript.TestScript, args []string) []byte {
	var b bytes.Buffer
	for _, a := range args {
		n := 1
		if m := repeated.FindStringSubmatch(a); m != nil {
			n, _ = strconv.Atoi(m[1])
			a = a[len(m[0]):]
		}
		text, err := strconv.Unquote(`"` + strings.ReplaceAll(a, `"`, `\"`) + `"`)
		ts.Check(err)
		b.WriteString(strings.Repeat(text, n))
	}
	return b.Bytes()
}
