// What the server says of GPUs, in few words. Knows nothing of VS Code, so that
// its test needs none.

/** What tfmem/gpu returns, and tfmem/status has under "gpu". */
export interface Status {
	gpus: { name: string; totalBytes: number; freeBytes: number | null; origin: string }[];
	/** Where the answer comes from: "TFMEM_GPU" for the environment, which goes before settings. */
	source?: string;
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

/** A row of the catalogue, as `tfmem gpu --list --output-format json` prints it. */
export interface KnownGpu {
	name: string;
	/** 0 where the host's memory is used, or where it is not known. */
	total_bytes: number;
	nicknames: string[];
}

/** A GPU that the user may choose: what the setting tfmem.gpu is then, and what is shown of it. */
export interface Choice {
	section: 'This Machine' | 'Recent' | 'Catalogue';
	label: string;
	description: string;
	value: string;
}

/** The GPUs to choose from: those of the machine, those chosen of late, and the others with a name. */
export function choices(found: Status | undefined, recent: readonly string[], known: readonly KnownGpu[]): Choice[] {
	const words = found && inWords(found);
	const named = new Set(known.filter(({ nicknames }) => nicknames.length > 0).map(({ name }) => name));
	const sizes = new Map<string, number>();
	const catalogue = known.map(({ name, total_bytes, nicknames }): Choice => {
		// Of cards that differ in memory alone, the name means the first.
		const size = total_bytes ? `${Math.round(total_bytes / 2 ** 30)} GiB` : '';
		const value = sizes.has(name) && sizes.get(name) !== total_bytes ? `${name} ${size}` : name;
		sizes.set(name, sizes.get(name) ?? total_bytes);
		return { section: 'Catalogue', label: value, description: [size, ...nicknames].filter(word => word).join(' · '), value };
	});
	return [
		{ section: 'This Machine', label: words ? `auto: ${words.text}` : 'auto', description: words?.detail ?? '', value: 'auto' },
		{ section: 'This Machine', label: 'none', description: 'say what models need, and compare with no GPU', value: 'none' },
		...recent.map((value): Choice => ({ section: 'Recent', label: value, description: catalogue.find(c => c.value === value)?.description ?? '', value })),
		// Those that people call by other names, too, are those of clouds.
		...catalogue.filter(({ value }) => !recent.includes(value)).sort((a, b) => Number(named.has(b.value)) - Number(named.has(a.value))),
	];
}

const mostRecent = 5;

/** What was chosen of late, the last first, once a GPU is chosen. */
export function chosen(recent: readonly string[], value: string): string[] {
	return value === 'auto' || value === 'none' ? [...recent] : [value, ...recent.filter(one => one !== value)].slice(0, mostRecent);
}
