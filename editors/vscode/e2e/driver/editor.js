// What the checks of the driver have in common: to wait, to open, to find, and to
// have the page that shows VS Code looked at (page.mjs).

const fs = require('node:fs');
const path = require('node:path');
const vscode = require('vscode');

const patience = 60_000; // ms; the machine may be busy

async function waitFor(what, condition) {
	for (const end = Date.now() + patience; Date.now() < end;) {
		const value = await condition();
		if (value) { return value; }
		await new Promise(resolve => setTimeout(resolve, 50));
	}
	throw new Error(`waited in vain for ${what}`);
}

function say(line) {
	fs.appendFileSync(process.env.TFMEM_TEST_RESULT, line + '\n');
}

async function check(name, body) {
	try {
		await body();
	} catch (error) {
		say(`FAIL ${name}\n     ${error.stack.replaceAll('\n', '\n     ')}`);
		throw error;
	}
	say(`ok   ${name}`);
}

function inFolder(name) {
	return vscode.Uri.file(path.join(vscode.workspace.workspaceFolders[0].uri.fsPath, name));
}

async function open(name) {
	const document = await vscode.workspace.openTextDocument(inFolder(name));
	await vscode.window.showTextDocument(document);
	return document;
}

function finding(document, code) {
	return vscode.languages.getDiagnostics(document.uri).find(d => d.source === 'tfmem' && (d.code?.value ?? d.code) === code);
}

const appears = (document, code) => waitFor(code, () => finding(document, code));
const vanishes = (document, code) => waitFor(`the end of ${code}`, () => !finding(document, code));

async function actions(document, kind, range = new vscode.Range(0, 0, document.lineCount, 0)) {
	return vscode.commands.executeCommand('vscode.executeCodeActionProvider', document.uri, range, kind, 10);
}

async function notebook(name) {
	const opened = await vscode.workspace.openNotebookDocument(inFolder(name));
	await vscode.window.showNotebookDocument(opened);
	return opened;
}

// The place behind a text in a document.
function behind(document, text) {
	const at = document.getText().indexOf(text);
	if (at < 0) { throw new Error(`no ${text} in:\n${document.getText()}`); }
	return document.positionAt(at + text.length);
}

async function hover(document, text) {
	const hovers = await vscode.commands.executeCommand('vscode.executeHoverProvider', document.uri, behind(document, text));
	return hovers.flatMap(h => h.contents.map(c => c.value)).join('\n');
}

async function hints(document) {
	const range = new vscode.Range(0, 0, document.lineCount, 0);
	const found = await vscode.commands.executeCommand('vscode.executeInlayHintProvider', document.uri, range);
	return found.map(h => `${document.lineAt(h.position).text.slice(0, h.position.character).trim()} ${h.label}`);
}

async function lenses(document) {
	return vscode.commands.executeCommand('vscode.executeCodeLensProvider', document.uri, 10);
}

async function completions(document, text) {
	const list = await vscode.commands.executeCommand('vscode.executeCompletionItemProvider', document.uri, behind(document, text));
	return list.items.map(i => i.label.label ?? i.label);
}

async function type(document, position, text) {
	const edit = new vscode.WorkspaceEdit();
	edit.insert(document.uri, position, text);
	await vscode.workspace.applyEdit(edit);
}

let questions = 0;

// Has page.mjs do something with the page that shows VS Code, and returns what it says.
async function page(request) {
	const base = `${process.env.TFMEM_TEST_RESULT}.${++questions}`;
	fs.writeFileSync(`${base}.new`, JSON.stringify(request));
	fs.renameSync(`${base}.new`, `${base}.ask`);
	const answer = await waitFor(`an answer of the page to ${JSON.stringify(request)}`, () => {
		return fs.existsSync(`${base}.answer`) && JSON.parse(fs.readFileSync(`${base}.answer`, 'utf8'));
	});
	if (answer.error) { throw new Error(answer.error); }
	return answer.value;
}

module.exports = {
	actions, appears, behind, check, completions, finding, hints, hover, inFolder, lenses, notebook, open, page, say, type, vanishes, waitFor,
};
