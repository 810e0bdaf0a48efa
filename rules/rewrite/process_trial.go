package rewrite

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/facts"
	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// trial returns what calls the function at the place for each trial, or nil. The place is in that function, or
// at the call that is given it.
func (p *Place) trial() *facts.Repeat {
	f := p.File.Facts()
	for n := p.node(); n.Valid(); n = n.Parent() {
		fn := p.File.Names().FunctionAt(n)
		if n.Kind() == syntax.Call {
			fn = f.RepeatedBy(n)
		}
		if r := f.RepeatOf(fn); r != nil && r.Each == "trial" && !r.Wrapped {
			return r
		}
	}
	s := statement(p.node())
	for _, call := range p.File.Names().Calls {
		if s.Kind() != syntax.ExpressionStatement || !call.Within(s) {
			continue
		}
		if r := f.RepeatOf(f.RepeatedBy(call)); r != nil && r.Each == "trial" && !r.Wrapped {
			return r
		}
	}
	return nil
}

// trialInProcess makes two functions of one that is called for each trial: one that asks for the parameters and
// has the name of the first, and one that does the rest in a process of its own.
func (p *Place) trialInProcess(r *facts.Repeat) (Change, error) {
	info, fn := p.File.Names(), r.Function
	by := rule.StatementIn(r.By, syntax.Node{})
	switch {
	case !p.Here(fn.Node) || !p.Here(r.By):
		return Change{}, errors.New("the function and the call that repeats it are not in the same file")
	case fn.Scope.Parent != info.Module || len(fn.Decorators) > 0 || fn.Yields || fn.Node.Kind() != syntax.FunctionDefinition || strings.HasPrefix(fn.Node.Text(), "async"):
		return Change{}, errors.New("this is no plain function at module level")
	case len(info.Module.Bindings(fn.Name)) > 1:
		return Change{}, fmt.Errorf("%s is bound more than once", fn.Name)
	}
	if err := p.whole(fn.Node); err != nil {
		return Change{}, err
	}
	asked, err := p.asked(fn, r)
	if err != nil {
		return Change{}, err
	}
	if err := p.trialWorks(fn); err != nil {
		return Change{}, err
	}
	if used := p.usedBefore(by); used != nil {
		return Change{}, p.alreadyUsed(used)
	}
	if p.notebook(fn.Node) {
		return p.writeTrialInNotebook(fn, asked)
	}
	guard := mainGuard(info, r.By)
	from := by
	if guard.Valid() {
		from = guard
	} else if info.ScopeOf(r.By).Function() != nil {
		return Change{}, errors.New(`the other process imports this file again, so the call must be under "if __name__ == '__main__'"`)
	} else {
		from = p.preparation(by)
		if err := p.guardable(from); err != nil {
			return Change{}, err
		}
	}
	onlyHere := func(b *names.Binding) bool {
		return b.Node.Within(from) || !guard.Valid() && b.Node.Start() >= from.Start()
	}
	if why := p.lostInChild(fn, onlyHere, map[*names.Function]bool{}); why != "" {
		return Change{}, errors.New(why)
	}
	return p.writeTrial(fn, asked, from, guard.Valid())
}

// assigned returns the binding of a statement that gives one name a value, or nil.
func assigned(info *names.Info, s syntax.Node) *names.Binding {
	left := s.FirstChild().Child(syntax.FieldLeft)
	if s.Kind() != syntax.ExpressionStatement || s.FirstChild().Kind() != syntax.Assignment || left.Kind() != syntax.Identifier {
		return nil
	}
	return info.BindingAt(left)
}

// preparation returns the first of the statements right above one that only it and what follows needs.
func (p *Place) preparation(s syntax.Node) syntax.Node {
	info := p.File.Names()
	for i := s.Stmt() - 1; i >= 0; i-- {
		above := s.Tree().Statement(i)
		b := assigned(info, above)
		if b == nil || !p.StartsLine(above) || !p.EndsLine(above) ||
			slices.ContainsFunc(info.Uses(b), func(use syntax.Node) bool { return use.Start() < s.Start() || info.ScopeOf(use) != info.Module }) {
			break
		}
		s = above
	}
	return s
}

// trialWorks returns an error if what a function does for a trial cannot be done in another process.
func (p *Place) trialWorks(fn *names.Function) error {
	f, works := p.File.Facts(), false
	for e := range p.events(fn.Node) {
		works = works || e.Effects.Has(uses|effects.BuildsModel|effects.LoadsModel)
		if e.Context&(flow.InWorker|flow.InStrategy) != 0 {
			return errInProcess
		}
	}
	if !works {
		return errNoModel
	}
	parameter := func(b *names.Binding) bool { return b.Scope == fn.Scope && b.Kind == names.ParameterBinding }
	var first, last syntax.Node
	for s := range fn.Body.Children() {
		if !first.Valid() {
			first = s
		}
		last = s
	}
	for _, n := range f.Stretch(first, last).Changes {
		if !slices.ContainsFunc(p.File.Names().ReachingDefs(n), parameter) {
			return fmt.Errorf("%s, which is changed on %s, would only be changed in the other process", n.Text(), p.line(n))
		}
	}
	for _, returned := range fn.Returns {
		if p.File.Names().ScopeOf(returned).Function() == fn && !f.SendableTo(returned, parameter) {
			return fmt.Errorf("it is not known whether the other process can send back %s on %s", returned.Text(), p.line(returned))
		}
	}
	return nil
}

// An asking is what the first of the two functions keeps: the statements that ask the trial, the expressions
// that become names, and all names that it passes on.
type asking struct {
	parameters string // of the function, as they are written
	lines      []string
	statements []syntax.Node
	replaced   []source.Edit
	passed     []string
	bound      []*names.Binding // by the statements
}

// asked returns what asks a trial for its parameters. Where the library passes the parameters themselves, nothing
// does.
func (p *Place) asked(fn *names.Function, r *facts.Repeat) (a asking, err error) {
	info, f := p.File.Names(), p.File.Facts()
	list := fn.Node.Child(syntax.FieldParameters)
	a.parameters = list.Text()
	for _, param := range fn.Params {
		if param.Star != 0 || param.Default.Valid() {
			return a, errors.New("its parameters are not all plain names")
		}
	}
	if len(fn.Params) == 0 {
		return a, errors.New("the function is passed nothing")
	}
	trial := fn.Scope.Bindings(fn.Params[0].Name)[0]
	if !f.IsTrial(trial) {
		if e := effects.Lookup(info.Callee(r.By)); e == nil || !e.PassesPlain {
			return a, errors.New("it is not known whether what the function is passed can be sent to another process")
		}
		for _, param := range fn.Params {
			a.passed = append(a.passed, param.Name)
		}
		return a, nil
	}
	if len(fn.Params) > 1 {
		return a, errors.New("the function is passed more than a trial")
	}
	known := map[*names.Binding]bool{trial: true} // what the first function has
	here := func(n syntax.Node) bool {            // of what an expression reads of the function's own
		return !slices.ContainsFunc(f.NamesIn(n), func(read syntax.Node) bool {
			return info.Lookup(read) == fn.Scope && slices.ContainsFunc(info.ReachingDefs(read), func(b *names.Binding) bool { return !known[b] })
		})
	}
	for s := range fn.Body.Children() {
		var uses []syntax.Node
		for _, use := range info.Uses(trial) {
			if use.Within(s) {
				uses = append(uses, use)
			}
		}
		if len(uses) == 0 {
			continue
		}
		if b := assigned(info, s); b != nil && here(s) && f.Sendable(s.FirstChild().Child(syntax.FieldRight), nil) {
			if err := p.whole(s); err != nil {
				return a, err
			}
			known[b] = true
			a.lines, a.statements, a.bound = append(a.lines, s.Text()), append(a.statements, s), append(a.bound, b)
			continue
		}
		for _, use := range uses {
			call := use.Parent().Parent()
			if !f.Suggests(call) {
				return a, fmt.Errorf("%s is used on %s by what would run in the other process, where it cannot be sent", use.Text(), p.line(use))
			}
			if !evaluatedOnce(call, s) || !here(call) {
				return a, fmt.Errorf("what %s is asked for on %s depends on what would run in the other process", use.Text(), p.line(use))
			}
			name, err := p.suggestedName(call, a.passed)
			if err != nil {
				return a, err
			}
			a.lines, a.passed = append(a.lines, name+" = "+call.Text()), append(a.passed, name)
			a.replaced = append(a.replaced, source.Edit{Span: rule.Span(call), New: name})
		}
	}
	if len(a.lines) == 0 {
		return a, errors.New("the function asks the trial for nothing")
	}
	for i, b := range a.bound {
		// Names of their own stand before those that expressions get.
		if slices.ContainsFunc(info.Uses(b), func(use syntax.Node) bool {
			return !slices.ContainsFunc(a.statements, func(s syntax.Node) bool { return use.Within(s) }) &&
				!slices.ContainsFunc(a.replaced, func(e source.Edit) bool { return e.Span.Contains(rule.Span(use)) })
		}) {
			a.passed = slices.Insert(a.passed, min(i, len(a.passed)), b.Name)
		}
	}
	return a, nil
}

// evaluatedOnce reports whether a statement evaluates an expression in it surely once, before anything else
// that may end it.
func evaluatedOnce(n, statement syntax.Node) bool {
	for ; n != statement; n = n.Parent() {
		parent := n.Parent()
		switch {
		case parent.Is(syntax.Lambda, syntax.ListComprehension, syntax.SetComprehension, syntax.DictionaryComprehension, syntax.GeneratorExpression, syntax.ConditionalExpression, syntax.BooleanOperator):
			return false
		case parent.Is(compound...):
			once := parent.Kind() == syntax.IfStatement && n.Field() == syntax.FieldCondition || parent.Kind() == syntax.ForStatement && n.Field() == syntax.FieldRight
			return once && parent == statement
		}
	}
	return true
}

var (
	notInName  = regexp.MustCompile(`[^0-9A-Za-z_]+`)
	identifier = regexp.MustCompile(`^[A-Za-z_]\w*$`)
)

// suggestedName returns a free name for what a call asks a trial for: the one that it has there.
func (p *Place) suggestedName(call syntax.Node, taken []string) (string, error) {
	given, ok := names.StringValue(names.Argument(call, 0, "name"))
	if !ok {
		return "", fmt.Errorf("it is not known what the trial is asked for on %s", p.line(call))
	}
	given = notInName.ReplaceAllString(given, "_")
	for _, name := range []string{given, given + "_", "trial_" + given} {
		if identifier.MatchString(name) && !syntax.Reserved(name) && !slices.Contains(taken, name) && p.FreeName(name) != "" {
			return name, nil
		}
	}
	return "", fmt.Errorf("no name is free for what the trial is asked for on %s", p.line(call))
}

// writeTrial writes the two functions, and puts what follows under the main guard if it is not.
func (p *Place) writeTrial(fn *names.Function, a asking, from syntax.Node, guarded bool) (Change, error) {
	free, err := p.free([]string{"run_trial", "train_trial", "trial_in_process"}, []string{"pool", "executor", "process_pool"})
	if err != nil {
		return Change{}, err
	}
	run, pool, nl := free[0], free[1], p.Newline()
	edits, aliases, err := p.importProcesses(from)
	if err != nil {
		return Change{}, err
	}
	edits = append(edits, p.trialEdits(fn, a, run, a.passed)...)
	second := append([]string{"", ""}, p.askingFunction(fn, a, run, pool, aliases, a.passed)...)
	end := p.LineEnd(fn.Node)
	edits = append(edits, source.Edit{Span: source.Span{Start: end, End: end}, New: nl + strings.TrimSuffix(p.lines("", second), nl)})
	if !guarded {
		under, err := p.underGuard(from)
		if err != nil {
			return Change{}, err
		}
		edits = append(edits, under...)
	}
	return Change{Edits: edits}, nil
}

// trialEdits make the function that another process runs of the one that is called for each trial.
func (p *Place) trialEdits(fn *names.Function, a asking, name string, parameters []string) []source.Edit {
	text := p.File.Source.Text()
	edits := append(slices.Clone(a.replaced),
		source.Edit{Span: rule.Span(fn.Node.Child(syntax.FieldName)), New: name},
		source.Edit{Span: rule.Span(fn.Node.Child(syntax.FieldParameters)), New: "(" + strings.Join(parameters, ", ") + ")"})
	for _, s := range a.statements {
		lines := p.Lines(s)
		first := !slices.ContainsFunc(slices.Collect(fn.Body.Children()), func(other syntax.Node) bool {
			return other.Start() < s.Start() && !slices.Contains(a.statements, other)
		})
		if first && p.BlankAfter(s) {
			lines.End = source.NextLine(text, source.LineEnd(text, lines.End))
		}
		edits = append(edits, source.Edit{Span: lines})
	}
	return edits
}

// askingFunction writes the function that asks for the parameters and has another process do the rest.
func (p *Place) askingFunction(fn *names.Function, a asking, run, pool string, aliases, arguments []string) []string {
	lines := []string{"def " + fn.Name + a.parameters + ":"}
	for _, line := range a.lines {
		lines = append(lines, "\t"+line)
	}
	return append(lines, "\twith "+p.newPool(aliases)+" as "+pool+":",
		"\t\treturn "+pool+".submit("+strings.Join(append([]string{run}, arguments...), ", ")+").result()")
}

// guardable returns an error if what follows a statement of the module cannot stand under the main guard.
func (p *Place) guardable(first syntax.Node) error {
	for s := rule.Next(first); s.Valid(); s = rule.Next(s) {
		if s.Is(syntax.FunctionDefinition, syntax.ClassDefinition, syntax.DecoratedDefinition, syntax.ImportStatement, syntax.ImportFromStatement) || flow.IsMainGuard(s.Child(syntax.FieldCondition)) {
			return fmt.Errorf("the other process imports this file again, and what follows on %s cannot stay out of that", p.line(s))
		}
	}
	return nil
}

// underGuard puts a statement of the module and all that follow it under the main guard.
func (p *Place) underGuard(first syntax.Node) ([]source.Edit, error) {
	last := first
	for s := first; s.Valid(); s = rule.Next(s) {
		last = s
	}
	indented, err := p.indented(first, last)
	if err != nil {
		return nil, err
	}
	guard := p.insertBefore(first, "if __name__ == "+p.Quote()+"__main__"+p.Quote()+":")
	return append([]source.Edit{guard}, indented...), nil
}
