package main

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/yuin/goldmark"

	"github.com/tfmem/tfmem/analyzer/project"
	"github.com/tfmem/tfmem/rules/rule"
)

//go:embed rule_page.html
var rulePageText string

var rulePageTemplate = template.Must(template.New("rule").Parse(rulePageText))

// writeRulePage writes the documentation of a rule as a page that needs nothing else.
func writeRulePage(w io.Writer, r *rule.Rule) error {
	var body bytes.Buffer
	if err := goldmark.Convert([]byte(r.Markdown()), &body); err != nil {
		return fmt.Errorf("the page of %s: %w", r.Code, err)
	}
	return rulePageTemplate.Execute(w, struct {
		Title string
		Body  template.HTML
	}{r.Code + " " + r.Name, template.HTML(body.String())})
}

// pagesFolder holds the pages of rules in the cache.
const pagesFolder = "rules"

// rulePages writes pages of rules into a folder as they are asked for, each once. It is safe for
// concurrent use.
type rulePages struct {
	folder string // "" for none

	mu      sync.Mutex
	address map[*rule.Rule]string
}

// newRulePages returns the pages in the cache.
func newRulePages() *rulePages {
	p := &rulePages{address: map[*rule.Rule]string{}}
	if folder := cacheFolder(""); folder != "" {
		p.folder = filepath.Join(folder, pagesFolder)
	}
	return p
}

// of returns the address of the page of a rule, "" if it cannot be written.
func (p *rulePages) of(r *rule.Rule) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	address, known := p.address[r]
	if !known {
		address, _ = p.write(r) // without a cache findings have no links
		p.address[r] = address
	}
	return address
}

// write writes the page of a rule, unless it is there.
func (p *rulePages) write(r *rule.Rule) (address string, err error) {
	if p.folder == "" {
		return "", os.ErrNotExist
	}
	path, err := filepath.Abs(filepath.Join(p.folder, r.Code+".html"))
	if err != nil {
		return "", err
	}
	var page bytes.Buffer
	if err := writeRulePage(&page, r); err != nil {
		return "", err
	}
	there := url.URL{Scheme: "file", Path: "/" + strings.TrimPrefix(filepath.ToSlash(path), "/")}
	if before, err := project.ReadFile(path, 1<<20); err == nil && bytes.Equal(before, page.Bytes()) {
		return there.String(), nil
	}
	if err := os.MkdirAll(p.folder, 0o777); err != nil {
		return "", err
	}
	// Another server may write or read the same page.
	f, err := os.CreateTemp(p.folder, r.Code+"-*.tmp")
	if err != nil {
		return "", err
	}
	_, err = f.Write(page.Bytes())
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
		return "", err
	}
	return there.String(), nil
}

// cleanRulePages removes the pages from a cache, and returns how many there were.
func cleanRulePages(cache string) (n int) {
	folder := filepath.Join(cache, pagesFolder)
	pages, _ := project.ReadDir(folder, func(e fs.DirEntry) bool { return strings.HasPrefix(e.Name(), "TFM") })
	for _, page := range pages {
		if os.Remove(filepath.Join(folder, page.Name())) == nil {
			n++
		}
	}
	os.Remove(folder) // unless there is something else in it
	return n
}
