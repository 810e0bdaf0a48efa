package main

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/analyzer/project"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/cmd/tfmem/internal/report"
	"github.com/tfmem/tfmem/gpu"
)

func newGPU() *cobra.Command {
	var name, format string
	var list bool
	cmd := &cobra.Command{
		Use:   "gpu",
		Short: "Show the GPUs that estimates are made for",
		Long: `Show the GPUs that estimates are made for: those of this machine, or the one
that --gpu or the environment variable ` + gpu.Variable + ` names:

  auto, none                 the GPUs of this machine; no GPU
  "RTX 3090", "A100 80GB"    a GPU by its name or part of it
  colab, "kaggle p100"       a GPU by what people call it
  24GiB, 24GB                a size: binary as nvidia-smi counts, or decimal
  gpu.json                   what "tfmem gpu --output-format json" printed elsewhere

--list prints the names that are known, with what people call them.

A bar shows what other processes use, what the driver and TensorFlow's CUDA context
take, what TensorFlow leaves for libraries such as cuDNN, and what its allocator can
have. In parentheses is the range of that, where it is wide: what a screen takes of a
card differs, and so do versions. A model fits if it does at the low end. GPUs that CUDA_VISIBLE_DEVICES hides are shown as hidden; estimates leave them
out. What the settings of a project name is not looked at here.

Exit code: 0, also if there is no GPU; 2 if the name is no GPU's.`,
		Example: `  tfmem gpu                                  the GPUs of this machine
  tfmem gpu --gpu "A100-SXM4-40GB MIG 1g.5gb"
  tfmem gpu --list                           the names that are known
  tfmem gpu --output-format json > gpu.json  to name this machine's GPUs elsewhere`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := oneOf("--output-format", format, []string{"text", "json"}); err != nil {
				return err
			}
			switch {
			case list && name != "":
				return usagef("--list prints all GPUs that are known; --gpu shows one")
			case list && format == "json":
				return report.WriteJSON(cmd.OutOrStdout(), gpu.Known())
			case list:
				return listGPUs(cmd.OutOrStdout())
			}
			r, err := chosenGPU(cmd.Context(), name)
			if err != nil {
				return err
			}
			if format == "json" {
				return report.WriteJSON(cmd.OutOrStdout(), withShares(r))
			}
			return writeGPUs(cmd.OutOrStdout(), r, name)
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.StringVar(&name, "gpu", "", "the `GPU` to show, whatever "+gpu.Variable+" says")
	f.BoolVar(&list, "list", false, "print the GPUs that have names")
	f.StringVar(&format, "output-format", "text", "text or json")
	completeGPU(cmd)
	completeWith(cmd, "output-format", "text", "json")
	return cmd
}

// completeGPU has the shell complete --gpu with the names of GPUs, and files. The catalogue is read
// only when needed, because every command runs this.
func completeGPU(cmd *cobra.Command) {
	err := cmd.RegisterFlagCompletionFunc("gpu", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return append([]string{"auto", "none"}, gpu.Names()...), cobra.ShellCompDirectiveDefault
	})
	if err != nil {
		panic("completing --gpu: " + err.Error())
	}
}

// completeWith has the shell complete a flag with fixed values.
func completeWith(cmd *cobra.Command, flag string, values ...string) {
	if err := cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic("completing --" + flag + ": " + err.Error())
	}
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
		fmt.Fprintf(&b, "No GPU: %s.\n\n", strings.ReplaceAll(r.Why, "; ", ";\n  "))
		fmt.Fprintf(&b, "To name the GPU that the code will run on, set %s to its name or size:\n", gpu.Variable)
		fmt.Fprintf(&b, "  %[1]s=\"RTX 3090\" or %[1]s=24GiB; \"tfmem gpu --list\" lists the names\n", gpu.Variable)
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
	if v := r.Driver; v.Version != "" {
		fmt.Fprintf(&b, "Driver %s", v.Version)
		if v.CUDA != "" {
			fmt.Fprintf(&b, ", for CUDA up to %s", v.CUDA)
		}
		b.WriteString(".\n")
	}
	if r.Why != "" {
		fmt.Fprintf(&b, "Not all was found out: %s.\n", r.Why)
	}
	_, err := io.WriteString(w, source.PrintableLines(b.String()))
	return err
}

// shareBar is the width of a GPU's bar in columns.
const shareBar = 40

// writeDevice prints what is known of a device, under its name: a bar, and a line for each part of
// it.
func writeDevice(b *strings.Builder, d gpu.Device) {
	m := memoryDevice(d)
	alone, now := memory.Split(m, memory.Process{}), memory.SplitNow(m, memory.Process{})
	gets := alone.Budget().String()
	if now.Pool < alone.Pool {
		gets = now.Budget().String() + " now, " + gets + " alone"
	}
	parts := []struct {
		mark  string
		bytes int64
		name  string
		told  string
	}{
		{"█", now.Processes, "other processes", memory.Bytes(now.Processes)},
		{"▓", now.Context, "driver and CUDA", memory.Bytes(now.Context)},
		{"▒", now.Reserve, "for libraries", memory.Bytes(now.Reserve)},
		{"░", now.Pool, "TensorFlow gets", gets},
	}
	bar, columns := "", shareBar
	for i, p := range parts {
		width := columns // the last takes what is left
		if i < len(parts)-1 && p.bytes >= 0 {
			width = min(columns, int((p.bytes*shareBar+now.Total-1)/now.Total))
		}
		columns -= width
		bar += strings.Repeat(p.mark, width)
	}
	line := func(mark, name, text string) { fmt.Fprintf(b, "  %s %-18s  %s\n", mark, name, text) }
	fmt.Fprintf(b, "  %s  %s", bar, memory.Bytes(d.TotalBytes))
	if d.FreeBytes != nil {
		fmt.Fprintf(b, ", %s of it free", memory.Bytes(*d.FreeBytes))
	}
	b.WriteString("\n")
	for _, p := range parts {
		if p.bytes > 0 || p.name == "TensorFlow gets" {
			line(p.mark, p.name, p.told)
		}
	}
	if c := d.ComputeCapability; c.Known() {
		text := c.String()
		if a := c.Architecture(); a != "" {
			text += " (" + a + ")"
		}
		line(" ", "compute capability", text)
	}
	if d.MIG != "" {
		line(" ", "MIG instance", d.MIG)
	}
	if d.Display != nil && *d.Display {
		line(" ", "display", "it draws a screen, which takes some of its memory")
	}
	for i, p := range d.Processes {
		text := strconv.Itoa(p.PID)
		if p.UsedBytes != nil {
			text += " (" + memory.Bytes(*p.UsedBytes) + ")"
		}
		if p.Name != "" {
			text += " " + p.Name
		}
		line(" ", map[bool]string{true: "processes"}[i == 0], text)
	}
	if d.Hidden {
		line(" ", "hidden", "CUDA_VISIBLE_DEVICES keeps it from programs that start here")
	}
}

// gpuJSON is a result with the share that TensorFlow gets of each device.
type gpuJSON struct {
	Devices []gpuDeviceJSON `json:"devices"`
	Source  string          `json:"source"`
	Driver  gpu.Driver      `json:"driver"`
	Why     string          `json:"why"`
}

type gpuDeviceJSON struct {
	gpu.Device
	Alone memory.Share  `json:"share"`     // if no other process uses it
	Now   *memory.Share `json:"share_now"` // null if it is not known what is free
}

func withShares(r gpu.Result) gpuJSON {
	out := gpuJSON{[]gpuDeviceJSON{}, r.Source, r.Driver, r.Why}
	for _, d := range r.Devices {
		m := memoryDevice(d)
		one := gpuDeviceJSON{Device: d, Alone: memory.Split(m, memory.Process{})}
		if m.FreeKnown {
			now := memory.SplitNow(m, memory.Process{})
			one.Now = &now
		}
		out.Devices = append(out.Devices, one)
	}
	return out
}

// listGPUs prints the catalogue.
func listGPUs(w io.Writer) error {
	var b strings.Builder
	table := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "NAME\tMEMORY\tCOMPUTE CAPABILITY\tALSO")
	for _, k := range gpu.Known() {
		size := "the host's"
		switch {
		case k.TotalBytes > 0:
			size = memory.Bytes(k.TotalBytes)
		case k.MIG != "":
			size = "not known"
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\n", k.Name, size, k.ComputeCapability, strings.Join(k.Nicknames, ", "))
	}
	table.Flush()
	for line := range strings.Lines(b.String()) {
		if _, err := io.WriteString(w, strings.TrimRight(line, " \n")+"\n"); err != nil {
			return err
		}
	}
	return nil
}
