package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tfmem/tfmem/analyzer/project"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/cmd/tfmem/internal/report"
	"github.com/tfmem/tfmem/gpu"
)

func newGPU() *cobra.Command {
	var name, format string
	cmd := &cobra.Command{
		Use:   "gpu",
		Short: "Show the GPUs that estimates are made for",
		Long: `Show the GPUs that estimates are made for: those of this machine, or the one
that --gpu or the environment variable ` + gpu.Variable + ` names:

  auto, none                 the GPUs of this machine; no GPU
  "RTX 3090", "A100 80GB"    a GPU by its name or part of it
  24GiB, 24GB                a size: binary as nvidia-smi counts, or decimal
  gpu.json                   what "tfmem gpu --output-format json" printed elsewhere

What the settings of a project name is not looked at here.

Exit code: 0, also if there is no GPU; 2 if the name is no GPU's.`,
		Example: `  tfmem gpu                                  the GPUs of this machine
  tfmem gpu --gpu "A100-SXM4-40GB MIG 1g.5gb"
  tfmem gpu --output-format json > gpu.json  to name this machine's GPUs elsewhere`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := oneOf("--output-format", format, []string{"text", "json"}); err != nil {
				return err
			}
			r, err := chosenGPU(cmd.Context(), name)
			if err != nil {
				return err
			}
			if format == "json" {
				return report.WriteJSON(cmd.OutOrStdout(), r)
			}
			return writeGPUs(cmd.OutOrStdout(), r, name)
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.StringVar(&name, "gpu", "", "the `GPU` to show, whatever "+gpu.Variable+" says")
	f.StringVar(&format, "output-format", "text", "text or json")
	complete := func(flag string, values func() []string, files cobra.ShellCompDirective) {
		err := cmd.RegisterFlagCompletionFunc(flag, func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return values(), files
		})
		if err != nil {
			panic("completing a flag that gpu does not have: " + err.Error())
		}
	}
	// The catalogue is only read when needed, because every command runs this.
	complete("gpu", gpu.Names, cobra.ShellCompDirectiveDefault)
	complete("output-format", func() []string { return []string{"text", "json"} }, cobra.ShellCompDirectiveNoFileComp)
	return cmd
}

// chosenGPU returns the GPUs that --gpu names, else TFMEM_GPU, else this machine's.
func chosenGPU(ctx context.Context, flag string) (gpu.Result, error) {
	if flag == "" {
		r, err := gpu.Resolve(ctx, "auto", project.ReadFile)
		if err != nil {
			err = usageError{err}
		}
		return r, err
	}
	r, err := gpu.Find(ctx, flag, project.ReadFile)
	if err != nil {
		err = usagef("--gpu: %w", err)
	}
	return r, err
}

// origin says where the devices come from.
func origin(r gpu.Result, flag string) string {
	by := "--gpu"
	if flag == "" {
		by = gpu.Variable
	}
	switch r.Source {
	case gpu.NVML:
		return "According to the NVIDIA driver"
	case gpu.NvidiaSMI:
		return "According to nvidia-smi"
	case gpu.Catalogue:
		return "As " + by + " names it; the figures are from tfmem's catalogue"
	case gpu.File:
		return "According to the file that " + by + " names"
	}
	return "As " + by + " says"
}

func writeGPUs(w io.Writer, r gpu.Result, flag string) error {
	var b strings.Builder
	if len(r.Devices) == 0 {
		fmt.Fprintf(&b, "No GPU: %s.\n\n", r.Why)
		fmt.Fprintf(&b, "To name the GPU that the code will run on, set %s to its name or size:\n", gpu.Variable)
		fmt.Fprintf(&b, "  %[1]s=\"RTX 3090\" or %[1]s=24GiB\n", gpu.Variable)
		_, err := io.WriteString(w, source.PrintableLines(b.String()))
		return err
	}
	for _, d := range r.Devices {
		if r.Source == gpu.Catalogue || r.Source == gpu.Setting {
			fmt.Fprintf(&b, "GPU: %s\n", d.Name)
		} else {
			fmt.Fprintf(&b, "GPU %d: %s\n", d.Index, d.Name)
		}
		writeDevice(&b, d)
	}
	fmt.Fprintf(&b, "\n%s.\n", origin(r, flag))
	if r.Why != "" {
		fmt.Fprintf(&b, "Not all was found out: %s.\n", r.Why)
	}
	_, err := io.WriteString(w, source.PrintableLines(b.String()))
	return err
}

// writeDevice prints what is known of a device, under its name.
func writeDevice(b *strings.Builder, d gpu.Device) {
	fmt.Fprintf(b, "  memory              %s", gpu.FormatBytes(d.TotalBytes))
	if d.FreeBytes != nil {
		fmt.Fprintf(b, ", %s of it free", gpu.FormatBytes(*d.FreeBytes))
	}
	b.WriteString("\n")
	if c := d.ComputeCapability; c.Known() {
		fmt.Fprintf(b, "  compute capability  %v", c)
		if a := c.Architecture(); a != "" {
			fmt.Fprintf(b, " (%s)", a)
		}
		b.WriteString("\n")
	}
	for i, p := range d.Processes {
		label := ""
		if i == 0 {
			label = "processes"
		}
		fmt.Fprintf(b, "  %-18s  %d", label, p.PID)
		if p.UsedBytes != nil {
			fmt.Fprintf(b, " (%s)", gpu.FormatBytes(*p.UsedBytes))
		}
		b.WriteString("\n")
	}
}
