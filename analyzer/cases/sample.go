package cases

import (
	"os"
	"testing"
)

// Everything is the environment variable that has tests take everything instead of a
// sample; CI sets it in a stage of its own.
//
// What is sampled are properties that hold of every fixture and after every edit, such
// as that an edited text is parsed as a new one is. What a fixture itself expects is
// checked in every run.
const Everything = "TFMEM_TEST_ALL"

// Sample returns n of the items, spread evenly, the same in every run; or all of them
// where [Everything] is set.
func Sample[T any](t testing.TB, items []T, n int) []T {
	t.Helper()
	n = Times(t, len(items), n)
	sample := make([]T, n)
	for i := range sample {
		sample[i] = items[i*len(items)/n]
	}
	return sample
}

// Times returns n, or all where [Everything] is set or all is less: how often a test
// does something. The race detector, which makes all of it several times as long and is
// not there to find wrong answers, is content with a third of n.
func Times(t testing.TB, all, n int) int {
	t.Helper()
	if race {
		n = (n + 2) / 3
	}
	if everything() || all <= n {
		return all
	}
	t.Logf("%d of %d; all with %s=1", n, all, Everything)
	return n
}

func everything() bool { return os.Getenv(Everything) != "" }

// Turn returns the item whose turn it is for the i-th fixture, or all of them where
// [Everything] is set: each fixture in one of its variants, and each variant with some.
func Turn[T any](items []T, i int) []T {
	if everything() {
		return items
	}
	return items[i%len(items):][:1]
}
