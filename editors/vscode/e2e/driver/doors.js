// How tfmem gets in: the program that is run, what is said where that is missing, old or
// crashes, the settings editor and the walkthrough.

const assert = require('node:assert/strict');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const vscode = require('vscode');

const { appears, check, inFolder, open, page, vanishes, waitFor } = require('./editor');

const settings = () => vscode.workspace.getConfiguration('tfmem');
const extension = () => vscode.extensions.getExtension('tfmem.tfmem');
const notifications = () => page({ read: '.notification-toast' });

// Waits for a message on the screen, with its buttons.
async function told(pattern, ...buttons) {
	const seen = new Set();
	try {
		await waitFor(String(pattern), async () => {
			const text = await notifications();
			seen.add(text);
			return pattern.test(text) && buttons.every(b => text.split('\n').includes(b));
		});
	} catch (error) {
		throw new Error(`${error.message}; on the screen was:\n${[...seen].join('\n')}`);
	}
}

// The processes of a program that this one, the extension host, has started.
function servers(name = 'tfmem') {
	return fs.readdirSync('/proc').filter(pid => /^\d+$/.test(pid)).filter(pid => {
		try {
			const [, comm, ppid] = /\((.*)\) \S (\d+)/.exec(fs.readFileSync(`/proc/${pid}/stat`, 'utf8'));
			return comm === name && Number(ppid) === process.pid;
		} catch {
			return false; // it is gone by now
		}
	}).map(Number);
}

// Whether no server analyses a text: each notes in a record, in slots of 256 bytes, which it does.
function idle() {
	const folder = path.join(process.env.XDG_CACHE_HOME || path.join(os.homedir(), '.cache'), 'tfmem', 'running');
	const records = fs.readdirSync(folder).filter(name => name.endsWith('.running')).map(name => fs.readFileSync(path.join(folder, name)));
	return records.length > 0 && records.every(record => record.every((byte, at) => at % 256 !== 0 || byte === 0));
}

// A server that speaks the protocol and knows nothing: one of long ago.
const old = `#!${process.execPath}
let text = '';
process.stdin.on('data', chunk => {
	text += chunk;
	for (let m; (m = /Content-Length: (\\d+)\\r\\n\\r\\n/.exec(text)) && text.length >= m.index + m[0].length + Number(m[1]);) {
		const body = JSON.parse(text.slice(m.index + m[0].length, m.index + m[0].length + Number(m[1])));
		text = text.slice(m.index + m[0].length + Number(m[1]));
		if (body.method === 'exit') process.exit();
		if (body.id === undefined) continue;
		const answer = body.method === 'initialize' ? { result: { capabilities: {}, serverInfo: { name: 'tfmem', version: '0.0.9' } } }
			: body.method === 'shutdown' ? { result: null } : { error: { code: -32601, message: 'not known' } };
		const reply = JSON.stringify({ jsonrpc: '2.0', id: body.id, ...answer });
		process.stdout.write('Content-Length: ' + Buffer.byteLength(reply) + '\\r\\n\\r\\n' + reply);
	}
});
`;

// Waits until the only server is one program.
async function runs(file) {
	await waitFor(file, () => {
		const [pid, ...others] = servers();
		try {
			return pid && others.length === 0 && fs.readlinkSync(`/proc/${pid}/exe`) === file;
		} catch {
			return false; // it is gone by now
		}
	});
}

// Where pip put tfmem: a folder of its own, the project's .venv, and the PATH.
async function environments(document) {
	const scratch = path.dirname(inFolder('.').fsPath), venv = inFolder('.venv').fsPath;
	const [selected, ofVenv, onPath] = [path.join(scratch, 'env'), venv, scratch].map(folder => path.join(folder, 'bin', 'tfmem'));
	const python = vscode.workspace.getConfiguration('python');
	await check('the server is that of .venv, if no Python is selected', () => runs(ofVenv));
	await check('the interpreter that a setting names goes before .venv', async () => {
		await python.update('defaultInterpreterPath', '${workspaceFolder}/../env/bin/python', vscode.ConfigurationTarget.Workspace);
		await runs(selected);
		await appears(document, 'TFM101');
		await python.update('defaultInterpreterPath', undefined, vscode.ConfigurationTarget.Workspace);
		await runs(ofVenv);
	});
	await check('selecting another interpreter in the Python extension runs the server of that', async () => {
		const stub = vscode.extensions.getExtension('ms-python.python').exports;
		stub.select(path.join(scratch, 'env', 'bin', 'python'));
		await vscode.commands.executeCommand('tfmem.restart');
		await runs(selected);
		await appears(document, 'TFM101');
		stub.select('/nowhere/bin/python');
		await runs(ofVenv);
		fs.renameSync(venv, `${venv}-gone`);
		stub.select('/nowhere/else/bin/python');
		await runs(onPath);
		stub.select(path.join(scratch, 'env')); // the folder of an environment
		await runs(selected);
		const [before] = servers();
		stub.select(path.join(scratch, 'env', 'bin', 'python'));
		await new Promise(resolve => setTimeout(resolve, 1000));
		assert.deepEqual(servers(), [before], 'the same program was started again');
		stub.select('/nowhere/bin/python');
		await runs(onPath);
		await appears(document, 'TFM101');
	});
}

async function program() {
	const document = vscode.window.activeTextEditor.document;
	await environments(document);
	await check('an old server is told of, with what to do', async () => {
		const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'tfmem-old-')), 'tfmem');
		fs.writeFileSync(file, old, { mode: 0o755 });
		await vscode.commands.executeCommand('notifications.clearAll');
		await settings().update('path', file, vscode.ConfigurationTarget.Global);
		await told(/is version 0\.0\.9, older than this extension[^]*Update it/, 'Open Settings', 'How to Install');
		await page({ picture: 'old-server' });
		await vscode.commands.executeCommand('notifications.clearAll');
		await settings().update('path', undefined, vscode.ConfigurationTarget.Global);
		await appears(document, 'TFM101');
		fs.rmSync(path.dirname(file), { recursive: true });
	});
	await check('a server that starts says nothing', async () => {
		await vscode.commands.executeCommand('tfmem.restart');
		await appears(document, 'TFM101');
		assert.equal(await notifications(), '');
	});
	await check('a server that crashes is started again, but not after the fifth time', async () => {
		for (let i = 1; i <= 5; i++) {
			const [pid] = await waitFor(`server ${i}`, () => servers().length === 1 && servers());
			await appears(document, 'TFM101'); // it has started
			await waitFor(`server ${i} at rest`, idle); // the text that it analyses would be left out
			process.kill(pid, 'SIGKILL');
			for (let asked = 0; asked < 6; asked++) {
				void vscode.commands.executeCommand('tfmem.detectGpu'); // its end is not known yet
			}
			await waitFor(`the end of server ${i}`, () => !servers().includes(pid));
		}
		await told(/crashed 5 times in 3 minutes/, 'Restart', 'Show Log');
		assert.deepEqual(servers(), []);
		await page({ picture: 'crashes' });
		await page({ click: '.notification-toast .monaco-button:text-is("Show Log")' });
		await waitFor('the log', () => vscode.window.visibleTextEditors.some(e => e.document.uri.scheme === 'output' && /tfmem/.test(e.document.uri.path)));
		await vscode.commands.executeCommand('workbench.action.closePanel');
		await vscode.commands.executeCommand('tfmem.restart');
		await vscode.window.showTextDocument(document);
		await appears(document, 'TFM101');
	});
	await check('a text that ends the server is left out until it changes', async () => {
		const marker = process.env.TFMEM_TEST_END.split(':')[1];
		const [pid] = await waitFor('the server', () => servers().length === 1 && servers());
		const file = inFolder('ends.py').fsPath;
		fs.writeFileSync(file, `${document.getText()}# ${marker}\n`);
		const ends = await open('ends.py');
		await appears(ends, 'TFM002');
		assert.ok(!servers().includes(pid));
		await appears(document, 'TFM101');
		const edit = new vscode.WorkspaceEdit();
		edit.delete(ends.uri, new vscode.Range(ends.lineCount - 2, 0, ends.lineCount, 0));
		await vscode.workspace.applyEdit(edit);
		await vanishes(ends, 'TFM002');
		await appears(ends, 'TFM101');
		await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
		fs.rmSync(file);
		await vscode.window.showTextDocument(document);
	});
}

async function settingsEditor() {
	const button = '.settings-tree-container .edit-in-settings-button';
	const found = async name => {
		// Those of the remote machine, where code-server runs, are all.
		await vscode.commands.executeCommand('workbench.action.openRemoteSettings', { query: `@id:${name}` });
		await waitFor(name, async () => {
			return await page({ count: '.settings-tree-container .setting-item-contents' }) === 1
				&& (await page({ read: '.settings-tree-container .setting-item-contents' })).includes(name.split('.')[0] === 'tfmem' ? 'Tfmem' : 'Workbench');
		});
		return page({ count: button });
	};
	await check('every setting can be edited in the settings editor', async () => {
		assert.equal(await found('workbench.colorCustomizations'), 1, 'this cannot, and would not be seen');
		for (const name of Object.keys(extension().packageJSON.contributes.configuration.properties)) {
			assert.equal(await found(name), 0, name);
		}
		await vscode.commands.executeCommand('workbench.action.openRemoteSettings', { query: '@ext:tfmem.tfmem' });
		await page({ picture: 'settings' });
		await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
	});
}

async function walkthrough() {
	await check('the walkthrough shows its pictures', async () => {
		await vscode.commands.executeCommand('workbench.action.openWalkthrough', 'tfmem.tfmem#start', false);
		for (const { id, title, media } of extension().packageJSON.contributes.walkthroughs[0].steps) {
			await page({ click: `.getting-started-step:has-text("${title}")` });
			await waitFor(`the picture of ${id}`, () => page({ count: `.getting-started-media img[alt="${media.altText}"]` }));
			await page({ picture: `walkthrough-${id}` });
		}
		await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
	});
}

exports.run = async document => {
	await vscode.window.showTextDocument(document);
	await program();
	await settingsEditor();
	await walkthrough();
	await vscode.window.showTextDocument(document);
};

// A folder that nobody trusts, without Python at first, and with programs of its own that
// leave a file "ran" beside it, by a PATH that begins there; the extension brings tfmem.
exports.untrusted = async () => {
	const evil = inFolder('evil/tfmem').fsPath, ran = path.join(path.dirname(inFolder('.').fsPath), 'ran');
	await check('a workspace without Python has no server', async () => {
		assert.equal(vscode.workspace.isTrusted, false);
		assert.ok(process.env.PATH.split(':').includes(path.dirname(evil)), process.env.PATH);
		await open('Cargo.toml');
		await extension().activate();
		await new Promise(resolve => setTimeout(resolve, 2000));
		assert.deepEqual(servers(), []);
		assert.equal(await notifications(), '');
	});
	let document;
	await check('Python has the server that came with the extension, and nothing of the workspace', async () => {
		document = await open('train.py');
		await appears(document, 'TFM101');
		const [pid, ...others] = servers();
		assert.deepEqual(others, []);
		assert.equal(fs.readlinkSync(`/proc/${pid}/exe`), path.join(extension().extensionPath, 'bin', 'tfmem'));
		await vscode.commands.executeCommand('tfmem.detectGpu'); // which asks programs on the PATH
		assert.ok(!fs.existsSync(ran), 'a program of the workspace ran');
		await vscode.commands.executeCommand('notifications.clearAll');
		await page({ picture: 'untrusted' });
	});
	await check('a program in the workspace is not run though the user names it', async () => {
		await settings().update('path', evil, vscode.ConfigurationTarget.Global);
		await told(/is not run, as it lies in this workspace, which is not trusted/, 'Manage Workspace Trust', 'How to Install');
		await vanishes(document, 'TFM101');
		await page({ picture: 'untrusted-program' });
		await settings().update('path', undefined, vscode.ConfigurationTarget.Global);
		await appears(document, 'TFM101');
	});
	await check('nor where it is the only one on the PATH', async () => {
		const bundled = path.join(extension().extensionPath, 'bin', 'tfmem');
		await vscode.commands.executeCommand('notifications.clearAll');
		fs.renameSync(bundled, `${bundled}-gone`);
		await vscode.commands.executeCommand('tfmem.restart');
		await told(/evil\/tfmem is not run, as it lies/);
		fs.renameSync(`${bundled}-gone`, bundled);
		assert.deepEqual(servers(), []);
		assert.ok(!fs.existsSync(ran), 'a program of the workspace ran');
	});
};
