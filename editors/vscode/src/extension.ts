// Starts `tfmem server` for Python files, notebooks and tfmem's settings, and keeps
// it in step with the settings of the extension itself. What the server makes of
// its own settings it asks for.

import * as os from 'node:os';
import { commands, Disposable, ExtensionContext, languages, Location, LogOutputChannel, Position, TextDocument, Uri, window, workspace } from 'vscode';
import { CloseAction, CloseHandlerResult, ErrorAction, LanguageClient } from 'vscode-languageclient/node';

import { findBinary, Places, safePath } from './binary';
import { Crashes } from './crashes';
import { fixAll } from './fix';
import { Kernels } from './kernel';
import { Place } from './page';
import { middleware, resend } from './notebooks';
import { EstimatePanel } from './panel';
import { chooseGpu } from './picker';
import { linksToPages, RulePanel } from './rule';
import { environments, onDidSelect } from './python';
import { Declared, said } from './settings';
import { StatusItem } from './status';
import { isOlder } from './version';

const python = [
	{ scheme: 'file', language: 'python' },
	{ scheme: 'untitled', language: 'python' },
	{ scheme: 'vscode-notebook-cell', language: 'python' },
];
// What "Reopen Editor With…" shows of a notebook: the text of its file.
const listings = { scheme: 'file', language: 'json', pattern: '**/*.ipynb' };
// VS Code by itself takes TOML for plain text.
const settingsFiles = { scheme: 'file', pattern: '**/{pyproject.toml,tfmem.toml,.tfmem.toml}' };
const documents = [...python, listings, settingsFiles];

let client: LanguageClient | undefined;
let status: StatusItem | undefined;
let panel: EstimatePanel;
let log: LogOutputChannel;

// The program that was started last, if there was one to start.
let program: string | undefined;
let selection: Disposable | undefined;

// Whether there was ever anything for a server to do: a workspace without Python has none.
let needed = false;

// Starts and stops happen one after another, whoever asks for them.
let queue: Promise<void> = Promise.resolve();

function enqueue(step: () => Promise<void>): Promise<void> {
	queue = queue.then(step, step);
	return queue;
}

export async function activate(context: ExtensionContext): Promise<void> {
	const again = async () => {
		await stop();
		await start(context);
	};
	const selected = () => void enqueue(async () => {
		if (findBinary(await places(context)) !== program) {
			await again();
		}
	});
	const restart = () => {
		needed = true;
		selection?.dispose();
		selection = onDidSelect(selected);
		return enqueue(again);
	};
	const opened = (document: TextDocument) => {
		if (!needed && languages.match(documents, document)) {
			void restart();
		}
	};
	log = window.createOutputChannel('tfmem', { log: true });
	panel = new EstimatePanel(askForPage);
	const kernels = new Kernels(() => client);
	context.subscriptions.push(
		log,
		panel,
		kernels,
		commands.registerCommand('tfmem.useKernel', () => kernels.toggle()),
		new RulePanel(),
		commands.registerCommand('tfmem.restart', restart),
		commands.registerCommand('tfmem.fixAll', fixAll),
		commands.registerCommand('tfmem.chooseGpu', async (document?: string) => {
			if (program) {
				await chooseGpu(document ? Uri.parse(document) : window.activeTextEditor?.document.uri, program, async () => status?.machine(), context.globalState);
			}
		}),
		commands.registerCommand('tfmem.showCause', async (document: string, at: { line: number; character: number }) => {
			const place = new Position(at.line, at.character), uri = Uri.parse(document);
			await commands.executeCommand('editor.action.goToLocations', uri, place, [new Location(uri, place)], 'goto', '');
		}),
		commands.registerCommand('tfmem.showLogs', () => log.show()),
		workspace.onDidOpenTextDocument(opened),
		workspace.onDidChangeConfiguration(event => {
			if (needed && (event.affectsConfiguration('tfmem.enable') || event.affectsConfiguration('tfmem.path'))) {
				void restart();
			}
		}),
		workspace.onDidChangeNotebookDocument(change => client && resend(client, change)),
		// A program in an untrusted workspace was not run so far.
		workspace.onDidGrantWorkspaceTrust(() => needed && restart()),
	);
	workspace.textDocuments.forEach(opened);
	if (workspace.getConfiguration('tfmem').get('diagnosticMode') === 'workspace') {
		void restart();
	}
	await queue;
}

export function deactivate(): Promise<void> {
	selection?.dispose();
	return enqueue(stop);
}

const windows = process.platform === 'win32';
const pathVariable = Object.keys(process.env).find(name => name.toUpperCase() === 'PATH') ?? 'PATH';

// Where the program is looked for.
async function places(context: ExtensionContext): Promise<Places> {
	return {
		configured: workspace.getConfiguration('tfmem').get<string>('path', ''),
		environments: await environments(),
		searchPath: process.env[pathVariable] ?? '',
		extension: context.extensionPath,
		distrusted: workspace.isTrusted ? [] : (workspace.workspaceFolders ?? []).map(folder => folder.uri.fsPath),
		home: os.homedir(),
		windows,
	};
}

async function start(context: ExtensionContext): Promise<void> {
	program = undefined;
	if (!workspace.getConfiguration('tfmem').get<boolean>('enable')) {
		return;
	}
	const where = await places(context);
	const command = program = findBinary(where);
	if (!command) {
		// Not awaited: the message may stay unanswered for as long as VS Code runs.
		void adviseOnMissing(where);
		return;
	}
	log.info(`runs ${command}`);
	const { version, contributes } = context.extension.packageJSON as { version: string; contributes: { configuration: { properties: Declared } } };
	const crashes = new Crashes();
	let started = false;
	client = new LanguageClient(
		'tfmem', // as the prefix of tfmem.trace.server, which the client reads itself
		'tfmem',
		// The server looks for what asks the driver on the PATH.
		{ command, args: ['server'], options: { env: { ...process.env, [pathVariable]: safePath(where).join(windows ? ';' : ':') } } },
		{
			documentSelector: documents,
			outputChannel: log,
			initializationOptions: { tfmemStatus: true, tfmemCommands: ['tfmem.showEstimate', 'tfmem.chooseGpu', 'tfmem.showCause'] },
			middleware: {
				...linksToPages,
				// The client makes a command of each that the server has.
				executeCommand: (name, args, next) => {
					switch (name) {
						case 'tfmem.showEstimate': return panel.show(args);
						case 'tfmem.detectGpu': return status?.detect();
						default: return next(name, args);
					}
				},
				notebooks: middleware,
				workspace: {
					configuration: async (params, token, next) => {
						const answers = await next(params, token);
						return Array.isArray(answers) ? answers.map((answer, i) => said(params.items[i].section ?? '', answer, contributes.configuration.properties)) : answers;
					},
					// The server asks.
					didChangeConfiguration: (_sections, next) => next(undefined),
				},
			},
			errorHandler: {
				// A server that crashes breaks the connection as often as it is written to, and
				// then closes it. To shut down at that would be not to start it again.
				error: () => ({ action: ErrorAction.Continue, handled: true }),
				closed: (): CloseHandlerResult => {
					if (!started) {
						return { action: CloseAction.DoNotRestart, handled: true }; // which is told below
					}
					if (!crashes.tooMany(Date.now())) {
						return { action: CloseAction.Restart, handled: true };
					}
					void enqueue(stop);
					void adviseOnCrashes();
					return { action: CloseAction.DoNotRestart, handled: true };
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
		started = true;
		const server = client.initializeResult?.serverInfo?.version;
		if (isOlder(server, version)) {
			void adviseOnOld(command, server, version);
		}
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

const openSettings = 'Open Settings', howToInstall = 'How to Install', manageTrust = 'Manage Workspace Trust';
const restartServer = 'Restart', showLog = 'Show Log';

// What the buttons of messages do.
async function follow(choice: string | undefined): Promise<void> {
	switch (choice) {
		case openSettings:
			await commands.executeCommand('workbench.action.openSettings', 'tfmem.path');
			break;
		case howToInstall:
			await commands.executeCommand('extension.open', 'tfmem.tfmem');
			break;
		case manageTrust:
			await commands.executeCommand('workbench.trust.manage');
			break;
		case restartServer:
			await commands.executeCommand('tfmem.restart');
			break;
		case showLog:
			await commands.executeCommand('tfmem.showLogs');
			break;
	}
}

async function adviseOnMissing(places: Places): Promise<void> {
	const { configured } = places;
	const distrusted = findBinary({ ...places, distrusted: [] });
	if (distrusted) {
		await follow(await window.showWarningMessage(
			`tfmem: ${distrusted} is not run, as it lies in this workspace, which is not trusted. Trust the workspace, or install tfmem elsewhere.`,
			manageTrust, howToInstall));
		return;
	}
	await follow(await window.showErrorMessage(configured
		? `tfmem: the setting tfmem.path is ${configured}, where there is no program. Give the absolute path of tfmem, or clear the setting to use the one that pip installed.`
		: 'tfmem: no tfmem program in the selected Python environment, in .venv or on PATH. Install it, or set tfmem.path to where it is.',
	openSettings, howToInstall));
}

async function adviseOnOld(command: string, server: string | undefined, own: string): Promise<void> {
	await follow(await window.showWarningMessage(
		`tfmem: ${command} is ${server ? `version ${server}` : 'of an unknown version'}, older than this extension, ${own}; some of what it shows may be missing. Update it, or clear tfmem.path.`,
		openSettings, howToInstall));
}

async function adviseOnCrashes(): Promise<void> {
	await follow(await window.showErrorMessage('tfmem: the server crashed 5 times in 3 minutes and is not started again. The log says why.', restartServer, showLog));
}
