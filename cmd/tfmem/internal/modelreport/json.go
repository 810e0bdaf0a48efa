// Package modelreport prints what the models of files need of a GPU, as text and as JSON.
//
// It finds no models and decides nothing about memory: package estimate does that. The caller
// chooses the files, the GPU and the output.
package modelreport

import (
	"io"
	"slices"

	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/analyzer/memory/executor"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/cmd/tfmem/internal/report"
	"github.com/tfmem/tfmem/rules/estimate"
)

// These types are the contract of the JSON format, which estimate.schema.json documents. Sizes are
// in bytes; null means unknown or absent.
type (
	// A Report is the models of all files.
	Report struct {
		GPU    *jsonGPU    `json:"gpu"`
		Models []jsonModel `json:"models"`
		// Unresolved are the trainings that are not priced.
		Unresolved []jsonTraining `json:"unresolved"`
		// Remedies are what a person can write so that a model gets its price.
		Remedies []jsonRemedy `json:"remedies"`
		Warnings []string     `json:"warnings"`
	}
	// A jsonTraining is a training that is not priced, and why.
	jsonTraining struct {
		Filename string       `json:"filename"`
		Cell     *int         `json:"cell"`
		Location jsonPosition `json:"location"`
		Reason   jsonReason   `json:"reason"`
	}
	// A jsonRemedy is a comment to insert at a place or, where Edit is null, a line of the settings
	// about what stands there.
	jsonRemedy struct {
		Message  string       `json:"message"`
		Filename string       `json:"filename"`
		Cell     *int         `json:"cell"`
		Location jsonPosition `json:"location"`
		Edit     *jsonInsert  `json:"edit"`
		Command  *string      `json:"command"`
	}
	jsonInsert struct {
		Content string `json:"content"`
	}
	jsonGPU struct {
		Name        string `json:"name"`
		TotalBytes  int64  `json:"total_bytes"`
		BudgetBytes int64  `json:"budget_bytes"` // of TensorFlow's pool, as expected
		BudgetLow   int64  `json:"budget_low_bytes"`
		BudgetHigh  int64  `json:"budget_high_bytes"`
		Source      string `json:"source"`
	}
	jsonModel struct {
		Name       string       `json:"name"`
		Filename   string       `json:"filename"`
		Location   jsonPosition `json:"location"`
		Cell       *int         `json:"cell"` // from 1, over all cells; null in a file
		Resolved   bool         `json:"resolved"`
		Unresolved []jsonReason `json:"unresolved"`
		Parameters *int64       `json:"parameters"`
		Trainable  *int64       `json:"trainable_parameters"`
		Layers     []jsonLayer  `json:"layers"`
		BatchSize  *int64       `json:"batch_size"`
		Optimizer  *string      `json:"optimizer"`
		Precision  string       `json:"precision"`
		Training   *jsonNeed    `json:"training"`
		Inference  *jsonNeed    `json:"inference"`
		Phases     []jsonPhase  `json:"phases"`
		Data       []jsonDatum  `json:"data"`
		Host       *jsonHost    `json:"host"`
		Verdict    string       `json:"verdict"`
		// Assumptions are what the figures assume beyond the program, in sentences.
		Assumptions []string `json:"assumptions"`
		Largest     *int64   `json:"largest_batch"`
		// Loop is what the loops around it give to their names.
		Loop []jsonVariable `json:"loop"`
	}
	// A jsonPhase is one thing that the program does with the model. Training and Inference are null
	// if it is of the other kind, or not priced.
	jsonPhase struct {
		Kind      string       `json:"kind"`
		Filename  string       `json:"filename"`
		Cell      *int         `json:"cell"`
		Location  jsonPosition `json:"location"`
		BatchSize *int64       `json:"batch_size"`
		Training  *jsonNeed    `json:"training"`
		Inference *jsonNeed    `json:"inference"`
	}
	// A jsonDatum is what lies on the device beside the steps of the heaviest phase: an array that was
	// put there at a place.
	jsonDatum struct {
		What     string        `json:"what"`
		Bytes    int64         `json:"bytes"`
		Filename *string       `json:"filename"`
		Cell     *int          `json:"cell"`
		Location *jsonPosition `json:"location"`
	}
	// A jsonVariable is a name to which a loop gives the values that make this model.
	jsonVariable struct {
		Name   string   `json:"name"`
		Values []string `json:"values"`
	}
	// A jsonHost is what the machine's own memory holds at the heaviest moment.
	jsonHost struct {
		Bytes int64          `json:"bytes"`
		Low   int64          `json:"low_bytes"`
		High  *int64         `json:"high_bytes"` // null if the size of a part is not known
		Parts []jsonHostPart `json:"parts"`
	}
	jsonHostPart struct {
		Kind     string        `json:"kind"`
		What     string        `json:"what"`
		Bytes    *int64        `json:"bytes"` // null if it is not known
		Unknown  *string       `json:"unknown"`
		Filename *string       `json:"filename"`
		Cell     *int          `json:"cell"`
		Location *jsonPosition `json:"location"`
	}
	jsonReason struct {
		Code     string       `json:"code"`
		Message  string       `json:"message"`
		Filename string       `json:"filename"`
		Cell     *int         `json:"cell"`
		Location jsonPosition `json:"location"`
	}
	jsonPosition struct {
		Row    int `json:"row"`
		Column int `json:"column"`
	}
	jsonLayer struct {
		Name        string   `json:"name"`
		Type        string   `json:"type"`
		OutputShape []*int64 `json:"output_shape"` // null for a size that depends on the data
		Parameters  *int64   `json:"parameters"`
		KeptBytes   int64    `json:"kept_bytes"`
	}
	jsonNeed struct {
		Weights   int64 `json:"weights_bytes"`
		Gradients int64 `json:"gradient_bytes"`
		Optimizer int64 `json:"optimizer_bytes"`
		Kept      int64 `json:"kept_bytes"`
		Transient int64 `json:"transient_bytes"`
		Data      int64 `json:"data_bytes"` // arrays on the device beside the step
		// Build is the peak while the weights are made, before the step.
		Build int64  `json:"build_peak_bytes"`
		Peak  int64  `json:"pool_peak_bytes"`
		Low   int64  `json:"pool_peak_low_bytes"`
		High  *int64 `json:"pool_peak_high_bytes"` // null if the size of data on the device is not known
		// AtPeak is what the memory at the peak is used for, by kind; null of a phase that is priced
		// beside the program's own.
		AtPeak map[string]int64 `json:"at_peak_bytes"`
		Device *int64           `json:"device_bytes"` // as nvidia-smi shows it; null without a GPU
	}
)

// ReportOf returns the models of files and what is not known of their trainings. Models that are not
// in the report may have remedies, too.
func ReportOf(models []estimate.Model, trainings *Coverage, device *memory.Device, warnings []string) Report {
	out := Report{Models: []jsonModel{}, Unresolved: []jsonTraining{}, Remedies: []jsonRemedy{}, Warnings: append([]string{}, warnings...)}
	if device != nil {
		b := memory.BudgetOf(*device, memory.Process{})
		out.GPU = &jsonGPU{device.Name, device.Total, b.Expected, b.Low, b.High, device.Source}
	}
	add := func(remedies []jsonRemedy) {
		for _, j := range remedies {
			if !slices.ContainsFunc(out.Remedies, func(k jsonRemedy) bool {
				return k.Message == j.Message && k.Filename == j.Filename && k.Location == j.Location && equal(k.Cell, j.Cell)
			}) {
				out.Remedies = append(out.Remedies, j)
			}
		}
	}
	for _, m := range models {
		out.Models = append(out.Models, jsonOf(m))
		add(jsonRemediesOf(m.Remedies()))
	}
	for _, t := range trainings.unpriced() {
		out.Unresolved = append(out.Unresolved, t.at)
		add(t.remedies)
	}
	return out
}

func equal(a, b *int) bool { return a == b || a != nil && b != nil && *a == *b }

// Write prints the report as one object.
func (r Report) Write(w io.Writer) error { return report.WriteJSON(w, r) }

func jsonRemediesOf(offers []estimate.HintOffer) (out []jsonRemedy) {
	for _, o := range offers {
		j := jsonRemedy{Message: o.Title()}
		j.Filename, j.Cell, j.Location = jsonPlace(o.Source, o.Span)
		if o.Edit != nil {
			j.Edit = &jsonInsert{o.Edit.New}
		}
		if o.Command {
			j.Command = &o.Text
		}
		out = append(out, j)
	}
	return out
}

// jsonPlace returns where a place is: its file, its cell, or nil in a file, and its row and column.
func jsonPlace(s *source.Source, at source.Span) (path string, cell *int, start jsonPosition) {
	n, row, column := report.Locate(s, at)
	if n > 0 {
		cell = &n
	}
	return s.Path, cell, jsonPosition{row, column}
}

func jsonOf(m estimate.Model) jsonModel {
	j := jsonModel{
		Name: m.Name, Resolved: len(m.Unresolved) == 0, Unresolved: []jsonReason{},
		Layers: []jsonLayer{}, Loop: []jsonVariable{}, Precision: m.Precision, Verdict: string(m.Verdict),
		Training: jsonNeedOf(m, m.Training), Inference: jsonNeedOf(m, m.Inference), Assumptions: m.Assumptions(),
	}
	if j.Assumptions == nil {
		j.Assumptions = []string{}
	}
	j.Filename, j.Cell, j.Location = jsonPlace(m.Source, m.Span)
	j.Phases, j.Data, j.Host = jsonPhasesOf(m), jsonDataOf(m), jsonHostOf(m.Host)
	for _, r := range m.Reasons {
		j.Unresolved = append(j.Unresolved, jsonReasonOf(r))
	}
	if m.Known() {
		j.Parameters = exactly(m.Parameters)
		if m.Assessment.Model.Unsure() == nil {
			j.Trainable = exactly(m.Trained)
		}
	}
	if m.Batch > 0 && !m.Assessment.Model.Own.Fixed() {
		j.BatchSize = &m.Batch
	}
	if o := m.Then.Optimizer; o != nil && o.Class != "?" {
		j.Optimizer = &o.Class
	}
	if m.Verdict != memory.Unknown {
		j.Largest = &m.Largest
	}
	for _, v := range m.Loop {
		j.Loop = append(j.Loop, jsonVariable{v.Name, v.Values})
	}
	for _, l := range m.Layers {
		j.Layers = append(j.Layers, jsonLayer{l.Layer.Name, l.Layer.Class, dimensions(l), exactly(l.Parameters), l.Kept})
	}
	return j
}

// jsonPhasesOf returns the creation of the weights, and the phases that the program has.
func jsonPhasesOf(m estimate.Model) []jsonPhase {
	out := []jsonPhase{}
	add := func(p *memory.Phase, src *source.Source, at source.Span) {
		j := jsonPhase{Kind: string(p.Kind)}
		j.Filename, j.Cell, j.Location = jsonPlace(src, at)
		if p.Batch > 0 && !p.Then.Own.Fixed() {
			j.BatchSize = &p.Batch
		}
		if need := jsonNeedOf(m, p); p.Trains() {
			j.Training = need
		} else {
			j.Inference = need
		}
		out = append(out, j)
	}
	if m.Build != nil {
		add(m.Build, m.Source, m.Span)
	}
	for _, p := range m.Phases {
		if at, ok := m.Places[p]; ok {
			add(p, at.Source, at.Span)
		}
	}
	return out
}

func jsonReasonOf(r estimate.Reason) jsonReason {
	j := jsonReason{Code: r.Code.String(), Message: r.String()}
	j.Filename, j.Cell, j.Location = jsonPlace(r.Source, r.Span)
	return j
}

// exactly returns a number, or nil if it is not known exactly.
func exactly(s memory.Range) *int64 {
	if !s.Exact() {
		return nil
	}
	return &s.Low
}

// dimensions returns the shape of a layer's output for any batch size; nil if it is unknown.
func dimensions(l memory.LayerCost) []*int64 {
	shape := estimate.Output(l)
	if shape == nil {
		return nil
	}
	out := []*int64{}
	for _, d := range shape {
		if d < 0 {
			out = append(out, nil)
		} else {
			out = append(out, &d)
		}
	}
	return out
}

func jsonDataOf(m estimate.Model) []jsonDatum {
	out := []jsonDatum{}
	for _, d := range m.Data {
		j := jsonDatum{What: d.What, Bytes: d.Bytes}
		if d.At.Source != nil {
			path, cell, at := jsonPlace(d.At.Source, d.At.Span)
			j.Filename, j.Cell, j.Location = &path, cell, &at
		}
		out = append(out, j)
	}
	return out
}

func jsonHostOf(h *estimate.Host) *jsonHost {
	if h == nil {
		return nil
	}
	j := &jsonHost{Bytes: h.Bytes, Low: h.Low, Parts: []jsonHostPart{}}
	if len(h.Open()) == 0 {
		j.High = &h.High
	}
	for i, p := range h.Parts {
		part := jsonHostPart{Kind: string(p.Kind), What: p.What, Bytes: &p.Bytes}
		if p.Unknown != nil {
			why := p.Unknown.String()
			part.Bytes, part.Unknown = nil, &why
		}
		if at := h.Places[i]; at.Source != nil {
			path, cell, start := jsonPlace(at.Source, at.Span)
			part.Filename, part.Cell, part.Location = &path, cell, &start
		}
		j.Parts = append(j.Parts, part)
	}
	return j
}

func jsonNeedOf(m estimate.Model, p *memory.Phase) *jsonNeed {
	if p == nil || !p.Priced() {
		return nil
	}
	j := &jsonNeed{
		Weights: p.Weights, Gradients: p.Gradients, Optimizer: p.Optimizer, Kept: p.Kept, Transient: p.Transient, Data: p.Data,
		Peak: p.Peak, Low: p.Low,
	}
	if !p.Open {
		j.High = &p.High
	}
	if len(p.Moments) > 0 {
		j.AtPeak = map[string]int64{}
		use := p.AtPeak()
		for _, k := range executor.Kinds {
			j.AtPeak[k.String()] = use[k]
		}
	}
	if m.Build != nil {
		j.Build = m.Build.Peak
	}
	if m.Device != nil {
		device := memory.Reserved(p.High, *m.Device, m.Process)
		j.Device = &device
	}
	return j
}
