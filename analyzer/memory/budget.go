package memory

import (
	"regexp"
	"strings"
)

// A Device is a GPU, as it was detected or named by the user.
type Device struct {
	Name  string // as NVML prints it
	Total int64  // bytes, as NVML reports them
	// Free is the number of free bytes. It is valid only if FreeKnown is set.
	Free      int64
	FreeKnown bool
	// Driver is what the driver keeps for itself, in bytes, which is neither free nor a process's;
	// 0 if it is not known.
	Driver int64
	// Major and Minor are the compute capability; 0 if it is not known.
	Major, Minor int
	Source       string // where the figures come from: "nvml", "nvidia-smi", "catalogue", "settings"
	// Listed is set if the machine's GPUs were listed. It is not set for a GPU that somebody
	// named.
	Listed bool
	Screen Screen
	// logged is set if TensorFlow has logged what its pool can have.
	logged bool
}

// A Screen says whether a screen shows what a GPU draws.
type Screen uint8

const (
	ScreenUnknown Screen = iota
	NoScreen
	HasScreen
)

// A Process is what a program says about its share of a GPU.
type Process struct {
	// Limit is the memory_limit of a logical device in bytes, 0 for none.
	Limit int64
	// Fraction is per_process_gpu_memory_fraction, 0 for the default.
	Fraction float64
	// Growth is set if memory grows as it is needed.
	Growth bool
}

const mib = 1 << 20

// reserve returns what TensorFlow leaves of the free memory for libraries, by compute capability
// (tensorflow/core/common_runtime/gpu/gpu_device.cc, MinSystemMemory).
func reserve(free int64, d Device) int64 {
	switch {
	case free < 2048*mib:
		return 225 * mib
	case d.Major == 0:
		return 1050 * mib
	case d.Major <= 6:
		return 500 * mib
	case d.Major <= 7:
		return 1050 * mib
	case d.Major <= 8:
		return 1536 * mib
	}
	return 1800 * mib
}

// context returns what the driver and TensorFlow's CUDA context take besides the pool. It is
// derived from the pool sizes that TensorFlow logged on 28 GPUs.
func context(d Device) int64 {
	switch {
	case d.Major >= 8 && d.Total > 30<<30:
		return 1000 * mib
	case d.Major >= 8:
		return 600 * mib
	case d.Major == 7 && d.Minor == 0:
		return 600 * mib
	}
	return 400 * mib
}

// serves matches the names of GPUs for servers, which drive no screen, as NVML and older drivers
// print them.
var serves = regexp.MustCompile(`^(Tesla |GRID |(NVIDIA )?(A|B|H|L|GB|GH)\d)|Server Edition`)

// spread returns how far TensorFlow's pool may lie below and above what is expected. The bounds are
// those of the pools that TensorFlow logged (testdata/estimate/pools.csv).
func spread(d Device, pool int64) (below, above int64) {
	switch slice := strings.Contains(d.Name, " MIG "); {
	case d.logged:
		return 0, 0
	case slice:
		return pool / 40, pool / 8 // the context is smaller there
	case d.Screen == NoScreen, d.Screen == ScreenUnknown && serves.MatchString(d.Name):
		return pool / 40, pool / 100
	}
	// What a screen takes does not grow with the card.
	below, above = min(pool*18/100, 2560*mib), min(pool*14/100, 850*mib)
	if d.Major == 0 { // the newest GPUs keep the most for libraries
		newest := d
		newest.Major = 9
		below += max(split(d, Process{}, 0).Pool-split(newest, Process{}, 0).Pool, 0)
	}
	return below, above
}

// A Share says how the memory of a device is divided, in bytes: Total is the sum of the others. Its
// terms are those of TensorFlow's gpu_device.cc, GetSingleAllocator and MinSystemMemory.
type Share struct {
	Total     int64 `json:"total_bytes"`
	Processes int64 `json:"processes_bytes"` // of other processes
	Context   int64 `json:"context_bytes"`   // of the driver and of TensorFlow's CUDA context
	Reserve   int64 `json:"reserve_bytes"`   // left by TensorFlow for cuDNN, cuBLAS and their like
	Pool      int64 `json:"pool_bytes"`      // what TensorFlow's allocator can have
	// PoolLow and PoolHigh bound it, see [Budget].
	PoolLow  int64 `json:"pool_low_bytes"`
	PoolHigh int64 `json:"pool_high_bytes"`
}

// Budget returns what the pool can have.
func (s Share) Budget() Budget { return Budget{s.PoolLow, s.Pool, s.PoolHigh, s.Total > 0} }

// Split divides the device if no other process uses it. So the answer is the same tomorrow. The
// screen may take a part of it: the pool's bounds say how much that changes.
func Split(d Device, p Process) Share {
	return split(d, p, 0).bounded(d, p)
}

// bounded sets the bounds of the pool.
func (s Share) bounded(d Device, p Process) Share {
	free := s.Pool + s.Reserve
	below, above := spread(d, max(free-reserve(free, d), 0))
	s.PoolLow, s.PoolHigh = s.Pool-below, min(s.Pool+above, free)
	if p.Limit > 0 || p.Fraction > 0 { // what the program asks for, if there is as much
		s.PoolLow, s.PoolHigh = min(s.Pool, free-below), s.Pool
	}
	s.PoolLow = max(s.PoolLow, 0)
	return s
}

// SplitNow divides the device, given what is free at the moment.
func SplitNow(d Device, p Process) Share {
	whole := Split(d, p)
	if !d.FreeKnown {
		return whole
	}
	now := split(d, p, max(d.Total-d.Free-d.Driver, 0))
	// With little free memory TensorFlow reserves less, but not more than it does alone.
	if over := now.Pool - whole.Pool; over > 0 {
		now.Pool, now.Reserve = whole.Pool, now.Reserve+over
	}
	// What the screen takes is among what is used.
	d.Screen = NoScreen
	return now.bounded(d, p)
}

// split divides the device beside other processes with so many bytes. What a limit or a fraction
// leaves is counted as reserve.
func split(d Device, p Process, processes int64) Share {
	s := Share{Total: d.Total, Processes: min(processes, d.Total)}
	s.Context = min(context(d), d.Total-s.Processes)
	free := d.Total - s.Processes - s.Context
	switch {
	case p.Limit > 0:
		s.Pool = p.Limit
	case p.Fraction > 0:
		s.Pool = min(int64(p.Fraction*float64(d.Total)), free)
	default:
		s.Pool = max(free-reserve(free, d), 0)
	}
	s.Reserve = free - s.Pool
	return s
}

// WithPool returns a device of which TensorFlow's pool can have so many bytes.
func WithPool(name string, pool int64) Device {
	d := Device{Name: name, logged: true}
	d.Total = pool + context(d)
	d.Total += reserve(d.Total-context(d), d)
	for Split(d, Process{}).Pool < pool { // the reserve depends on the total
		d.Total += pool - Split(d, Process{}).Pool
	}
	return d
}

// A Budget is what TensorFlow's pool can have of a device, in bytes. Expected is what it has where
// nothing else uses the device. Between Low and High is what it had on all machines that are
// recorded: a screen takes a part, and the context and the reserve differ by version.
type Budget struct {
	Low, Expected, High int64
	known               bool
}

// Known reports whether there is a device. It may be so small that CUDA leaves nothing.
func (b Budget) Known() bool { return b.known }

// String is the budget in words, with its bounds unless they are near: "9.91 GiB (8.13 GiB to
// 10.7 GiB)".
func (b Budget) String() string {
	if b.High-b.Low <= b.Expected/20 {
		return Bytes(b.Expected)
	}
	return Bytes(b.Expected) + " (" + Bytes(b.Low) + " to " + Bytes(b.High) + ")"
}

// BudgetOf returns what TensorFlow's pool can have on the device if no other process uses it.
func BudgetOf(d Device, p Process) Budget { return Split(d, p).Budget() }

// BudgetNow is BudgetOf, given what is free at the moment.
func BudgetNow(d Device, p Process) Budget { return SplitNow(d, p).Budget() }

// A Verdict says whether a need fits a budget.
type Verdict string

const (
	Fits    Verdict = "fits"
	Tight   Verdict = "tight"
	Exceeds Verdict = "exceeds"
	Unknown Verdict = "unknown"
)

// widest bounds the width of a useful range: if High is more than widest times Low, a budget
// between the two decides nothing.
const widest = 3

// Judge compares a need with a budget. The need fits if the high end of its range is within the low
// end of the budget, and is tight if its middle is within what is expected. If the range is too
// wide, a budget within it decides nothing. Nor does one that what is counted fits, if that is not all.
func Judge(n Need, b Budget) Verdict {
	switch {
	case n.Open && n.High <= b.Low:
		return Unknown
	case n.High <= b.Low:
		return Fits
	case n.Low <= b.Expected && n.High/widest > n.Low:
		return Unknown
	case n.Peak <= b.Expected:
		return Tight
	}
	return Exceeds
}

// Reserved returns the bytes that nvidia-smi shows for a process with the given peak in its pool:
// the context, and the whole pool or, if memory grows, the regions allocated so far.
func Reserved(peak int64, d Device, p Process) int64 {
	pool := Split(d, p).Pool
	if p.Growth {
		pool = min(grown(peak), pool)
	}
	return context(d) + pool
}

// grown returns the smallest sum of regions of 2, 4, 8 … MiB that holds the bytes. Each region is
// twice the one before (tensorflow/core/common_runtime/bfc_allocator.cc, Extend).
func grown(bytes int64) int64 {
	var sum int64
	for region := int64(2 * mib); sum < bytes && region > 0; region *= 2 {
		sum += region
	}
	return sum
}
