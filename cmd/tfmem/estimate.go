package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/analyzer/memory/page"
	"github.com/tfmem/tfmem/analyzer/notebook"
	"github.com/tfmem/tfmem/analyzer/project"
	"github.com/tfmem/tfmem/analyzer/saved"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/cmd/tfmem/internal/checker"
	"github.com/tfmem/tfmem/cmd/tfmem/internal/discover"
	"github.com/tfmem/tfmem/cmd/tfmem/internal/modelreport"
	"github.com/tfmem/tfmem/cmd/tfmem/internal/progress"
	"github.com/tfmem/tfmem/cmd/tfmem/internal/report"
	"github.com/tfmem/tfmem/gpu"
	"github.com/tfmem/tfmem/rules/estimate"
)

// An estimation is one run of the estimate command.
type estimation struct {
	batch              int64
	gpu, ram           string
	format, html       string
	optimizer          string
	observed           string
	elsewhere          []string // what a saved model has that is not in its file
	outputFile, colour string
	stdinFilename      string
	paths              []string
	failOn             string
	against            string  // the report of another time to compare with, or ""
	most               string  // --fail-on-growth as it was typed
	growth             float64 // the same; negative if no growth fails
	base               modelreport.Report
	exitZero, verbose  bool
	counts, streaming  bool
	searches           bool // a path is a folder: its models are listed, a line each
	coverage           modelreport.Coverage
	overview           modelreport.Overview
	settings           *configurator
	options            estimate.Options
	device             *memory.Device
	models             []estimate.Model
	trainings          [][]estimate.Training // of each program
	warnings           []string
	read, failed       int // files
	bug, wrong         bool

	in        io.Reader
	out, errs io.Writer
	// fail says why something could not be priced, and remark what else is to be known.
	fail, remark func(words string)
}

func newEstimate() *cobra.Command {
	var e estimation
	formats := []string{"text", "json", "html", "github", "gitlab", "markdown"}
	cmd := &cobra.Command{
		Use:   "estimate PATH...",
		Short: "Estimate the GPU memory that the Keras models of files and folders need",
		Long: `Tell what the Keras models of Python files and notebooks need of a GPU, from
their source text alone: parameters, memory by kind and by layer at the peak of
one training step, memory over the batch size, and on which GPUs that fits.

A saved model is a .keras file, or the JSON of model.to_json(): its training is
priced as it was compiled, or with --optimizer. Its weights are not read.

Models are compared with the GPU of this machine, of the settings, of the
environment variable ` + gpu.Variable + ` or of --gpu, as "tfmem gpu" explains. What cannot be
known from the source is said to be unknown, with the reason. "-" reads standard
input.

Several models, as of a loop over configurations, are listed in one table, those
that do not fit first, and the worst is described. Where a path is a folder, it
is searched as "tfmem check" does, for models that are trained or run and have a
price.

With --coverage it counts instead, over all files of the given folders, how many
calls of fit and training steps there are, how many of them are priced, and what
is not known of the others.

With --against it compares instead with the JSON of another time, and says whose
peaks changed and why: parameters, batch size, precision, optimizer, layers, data.
Lines may move; name the paths as they were named then.

With --stream it answers each line of standard input, an object {"path", "content"}
or {"files": {path: content}}, by a line: {"path", "gpu", "models", "unresolved",
"remedies", "warnings", "errors"}. Files import only those of their own line.

Exit code: 0 if no model is as grave as --fail-on, and none grew by more than
--fail-on-growth; 1 if one is or did, or if a file could not be read while others
could; 2 for a mistake in usage or settings, an
error in tfmem, or if no file could be read.`,
		Example: `  tfmem estimate train.py
  tfmem estimate --gpu "RTX 3090" --batch-size 64 train.py
  tfmem estimate --html page.html train.ipynb     the same as plots
  tfmem estimate --fail-on tight src              all models of a folder, in one table
  tfmem estimate model.keras --batch-size 64      a saved model
  tfmem estimate --coverage src                   how many trainings of a folder are priced
  tfmem estimate --output-format json -o base.json src
  tfmem estimate --against base.json src          what has changed since then`,
		RunE: func(cmd *cobra.Command, paths []string) error {
			above := supervises(cmd, cacheFolder(""), e.streaming)
			if above != nil && !e.streaming {
				return above.run(cmd.InOrStdin(), readsStandardInput(paths, e.stdinFilename))
			}
			if err := e.prepare(cmd, formats, paths); err != nil {
				return err
			}
			if e.streaming {
				return e.stream(above)
			}
			return e.run()
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.Int64Var(&e.batch, "batch-size", 0, "price batches of this `size` instead of the program's")
	f.StringVar(&e.optimizer, "optimizer", "", "compile a saved model with this `optimizer`, such as adam, instead of its own")
	f.StringVar(&e.observed, "observed", "", "a `file` that tfmem probe wrote: what a run told of values that the text leaves open")
	f.StringVar(&e.ram, "ram", "", "the `machine` whose own memory data are compared with: a size such as 16GiB, colab, kaggle, auto for this one, or none")
	f.StringVar(&e.gpu, "gpu", "", "the `GPU` to compare models with: a name, a size such as 24GiB, auto or none [environment: "+gpu.Variable+"]")
	f.StringVar(&e.format, "output-format", formats[0], "text, json or html; with --against also github, gitlab or markdown")
	f.StringVar(&e.html, "html", "", "also write one page with plots to this `file`")
	f.StringVarP(&e.outputFile, "output-file", "o", "", "write the report to this `file`, not to standard output")
	f.StringVar(&e.stdinFilename, "stdin-filename", "", "read standard input, as if it were this `file`")
	f.BoolVar(&e.streaming, "stream", false, "read a JSON object a line from standard input, {\"path\", \"content\"} or {\"files\": {path: content}}, and answer each by a line")
	f.BoolVar(&e.counts, "coverage", false, "count how many trainings are priced, and why others are not; folders are searched")
	f.StringVar(&e.against, "against", "", "compare with this `file` that --output-format json wrote before, and print what changed")
	f.StringVar(&e.most, "fail-on-growth", "", "with --against: exit with 1 if a peak grew by more than this `percentage`, such as 10%")
	f.BoolVarP(&e.verbose, "verbose", "v", false, "describe all models in the text, also those that are parts of others; with --coverage, the most frequent reasons of each kind; with --against, also what is the same")
	f.StringVar(&e.failOn, "fail-on", failsOn[0], "exit with 1 if the verdict of a model is this or worse, or with unknown if a training is not priced: "+strings.Join(failsOn, ", "))
	f.BoolVar(&e.exitZero, "exit-zero", false, "the same as --fail-on never")
	f.StringVar(&e.colour, "color", colours[0], "`when` to colour the report: "+strings.Join(colours, ", "))
	completeWith(cmd, "output-format", formats...)
	completeWith(cmd, "color", colours...)
	completeWith(cmd, "fail-on", failsOn...)
	completeGPU(cmd)
	return cmd
}

// failsOn are the values of --fail-on, the default first.
var failsOn = []string{string(memory.Exceeds), string(memory.Tight), string(memory.Unknown), "never"}

// prepare interprets the flags.
func (e *estimation) prepare(cmd *cobra.Command, formats, paths []string) (err error) {
	e.in, e.out, e.errs = cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr()
	e.fail = func(words string) {
		e.failed++
		fmt.Fprintf(e.errs, "error: %s\n", source.PrintableLines(words))
	}
	e.remark = func(words string) {
		e.warnings = append(e.warnings, words)
		fmt.Fprintf(e.errs, "warning: %s\n", source.Printable(words))
	}
	if e.streaming && (len(paths) > 0 || e.stdinFilename != "" || e.counts || e.html != "" || e.format == "html" || e.outputFile != "") {
		return usagef("--stream answers lines of standard input by models as JSON; leave out paths, pages, --coverage, --stdin-filename and --output-file")
	}
	if e.stdinFilename != "" && len(paths) > 0 && !slices.Equal(paths, []string{"-"}) {
		return usagef("standard input and paths cannot be estimated in one run; leave out --stdin-filename, or the paths")
	}
	if e.stdinFilename != "" {
		paths = []string{e.stdinFilename}
	}
	if e.paths = paths; len(paths) == 0 && !e.streaming {
		return usagef("name the files whose models are to be estimated, such as: tfmem estimate train.py")
	}
	if e.optimizer != "" && slices.ContainsFunc(paths, func(path string) bool { return !saved.Is(path) }) {
		return usagef("--optimizer compiles saved models, which end in .keras or .json; a program names its own")
	}
	if err := oneOf("--output-format", e.format, formats); err != nil {
		return err
	}
	if err := e.comparison(); err != nil {
		return err
	}
	if err := oneOf("--color", e.colour, colours); err != nil {
		return err
	}
	if err := oneOf("--fail-on", e.failOn, failsOn); err != nil {
		return err
	}
	if e.exitZero {
		e.failOn = "never"
	}
	e.searches = e.stdinFilename == "" && slices.ContainsFunc(paths, isFolder)
	f, _ := e.out.(*os.File)
	if e.outputFile != "" {
		f = nil
	}
	e.overview = modelreport.Overview{Layers: e.format == "json" || e.against != "", Verbose: e.verbose, Palette: report.Palette{Colour: colourful(e.colour, f)}}
	if cmd.Flags().Changed("batch-size") && (e.batch < 1 || e.batch > memory.MaxBatch) {
		return usagef("--batch-size: %d is not a batch size; it must be between 1 and %d", e.batch, memory.MaxBatch)
	}
	for _, o := range []struct{ flag, file string }{{"--html", e.html}, {"--output-file", e.outputFile}} {
		if o.file != "" && e.against != "" && filepath.Clean(o.file) == filepath.Clean(e.against) {
			return usagef("%s: %s is what is compared with, and would be overwritten; name another", o.flag, o.file)
		}
		for _, p := range paths {
			if o.file != "" && filepath.Clean(o.file) == filepath.Clean(p) {
				return usagef("%s: %s is a file to be estimated, and would be overwritten; name another", o.flag, o.file)
			}
		}
	}
	if e.counts && (e.html != "" || e.format == "html") {
		return usagef("--coverage has no page; leave out --html, or choose --output-format text or json")
	}
	if e.html != "" && e.html == e.outputFile {
		return usagef("--html and --output-file both name %s; name two files", e.html)
	}
	if e.settings, err = newConfigurator(cmd.Context(), e.gpu, fromHere); err == nil {
		err = e.settings.onMachine(e.ram)
	}
	if err != nil {
		return err
	}
	e.settings.observing(e.observed)
	e.settings.follow()
	e.options = estimate.Options{Batch: e.batch, Others: commonGPUs()}
	return nil
}

// comparison interprets the flags of a comparison, and reads what is compared with.
func (e *estimation) comparison() error {
	_, prints := modelreport.DiffFormats[e.format]
	switch only := e.format != "text" && e.format != "json" && e.format != "html"; {
	case e.against == "" && only:
		return usagef("--output-format %s prints what changed; name by --against what to compare with", e.format)
	case e.against == "" && e.most != "":
		return usagef("--fail-on-growth needs --against, the file to compare with")
	case e.against != "" && (e.counts || e.streaming):
		return usagef("--against compares prices; leave out --coverage and --stream")
	case e.against != "" && !prints:
		return usagef("--against has no page; leave out --output-format %s, or write the page of what is there now by --html", e.format)
	}
	e.growth = -1
	if e.most != "" {
		number, isPercentage := strings.CutSuffix(e.most, "%")
		n, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
		if !isPercentage || err != nil || !(n >= 0 && n <= 1e6) {
			return usagef("--fail-on-growth: %q is not a percentage such as 10%%", e.most)
		}
		e.growth = n / 100
	}
	if e.against == "" {
		return nil
	}
	text, err := project.ReadFile(e.against, modelreport.MostReport)
	if err != nil {
		return fmt.Errorf("--against: %w", err)
	}
	if e.base, err = modelreport.ReadReport(text); err != nil {
		return fmt.Errorf("--against: %s: %w; tfmem estimate --output-format json -o %[1]s writes one", e.against, err)
	}
	return nil
}

// common are GPUs that people ask for, by their names in the catalogue.
var common = []string{
	"NVIDIA GeForce RTX 4060", "NVIDIA GeForce RTX 3060", "Tesla T4", "NVIDIA GeForce RTX 4090", "NVIDIA A100-SXM4-40GB", "NVIDIA L40S",
	"NVIDIA H100 80GB HBM3",
}

func commonGPUs() []memory.Device {
	var out []memory.Device
	for _, name := range common {
		if r, err := gpu.Parse(name, project.ReadFile); err == nil {
			out = append(out, devices(r, "catalogue")...)
		}
	}
	return out
}

func (e *estimation) run() error {
	empty := false // a folder without programs is no mistake
	if e.searches || e.counts && e.stdinFilename == "" && !slices.Equal(e.paths, []string{"-"}) {
		files, errs := discover.Files(context.Background(), e.paths, discover.Options{Exclude: e.settings.excludes, Warn: e.settings.unread.add})
		for _, err := range errs {
			e.fail(err.Error())
		}
		if empty = len(files) == 0 && len(errs) == 0; empty {
			e.remark("there are no Python files or notebooks to estimate in " + strings.Join(e.paths, ", "))
		}
		e.paths = files
	}
	done := func() {}
	if f, ok := e.errs.(*os.File); ok && isTerminal(f) {
		done = progress.Files(f, "Estimating", len(e.paths))
	}
	e.files(done)
	for _, words := range e.settings.unread.messages() {
		e.remark(words)
	}
	var changes *modelreport.Diff
	if e.against != "" {
		changes = modelreport.Compare(e.base, e.report())
	}
	if err := e.print(changes); err != nil {
		return err
	}
	switch {
	case e.bug, e.wrong, e.read == 0 && !empty:
		return exitCode(exitFailure)
	case e.failed > 0, e.grave(), changes != nil && e.growth >= 0 && changes.Grew(e.growth):
		return exitCode(exitFindings)
	}
	return nil
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// grave reports whether the verdict of a model is one that --fail-on names, or worse. Without a GPU
// no verdict is known, and "unknown" is only a training without a price.
func (e *estimation) grave() bool {
	var grave []memory.Verdict
	switch e.failOn {
	case string(memory.Exceeds):
		grave = []memory.Verdict{memory.Exceeds}
	case string(memory.Tight):
		grave = []memory.Verdict{memory.Exceeds, memory.Tight}
	case string(memory.Unknown):
		if found, priced := e.coverage.Trainings(); found > priced {
			return true
		}
		grave = []memory.Verdict{memory.Exceeds, memory.Tight, memory.Unknown}
	}
	if e.overview.Has(grave...) {
		return true
	}
	return slices.ContainsFunc(e.models, func(m estimate.Model) bool {
		judged := m.Verdict != memory.Unknown || m.Used() && m.Budget.Known()
		return judged && !m.Part && slices.Contains(grave, m.Verdict)
	})
}

// files prices several files at a time, and adds what is found in the order of the paths.
func (e *estimation) files(done func()) {
	parts := make([]chan func(), len(e.paths))
	for i := range parts {
		parts[i] = make(chan func(), 1)
	}
	var group errgroup.Group
	group.SetLimit(max(2, runtime.GOMAXPROCS(0)))
	go func() { // ends when all files are begun, and each adds its part
		for i, path := range e.paths {
			group.Go(func() error {
				parts[i] <- e.apart(path)
				return nil
			})
		}
	}()
	for _, part := range parts {
		(<-part)()
		done()
	}
}

// apart prices the models of one file, and returns a function that adds them to the estimation.
func (e *estimation) apart(path string) (add func()) {
	var said []func()
	own := &estimation{settings: e.settings, options: e.options, counts: e.counts, searches: e.searches, stdinFilename: e.stdinFilename, optimizer: e.optimizer, in: e.in}
	own.fail = func(words string) { said = append(said, func() { e.fail(words) }) }
	own.remark = func(words string) { said = append(said, func() { e.remark(words) }) }
	own.file(path)
	return func() {
		for _, say := range said {
			say()
		}
		e.read, e.bug, e.wrong = e.read+own.read, e.bug || own.bug, e.wrong || own.wrong
		if e.device == nil {
			e.device = own.device
		}
		for _, trainings := range own.trainings {
			e.coverage.Add(trainings)
		}
		if e.searches {
			e.overview.Add(path, own.models)
		}
		if !e.searches || e.html != "" || e.format == "html" { // the analyses of a whole tree take a gigabyte
			e.models = append(e.models, own.models...)
		}
	}
}

// file prices the models of one file.
func (e *estimation) file(path string) {
	how, err := e.settings.of(path)
	if err != nil {
		e.wrong = true
		e.fail(err.Error())
		return
	}
	if how.Devices == nil {
		how.Devices = e.settings.machine
	}
	text, err := e.text(path)
	if err != nil {
		e.fail(err.Error())
		return
	}
	e.price(path, text, how)
}

// price prices the models of a text.
func (e *estimation) price(path, text string, how configuration) {
	defer func() {
		if p := recover(); p != nil {
			e.bug = true
			e.fail(fmt.Sprintf("%s: internal error: %v\nthis is a bug in tfmem; please report it at https://github.com/tfmem/tfmem/issues\n%s", path, p, debug.Stack()))
		}
	}()
	files, err := how.toPrice(path, text, !e.searches)
	var foreign *notebook.LanguageError
	switch {
	case errors.As(err, &foreign):
		if e.read++; !e.searches {
			e.remark(fmt.Sprintf("%s: not estimated: %v", path, err))
		}
		return
	case err != nil:
		e.fail(fmt.Sprintf("%s: %v", path, err))
		return
	}
	e.read++
	found, why, held := 0, "", ""
	for _, file := range files {
		if file.Unread != "" {
			why = "not estimated: " + file.Unread
			e.bug = e.bug || file.Ended
			continue
		}
		if file.Tree.HasErrors() && !e.counts && !e.searches {
			e.remark(path + ": not all of it is valid Python; only what can be parsed is priced")
		}
		e.trainings = append(e.trainings, estimate.Trainings(file))
		if e.counts {
			continue
		}
		models, device := estimate.OfEach(file, e.options)
		for _, words := range estimate.Outdated(file) {
			e.remark(words)
		}
		if e.device == nil {
			e.device = device
		}
		if found += len(models); len(models) == 0 && !e.searches {
			if said := estimate.HostOf(file).Said(); said != "" {
				held = ". " + strings.TrimSuffix(said, ".")
			}
		}
		e.models = append(e.models, models...)
		e.bug = e.bug || slices.ContainsFunc(models, func(m estimate.Model) bool { return m.Bug() != nil })
		if why == "" && !e.searches {
			why = lost(file, len(models) > 0)
		}
	}
	if found == 0 && len(e.elsewhere) > 0 {
		why = "its model is not priced: the file has no code of " + strings.Join(e.elsewhere, ", ")
	}
	switch {
	case e.counts, e.searches && why == "":
	case why != "":
		e.remark(path + ": " + why)
	case found == 0:
		e.remark(path + ": no Keras model was found in it" + held)
	}
}

// toPrice analyses the programs of a file, whose models are to be priced: also if it does not speak
// of TensorFlow, where it is asked for by name.
func (how configuration) toPrice(path, text string, named bool) (files []*analyzer.File, err error) {
	programs, workspace, err := analyzer.Open(path, text, how.Workspace)
	if err != nil {
		return nil, err
	}
	config := how.Config
	config.Workspace, config.Asked = workspace, named
	for _, program := range programs {
		files = append(files, analyzer.Analyze(program, config))
	}
	return files, nil
}

// lost says where the evaluation of a file was given up, or where it uses an unknown model and
// why that is unknown; "" if there is no such place. With surely, only code that surely runs
// counts.
func lost(file *analyzer.File, surely bool) (why string) {
	_ = file.Do(context.Background(), func() { why = lostIn(file, surely) }) // nothing interrupts it
	return why
}

// lostIn is lost within [analyzer.File.Do].
func lostIn(file *analyzer.File, surely bool) string {
	line := func(n syntax.Node) int { return 1 + strings.Count(file.Source.Text()[:n.Start()], "\n") }
	models := file.Models()
	if cut := models.Cut; cut != nil {
		return fmt.Sprintf("%s, at line %d: models created after it are not known", cut.Why, line(cut.Node))
	}
	for _, l := range models.Unresolved {
		if l.Node.Tree() == file.Tree && !(surely && l.Assumed) {
			why := fmt.Sprintf("the model of %s on line %d is not known: %s", l.Method, line(l.Node), l.Why)
			if n := graph.DataBytes(l.Copied, 0); n >= 1<<20 {
				why += fmt.Sprintf("; if it is one of Keras, %s of arrays lie on the GPU while it runs", memory.Bytes(n))
			}
			return why
		}
	}
	if !surely && opensSession(file) {
		return "no Keras model was found in it; graphs of TensorFlow 1, which a session runs, are not priced"
	}
	return ""
}

// opensSession reports whether the file itself opens a session of TensorFlow 1.
func opensSession(file *analyzer.File) bool {
	return slices.ContainsFunc(file.Names().Calls, func(call syntax.Node) bool {
		entry := effects.Lookup(file.Names().Callee(call))
		return entry != nil && entry.Effects.Has(effects.OpensSession)
	})
}

func (e *estimation) text(path string) (string, error) {
	if path == "-" || e.stdinFilename != "" {
		text, err := checker.ReadFrom(path, e.in)
		if err == nil && saved.Is(path) {
			return e.program(path, strings.NewReader(text), int64(len(text)))
		}
		return text, err
	}
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("%s: no such file", path)
	}
	if !saved.Is(path) {
		return checker.ReadFile(path)
	}
	f, size, err := project.OpenAt(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	return e.program(path, f, size)
}

// program returns the Python that builds a saved model.
func (e *estimation) program(path string, file io.ReaderAt, size int64) (string, error) {
	model, err := saved.Read(file, size, e.optimizer)
	if err != nil {
		return "", fmt.Errorf("%s: %w", path, err)
	}
	e.elsewhere = model.Elsewhere
	if model.AssumesLoss {
		e.remark(path + ": no loss is saved with it; the mean squared error is assumed")
	}
	return model.Python, nil
}

// print writes the report, or the changes if there are, and the page.
func (e *estimation) print(changes *modelreport.Diff) error {
	draw := func(file string) func(io.Writer) error {
		p := estimate.Page(e.models, e.device, e.verbose, linkedFrom(filepath.Dir(file)))
		p.Warnings, p.Unpriced = e.warnings, e.coverage.Unpriced(e.models)
		return p.Write
	}
	if e.html != "" && e.read > 0 {
		if err := writeTo(e.html, draw(e.html)); err != nil {
			return fmt.Errorf("--html: cannot write the page: %w", err)
		}
	}
	write := func(w io.Writer) error {
		switch {
		case changes != nil:
			return modelreport.DiffFormats[e.format](changes, w, modelreport.DiffOptions{Palette: e.overview.Palette, Verbose: e.verbose, Limit: e.growth, Root: root()})
		case e.counts && e.format == "json":
			return e.coverage.JSON(w)
		case e.counts:
			return e.coverage.Text(w, e.verbose)
		}
		switch {
		case e.format == "html":
			return draw(e.outputFile)(w)
		case e.format == "json":
			return e.report().Write(w)
		case e.searches:
			return errors.Join(e.overview.Table(w), e.unpriced(w), e.overview.Details(w))
		}
		return errors.Join(modelreport.Text(w, e.models, e.overview.Palette, e.verbose), e.coverage.Remedies(w, e.models))
	}
	var err error
	if e.outputFile != "" {
		err = writeTo(e.outputFile, write)
	} else {
		err = write(e.out)
	}
	if err != nil {
		return fmt.Errorf("cannot write the report: %w", err)
	}
	return nil
}

// report returns what the JSON format says.
func (e *estimation) report() modelreport.Report {
	models := e.models
	if e.searches {
		models = nil // the overview has them
	}
	out := modelreport.ReportOf(models, &e.coverage, e.device, e.warnings)
	e.overview.AddTo(&out)
	return out
}

// linkedFrom returns places with links from a page in a folder. A link is relative, so that it holds
// where both are copied to, and says nothing of this machine.
func linkedFrom(folder string) func(*source.Source, source.Span) page.Place {
	folder, _ = filepath.Abs(folder)
	return func(s *source.Source, at source.Span) page.Place {
		p := page.Place{Text: report.Where(s, at, report.Palette{})}
		full, _ := filepath.Abs(s.Path)
		path, err := filepath.Rel(folder, full)
		if _, missing := os.Stat(full); err != nil || missing != nil {
			return p // standard input
		}
		link := url.URL{Path: filepath.ToSlash(path)}
		if cell, row, _ := report.Locate(s, at); cell == 0 {
			link.Fragment = fmt.Sprintf("L%d", row)
		}
		if p.Link = link.String(); !strings.HasPrefix(p.Link, ".") {
			p.Link = "./" + p.Link
		}
		return p
	}
}

// unpriced says how many trainings of the folders have no price, and how to see why.
func (e *estimation) unpriced(w io.Writer) error {
	found, priced := e.coverage.Trainings()
	if found == priced {
		return nil
	}
	_, err := fmt.Fprintf(w, "Trainings without a price: %s of %s; --coverage tells what is not known of them.\n", memory.Count(int64(found-priced)), memory.Count(int64(found)))
	return err
}

// writeTo creates a file with the output of write.
func writeTo(path string, write func(io.Writer) error) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	b := bufio.NewWriter(f)
	err = write(b)
	return errors.Join(err, b.Flush(), f.Close())
}
