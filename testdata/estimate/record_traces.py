"""Records the traced graphs of steps whose peaks are recorded: what tfmem probe writes of them.

    python record_traces.py --out traces

It takes every eighth program of peaks.csv and loops.csv that a function compiles, under Keras 3, and
every second of those under tf_keras, each on its own batch; named ones if there are any. A program runs
as for its record, until its step is traced. Programs in traces/cases are in no table: they are of kinds
that the text does not say, and their peak is recorded here, as record.py does, beside the graph. What is written goes through editors/python/tfmem/trace.py
alone. It needs what record.py needs.
"""

import argparse
import gc
import gzip
import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../../editors/python/tfmem"))

import record
import record_loops
import trace as traces  # of the probe

EVERY, LEGACY_EVERY = 8, 2


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="*")
    parser.add_argument("--out", help="the folder that the graphs go to")
    parser.add_argument("--in-process", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if not arguments.in_process and not arguments.out:
        parser.error("--out is missing")
    if arguments.in_process:
        record.write_json(arguments.in_process, record_trace(arguments.programs[0]))
        return 0
    for program, legacy in [(p, l) for p in arguments.programs for l in (False, True)] or chosen():
        out = os.path.join(arguments.out, f"{record.name_of(program)}-{'tf_keras' if legacy else 'keras3'}.json.gz")
        if os.path.exists(out):
            continue
        done, why = record.run_self(program, False, legacy, os.path.abspath(__file__))
        print("failed" if done is None else "recorded", program, why[-1500:], flush=True)
        if done is not None:
            with open(out, "wb") as file:
                file.write(gzip.compress((json.dumps(done, sort_keys=True) + "\n").encode(), 9, mtime=0))
    return 0


def chosen():
    """The programs that are recorded, whatever their prices are."""
    there = {row["program"] for table in ("peaks.csv", "loops.csv") for row in record.read_table(os.path.join(HERE, table)) if not row["note"]}
    paths = {}
    for folder in ("cases", "styles/cases", "loops/cases"):
        for name in os.listdir(os.path.join(HERE, folder)):
            if record.name_of(name) in there and "eager" not in name:
                paths[record.name_of(name)] = os.path.join(HERE, folder, name)
    programs = [paths[name] for name in sorted(paths)][::EVERY]
    for i, program in enumerate(programs):
        yield program, False
        if i % LEGACY_EVERY == 0:
            yield program, True


class Traced(BaseException):
    """Ends a program once its step is traced."""


def record_trace(path):
    tf = record.prepared()
    found = {}
    alone = os.sep + os.path.join("traces", "cases") + os.sep in os.path.abspath(path)

    def of(graph, batch):
        found.update(traces.of_graph(graph), keras=record.versions()["keras"], batch=batch)
        raise Traced

    def record_training(model, batch):
        model.jit_compile = False
        record.traced(model, batch)  # it makes the variables of the optimizer and the metrics
        graph, resident = record.traced(model, batch), sum(record.resident_bytes(model, batch).values())
        found.update(resident=resident)
        if alone:
            found.update(peak=resident + record.measure_inline(graph, batch, model.optimizer)["peak_without_scratch_bytes"])
        of(graph, record.rows_in(batch))

    def record_graph(tf, steps, function, arguments):
        record_loops.trace(tf, function, arguments)
        batch = [a for a in tf.nest.flatten(arguments) if record_loops.is_data(tf, a)]
        graph = record_loops.trace(tf, function, arguments)
        if alone:
            optimizers = [o for o in gc.get_objects() if isinstance(o, tf.keras.optimizers.Optimizer)]
            resident = sum(record.variable_bytes(v) for g in record_loops.grouped(tf, graph, optimizers).values() for v in g) + sum(record.tensor_bytes(t) for t in batch)
            found.update(resident=resident, peak=resident + record.measure_inline(graph, batch, optimizers[0])["peak_without_scratch_bytes"])
        of(graph, int(batch[0].shape[0]) if batch and batch[0].shape.rank else 1)

    record.record_training, record_loops.record_graph = record_training, record_graph
    if os.sep + "loops" + os.sep in os.path.abspath(path) or "@tf.function" in open(path, encoding="utf-8").read():
        steps = []
        record_loops.watch_fit(tf, steps)
        record_loops.watch_functions(tf, steps)
        ran = record.run_program
    else:
        ran = record.record_case
    try:
        ran(path)
    except Traced:
        pass
    if not found:
        raise SystemExit(f"{path} never trains in a function")
    gc.collect()
    return found


if __name__ == "__main__":
    sys.exit(main())
