package gpu

import (
	_ "embed"
	"encoding/csv"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
)

var (
	//go:embed catalogue.csv
	catalogueCSV string
	//go:embed mig.csv
	migCSV string
	//go:embed nicknames.csv
	nicknamesCSV string
)

// A model is a GPU that can be named.
type model struct {
	name       string
	totalBytes int64 // as NVML reports it; 0 if the memory is the host's, or not known
	capability ComputeCapability
	profile    string // in MIG mode: "1g.5gb"
	key        key
	nicknames  []string // "colab t4", in small letters
}

func (m model) device() Device {
	return Device{Name: m.name, TotalBytes: m.totalBytes, ComputeCapability: m.capability, MIG: m.profile}
}

// Names returns all that Known has, each once: names, then nicknames. Parse accepts each, except
// GPUs with unknown memory.
func Names() []string {
	var names, nicknames []string
	for _, k := range Known() {
		if len(names) == 0 || names[len(names)-1] != k.Name {
			names = append(names, k.Name)
		}
		nicknames = append(nicknames, k.Nicknames...)
	}
	slices.Sort(nicknames)
	return append(names, nicknames...)
}

// A KnownGPU is a row of the catalogue.
type KnownGPU struct {
	Name              string            `json:"name"`
	TotalBytes        int64             `json:"total_bytes"` // 0 if it shares its host's memory, or is not known
	ComputeCapability ComputeCapability `json:"compute_capability"`
	MIG               string            `json:"mig_profile"`
	Nicknames         []string          `json:"nicknames"`
}

// Known lists the catalogue: GPUs, oldest first within a series, then instances of GPUs in MIG
// mode. Cards of one name that differ in memory stand one after the other, the usual one first.
func Known() []KnownGPU {
	var all []KnownGPU
	for _, m := range catalogue() {
		all = append(all, KnownGPU{m.name, m.totalBytes, m.capability, m.profile, append([]string{}, m.nicknames...)})
	}
	return all
}

// capabilityOf returns the compute capability of the GPU with a name from the driver. Before 470
// that was "GeForce GTX 1070", without the maker.
func capabilityOf(name string) ComputeCapability {
	for _, m := range catalogue() {
		if m.name == name || m.name == "NVIDIA "+name {
			return m.capability
		}
	}
	return ComputeCapability{}
}

// catalogue combines the tables: whole GPUs in the order of the first, then an instance of each
// GPU with each profile.
var catalogue = sync.OnceValue(func() []model {
	models, err := readCatalogue(catalogueCSV, migCSV, nicknamesCSV)
	if err != nil {
		panic("gpu: in the embedded catalogue: " + err.Error())
	}
	return models
})

func readCatalogue(whole, instances, nicknames string) ([]model, error) {
	var models []model
	first := map[string]int{} // a name's first index
	err := table(whole, "name,total_mib,compute_capability,known_from", func(row []string) error {
		mib, err := strconv.ParseInt(row[1], 10, 64)
		if err != nil {
			return err
		}
		capability, err := parseCapability(row[2])
		if err != nil {
			return err
		}
		m := model{name: row[0], totalBytes: mib << 20, capability: capability, key: keyOf(row[0])}
		if _, ok := first[m.name]; !ok {
			first[m.name] = len(models)
		}
		models = append(models, m)
		return nil
	})
	if err != nil {
		return nil, err
	}
	err = table(instances, "gpus,profile,memory_gib,known_from", func(row []string) error {
		var mib int64
		if row[2] != "" {
			gib, err := strconv.ParseFloat(row[2], 64)
			if err != nil {
				return err
			}
			mib = int64(gib * 1024) // rounded down, so that nothing is wrongly said to fit
		}
		for _, name := range strings.Split(row[0], "|") {
			i, ok := first[name]
			if !ok {
				return fmt.Errorf("%s is not in the catalogue", name)
			}
			g := models[i]
			full := name + " MIG " + row[1]
			models = append(models, model{
				name: full, totalBytes: mib << 20, capability: g.capability, profile: row[1], key: g.key,
			})
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	taken := map[string]bool{}
	err = table(nicknames, "nickname,gpu,known_from", func(row []string) error {
		i, ok := first[row[1]]
		switch {
		case !ok:
			return fmt.Errorf("%s is not in the catalogue", row[1])
		case row[0] != nickname(row[0]) || taken[row[0]]:
			return fmt.Errorf("%q is not a nickname, or is one twice", row[0])
		}
		taken[row[0]] = true
		models[i].nicknames = append(models[i].nicknames, row[0])
		return nil
	})
	return models, err
}

// table calls f for each row below the expected header.
func table(text, header string, f func(row []string) error) error {
	r := csv.NewReader(strings.NewReader(text))
	r.Comment = '#'
	rows, err := r.ReadAll()
	if err != nil {
		return err
	}
	if len(rows) == 0 || strings.Join(rows[0], ",") != header {
		return fmt.Errorf("there is no header %s", header)
	}
	for _, row := range rows[1:] {
		if err := f(row); err != nil {
			return fmt.Errorf("%s: %w", strings.Join(row, ","), err)
		}
	}
	return nil
}
