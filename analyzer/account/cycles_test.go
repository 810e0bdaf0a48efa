package account_test

import (
	"fmt"
	"go/ast"
	"go/types"
	"os"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

const module = "github.com/tfmem/tfmem/"

// followers are the packages whose code follows values, calls and imports of a program.
var followers = []string{
	"analyzer/names", "analyzer/facts", "analyzer/facts/origins", "analyzer/facts/obstacles", "analyzer/flow", "analyzer/dataset", "rules/rule", "rules/budget", "rules/device", "rules/graph", "rules/parallel",
	"rules/pipeline", "rules/rewrite", "rules/run", "rules/session", "rules/suggest", "rules/tape",
}

// descending are cycles of calls that need no account: each call is about a smaller piece of
// something that is bounded already. The list can only shrink.
var descending = map[string]string{
	"(*analyzer/names.binder).visit":       tree,
	"(*analyzer/names.binder).pattern":     tree,
	"(*analyzer/names.Info).NeverIterates": tree,
	"analyzer/names.Decide":                tree,
	"analyzer/names.leavesAtEnd":           tree,
	"analyzer/flow.IsOfMain":               tree,
	"(*analyzer/flow.ends).statement":      tree,
	"(*analyzer/flow.ends).expression":     tree,
	"(*analyzer/flow.frame).statement":     tree,
	"(*analyzer/flow.frame).expression":    tree,
	"(*analyzer/flow.frame).onIterable":    tree,
	"(*analyzer/flow.frame).updates":       tree,
	"analyzer/flow.runsAtLeastOnce":        tree,
	"analyzer/flow.graft":                  "each condition is grafted once",
	"(*analyzer/flow.walker).reach":        "each function is reached once",
	"(*analyzer/flow.walker).take":         "each summary is taken once",
	"(*analyzer/dataset.Tracer).eachShape": tree,
	"analyzer/dataset.listsArrays":         tree,
	"analyzer/dataset.multiple":            tree,
	"(analyzer/dataset.Dataset).Has":       dataset,
	"rules/pipeline.batchedBy":             dataset,
	"rules/pipeline.before":                dataset,
	"rules/pipeline.endless":               dataset,
	"rules/pipeline.prefetches":            dataset,
	"rules/pipeline.shuffles":              dataset,
	"rules/pipeline.worksOnHost":           dataset,
	"rules/budget.embeds":                  "a model holds its layers, and none holds itself",
	"rules/budget.leading$add":             tree,
	"rules/budget.pathTo":                  tree,
	"rules/budget.written":                 tree,
	"rules/device.isTested":                tree,
}

const (
	tree    = "it descends the tree, whose depth syntax bounds"
	dataset = "it descends a dataset, which a Tracer made within its account"
)

// TestCycles: a cycle of calls that follows a program goes through the account. The graph has the
// static calls; a function literal belongs to the function around it, unless it has a name.
func TestCycles(t *testing.T) {
	g := calls(t)
	seen := map[string]bool{}
	for _, cycle := range g.withoutAccount().cycles() {
		reason := ""
		for _, f := range cycle {
			if why, ok := descending[f]; ok {
				reason, seen[f] = why, true
			}
		}
		if reason == "" {
			t.Errorf("no account is entered in the cycle of %s", strings.Join(cycle, ", "))
		}
	}
	for f := range descending {
		if !seen[f] {
			t.Errorf("%s is in no cycle without an account: take it from the list", f)
		}
	}
	if len(g) < 1000 {
		t.Errorf("only %d functions call others", len(g))
	}
}

// TestWalkers: rules ask facts. None walks the tree or recurses to find something out, but for those
// in walkers.txt, each below the reason for it. That list can only shrink.
func TestWalkers(t *testing.T) {
	g, found := calls(t), map[string]bool{}
	for _, cycle := range g.cycles() {
		for _, f := range cycle {
			found[f] = strings.Contains(f, "rules/")
		}
	}
	for f, to := range g {
		found[f] = found[f] || strings.Contains(f, "rules/") && to["(analyzer/syntax.Node).Walk"]
	}
	listed := map[string]bool{}
	text, err := os.ReadFile("walkers.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if f := strings.TrimSpace(line); f != "" && !strings.HasPrefix(f, "#") {
			listed[f] = true
		}
	}
	for f := range found {
		if found[f] && !listed[f] {
			t.Errorf("%s walks the tree or recurses; ask analyzer/facts instead", f)
		}
	}
	for f := range listed {
		if !found[f] {
			t.Errorf("%s does not walk any more: take it from walkers.txt", f)
		}
	}
}

// A graph is which functions a function calls.
type graph map[string]map[string]bool

// enters is called by functions that charge the account.
const enters = "(*analyzer/account.Account).Enter"

// withoutAccount returns the graph without the functions that enter the account.
func (g graph) withoutAccount() graph {
	out := graph{}
	for f, to := range g {
		if !to[enters] {
			out[f] = to
		}
	}
	return out
}

func calls(t *testing.T) graph {
	t.Helper()
	var patterns []string
	for _, f := range followers {
		patterns = append(patterns, module+f)
	}
	loaded, err := packages.Load(&packages.Config{Mode: packages.NeedName | packages.NeedFiles | packages.NeedSyntax | packages.NeedTypes | packages.NeedTypesInfo | packages.NeedImports | packages.NeedDeps}, patterns...)
	if err != nil {
		t.Fatal(err)
	}
	g := graph{}
	for _, p := range loaded {
		for _, e := range p.Errors {
			t.Fatal(e)
		}
		for _, file := range p.Syntax {
			for _, d := range file.Decls {
				if f, ok := d.(*ast.FuncDecl); ok && f.Body != nil {
					g.add(p.TypesInfo, nameOf(p.TypesInfo.Defs[f.Name].(*types.Func)), f.Body)
				}
			}
		}
	}
	return g
}

func nameOf(f *types.Func) string { return strings.ReplaceAll(f.Origin().FullName(), module, "") }

// add adds what the body of a function calls.
func (g graph) add(info *types.Info, name string, body *ast.BlockStmt) {
	literals := map[types.Object]*ast.FuncLit{} // by the variables that they are assigned to
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, right := range n.Rhs {
				if lit, ok := right.(*ast.FuncLit); ok && i < len(n.Lhs) {
					if id, ok := n.Lhs[i].(*ast.Ident); ok {
						literals[info.ObjectOf(id)] = lit
					}
				}
			}
		}
		return true
	})
	inner := func(lit *ast.FuncLit) (types.Object, bool) {
		for v, l := range literals {
			if l == lit {
				return v, true
			}
		}
		return nil, false
	}
	to := map[string]bool{}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			if v, named := inner(n); named {
				g.add(info, name+"$"+v.Name(), n.Body)
				to[name+"$"+v.Name()] = true
				return false
			}
		case *ast.Ident:
			switch o := info.Uses[n].(type) {
			case *types.Func:
				full := nameOf(o)
				if full == "(*analyzer/names.Info).Enter" {
					full = enters
				}
				to[full] = true
			case *types.Var:
				if o.IsField() {
					break
				}
				// A literal that calls itself by its name does so in its own body.
				for base := name; ; {
					to[base+"$"+o.Name()] = true
					at := strings.LastIndexByte(base, '$')
					if at < 0 {
						break
					}
					base = base[:at]
				}
			}
		}
		return true
	})
	g[name] = to
}

// cycles returns the strongly connected components with a cycle (Tarjan's algorithm).
func (g graph) cycles() (found [][]string) {
	index, low, on := map[string]int{}, map[string]int{}, map[string]bool{}
	var stack []string
	var visit func(f string)
	visit = func(f string) {
		index[f] = len(index) + 1
		low[f] = index[f]
		stack, on[f] = append(stack, f), true
		for next := range g[f] {
			if g[next] == nil {
				continue
			}
			if index[next] == 0 {
				visit(next)
				low[f] = min(low[f], low[next])
			} else if on[next] {
				low[f] = min(low[f], index[next])
			}
		}
		if low[f] != index[f] {
			return
		}
		at := slices.Index(stack, f)
		scc := slices.Clone(stack[at:])
		for _, f := range scc {
			on[f] = false
		}
		if stack = stack[:at]; len(scc) > 1 || g[f][f] {
			slices.Sort(scc)
			found = append(found, scc)
		}
	}
	for f := range g {
		if index[f] == 0 {
			visit(f)
		}
	}
	slices.SortFunc(found, func(a, b []string) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
	return found
}
