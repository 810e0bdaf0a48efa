package options

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/tfmem/tfmem/analyzer/interp"
	"github.com/tfmem/tfmem/analyzer/value"
)

// A commandLine is what a parser of options gets: texts that the program itself passes, or the commands
// with which its project runs it, of which there may be none.
type commandLine struct {
	own      bool // the program passes it
	fixed    bool // all of it is known then, so defaults cannot be overridden
	commands []value.Command
	open     *value.Cause // why more may be passed
}

func commandLineOf(in *value.Interp, v value.Value) (line commandLine) {
	if why := v.Cause(); v.X == nil || v.X == (value.None{}) || why != nil && why.Root().Code == value.CommandLine {
		line.commands = in.Commands.All()
		return line
	}
	items, known := interp.Iterate(in, v)
	line.own, line.fixed = true, known
	var words []string
	for _, item := range items {
		s, isText := item.X.(string)
		if !isText {
			s = value.Hidden
		}
		words = append(words, s)
	}
	if !known && v.Cause() == nil {
		line.open = interp.WhyNotIterable(in, v)
	}
	line.commands = []value.Command{{Words: words}}
	return line
}

// given is what a command passes for an option.
type given struct {
	flag  string   // as it is declared; "" for a positional one
	texts []string // that it takes; [value.Hidden] may stand in them
	times int      // how often it is given
}

// words returns it as a person writes it.
func (g *given) words(o *option) string {
	if g.flag == "" {
		return o.name + "=" + strings.Join(g.texts, " ")
	}
	return strings.Join(append([]string{g.flag}, g.texts...), " ")
}

// known reports whether only the shell would tell it.
func (g *given) known() bool {
	return !slices.ContainsFunc(g.texts, func(s string) bool { return strings.Contains(s, value.Hidden) })
}

// A reader reads the words of a command by the options of a parser.
type reader struct {
	options []*option
	// argparse is set if a flag may be cut short where that names one, and no flag is taken for a text.
	argparse bool
	lenient  bool // other flags may be given (argparse's parse_known_args)
	// ends reports whether a word that stands for itself begins a command of another parser.
	ends func(word string) bool
}

// mostWords bounds the words of a command that are read.
const mostWords = 256

// read returns what the words pass for each option, by its index, and the words after those that concern
// these options. It fits if the parser takes them.
func (r reader) read(words []string) (found map[int]*given, rest []string, fits bool) {
	found, rest = map[int]*given{}, nil
	if len(words) > mostWords {
		return found, nil, false
	}
	var alone []string // words that stand for themselves
	unsure := false
	for i := 0; i < len(words); i++ {
		word := words[i]
		if word == "--" {
			alone = append(alone, words[i+1:]...)
			break
		}
		if word == value.Hidden {
			unsure = true // it may be any number of words
			continue
		}
		if !isFlag(word) {
			if r.ends != nil && r.ends(word) {
				rest = words[i:]
				break
			}
			alone = append(alone, word)
			continue
		}
		at, flag, value, set := r.flag(word)
		if at < 0 {
			if !r.lenient {
				return found, nil, false
			}
			continue
		}
		o := r.options[at]
		g := found[at]
		if g == nil || !o.repeats && !o.counts {
			g = &given{}
			found[at] = g
		}
		g.flag, g.times = flag, g.times+1
		switch {
		case o.takes.most == 0 && !set:
		case o.takes.most == 0 && o.kind.X != nil && o.off != nil: // --x=true
			g.texts = []string{value}
		case o.takes.most == 0 && flag[1] != '-' && len(flag) == 2: // -vv
			words[i] = "-" + value
			i--
		case o.takes.most == 0:
			return found, nil, false
		case set:
			g.texts = append(g.texts, value)
		default:
			n := 0
			for ; n < o.takes.most && i+1 < len(words) && (!isFlag(words[i+1]) || !r.argparse && n < o.takes.least); n++ {
				i++
				g.texts = append(g.texts, words[i])
			}
			if n < o.takes.least {
				return found, nil, false
			}
		}
	}
	return found, rest, unsure || r.place(found, alone)
}

// place gives the words that stand for themselves to the positional options, in their order.
func (r reader) place(found map[int]*given, alone []string) (fits bool) {
	least := 0
	for _, o := range r.options {
		if o.byPlace {
			least += o.takes.least
		}
	}
	for at, o := range r.options {
		if !o.byPlace {
			continue
		}
		least -= o.takes.least
		n := min(o.takes.most, len(alone)-least)
		if n < o.takes.least {
			return false
		}
		if n > 0 {
			found[at] = &given{texts: alone[:n], times: 1}
		}
		alone = alone[n:]
	}
	return len(alone) == 0 || r.lenient
}

// isFlag reports whether a word is one, not a text or a negative number.
func isFlag(word string) bool {
	if len(word) < 2 || word[0] != '-' || strings.Contains(word, " ") {
		return false
	}
	_, err := strconv.ParseFloat(word, 64)
	return err != nil
}

// flag returns the option that a word names, and the value that is set in it.
func (r reader) flag(word string) (at int, flag, set string, isSet bool) {
	name, set, isSet := strings.Cut(word, "=")
	index := func(is func(flag string) bool) (int, string) {
		for i, o := range r.options {
			if j := slices.IndexFunc(o.flags, is); j >= 0 {
				return i, o.flags[j]
			}
		}
		return -1, ""
	}
	if at, flag = index(func(f string) bool { return f == name }); at >= 0 {
		return at, flag, set, isSet
	}
	if name[1] != '-' { // -b64
		at, flag = index(func(f string) bool { return f == name[:2] })
		return at, flag, word[2:], true
	}
	if !r.argparse {
		return -1, "", "", false
	}
	begins := func(f string) bool { return strings.HasPrefix(f, name) }
	if at, flag = index(begins); at >= 0 {
		for i, o := range r.options {
			if i != at && slices.ContainsFunc(o.flags, begins) {
				return -1, "", "", false
			}
		}
	}
	return at, flag, set, isSet
}

// passed returns what a command passes for an option; empty if that is not known.
func (o *option) passed(in *value.Interp, g *given) value.Value {
	to := option{kind: o.kind, textOnly: o.textOnly}
	if to.kind.X == nil && !o.textOnly {
		to.kind = kindOf(o.standard)
	}
	switch {
	case o.counts:
		return value.Value{X: int64(g.times)}
	case len(g.texts) > 0 && o.takes.most <= 1 && !o.repeats:
		return to.converted(in, value.Value{X: g.texts[0]})
	case o.off != nil:
		return value.Value{X: !slices.Contains(o.off, g.flag)}
	case o.takes.most <= 1 && len(g.texts) == 0:
		return o.constant
	case o.takes != one && o.repeats, o.repeats && o.textOnly && o.standard.X != nil && o.standard.X != (value.None{}):
		return value.Value{} // a list of lists, and one that goes on from the default
	}
	items := &value.List{}
	for _, text := range g.texts {
		items.Items = append(items.Items, to.converted(in, value.Value{X: text}))
	}
	if o.many.X == nil {
		return value.Value{X: items}
	}
	return interp.Call(in, o.many, &value.Args{Positional: []value.Value{{X: items}}})
}

// kindOf returns the type that click gives to an option with a default.
func kindOf(standard value.Value) value.Value {
	switch standard.X.(type) {
	case bool:
		return value.Value{X: truth}
	case int64:
		return value.Value{X: value.External{Name: "builtins.int"}}
	case float64:
		return value.Value{X: value.External{Name: "builtins.float"}}
	}
	return value.Value{}
}

// refuses reports whether an option is passed what is no number, and must be one.
func (o *option) refuses(in *value.Interp, g *given) bool {
	if x, ok := o.kind.X.(value.External); !ok || x.Name != "builtins.int" && x.Name != "builtins.float" {
		return false
	}
	return slices.ContainsFunc(g.texts, func(text string) bool {
		return !strings.Contains(text, value.Hidden) && !o.converted(in, value.Value{X: text}).Known()
	})
}

// A parsed is a command line, read by the options of a parser.
type parsed struct {
	commandLine
	options []*option
	found   []map[int]*given // by command
	rest    [][]string       // by command
}

// by reads the command line. Commands that the parser refuses are not of it.
func (line commandLine) by(in *value.Interp, r reader) parsed {
	p := parsed{commandLine: line, options: r.options}
	p.commands = nil
	for _, c := range line.commands {
		if !in.Spend(1 + len(c.Words)) {
			break
		}
		found, rest, fits := r.read(slices.Clone(c.Words))
		for at, g := range found {
			fits = fits && !r.options[at].refuses(in, g)
		}
		if fits {
			p.commands, p.found, p.rest = append(p.commands, c), append(p.found, found), append(p.rest, rest)
		}
	}
	return p
}

// value returns the value of an option: what the command line passes, or else its default. passed is set
// if it is passed. Where commands of the project differ, or only the shell would tell, it is the default.
func (p parsed) value(in *value.Interp, at int) (v value.Value, passed bool) {
	o := p.options[at]
	v = o.value(in)
	if p.own {
		return p.ownValue(in, at, v)
	}
	var first *given
	use := value.CommandUse{}
	for i, found := range p.found {
		g := found[at]
		if g != nil {
			use.Places = append(use.Places, p.commands[i].Place)
			first = cmp.Or(first, g)
		}
		use.Differs = use.Differs || !same(g, p.found[0][at])
	}
	switch {
	case first == nil:
		return v, false
	case use.Differs:
		use.Option = o.called()
		in.Commands.Use(use)
		return v, false
	case !first.known():
		return v, false
	}
	given := o.passed(in, first)
	if !given.Known() {
		return v, false
	}
	use.Option = first.words(o)
	in.Commands.Use(use)
	given.Overridable = true
	return given, true
}

// ownValue returns the value of an option whose command line the program passes itself.
func (p parsed) ownValue(in *value.Interp, at int, standard value.Value) (v value.Value, passed bool) {
	open := func() value.Value {
		return in.Unknown(value.CommandLine, "the program passes the argument %s to its own parser", p.options[at].name)
	}
	if len(p.found) == 0 {
		return open(), true
	}
	standard.Overridable = standard.Overridable && !p.fixed
	g := p.found[0][at]
	if g == nil {
		return standard, false
	}
	if v = p.options[at].passed(in, g); !p.fixed || !g.known() || !v.Known() {
		return open(), true
	}
	return v, true
}

// called is what a person calls the option.
func (o *option) called() string {
	for _, f := range o.flags {
		if strings.HasPrefix(f, "--") {
			return f
		}
	}
	return append(slices.Clone(o.flags), o.name)[0]
}

// same reports whether two commands pass the same for an option.
func same(a, b *given) bool {
	if a == nil || b == nil {
		return a == b
	}
	return slices.Equal(a.texts, b.texts) && a.times == b.times && (len(a.texts) > 0 || a.flag == b.flag)
}

// number reads a count of texts as argparse and click declare it.
func number(nargs value.Value) count {
	switch n := nargs.X.(type) {
	case int64:
		if n < 0 {
			return count{0, anyNumber}
		}
		return count{int(min(n, anyNumber)), int(min(n, anyNumber))}
	case string:
		switch n {
		case "?":
			return count{0, 1}
		case "*", "...":
			return count{0, anyNumber}
		case "+":
			return count{1, anyNumber}
		}
	}
	return one
}
