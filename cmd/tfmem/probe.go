package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/tfmem/tfmem/analyzer/notebook"
	"github.com/tfmem/tfmem/analyzer/observed"
	"github.com/tfmem/tfmem/analyzer/project"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/cmd/tfmem/internal/measure"
	"github.com/tfmem/tfmem/cmd/tfmem/internal/program"
	"github.com/tfmem/tfmem/cmd/tfmem/internal/report"
	"github.com/tfmem/tfmem/cmd/tfmem/internal/write"
)

// A probing is one run of the probe command.
type probing struct {
	command     []string
	gpu, quiet  bool
	untraced    bool // the step is not traced
	verifies    bool // a step is run to verify its estimate
	steps       int
	timeout     time.Duration
	output      string
	root        string // the project's folder, with links resolved
	script      string // the file that the command runs, or ""
	hook        *program.Hook
	until       time.Time       // when it is ended all the same; zero for never
	stopped     map[string]bool // the processes that have stopped
	last        time.Time       // when the last of them did
	kernel, out bool            // one of them is a notebook's kernel; the time is out
	errs        io.Writer
}

const (
	looksEvery    = 50 * time.Millisecond
	patience      = 10 * time.Second // for what a program does after one of its processes has stopped
	exitTimeout   = 124              // as timeout(1) has it
	mostDump      = 16 << 20         // bytes
	mostTold      = 8                // observations that are shown
	mostTracing   = 60               // seconds
	mostVerifying = 600              // likewise
)

func newProbe() *cobra.Command {
	var p probing
	cmd := &cobra.Command{
		Use:   "probe [flags] -- PROGRAM [ARGUMENT]...",
		Short: "Run a program up to its first training step, to learn what its text does not say",
		Long: `Run a program up to its first training step and stop it there. What its names are
then is written down: numbers, the shapes of arrays and datasets, lengths, the models'
configurations; never the contents of data. "tfmem estimate" and "tfmem check" take it
where the text leaves a value open, as long as the statement that binds it stays.

The program is not changed: Python starts with a module (PYTHONPATH) that waits for
TensorFlow. It stops at the first call of fit, train_on_batch or of a gradient of
variables; what evaluate and predict see before is written down too. --steps lets some
training steps run first. The program uses the processor, unless --gpu lets it see GPUs,
so that it disturbs nobody.

With --verify it also runs a step of Keras on a few examples of zeros, and sets the peak
that TensorFlow tells beside the estimate of that step.

It may be "python train.py", "python -m package.train", a launcher or a shell script, or
what runs a notebook, such as papermill.

Exit code: 0 if it was stopped at a training step; 124 if --timeout ended it; else the
program's own; 2 if it could not be started.`,
		Example: `  tfmem probe -- python train.py --data photos
  tfmem probe --steps 3 -- python -m package.train
  tfmem probe -o observed.json -- papermill train.ipynb out.ipynb`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usagef("name the program to run: tfmem probe -- python train.py")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if p.steps < 0 {
				return usagef("--steps: at least 0")
			}
			if p.verifies && p.gpu {
				return usagef("--verify measures on the processor; leave out --gpu")
			}
			if p.timeout < 0 {
				return usagef("--timeout: a time such as 10m")
			}
			if err := write.Check(p.output); p.output != "" && err != nil {
				return usagef("%s cannot be written: %v", p.output, err)
			}
			p.command, p.errs = args, cmd.ErrOrStderr()
			return p.run()
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.SetInterspersed(false) // what follows the program is the program's
	f.BoolVar(&p.gpu, "gpu", false, "let the program use GPUs")
	f.IntVar(&p.steps, "steps", 0, "let this `number` of training steps run first")
	f.DurationVar(&p.timeout, "timeout", 0, "end the program after this `time`, such as 10m")
	f.StringVarP(&p.output, "output-file", "o", "", "write what was observed to this `file`, instead of the user's cache")
	f.BoolVar(&p.untraced, "no-trace", false, "do not trace a step that a model's configuration does not say")
	f.BoolVar(&p.verifies, "verify", false, "run a step of Keras on a small batch of zeros, and compare what it takes with its estimate")
	f.BoolVarP(&p.quiet, "quiet", "q", false, "show nothing beside what the program shows")
	return cmd
}

func (p *probing) run() error {
	here, err := os.Getwd()
	if err != nil {
		return err
	}
	p.script = measure.Script(p.command)
	at := cmp.Or(p.script, filepath.Join(here, "x"))
	folder := project.Root(project.Disk{}, at)
	kept := p.output
	if kept == "" {
		if kept, err = observationsAt(folder); err != nil {
			return err
		}
	} else {
		folder = filepath.Dir(kept)
	}
	if p.root, err = real(folder); err != nil {
		return err
	}
	if p.hook, err = program.NewHook(); err != nil {
		return fmt.Errorf("cannot ask the program: %w", err)
	}
	defer p.hook.Close()
	p.stopped = map[string]bool{}
	if p.timeout > 0 {
		p.until = time.Now().Add(p.timeout)
	}
	ended, err := program.Run(p.command, program.Options{Env: p.environment(), Looks: looksEvery, End: p.ends})
	if err != nil {
		return fmt.Errorf("%s: %w", p.command[0], errors.Unwrap(err))
	}
	p.look()
	p.say(p.ending(ended))
	p.observe(kept)
	switch {
	case len(p.stopped) > 0:
		return nil
	case p.out:
		return exitCode(exitTimeout)
	}
	program.EndLike(ended)
	if ended.ExitCode() != 0 {
		return exitCode(ended.ExitCode())
	}
	return nil
}

// environment returns the environment of the program.
func (p *probing) environment() []string {
	more := []string{"TFMEM_PROBE_TRACE=" + map[bool]string{true: "0", false: strconv.Itoa(mostTracing)}[p.untraced], "TFMEM_PROBE_STEPS=" + strconv.Itoa(p.steps), "TFMEM_PROBE_ROOT=" + p.root}
	if p.verifies {
		more = append(more, verifying...)
	}
	if !p.gpu {
		more = append(more, "CUDA_VISIBLE_DEVICES=-1", "TFMEM_PROBE_CPU=1")
	}
	return p.hook.Environment(os.Environ(), program.Probe, more...)
}

// look notes which processes have stopped.
func (p *probing) look() {
	for _, name := range p.hook.Told() {
		if strings.HasSuffix(name, ".stopped") && !p.stopped[name] {
			said, _ := p.hook.Read(name, 1<<10)
			p.stopped[name], p.last = true, time.Now()
			p.kernel = p.kernel || string(said) == "kernel"
		}
	}
}

// ends reports whether what still runs of the program is to be ended. What runs a notebook waits for
// the kernel that has stopped; what has started a process that has stopped may start others.
func (p *probing) ends() bool {
	p.look()
	switch {
	case len(p.stopped) > 0:
		return p.kernel || time.Since(p.last) > patience
	case !p.until.IsZero() && time.Now().After(p.until):
		p.out = true
		return true
	}
	return false
}

// say writes a line to standard error.
func (p *probing) say(words string) {
	if !p.quiet {
		io.WriteString(p.errs, source.PrintableLines("tfmem: "+words+"\n"))
	}
}

// ending says how the run ended.
func (p *probing) ending(ended *os.ProcessState) string {
	switch {
	case len(p.stopped) > 0 && p.steps == 0:
		return "stopped before the first training step, as asked"
	case len(p.stopped) > 0:
		return fmt.Sprintf("stopped after %d training steps, as asked", p.steps)
	case p.out:
		return fmt.Sprintf("ended after %v, before a training step: --timeout", p.timeout)
	case ended.ExitCode() == 0:
		return "the program ended, and no training step was seen"
	}
	how := fmt.Sprintf("exit code %d", ended.ExitCode())
	if ended.ExitCode() < 0 {
		how = ended.String()
	}
	words := "the program failed before its training step (" + how + ")"
	if !p.gpu {
		words += "; it saw no GPU, which --gpu changes"
	}
	return words
}

// observe keeps what the processes told, and says what that is.
func (p *probing) observe(kept string) {
	var dumps []*observed.Dump
	for _, name := range p.hook.Told() {
		if !strings.HasSuffix(name, ".json") {
			continue
		}
		text, err := p.hook.Read(name, mostDump)
		if err == nil {
			var dump *observed.Dump
			if dump, err = observed.ReadDump(bytes.NewReader(text)); err == nil {
				dumps = append(dumps, dump)
			}
		}
		if err != nil {
			p.say(fmt.Sprintf("what process %s told cannot be read: %v", strings.TrimSuffix(name, ".json"), err))
		}
	}
	if len(dumps) == 0 {
		return
	}
	cells := ""
	if notebook.Is(p.script) {
		cells, _ = real(p.script)
	}
	f, err := observationsOf(p.root, cells, dumps)
	if err != nil {
		p.say("what was observed cannot be kept: " + err.Error())
		return
	}
	if len(f.Files) == 0 {
		p.say("nothing was observed in files below " + p.root)
		return
	}
	f.Tfmem, f.Command, f.Date = release, p.command, time.Now().Format(time.DateOnly)
	if err := keepObservations(f, kept); err != nil {
		p.say("what was observed cannot be kept: " + err.Error())
		return
	}
	for _, line := range toldBy(f) {
		p.say(line)
	}
	p.verify(kept, dumps)
	p.say("kept in " + kept)
	if p.script != "" {
		flag := ""
		if p.output != "" {
			flag = "--observed " + p.output + " "
		}
		p.say("now: tfmem estimate " + flag + fromHere(p.script))
	}
}

// toldBy says in a few lines what was observed: data and models first.
func toldBy(f *observed.File) (lines []string) {
	type told struct {
		order int
		words string
	}
	var all []told
	for _, path := range slices.Sorted(maps.Keys(f.Files)) {
		for _, n := range f.Files[path].Names {
			order := slices.Index([]string{observed.Array, observed.Table, observed.Dataset, observed.Model, observed.Number, observed.Text}, n.Value.Kind)
			if order < 0 {
				order = 9
			}
			all = append(all, told{order, fmt.Sprintf("  %s: %v", n.Name, n.Value)})
		}
	}
	slices.SortStableFunc(all, func(a, b told) int { return cmp.Compare(a.order, b.order) })
	head := fmt.Sprintf("observed %s in %s", report.Count(len(all), "name"), report.Count(len(f.Files), "file"))
	lines = append(lines, head)
	for _, path := range slices.Sorted(maps.Keys(f.Files)) {
		for _, c := range f.Files[path].Calls {
			if c.Batches != nil {
				lines = append(lines, fmt.Sprintf("  %s: %v", c.What(), c.Batch))
			}
		}
	}
	for i, t := range all {
		if i == mostTold {
			lines = append(lines, fmt.Sprintf("  and %d others", len(all)-i))
			break
		}
		lines = append(lines, t.words)
	}
	return lines
}

// real returns the absolute path of a file or folder, links resolved, as Python tells it.
func real(path string) (string, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	if resolved, err := filepath.EvalSymlinks(abs); err == nil {
		return resolved, nil
	}
	return abs, nil
}
