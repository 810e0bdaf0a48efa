package launch

import (
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// A program is a server's command line.
type program struct {
	// flags are the options that take no value.
	flags []string
	// read reads the options, "--workers", and the words that are none.
	read func(s *Server, options map[string]string, words []string)
}

// cpus is how the number of the machine's processors is written in a shell.
var cpus = regexp.MustCompile("nproc|cpu_count|_NPROCESSORS_ONLN")

// number reads a number of workers.
func number(text string) Count {
	if n, err := strconv.Atoi(strings.TrimSpace(text)); err == nil && n >= 0 && n < 1<<20 {
		return count(n)
	}
	return Count{Several: cpus.MatchString(text), Said: text != ""}
}

// programs are the servers, by the name of their command.
var programs = map[string]program{
	// gunicorn/config.py. Its master forks the workers; with --preload it imports the module first.
	"gunicorn": {
		strings.Fields(`--preload --reload -D --daemon --capture-output --reuse-port --no-sendfile --check-config --print-config --spew -R --enable-stdio-inheritance
			--log-syslog --proxy-protocol --disable-redirect-access-to-syslog --strip-header-spaces --initgroups --no-control-socket`),
		func(s *Server, options map[string]string, words []string) {
			s.Workers = number(first(options, "-w", "--workers"))
			if _, ok := options["--preload"]; ok {
				s.PreloadedBy = "--preload"
			}
			s.Config = first(options, "-c", "--config")
			s.enter(options["--chdir"])
			if len(words) > 0 {
				s.Module = moduleOf(words[0])
			}
		},
	},
	// uvicorn/supervisors/multiprocess.py and hypercorn/run.py spawn the workers.
	"uvicorn": {
		strings.Fields("--reload --proxy-headers --no-proxy-headers --server-header --no-server-header --date-header --no-date-header --access-log --no-access-log --use-colors --no-use-colors --factory --debug --reset-contextvars"),
		func(s *Server, options map[string]string, words []string) {
			s.Workers = number(options["--workers"])
			s.enter(options["--app-dir"])
			if len(words) > 0 {
				s.Module = moduleOf(words[0])
			}
		},
	},
	"hypercorn": {
		strings.Fields("--reload --debug --h2-max-concurrent-streams"),
		func(s *Server, options map[string]string, words []string) {
			s.Workers = number(first(options, "-w", "--workers"))
			if len(words) > 0 {
				s.Module = moduleOf(words[0])
			}
		},
	},
	// celery/concurrency/prefork.py: the worker imports the tasks, then forks, one process for each
	// processor unless it is told how many.
	"celery": {
		strings.Fields("-B --beat -E --events --task-events --without-gossip --without-mingle --without-heartbeat -O --optimization --purge --detach -D -q --quiet --no-color"),
		func(s *Server, options map[string]string, words []string) {
			pool := first(options, "-P", "--pool")
			if len(words) == 0 || words[0] != "worker" || pool != "" && pool != "prefork" && pool != "processes" {
				s.Program = "" // it forks nothing
				return
			}
			s.Module = moduleOf(first(options, "-A", "--app"))
			s.PreloadedBy = "celery worker"
			if most, _, ok := strings.Cut(options["--autoscale"], ","); ok {
				s.Workers = number(most)
			} else if s.Workers = number(first(options, "-c", "--concurrency")); !s.Workers.Said {
				s.Workers = Count{Several: true, Said: true}
			}
		},
	},
	// uwsgi's master imports the module and forks, unless lazy-apps tells it to fork first.
	"uwsgi": {
		strings.Fields("--lazy-apps --lazy --master -M --enable-threads --single-interpreter --need-app --die-on-term --vacuum --thunder-lock --strict --no-orphans --disable-logging"),
		func(s *Server, options map[string]string, words []string) {
			if s.Config = first(options, "--ini"); s.Config == "" && len(words) > 0 && filepath.Ext(words[0]) == ".ini" {
				s.Config = words[0]
			}
			named := map[string]string{}
			for name, value := range options {
				named[strings.TrimLeft(name, "-")] = value
			}
			s.uwsgi(named)
		},
	},
}

// uwsgi reads options by their names without dashes, as its settings have them.
func (s *Server) uwsgi(options map[string]string) {
	s.Workers = number(first(options, "processes", "workers", "p"))
	s.Module = moduleOf(first(options, "module", "wsgi", "w"))
	s.File = first(options, "wsgi-file", "file")
	s.enter(options["chdir"])
	lazy := false
	for _, name := range []string{"lazy-apps", "lazy"} {
		value, set := options[name]
		lazy = lazy || set && value != "false" && value != "0"
	}
	if !lazy && (s.Module != "" || s.File != "") {
		s.PreloadedBy = "uwsgi without lazy-apps"
	}
}

// server reads the words after the program's name.
func (p program) server(name string, words []string) Server {
	flags := map[string]bool{}
	for _, f := range p.flags {
		flags[f] = true
	}
	options, others := map[string]string{}, []string(nil)
	for i := 0; i < len(words); i++ {
		word := words[i]
		switch option, value, given := strings.Cut(word, "="); {
		case !strings.HasPrefix(word, "-") || word == "-":
			others = append(others, word)
		case given:
			options[option] = value
		case flags[word]:
			options[word] = ""
		case len(word) > 2 && word[1] != '-': // -w4
			options[word[:2]] = word[2:]
		case i+1 < len(words):
			i++
			options[word] = words[i]
		}
	}
	s := Server{Program: name}
	p.read(&s, options, others)
	return s
}

// enter sets the folder that an option names.
func (s *Server) enter(folder string) {
	switch {
	case folder == "":
	case filepath.IsLocal(folder) && !strings.ContainsAny(folder, "$`"):
		s.Folder = folder
	default:
		s.Elsewhere = true
	}
}

func first(options map[string]string, names ...string) string {
	for _, name := range names {
		if value := options[name]; value != "" {
			return value
		}
	}
	return ""
}

// named is a module with dots, and what is taken from it.
var named = regexp.MustCompile(`^([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)(?::[A-Za-z_][\w.]*(?:\(.*\))?)?$`)

// moduleOf returns the module of "package.module:application", or "".
func moduleOf(word string) string {
	if m := named.FindStringSubmatch(word); m != nil {
		return m[1]
	}
	return ""
}
