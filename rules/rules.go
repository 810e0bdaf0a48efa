// Package rules is the one list of rules, and how a file is checked against
// them and mended.
package rules

import (
	"slices"
	"sort"
	"strings"

	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/rules/budget"
	"github.com/tfmem/tfmem/rules/device"
	"github.com/tfmem/tfmem/rules/graph"
	"github.com/tfmem/tfmem/rules/parallel"
	"github.com/tfmem/tfmem/rules/pipeline"
	"github.com/tfmem/tfmem/rules/rule"
	"github.com/tfmem/tfmem/rules/session"
	"github.com/tfmem/tfmem/rules/suppress"
	"github.com/tfmem/tfmem/rules/tape"
)

// All are the rules, in order of their codes.
var All = []*rule.Rule{
	suppress.UnusedSuppression,
	NotAnalysed,
	device.MissingMemoryGrowth,
	device.MemoryGrowthAfterInit,
	device.MemoryGrowthIgnored,
	device.UnevenMemoryGrowth,
	device.MemoryGrowthArguments,
	device.GrowthWithMemoryLimit,
	device.DeprecatedDeviceAPI,
	device.MemoryLimitExceedsGPU,
	device.LateCUDAVisibleDevices,
	device.AllowGrowthEnvValue,
	session.SessionWithoutGrowth,
	session.SessionConfigNotUsed,
	session.MonitoredSessionCreator,
	session.TF1NameInTF2,
	session.MemoryFraction,
	session.SessionOptionsIgnored,
	pipeline.UnbatchedDataset,
	pipeline.BatchSizeWithDataset,
	pipeline.DatasetFromLargeArray,
	pipeline.WholeDatasetForward,
	pipeline.MissingPrefetch,
	pipeline.PipelineOrder,
	pipeline.OversizedShuffleBuffer,
	pipeline.PredictInLoop,
	tape.PersistentTapeHeld,
	tape.NeedlessPersistentTape,
	tape.GradientInsidePersistentTape,
	tape.TapeEscapes,
	tape.AccumulatedTensors,
	tape.TapeConsumedTwice,
	tape.TapeWithoutGradient,
	graph.TrainStepWithoutTFFunction,
	graph.RetracingArguments,
	graph.TFFunctionInLoop,
	graph.ModelInLoop,
	graph.AppendInTFFunction,
	graph.GraphGrowsInLoop,
	graph.RunEagerlyLeftOn,
	budget.OversizedBatch,
	budget.ModelExceedsGPU,
	budget.MixedPrecisionAvailable,
	budget.Float64OnGPU,
	budget.FlattenDense,
	budget.MissingLossScaling,
	budget.AccumulationNotAveraged,
	parallel.ForkAfterGPUInit,
	parallel.WorkersWithoutMemoryLimit,
	parallel.VariablesOutsideStrategyScope,
	parallel.StrategyBatchSize,
	parallel.DistributedDatasetInFit,
	budget.ModelsExceedTogether,
}

// Lookup finds a rule by its code or name, in any letter case, or returns nil.
func Lookup(codeOrName string) *rule.Rule {
	for _, r := range All {
		if strings.EqualFold(r.Code, codeOrName) || strings.EqualFold(r.Name, codeOrName) {
			return r
		}
	}
	return nil
}

// Check runs the selected rules over a file and returns the findings in order
// of their places, less those that comments in the file suppress.
func Check(file *analyzer.File, selection Selection) []rule.Finding {
	var findings []rule.Finding
	if file.Unread != "" {
		if selection.Enabled(NotAnalysed) {
			rule.Run(NotAnalysed, file, &findings)
		}
		selection.regrade(findings)
		return findings
	}
	if !file.Relevant() {
		return nil
	}
	defer file.Lock()()
	if file.Foreign() {
		return nil
	}
	untriggered := untriggered(file.Source.Text())
	for _, r := range All {
		if r.Check != nil && selection.Enabled(r) && (!untriggered[r] || r.Imported && file.Names().Connected()) {
			rule.Run(r, file, &findings)
		}
	}
	if !selection.IgnoreComments {
		findings = suppress.Apply(file, findings, All, selection.Enabled)
	}
	selection.regrade(findings)
	for i := range findings {
		findings[i].Fixes = slices.DeleteFunc(findings[i].Fixes, func(fix rule.Fix) bool { return !makeable(file, fix) })
	}
	sort.SliceStable(findings, func(i, j int) bool {
		a, b := findings[i], findings[j]
		if a.Span.Start != b.Span.Start {
			return a.Span.Start < b.Span.Start
		}
		return a.Rule.Code < b.Rule.Code
	})
	return findings
}

// makeable tells whether a fix can be made where the text comes from: some of it
// may stand for another, such as a notebook's magics.
func makeable(file *analyzer.File, fix rule.Fix) bool {
	return !slices.ContainsFunc(fix.Edits, func(e source.Edit) bool { return !file.Source.Editable(e) })
}
