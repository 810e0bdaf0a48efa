// What a notebook's kernel is asked, and what it says. Knows nothing of VS Code, so that its test needs
// none.

/** An output of code that ran: of each, there may be several forms. */
export interface Output {
	items: readonly { mime: string; data: Uint8Array }[];
}

const begin = 'tfmem:';
const stdout = 'application/vnd.code.notebook.stdout', error = 'application/vnd.code.notebook.error';

/** The code that has a kernel say what the names of a notebook's code are there. cells are texts, and whether the last run of each failed. */
export function question(cells: readonly (readonly [string, boolean])[]): string {
	// A JSON text in quotes is a text of Python, too.
	return `print('${begin}' + __import__('tfmem.kernel').kernel.told(__import__('json').loads(${JSON.stringify(JSON.stringify(cells))})))`;
}

/** What the kernel said, for the language server; an error says why it did not. */
export function answer(outputs: readonly Output[]): string {
	const items = outputs.flatMap(output => output.items).map(({ mime, data }) => ({ mime, text: new TextDecoder().decode(data) }));
	const said = items.filter(({ mime }) => mime === stdout).map(({ text }) => text).join('');
	const line = said.split('\n').find(line => line.startsWith(begin));
	if (line) {
		return line.slice(begin.length);
	}
	const failed = items.find(({ mime }) => mime === error)?.text ?? '';
	if (failed.includes('ModuleNotFoundError')) {
		throw new Error('The Python of the kernel has no tfmem. Install it there, too.');
	}
	throw new Error(`The kernel does not say what it has${failed && `: ${failed}`}`);
}
