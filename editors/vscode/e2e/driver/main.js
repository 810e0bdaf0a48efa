// An extension that drives tfmem's from inside the extension host, through
// VS Code's own API, in the open folder with its copies of train.py, or, in the session
// "untrusted", in one that nobody trusts. Appends
// "ok   …" for each check to $TFMEM_TEST_RESULT; the first that fails appends
// "FAIL …" and ends the run, as those after it build on it. "done" comes last.

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const vscode = require('vscode');

const aids = require('./aids');
const doors = require('./doors');
const { appears, check, finding, notebook: cells, open, page, say, vanishes, waitFor } = require('./editor');

function assertGrowthInPlace(text) {
	const growth = text.indexOf('set_memory_growth');
	assert.ok(growth > text.indexOf('from tensorflow import keras'), `no growth below the imports:\n${text}`);
	assert.ok(growth < text.indexOf('keras.Sequential'), `growth is set below the model:\n${text}`);
}

// The API does not say which finding an action mends; what it inserts does.
async function applyQuickFix(document, code, inserted, preferred) {
	const found = await appears(document, code);
	const actions = await vscode.commands.executeCommand('vscode.executeCodeActionProvider', document.uri, found.range, 'quickfix', 10);
	const insertion = action => action.edit?.get(document.uri).map(e => e.newText).join('\n') ?? '';
	const action = actions.find(a => insertion(a).includes(inserted));
	assert.ok(action, `no action inserts ${inserted}: ${JSON.stringify(actions)}`);
	assert.equal(action.isPreferred ?? false, preferred, 'preferred are safe fixes, and only those');
	assert.ok(await vscode.workspace.applyEdit(action.edit));
}

async function run() {
	await aids.run();
	const settings = vscode.workspace.getConfiguration('tfmem');
	const train = await open('train.py');

	await check('TFM101 arrives, with its documentation', async () => {
		const found = await appears(train, 'TFM101');
		assert.notEqual(train.getText(found.range), '');
		// VS Code would show the page as text, so the link is a command that shows it.
		const { scheme, path: command, query } = found.code.target;
		assert.equal(scheme, 'command');
		await vscode.commands.executeCommand(command, ...JSON.parse(query));
		await waitFor('the page of the rule', async () => (await page({ frame: 'main' }))?.text.includes('missing-memory-growth'));
		await page({ picture: 'rule' });
		await vscode.commands.executeCommand('workbench.action.closeEditorsInOtherGroups');
	});
	await check('what stands behind an emoji is marked exactly', async () => {
		const found = await appears(train, 'TFM301');
		assert.match(train.getText(found.range), /^(clothes|model\.fit)/);
	});
	await check('hover shows the rule', async () => {
		const found = await appears(train, 'TFM101');
		const hovers = await vscode.commands.executeCommand('vscode.executeHoverProvider', train.uri, found.range.start);
		assert.match(hovers.flatMap(h => h.contents.map(c => c.value)).join('\n'), /missing-memory-growth[^]*set_memory_growth/);
	});
	await check('the quick fix for TFM101 sets growth between the imports and the model', async () => {
		await applyQuickFix(train, 'TFM101', 'set_memory_growth', true);
		assertGrowthInPlace(train.getText());
		await vanishes(train, 'TFM101');
	});
	await check('the quick fix for TFM301 lands behind an emoji', async () => {
		await applyQuickFix(train, 'TFM301', '.batch(', false);
		assert.match(train.getText(), /labels\)\)\.batch\(\d+\)$|fit\(clothes\.batch\(\d+\),/m);
		await vanishes(train, 'TFM301');
	});
	await check('saving mends what is safe to mend, and nothing else', async () => {
		const second = await open('second.py');
		await appears(second, 'TFM101');
		// VS Code saves only what has been changed.
		const edit = new vscode.WorkspaceEdit();
		edit.insert(second.uri, new vscode.Position(second.lineCount, 0), '# 🔥\n');
		await vscode.workspace.applyEdit(edit);
		await second.save();
		assertGrowthInPlace(fs.readFileSync(second.fileName, 'utf8'));
		await vanishes(second, 'TFM101');
		assert.ok(finding(second, 'TFM301'), 'the unsafe fix was applied');
	});
	await check('an unsaved document is read as well', async () => {
		const untitled = await vscode.workspace.openTextDocument({ language: 'python', content: fs.readFileSync(train.fileName, 'utf8') });
		await vscode.window.showTextDocument(untitled);
		await appears(untitled, 'TFM101');
	});
	await check('a finding is in its cell of a notebook, and its fix goes where the imports are', async () => {
		const notebook = await cells('train.ipynb');
		const model = notebook.cellAt(2).document;
		const found = await appears(model, 'TFM101');
		assert.match(model.getText(found.range), /^keras\.Sequential|^model\.|^keras\.layers/);
		const actions = await vscode.commands.executeCommand('vscode.executeCodeActionProvider', model.uri, found.range, 'quickfix', 10);
		const imports = notebook.cellAt(1).document;
		const action = actions.find(a => a.edit?.get(imports.uri).some(e => e.newText.includes('set_memory_growth')));
		assert.ok(action, `no action sets growth in the cell of the imports: ${JSON.stringify(actions)}`);
		assert.ok(await vscode.workspace.applyEdit(action.edit));
		await vanishes(model, 'TFM101');
		assert.match(imports.getText(), /^%load_ext tensorboard\n!nvidia-smi\nimport tensorflow as tf\nfrom tensorflow import keras\n\nfor gpu in [^]*set_memory_growth\(gpu, True\)\n*$/);
	});
	await check('saving a notebook mends it, whatever its first cell is', async () => {
		const notebook = await cells('saved.ipynb');
		const model = notebook.cellAt(2).document;
		await appears(model, 'TFM101');
		const edit = new vscode.WorkspaceEdit();
		edit.insert(notebook.cellAt(3).document.uri, new vscode.Position(0, 0), '# 🔥\n');
		await vscode.workspace.applyEdit(edit);
		// VS Code asks the first cell, and none where that is text.
		const move = new vscode.WorkspaceEdit();
		move.set(notebook.uri, [vscode.NotebookEdit.deleteCells(new vscode.NotebookRange(0, 1))]);
		await vscode.workspace.applyEdit(move);
		await notebook.save();
		await waitFor('growth in the file', () => fs.readFileSync(notebook.uri.fsPath, 'utf8').includes('set_memory_growth'));
	});
	await check('the quick fix for TFM101 is offered at the import too', async () => {
		const third = await open('third.py');
		await appears(third, 'TFM101');
		const imported = new vscode.Range(0, 0, third.lineCount, 0);
		const line = third.getText(imported).split('\n').findIndex(text => text.startsWith('import tensorflow'));
		const at = new vscode.Range(line, 0, line, 0);
		const actions = await vscode.commands.executeCommand('vscode.executeCodeActionProvider', third.uri, at, 'quickfix', 10);
		assert.ok(actions.some(a => /^Set memory growth/.test(a.title)), JSON.stringify(actions));
	});
	await check('a file that is closed is not told of, unless the whole workspace is wanted', async () => {
		const spare = { uri: vscode.Uri.file(path.join(path.dirname(train.fileName), 'fourth.py')) };
		fs.copyFileSync(path.join(path.dirname(train.fileName), 'third.py'), spare.uri.fsPath);
		// A document that an extension opened stays so for minutes.
		await vscode.commands.executeCommand('vscode.open', spare.uri);
		await appears(spare, 'TFM101');
		await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
		await vanishes(spare, 'TFM101');
		await settings.update('diagnosticMode', 'workspace', vscode.ConfigurationTarget.Workspace);
		await appears(spare, 'TFM101');
		fs.rmSync(spare.uri.fsPath);
		await vanishes(spare, 'TFM101');
	});
	await check('a file that is not open is looked at, when it comes, changes and goes', async () => {
		const unopened = vscode.Uri.file(path.join(vscode.workspace.workspaceFolders[0].uri.fsPath, 'unopened.py'));
		const document = { uri: unopened };
		fs.copyFileSync(path.join(path.dirname(unopened.fsPath), 'third.py'), unopened.fsPath);
		await appears(document, 'TFM101');
		fs.writeFileSync(unopened.fsPath, '# tfmem: ignore-file[TFM101]\n' + fs.readFileSync(unopened.fsPath, 'utf8'));
		await vanishes(document, 'TFM101');
		assert.ok(finding(document, 'TFM301'), 'the other finding is gone too');
		fs.rmSync(unopened.fsPath);
		await vanishes(document, 'TFM301');
		await settings.update('diagnosticMode', undefined, vscode.ConfigurationTarget.Workspace);
	});
	const third = await open('third.py');
	await check('a module that is edited is looked at where it is imported', async () => {
		const folder = path.dirname(third.fileName);
		fs.writeFileSync(path.join(folder, 'helper.py'), 'import tensorflow as tf\n');
		fs.writeFileSync(path.join(folder, 'importer.py'), 'import tensorflow as tf\nimport helper\n\ntf.config.set_visible_devices([], "GPU")\n');
		const importer = await open('importer.py');
		await vscode.window.showTextDocument(importer, { preview: false }); // stays open beside the next
		const helper = await open('helper.py');
		assert.ok(!finding(importer, 'TFM102'));
		const edit = new vscode.WorkspaceEdit();
		edit.insert(helper.uri, new vscode.Position(1, 0), 'weights = tf.Variable(1.0)\n');
		await vscode.workspace.applyEdit(edit);
		await appears(importer, 'TFM102');
		await helper.save();
		await open('third.py');
	});
	await check('the server can be turned off and on', async () => {
		await appears(third, 'TFM101');
		assert.equal(vscode.languages.getDiagnostics(third.uri).filter(d => d.code?.value === 'TFM101').length, 1, 'it is shown once');
		await settings.update('enable', false);
		await vanishes(third, 'TFM101');
		await settings.update('enable', undefined);
		await appears(third, 'TFM101');
	});
	await check('the server can be restarted', async () => {
		await vscode.commands.executeCommand('tfmem.restart');
		await appears(third, 'TFM101');
	});
	for (const [what, wrong] of [['no program', '/nowhere/tfmem'], ['no language server', '/bin/true']]) {
		await check(`a path to ${what} stops the server, a cleared one starts it`, async () => {
			await settings.update('path', wrong, vscode.ConfigurationTarget.Global);
			await vanishes(third, 'TFM101');
			await settings.update('path', undefined, vscode.ConfigurationTarget.Global);
			await appears(third, 'TFM101');
		});
	}

	await doors.run(third);

	// Leaves on the screen what a person sees who opens a script.
	await vscode.commands.executeCommand('notifications.clearAll');
	await vscode.commands.executeCommand('workbench.actions.view.problems');
}

const sessions = { main: run, untrusted: doors.untrusted };

exports.activate = () => sessions[process.env.TFMEM_TEST_SESSION]().finally(() => say('done'));
