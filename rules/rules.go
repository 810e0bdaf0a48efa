// Package rules is the one list of rules. It checks files against them and applies their fixes.
package rules

import (
	"strings"

	"github.com/tfmem/tfmem/rules/budget"
	"github.com/tfmem/tfmem/rules/device"
	"github.com/tfmem/tfmem/rules/graph"
	"github.com/tfmem/tfmem/rules/parallel"
	"github.com/tfmem/tfmem/rules/pipeline"
	"github.com/tfmem/tfmem/rules/rule"
	"github.com/tfmem/tfmem/rules/run"
	"github.com/tfmem/tfmem/rules/session"
	"github.com/tfmem/tfmem/rules/suppress"
	"github.com/tfmem/tfmem/rules/tape"
)

// All are the rules, in order of their codes.
var All = []*rule.Rule{
	suppress.UnusedSuppression,
	NotAnalysed,
	InvalidSyntax,
	InvalidHint,
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
	device.ContextClosed,
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
	pipeline.DiscardedDataset,
	pipeline.BatchedTwice,
	pipeline.IteratorPerStep,
	pipeline.DatasetPerFit,
	tape.PersistentTapeHeld,
	tape.NeedlessPersistentTape,
	tape.GradientInsidePersistentTape,
	tape.TapeEscapes,
	tape.AccumulatedTensors,
	tape.TapeConsumedTwice,
	tape.TapeWithoutGradient,
	tape.VectorisedJacobian,
	graph.TrainStepWithoutTFFunction,
	graph.RetracingArguments,
	graph.TFFunctionInLoop,
	graph.ModelInLoop,
	graph.AppendInTFFunction,
	graph.GraphGrowsInLoop,
	graph.RunEagerlyLeftOn,
	graph.CompiledAgain,
	budget.OversizedBatch,
	budget.ModelExceedsGPU,
	budget.MixedPrecisionAvailable,
	budget.Float64OnGPU,
	budget.FlattenDense,
	budget.MissingLossScaling,
	budget.AccumulationNotAveraged,
	budget.HostMemoryExceeded,
	budget.JobRequest,
	budget.PolicyNotApplied,
	parallel.ForkAfterGPUInit,
	parallel.WorkersWithoutMemoryLimit,
	parallel.VariablesOutsideStrategyScope,
	parallel.StrategyBatchSize,
	parallel.DistributedDatasetInFit,
	budget.ModelsExceedTogether,
	parallel.StrategyWithoutRun,
	parallel.JitCompileLeak,
	run.OutOfMemorySeen,
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
