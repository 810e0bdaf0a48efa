package gpu

import (
	"fmt"
	"strconv"
	"strings"
)

// visibleVariable is the variable that hides GPUs from the CUDA programs of a shell; see
// https://docs.nvidia.com/cuda/cuda-c-programming-guide, "CUDA Environment Variables".
const visibleVariable = "CUDA_VISIBLE_DEVICES"

// hide marks the devices that CUDA_VISIBLE_DEVICES keeps from programs. getenv is os.LookupEnv.
// If the variable cannot be understood it marks none, and says why.
func hide(devices []Device, getenv func(string) (string, bool)) (why string) {
	value, ok := getenv(visibleVariable)
	if !ok {
		return ""
	}
	shown := map[int]bool{}
	for _, token := range strings.Split(value, ",") {
		i, err := visible(devices, strings.TrimSpace(token), getenv)
		if err != nil {
			return fmt.Sprintf("%s=%.40q is left out of account: %v", visibleVariable, value, err)
		}
		if i < 0 {
			break // CUDA shows only what stands before a name that it does not know
		}
		if shown[i] {
			clear(shown) // CUDA shows none if one is named twice
			break
		}
		shown[i] = true
		if devices[i].MIG != "" {
			break // CUDA shows one instance at most
		}
	}
	for i := range devices {
		devices[i].Hidden = !shown[i]
	}
	return ""
}

// visible returns the position of the device that a part of CUDA_VISIBLE_DEVICES names, or -1 if
// it names none.
func visible(devices []Device, token string, getenv func(string) (string, bool)) (int, error) {
	if n, err := strconv.Atoi(token); err == nil {
		return ordinal(devices, n, getenv)
	}
	found := -1
	for i, d := range devices {
		if token == "" || d.UUID == "" || !strings.HasPrefix(d.UUID, token) {
			continue
		}
		if found >= 0 {
			return -1, nil // CUDA wants a unique beginning
		}
		found = i
	}
	return found, nil
}

// ordinal returns the position of CUDA's device n. CUDA counts the fastest first, and does not say
// which that is, unless CUDA_DEVICE_ORDER is PCI_BUS_ID.
func ordinal(devices []Device, n int, getenv func(string) (string, bool)) (int, error) {
	if n < 0 {
		return -1, nil
	}
	order, _ := getenv("CUDA_DEVICE_ORDER")
	for _, d := range devices {
		if d.MIG != "" {
			return 0, fmt.Errorf("there are MIG instances, which it must name by UUID")
		}
		if d.Name != devices[0].Name && order != "PCI_BUS_ID" {
			return 0, fmt.Errorf("the GPUs differ, and CUDA numbers them by speed; CUDA_DEVICE_ORDER=PCI_BUS_ID numbers them as nvidia-smi does")
		}
	}
	for i, d := range devices {
		if d.Index == n {
			return i, nil
		}
	}
	return -1, nil
}
