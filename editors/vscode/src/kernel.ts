// Lets the language server rest on what lives in the kernel of a notebook, once somebody said so of that
// notebook. The Jupyter extension asks before it lets another extension use a kernel.

import { CancellationToken, CancellationTokenSource, Disposable, extensions, NotebookDocument, NotebookCellKind, Uri, window, workspace } from 'vscode';
import { LanguageClient } from 'vscode-languageclient/node';

import { answer, Output, question } from './question';

/** The part of the Jupyter extension's API that is used here. */
interface Jupyter {
	kernels: { getKernel(notebook: Uri): Thenable<{ executeCode(code: string, token: CancellationToken): AsyncIterable<Output> } | undefined> };
}

export class Kernels implements Disposable {
	private readonly used = new Set<NotebookDocument>();
	private readonly token = new CancellationTokenSource();
	private readonly listening: Disposable;

	constructor(private readonly client: () => LanguageClient | undefined) {
		this.listening = Disposable.from(
			workspace.onDidChangeNotebookDocument(({ notebook, cellChanges }) => {
				if (this.used.has(notebook) && cellChanges.some(({ executionSummary }) => executionSummary?.success !== undefined)) {
					void this.ask(notebook);
				}
			}),
			workspace.onDidCloseNotebookDocument(notebook => this.used.delete(notebook)),
		);
	}

	/** Begins or ends to use the kernel of the notebook that is shown. */
	async toggle(): Promise<void> {
		const notebook = window.activeNotebookEditor?.notebook;
		if (!notebook) {
			void window.showInformationMessage('tfmem: open a notebook first.');
		} else if (this.used.delete(notebook)) {
			await this.tell(notebook, null);
		} else {
			this.used.add(notebook);
			await this.ask(notebook);
		}
	}

	dispose(): void {
		this.token.cancel();
		this.token.dispose();
		this.listening.dispose();
	}

	private async ask(notebook: NotebookDocument): Promise<void> {
		try {
			const jupyter = extensions.getExtension<Jupyter>('ms-toolsai.jupyter');
			const kernel = await (await jupyter?.activate())?.kernels.getKernel(notebook.uri);
			if (!kernel) {
				throw new Error('No kernel of this notebook runs that the Jupyter extension lets tfmem use. Run a cell first.');
			}
			const code = notebook.getCells().filter(({ kind }) => kind === NotebookCellKind.Code);
			const outputs: Output[] = [];
			for await (const output of kernel.executeCode(question(code.map(cell => [cell.document.getText(), cell.executionSummary?.success === false])), this.token.token)) {
				outputs.push(output);
			}
			await this.tell(notebook, answer(outputs));
		} catch (error) {
			this.used.delete(notebook);
			void window.showWarningMessage(`tfmem: ${(error as Error).message}`);
			await this.tell(notebook, null).catch(() => undefined); // what it said before may no longer be so
		}
	}

	/** Tells the server what the kernel of a notebook said, or that it does not count any more. */
	private async tell(notebook: NotebookDocument, said: string | null): Promise<void> {
		const client = this.client();
		await client?.sendRequest('workspace/executeCommand', { command: 'tfmem.takeKernel', arguments: [client.code2ProtocolConverter.asUri(notebook.uri), said] });
	}
}
