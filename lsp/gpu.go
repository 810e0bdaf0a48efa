package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

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

// A detector detects GPUs, one detection at a time.
type detector struct {
	mu      sync.Mutex    // requests and changed settings start a detection
	running chan struct{} // closed when the current detection ends; nil if there is none
	ended   time.Time     // when the last one ended
}

// stale is the age beyond which it is looked again what is free on the GPUs, when somebody reads it.
const stale = 5 * time.Second

// detect detects GPUs in the background, or joins a detection in progress. The returned channel
// is closed at the end. If the result differs from the last one, all documents are analysed
// again.
func (s *session) detect() <-chan struct{} {
	d := &s.detector
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.running != nil {
		return d.running
	}
	done := make(chan struct{})
	began := s.inBackground(func() {
		found := s.opts.Devices(s.ctx)
		before := s.gpus.Load()
		changed := before == nil || !sameGPUs(*before, found)
		s.gpus.Store(&found)
		// An analysis that missed them has set early before.
		missed := s.early.Load()
		d.mu.Lock()
		d.running, d.ended = nil, time.Now()
		d.mu.Unlock()
		close(done)
		if s.ctx.Err() != nil || !changed {
			return
		}
		if before != nil {
			s.sendStatus(found)
		}
		if missed && (before != nil || len(found.Devices) > 0) {
			s.everythingChanged()
		}
	})
	if !began {
		close(done)
		return done
	}
	d.running = done
	return done
}

// sameGPUs reports whether two detections differ at most in what is free, on which no finding
// depends.
func sameGPUs(a, b Detection) bool {
	a.Devices, b.Devices = slices.Clone(a.Devices), slices.Clone(b.Devices)
	for _, devices := range [][]memory.Device{a.Devices, b.Devices} {
		for i := range devices {
			devices[i].Free, devices[i].FreeKnown = 0, false
		}
	}
	return reflect.DeepEqual(a, b)
}

// now returns a device with what is free of it, as far as it is known. If that is old it is looked
// again in the background, for the next time.
func (s *session) now(d memory.Device) memory.Device {
	found := s.gpus.Load()
	if found == nil {
		return d
	}
	for _, other := range found.Devices {
		if other.Name != d.Name || other.Total != d.Total || other.Source != d.Source {
			continue
		}
		s.detector.mu.Lock()
		old := s.detector.running == nil && time.Since(s.detector.ended) > stale
		s.detector.mu.Unlock()
		if old {
			s.detect()
		}
		return other
	}
	return d
}

// neighbours returns the programs that use a GPU of the machine, as far as they are known yet.
func (s *session) neighbours() []string {
	s.early.Store(true)
	if found := s.gpus.Load(); found != nil {
		return found.Holders
	}
	return nil
}

// devices returns the GPUs of the machine, as far as they are known yet.
func (s *session) devices() []memory.Device {
	s.early.Store(true)
	if found := s.gpus.Load(); found != nil {
		return found.Devices
	}
	return nil
}

// announceGPUs tells the user once which GPUs models are compared with, as soon as that is known.
func (s *session) announceGPUs() {
	select {
	case <-s.firstDetection:
	case <-s.ctx.Done():
		return
	}
	s.announced.Store(true)
	found := s.gpus.Load()
	if found == nil {
		return
	}
	s.notify(protocol.MethodWindowLogMessage, &protocol.LogMessageParams{Type: protocol.MessageTypeInfo, Message: "tfmem: " + statusOf(*found).Summary})
	s.sendStatus(*found)
}

// sendStatus sends the GPUs that were found to a client that wants them.
func (s *session) sendStatus(found Detection) {
	if s.client.around.status && s.announced.Load() {
		s.notify(statusNotification, status{GPU: statusOf(found)})
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
	if s.opts.Devices == nil {
		out := statusOf(Detection{Why: "nobody looks for any"})
		return &out, nil
	}
	done := s.firstDetection
	if again {
		done = s.detect()
	}
	select {
	case <-done:
	case <-ctx.Done():
		return nil, protocol.ErrRequestCancelled
	}
	found := s.gpus.Load()
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
