package pipeline

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/dataset"
	"github.com/tfmem/tfmem/analyzer/facts"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// PipelineOrder is TFM306.
var PipelineOrder = &rule.Rule{
	Code: "TFM306", Name: "pipeline-order", Severity: rule.Information,
	Summary: "Two steps of a tf.data pipeline are in an order in which one defeats the other.",
	What: `
Checks for four orders: shuffle after batch, where nothing shuffles the
examples before or batches them again later; shuffle after repeat, where
nothing shuffles before; take after cache in one chain that is read more
than once; and cache in memory after a repeat without end.`,
	Why: `
After batch, the buffer of shuffle holds whole batches. It takes batch-size
times the memory, and only the order of the batches changes, not their
contents. After repeat, the buffer mixes one epoch with the next, so some
examples are seen twice before others are seen once. A cache is kept only if
the dataset was read to its end: "The calling iterator did not fully read the
dataset being cached" means that the cached elements are discarded in every
epoch and computed again. After a repeat without end there is no such end: the
cache keeps each element of each epoch and never gives one back.`,
	Bad: `
import tensorflow as tf

dataset = tf.data.Dataset.from_tensor_slices((features, labels)).batch(32).shuffle(1000)
model.fit(dataset, epochs=3)`,
	Good: `
import tensorflow as tf

dataset = tf.data.Dataset.from_tensor_slices((features, labels)).shuffle(1000).batch(32)
model.fit(dataset, epochs=3)`,
	FixSafety: `
Unsafe: the two steps change places, which changes what the model sees and in
which order, and a buffer of n batches becomes one of n examples. The fix is
offered where the steps are adjacent. Safe where it removes a cache that is
never read: the elements stay the same.`,
	Limitations: `
Sources that shuffle by themselves, lists of file names, a cache right after
such a list, batches of one, a handful of literals, datasets of which only a part
is taken, and tests are not reported.`,
	References: []rule.Reference{
		rule.API("tf.data.Dataset#shuffle"),
		rule.API("tf.data.Dataset#cache"),
		rule.Guide("data_performance", "Better performance with the tf.data API"),
	},
	Triggers: []string{"shuffle", "take", "cache"},
	Check:    checkOrder,
}

func checkOrder(p *rule.Pass) {
	if p.File.Role().Kind == facts.Test {
		return
	}
	info := p.File.Names()
	tracer := dataset.NewTracer(info)
	again := map[string]map[syntax.Node]bool{"batch": {}, "pass": {}, "files": {}, "train": {}, "evaluate": {}, "cut": {}}
	looked := false
	for _, call := range info.MethodCalls(func(name string) bool { return name == "shuffle" || name == "take" || name == "cache" }) {
		method := names.Method(call)
		d := tracer.Of(call)
		if d.Kind != dataset.Pipeline || d.Several || len(d.Steps) == 0 {
			continue
		}
		last := len(d.Steps) - 1
		earlier, late := d, d.Steps[last]
		if earlier.Steps = d.Steps[:last]; late.Call != call {
			continue
		}
		if !slices.ContainsFunc([]map[string]bool{batching, repeating, caching}, func(steps map[string]bool) bool { return before(earlier, steps).Call.Valid() }) {
			continue
		}
		if !looked {
			looked = true
			lookAhead(info, tracer, again)
		}
		var found dataset.Step
		var message string
		fixes := exchange
		switch method {
		case "shuffle":
			if again["evaluate"][call] && !again["train"][call] {
				continue // the order of the data does not matter there
			}
			if earlier.Has("shuffle", "shuffle_and_repeat") || shuffles(info, d) || showsFew(info, d.Source) || draws(info, call) {
				continue // the shuffle is of examples, and this one comes on top
			}
			if found = before(earlier, batching); found.Call.Valid() && !again["batch"][call] && constant(info, names.Argument(found.Call, 0, "batch_size")) != 1 {
				message = fmt.Sprintf("shuffle() comes after %s(), so it shuffles batches, not examples. The step before is on %%s; the buffer holds %sbatches, and their contents stay the same. Shuffle first.", found.Name, count(call))
			} else if found = before(earlier, repeating); found.Call.Valid() && repeats(found.Call) && !again["files"][call] && !listsFiles(info, d.Source) && !collected(info, call) {
				message = "shuffle() comes after repeat(), so it mixes one epoch with the next. repeat() is on %s; some examples are seen twice before others are seen once. Shuffle first."
			}
		case "take":
			if found = before(earlier, caching); found.Call.Valid() && found.Call.Within(call) && again["pass"][call] && !(found.Call == d.Steps[0].Call && ofNames(info, d.Source)) {
				message = "take() comes after cache(), so the cache is discarded in every epoch. cache() is on %s, and the dataset is never read to its end. Cache the result of take()."
			}
		case "cache":
			if found = endless(earlier); found.Call.Valid() && !again["cut"][call] && inMemory(call) {
				message = "cache() comes after a repeat() without end, so it grows without end. repeat() is on %s; the cache keeps each element of each epoch and never reads one. Cache before repeat(), or remove cache()."
				fixes = drop
			}
		}
		if message == "" {
			continue
		}
		span := source.Span{Start: call.Child(syntax.FieldFunction).Child(syntax.FieldAttribute).Start(), End: call.End()}
		p.Report(rule.Finding{
			Span:    span,
			Message: fmt.Sprintf(message, p.Line(found.Call.Child(syntax.FieldFunction).Child(syntax.FieldAttribute), span)),
			Related: []rule.Related{p.Related(found.Call, nameOf(found.Call), "the step before")},
			Fixes:   fixes(p, found.Call, call),
		})
	}
}

var (
	repeating = map[string]bool{"repeat": true}
	caching   = map[string]bool{"cache": true}
	// remaking are the steps that change what the elements are.
	remaking = map[string]bool{
		"unbatch": true, "window": true, "flat_map": true, "interleave": true, "parallel_interleave": true, "group_by_window": true,
		"rebatch": true, "apply": true, "concatenate": true,
	}
)

// reading are the steps that make many elements of each one: they read it if the elements are file
// names.
var reading = map[string]bool{"interleave": true, "parallel_interleave": true, "flat_map": true, "apply": true}

// shuffles reports whether a source may shuffle by itself. Keras's builders and make_csv_dataset
// do, unless told not to (keras/src/utils/image_dataset_utils.py,
// tensorflow/python/data/experimental/ops/readers.py). So does a zip of a source that does.
func shuffles(info *names.Info, d dataset.Dataset) bool {
	if slices.ContainsFunc(d.Parts, func(part dataset.Dataset) bool { return shuffles(info, part) }) {
		return true
	}
	from := d.Source
	if from.Kind() != syntax.Call {
		return false
	}
	q := info.Callee(from)
	if !strings.HasSuffix(q, "_dataset_from_directory") && !strings.HasSuffix(q, ".make_csv_dataset") {
		return false
	}
	return names.Argument(from, -1, "shuffle").Kind() != syntax.False
}

// ofNames reports whether the elements of a source are only names of files, or strings that the code
// writes out: it takes no time to make them again.
func ofNames(info *names.Info, from syntax.Node) bool {
	if listsFiles(info, from) {
		return true
	}
	if from.Kind() != syntax.Call || !strings.HasSuffix(info.Callee(from), ".from_tensor_slices") {
		return false
	}
	written := info.DefiningExpr(names.Argument(from, 0, "tensors"))
	if !written.Is(syntax.List, syntax.Tuple) {
		return false
	}
	for item := range written.Children() {
		if !item.Is(syntax.String, syntax.Comment) {
			return false
		}
	}
	return true
}

// draws reports whether a shuffle only draws some elements at random: an iterator follows, or take,
// also where the dataset has a name.
func draws(info *names.Info, shuffle syntax.Node) bool {
	parent := shuffle.Parent()
	return parent.Kind() == syntax.ArgumentList && info.Builtin(parent.Parent()) == "iter" || isTaken(info, shuffle, 8)
}

// isTaken reports whether every use of a dataset is a take of it, following at most depth names.
func isTaken(info *names.Info, d syntax.Node, depth int) bool {
	defer info.Enter(d).Leave()
	switch parent := d.Parent(); parent.Kind() {
	case syntax.Attribute:
		return parent.Field() == syntax.FieldFunction && (parent.Child(syntax.FieldAttribute).Text() == "take" || isTaken(info, parent.Parent(), depth))
	case syntax.Assignment:
		to := parent.Child(syntax.FieldLeft)
		if to.Kind() != syntax.Identifier || d.Field() != syntax.FieldRight || depth == 0 {
			return false
		}
		uses := info.Uses(info.BindingAt(to))
		return len(uses) > 0 && !slices.ContainsFunc(uses, func(use syntax.Node) bool {
			return use.Parent().Kind() == syntax.Assignment || !isTaken(info, use, depth-1)
		})
	}
	return false
}

// collected reports whether a dataset goes into a list, in a program that samples from datasets:
// repeating such a part oversamples it.
func collected(info *names.Info, call syntax.Node) bool {
	samples := info.CallsTo(func(name string) bool {
		return strings.HasSuffix(name, ".sample_from_datasets") || strings.HasSuffix(name, ".choose_from_datasets")
	})
	if len(samples) == 0 {
		return false
	}
	uses := []syntax.Node{call}
	if to := call.Parent().Child(syntax.FieldLeft); call.Parent().Kind() == syntax.Assignment && to.Kind() == syntax.Identifier {
		uses = info.Uses(info.BindingAt(to))
	}
	return slices.ContainsFunc(uses, func(use syntax.Node) bool {
		parent := use.Parent()
		return parent.Is(syntax.List, syntax.ListComprehension) || parent.Kind() == syntax.ArgumentList && names.Method(parent.Parent()) == "append"
	})
}

// listsFiles reports whether the elements of a source are names of files.
func listsFiles(info *names.Info, from syntax.Node) bool {
	return from.Kind() == syntax.Call && strings.HasSuffix(info.Callee(from), ".list_files")
}

// showsFew reports whether a source has so few elements, written out, that it only demonstrates
// something.
func showsFew(info *names.Info, from syntax.Node) bool {
	const show = 50
	if from.Kind() != syntax.Call {
		return false
	}
	first := names.Argument(from, 0, "tensors")
	switch q := info.Callee(from); {
	case strings.HasSuffix(q, ".Dataset.range"):
		n := constant(info, names.Argument(from, 0, "stop"))
		return 0 < n && n <= show
	case strings.HasSuffix(q, ".from_tensor_slices"):
		return first.Is(syntax.List, syntax.Tuple, syntax.Dictionary) && !holdsName(first)
	}
	return false
}

// holdsName reports whether an expression contains anything but literals.
func holdsName(n syntax.Node) bool {
	found := false
	n.Walk(func(m syntax.Node) bool {
		found = found || m.Is(syntax.Identifier, syntax.Call)
		return !found
	})
	return found
}

// before returns the last step with one of the wanted names after which the elements are unchanged.
// If the dataset has several inputs, it is a step of one of them, if all have one. Repeating the
// inputs of sample_from_datasets oversamples them and does not repeat the whole.
func before(d dataset.Dataset, wanted map[string]bool) dataset.Step {
	for _, s := range slices.Backward(d.Steps) {
		if wanted[s.Name] {
			return s
		}
		if remaking[s.Name] {
			return dataset.Step{}
		}
	}
	found := dataset.Step{}
	for _, part := range slices.Backward(d.Parts) {
		if found = before(part, wanted); !found.Call.Valid() || part.Several || d.Sampled && repeating[found.Name] {
			return dataset.Step{}
		}
	}
	return found
}

// endless returns the repeat after which a dataset has no end, or none. The kernel of cache keeps what
// is read until its input ends (tensorflow/core/kernels/data/cache_dataset_ops.cc, MemoryWriterIterator).
func endless(d dataset.Dataset) dataset.Step {
	for _, s := range slices.Backward(d.Steps) {
		if remaking[s.Name] || s.Name == "take" || s.Name == "take_while" {
			return dataset.Step{}
		}
		count := names.Argument(s.Call, 0, "count")
		if repeating[s.Name] && (!count.Valid() && !names.HasSplat(s.Call) || count.Kind() == syntax.NoneLiteral || count.Text() == "-1") {
			return s
		}
	}
	found := dataset.Step{}
	for _, part := range slices.Backward(d.Parts) {
		if found = endless(part); !found.Call.Valid() || part.Several || d.Sampled {
			return dataset.Step{} // a zip ends with the first that ends
		}
	}
	return found
}

// inMemory reports whether a cache has no file.
func inMemory(cache syntax.Node) bool {
	file := names.Argument(cache, 0, "filename")
	text, ok := names.StringValue(file)
	return !file.Valid() && !names.HasSplat(cache) || ok && text == ""
}

// lookAhead records the steps after which a pipeline is batched again or unbatched, or cut short, the
// steps of pipelines that are read more than once, and of those that reach training or an evaluation.
func lookAhead(info *names.Info, tracer *dataset.Tracer, again map[string]map[syntax.Node]bool) {
	note := func(what string, d dataset.Dataset, but syntax.Node) {
		for _, s := range d.Steps {
			if s.Call != but {
				again[what][s.Call] = true
			}
		}
	}
	ahead := func(name string) bool {
		return batching[name] || remaking[name] || name == "repeat" || name == "fit" || name == "evaluate" || name == "take" || name == "take_while"
	}
	for _, call := range info.MethodCalls(ahead) {
		method := names.Method(call)
		switch {
		case batching[method], remaking[method]:
			d := tracer.Of(call)
			note("batch", d, call)
			if reading[method] {
				note("files", d, call)
			}
		case method == "take", method == "take_while":
			note("cut", tracer.Of(call), call)
		case method == "repeat":
			note("pass", tracer.Of(call), call)
		case method == "fit":
			note("pass", tracer.Of(names.Argument(call, 0, "x")), call)
			note("pass", tracer.Of(names.Argument(call, 7, "validation_data")), call)
			note("train", tracer.Of(names.Argument(call, 0, "x")), call)
			note("evaluate", tracer.Of(names.Argument(call, 7, "validation_data")), call)
		case method == "evaluate":
			note("evaluate", tracer.Of(names.Argument(call, 0, "x")), call)
		}
	}
}

// repeats reports whether repeat(n) passes over the data more than once, judging by its argument.
func repeats(call syntax.Node) bool {
	return names.Argument(call, 0, "count").Text() != "1"
}

// count says how much a buffer holds at most, for a message, if the size is a literal.
func count(shuffle syntax.Node) string {
	if size := names.Argument(shuffle, 0, "buffer_size"); size.Kind() == syntax.Integer {
		return "up to " + size.Text() + " "
	}
	return ""
}

// exchange offers to swap two adjacent steps: in one chain, or in two consecutive statements that
// reassign the same name.
func exchange(p *rule.Pass, first, second syntax.Node) []rule.Fix {
	if names.Argument(second, -1, "reshuffle_each_iteration").Kind() == syntax.False {
		return nil // after the swap each pass would have the same order
	}
	if !p.Here(first) || !rule.Fixable(first) || !rule.Fixable(second) || first.Child(syntax.FieldFunction).Child(syntax.FieldAttribute).Text() == "apply" {
		return nil
	}
	object := second.Child(syntax.FieldFunction).Child(syntax.FieldObject)
	if object != first && !(object.Kind() == syntax.Identifier && consecutive(first, second)) {
		return nil
	}
	a, b := part(first), part(second)
	one, other := p.File.Source.Slice(a), p.File.Source.Slice(b)
	if strings.Contains(one, "#") || strings.Contains(other, "#") {
		return nil // a comment belongs to its step
	}
	return rule.OneFix(fmt.Sprintf("Move %s before %s", strings.TrimSpace(other), strings.TrimSpace(one)), rule.Unsafe, source.Edit{Span: a, New: other}, source.Edit{Span: b, New: one})
}

// consecutive reports whether two calls are the whole values of two consecutive assignments to one
// name: ds = ds.batch(32) and ds = ds.shuffle(10).
func consecutive(first, second syntax.Node) bool {
	a, b := first.Parent(), second.Parent()
	if a.Kind() != syntax.Assignment || b.Kind() != syntax.Assignment || a.Child(syntax.FieldRight) != first || b.Child(syntax.FieldRight) != second {
		return false
	}
	name := a.Child(syntax.FieldLeft)
	if name.Kind() != syntax.Identifier || b.Child(syntax.FieldLeft).Text() != name.Text() || second.Child(syntax.FieldFunction).Child(syntax.FieldObject).Text() != name.Text() {
		return false
	}
	one, other := a.Parent(), b.Parent()
	if one.Parent().Valid() {
		return one.Next() == other
	}
	return other.Stmt() == one.Stmt()+1
}

// drop offers to remove a step of a chain.
func drop(p *rule.Pass, _, step syntax.Node) []rule.Fix {
	object := step.Child(syntax.FieldFunction).Child(syntax.FieldObject)
	span := source.Span{Start: object.End(), End: step.End()}
	if !rule.Fixable(step) || object.Kind() != syntax.Call || strings.Contains(p.File.Source.Slice(span), "#") {
		return nil
	}
	return rule.OneFix("Remove cache()", rule.Safe, source.Edit{Span: span})
}
