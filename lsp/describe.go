package lsp

import (
	"fmt"

	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/analyzer/memory/executor"
	"github.com/tfmem/tfmem/analyzer/value"
	"github.com/tfmem/tfmem/rules/estimate"
)

// A freeNow returns a device with what is free of it at the moment, as far as it is known.
type freeNow func(memory.Device) memory.Device

// describe describes what stands at a place. now returns a device with what is free of it.
func describe(s estimate.Subject, now freeNow) markdown {
	switch {
	case s.Call != nil:
		return describeCall(s.Call, now)
	case s.Model != nil:
		return describeModel(s.Model, now)
	}
	return describeLayers(s.Layers)
}

// describeCall says how much memory a training takes.
func describeCall(c *estimate.Call, now freeNow) markdown {
	if c.Why != nil {
		return markdownf("**Not priced**: %s.", c.Why) + causedBy(*c.Why)
	}
	return describeCost(c.Model, now)
}

// causedBy quotes the places of reasons.
func causedBy(reasons ...estimate.Reason) (text markdown) {
	for _, r := range reasons {
		if r.Found {
			text += markdownf("\n\nThe cause is at %s: %s", r.Where(), r.Quote())
		}
		text += remedies(r)
	}
	return text
}

// remedies says what a person can write about what is not known.
func remedies(r estimate.Reason) (text markdown) {
	for _, o := range r.Remedies() {
		text += markdownf("\n\n%s %s: %s", o.What, o.Where(), o.Text)
	}
	return text
}

// describeLacks says what a place keeps from being priced.
func describeLacks(lacks []estimate.Lack) (text markdown) {
	for i, l := range lacks {
		if i > 0 {
			text += "\n\n"
		}
		text += markdownf("**%s is not priced** because of this: %s.", l.Of, l.Cause) + remedies(l.Reason)
	}
	return text
}

// describeModel says what a model is, and how much memory its main use takes.
func describeModel(m *estimate.Model, now freeNow) markdown {
	class := m.Assessment.Model.Class
	if class == "Subclass" {
		class = "class of its own"
	}
	text := markdownf("**%s** (%s)", m.Name, class)
	if m.Known() {
		text += markdownf(": %s parameters", m.Parameters)
		if m.Trained != m.Parameters {
			text += markdownf(", %s of them trainable", m.Trained)
		}
	}
	text += "\n\n"
	if m.Part {
		return text + "It is part of another model or of a step, and not used by itself."
	}
	return text + describeCost(*m, now)
}

// describeCost says how much memory a model takes at the peak of a step, for what, and whether it
// fits the GPU.
func describeCost(m estimate.Model, now freeNow) markdown {
	if len(m.Unresolved) > 0 {
		return markdownf("**Not priced**: %s.", value.Words(m.Unresolved)) + causedBy(m.Reasons...)
	}
	main := m.Main()
	batch := " on batches of " + memory.Count(m.Batch) + share(m)
	if m.Assessment.Model.Own.Fixed() {
		batch = ""
	}
	text := markdownf("%s%s takes **about %s** of GPU memory (%s to %s%s).\n\n", purpose(m), batch, memory.Bytes(main.Peak), memory.Bytes(main.Low), memory.Bytes(main.High), beside(m))
	for _, assumption := range m.Assumptions() {
		text += markdownf("%s\n\n", assumption)
	}
	if m.Assumed {
		text += "The batch size is assumed: the program names none.\n\n"
	}
	text += "| at the peak of a step | |\n|---|---:|\n"
	use := main.AtPeak()
	for _, k := range executor.Kinds {
		if use[k] > 0 {
			text += markdownf("| %s | %s |\n", k, memory.Bytes(use[k]))
		}
	}
	return text + "\n" + outcome(m, now)
}

// beside names the data that a price leaves out, because their size is not known, or returns "".
func beside(m estimate.Model) string {
	if m.Total().Open {
		return " without " + m.Uncounted()
	}
	return ""
}

// purpose returns what is priced.
func purpose(m estimate.Model) string {
	if !m.Trains() {
		return m.Purpose() + " in " + m.Precision
	}
	if own := m.Assessment.Model.Own; own != nil {
		return "One step of " + own.Name + " with " + m.Then.Optimizer.Class + " in " + m.Precision
	}
	return "Training with " + m.Then.Optimizer.Class + " in " + m.Precision
}

// share says how a batch is shared, or returns "".
func share(m estimate.Model) string {
	if m.Replicas == 1 {
		return ""
	}
	return fmt.Sprintf(", %s on each of %d GPUs,", memory.Count(m.Replica), m.Replicas)
}

// outcome says whether a model fits the GPU, or why that is not known.
func outcome(m estimate.Model, now freeNow) markdown {
	switch {
	case !m.Budget.Known():
		return "Whether it fits is not known, as no GPU is. Name one in the settings, such as `gpu = \"RTX 3090\"` in tfmem.toml."
	case m.Training == nil && m.Use == nil:
		return "Whether it fits is not known: the program neither compiles nor runs it."
	case m.Assumed, m.MayTrain(), m.Verdict == memory.Unknown && m.Total().Open:
		return markdownf("Whether it fits is not known: %s.", m.WhyUnknown())
	case m.Verdict == memory.Unknown:
		need := m.Main().Need
		return markdownf("Whether it fits is not known: it needs between %s and %s, and %s has %s for TensorFlow (%s).",
			memory.Bytes(need.Low), memory.Bytes(need.High), m.Device.Name, m.Budget, m.Device.Source)
	}
	verdict := map[memory.Verdict]markdown{memory.Fits: "it **fits**", memory.Tight: "it is **tight**", memory.Exceeds: "it does **not fit**"}[m.Verdict]
	text := markdownf("%s has %s for TensorFlow (%s): %s", m.Device.Name, m.Budget, m.Device.Source, verdict)
	switch {
	case m.Fixed():
	case m.Largest == 0:
		text += "; even a batch of 1 may not fit"
	case m.Largest >= memory.MaxBatch:
		text += " at any batch size"
	default:
		text += markdownf("; the largest batch that fits is %s", memory.Count(m.Largest))
	}
	text += "."
	// For this machine's GPU, the memory that other processes leave is known.
	if left := memory.BudgetNow(now(*m.Device), m.Process); left.Expected < m.Budget.Expected && memory.Judge(m.Main().Need, left) != m.Verdict {
		text += markdownf(" When tfmem looked, other programs left it %s.", memory.Bytes(left.Expected))
	}
	return text
}

// mostLayers is how many layers are described one by one.
const mostLayers = 6

// describeLayers says what the layers of one call return, and how much memory they take.
func describeLayers(ls *estimate.Layers) markdown {
	first := ls.Made[0]
	if len(ls.Made) == 1 {
		text := markdownf("**%s** (%s)\n\n| | |\n|---|---:|\n", first.Layer.Name, first.Layer.Class)
		text += markdownf("| output | %s |\n| parameters | %s |\n", output(first), first.Parameters)
		if n := first.WeightBytes(); n > 0 {
			text += markdownf("| weights | %s |\n", memory.Bytes(n))
		}
		if first.Kept > 0 {
			text += markdownf("| kept for the gradients, on batches of %s | %s |\n", memory.Count(ls.Batch), memory.Bytes(first.Kept))
		}
		return text
	}
	text := markdownf("**%d layers** (%s) are made here: %s parameters", len(ls.Made), first.Layer.Class, parameters(ls))
	if ls.Batch > 0 {
		var kept int64
		for _, l := range ls.Made {
			kept += l.Kept
		}
		text += markdownf(", and on batches of %s they keep %s for the gradients", memory.Count(ls.Batch), memory.Bytes(kept))
	}
	text += ".\n\n| layer | output | parameters |\n|---|---|---:|\n"
	for _, l := range ls.Made[:min(len(ls.Made), mostLayers)] {
		text += markdownf("| %s | %s | %s |\n", l.Layer.Name, output(l), l.Parameters)
	}
	if more := len(ls.Made) - mostLayers; more > 0 {
		text += markdownf("\nand %d more.\n", more)
	}
	return text
}

func parameters(ls *estimate.Layers) (n memory.Range) {
	for _, l := range ls.Made {
		n = n.Plus(l.Parameters)
	}
	return n
}

// output returns the output shape of a layer, as Keras writes it.
func output(l memory.LayerCost) string {
	if shape := estimate.Output(l); shape != nil {
		return shape.String()
	}
	return "not known"
}
