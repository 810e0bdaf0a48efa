package device

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/flow"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// AllowGrowthEnvValue is TFM110.
var AllowGrowthEnvValue = &rule.Rule{
	Code: "TFM110", Name: "allow-growth-env-value", Severity: rule.Warning,
	Summary: "TF_FORCE_GPU_ALLOW_GROWTH or TF_GPU_ALLOCATOR is set to something that TensorFlow does not know.",
	What: `
Checks the values that the program gives TF_FORCE_GPU_ALLOW_GROWTH and
TF_GPU_ALLOCATOR by os.environ, os.putenv or a notebook's %env.`,
	Why: `
TensorFlow compares the variable with "true" and "false", letter by letter
(tensorflow/core/common_runtime/gpu/gpu_bfc_allocator.cc). It logs an error for
"1", "True" or "yes", which is easily missed, and reserves nearly all free
memory as if the variable were not set. TF_GPU_ALLOCATOR it compares with
"cuda_malloc_async", "cuda_malloc" and "memory_guard"
(tensorflow/core/common_runtime/gpu/gpu_process_state.cc); with any other value it
uses its own allocator, and logs nothing. A value that is not a string, such as True,
raises TypeError.`,
	Bad: `
import os
os.environ["TF_FORCE_GPU_ALLOW_GROWTH"] = "1"

import tensorflow as tf`,
	Good: `
import os
os.environ["TF_FORCE_GPU_ALLOW_GROWTH"] = "true"

import tensorflow as tf`,
	FixSafety: `
Safe: both change how memory is reserved, not what is computed. The fix is offered only
where the value clearly means yes or no, or is "cuda_malloc_async" in another spelling.`,
	Limitations: `
A value that is not a literal is not judged, and neither are values in shell
scripts, Dockerfiles or .env files. Names for TensorFlow's own allocator, such as "BFC"
and "default", do what they say and are not reported.`,
	References: []rule.Reference{
		rule.Guide("gpu#limiting_gpu_memory_growth", "Limiting GPU memory growth"),
	},
	Triggers: []string{forceGrowth, gpuAllocator},
	Check:    checkGrowthValue,
}

func checkGrowthValue(p *rule.Pass) {
	for _, e := range p.File.Flow().Having(effects.SetsEnvironment) {
		if e.Key != forceGrowth && e.Key != gpuAllocator || !p.Here(e.Node) {
			continue
		}
		span := environmentSpan(e)
		if e.Given.Valid() {
			span = rule.Span(e.Given)
		}
		if message := misread(e); message != "" {
			p.Report(rule.Finding{Span: span, Message: message, Fixes: spell(p, e)})
		}
	}
}

// ownAllocators are names, in lower case, by which programs ask for the allocator that TensorFlow uses without the variable.
var ownAllocators = []string{"", "bfc", "default"}

// misread describes how TensorFlow, or Python, interprets a value. It is empty if the value is
// right or unknown.
func misread(e *flow.Event) string {
	right := `Use "true" or "false".`
	if e.Key == gpuAllocator {
		right = `Use "cuda_malloc_async".`
	}
	switch {
	case e.Known && e.Key == gpuAllocator:
		if slices.Contains(ownAllocators, strings.ToLower(e.Value)) || slices.Contains([]string{asyncAllocator, "cuda_malloc", "memory_guard"}, e.Value) {
			return ""
		}
		return fmt.Sprintf("TensorFlow ignores this value of %s. It knows only %q, \"cuda_malloc\" and \"memory_guard\"; for %q it uses its own allocator, and logs nothing.", gpuAllocator, asyncAllocator, e.Value)
	case e.Known && e.Value != "true" && e.Value != "false":
		return fmt.Sprintf("TensorFlow ignores this value of %s. It accepts only \"true\" and \"false\", and logs %q as an error.", forceGrowth, e.Value)
	case e.Known || e.Name == "os.putenv":
		return ""
	case e.Given.Is(syntax.True, syntax.False):
		return "Environment variables are strings, so this raises TypeError: str expected, not bool. " + right
	case e.Given.Kind() == syntax.Integer:
		return "Environment variables are strings, so this raises TypeError: str expected, not int. " + right
	}
	return ""
}

// spell offers the value in the form that TensorFlow reads.
func spell(p *rule.Pass, e *flow.Event) []rule.Fix {
	value, q := e.Value, p.Quote()
	switch text := e.Given.Text(); {
	case !e.Given.Valid() || e.Given.HasError():
		return nil
	case e.Known && e.Given.Kind() == syntax.String:
		q = text[len(text)-1:]
	case !e.Known:
		value = text
	}
	word := meant(e.Key, value)
	if word == "" {
		return nil
	}
	return rule.OneFix("Set it to "+q+word+q, rule.Safe, source.Edit{Span: rule.Span(e.Given), New: q + word + q})
}

// meant returns the value of a variable that another spelling stands for, or "".
func meant(variable, value string) string {
	value = strings.ToLower(strings.TrimSpace(value))
	if variable == gpuAllocator {
		if strings.NewReplacer("_", "", "-", "", " ", "").Replace(value) == "cudamallocasync" {
			return asyncAllocator
		}
		return ""
	}
	switch value {
	case "1", "true", "yes", "on", "y", "t":
		return "true"
	case "0", "false", "no", "off", "n", "f":
		return "false"
	}
	return ""
}
