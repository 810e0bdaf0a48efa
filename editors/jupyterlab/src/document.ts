// A notebook or a file that is open: asks tfmem about it as it changes, and marks its cells.
import type { Action, Diagnostic } from '@codemirror/lint';
import type { IDocumentWidget } from '@jupyterlab/docregistry';
import type { FileEditor } from '@jupyterlab/fileeditor';
import type { INotebookModel } from '@jupyterlab/notebook';
import type { ISharedNotebook, ISharedText } from '@jupyter/ydoc';
import { Debouncer } from '@lumino/polling';
import { type ISignal, Signal } from '@lumino/signaling';
import { show } from './marks';
import { check, type Finding, type Fix, type Place, type Text } from './server';

/** How long nobody types before tfmem is asked, in milliseconds. */
const PAUSE = 500;

const SEVERITIES = { error: 'error', warning: 'warning', information: 'info', hint: 'hint' } as const;

/** What there is to be checked: a notebook's cells, or one text. */
interface Content {
	readonly language: string | undefined;
	/** The texts, in order. A place in cell n is in texts[n - 1]. */
	texts(): ISharedText[];
	/** What tfmem reads. */
	serialize(): string;
	/** Makes changes that one undo takes back. */
	transact(change: () => void): void;
}

export function notebook(model: INotebookModel): Content {
	const shared: ISharedNotebook = model.sharedModel;
	const metadata = () => {
		const { kernelspec, language_info } = shared.getMetadata() as { kernelspec?: { language?: string }; language_info?: { name?: string } };
		return { kernelspec, language_info };
	};
	return {
		get language() {
			const { kernelspec, language_info } = metadata();
			return language_info?.name ?? kernelspec?.language;
		},
		texts: () => [...shared.cells],
		// Without outputs, which may be large.
		serialize: () => JSON.stringify({
			nbformat: 4,
			nbformat_minor: 4,
			metadata: metadata(),
			cells: shared.cells.map(c => ({ cell_type: c.cell_type, metadata: {}, source: c.getSource(), ...(c.cell_type === 'code' && { outputs: [], execution_count: null }) })),
		}),
		transact: change => shared.transact(change),
	};
}

export function file(widget: IDocumentWidget<FileEditor>): Content {
	const { model } = widget.content;
	return {
		get language() {
			return /python/.test(model.mimeType) ? 'python' : model.mimeType;
		},
		texts: () => [model.sharedModel],
		serialize: () => model.sharedModel.getSource(),
		transact: change => model.sharedModel.transact(change),
	};
}

export class Document {
	/** Emitted when the text has changed, a pause after the last key. */
	readonly changed: ISignal<this, void> = new Signal<this, void>(this);
	private readonly debouncer = new Debouncer(() => this.check(), PAUSE);
	private checked = '';
	private checking = false;

	/**
	 * @param path tells the path of the document as the server knows it, which renaming changes
	 * @param complain is told what hinders a check; the empty string when nothing does any more
	 */
	constructor(private readonly content: Content, private readonly path: () => string, private readonly complain: (why: string) => void) {}

	/** Why the document is not for tfmem, or undefined where it is. */
	get foreign(): string | undefined {
		const { language } = this.content;
		return language && !/^i?python/i.test(language) ? language : undefined;
	}

	get text(): Text {
		return { path: this.path(), text: this.content.serialize() };
	}

	/** Has the document checked when no key was pressed for a while, if it is another than before. */
	touch() {
		void this.debouncer.invoke();
	}

	/** Has the document checked again: settings and modules that it imports may be others. */
	recheck() {
		this.checked = '';
		this.touch();
	}

	dispose() {
		this.debouncer.dispose();
		Signal.clearData(this);
	}

	private async check() {
		const asked = this.text;
		const key = asked.path + '\n' + asked.text;
		if (this.checking || key === this.checked) {
			return; // outputs change a notebook, too
		}
		(this.changed as Signal<this, void>).emit();
		this.checking = true;
		let findings: Finding[] = [];
		let why = '';
		try {
			findings = this.foreign ? [] : await check(asked);
		} catch (error) {
			why = String((error as Error).message);
		}
		this.checking = false;
		this.complain(why);
		if (this.text.text !== asked.text) {
			this.touch(); // somebody types: these places are not those of the text any more
			return;
		}
		this.checked = why ? '' : key;
		this.mark(findings);
	}

	private mark(findings: Finding[]) {
		const texts = this.content.texts();
		const diagnostics = texts.map((): Diagnostic[] => []);
		for (const finding of findings) {
			const i = (finding.cell ?? 1) - 1;
			if (i < texts.length) {
				diagnostics[i].push(this.diagnostic(finding, texts[i].getSource()));
			}
		}
		texts.forEach((text, i) => show(text, { text: text.getSource(), diagnostics: diagnostics[i], gutter: findings.length > 0 }));
	}

	private diagnostic(finding: Finding, text: string): Diagnostic {
		const actions = finding.fixes
			.filter(fix => fix.applicability !== 'display' && fix.edits.every(edit => edit.filename === finding.filename))
			.map((fix): Action => ({ name: fix.message + (fix.applicability === 'unsafe' ? ' (may change what is computed)' : ''), apply: () => this.apply(fix) }));
		return {
			from: offset(text, finding.location),
			to: offset(text, finding.end_location),
			severity: SEVERITIES[finding.severity],
			message: finding.code + ' ' + finding.message,
			renderMessage: () => rendered(finding),
			actions,
		};
	}

	/** Makes the changes of a fix, unless the text is another by now. */
	private apply(fix: Fix) {
		const { path, text } = this.text;
		if (path + '\n' + text !== this.checked) {
			this.touch();
			return;
		}
		const texts = this.content.texts();
		const edits = fix.edits.map(edit => {
			const target = texts[(edit.cell ?? 1) - 1];
			const source = target.getSource();
			return { target, start: offset(source, edit.location), end: offset(source, edit.end_location), content: edit.content };
		});
		edits.sort((a, b) => b.start - a.start || b.end - a.end);
		this.content.transact(() => {
			for (const { target, start, end, content } of edits) {
				target.updateSource(start, end, content);
			}
		});
	}
}

/** Where a place stands in a text, in UTF-16. */
export function offset(text: string, { row, column }: Place): number {
	let start = 0;
	for (let i = 1; i < row; i++) {
		start = text.indexOf('\n', start) + 1;
	}
	for (let i = 1; i < column; i++) {
		start += text.codePointAt(start)! > 0xffff ? 2 : 1;
	}
	return Math.min(start, text.length);
}

/** A finding as a tooltip shows it, with a link to the page of its rule. */
function rendered(finding: Finding): HTMLElement {
	const element = document.createElement('span');
	const link = document.createElement('a');
	Object.assign(link, { href: finding.url, target: '_blank', rel: 'noopener', textContent: finding.code });
	element.append(link, ' ' + finding.message);
	for (const { cell, filename, location, message } of finding.related) {
		const where = filename !== finding.filename ? filename : cell === null ? '' : `cell ${cell}, `;
		const line = document.createElement('div');
		line.textContent = `${where}line ${location.row}: ${message}`;
		element.append(line);
	}
	return element;
}
