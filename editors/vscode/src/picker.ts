// Lets the user choose the GPU that models are compared with, and writes it into the settings.

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { ConfigurationTarget, Memento, QuickPickItem, QuickPickItemKind, Uri, window, workspace } from 'vscode';

import { Choice, choices, chosen, KnownGpu, Status } from './gpu';

const recently = 'tfmem.gpus';

/** Asks the user, and sets tfmem.gpu in the workspace of a document, or in user settings where there is none. */
export async function chooseGpu(document: Uri | undefined, program: string, found: () => Promise<Status | undefined>, memory: Memento): Promise<void> {
	const recent = memory.get<string[]>(recently, []);
	const value = await pick(Promise.all([found(), catalogue(program)]).then(([status, known]) => choices(status, recent, known)));
	if (value === undefined) {
		return;
	}
	// The cell of a notebook is in the folder of that.
	const folder = workspace.getWorkspaceFolder(Uri.file(document?.fsPath ?? '')) ?? workspace.workspaceFolders?.[0];
	const target = !folder || !workspace.isTrusted ? ConfigurationTarget.Global // others do not count
		: workspace.workspaceFolders!.length > 1 ? ConfigurationTarget.WorkspaceFolder : ConfigurationTarget.Workspace;
	await workspace.getConfiguration('tfmem', folder?.uri).update('gpu', value, target);
	await memory.update(recently, chosen(recent, value));
	const status = await found();
	if (status?.source === 'TFMEM_GPU') {
		void window.showWarningMessage('tfmem: the environment variable TFMEM_GPU goes before the GPU that you chose. Unset it, and start VS Code again.');
	}
}

async function catalogue(program: string): Promise<KnownGpu[]> {
	try {
		const { stdout } = await promisify(execFile)(program, ['gpu', '--list', '--output-format', 'json'], { timeout: 10_000 });
		return JSON.parse(stdout);
	} catch {
		return []; // a size or a name can be typed
	}
}

type Item = QuickPickItem & { value?: string };

// Lets the user pick one or type another. VS Code would close a list that is not shown at once.
function pick(offered: Promise<Choice[]>): Promise<string | undefined> {
	const list = window.createQuickPick<Item>();
	list.title = 'The GPU that models are compared with';
	list.placeholder = 'A name, a size such as 24GiB, or a file of tfmem gpu --output-format json';
	list.matchOnDescription = true;
	list.busy = true;
	let items: Item[] = [];
	const fill = () => {
		const typed = list.value.trim();
		list.items = typed && !items.some(item => item.value === typed) ? [...items, { label: `Use "${typed}"`, value: typed, alwaysShow: true }] : items;
	};
	void offered.then(all => {
		all.forEach((choice, i) => {
			if (choice.section !== all[i - 1]?.section) {
				items.push({ label: choice.section, kind: QuickPickItemKind.Separator });
			}
			items.push(choice);
		});
		list.busy = false;
		fill();
	});
	list.onDidChangeValue(fill);
	list.show();
	return new Promise(resolve => {
		list.onDidAccept(() => {
			resolve(list.selectedItems[0]?.value);
			list.hide();
		});
		list.onDidHide(() => {
			resolve(undefined);
			list.dispose();
		});
	});
}
