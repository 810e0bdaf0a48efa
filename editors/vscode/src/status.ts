// Shows behind the braces in the status bar which GPU models are compared with.

import { Disposable, DocumentSelector, languages, window } from 'vscode';
import { LanguageClient } from 'vscode-languageclient/node';

import { inWords, Status } from './gpu';

/** The item of one client, which has started; it lives as long as that does. */
export class StatusItem implements Disposable {
	private readonly item;
	private readonly listener: Disposable;
	private questions = 0;

	constructor(private readonly client: LanguageClient, private readonly documents: DocumentSelector) {
		this.item = languages.createLanguageStatusItem('tfmem.gpu', documents);
		this.item.name = 'tfmem';
		this.item.text = 'tfmem';
		this.item.command = { command: 'tfmem.chooseGpu', title: 'Choose GPU' };
		// Settings may name the GPU, of one folder another than of the next.
		this.listener = window.onDidChangeActiveTextEditor(() => void this.update());
		void this.update();
	}

	/** Has the server look for GPUs again, and tells the user what it found. */
	async detect(): Promise<Status | undefined> {
		const found = await this.ask({ detect: true });
		if (found) {
			void this.update();
			void window.showInformationMessage(`tfmem: ${found.summary}.`);
		}
		return found;
	}

	/** The GPUs of the machine, or those that the environment names. */
	machine(): Promise<Status | undefined> {
		return this.ask({});
	}

	async update(): Promise<void> {
		const document = window.activeTextEditor?.document;
		if (!document || !languages.match(this.documents, document)) {
			return; // the item is not to be seen
		}
		const question = ++this.questions;
		this.item.busy = true;
		const status = await this.ask({ textDocument: this.client.code2ProtocolConverter.asTextDocumentIdentifier(document) });
		if (question !== this.questions) {
			return; // there is a newer one
		}
		this.item.busy = false;
		if (status) {
			Object.assign(this.item, inWords(status));
		}
	}

	dispose(): void {
		this.questions++;
		this.listener.dispose();
		this.item.dispose();
	}

	private async ask(params: object): Promise<Status | undefined> {
		try {
			return await this.client.sendRequest<Status>('tfmem/gpu', params);
		} catch {
			return undefined; // the server ends
		}
	}
}
