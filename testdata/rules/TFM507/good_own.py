# A compile of the program's own.
import keras


class Program:
    def compile(self, run_eagerly):
        return run_eagerly


Program().compile(run_eagerly=True)
other.configure(run_eagerly=True)
program = Program()
program.run_eagerly = True
