package rewrite

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// A Module is a file that a rewrite makes beside the one that it changes.
type Module struct {
	Name, Text string
}

// notebook reports whether a statement is in a notebook, from which another process imports nothing.
func (p *Place) notebook(s syntax.Node) bool {
	return p.File.Source.Segments()[p.File.Source.SegmentAt(s.Start())].Cell > 0
}

// A carrier collects what code of a notebook needs in a module of its own: imports, functions, classes and
// constants go there, and other values are passed to it.
type carrier struct {
	*Place
	region          syntax.Node // the code that moves, whose own names it has there
	imports, others []syntax.Node
	passed          []string
	open            []syntax.Node // functions and classes of others whose needs are not collected yet
}

// needs adds what code reads of the notebook. Only the code that a call runs can be passed values.
func (c *carrier) needs(code syntax.Node, passes bool) (err error) {
	for _, n := range c.File.Facts().NamesIn(code) {
		if info := c.File.Names(); err == nil && info.Lookup(n) == info.Module {
			err = c.name(n, code, passes)
		}
	}
	return err
}

// name adds what a name stands for.
func (c *carrier) name(n, code syntax.Node, passes bool) error {
	info := c.File.Names()
	bindings := info.Module.Bindings(n.Text())
	if passes {
		bindings = info.ReachingDefs(n)
	}
	for _, b := range bindings {
		if b.Node.Within(code) || b.Node.Within(c.region) {
			continue
		}
		top := rule.StatementIn(b.Node, syntax.Node{})
		switch {
		case slices.Contains(c.imports, top) || slices.Contains(c.others, top) || slices.Contains(c.passed, n.Text()):
		case b.Scope != info.Module || len(bindings) > 1 || !rule.Fixable(top) || !c.StartsLine(top) || !c.EndsLine(top):
			return fmt.Errorf("it is not known what %s on %s is in the other process", n.Text(), c.line(n))
		case top.Is(syntax.ImportStatement, syntax.ImportFromStatement, syntax.FutureImportStatement):
			c.imports = append(c.imports, top)
		case top.Is(syntax.FunctionDefinition, syntax.ClassDefinition, syntax.DecoratedDefinition):
			c.others, c.open = append(c.others, top), append(c.open, top)
		case passes && c.File.Facts().Sendable(n, nil):
			c.passed = append(c.passed, n.Text())
		case assigned(info, top) == b && top.FirstChild().Child(syntax.FieldRight).Is(syntax.Integer, syntax.Float, syntax.String, syntax.True, syntax.False, syntax.NoneLiteral):
			c.others = append(c.others, top)
		default:
			return fmt.Errorf("%s on %s is set on %s and would not be there in another process", n.Text(), c.line(n), c.line(b.Node))
		}
	}
	return nil
}

// module returns the module that has a function, and what it needs.
func (c *carrier) module(function, text string) *Module {
	var b strings.Builder
	b.WriteString(`"""What ` + filepath.Base(c.File.Source.Path) + ` runs in a process of its own."""` + "\n")
	at := func(a, b syntax.Node) int { return a.Start() - b.Start() }
	slices.SortFunc(c.imports, at)
	slices.SortFunc(c.others, at)
	write := func(s syntax.Node) {
		lines := c.Lines(s)
		b.WriteString(strings.TrimRight(c.File.Source.Text()[lines.Start:lines.End], "\r\n") + "\n")
	}
	for _, s := range c.imports {
		write(s)
	}
	for _, s := range c.others {
		if b.WriteString("\n"); s.Is(syntax.FunctionDefinition, syntax.ClassDefinition, syntax.DecoratedDefinition) {
			b.WriteString("\n")
		}
		write(s)
	}
	b.WriteString("\n\n" + strings.TrimRight(text, "\r\n") + "\n")
	return &Module{Name: function + ".py", Text: strings.ReplaceAll(b.String(), "\r\n", "\n")}
}

// cellImports writes the imports that a cell needs to run a function of a module in a process, and returns the
// names of the modules of the standard library.
func (p *Place) cellImports(at syntax.Node, function string) (lines, aliases []string) {
	for _, module := range processModules {
		alias := p.Bound(module, p.File.Names().Module, at)
		if alias == "" {
			lines, alias = append(lines, "import "+module), module
		}
		aliases = append(aliases, alias)
	}
	if len(lines) > 0 {
		lines = append(lines, "")
	}
	return append(lines, "from "+function+" import "+function, ""), aliases
}

// writeLoopInNotebook writes what an iteration does to a module, and runs it from there.
func (p *Place) writeLoopInNotebook(loop syntax.Node, head, needless []syntax.Node, passed, returned []string) (Change, error) {
	free, err := p.free([]string{"run_once", "run_iteration", "run_in_process"}, []string{"pool", "executor", "process_pool"})
	if err != nil {
		return Change{}, err
	}
	function, pool, text := free[0], free[1], p.File.Source.Text()
	c, err := p.carry(loop, head...)
	if err != nil {
		return Change{}, err
	}
	arguments := slices.Concat(passed, slices.DeleteFunc(c.passed, func(name string) bool { return slices.Contains(passed, name) }))
	body := source.Span{Start: source.NextLine(text, p.LineEnd(loop.Child(syntax.FieldRight))), End: p.LineEnd(head[len(head)-1])}
	made := p.lines("", []string{"def " + function + "(" + strings.Join(arguments, ", ") + "):"}) + text[body.Start:body.End] + p.Newline()
	result := ""
	if len(returned) > 0 {
		result = strings.Join(returned, ", ") + " = "
		made += p.lines(p.IndentOf(head[0]), []string{"return " + strings.Join(returned, ", ")})
	}
	imports, aliases := p.cellImports(loop, function)
	edits := []source.Edit{p.insertBefore(loop, imports...), {Span: body, New: strings.TrimSuffix(p.lines(p.IndentOf(head[0]), []string{
		"with " + p.newPool(aliases) + " as " + pool + ":",
		"\t" + result + pool + ".submit(" + strings.Join(append([]string{function}, arguments...), ", ") + ").result()",
	}), p.Newline())}}
	for _, s := range needless {
		edits = append(edits, source.Edit{Span: p.Lines(s)})
	}
	return Change{Edits: edits, Module: c.module(function, made)}, nil
}

// writeTrialInNotebook writes what a trial runs to a module, and what asks for its parameters in place of it.
func (p *Place) writeTrialInNotebook(fn *names.Function, a asking) (Change, error) {
	free, err := p.free([]string{"run_trial", "train_trial", "trial_in_process"}, []string{"pool", "executor", "process_pool"})
	if err != nil {
		return Change{}, err
	}
	run, pool := free[0], free[1]
	c, err := p.carry(fn.Node, fn.Body)
	if err != nil {
		return Change{}, err
	}
	arguments := slices.Concat(a.passed, slices.DeleteFunc(c.passed, func(name string) bool { return slices.Contains(a.passed, name) }))
	within, err := p.File.Source.Edited(joined(p.trialEdits(fn, a, run, arguments)))
	if err != nil {
		return Change{}, errors.New("the edit would change a magic of the notebook")
	}
	// The rest of the notebook stays as it is, so that the function ends as far from its end as before.
	text, after := p.File.Source.Text(), within.Text()
	start := fn.Node.Start()
	made := after[start : len(after)-(len(text)-p.LineEnd(fn.Node))]
	imports, aliases := p.cellImports(fn.Node, run)
	lines := append(imports, "")
	lines = append(lines, p.askingFunction(fn, a, run, pool, aliases, arguments)...)
	return Change{
		Edits:  []source.Edit{{Span: source.Span{Start: start, End: p.LineEnd(fn.Node)}, New: strings.TrimSuffix(p.lines("", lines), p.Newline())}},
		Module: c.module(run, made),
	}, nil
}

// carry collects what statements of a region of a notebook need in another module.
func (p *Place) carry(region syntax.Node, code ...syntax.Node) (*carrier, error) {
	if p.File.Names().ImportsAll() {
		return nil, errors.New("the notebook imports all names of a module, and it is not known which of them the other process needs")
	}
	c := &carrier{Place: p, region: region}
	for _, s := range code {
		if err := c.needs(s, true); err != nil {
			return nil, err
		}
	}
	for len(c.open) > 0 {
		s := c.open[0]
		c.open = c.open[1:]
		if err := c.needs(s, false); err != nil {
			return nil, err
		}
	}
	return c, nil
}
