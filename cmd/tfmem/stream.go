package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"runtime"
	"slices"

	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/project"
	"github.com/tfmem/tfmem/cmd/tfmem/internal/checker"
	"github.com/tfmem/tfmem/cmd/tfmem/internal/discover"
	"github.com/tfmem/tfmem/cmd/tfmem/internal/report"
	"github.com/tfmem/tfmem/rules"
	"github.com/tfmem/tfmem/rules/rule"
)

// longestLine is the length in bytes beyond which a line of a stream is not read.
const longestLine = 64 << 20

// A streamed is one line of the input: a file, or the files of a project that import each other.
type streamed struct {
	Path    *string           `json:"path"`
	Content string            `json:"content"`
	Files   map[string]string `json:"files"`
}

// A streamedResult is the line of the output that answers it.
type streamedResult struct {
	Path     *string  `json:"path,omitempty"`
	Findings any      `json:"findings"`
	Errors   []string `json:"errors"`

	grave, failed, bug bool
}

// stream runs check --stream: it answers each line of standard input by one of standard output, in
// order. So that all machines answer alike, nothing but the line is read: imports lead to its own
// files only. Of all lines only a few are in memory.
func (c *check) stream() error {
	lines := newLineReader(c.in)
	pending := make(chan chan *streamedResult, 2*runtime.GOMAXPROCS(0))
	stop := make(chan struct{})
	defer close(stop)
	var broken error // valid once pending is closed
	go func() {
		defer close(pending)
		workers := make(chan struct{}, max(2, runtime.GOMAXPROCS(0)))
		for n := 1; ; n++ {
			line, err := lines.next()
			if errors.Is(err, io.EOF) {
				return
			} else if err != nil && !errors.Is(err, errTooLong) {
				broken = fmt.Errorf("cannot read standard input: %w", err)
				return
			}
			if err == nil && len(bytes.TrimSpace(line)) == 0 {
				continue
			}
			answer := make(chan *streamedResult, 1)
			select {
			case pending <- answer:
			case <-stop:
				return
			}
			workers <- struct{}{}
			go func() {
				defer func() { <-workers }()
				answer <- c.answer(n, line, err)
			}()
		}
	}()
	out := bufio.NewWriter(c.out)
	var grave, failed, bug bool
	for answer := range pending {
		r := <-answer
		grave, failed, bug = grave || r.grave, failed || r.failed, bug || r.bug
		if err := report.WriteJSONLine(out, r); err != nil {
			return err
		}
		if len(pending) == 0 { // nobody waits for an answer while there are more
			if err := out.Flush(); err != nil {
				return err
			}
		}
	}
	if err := errors.Join(broken, out.Flush()); err != nil {
		return err
	}
	switch {
	case bug:
		return exitCode(exitFailure)
	case failed, grave && !c.exitZero:
		return exitCode(exitFindings)
	}
	return nil
}

// answer checks what the n-th line holds. err says why the line was not read.
func (c *check) answer(n int, line []byte, err error) *streamedResult {
	var in streamed
	out := &streamedResult{Findings: report.Findings(nil), Errors: []string{}}
	fail := func(why error) {
		out.Errors, out.failed = append(out.Errors, why.Error()), true
	}
	if err == nil {
		err = json.Unmarshal(line, &in)
	}
	if err == nil && (in.Path == nil) == (in.Files == nil) {
		err = errors.New(`it has neither "path" and "content" nor "files"`)
	}
	if err != nil {
		fail(fmt.Errorf("line %d: %w", n, err))
		return out
	}
	out.Path = in.Path
	if in.Path != nil {
		in.Files = map[string]string{*in.Path: in.Content}
	}
	texts := map[string]string{}
	var paths []string
	for _, path := range slices.Sorted(maps.Keys(in.Files)) {
		texts[c.settings.absolute(path)] = in.Files[path]
		if in.Path != nil || discover.IsPython(path) {
			paths = append(paths, path)
		}
	}
	workspace := project.New(project.Files{Below: nowhere{}, Texts: texts}, c.settings.work)
	configured := map[string]configuration{}
	for _, path := range paths {
		how, err := c.settings.of(path)
		if err != nil {
			fail(err)
			continue
		}
		if how.Devices == nil {
			how.Devices = c.settings.machine
		}
		how.Workspace, how.SkipImports = workspace, in.Path == nil
		configured[path] = how
	}
	paths = slices.DeleteFunc(paths, func(path string) bool { _, ok := configured[path]; return !ok })
	run := checker.Checker{
		For: func(path string) (analyzer.Config, rules.Selection) {
			return configured[path].Config, configured[path].Selection
		},
		Read: func(path string) (string, error) { return in.Files[path], nil },
	}
	var entries []report.Entry
	for _, r := range run.Run(paths) {
		if r.Err != nil {
			fail(r.Err)
			out.bug = out.bug || r.Bug
		}
		if r.File != nil {
			entries = append(entries, report.Entry{Source: r.File.Source, Findings: r.Findings})
			out.grave = out.grave || slices.ContainsFunc(r.Findings, func(f rule.Finding) bool { return f.Severity >= configured[r.Path].least })
		}
	}
	out.Findings = report.Findings(entries)
	return out
}

// nowhere is a file system without files.
type nowhere struct{}

func (nowhere) Kind(string) project.Kind                         { return project.Nothing }
func (nowhere) Read(string) (string, error)                      { return "", errors.New("it is not in the line") }
func (nowhere) Head(string) (string, error)                      { return "", errors.New("it is not in the line") }
func (nowhere) Real(path string) string                          { return path }
func (nowhere) List(string, func(string) bool) ([]string, error) { return nil, nil }

// A lineReader reads lines of a bounded length.
type lineReader struct{ r *bufio.Reader }

func newLineReader(r io.Reader) *lineReader { return &lineReader{bufio.NewReaderSize(r, 64<<10)} }

var errTooLong = fmt.Errorf("it has more than %d MB; tfmem reads no line that long", longestLine>>20)

// next returns a line without its end. After errTooLong, it goes on with the next one.
func (l *lineReader) next() ([]byte, error) {
	var line []byte
	long := false
	for {
		part, err := l.r.ReadSlice('\n')
		if long = long || len(line)+len(part) > longestLine; long {
			line = nil
		} else {
			line = append(line, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err != nil && (!errors.Is(err, io.EOF) || len(line) == 0 && !long):
			return nil, err
		case long:
			return nil, errTooLong
		}
		return bytes.TrimSuffix(line, []byte("\n")), nil
	}
}
