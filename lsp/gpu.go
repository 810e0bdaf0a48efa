package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/analyzer/source"
	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// A Detection is the GPUs that were found, or why there are none.
type Detection struct {
	Devices []memory.Device
	// Source says where the answer comes from: "helper" for tfmem-nvml, "nvidia-smi", or
	// "TFMEM_GPU" for the environment; "" if there is none.
	Source string
	// Holders name the programs that used one of them, for people.
	Holders []string
	Why     string // why there are none, or not all; a clause without a full stop
}

const (
	// gpuRequest asks which GPUs a document's models are compared with, or those of no document
	// in particular. It may request another detection.
	gpuRequest = "tfmem/gpu"
	// statusNotification sends the GPUs that were found to a client that asked for it. It is sent
	// again when settings may name others.
	statusNotification = "tfmem/status"
	// detectGPU is the command that detects GPUs again, and returns the result of the request.
	detectGPU = "tfmem.detectGpu"
	// chooseGPU is a command of the client: it lets the user name the GPU in the settings that count
	// for a document, whose URI is its argument.
	chooseGPU = "tfmem.chooseGpu"
	// showCause is a command of the client: it goes to a place, whose document and position are its
	// arguments.
	showCause = "tfmem.showCause"
)

// gpuParams are the parameters of the request.
type gpuParams struct {
	TextDocument *struct {
		URI string `json:"uri"`
	} `json:"textDocument"`
	Detect bool `json:"detect"`
}

// A gpuStatus is the result of the request.
type gpuStatus struct {
	GPUs    []gpuOf `json:"gpus"`
	Source  string  `json:"source"`
	Why     string  `json:"why"`
	Summary string  `json:"summary"`
}

type gpuOf struct {
	Name              string `json:"name"`
	TotalBytes        int64  `json:"totalBytes"`
	FreeBytes         *int64 `json:"freeBytes"`
	ComputeCapability string `json:"computeCapability"`
	Origin            string `json:"origin"`
}

// A status is the content of the notification.
type status struct {
	GPU gpuStatus `json:"gpu"`
}

// detect looks for the GPUs in the background. If they differ from the last ones, all documents are
// analysed again.
func (s *session) detect() <-chan struct{} {
	return s.gpus.detect(s.ctx, s.inBackground, func(before *Detection, found Detection, missed bool) {
		if before != nil {
			s.sendStatus(found)
		}
		if missed && (before != nil || len(found.Devices) > 0) {
			s.everythingChanged()
		}
	})
}

// now returns a device with what is free of it. If that is old it is looked again in the background,
// for the next time.
func (s *session) now(d memory.Device) memory.Device {
	found, old := s.gpus.now(d)
	if old {
		s.detect()
	}
	return found
}

// announceGPUs tells the user once which GPUs models are compared with, as soon as that is known.
func (s *session) announceGPUs() {
	select {
	case <-s.gpus.first:
	case <-s.ctx.Done():
		return
	}
	s.announced.Store(true)
	found := s.gpus.last.Load()
	if found == nil {
		return
	}
	s.out.tell(protocol.MessageTypeInfo, statusOf(*found).Summary)
	s.sendStatus(*found)
}

// sendStatus sends the GPUs that were found to a client that wants them.
func (s *session) sendStatus(found Detection) {
	if s.client.around.status && s.announced.Load() {
		s.out.notify(statusNotification, status{GPU: statusOf(found)})
	}
}

// custom answers the request that is not part of LSP, with or without params.
func (s *session) custom(next jsonrpc2.Handler) jsonrpc2.Handler {
	return func(ctx context.Context, req *jsonrpc2.Request) (any, error) {
		if req.Method() != gpuRequest {
			return next(ctx, req)
		}
		var p gpuParams
		if raw := req.Params(); len(raw) > 0 && json.Unmarshal(raw, &p) != nil {
			return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "%s takes a textDocument with its uri, or none, and whether to detect", gpuRequest)
		}
		path := ""
		if p.TextDocument != nil {
			path = s.docs.path(normalised(p.TextDocument.URI))
		}
		jsonrpc2.Async(ctx)
		return s.gpuStatus(ctx, path, p.Detect)
	}
}

// gpuStatus returns the GPUs that the models of the file at path are compared with, or those of
// no file in particular if path is empty. It waits for the detection.
func (s *session) gpuStatus(ctx context.Context, path string, again bool) (*gpuStatus, error) {
	if path != "" {
		if how, _ := s.wanted(path); how.Devices != nil {
			list := how.Devices()
			out := statusOf(Detection{Devices: list, Source: "settings", Why: why(list, "the settings name none")})
			return &out, nil
		}
	}
	if s.gpus.find == nil {
		out := statusOf(Detection{Why: "nobody looks for any"})
		return &out, nil
	}
	done := s.gpus.first
	if again {
		done = s.detect()
	}
	select {
	case <-done:
	case <-ctx.Done():
		return nil, protocol.ErrRequestCancelled
	}
	found := s.gpus.last.Load()
	if found == nil {
		return nil, protocol.ErrRequestCancelled // the server ends
	}
	out := statusOf(*found)
	return &out, nil
}

func why(list []memory.Device, none string) string {
	if len(list) == 0 {
		return none
	}
	return ""
}

// statusOf returns a detection in the form for clients.
func statusOf(found Detection) gpuStatus {
	out := gpuStatus{GPUs: []gpuOf{}, Source: found.Source, Why: source.Printable(found.Why)}
	var words []string
	for _, d := range found.Devices {
		g := gpuOf{Name: d.Name, TotalBytes: d.Total, Origin: d.Source}
		size := memory.Bytes(d.Total)
		if d.FreeKnown {
			g.FreeBytes = &d.Free
			size = memory.Bytes(d.Free) + " of " + size + " free"
		}
		if d.Major > 0 {
			g.ComputeCapability = fmt.Sprintf("%d.%d", d.Major, d.Minor)
		}
		out.GPUs = append(out.GPUs, g)
		words = append(words, fmt.Sprintf("%s (%s, %s)", d.Name, size, d.Source))
	}
	switch {
	case len(words) > 0:
		out.Summary = "models are compared with " + strings.Join(words, ", ")
	case found.Why != "":
		out.Summary = "no GPU is known: " + found.Why
	default:
		out.Summary = "no GPU is known"
	}
	out.Summary = source.Printable(out.Summary)
	return out
}

// path returns the path of an open document, of the notebook of a cell, or else of a URI.
func (d *documents) path(key uri.URI) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	doc := d.open[key]
	if doc == nil {
		doc = d.cells[key]
	}
	if doc == nil {
		return pathOf(key)
	}
	return doc.path
}
