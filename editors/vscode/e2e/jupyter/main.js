// Stands for the Jupyter extension: the part of its API that gives a notebook's kernel. This one has not
// run anything, and answers any code with what a real kernel prints of living.ipynb.

const said = 'tfmem:' + JSON.stringify({ event: null, events: [], frames: [], modules: [{ file: '', names: { classes: { kind: 'number', value: 7 } } }] });

exports.activate = () => ({
	kernels: {
		getKernel: async uri => uri.path.endsWith('/living.ipynb') ? {
			async *executeCode(code) {
				if (!code.includes(`__import__('tfmem.kernel').kernel.told(`) || !code.includes('os.path.isfile(sys.executable)')) {
					throw new Error(`the kernel is asked for something else: ${code}`);
				}
				yield { items: [{ mime: 'application/vnd.code.notebook.stdout', data: new TextEncoder().encode(`${said}\n`) }] };
			},
		} : undefined,
	},
});
