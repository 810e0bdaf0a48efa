// What helps to read and to write: hovers, hints, lenses, the panel, completion,
// settings files, the GPU in the status bar; in photos.py and photos.ipynb, of which
// the settings of the editor say that they run on an RTX 3090. Leaves pictures.

const assert = require('node:assert/strict');
const vscode = require('vscode');

const { actions, appears, behind, check, completions, finding, hints, hover, inFolder, lenses, notebook, open, page, type, vanishes, waitFor } = require('./editor');

const gpu = 'NVIDIA GeForce RTX 3090';
const settings = () => vscode.workspace.getConfiguration('tfmem');

async function theme(name, kind) {
	await vscode.workspace.getConfiguration('workbench').update('colorTheme', name, vscode.ConfigurationTarget.Global);
	await waitFor(name, () => vscode.window.activeColorTheme.kind === kind);
}
const light = () => theme('Default Light Modern', vscode.ColorThemeKind.Light);
const dark = () => theme('Default Dark Modern', vscode.ColorThemeKind.Dark);

const shownPage = () => page({ frame: 'main' });
const pageSays = words => waitFor(`"${words}" in the panel`, async () => (await shownPage())?.text.includes(words));

// The mean of red, green and blue of what is behind the page.
async function background() {
	const shown = await waitFor('the page', shownPage);
	return shown.background.match(/[\d.]+/g).slice(0, 3).reduce((sum, n) => sum + Number(n), 0) / 3;
}

// Changes a setting for a while.
async function having(name, value, body, target = vscode.ConfigurationTarget.Workspace, before = undefined) {
	await settings().update(name, value, target);
	try {
		await body();
	} finally {
		await settings().update(name, before, target);
	}
}

async function script() {
	const photos = await open('photos.py');

	await check('a lens over fit tells what the training needs of the GPU', async () => {
		// The settings, which name the GPU, reach the server after the text.
		const found = await waitFor('the lens', async () => {
			const all = await lenses(photos);
			return all[0]?.command.title.includes(gpu) && all;
		});
		assert.equal(found.length, 1);
		assert.match(found[0].command.title, new RegExp(`^≈ [\\d.]+ GiB of [\\d.]+ GiB on ${gpu} · does not fit, up to \\d+ does$`));
		assert.match(photos.lineAt(found[0].range.start).text, /^model\.fit/);
	});
	await check('hints stand behind the batch size and the layers', async () => {
		const found = await hints(photos);
		assert.ok(found.some(h => /^BATCH_SIZE = 768 ≈ [\d.]+ GiB$/.test(h)), found.join('\n'));
		assert.ok(found.some(h => /^keras\.layers\.Dense\(7\), .*7.* · 903 params$/.test(h)), found.join('\n'));
	});
	await check('hovers on fit and on a batch size have the numbers', async () => {
		assert.match(await hover(photos, 'model.f'), /the largest batch that fits is/);
		assert.match(await hover(photos, 'BATCH_SIZE = 7'), /GiB[^]*oversized-batch/);
	});
	await check('the status bar names the GPU', async () => {
		await waitFor('the GPU', async () => (await page({ hover: '[id="status.languageStatus"]', read: '.hover-language-status' })).includes(`${gpu} · 24 GiB`));
		assert.match(await page({ hover: '[id="status.languageStatus"]', read: '.hover-language-status' }), /named by the editor's settings/);
		await page({ picture: 'status' });
		await light();
		await page({ hover: '[id="status.languageStatus"]', picture: 'gpu', clip: { x: 720, y: 690, width: 640, height: 110 } });
		await dark();
	});
	await page({ rest: true });

	await light();
	await waitFor('the lens on the screen', () => page({ read: '.codelens-decoration' }));
	await page({ picture: 'script-light' });
	vscode.window.activeTextEditor.selection = new vscode.Selection(behind(photos, 'BATCH_SIZE = 7'), behind(photos, 'BATCH_SIZE = 7'));
	await vscode.commands.executeCommand('editor.action.showHover');
	await waitFor('the hover on the screen', () => page({ read: '.monaco-hover:not(.hidden) .hover-contents' }));
	await page({ picture: 'hover-light' });
	await vscode.commands.executeCommand('editor.action.hideHover');
	await vscode.commands.executeCommand('editor.action.quickFix');
	await waitFor('the fixes on the screen', () => page({ read: '.action-widget' }));
	await page({ picture: 'fix', clip: { x: 0, y: 30, width: 800, height: 440 } });
	await vscode.commands.executeCommand('hideCodeActionWidget');
	await dark();
	await page({ picture: 'script-dark' });

	await check('a click on the lens opens a page beside', async () => {
		await page({ click: '.codelens-decoration a' });
		await pageSays(`Compared with ${gpu}`);
		const { text } = await shownPage();
		assert.match(text, /photos\.py:11:9/);
		assert.match(text, /Memory over the batch size[^]*Memory by layer/);
		assert.equal(vscode.window.activeTextEditor?.document, photos, 'the script has lost the focus');
	});
	await check('plans are quick fixes, and a picture on the page', async () => {
		const found = await appears(photos, 'TFM601');
		const fixes = await actions(photos, 'quickfix', found.range);
		const plan = fixes.find(a => /^Make it fit: .+ → .+ \(unsafe\)$/.test(a.title));
		assert.ok(plan && !plan.isPreferred, fixes.map(a => a.title).join('\n'));
		assert.ok(plan.edit.size > 0, 'it has edits');
		assert.match((await shownPage()).text, /Ways to make it fit[^]*as it is/);
	});
	await check('the page has the theme of the editor', async () => {
		assert.ok(await background() < 60, 'dark');
		await page({ picture: 'panel-dark' });
		await light();
		await waitFor('light', async () => await background() > 200);
		await page({ picture: 'panel-light' });
		await page({ wheel: 900, over: [1200, 600], picture: 'panel-lower' });
	});
	await check('the page follows what is saved', async () => {
		const found = await appears(photos, 'TFM601');
		const fixes = await actions(photos, 'quickfix', found.range);
		const smaller = fixes.find(a => /^Train with a batch of \d+/.test(a.title));
		assert.ok(smaller && !smaller.isPreferred, fixes.map(a => a.title).join('\n'));
		assert.ok(await vscode.workspace.applyEdit(smaller.edit));
		await vanishes(photos, 'TFM601');
		await type(photos, new vscode.Position(2, 0), '# The place of the model moves. 🌷\n');
		await photos.save();
		await pageSays(`photos.py:${behind(photos, 'model = ').line + 1}:9`);
		assert.match((await shownPage()).text, /fits/i);
	});
	await check('a page that can no longer be made stays, and says so', async () => {
		const start = behind(photos, 'model = ');
		const edit = new vscode.WorkspaceEdit();
		edit.replace(photos.uri, new vscode.Range(start, behind(photos, 'keras.Sequential')), 'sequential');
		await vscode.workspace.applyEdit(edit);
		await photos.save();
		await waitFor('the title', async () => (await page({ read: '.tabs-container' })).includes('photos.py (before the last change)'));
		assert.match((await shownPage()).text, /Memory by layer/);
		await vscode.commands.executeCommand('undo');
		await photos.save();
		await waitFor('the title', async () => !(await page({ read: '.tabs-container' })).includes('before the last change'));
	});
	await check('the command shows what the user looks at, or what it is given', async () => {
		await vscode.commands.executeCommand('workbench.action.closeEditorsInOtherGroups');
		await waitFor('the end of the panel', async () => !await shownPage());
		await vscode.commands.executeCommand('tfmem.showEstimate');
		await pageSays('photos.py');
		await vscode.commands.executeCommand('workbench.action.closeEditorsInOtherGroups');
		await waitFor('the end of the panel', async () => !await shownPage());
		await page({ click: '.editor-group-container.active .editor-actions .codicon-toolbar-more' });
		await page({ click: '.monaco-menu :text("Show GPU Memory Estimate")' });
		await pageSays('photos.py');
		await vscode.commands.executeCommand('workbench.action.closeEditorsInOtherGroups');
	});
	await check('a file without a model is said to have none', async () => {
		await open('plain.py');
		await vscode.commands.executeCommand('tfmem.showEstimate');
		await waitFor('the message', async () => /makes no Keras model/.test(await page({ read: '.notification-toast' })));
		await vscode.commands.executeCommand('notifications.clearAll');
	});
}

async function more() {
	const photos = await open('spare.py');
	const lens = async () => (await lenses(photos))[0]?.command.title;

	await check('the command Fix All makes the safe fixes', async () => {
		await appears(photos, 'TFM101');
		await vscode.commands.executeCommand('tfmem.fixAll');
		assert.match(photos.getText(), /set_memory_growth\(gpu, True\)/);
		await vanishes(photos, 'TFM101');
		await vscode.commands.executeCommand('workbench.action.files.revert');
	});
	await check('what may stand in a comment of ours is completed', async () => {
		await vscode.commands.executeCommand('workbench.action.files.revert');
		const end = photos.lineAt(behind(photos, 'photos = ')).range.end;
		await type(photos, end, '  # tfmem: ');
		const words = await waitFor('completions', async () => {
			const found = await completions(photos, '# tfmem: ');
			return found.includes('ignore-file') && found;
		});
		assert.equal(words[0], 'ignore[TFM101]');
		await type(photos, photos.lineAt(end).range.end, 'ignore[');
		assert.ok((await completions(photos, '# tfmem: ignore[')).includes('TFM101'));
		await vscode.commands.executeCommand('workbench.action.files.revert');
	});

	await check('settings of the editor reach the server', async () => {
		await appears(photos, 'TFM101');
		await having('lint.ignore', ['TFM101'], () => vanishes(photos, 'TFM101'));
		await appears(photos, 'TFM101');
		await having('lint.severity', { TFM101: 'error' }, () => {
			return waitFor('an error', () => finding(photos, 'TFM101')?.severity === vscode.DiagnosticSeverity.Error);
		});
		await having('inlayHints', ['memory'], () => waitFor('one hint', async () => (await hints(photos)).length === 1));
		await having('perFileIgnores', { 'spa*.py': 'TFM101, TFM6' }, () => vanishes(photos, 'TFM101'));
		await appears(photos, 'TFM101');
		await having('gpu', 'none', async () => {
			await waitFor('no GPU', async () => /^≈ [\d.]+ GiB of GPU memory · choose a GPU$/.test(await lens()));
			await vscode.window.showTextDocument(photos);
			await waitFor('no GPU in the status bar', async () => (await page({ hover: '[id="status.languageStatus"]', read: '.hover-language-status' })).includes('No GPU known'));
			await page({ rest: true });
		});
		await waitFor('the GPU', async () => (await lens())?.includes(gpu));
	});
	await check('a setting that means nothing is told of', async () => {
		const told = words => waitFor(words, async () => (await page({ read: '.notification-toast' })).includes(words));
		await having('assume', { 'train.csv': 'columns=many' }, () => told('columns is a number, such as columns=30'));
		await vscode.commands.executeCommand('notifications.clearAll');
		await having('gpu', 'RTX 9999', () => told('RTX 9999'));
		await vscode.commands.executeCommand('notifications.clearAll');
		await waitFor('the GPU', async () => (await lens())?.includes(gpu));
	});
	await check('a GPU is chosen from those that are known, and typed', async () => {
		const rows = () => page({ read: '.quick-input-widget .quick-input-list .monaco-list-row' });
		const choose = async (words, typed) => {
			const [{ command }] = await lenses(photos);
			void vscode.commands.executeCommand(...command.command === 'tfmem.chooseGpu' ? [command.command, ...command.arguments] : ['tfmem.chooseGpu']);
			await waitFor(words, async () => (await rows()).includes(words));
			if (typed) {
				await page({ type: typed });
				await waitFor('what is typed', async () => (await page({ read: '.quick-input-widget .monaco-list-row.focused' })).includes(typed));
			}
		};
		const set = value => waitFor(value, async () => settings().inspect('gpu').workspaceValue === value && vscode.workspace.getConfiguration('tfmem').get('gpu') === value);
		await settings().update('gpu', 'none', vscode.ConfigurationTarget.Workspace);
		await waitFor('the lens that lets choose', async () => (await lenses(photos))[0]?.command.command === 'tfmem.chooseGpu');
		await choose('Catalogue', 'Tesla T4');
		await page({ press: 'Enter' });
		await set('Tesla T4');
		await waitFor('the lens', async () => (await lens()).includes('Tesla T4'));
		await choose('Recent');
		assert.match(await rows(), /This Machine[^]*none[^]*Tesla T4[^]*15 GiB · colab[^]*Recent/);
		await page({ picture: 'choose-gpu', clip: { x: 380, y: 5, width: 602, height: 388 } });
		await page({ type: '640 GiB', press: 'Enter' });
		await set('640 GiB');
		await waitFor('the lens', async () => / fits/.test(await lens()));
		await settings().update('gpu', undefined, vscode.ConfigurationTarget.Workspace);
		await waitFor('the GPU', async () => (await lens())?.includes(gpu));
	});
	await check('GPUs can be looked for again', async () => {
		const found = await vscode.commands.executeCommand('tfmem.detectGpu');
		assert.ok(Array.isArray(found.gpus));
		await waitFor('the message', async () => (await page({ read: '.notification-toast' })).includes(found.summary));
		await vscode.commands.executeCommand('notifications.clearAll');
	});
	await check('mistakes in tfmem.toml are marked, and its keys completed and explained', async () => {
		await vscode.workspace.fs.writeFile(inFolder('tfmem.toml'), Buffer.from('selct = ["TFM1"]\nignore = []\n'));
		const toml = await open('tfmem.toml');
		const mistake = await waitFor('a mistake', () => vscode.languages.getDiagnostics(toml.uri).find(d => d.source === 'tfmem'));
		assert.match(mistake.message, /selct/);
		assert.match(toml.getText(mistake.range), /selct/);
		assert.match(await hover(toml, 'ign'), /Rules that do not run/);
		await type(toml, toml.lineAt(toml.lineCount - 1).range.end, 'gp');
		assert.ok((await completions(toml, '\ngp')).includes('gpu'));
		await vscode.commands.executeCommand('workbench.action.files.revert');
	});
	await check('what tfmem.toml says counts once it is saved', async () => {
		const toml = await open('tfmem.toml');
		const edit = new vscode.WorkspaceEdit();
		edit.replace(toml.uri, new vscode.Range(0, 0, 2, 0), 'ignore = ["TFM101"]\ninlay-hints = []\n');
		await vscode.workspace.applyEdit(edit);
		await waitFor('no mistake', () => vscode.languages.getDiagnostics(toml.uri).length === 0);
		assert.ok(finding(photos, 'TFM101'));
		await toml.save();
		await vanishes(photos, 'TFM101');
		await waitFor('no hint', async () => (await hints(photos)).length === 0);
		await vscode.workspace.fs.delete(toml.uri);
		await appears(photos, 'TFM101');
		await vscode.commands.executeCommand('notifications.clearAll');
	});
	await vscode.commands.executeCommand('workbench.action.closeAllEditors');
}

async function cells() {
	const photos = await notebook('photos.ipynb');
	const [batch, model, training] = [2, 3, 4].map(i => photos.cellAt(i).document);

	await check('a notebook has its findings, lens, hints and hovers in its cells', async () => {
		await appears(batch, 'TFM601');
		const title = await waitFor('the lens', async () => (await lenses(training))[0]?.command.title);
		assert.match(title, new RegExp(`${gpu} · does not fit`));
		assert.match((await hints(batch)).join('\n'), /^BATCH_SIZE = 768 ≈ [\d.]+ GiB$/m);
		assert.match((await hints(model)).join('\n'), /^keras\.layers\.Dense\(7\), .* · 903 params$/m);
		assert.match(await hover(training, 'model.f'), /the largest batch that fits is/);
	});
	vscode.window.activeNotebookEditor.revealRange(new vscode.NotebookRange(4, 5));
	await page({ picture: 'notebook-light' });
	await check('the page is shown beside a notebook', async () => {
		const [lens] = await lenses(training);
		await vscode.commands.executeCommand(lens.command.command, ...lens.command.arguments);
		await pageSays('photos.ipynb:cell 4:1:9');
		await page({ picture: 'notebook-panel' });
		await vscode.commands.executeCommand('workbench.action.closeEditorsInOtherGroups');
		await vscode.window.showNotebookDocument(photos);
	});
	await check('a quick fix changes the number in its cell', async () => {
		const found = finding(batch, 'TFM601');
		const fixes = await actions(batch, 'quickfix', found.range);
		const smaller = fixes.find(a => /^Train with a batch of \d+/.test(a.title));
		assert.ok(smaller, fixes.map(a => a.title).join('\n'));
		assert.ok(await vscode.workspace.applyEdit(smaller.edit));
		assert.doesNotMatch(batch.getText(), /768/);
		await vanishes(batch, 'TFM601');
	});
	await check('the command Fix All mends all cells', async () => {
		await appears(batch, 'TFM101');
		await vscode.commands.executeCommand('tfmem.fixAll');
		assert.match(photos.cellAt(1).document.getText(), /^%load_ext tensorboard\nimport tensorflow as tf\n[^]*set_memory_growth\(gpu, True\)/);
		await vanishes(batch, 'TFM101');
	});
	await check('what may stand in a comment of ours is completed in a cell', async () => {
		await type(model, model.lineAt(0).range.end, '  # tfmem: ');
		assert.ok((await completions(model, '# tfmem: ')).includes('ignore-file'));
		await vscode.commands.executeCommand('undo');
	});
	await photos.save();
	const run = await notebook('failed.ipynb');
	const failed = run.cellAt(3).document;
	await check('what a cell printed before it failed is explained on it, with a fix', async () => {
		const found = await appears(failed, 'TFM801');
		assert.match(found.message, /1\.07 GiB|MiB/);
		await page({ picture: 'notebook-failed' });
		const fixes = await actions(failed, 'quickfix', found.range);
		assert.ok(fixes.some(a => /^Train with a batch of \d+/.test(a.title)), fixes.map(a => a.title).join('\n'));
	});
	await check('a finding about a run goes with its output', async () => {
		await vscode.commands.executeCommand('notebook.clearAllCellsOutputs');
		await vanishes(failed, 'TFM801');
		await vscode.commands.executeCommand('undo');
	});
	await vscode.commands.executeCommand('workbench.action.files.revert');
	const living = await notebook('living.ipynb');
	const title = async () => (await lenses(living.cellAt(2).document))[0]?.command.title ?? '';
	await check('what lives in the kernel counts once somebody says so, and no longer', async () => {
		await waitFor('the lens', async () => /^not priced: /.test(await title()));
		await vscode.commands.executeCommand('tfmem.useKernel');
		await waitFor('the price', async () => /^≈ [\d.]+ [KM]iB.* fits/.test(await title()));
		await page({ picture: 'notebook-kernel' });
		await vscode.commands.executeCommand('tfmem.useKernel');
		await waitFor('the lens', async () => /^not priced: /.test(await title()));
	});
}

// What the panel and the lens say where something is not known.
async function unknown() {
	const lost = await open('unknown.py');
	await check('the page says what is not priced, and what nothing is compared with', async () => {
		await having('gpu', 'none', async () => {
			await waitFor('the lens', async () => /^not priced: /.test((await lenses(lost))[1]?.command.title ?? ''));
			await vscode.commands.executeCommand('tfmem.showEstimate');
			await pageSays('No GPU is known to weigh it against');
			const { text } = await shownPage();
			assert.match(text, /Warning: fit at unknown\.py:12:7 is not priced: .*mine\.build/);
			await page({ picture: 'panel-unknown' });
		});
	});
	await vscode.commands.executeCommand('workbench.action.closeEditorsInOtherGroups');
}

exports.run = async () => {
	await vscode.commands.executeCommand('workbench.action.closeSidebar');
	await script();
	await more();
	await cells();
	await unknown();
	await dark();
	await vscode.commands.executeCommand('workbench.action.closeAllEditors');
};
