//go:build linux && cgo && !musl

// Package nvml lists the GPUs that the NVIDIA driver's library, NVML, sees.
//
// Only the program tfmem-nvml may use it, because the library can end or hang the process that
// loads it: a missing symbol aborts, and so does any call after a failed Init. Every call here
// follows a successful Init, and calls that old drivers lack are looked up first. The package
// changes no setting of a GPU. Of tfmem it imports package gpu.
//
// If go-nvml does not compile (without cgo, on systems other than Linux, and on musl, marked by
// the build tag "musl"), a stub says so.
package nvml

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/NVIDIA/go-nvml/pkg/nvml"

	"github.com/tfmem/tfmem/gpu"
)

// places are the paths of the library that the loader does not search.
var places = []string{
	"/usr/lib/wsl/lib/libnvidia-ml.so.1",        // Windows' subsystem for Linux
	"/usr/local/nvidia/lib64/libnvidia-ml.so.1", // Google's Kubernetes
	"/run/opengl-driver/lib/libnvidia-ml.so.1",  // NixOS
}

// Ask lists the GPUs, and in place of a GPU in MIG mode its instances. The answer's error says
// what is missing, for people; it may come with devices. Ask may wait for the driver without end.
func Ask() gpu.Answer {
	lib := nvml.New()
	ret := lib.Init()
	for _, path := range places {
		if ret != nvml.ERROR_LIBRARY_NOT_FOUND {
			break
		}
		if _, err := os.Stat(path); err == nil {
			lib = nvml.New(nvml.WithLibraryPath(path))
			ret = lib.Init()
		}
	}
	if ret != nvml.SUCCESS {
		return gpu.Answer{Devices: []gpu.Device{}, Error: reason(ret)}
	}
	defer lib.Shutdown()
	found, err := devices(lib)
	answer := gpu.Answer{Devices: found, Driver: driver(lib)}
	if found == nil {
		answer.Devices = []gpu.Device{}
	}
	if err != nil {
		answer.Error = err.Error()
	}
	return answer
}

// lookUp reports whether the driver's library has a symbol.
func lookUp(lib nvml.Interface) func(symbol string) bool {
	return func(symbol string) bool { return lib.Extensions().LookupSymbol(symbol) == nil }
}

// driver returns the versions of an initialised library's driver.
func driver(lib nvml.Interface) (d gpu.Driver) {
	has := lookUp(lib)
	if has("nvmlSystemGetDriverVersion") {
		if version, ret := lib.SystemGetDriverVersion(); ret == nvml.SUCCESS {
			d.Version = version
		}
	}
	if has("nvmlSystemGetCudaDriverVersion") {
		// 12020 is 12.2 (NVML_CUDA_DRIVER_VERSION_MAJOR in nvml.h).
		if version, ret := lib.SystemGetCudaDriverVersion(); ret == nvml.SUCCESS {
			d.CUDA = fmt.Sprintf("%d.%d", version/1000, version%1000/10)
		}
	}
	return d
}

// devices lists the GPUs of an initialised library.
func devices(lib nvml.Interface) ([]gpu.Device, error) {
	count, ret := lib.DeviceGetCount()
	if ret != nvml.SUCCESS {
		return nil, fmt.Errorf("the NVIDIA driver does not count its GPUs: %s", reason(ret))
	}
	found := []gpu.Device{}
	var missing []string
	has := lookUp(lib)
	for i := range count {
		some, err := physical(lib, has, i)
		found = append(found, some...)
		if err != nil {
			missing = append(missing, err.Error())
		}
	}
	if len(missing) > 0 {
		return found, errors.New(strings.Join(missing, "; "))
	}
	return found, nil
}

// physical returns the GPU with an index, or its instances.
func physical(lib nvml.Interface, has func(string) bool, index int) ([]gpu.Device, error) {
	handle, ret := lib.DeviceGetHandleByIndex(index)
	if ret != nvml.SUCCESS {
		return nil, fmt.Errorf("GPU %d: %s", index, reason(ret))
	}
	whole := gpu.Device{Index: index}
	if has("nvmlDeviceGetCudaComputeCapability") {
		if major, minor, ret := handle.GetCudaComputeCapability(); ret == nvml.SUCCESS {
			whole.ComputeCapability = gpu.ComputeCapability{Major: major, Minor: minor}
		}
	}
	if has("nvmlDeviceGetMigMode") {
		if mode, _, ret := handle.GetMigMode(); ret == nvml.SUCCESS && mode == nvml.DEVICE_MIG_ENABLE {
			return instances(lib, handle, has, whole)
		}
	}
	d, err := describe(lib, handle, has, whole)
	if err != nil {
		return nil, err
	}
	return []gpu.Device{d}, nil
}

// instances returns the instances of a GPU in MIG mode. CUDA programs see the GPU only through
// them. The driver answers few queries about an instance.
func instances(lib nvml.Interface, handle nvml.Device, has func(string) bool, whole gpu.Device) ([]gpu.Device, error) {
	if !has("nvmlDeviceGetMaxMigDeviceCount") || !has("nvmlDeviceGetMigDeviceHandleByIndex") {
		return nil, fmt.Errorf("GPU %d is in MIG mode, and the driver does not list its instances", whole.Index)
	}
	slots, ret := handle.GetMaxMigDeviceCount()
	if ret != nvml.SUCCESS {
		return nil, fmt.Errorf("GPU %d is in MIG mode, and the driver does not count its instances: %s", whole.Index, reason(ret))
	}
	var found []gpu.Device
	var missing []string
	for slot := range slots {
		instance, ret := handle.GetMigDeviceHandleByIndex(slot)
		if ret == nvml.ERROR_NOT_FOUND {
			continue // no instance was created there
		}
		if ret != nvml.SUCCESS {
			missing = append(missing, fmt.Sprintf("GPU %d, MIG instance %d: %s", whole.Index, slot, reason(ret)))
			continue
		}
		d, err := describe(lib, instance, has, whole)
		if err != nil {
			missing = append(missing, fmt.Sprintf("MIG instance %d of %v", slot, err))
			continue
		}
		_, d.MIG, _ = strings.Cut(d.Name, " MIG ")
		found = append(found, d)
	}
	switch {
	case len(missing) > 0:
		return found, errors.New(strings.Join(missing, "; "))
	case len(found) == 0:
		return nil, fmt.Errorf("GPU %d is in MIG mode and has no instances", whole.Index)
	}
	return found, nil
}

// describe fills in what the driver reports about a GPU or instance. It refuses one without a
// name or a total.
func describe(lib nvml.Interface, handle nvml.Device, has func(string) bool, d gpu.Device) (gpu.Device, error) {
	name, ret := handle.GetName()
	if ret != nvml.SUCCESS {
		return d, fmt.Errorf("GPU %d: the driver does not tell its name: %s", d.Index, reason(ret))
	}
	d.Name = name
	memory, ret := handle.GetMemoryInfo()
	if ret != nvml.SUCCESS {
		return d, fmt.Errorf("GPU %d (%s): the driver does not tell its memory: %s", d.Index, name, reason(ret))
	}
	if memory.Total == 0 {
		return d, fmt.Errorf("GPU %d (%s) has no memory of its own according to the driver", d.Index, name)
	}
	d.TotalBytes = int64(memory.Total)
	if free := int64(memory.Free); free > 0 || memory.Used > 0 {
		d.FreeBytes = &free
	}
	if uuid, ret := handle.GetUUID(); ret == nvml.SUCCESS {
		d.UUID = uuid
	}
	if has("nvmlDeviceGetMemoryInfo_v2") {
		if memory, ret := handle.GetMemoryInfo_v2(); ret == nvml.SUCCESS {
			reserved := int64(memory.Reserved)
			d.ReservedBytes = &reserved
		}
	}
	if has("nvmlDeviceGetDisplayActive") {
		if active, ret := handle.GetDisplayActive(); ret == nvml.SUCCESS {
			display := active == nvml.FEATURE_ENABLED
			d.Display = &display
		}
	}
	d.Processes = processes(lib, handle, has)
	return d, nil
}

// processes returns the processes with a CUDA context; nil if the driver does not report them.
func processes(lib nvml.Interface, handle nvml.Device, has func(string) bool) []gpu.Process {
	const symbol = "nvmlDeviceGetComputeRunningProcesses"
	if !has(symbol+"_v3") && !has(symbol+"_v2") && !has(symbol) {
		return nil
	}
	infos, ret := handle.GetComputeRunningProcesses()
	if ret != nvml.SUCCESS {
		return nil
	}
	all := []gpu.Process{}
	for _, info := range infos {
		p := gpu.Process{PID: int(info.Pid)}
		// NVML_VALUE_NOT_AVAILABLE is -1 in the type of the value.
		if used := int64(info.UsedGpuMemory); used != nvml.VALUE_NOT_AVAILABLE {
			p.UsedBytes = &used
		}
		if has("nvmlSystemGetProcessName") {
			if name, ret := lib.SystemGetProcessName(p.PID); ret == nvml.SUCCESS {
				p.Name = strings.ToValidUTF8(name, "\uFFFD") // it goes through JSON
			}
		}
		all = append(all, p)
	}
	return all
}

// reason describes a return code. go-nvml's own description is a call into the library, which may
// not be there.
func reason(ret nvml.Return) string {
	switch ret {
	case nvml.ERROR_LIBRARY_NOT_FOUND:
		return gpu.NoLibrary
	case nvml.ERROR_DRIVER_NOT_LOADED:
		return "the NVIDIA driver is not loaded"
	case nvml.ERROR_LIB_RM_VERSION_MISMATCH:
		return "the NVIDIA driver and its library have different versions, as after an update without a restart"
	case nvml.ERROR_NO_PERMISSION:
		return "permission to ask the NVIDIA driver is denied"
	case nvml.ERROR_GPU_IS_LOST:
		return "it has fallen off the bus"
	case nvml.ERROR_NOT_SUPPORTED:
		return "that is not supported on it"
	}
	return fmt.Sprintf("NVML error %d", int32(ret))
}
