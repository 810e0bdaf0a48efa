package main

import (
	"bytes"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/tfmem/tfmem/rules"
)

// TestRulePages: the address of a page leads to a file with what the rule says, whoever else asks,
// and one of another version is replaced; tfmem clean removes it.
func TestRulePages(t *testing.T) {
	cache := filepath.Join(t.TempDir(), "ca che")
	t.Setenv(cacheVariable, cache)
	r := rules.Lookup("TFM102")
	path := filepath.Join(cache, "rules", "TFM102.html")
	read := func(address string) string {
		t.Helper()
		u, err := url.Parse(address)
		if err != nil || u.Scheme != "file" || filepath.FromSlash(u.Path) != path && filepath.FromSlash(u.Path[1:]) != path {
			t.Fatalf("the address is %q, %v", address, err)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	pages := newRulePages()
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() { pages.of(r) })
		group.Go(func() { newRulePages().of(r) })
	}
	group.Wait()
	var want bytes.Buffer
	if err := writeRulePage(&want, r); err != nil {
		t.Fatal(err)
	}
	if got := read(pages.of(r)); got != want.String() {
		t.Errorf("the page is\n%s", got)
	}
	if err := os.WriteFile(path, []byte("of another version"), 0o666); err != nil {
		t.Fatal(err)
	}
	if got := read(newRulePages().of(r)); got != want.String() {
		t.Errorf("the page of another version stays:\n%s", got)
	}
	if left, _ := filepath.Glob(filepath.Join(cache, "rules", "*")); len(left) != 1 {
		t.Errorf("there lie %q", left)
	}
	if n := cleanRulePages(cache); n != 1 {
		t.Errorf("%d pages were removed", n)
	}
	if _, err := os.Stat(filepath.Join(cache, "rules")); !os.IsNotExist(err) {
		t.Errorf("the folder is still there: %v", err)
	}
	t.Setenv(cacheVariable, path+"/gone")
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if got := newRulePages().of(r); got != "" {
		t.Errorf("there is no folder, and the address is %q", got)
	}
}

// TestRulePage: every rule has a page, without a script and without an element that loads something.
func TestRulePage(t *testing.T) {
	for _, r := range rules.All {
		var page strings.Builder
		if err := writeRulePage(&page, r); err != nil {
			t.Errorf("%s: %v", r.Code, err)
		}
		text := page.String()
		for _, bad := range []string{"<script", "<link", "<img", "src=", "raw HTML omitted", "```"} {
			if strings.Contains(text, bad) {
				t.Errorf("%s: its page has %q", r.Code, bad)
			}
		}
		if !strings.Contains(text, "<h1>"+r.Name+" ("+r.Code+")</h1>") {
			t.Errorf("%s: its page has no heading", r.Code)
		}
	}
}
