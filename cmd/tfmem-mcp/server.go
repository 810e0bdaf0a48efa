package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A server is what all calls share.
type server struct {
	tfmem   string        // the program
	here    string        // the working directory
	folders []string      // that were named at the start
	slots   chan struct{} // one for each run of tfmem
	ending  context.Context
}

// mostRuns is how many runs of tfmem go on at a time: each uses all processors.
const mostRuns = 2

func newServer(folders []string) (*server, error) {
	tfmem, err := program()
	if err != nil {
		return nil, err
	}
	here, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	s := &server{tfmem: tfmem, here: here, slots: make(chan struct{}, mostRuns)}
	for _, f := range folders {
		full, err := filepath.Abs(f)
		if info, statErr := os.Stat(full); err != nil || statErr != nil || !info.IsDir() {
			return nil, fmt.Errorf("%s is no folder", f)
		}
		s.folders = append(s.folders, full)
	}
	return s, nil
}

const instructions = `tfmem reads Python for TensorFlow and Keras without running it, and says how much GPU memory a training needs and where memory is wasted.
Before you run or change a training: estimate says whether it fits the GPU, plan what makes it fit, check what is wrong.
After a run failed with out of memory: explain, with the log.
fix shows a diff; it writes only with "apply": true. Paths are relative to the project's folder. Name the GPU that trains ("T4", "24GiB") where this machine has none.`

// pages begins the URI of the page of a rule.
const pages = "tfmem://rules/"

// serve returns the protocol's server, with its tools and the pages of the rules. Its runs of tfmem end
// with the context: the protocol's server itself waits for calls that go on.
func (s *server) serve(ctx context.Context) (*mcp.Server, error) {
	s.ending = ctx
	version, err := s.ask(ctx, s.here, nil, "version")
	if err != nil {
		return nil, fmt.Errorf("%s version: %w", s.tfmem, err)
	}
	list, err := s.ask(ctx, s.here, nil, "rule", "--output-format", "json")
	if err != nil {
		return nil, fmt.Errorf("%s rule: %w", s.tfmem, err)
	}
	var rules []struct{ Code, Name, Summary string }
	if err := json.Unmarshal(list.out, &rules); err != nil {
		return nil, fmt.Errorf("%s rule: %w", s.tfmem, err)
	}
	release := strings.TrimPrefix(strings.TrimSpace(string(version.out)), "tfmem ")
	served := mcp.NewServer(&mcp.Implementation{Name: "tfmem", Title: "tfmem: GPU memory of TensorFlow programs", Version: release}, &mcp.ServerOptions{
		Instructions: instructions, Capabilities: &mcp.ServerCapabilities{}, PageSize: 1000,
	})
	s.addTools(served)
	for _, r := range rules {
		served.AddResource(&mcp.Resource{URI: pages + r.Code, Name: r.Code, Title: r.Code + " " + r.Name, Description: r.Summary, MIMEType: "text/markdown"}, s.page)
	}
	return served, nil
}

// page reads the page of a rule, which only those URIs name that serve has listed.
func (s *server) page(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	a, err := s.ask(ctx, s.here, nil, "rule", strings.TrimPrefix(req.Params.URI, pages))
	if err != nil {
		return nil, err
	}
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: req.Params.URI, MIMEType: "text/markdown", Text: string(a.out)}}}, nil
}
