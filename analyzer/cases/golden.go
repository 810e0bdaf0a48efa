package cases

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Update is the flag -update of all tests that compare with files.
var Update = flag.Bool("update", false, "write what the tests compare with")

// Golden holds a text against a file, which -update writes.
func Golden(t testing.TB, path, got string) {
	t.Helper()
	if *Update {
		if err := os.WriteFile(path, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		t.Errorf("%s is missing. This writes it:\n\n\t%s -update\n", path, Command(t))
	case err != nil:
		t.Error(err)
	default:
		if diff := cmp.Diff(string(want), got); diff != "" {
			t.Errorf("%s (-want +got):\n%s\nIf this is right, write it:\n\n\t%s -update\n", path, diff, Command(t))
		}
	}
}

// Fill puts text between "<!-- begin NAME -->" and "<!-- end NAME -->" of a page.
func Fill(t testing.TB, page, name, text string) string {
	t.Helper()
	begin, end := "<!-- begin "+name+" -->\n", "<!-- end "+name+" -->"
	before, rest, ok1 := strings.Cut(page, begin)
	_, after, ok2 := strings.Cut(rest, end)
	if !ok1 || !ok2 {
		t.Fatalf("the page has no place for %q", name)
	}
	return before + begin + text + end + after
}

// Alone has a test that fails say how to run it alone.
func Alone(t testing.TB) {
	t.Helper()
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("This runs it alone:\n\n\t%s\n", Command(t))
		}
	})
}

// Command is what runs a test alone, from the root of the repository.
func Command(t testing.TB) string {
	t.Helper()
	folder, err := os.Getwd() // go test runs a test in the folder of its package
	if err != nil {
		t.Fatal(err)
	}
	root := folder
	for !exists(filepath.Join(root, "go.mod")) {
		if root == filepath.Dir(root) {
			t.Fatalf("no go.mod above %s", folder)
		}
		root = filepath.Dir(root)
	}
	folder, err = filepath.Rel(root, folder)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("go test ./%s -run '%s$'", filepath.ToSlash(folder), regexp.QuoteMeta(t.Name()))
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
