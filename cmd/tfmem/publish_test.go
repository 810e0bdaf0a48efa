package main

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// ours are names that are tfmem's only once it is published; until then anybody may register them.
var ours = regexp.MustCompile(strings.Join([]string{
	`\b(pip|pipx|uv) (\w+ )*install\b[^\n|&;)` + "`" + `]* ['"]?tfmem(\[[\w,]+\])?(==[\w.]+)?['"]?([\s` + "`" + `'"),.;]|$)`,
	`\b(uvx|pipx run|npx) tfmem\b`,
	`\bnpm (install|i|add|exec)\b[^\n|&;)` + "`" + `]* @?tfmem(/[\w-]+)?(@[\w.]+)?([\s` + "`" + `'"),.;]|$)`,
	`--install-extension tfmem\.`,
	`\b(repo|uses|component): *\S*\btfmem/tfmem`,
	`(install|--from|@) ['"]?git\+(https|ssh)://\S*\btfmem/tfmem`,
	`\bgo install github\.com/tfmem/`,
	`github\.com/tfmem/tfmem(/releases|#readme)`,
	`\b(brew|conda|mamba|winget) install\b[^\n` + "`" + `]*\btfmem\b`,
}, "|"))

// checkout are words that a page says to install from a checkout.
var checkout = regexp.MustCompile(`pip install ['"]?\.|git\+file:|--from \.|--find-links|path/to/(tfmem|wheels)|[Uu]ntil a release|No release|\b[Ff]rom a checkout`)

// forDevelopers are pages of people who have a checkout, whatever is published.
var forDevelopers = []string{".ci/README.md", ".ci/publish", ".ci/publish.txt", ".ci/recipes", ".ci/release", "CONTRIBUTING.md", "editors/python/test.py", "editors/vscode/test.sh", "editors/jupyterlab/test.sh"}

// TestPublish: nothing tells people to install a name that anybody may register, until
// .ci/publish turns the pages; then none is left that tells them to install from a checkout.
func TestPublish(t *testing.T) {
	root := filepath.Join("..", "..")
	pages := pagesOf(t, root)
	before := mentions(pages, ours)
	if len(pages) < 300 {
		t.Fatalf("only %d pages were read", len(pages))
	}
	turned := t.TempDir()
	for path, text := range pages {
		out := filepath.Join(turned, path)
		if err := os.MkdirAll(filepath.Dir(out), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(out, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	said, err := exec.Command("python3", filepath.Join(root, ".ci", "publish"), turned).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	if strings.HasPrefix(string(said), "already published") {
		if len(before) == 0 {
			t.Error("the pages are turned, and none names what is published")
		}
		turned = root
	} else if len(before) > 0 {
		t.Errorf("these names are not ours until tfmem is published:\n%s", strings.Join(before, "\n"))
	}
	after := pagesOf(t, turned)
	if said, err := exec.Command("python3", filepath.Join(root, ".ci", "publish"), turned).Output(); err != nil || string(said) != "already published\n" {
		t.Errorf("published twice, it says %q, %v", said, err)
	}
	if left := mentions(after, checkout); len(left) > 0 {
		t.Errorf("published, these pages still say to install from a checkout; give them a text in .ci/publish.txt:\n%s", strings.Join(left, "\n"))
	}
	if len(mentions(after, ours)) == 0 {
		t.Error(".ci/publish names nothing that is published")
	}
}

// TestNames: what TestPublish takes for a name that may be another's, and what not.
func TestNames(t *testing.T) {
	for _, text := range []string{
		"pip install tfmem", "%pip install -q tfmem\n", "`pip install 'tfmem[jupyterlab]'`", "run: pip install tfmem && tfmem check", "uv tool install tfmem",
		"uvx tfmem check", "npx tfmem check", "npm install --save-dev tfmem`", "npm install @tfmem/linux-x64", "code --install-extension tfmem.tfmem",
		"  - repo: https://github.com/tfmem/tfmem", "- uses: tfmem/tfmem/editors/github@v1", "pip install git+https://github.com/tfmem/tfmem",
		"go install github.com/tfmem/tfmem/cmd/...@latest", "brew install tfmem/tap/tfmem", "winget install tfmem.tfmem", "install it: pip install --force-reinstall tfmem",
	} {
		if !ours.MatchString(text) {
			t.Errorf("%q is not found", text)
		}
	}
	for _, text := range []string{
		"pip install . && tfmem check", "pip install 'git+file:///path/to/tfmem'", "pip install /path/to/tfmem", "pip install dist/tfmem-0.1.0-py3-none-any.whl",
		"uvx --from . tfmem", "npx --no tfmem check", "npm install --offline ./dist/tfmem-0.1.0.tgz", "code --install-extension tfmem-*.vsix", "repo: /path/to/tfmem",
		"go install ./cmd/...",
	} {
		if m := ours.FindString(text); m != "" {
			t.Errorf("%q is taken for the published name %q", text, m)
		}
	}
	if isOthers("%pip install --no-index --find-links /content/wheels tfmem") {
		t.Error("--no-index asks no registry")
	}
}

// isOthers reports whether a line names what a registry would be asked for.
func isOthers(line string) bool {
	return ours.MatchString(line) && !strings.Contains(line, "--no-index")
}

// mentions are the lines that match, by page, but for those of developers.
func mentions(pages map[string]string, what *regexp.Regexp) []string {
	var found []string
	for path, text := range pages {
		if slices.Contains(forDevelopers, path) {
			continue
		}
		for line := range strings.Lines(text) {
			if what == ours && isOthers(line) || what != ours && what.MatchString(line) {
				found = append(found, path+": "+what.FindString(line))
			}
		}
	}
	slices.Sort(found)
	return found
}

// pagesOf are the files of the repository that people read or programs show, by path.
func pagesOf(t *testing.T, root string) map[string]string {
	t.Helper()
	pages := map[string]string{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() {
			if slices.Contains([]string{"testdata", "node_modules", ".git", "dist", "bin", "lib", "labextension"}, name) && path != root {
				return filepath.SkipDir
			}
			return nil
		}
		switch {
		case !d.Type().IsRegular() || strings.HasSuffix(name, "_test.go") || name == "package-lock.json":
			return nil
		case slices.Contains([]string{".md", ".go", ".py", ".js", ".mjs", ".ts", ".json", ".yml", ".yaml", ".toml", ".sh", ".lua", ".el"}, filepath.Ext(name)), strings.HasPrefix(path, filepath.Join(root, ".ci")):
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			relative, err := filepath.Rel(root, path)
			pages[filepath.ToSlash(relative)] = string(text)
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return pages
}
