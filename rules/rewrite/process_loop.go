package rewrite

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/facts"
	"github.com/tfmem/tfmem/analyzer/facts/origins"
	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// loopInProcess makes a function of what a loop at module level does up to the last use of the GPU, and runs
// it in a process in each iteration. The rest of the iteration stays, with what the function returns.
func (p *Place) loopInProcess(loop syntax.Node) (Change, error) {
	if err := p.whole(loop); err != nil {
		return Change{}, err
	}
	if loop.Kind() != syntax.ForStatement || loop.Child(syntax.FieldAlternative).Valid() {
		return Change{}, errors.New("this is no plain for loop")
	}
	head, tail, err := p.parted(loop)
	if err != nil {
		return Change{}, err
	}
	first, last := head[0], head[len(head)-1]
	stretch := p.File.Facts().Stretch(first, last)
	needless := slices.DeleteFunc(slices.Clone(tail), func(s syntax.Node) bool { return !p.frees(s, stretch) })
	passed, returned, err := p.signature(loop, stretch, needless)
	if err != nil {
		return Change{}, err
	}
	if p.notebook(loop) {
		if used := p.usedBefore(loop); used != nil {
			return Change{}, p.alreadyUsed(used)
		}
		return p.writeLoopInNotebook(loop, head, needless, passed, returned)
	}
	onlyHere := func(b *names.Binding) bool { return b.Node.Start() >= loop.Start() }
	for _, b := range stretch.Reads {
		if b.Func != nil {
			if why := p.lostInChild(b.Func, onlyHere, map[*names.Function]bool{}); why != "" {
				return Change{}, errors.New(why)
			}
		}
	}
	if err := p.guardable(loop); err != nil {
		return Change{}, err
	}
	if used := p.usedBefore(loop); used != nil {
		return Change{}, p.alreadyUsed(used)
	}
	return p.writeLoop(loop, head, needless, passed, returned)
}

// frees reports whether a statement is needless after the stretch has run in another process: it only deletes
// names that the stretch binds, or frees models, as the end of that process does.
func (p *Place) frees(s syntax.Node, stretch facts.Stretch) bool {
	if s.Kind() != syntax.DeleteStatement {
		e := effects.Lookup(p.File.Names().Callee(s.FirstChild()))
		return s.Kind() == syntax.ExpressionStatement && e != nil && e.Effects.Has(effects.FreesModels)
	}
	deleted := slices.Collect(s.Children())
	if len(deleted) == 1 && deleted[0].Is(syntax.ExpressionList, syntax.Tuple) {
		deleted = slices.Collect(deleted[0].Children())
	}
	return !slices.ContainsFunc(deleted, func(name syntax.Node) bool {
		return !slices.ContainsFunc(stretch.Binds, func(b *names.Binding) bool { return b.Name == name.Text() })
	})
}

// writeLoop writes the function above the loop, and the loop under the main guard with all that follows it.
func (p *Place) writeLoop(loop syntax.Node, head, needless []syntax.Node, passed, returned []string) (Change, error) {
	free, err := p.free([]string{"run_once", "run_iteration", "run_in_process"}, []string{"pool", "executor", "process_pool"})
	if err != nil {
		return Change{}, err
	}
	function, pool, text := free[0], free[1], p.File.Source.Text()
	edits, aliases, err := p.importProcesses(loop)
	if err != nil {
		return Change{}, err
	}
	header := loop.Child(syntax.FieldRight)
	body := source.Span{Start: source.NextLine(text, p.LineEnd(header)), End: p.LineEnd(head[len(head)-1])}
	lines := []string{"def " + function + "(" + strings.Join(passed, ", ") + "):"}
	result := ""
	call := pool + ".submit(" + strings.Join(append([]string{function}, passed...), ", ") + ").result()"
	above := p.lines("", lines) + text[body.Start:body.End] + p.Newline()
	if len(returned) > 0 {
		result = strings.Join(returned, ", ") + " = "
		above += p.lines(p.Indent(), []string{"return " + strings.Join(returned, ", ")})
	}
	start := p.insertBefore(loop)
	nl := p.Newline()
	for before := text[:start.Span.Start]; !strings.HasSuffix(before+start.New, nl+nl+nl); {
		start.New += nl
	}
	start.New += above + p.lines("", []string{"", ""})
	within := p.IndentOf(head[0]) + p.Indent()
	replaced := source.Edit{Span: body, New: strings.TrimSuffix(p.lines(within, []string{
		"with " + p.newPool(aliases) + " as " + pool + ":",
		"\t" + result + call,
	}), p.Newline())}
	drop := []source.Edit{replaced}
	for _, s := range needless {
		drop = append(drop, source.Edit{Span: source.Span{Start: source.LineStart(text, s.Start()), End: source.NextLine(text, p.LineEnd(s))}})
	}
	edits = append(edits, start)
	indented, err := p.underGuard(loop)
	if err != nil {
		return Change{}, err
	}
	for _, e := range indented {
		if !slices.ContainsFunc(drop, func(d source.Edit) bool { return d.Span.Start <= e.Span.Start && e.Span.Start < d.Span.End }) {
			edits = append(edits, e)
		}
	}
	return Change{Edits: append(edits, drop...)}, nil
}

// processModules are those by which a process is started and waited for.
var processModules = []string{"concurrent.futures", "multiprocessing"}

// importProcesses imports these modules where code at a statement
// of the module does not have them, and returns their names.
func (p *Place) importProcesses(at syntax.Node) (edits []source.Edit, aliases []string, err error) {
	for _, module := range processModules {
		alias := p.Bound(module, p.File.Names().Module, at)
		if alias == "" {
			imported, err := p.importFirst(module)
			if err != nil {
				return nil, nil, err
			}
			if len(edits) > 0 && edits[0].Span == imported.Span && strings.HasSuffix(edits[0].New, p.Newline()+p.Newline()) {
				edits[0].New = strings.TrimSuffix(edits[0].New, p.Newline()) // one blank line below both
			}
			edits, alias = append(edits, imported), module
		}
		aliases = append(aliases, alias)
	}
	return edits, aliases, nil
}

// newPool writes what starts one process that shares nothing with this one, by the names of the modules.
func (p *Place) newPool(aliases []string) string {
	return aliases[0] + ".ProcessPoolExecutor(1, mp_context=" + aliases[1] + ".get_context(" + p.Quote() + "spawn" + p.Quote() + "))"
}

func (p *Place) alreadyUsed(e *flow.Event) error {
	return fmt.Errorf("this process uses the GPU itself, on %s, and leaves no memory for another", p.line(e.Node))
}

// parted returns the statements of a loop's body up to the last that uses a model, and those after it.
func (p *Place) parted(loop syntax.Node) (head, tail []syntax.Node, err error) {
	var all []syntax.Node
	works := 0
	for s := range loop.Child(syntax.FieldBody).Children() {
		if s.Kind() == syntax.Comment {
			continue
		}
		if err := p.whole(s); err != nil {
			return nil, nil, err
		}
		all = append(all, s)
		for e := range p.events(s) {
			if e.Context&(flow.InWorker|flow.InStrategy) != 0 {
				return nil, nil, errInProcess
			}
			if e.Effects.Has(uses | effects.BuildsModel | effects.LoadsModel) {
				works = len(all)
			}
		}
		if works > 0 && p.readsModel(s) {
			works = len(all)
		}
	}
	if works == 0 {
		return nil, nil, errNoModel
	}
	return all[:works], all[works:], nil
}

// readsModel reports whether a statement does something with a model that the program builds or loads, such as
// to save or call it. One that only deletes it does not.
func (p *Place) readsModel(s syntax.Node) bool {
	return s.Kind() != syntax.DeleteStatement && p.File.Facts().ReadsAny(s, func(origin origins.Place, _ func(origins.Place) bool) bool {
		return effects.Of(p.File.Names().Callee(origin.Node)).Has(effects.BuildsModel | effects.LoadsModel)
	})
}

var (
	errInProcess = errors.New("it runs in another process, or under a strategy, already")
	errNoModel   = errors.New("no model is known to be built, trained or used in what is called here")
)

// signature returns the names that the function is passed and those that it returns, for all but the
// statements that are needless after it.
func (p *Place) signature(loop syntax.Node, s facts.Stretch, needless []syntax.Node) (passed, returned []string, err error) {
	switch {
	case len(s.Leaves) > 0:
		return nil, nil, fmt.Errorf("%s on %s would leave the function instead of the loop", s.Leaves[0].Text(), p.line(s.Leaves[0]))
	case len(s.Carried) > 0:
		return nil, nil, fmt.Errorf("%s on %s may be what an earlier iteration left", s.Carried[0].Text(), p.line(s.Carried[0]))
	case len(s.Changes) > 0:
		return nil, nil, fmt.Errorf("%s, which is changed on %s, would only be changed in the other process", s.Changes[0].Text(), p.line(s.Changes[0]))
	}
	f := p.File.Facts()
	for _, b := range s.Reads {
		if !b.Node.Within(loop) {
			continue // the other process has it when it has imported the file
		}
		if b.Kind != names.ForBinding && b.Kind != names.UnpackBinding || b.Node.Within(loop.Child(syntax.FieldBody)) {
			return nil, nil, fmt.Errorf("%s is set on %s by an earlier iteration", b.Name, p.line(b.Node))
		}
		if !f.Sendable(loop.Child(syntax.FieldRight), nil) && !f.Sendable(b.Node, nil) {
			return nil, nil, fmt.Errorf("it is not known whether %s can be passed to another process", b.Name)
		}
		if !slices.Contains(passed, b.Name) {
			passed = append(passed, b.Name)
		}
	}
	for _, use := range s.Uses {
		if slices.ContainsFunc(needless, func(s syntax.Node) bool { return use.Within(s) }) || slices.Contains(returned, use.Text()) {
			continue
		}
		if !f.Sendable(use, nil) {
			return nil, nil, fmt.Errorf("%s is read on %s, and it is not known whether the other process can send it back", use.Text(), p.line(use))
		}
		if p.File.Names().ScopeOf(use) != p.File.Names().Module {
			return nil, nil, fmt.Errorf("%s is read by the function on %s", use.Text(), p.line(use))
		}
		returned = append(returned, use.Text())
	}
	return passed, returned, nil
}
