// The panel beside an editor with what its models need of a GPU, and how that
// comes about. The server makes the page, which runs no script and loads nothing.

import * as path from 'node:path';
import { ColorThemeKind, Disposable, NotebookDocument, TextDocumentChangeEvent, Uri, ViewColumn, WebviewPanel, window, workspace } from 'vscode';

import { inTheme, moved, Place } from './page';

/** What a page is about: a document's models, or the one at a place in it. */
interface Subject {
	document: Uri;
	place?: Place;
}

/** Asks the server for the page of a document, named by its URI as the protocol spells it. */
export type Ask = (document: Uri, place: Place | undefined) => Promise<string>;

export class EstimatePanel implements Disposable {
	private panel: WebviewPanel | undefined;
	private subject: Subject | undefined;
	private html = '';
	private questions = 0;
	private readonly listeners: Disposable[];

	constructor(private readonly ask: Ask) {
		this.listeners = [
			workspace.onDidSaveTextDocument(document => this.saved(document.uri)),
			workspace.onDidSaveNotebookDocument(notebook => this.notebookSaved(notebook)),
			workspace.onDidChangeTextDocument(event => this.changed(event)),
			window.onDidChangeActiveColorTheme(() => this.draw()),
		];
	}

	/** Shows what the arguments of the command name, or else what the user looks at. */
	async show(args: unknown[]): Promise<void> {
		const subject = named(args) ?? lookedAt();
		if (!subject) {
			void window.showInformationMessage('tfmem: open a Python file or a notebook to see what its models need.');
			return;
		}
		const question = ++this.questions;
		let html;
		try {
			html = await this.ask(subject.document, subject.place);
		} catch (error) {
			void window.showWarningMessage(`tfmem: ${error instanceof Error ? error.message : error}`);
			return;
		}
		if (question !== this.questions) {
			return;
		}
		this.subject = subject;
		this.html = html;
		if (!this.panel) {
			this.panel = window.createWebviewPanel('tfmem.estimate', '', { viewColumn: ViewColumn.Beside, preserveFocus: true }, { localResourceRoots: [], enableFindWidget: true });
			this.panel.onDidDispose(() => this.panel = undefined);
		} else {
			this.panel.reveal(undefined, true);
		}
		this.draw();
	}

	/** Asks again for what is shown, as a text, GPUs or settings have changed. */
	async update(): Promise<void> {
		if (!this.panel || !this.subject) {
			return;
		}
		const question = ++this.questions;
		try {
			const html = await this.ask(this.subject.document, this.subject.place);
			if (question === this.questions) {
				this.html = html;
				this.draw();
			}
		} catch {
			// What was shown last stays, and the title says of when it is.
			if (question === this.questions && this.panel) {
				this.panel.title = `${this.title()} (before the last change)`;
			}
		}
	}

	dispose(): void {
		this.listeners.forEach(listener => listener.dispose());
		this.panel?.dispose();
	}

	private title(): string {
		const document = this.subject!.document;
		const notebook = workspace.notebookDocuments.find(n => isIn(n, document));
		return `Estimate: ${path.posix.basename((notebook?.uri ?? document).path)}`;
	}

	private draw(): void {
		if (!this.panel) {
			return;
		}
		const theme = window.activeColorTheme.kind;
		this.panel.title = this.title();
		this.panel.webview.html = inTheme(this.html, theme === ColorThemeKind.Dark || theme === ColorThemeKind.HighContrast);
	}

	private saved(document: Uri): void {
		if (document.toString() === this.subject?.document.toString()) {
			void this.update();
		}
	}

	private notebookSaved(notebook: NotebookDocument): void {
		if (this.subject && isIn(notebook, this.subject.document)) {
			void this.update();
		}
	}

	private changed({ document, contentChanges }: TextDocumentChangeEvent): void {
		const subject = this.subject;
		if (subject?.place && document.uri.toString() === subject.document.toString()) {
			subject.place = contentChanges.reduce(moved, subject.place);
		}
	}
}

function isIn(notebook: NotebookDocument, document: Uri): boolean {
	const wanted = document.toString();
	return notebook.uri.toString() === wanted || notebook.getCells().some(cell => cell.document.uri.toString() === wanted);
}

// A code lens gives a URI and a position as the protocol has them, the title of an
// editor a URI, the palette nothing, and a notebook's toolbar what is of no use.
function named([document, place]: unknown[]): Subject | undefined {
	if (typeof document === 'string') {
		return { document: Uri.parse(document), place: place as Place | undefined };
	}
	return document instanceof Uri ? { document } : undefined;
}

function lookedAt(): Subject | undefined {
	const editor = window.activeTextEditor, notebook = window.activeNotebookEditor?.notebook;
	if (editor?.document.languageId === 'python' && (!notebook || isIn(notebook, editor.document.uri))) {
		const { line, character } = editor.selection.active;
		return { document: editor.document.uri, place: { line, character } };
	}
	return notebook && { document: notebook.uri };
}
