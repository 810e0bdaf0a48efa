package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"runtime"
	"slices"

	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/project"
	"github.com/tfmem/tfmem/cmd/tfmem/internal/checker"
	"github.com/tfmem/tfmem/cmd/tfmem/internal/discover"
	"github.com/tfmem/tfmem/cmd/tfmem/internal/modelreport"
	"github.com/tfmem/tfmem/cmd/tfmem/internal/report"
	"github.com/tfmem/tfmem/rules"
	"github.com/tfmem/tfmem/rules/rule"
)

// longestLine is the length in bytes beyond which a line of a stream is not read.
const longestLine = 64 << 20

// A streamedLine is one line of the input: a file, or the files of a project that import each other.
type streamedLine struct {
	Path    *string           `json:"path"`
	Content string            `json:"content"`
	Files   map[string]string `json:"files"`
}

// A streamedResult is the line of the output that answers it.
type streamedResult struct {
	Path     *string  `json:"path,omitempty"`
	Findings any      `json:"findings"`
	Notes    []string `json:"notes"` // what is not known of the trainings
	Errors   []string `json:"errors"`
}

// An outcome is what the answers to lines say of the exit code.
type outcome struct{ Grave, Failed, Bug bool }

// streamed runs a command with --stream: it answers the lines itself, those of a supervisor if that
// runs it, or has a process of the supervisor above do so.
func streamed(above *supervisor, in io.Reader, out io.Writer, exitZero bool, answer func(n int, line []byte, err error) (any, outcome)) error {
	if above != nil {
		defer above.close()
		w := &workers{supervisor: above, self: answer}
		defer w.close()
		answer = w.answer
	} else if os.Getenv(journalVariable) != "" {
		return work(in, out, answer)
	}
	all, err := stream(in, out, answer)
	if err != nil {
		return err
	}
	return all.code(exitZero)
}

// stream answers each line of in by one of out, in order: answer returns that of the n-th line, or
// of err, why it was not read. It is called by many goroutines at once; of all lines only a few are
// in memory.
func stream(in io.Reader, out io.Writer, answer func(n int, line []byte, err error) (any, outcome)) (outcome, error) {
	type answered struct {
		line any
		outcome
	}
	lines := newLineReader(in)
	pending := make(chan chan answered, 2*runtime.GOMAXPROCS(0))
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
			next := make(chan answered, 1)
			select {
			case pending <- next:
			case <-stop:
				return
			}
			workers <- struct{}{}
			go func() {
				defer func() { <-workers }()
				out, how := answer(n, line, err)
				next <- answered{out, how}
			}()
		}
	}()
	w := bufio.NewWriter(out)
	var all outcome
	for next := range pending {
		a := <-next
		all = outcome{all.Grave || a.Grave, all.Failed || a.Failed, all.Bug || a.Bug}
		if err := report.WriteJSONLine(w, a.line); err != nil {
			return all, err
		}
		if len(pending) == 0 { // nobody waits for an answer while there are more
			if err := w.Flush(); err != nil {
				return all, err
			}
		}
	}
	return all, errors.Join(broken, w.Flush())
}

// code returns the exit code, as an error.
func (o outcome) code(exitZero bool) error {
	switch {
	case o.Bug:
		return exitCode(exitFailure)
	case o.Failed, o.Grave && !exitZero:
		return exitCode(exitFindings)
	}
	return nil
}

// A streamedProject is what a line holds, ready to be analysed. So that all machines answer alike,
// nothing but the line is read: imports lead to its own files only.
type streamedProject struct {
	path      *string // of the one file, or nil
	files     map[string]string
	paths     []string // of Python files and notebooks, sorted
	workspace *project.Workspace
}

// readLine reads the n-th line. err says why there is none.
func readLine(c *configurator, n int, line []byte, err error) (*streamedProject, error) {
	var in streamedLine
	if err == nil {
		err = json.Unmarshal(line, &in)
	}
	if err == nil && (in.Path == nil) == (in.Files == nil) {
		err = errors.New(`it has neither "path" and "content" nor "files"`)
	}
	if err != nil {
		return nil, fmt.Errorf("line %d: %w", n, err)
	}
	p := &streamedProject{path: in.Path, files: in.Files}
	if in.Path != nil {
		p.files = map[string]string{*in.Path: in.Content}
	}
	texts := map[string]string{}
	for _, path := range slices.Sorted(maps.Keys(p.files)) {
		texts[c.absolute(path)] = p.files[path]
		if in.Path != nil || discover.IsPython(path) {
			p.paths = append(p.paths, path)
		}
	}
	p.workspace = project.New(project.Files{Below: nowhere{}, Texts: texts}, c.work)
	return p, nil
}

// configure says how a file of the line is analysed.
func (p *streamedProject) configure(c *configurator, path string) (configuration, error) {
	how, err := c.of(path)
	if how.Devices == nil {
		how.Devices = c.machine
	}
	how.Workspace, how.SkipImports = p.workspace, p.path == nil
	return how, err
}

// stream runs check --stream.
func (c *check) stream(above *supervisor) error {
	return streamed(above, c.in, c.out, c.exitZero, c.answer)
}

// answer checks what a line holds, for [stream].
func (c *check) answer(n int, line []byte, err error) (any, outcome) {
	out := &streamedResult{Findings: report.Findings(nil), Notes: []string{}, Errors: []string{}}
	var how outcome
	fail := func(why error) {
		out.Errors, how.Failed = append(out.Errors, why.Error()), true
	}
	in, err := readLine(c.settings, n, line, err)
	if err != nil {
		fail(err)
		return out, how
	}
	out.Path = in.path
	configured := map[string]configuration{}
	for _, path := range in.paths {
		if own, err := in.configure(c.settings, path); err != nil {
			fail(err)
		} else {
			configured[path] = own
		}
	}
	paths := slices.DeleteFunc(in.paths, func(path string) bool { _, ok := configured[path]; return !ok })
	run := checker.Checker{
		For: func(path string) (analyzer.Config, rules.Selection) {
			return configured[path].Config, configured[path].Selection
		},
		Read: func(path string) (string, error) { return in.files[path], nil },
	}
	var entries []report.Entry
	var trainings report.Trainings
	for _, r := range run.Run(paths) {
		for _, b := range r.Trainings {
			trainings.Add(c.settings.absolute(b.Path), b)
		}
		if r.Err != nil {
			fail(r.Err)
			how.Bug = how.Bug || r.Bug
		}
		if r.File != nil {
			entries = append(entries, report.Entry{Source: r.File.Source, Findings: r.Findings, Docs: configured[r.Path].docs})
			how.Grave = how.Grave || slices.ContainsFunc(r.Findings, func(f rule.Finding) bool { return f.Severity >= configured[r.Path].least })
		}
	}
	out.Findings = report.Findings(entries)
	for _, note := range trainings.Notes() {
		out.Notes = append(out.Notes, note.Text)
		how.Grave = how.Grave || c.failOnUnknown
	}
	return out, how
}

// A streamedEstimate is the line of the output that answers a line of estimate --stream.
type streamedEstimate struct {
	Path *string `json:"path,omitempty"`
	modelreport.Report
	Errors []string `json:"errors"`
}

// stream runs estimate --stream.
func (e *estimation) stream(above *supervisor) error {
	return streamed(above, e.in, e.out, e.exitZero, e.answer)
}

// answer prices the models of what a line holds, for [stream].
func (e *estimation) answer(n int, line []byte, err error) (any, outcome) {
	out := &streamedEstimate{Errors: []string{}}
	own := &estimation{
		settings: e.settings, options: e.options, failOn: e.failOn,
		fail: func(words string) { out.Errors = append(out.Errors, words) },
	}
	own.remark = func(words string) { own.warnings = append(own.warnings, words) }
	in, err := readLine(e.settings, n, line, err)
	if err != nil {
		own.fail(err.Error())
	} else {
		out.Path = in.path
		for _, path := range in.paths {
			if how, err := in.configure(e.settings, path); err != nil {
				own.fail(err.Error())
			} else {
				own.price(path, in.files[path], how)
			}
		}
	}
	for _, trainings := range own.trainings {
		own.coverage.Add(trainings)
	}
	out.Report = own.report()
	return out, outcome{own.grave(), len(out.Errors) > 0, own.bug}
}

// nowhere is a file system without files.
type nowhere struct{}

func (nowhere) Kind(string) project.Kind                         { return project.Nothing }
func (nowhere) Read(string) (string, error)                      { return "", errors.New("it is not in the line") }
func (nowhere) Head(string) (string, error)                      { return "", errors.New("it is not in the line") }
func (nowhere) Lines(string) (string, error)                     { return "", errors.New("it is not in the line") }
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
