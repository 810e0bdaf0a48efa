// Which Python the user has selected. The Python extension knows; where there is none, its setting
// may say.

import * as os from 'node:os';
import * as path from 'node:path';
import { Disposable, Event, extensions, Uri, workspace } from 'vscode';

import { interpreterIn } from './binary';

/** What is used of the API of the Python extension. */
interface PythonExtension {
	environments: {
		/** The path is that of the interpreter, or of the environment's folder. */
		getActiveEnvironmentPath(resource?: Uri): { path: string };
		onDidChangeActiveEnvironmentPath: Event<unknown>;
	};
}

const patience = 5000; // ms; whoever opens a file waits

/** The Python extension's API, or undefined where there is none. It comes late at most once. */
async function api(): Promise<PythonExtension['environments'] | undefined> {
	const extension = extensions.getExtension<PythonExtension>('ms-python.python');
	try {
		return (await extension?.activate())?.environments;
	} catch {
		return undefined; // which its own messages tell of
	}
}

/** Interpreters and folders of environments, the best first. None, where nothing of the workspace is trusted. */
export async function environments(): Promise<string[]> {
	if (!workspace.isTrusted) {
		return [];
	}
	const python = await Promise.race([api(), new Promise<undefined>(resolve => setTimeout(() => resolve(undefined), patience))]);
	const folders = workspace.workspaceFolders ?? [];
	const selected = (folder?: Uri) => python
		? python.getActiveEnvironmentPath(folder).path
		: interpreterIn(folder?.fsPath ?? '', workspace.getConfiguration('python', folder).get('defaultInterpreterPath', ''), os.homedir());
	return [
		...(folders.length > 0 ? folders.map(folder => selected(folder.uri)) : [selected()]),
		...folders.map(folder => path.join(folder.uri.fsPath, '.venv')),
	].filter(environment => environment !== undefined);
}

/** Calls back when another Python may be selected. */
export function onDidSelect(callback: () => void): Disposable {
	const listeners = [workspace.onDidChangeConfiguration(event => event.affectsConfiguration('python.defaultInterpreterPath') && callback())];
	let ended = false;
	void api().then(python => {
		if (python && !ended) {
			listeners.push(python.onDidChangeActiveEnvironmentPath(callback));
			callback(); // it may have come late
		}
	});
	return new Disposable(() => {
		ended = true;
		listeners.forEach(listener => listener.dispose());
	});
}
