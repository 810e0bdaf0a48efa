package launch_test

import (
	"fmt"
	"maps"
	"os"
	"path"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/tfmem/tfmem/analyzer/launch"
)

const (
	cases   = "../../testdata/workers/files.txtar"
	scripts = "../../testdata/workers/scripts.txtar"
)

// TestRead compares what files start with what stands behind them, as shown and ran print it.
func TestRead(t *testing.T) {
	compare(t, cases, func(found launch.Starts) string { return shown(found.Servers) })
	compare(t, scripts, ran)
}

func compare(t *testing.T, cases string, shown func(launch.Starts) string) {
	a, err := txtar.ParseFile(cases)
	if err != nil || len(a.Files) < 10 {
		t.Fatalf("there are no cases: %v", err)
	}
	for i := 0; i+1 < len(a.Files); i += 2 {
		file, want := a.Files[i], a.Files[i+1]
		t.Run(file.Name, func(t *testing.T) {
			if want.Name != "starts" {
				t.Fatalf("%s stands where \"starts\" should", want.Name)
			}
			name := file.Name[strings.LastIndexByte(file.Name, '/')+1:]
			if !launch.Is(name) {
				t.Errorf("%s is not read", name)
			}
			if got := shown(launch.Read(name, string(file.Data))); got != string(want.Data) {
				t.Errorf("got:\n%swant:\n%s", got, want.Data)
			}
		})
	}
}

// shown prints servers: the line, the program, what it imports, its workers, and the rest that is said.
func shown(servers []launch.Server) string {
	var b strings.Builder
	for _, s := range servers {
		workers := fmt.Sprint(s.Workers.Number)
		switch {
		case !s.Workers.Said:
			workers = "default"
		case s.Workers.Number == 0 && s.Workers.Several:
			workers = "several"
		case s.Workers.Number == 0:
			workers = "unknown"
		}
		fmt.Fprintf(&b, "%d: %s %s%s workers=%s", s.Line, s.Program, s.Module, s.File, workers)
		if s.WorkersLine != s.Line {
			fmt.Fprintf(&b, "@%d", s.WorkersLine)
		}
		if s.PreloadedBy != "" {
			fmt.Fprintf(&b, " preload=%q", s.PreloadedBy)
		}
		for _, f := range []struct{ name, value string }{{"folder", s.Folder}, {"config", s.Config}} {
			if f.value != "" {
				fmt.Fprintf(&b, " %s=%s", f.name, f.value)
			}
		}
		if s.Elsewhere {
			b.WriteString(" elsewhere")
		}
		if s.WithoutGPU {
			b.WriteString(" without-gpu")
		}
		for _, name := range slices.Sorted(maps.Keys(s.Environment)) {
			fmt.Fprintf(&b, " %s=%q", name, s.Environment[name])
		}
		b.WriteString("\n")
	}
	return b.String()
}

// ran prints programs: the line, what runs and in which folder, and each of its arguments.
func ran(found launch.Starts) string {
	var b strings.Builder
	for _, s := range found.Scripts {
		fmt.Fprintf(&b, "%d: %s", s.Line, path.Join(s.Folder, s.File)+s.Module)
		for _, word := range s.Words {
			fmt.Fprintf(&b, " [%s]", strings.ReplaceAll(word, launch.Unknown, "?"))
		}
		if r := s.Asks; r != (launch.Request{}) {
			fmt.Fprintf(&b, " asks gpus=%d %q@%d", r.GPUs, r.GPU+r.Machine, r.GPULine)
			if r.Memory > 0 {
				fmt.Fprintf(&b, " memory=%d MiB@%d", r.Memory>>20, r.MemoryLine)
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}

// FuzzRead: whatever a file holds, what it starts is the same each time, on lines that are there.
func FuzzRead(f *testing.F) {
	names := []string{"Procfile", "compose.yml", "Dockerfile", "a.service", "Makefile", "a.sh", "uwsgi.ini", "gunicorn.conf.py", "README.md", "launch.json", "job.yaml"}
	for _, cases := range []string{cases, scripts} {
		text, err := os.ReadFile(cases)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range txtar.Parse(text).Files {
			for i := range names {
				f.Add(string(file.Data), i)
			}
		}
	}
	f.Fuzz(func(t *testing.T, text string, kind int) {
		name := names[uint(kind)%uint(len(names))]
		found := launch.Read(name, text)
		if again := launch.Read(name, text); !reflect.DeepEqual(found, again) {
			t.Fatalf("%v, then %v", found, again)
		}
		var lines []int
		for _, s := range found.Servers {
			lines = append(lines, s.Line, s.WorkersLine, s.PreloadLine)
		}
		for _, s := range found.Scripts {
			lines = append(lines, s.Line, max(s.Asks.GPULine, 1), max(s.Asks.MemoryLine, 1))
		}
		for _, line := range lines {
			if line < 1 || line > strings.Count(text, "\n")+1 {
				t.Fatalf("%s has no line %d: %+v", name, line, found)
			}
		}
	})
}

// TestRecorded compares which servers import the module before they fork with what they did.
func TestRecorded(t *testing.T) {
	text, err := os.ReadFile("../../testdata/workers/libraries.csv")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for line := range strings.Lines(string(text)) {
		fields := strings.Split(strings.TrimSpace(line), ",")
		command := fields[0] + " module:app"
		switch name, _, _ := strings.Cut(fields[0], " "); name {
		case "uwsgi":
			command = fields[0] + " --module module:app"
		case "celery":
			command = "celery -A module worker"
		}
		servers := launch.Read("start.sh", command).Servers
		if len(servers) != 1 || len(fields) != 3 {
			continue
		}
		found++
		if imported := servers[0].PreloadedBy != ""; imported != (fields[2] == "parent") || servers[0].Module != "module" {
			t.Errorf("%s: %+v, and %s imported the module", command, servers[0], fields[2])
		}
	}
	if found != 6 {
		t.Errorf("%d servers were recorded", found)
	}
}
