// A notebook or a file that is open: asks tfmem about it as it changes, and marks its cells.
import type { Diagnostic } from '@codemirror/lint';
import type { CodeEditor } from '@jupyterlab/codeeditor';
import type { IDocumentWidget } from '@jupyterlab/docregistry';
import type { FileEditor } from '@jupyterlab/fileeditor';
import type { INotebookModel, Notebook } from '@jupyterlab/notebook';
import type { ISharedCodeCell, ISharedNotebook, ISharedText } from '@jupyter/ydoc';
import { Debouncer } from '@lumino/polling';
import { type ISignal, Signal } from '@lumino/signaling';
import { show } from './marks';
import { type Action, type Answer, check, type Edit, type Finding, type Lens, type Place, type Text } from './server';

/** How long nobody types before tfmem is asked, in milliseconds. */
const PAUSE = 500;

const SEVERITIES = { 1: 'error', 2: 'warning', 3: 'info', 4: 'hint' } as const;

/** What there is to be checked: a notebook's cells, or one text. */
interface Content {
	readonly language: string | undefined;
	/** The texts, in order: those of the cells. */
	texts(): ISharedText[];
	/** The texts that a kernel runs, and whether the last run of each failed. */
	code(): [string, boolean][];
	/** What tfmem reads. */
	serialize(): string;
	/** Makes changes that one undo takes back. */
	transact(change: () => void): void;
	/** Puts the cursor at a place of a text. */
	reveal(text: number, position: { line: number; character: number }): void;
}

/** Puts the cursor at a place of an editor. */
function reveal(editor: CodeEditor.IEditor | null | undefined, { line, character }: { line: number; character: number }) {
	editor?.focus();
	editor?.setCursorPosition({ line, column: character });
	editor?.revealPosition({ line, column: character });
}

export function notebook(widget: Notebook): Content {
	const model: INotebookModel = widget.model!;
	const shared: ISharedNotebook = model.sharedModel;
	const language = () => {
		const { kernelspec, language_info } = shared.getMetadata() as { kernelspec?: { language?: string }; language_info?: { name?: string } };
		return language_info?.name ?? kernelspec?.language;
	};
	return {
		get language() {
			return language();
		},
		texts: () => [...shared.cells],
		code: () => shared.cells.filter(c => c.cell_type === 'code').map(c => [c.getSource(), failure(c as ISharedCodeCell).length > 0]),
		serialize: () => JSON.stringify({
			nbformat: 4,
			nbformat_minor: 4,
			metadata: { language_info: { name: language() } }, // the rest changes as a kernel starts, and would replace a tooltip that somebody reads
			cells: shared.cells.map(c => ({ cell_type: c.cell_type, metadata: {}, source: c.getSource(), ...(c.cell_type === 'code' && { outputs: failure(c as ISharedCodeCell), execution_count: null }) })),
		}),
		transact: change => shared.transact(change),
		reveal(text, position) {
			widget.activeCellIndex = text;
			widget.mode = 'edit';
			void widget.scrollToItem(text).then(() => reveal(widget.widgets[text]?.editor, position));
		},
	};
}

/** How much of the start and of the end of an output is sent; of a log, these tell. */
const ENDS = 1 << 15;

/** The outputs of a cell that failed, as texts; none of another, since those change as it runs. */
function failure(cell: ISharedCodeCell): object[] {
	type Output = { output_type: string; text?: string | string[] };
	const outputs = cell.getOutputs() as Output[];
	if (!outputs.some(o => o.output_type === 'error')) {
		return [];
	}
	return outputs.filter(o => o.output_type === 'error' || o.output_type === 'stream').map(({ text, ...rest }) => {
		const all = [text ?? ''].flat().join('');
		return { ...rest, text: all.length > 2 * ENDS ? all.slice(0, ENDS) + '\n' + all.slice(-ENDS) : all };
	});
}

export function file(widget: IDocumentWidget<FileEditor>): Content {
	const { model } = widget.content;
	return {
		get language() {
			return /python/.test(model.mimeType) ? 'python' : model.mimeType;
		},
		texts: () => [model.sharedModel],
		code: () => [],
		serialize: () => model.sharedModel.getSource(),
		transact: change => model.sharedModel.transact(change),
		reveal: (_, position) => reveal(widget.content.editor, position),
	};
}

/** What the documents of a JupyterLab have in common. */
export interface Surroundings {
	/** The settings of the language server. */
	settings(): object;
	/** Whether lines stand above calls. */
	hasLines(): boolean;
	/** Is told what hinders a check; the empty string when nothing does any more. */
	complain(why: string): void;
	/** What a rule is about, to be shown. */
	rule(code: string): Promise<HTMLElement>;
	/** Runs a command that the server names. */
	run(command: string): void;
	/** Shows a place in another file. */
	open(file: string, position: { line: number; character: number }): void;
	/** Changes the text of another file; the changes are in order. */
	change(file: string, change: (text: string) => string): Promise<void>;
}

export class Document {
	/** Emitted when the text has changed, a pause after the last key. */
	readonly changed: ISignal<this, void> = new Signal<this, void>(this);
	/** Emitted when the document was checked. */
	readonly answered: ISignal<this, void> = new Signal<this, void>(this);
	/** What was found last, or why nothing was. */
	answer: Answer | undefined;
	why = '';
	private readonly debouncer = new Debouncer(() => this.check(), PAUSE);
	private awaited = '';
	private checked = '';
	private marked = ''; // the texts that the actions are for
	private shown = '';
	private texts: ISharedText[] = [];
	private checking = false;
	private kernel: string | undefined; // what it said of the names here

	/** @param path tells the path of the document as the server knows it, which renaming changes */
	constructor(private readonly content: Content, private readonly path: () => string, private readonly around: Surroundings) {}

	/** Why the document is not for tfmem, or undefined where it is. */
	get foreign(): string | undefined {
		const { language } = this.content;
		return language && !/^i?python/i.test(language) ? language : undefined;
	}

	get text(): Text {
		return { path: this.path(), text: this.content.serialize(), settings: this.around.settings(), kernel: this.kernel };
	}

	/** The texts that a kernel runs, and whether the last run of each failed. */
	code(): [string, boolean][] {
		return this.content.code();
	}

	/** Lets the document rest on what its kernel said of the names in it, or on its text alone. */
	rest(kernel: string | undefined) {
		this.kernel = kernel;
		this.touch();
	}

	/** Has the document checked when no key was pressed for a while, if it is another than before. */
	touch() {
		const key = JSON.stringify(this.text);
		if (key !== this.awaited) { // what a cell prints as it runs is no change
			this.awaited = key;
			void this.debouncer.invoke();
		}
	}

	/** Has the document checked again: settings and modules that it imports may be others. */
	recheck() {
		this.checked = this.awaited = '';
		this.touch();
	}

	dispose() {
		this.debouncer.dispose();
		Signal.clearData(this);
	}

	private async check() {
		const asked = this.text;
		const key = JSON.stringify(asked);
		if (this.checking || key === this.checked) {
			return;
		}
		(this.changed as Signal<this, void>).emit();
		this.checking = true;
		let answer: Answer | undefined;
		let why = '';
		try {
			answer = this.foreign ? undefined : await check(asked);
			why = answer?.mistakes.map(mistake => mistake.replace(/^tfmem: /, '')).join('\n') ?? '';
		} catch (error) {
			why = String((error as Error).message);
		}
		this.checking = false;
		this.around.complain(why);
		if (JSON.stringify(this.text) !== key) {
			void this.debouncer.invoke(); // somebody types: these places are not those of the text any more
			return;
		}
		this.checked = answer || this.foreign ? key : '';
		[this.answer, this.why] = [answer, why];
		this.mark();
		(this.answered as Signal<this, void>).emit();
	}

	private mark() {
		const { findings, lenses } = this.answer ?? { findings: [], lenses: [] };
		const shown = this.around.hasLines() ? lenses : [];
		const texts = this.content.texts();
		const sources = String(texts.map(text => text.getSource())), key = JSON.stringify([findings, shown]);
		if (sources === this.marked && key === this.shown && texts.length === this.texts.length && texts.every((text, i) => text === this.texts[i])) {
			return; // CodeMirror ignores clicks in a tooltip of diagnostics that were replaced
		}
		[this.texts, this.marked, this.shown] = [texts, sources, key];
		texts.forEach((text, i) => {
			const source = text.getSource();
			show(text, {
				text: source,
				diagnostics: findings.filter(({ cell }) => cell === i).map(finding => this.diagnostic(finding, source)),
				lines: shown.filter(({ cell }) => cell === i).map(lens => ({ line: lens.line, title: lens.title, click: () => this.follow(lens) })),
				gutter: findings.length > 0,
			});
		});
	}

	/** Does what the line above a call is for. */
	private follow({ command, place }: Lens) {
		if (command !== 'tfmem.showCause') {
			this.around.run(command);
		} else if (place?.file) {
			this.around.open(place.file, place.position);
		} else if (place) {
			this.content.reveal(place.cell ?? 0, place.position);
		}
	}

	private diagnostic(finding: Finding, text: string): Diagnostic {
		return {
			from: offset(text, finding.range.start),
			to: offset(text, finding.range.end),
			severity: SEVERITIES[finding.severity],
			message: finding.code + ' ' + finding.message,
			renderMessage: () => this.rendered(finding),
			actions: finding.actions.map(action => ({ name: action.title, apply: () => void this.apply(action) })),
		};
	}

	/** Makes the changes of an action, unless a text is another by now: first those of other files, which may fail. */
	private async apply({ edits, command }: Action) {
		if (command) {
			this.around.run(command);
			return;
		}
		const texts = this.content.texts();
		if (String(texts.map(text => text.getSource())) !== this.marked) {
			this.touch();
			return;
		}
		for (const name of new Set(edits.flatMap(({ file }) => file ?? []))) {
			try {
				await this.around.change(name, text => edited(text, name, edits.filter(({ file }) => file === name)));
			} catch (error) {
				this.around.complain(String((error as Error).message));
				return;
			}
		}
		const changes = edits.filter(({ file }) => file === undefined).map(({ cell, range, text }) => {
			const target = texts[cell!];
			const source = target.getSource();
			return { target, start: offset(source, range.start), end: offset(source, range.end), text };
		});
		changes.sort((a, b) => b.start - a.start || b.end - a.end);
		this.content.transact(() => {
			for (const { target, start, end, text } of changes) {
				target.updateSource(start, end, text);
			}
		});
		if (edits.some(({ file }) => file !== undefined)) {
			this.recheck();
		}
	}

	/** A finding as a tooltip shows it, with what its rule says and a link to its page. */
	private rendered({ code, message, url, related }: Finding): HTMLElement {
		const element = document.createElement('span');
		// A page of JupyterLab cannot open the file that the server has of a rule; its text is below.
		if (/^https?:/.test(url)) {
			const link = document.createElement('a');
			Object.assign(link, { href: url, target: '_blank', rel: 'noopener', textContent: code });
			element.append(link, ' ' + message);
		} else {
			element.append(`${code} ${message}`);
		}
		for (const { cell, file, line, message } of related) {
			const where = document.createElement('div');
			where.textContent = `${file ? `${file}, ` : cell ? `cell ${cell}, ` : ''}line ${line + 1}: ${message}`;
			element.append(where);
		}
		const more = document.createElement('details'), summary = document.createElement('summary');
		summary.textContent = `What ${code} is about`;
		more.append(summary);
		more.addEventListener('toggle', () => {
			void this.around.rule(code).catch(error => String((error as Error).message)).then(about => more.append(about));
		}, { once: true });
		element.append(more);
		return element;
	}
}

/** The text of a file after edits, which are of the text as it was when they were offered. */
export function edited(text: string, name: string, edits: Edit[]): string {
	const changes = edits.map(({ range: { start, end }, was, text: by }) => {
		if (text.split('\n')[start.line]?.replace(/\r$/, '') !== was) {
			throw new Error(`${name} is no longer as it was when the fix was offered; look at it again.`);
		}
		return { start: offset(text, start), end: offset(text, end), by };
	});
	for (const { start, end, by } of changes.sort((a, b) => b.start - a.start)) {
		text = text.slice(0, start) + by + text.slice(end);
	}
	return text;
}

/** Where a place stands in a text. */
export function offset(text: string, { line, character }: Place): number {
	let start = 0;
	for (let i = 0; i < line; i++) {
		start = text.indexOf('\n', start) + 1;
	}
	return Math.min(start + character, text.length);
}
