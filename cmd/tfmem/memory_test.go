package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/tfmem/tfmem/cmd/tfmem/internal/modelreport"
)

// training is a program whose batch says what it needs.
const training = "import keras\n\nmodel = keras.Sequential([keras.Input((64, 64, 3)), keras.layers.Conv2D(16, 3)])\nmodel.compile('adam', 'mse')\nmodel.fit(x, y, batch_size=%d)\n"

// pullRequest makes a clone, as a CI system does, that lacks the base of its one commit, and returns the
// number of the base.
func pullRequest(t *testing.T, folder string, before, after int) (base string) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	origin := t.TempDir()
	git := func(in string, args ...string) string {
		cmd := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "init.defaultBranch=main"}, args...)...)
		cmd.Dir = in
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	git(origin, "init", "-q")
	for _, batch := range []int{before, after} {
		if err := os.MkdirAll(filepath.Join(origin, "models"), 0o777); err != nil {
			t.Fatal(err)
		}
		text := strings.Repeat("\n", batch%7) + fmt.Sprintf(training, batch)
		if err := os.WriteFile(filepath.Join(origin, "models", "train.py"), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		git(origin, "add", "-A")
		git(origin, "commit", "-q", "--allow-empty", "-m", "a")
		if base == "" {
			base = git(origin, "rev-parse", "HEAD")
		}
	}
	git(folder, "clone", "-q", "--depth", "1", "file://"+filepath.ToSlash(origin), ".")
	return base
}

// A forge is a stand-in for the API of GitHub or GitLab, with the comments of one request.
type forge struct {
	*httptest.Server
	mu       sync.Mutex
	user     string // the answer to /user; "" refuses
	comments []map[string]any
	refuses  bool     // to change anything
	asked    []string // the requests that change something
}

func newForge(t *testing.T, user string, comments ...map[string]any) *forge {
	f := &forge{user: user, comments: comments}
	f.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		f.mu.Lock()
		defer f.mu.Unlock()
		if r.Header.Get("Authorization") != "Bearer secret" && r.Header.Get("PRIVATE-TOKEN") != "secret" {
			http.Error(w, "{}", http.StatusUnauthorized)
			return
		}
		switch {
		case r.URL.Path == "/user" && f.user == "":
			http.Error(w, "{}", http.StatusForbidden)
		case r.URL.Path == "/user":
			fmt.Fprint(w, f.user)
		case r.Method == http.MethodGet:
			from := 0
			if r.URL.Query().Get("page") != "1" {
				from = 100
			}
			page := f.comments[min(from, len(f.comments)):min(from+100, len(f.comments))]
			_ = json.NewEncoder(w).Encode(append([]map[string]any{}, page...))
		case f.refuses:
			http.Error(w, `{"message": "Resource not accessible by integration"}`, http.StatusForbidden)
		default:
			var sent struct{ Body string }
			if err := json.NewDecoder(r.Body).Decode(&sent); err != nil || !strings.HasPrefix(sent.Body, modelreport.Marker) {
				t.Errorf("the body is %q, %v", sent.Body, err)
			}
			f.asked = append(f.asked, r.Method+" "+r.URL.Path)
			fmt.Fprint(w, "{}")
		}
	}))
	t.Cleanup(f.Close)
	return f
}

// chatter are so many comments of people, one of whom writes the marker.
func chatter(n int, author string) (all []map[string]any) {
	for i := range n {
		all = append(all, map[string]any{"id": i + 1, "body": modelreport.Marker, author: map[string]any{"id": 7, "type": "User"}})
	}
	return all
}

// earlier is the comment of an earlier run.
func earlier(id int, author string) map[string]any {
	return map[string]any{"id": id, "body": modelreport.Marker + "\nold", author: map[string]any{"id": 3, "type": "Bot"}}
}

// TestActionMemory runs the step of the action for GitHub that says what a pull request costs.
func TestActionMemory(t *testing.T) {
	_, action := readAction(t)
	i := slices.IndexFunc(action.Runs.Steps, func(s struct {
		ID, Shell, Run, Uses, If string
		Env, With                map[string]string
	}) bool {
		return s.ID == "memory"
	})
	step := action.Runs.Steps[i]
	abs := func(path string) string {
		full, err := filepath.Abs(path)
		if err != nil {
			t.Fatal(err)
		}
		return full
	}
	refusing := newForge(t, "")
	refusing.refuses = true
	for _, c := range []struct {
		name   string
		after  int // the batch, which was 8
		inputs map[string]string
		forge  *forge
		exit   int
		says   string
		asked  string
	}{
		{"more", 64, nil, nil, 0, "::warning title=tfmem (memory-diff),file=models/train.py,line=6", ""},
		{"growth", 64, map[string]string{"fail-on-growth": "10%"}, nil, 1, "::error title=tfmem (memory-diff)", ""},
		{"less", 4, map[string]string{"fail-on-growth": "10%"}, nil, 0, "::notice title=tfmem (memory-diff)", ""},
		{"first", 64, nil, newForge(t, ""), 0, "tfmem: commented", "POST /repos/o/r/issues/5/comments"},
		{"again", 64, nil, newForge(t, "", append(chatter(120, "user"), earlier(900, "user"))...), 0, "tfmem: changed the comment", "PATCH /repos/o/r/issues/comments/900"},
		{"person", 64, nil, newForge(t, `{"id": 7}`, append([]map[string]any{earlier(800, "user")}, chatter(1, "user")...)...), 0, "tfmem: changed", "PATCH /repos/o/r/issues/comments/1"},
		{"same", 8, nil, newForge(t, ""), 0, "nothing changed, and there is no comment to change", ""},
		{"back", 8, nil, newForge(t, "", earlier(4, "user")), 0, "tfmem: changed the comment", "PATCH /repos/o/r/issues/comments/4"},
		{"fork", 64, nil, refusing, 0, "says: HTTP Error 403", ""},
		{"mistake", 64, map[string]string{"gpu": "T44"}, nil, 1, "error: --gpu:", ""},
		{"path", 64, map[string]string{"paths": "models absent"}, nil, 1, "absent", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			folder, temp := t.TempDir(), t.TempDir()
			env := []string{
				"RUNNER_TEMP=" + temp, "GITHUB_OUTPUT=" + filepath.Join(temp, "output"), "GITHUB_STEP_SUMMARY=" + filepath.Join(temp, "summary"), "GITHUB_WORKSPACE=" + folder,
				"GITHUB_ACTIONS=true", "GITHUB_REPOSITORY=o/r", "TFMEM_PULL=5", "TFMEM_COMMENT=" + abs("../../editors/python/tfmem/comment.py"), "TFMEM_MEMORY=" + abs("../../editors/github/memory.sh"),
				"TFMEM_BASE=" + pullRequest(t, folder, 8, c.after),
			}
			inputs := map[string]string{"paths": "models"}
			for name, value := range c.inputs {
				inputs[name] = value
			}
			if c.forge != nil {
				inputs["token"] = "secret"
				env = append(env, "GITHUB_API_URL="+c.forge.URL)
			}
			said, exit := inCI(t, folder, step.Run, append(env, action.environment(step.Env, inputs)...)...)
			if exit != c.exit || !strings.Contains(said, c.says) {
				t.Errorf("the exit code is %d, and it says\n%s", exit, said)
			}
			if c.forge != nil && strings.Join(c.forge.asked, ", ") != c.asked {
				t.Errorf("it asks for %q", c.forge.asked)
			}
			if c.name == "mistake" {
				return
			}
			summary, err := os.ReadFile(filepath.Join(temp, "summary"))
			if err != nil || !strings.HasPrefix(string(summary), modelreport.Marker) || strings.Contains(string(summary), "batch size 8 → ") != (c.after != 8) {
				t.Errorf("the summary is\n%s\n%v", summary, err)
			}
			if left, _ := filepath.Glob(filepath.Join(temp, "tfmem-base", "*")); len(left) > 0 {
				t.Errorf("it leaves %v", left)
			}
		})
	}
}

// TestGitLabMemory runs the job for GitLab that says what a merge request costs.
func TestGitLabMemory(t *testing.T) {
	python, err := filepath.Abs("../../editors/python")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name   string
		after  int
		inputs map[string]string
		forge  *forge
		exit   int
		says   string
		asked  string
	}{
		{"more", 64, nil, nil, 0, "batch size 8 → 64", ""},
		{"no token", 64, nil, nil, 0, "no comment: there is no token; the variable TFMEM_TOKEN", ""},
		{"growth", 64, map[string]string{"fail-on-growth": "10%"}, nil, 1, "batch size 8 → 64", ""},
		{"first", 64, nil, newForge(t, `{"id": 3}`, chatter(2, "author")...), 0, "tfmem: commented", "POST /projects/9/merge_requests/5/notes"},
		{"again", 64, nil, newForge(t, `{"id": 3}`, append(chatter(120, "author"), earlier(900, "author"))...), 0, "tfmem: changed the comment", "PUT /projects/9/merge_requests/5/notes/900"},
		{"same", 8, nil, newForge(t, `{"id": 3}`), 0, "nothing changed", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			inputs := map[string]string{"paths": "models"}
			for name, value := range c.inputs {
				inputs[name] = value
			}
			job := gitlabJobs(t, inputs)["tfmem-memory"]
			folder := t.TempDir()
			env := []string{"GITHUB_ACTIONS=", "GITLAB_CI=true", "CI_PROJECT_DIR=" + folder, "PYTHONPATH=" + python, "CI_MERGE_REQUEST_DIFF_BASE_SHA=" + pullRequest(t, folder, 8, c.after), "CI_MERGE_REQUEST_PROJECT_ID=9", "CI_MERGE_REQUEST_IID=5"}
			for name, value := range job.Variables {
				env = append(env, name+"="+value)
			}
			if c.forge != nil {
				env = append(env, "TFMEM_TOKEN=secret", "CI_API_V4_URL="+c.forge.URL)
			}
			said, exit := inCI(t, folder, strings.Join(job.Script, "\n"), env...)
			if exit != c.exit || !strings.Contains(said, c.says) {
				t.Errorf("the exit code is %d, and it says\n%s", exit, said)
			}
			if c.forge != nil && strings.Join(c.forge.asked, ", ") != c.asked {
				t.Errorf("it asks for %q", c.forge.asked)
			}
			if text, err := os.ReadFile(filepath.Join(folder, job.Artifacts.Paths[0])); err != nil || !strings.HasPrefix(string(text), modelreport.Marker) {
				t.Errorf("the artifact is\n%s\n%v", text, err)
			}
		})
	}
}
