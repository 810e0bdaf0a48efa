// What the server says of GPUs, in few words. Knows nothing of VS Code, so that
// its test needs none.

/** What tfmem/gpu returns, and tfmem/status has under "gpu". */
export interface Status {
	gpus: { name: string; totalBytes: number; freeBytes: number | null; origin: string }[];
	/** There are none, or not all; empty otherwise. */
	why: string;
	/** A whole sentence. */
	summary: string;
}

export interface Words {
	text: string;
	detail: string;
}

/** Which GPUs there are in a word, and from where in some more. */
export function inWords({ gpus, why }: Status): Words {
	if (gpus.length === 0) {
		// A status item is one line, which the edge of the window cuts off.
		return { text: 'No GPU known', detail: why.length > 60 ? `${why.slice(0, 59)}…` : why };
	}
	const [first] = gpus;
	const alike = gpus.filter(g => g.name === first.name && g.totalBytes === first.totalBytes).length;
	let text = `${first.name} · ${inGiB(first.totalBytes)} GiB`;
	if (alike > 1) {
		text = `${alike} × ${text}`;
	}
	if (alike < gpus.length) {
		text += ` and ${gpus.length - alike} more`;
	}
	const detail = first.freeBytes === null ? first.origin : `${inGiB(first.freeBytes)} GiB free, ${first.origin}`;
	return { text, detail: why ? `${detail}; ${why}` : detail };
}

function inGiB(bytes: number): string {
	return (bytes / 2 ** 30).toFixed(1).replace(/\.0$/, '');
}
