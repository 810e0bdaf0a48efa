package main

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/analyzer/memory/page"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/cmd/tfmem/internal/checker"
	"github.com/tfmem/tfmem/cmd/tfmem/internal/measure"
	"github.com/tfmem/tfmem/cmd/tfmem/internal/report"
	"github.com/tfmem/tfmem/rules/estimate"
)

// measuredPage returns the page of a measurement: what was used over time, and the estimate of the
// script that ran, for the GPU that it used most of.
func measuredPage(m *measure.Measurement, asked bool) page.Page {
	var on *memory.Device
	if used := m.Used(); used != nil && len(used.Samples) > 0 {
		d := measuredDevice(used)
		on = &d
	}
	models, device, unpriced := modelsOf(m, on)
	p := estimate.Page(models, device, false, func(s *source.Source, at source.Span) page.Place {
		return page.Place{Text: report.Where(s, at, report.Palette{})}
	})
	p.Run = &page.Run{
		Command: strings.Join(m.Command, " "), Started: m.Started.Format("2006-01-02 15:04"), Took: math.Round(m.Seconds*10) / 10,
		Why: m.Why, Unpriced: unpriced, Told: toldByTensorFlow(m, asked),
	}
	if on == nil {
		p.Run.Why = whyNotSampled(m)
	}
	var most *page.Model
	for i := range p.Models {
		if drawn := &p.Models[i]; drawn.Training != nil && !drawn.Part && !drawn.Idle && (most == nil || drawn.Training.Peak > most.Training.Peak) {
			most = drawn
		}
	}
	for i := range m.Devices {
		d := &m.Devices[i]
		if len(d.Samples) == 0 {
			continue
		}
		g := page.RunGPU{Device: measuredDevice(d), Index: d.Index, Peak: d.PeakBytes, Counted: "What the driver counted for the program and its children."}
		if d.By == measure.ByDevice {
			g.Counted = "What the whole GPU used more than before the program: the driver does not tell the program's part."
		}
		if d.PeakBytes > 0 {
			g.Estimate = most // of the others, the program uses nothing
		}
		g.Context = memory.Split(g.Device, memory.Process{}).Context
		for _, s := range d.Samples {
			g.Used = append(g.Used, page.Use{At: s.Seconds, Bytes: s.Bytes})
		}
		p.Run.GPUs = append(p.Run.GPUs, g)
	}
	return p
}

// measuredDevice returns a GPU that was measured, with what the catalogue knows of its name.
func measuredDevice(d *measure.Device) memory.Device {
	known, _ := namedGPU(d.Name)
	known.Name, known.Total, known.Source = source.Printable(d.Name), d.TotalBytes, "measured"
	return known
}

// modelsOf prices the models of the script that ran, on a GPU or else the one of the settings. If
// there are none, it says why.
func modelsOf(m *measure.Measurement, on *memory.Device) (models []estimate.Model, device *memory.Device, why string) {
	defer func() {
		if p := recover(); p != nil { // the program's end must stay as it is
			models, device, why = nil, on, fmt.Sprintf("an internal error of tfmem: %v", p)
		}
	}()
	if m.Script == "" {
		return nil, on, "the command names no Python file or notebook"
	}
	text, err := checker.ReadFile(m.Script)
	if err != nil {
		return nil, on, err.Error()
	}
	if measure.Hash(measure.Code(m.Script, text)) != m.SHA256 {
		return nil, on, "the script changed while it ran"
	}
	c, err := newConfigurator(context.Background(), "", fromHere)
	if err != nil {
		return nil, on, err.Error()
	}
	c.follow()
	how, err := c.of(m.Script)
	if err != nil {
		return nil, on, err.Error()
	}
	if on != nil {
		how.Devices = func() []memory.Device { return []memory.Device{*on} }
		how.DevicesNamed = true
	} else if how.Devices == nil {
		how.Devices = c.machine
	}
	files, err := how.toPrice(m.Script, text, true)
	if err != nil {
		return nil, on, err.Error()
	}
	for _, file := range files {
		of, weighed := estimate.Of(file, estimate.Options{Others: commonGPUs()})
		models = append(models, of...)
		if device = weighed; len(of) == 0 && why == "" {
			why = lost(file, false)
		}
	}
	if len(models) > 0 {
		return models, device, ""
	}
	return nil, on, cmp.Or(why, "no Keras model was found in the script")
}
