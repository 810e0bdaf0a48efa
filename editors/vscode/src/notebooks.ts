// Sends what the cells of notebooks printed before they failed. LSP has no place for that but a cell's
// metadata, and the client sends no message when outputs alone change.

import { NotebookCell, NotebookDocumentChangeEvent } from 'vscode';
import { LanguageClient, NotebookDocumentSyncRegistrationType, VNotebookDocumentChangeEvent } from 'vscode-languageclient/node';

import { failure } from './outputs';

// The cells of which a failure was sent.
const failed = new Set<string>();

function withOutputs(cell: NotebookCell): NotebookCell {
	const outputs = failure(cell.outputs);
	const uri = cell.document.uri.toString();
	if (outputs.length === 0) {
		failed.delete(uri);
		return cell;
	}
	failed.add(uri);
	const { index, notebook, kind, document, executionSummary, metadata } = cell;
	return { index, notebook, kind, document, executionSummary, outputs: cell.outputs, metadata: { ...metadata, outputs } };
}

export const middleware = {
	didOpen: (notebook: VNotebookDocumentChangeEvent['notebook'], cells: NotebookCell[], next: (notebook: VNotebookDocumentChangeEvent['notebook'], cells: NotebookCell[]) => Promise<void>) =>
		next(notebook, cells.map(withOutputs)),
	didChange: (event: VNotebookDocumentChangeEvent, next: (event: VNotebookDocumentChangeEvent) => Promise<void>) => {
		const { structure, data, textContent } = event.cells ?? {};
		return next(event.cells ? {
			...event,
			cells: {
				data: data?.map(withOutputs),
				structure: structure && { ...structure, array: { ...structure.array, cells: structure.array.cells?.map(withOutputs) } },
				textContent,
			},
		} : event);
	},
};

/** Sends the cells that begin or cease to show a failure by outputs alone. */
export function resend(client: LanguageClient, change: NotebookDocumentChangeEvent): void {
	const cells = change.cellChanges
		.filter(({ cell, outputs, executionSummary, metadata }) =>
			outputs && !executionSummary && !metadata && (failed.has(cell.document.uri.toString()) || failure(outputs).length > 0))
		.map(({ cell }) => cell);
	if (cells.length > 0 && client.isRunning()) {
		const provider = client.getFeature(NotebookDocumentSyncRegistrationType.method).getProvider(cells[0]);
		void provider?.sendDidChangeNotebookDocument({ notebook: change.notebook, cells: { data: cells } }).catch(() => undefined);
	}
}
