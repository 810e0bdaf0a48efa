// Starts `tfmem server` for Python files, notebooks and tfmem's settings, and keeps
// it in step with the settings of the extension itself. What the server makes of
// its own settings it asks for.

import * as os from 'node:os';
import { commands, env, ExtensionContext, LogOutputChannel, Uri, window, workspace } from 'vscode';
import { LanguageClient } from 'vscode-languageclient/node';

import { findBinary } from './binary';
import { fixAll } from './fix';
import { Place } from './page';
import { EstimatePanel } from './panel';
import { StatusItem } from './status';

const python = [
	{ scheme: 'file', language: 'python' },
	{ scheme: 'untitled', language: 'python' },
	{ scheme: 'vscode-notebook-cell', language: 'python' },
];
// What "Reopen Editor With…" shows of a notebook: the text of its file.
const listings = { scheme: 'file', language: 'json', pattern: '**/*.ipynb' };
// VS Code by itself takes TOML for plain text.
const settingsFiles = { scheme: 'file', pattern: '**/{pyproject.toml,tfmem.toml,.tfmem.toml}' };

let client: LanguageClient | undefined;
let status: StatusItem | undefined;
let panel: EstimatePanel;
let log: LogOutputChannel;

// Starts and stops happen one after another, whoever asks for them.
let queue: Promise<void> = Promise.resolve();

function enqueue(step: () => Promise<void>): Promise<void> {
	queue = queue.then(step, step);
	return queue;
}

export async function activate(context: ExtensionContext): Promise<void> {
	const restart = () => enqueue(async () => {
		await stop();
		await start(context);
	});
	log = window.createOutputChannel('tfmem', { log: true });
	panel = new EstimatePanel(askForPage);
	context.subscriptions.push(
		log,
		panel,
		commands.registerCommand('tfmem.restart', restart),
		commands.registerCommand('tfmem.fixAll', fixAll),
		commands.registerCommand('tfmem.showLogs', () => log.show()),
		workspace.onDidChangeConfiguration(event => {
			if (event.affectsConfiguration('tfmem.enable') || event.affectsConfiguration('tfmem.path')) {
				void restart();
			}
		}),
		// An untrusted workspace's own tfmem.path was ignored so far.
		workspace.onDidGrantWorkspaceTrust(restart),
	);
	await restart();
}

export function deactivate(): Promise<void> {
	return enqueue(stop);
}

async function start(context: ExtensionContext): Promise<void> {
	const settings = workspace.getConfiguration('tfmem');
	if (!settings.get<boolean>('enable')) {
		return;
	}
	const configured = settings.get<string>('path', '');
	const command = findBinary({
		configured,
		extension: context.extensionPath,
		searchPath: process.env.PATH ?? '',
		home: os.homedir(),
		windows: process.platform === 'win32',
	});
	if (!command) {
		// Not awaited: the message may stay unanswered for as long as VS Code runs.
		void adviseOnMissing(configured);
		return;
	}
	client = new LanguageClient(
		'tfmem', // as the prefix of tfmem.trace.server, which the client reads itself
		'tfmem',
		{ command, args: ['server'] },
		{
			documentSelector: [...python, listings, settingsFiles],
			outputChannel: log,
			initializationOptions: { tfmemStatus: true },
			middleware: {
				// The client makes a command of each that the server has.
				executeCommand: (name, args, next) => {
					switch (name) {
						case 'tfmem.showEstimate': return panel.show(args);
						case 'tfmem.detectGpu': return status?.detect();
						default: return next(name, args);
					}
				},
			},
			// By itself the client pulls when a document is opened, and never again.
			diagnosticPullOptions: { onChange: true, onSave: true },
			// Not tried again: the message below, which names the program, follows.
			initializationFailedHandler: () => false,
		},
	);
	try {
		await client.start();
		status = new StatusItem(client, python);
		client.onNotification('tfmem/status', () => {
			void status?.update();
			void panel.update();
		});
		await commands.executeCommand('setContext', 'tfmem.running', true);
	} catch (error) {
		void window.showErrorMessage(`tfmem: ${command} did not start as a language server: ${error}`);
		await stop();
	}
}

async function stop(): Promise<void> {
	const stopping = client;
	client = undefined;
	status?.dispose();
	status = undefined;
	await commands.executeCommand('setContext', 'tfmem.running', false);
	try {
		await stopping?.dispose();
	} catch {
		// A server that crashed or never started cannot be asked to stop.
	}
}

async function askForPage(document: Uri, place: Place | undefined): Promise<string> {
	if (!client) {
		throw new Error('the server does not run');
	}
	const args = [client.code2ProtocolConverter.asUri(document), ...(place ? [place] : [])];
	return client.sendRequest<string>('workspace/executeCommand', { command: 'tfmem.showEstimate', arguments: args });
}

async function adviseOnMissing(configured: string): Promise<void> {
	const openSettings = 'Open Settings', howToInstall = 'How to Install';
	const message = configured
		? `tfmem: the setting tfmem.path is ${configured}, where there is no program. Give the absolute path of tfmem, or clear the setting to use the one on PATH.`
		: 'tfmem: no tfmem program on PATH. Install it, or set tfmem.path to where it is.';
	switch (await window.showErrorMessage(message, openSettings, howToInstall)) {
		case openSettings:
			await commands.executeCommand('workbench.action.openSettings', 'tfmem.path');
			break;
		case howToInstall:
			await env.openExternal(Uri.parse('https://github.com/tfmem/tfmem#readme'));
			break;
	}
}
