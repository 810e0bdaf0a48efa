// What lives in the kernel of a notebook. It is asked only for notebooks of which somebody said so.
import { NotebookActions, type NotebookPanel } from '@jupyterlab/notebook';
import type { Kernel } from '@jupyterlab/services';
import type { Document } from './document';

const BEGIN = 'tfmem:';

/** Has the kernel say what the names of the cells' code are there, as the language server reads it. cells are texts, and whether the last run of each failed. */
async function told(kernel: Kernel.IKernelConnection, cells: [string, boolean][]): Promise<string> {
	// A JSON text in quotes is a text of Python, too.
	const texts = JSON.stringify(JSON.stringify(cells));
	const code = `print('${BEGIN}' + __import__('tfmem.kernel').kernel.told(__import__('json').loads(${texts})))`;
	const future = kernel.requestExecute({ code, silent: true, store_history: false, allow_stdin: false, stop_on_error: false });
	let said = '', why = '';
	future.onIOPub = ({ header, content }) => {
		if (header.msg_type === 'stream') {
			said += (content as { text: string }).text;
		} else if (header.msg_type === 'error') {
			const { ename, evalue } = content as { ename: string; evalue: string };
			why = ename === 'ModuleNotFoundError' ? 'the Python of the kernel has no tfmem. Install it there, too.' : `the kernel does not say what it has: ${ename}: ${evalue}`;
		}
	};
	await future.done;
	const line = said.split('\n').find(line => line.startsWith(BEGIN));
	if (!line) {
		throw new Error(why || 'the kernel does not say what it has');
	}
	return line.slice(BEGIN.length);
}

/** Lets the kernel of a notebook say what it has, after each cell that runs, until it is told to stop. */
export class Asking {
	constructor(private readonly panel: NotebookPanel, private readonly document: Document, private readonly complain: (why: string) => void) {
		NotebookActions.executed.connect(this.executed, this);
		panel.sessionContext.statusChanged.connect(this.changed, this);
		void this.ask();
	}

	stop() {
		NotebookActions.executed.disconnect(this.executed, this);
		this.panel.sessionContext.statusChanged.disconnect(this.changed, this);
		this.document.rest(undefined);
	}

	private executed(_: unknown, { notebook }: { notebook: NotebookPanel['content'] }) {
		if (notebook === this.panel.content) {
			void this.ask();
		}
	}

	private changed(_: unknown, status: Kernel.Status) {
		if (status === 'restarting' || status === 'autorestarting' || status === 'terminating' || status === 'dead') {
			this.document.rest(undefined);
		}
	}

	private async ask() {
		const kernel = this.panel.sessionContext.session?.kernel;
		if (!kernel) {
			this.complain('this notebook has no kernel that runs');
			return;
		}
		try {
			this.document.rest(await told(kernel, this.document.code()));
		} catch (error) {
			this.complain(String((error as Error).message));
		}
	}
}
