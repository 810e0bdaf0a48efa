// What a cell of a notebook printed before it failed, as the notebook's file has it. Knows nothing of
// VS Code, so that its test needs none.

/** An output of a cell: of each, VS Code has several forms. */
export interface Output {
	items: readonly { mime: string; data: Uint8Array }[];
}

/** How much of the start and of the end of a text is sent; of a log, these tell. */
const ends = 1 << 15;

const error = 'application/vnd.code.notebook.error';
const streams: Record<string, string> = {
	'application/vnd.code.notebook.stdout': 'stdout',
	'application/vnd.code.notebook.stderr': 'stderr',
};

/** The texts of a cell that failed, in the format of a notebook's file; none of another cell, since those change as it runs. */
export function failure(outputs: readonly Output[]): object[] {
	const items = outputs.flatMap(output => output.items);
	if (!items.some(({ mime }) => mime === error)) {
		return [];
	}
	return items.flatMap(({ mime, data }): object[] => {
		const text = new TextDecoder().decode(data);
		if (mime === error) {
			const { name, message, stack } = parsed(text);
			return [{ output_type: 'error', ename: name || 'Error', evalue: message ?? '', traceback: [shortened(stack ?? '')] }];
		}
		return mime in streams ? [{ output_type: 'stream', name: streams[mime], text: shortened(text) }] : [];
	});
}

function parsed(text: string): { name?: string; message?: string; stack?: string } {
	try {
		return JSON.parse(text);
	} catch {
		return {};
	}
}

function shortened(text: string): string {
	return text.length > 2 * ends ? `${text.slice(0, ends)}\n${text.slice(-ends)}` : text;
}
