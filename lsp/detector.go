package lsp

import (
	"context"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tfmem/tfmem/analyzer/memory"
)

// A detector knows the GPUs of the machine as they were found last. It looks for them in the
// background, one detection at a time.
type detector struct {
	find    func(context.Context) Detection // nil if nobody looks for any
	last    atomic.Pointer[Detection]       // nil until they are found
	early   atomic.Bool                     // an analysis needed them before that
	first   <-chan struct{}                 // closed after the first detection; nil if there is none
	mu      sync.Mutex                      // requests and changed settings start a detection
	running chan struct{}                   // closed when the current detection ends; nil if there is none
	ended   time.Time                       // when the last one ended
}

// stale is the age beyond which it is looked again what is free on the GPUs, when somebody reads it.
const stale = 5 * time.Second

// detect looks for the GPUs, or joins a detection in progress. The returned channel is closed at the
// end. background runs something, and reports whether it does. changed is called if the result differs
// from the one before, which is nil for the first; missed is set if an analysis did without it.
func (d *detector) detect(ctx context.Context, background func(func()) bool, changed func(before *Detection, found Detection, missed bool)) <-chan struct{} {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.running != nil {
		return d.running
	}
	done := make(chan struct{})
	began := background(func() {
		found := d.find(ctx)
		before := d.last.Load()
		differs := before == nil || !sameGPUs(*before, found)
		d.last.Store(&found)
		missed := d.early.Load() // an analysis that missed them has set it before
		d.mu.Lock()
		d.running, d.ended = nil, time.Now()
		d.mu.Unlock()
		close(done)
		if ctx.Err() == nil && differs {
			changed(before, found, missed)
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

// now returns a device with what is free of it, as far as it is known. old is set if that may have
// changed since.
func (d *detector) now(device memory.Device) (found memory.Device, old bool) {
	last := d.last.Load()
	if last == nil {
		return device, false
	}
	for _, other := range last.Devices {
		if other.Name == device.Name && other.Total == device.Total && other.Source == device.Source {
			d.mu.Lock()
			defer d.mu.Unlock()
			return other, d.running == nil && time.Since(d.ended) > stale
		}
	}
	return device, false
}

// neighbours returns the programs that use a GPU of the machine, as far as they are known yet.
func (d *detector) neighbours() []string {
	d.early.Store(true)
	if found := d.last.Load(); found != nil {
		return found.Holders
	}
	return nil
}

// devices returns the GPUs of the machine, as far as they are known yet.
func (d *detector) devices() []memory.Device {
	d.early.Store(true)
	if found := d.last.Load(); found != nil {
		return found.Devices
	}
	return nil
}
