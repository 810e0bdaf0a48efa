package measure

import (
	"encoding/json"
	"sort"
	"strconv"
	"strings"

	"github.com/tfmem/tfmem/cmd/tfmem/internal/program"
)

const mostPeaks = 1 << 16 // bytes of a process's file

// peaks returns the peaks that the Python processes of a program told, in the order of their PIDs.
func peaks(h *program.Hook) []Peak {
	var all []Peak
	for _, file := range h.Told() {
		pid, err := strconv.Atoi(strings.TrimSuffix(file, ".json"))
		if err != nil {
			continue
		}
		text, err := h.Read(file, mostPeaks)
		of := map[string]int64{}
		if err != nil || json.Unmarshal(text, &of) != nil {
			continue // a process that was killed while it wrote
		}
		for device, bytes := range of {
			if bytes >= 0 {
				all = append(all, Peak{pid, strings.TrimPrefix(device, "/"), bytes})
			}
		}
	}
	sort.Slice(all, func(i, j int) bool {
		return all[i].PID < all[j].PID || all[i].PID == all[j].PID && all[i].Device < all[j].Device
	})
	return all
}
