package launch

import (
	"maps"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// A shell runs commands one after the other, as far as it matters here.
type shell struct {
	environment map[string]string
	folder      string
	elsewhere   bool
	// at is the folder in which a program of the project runs. What leads to an absolute path, or to one that
	// is not known, leads to the author's copy of the project.
	at     string
	depth  int
	asks   slurm // what the job asks for
	found  Starts
	inside int // conditions and loops that are open
}

func newShell() *shell { return &shell{environment: map[string]string{}} }

// run runs a line of commands.
func (s *shell) run(text string, line int) {
	for _, words := range split(text) {
		s.command(words, line)
	}
}

var assignment = regexp.MustCompile(`^([A-Za-z_]\w*)=`)

// wrappers run the command that follows them, and their options.
var wrappers = strings.Fields("exec nohup sudo env time nice poetry pipenv uv pdm rye hatch run python python3 export then do else xvfb-run tini dumb-init")

// command runs one command: a server may be started by it, a variable set or another folder entered.
func (s *shell) command(words []string, line int) {
	if len(words) == 0 {
		return
	}
	own, alone := maps.Clone(s.environment), true
	switch first := words[0]; {
	case slices.Contains([]string{"if", "case", "for", "while", "until", "select"}, first):
		if s.inside++; first == "for" && len(words) > 2 {
			s.environment[words[1]] = Unknown
		}
	case slices.Contains([]string{"fi", "esac", "done"}, first):
		s.inside = max(s.inside-1, 0)
	}
	expanded := make([]string, len(words))
	for i, word := range words {
		expanded[i] = expand(word, own)
	}
	if one, before, ok := script(expanded); ok {
		asks := s.asks
		if at := slices.IndexFunc(before, func(w string) bool { return path.Base(w) == "srun" }); at >= 0 {
			asks.options(before[at+1:], line)
		}
		one.Line, one.Folder, one.Asks = line, s.at, asks.request()
		s.found.Scripts = append(s.found.Scripts, one)
	}
	for i, word := range words {
		word = expand(word, own)
		if m := assignment.FindString(word); m != "" {
			own[m[:len(m)-1]] = word[len(m):]
			continue
		}
		if slices.Contains(wrappers, path.Base(word)) || i > 0 && strings.HasPrefix(word, "-") {
			alone = alone && word == "export"
			continue
		}
		rest := make([]string, 0, len(words)-i)
		for _, w := range words[i+1:] {
			rest = append(rest, expand(w, own))
		}
		switch name := path.Base(word); {
		case name == "cd" && i == 0:
			s.enter(rest)
		case (name == "sh" || name == "bash") && s.depth < 4:
			if at := slices.IndexFunc(rest, func(w string) bool { return strings.HasPrefix(w, "-") && strings.HasSuffix(w, "c") }); at >= 0 && at+1 < len(rest) {
				inner := &shell{environment: own, folder: s.folder, elsewhere: s.elsewhere, at: s.at, asks: s.asks, depth: s.depth + 1}
				inner.run(rest[at+1], line)
				s.found.add(inner.found)
			}
		case programs[name].read != nil:
			server := programs[name].server(name, rest)
			if server.Program == "" {
				return
			}
			server.Line, server.WorkersLine, server.PreloadLine, server.Environment = line, line, line, own
			server.Folder, server.Elsewhere = path.Join(s.folder, server.Folder), s.elsewhere || server.Elsewhere
			s.found.Servers = append(s.found.Servers, server)
		}
		return
	}
	if !alone {
		return
	}
	for name, value := range own {
		// What a condition decides is not known.
		if before, set := s.environment[name]; set && before != value && s.inside > 0 {
			own[name] = Unknown
		}
	}
	s.environment = own
}

// enter enters another folder.
func (s *shell) enter(to []string) {
	if len(to) != 1 || path.IsAbs(to[0]) || strings.ContainsAny(to[0], "$`~") {
		s.at = ""
	} else {
		s.at = path.Join(s.at, to[0])
	}
	if len(to) != 1 || path.IsAbs(to[0]) || strings.ContainsAny(to[0], "$`~") || !filepath.IsLocal(path.Join(s.folder, to[0])) {
		s.elsewhere = true
		return
	}
	s.folder = path.Join(s.folder, to[0])
}

// variable is a use of one: $NAME, ${NAME}, ${NAME:-default}, $(NAME) in a Makefile.
var variable = regexp.MustCompile(`\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)(?::?[-=]([^}]*))?\})`)

// expand returns a word with the values of its variables. A variable that nobody sets has its
// default, or stays as it is written.
func expand(word string, values map[string]string) string {
	return variable.ReplaceAllStringFunc(word, func(use string) string {
		m := variable.FindStringSubmatch(use)
		switch value, known := values[m[1]+m[2]]; {
		case known && value != Unknown:
			return value
		case strings.Contains(use, "-"), strings.Contains(use, "="):
			return m[3]
		}
		return use
	})
}

// Unresolved reports whether a value holds something that only the shell would tell.
func Unresolved(value string) bool { return strings.ContainsAny(value, "$`") }

// split returns the words of each command in a line, without what is for the shell alone. A quote
// that is not closed ends with the line.
func split(text string) (commands [][]string) {
	var words []string
	var word strings.Builder
	inWord := false
	end := func() {
		if inWord {
			words = append(words, word.String())
		}
		word.Reset()
		inWord = false
	}
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\' && i+1 < len(text):
			i++
			word.WriteByte(text[i])
			inWord = true
		case c == '\'' || c == '"':
			inWord = true
			for i++; i < len(text) && text[i] != c; i++ {
				if c == '"' && text[i] == '\\' && i+1 < len(text) {
					i++
				}
				word.WriteByte(text[i])
			}
		case c == '$' && i+1 < len(text) && text[i+1] == '(' || c == '`':
			to := substitution(text, i)
			word.WriteString(text[i:to])
			inWord, i = true, to-1
		case c == '#' && !inWord:
			i = len(text)
		case c == ' ' || c == '\t':
			end()
		case strings.IndexByte(";&|\n(){}", c) >= 0 && !(inWord && (c == '{' || c == '}' || c == '(' || c == ')')):
			end()
			if len(words) > 0 {
				commands = append(commands, words)
			}
			words = nil
		default:
			word.WriteByte(c)
			inWord = true
		}
	}
	if end(); len(words) > 0 {
		commands = append(commands, words)
	}
	return commands
}

// substitution returns where a command that is replaced by its output ends.
func substitution(text string, from int) int {
	if text[from] == '`' {
		if n := strings.IndexByte(text[from+1:], '`'); n >= 0 {
			return from + n + 2
		}
		return len(text)
	}
	depth := 0
	for i := from + 1; i < len(text); i++ {
		switch text[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return len(text)
}
