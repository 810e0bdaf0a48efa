package gpu

import (
	_ "embed"
	"encoding/csv"
	"fmt"
	"strconv"
	"strings"
	"sync"
)

var (
	//go:embed catalogue.csv
	catalogueCSV string
	//go:embed mig.csv
	migCSV string
)

// A model is a GPU that can be named.
type model struct {
	name       string
	totalBytes int64 // as NVML reports it; 0 if the memory is the host's, or not known
	capability ComputeCapability
	profile    string // in MIG mode: "1g.5gb"
	key        key
}

func (m model) device() Device {
	return Device{Name: m.name, TotalBytes: m.totalBytes, ComputeCapability: m.capability, MIG: m.profile}
}

// Names returns the catalogue's names, each once: GPUs, then instances of GPUs in MIG mode. Parse
// accepts each, except those with unknown memory.
func Names() []string {
	var names []string
	for _, m := range catalogue() {
		if len(names) == 0 || names[len(names)-1] != m.name {
			names = append(names, m.name)
		}
	}
	return names
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

// catalogue combines the two tables: whole GPUs in the order of the first, then an instance of
// each GPU with each profile.
var catalogue = sync.OnceValue(func() []model {
	models, err := readCatalogue(catalogueCSV, migCSV)
	if err != nil {
		panic("gpu: in the embedded catalogue: " + err.Error())
	}
	return models
})

func readCatalogue(whole, instances string) ([]model, error) {
	var models []model
	first := map[string]model{}
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
			first[m.name] = m
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
			g, ok := first[name]
			if !ok {
				return fmt.Errorf("%s is not in the catalogue", name)
			}
			full := name + " MIG " + row[1]
			models = append(models, model{
				name: full, totalBytes: mib << 20, capability: g.capability, profile: row[1], key: g.key,
			})
		}
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
