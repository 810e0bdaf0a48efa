// Makes all safe fixes of the file or notebook that the user looks at.

import { CodeAction, commands, Range, TextDocument, window, workspace } from 'vscode';

export async function fixAll(): Promise<void> {
	const notebook = window.activeNotebookEditor?.notebook;
	const cell = notebook?.getCells().find(cell => cell.document.languageId === 'python');
	if (cell) {
		// Asked of one cell, it mends them all.
		await apply(cell.document, 'notebook.source.fixAll.tfmem');
	} else if (window.activeTextEditor) {
		await apply(window.activeTextEditor.document, 'source.fixAll.tfmem');
	}
}

async function apply(document: TextDocument, kind: string): Promise<void> {
	const all = new Range(0, 0, document.lineCount, 0);
	const actions = await commands.executeCommand<CodeAction[]>('vscode.executeCodeActionProvider', document.uri, all, kind, 1);
	for (const action of actions) {
		if (action.edit) {
			await workspace.applyEdit(action.edit);
		}
	}
}
