// The page of a rule, which the server has as a file. VS Code would show a file that a
// finding links to as text; a link to a command shows it as a page.

import { commands, Diagnostic, Disposable, ColorThemeKind, Uri, ViewColumn, WebviewPanel, window, workspace } from 'vscode';
import type { Middleware } from 'vscode-languageclient/node';

import { inTheme } from './page';

const command = 'tfmem.showRule';
const isPage = /[\\/]TFM\d{3}\.html$/;

export class RulePanel implements Disposable {
	private panel: WebviewPanel | undefined;
	private readonly registered = commands.registerCommand(command, (file: unknown) => this.show(file));

	/** Shows a page that the server wrote; other files are not shown. */
	private async show(file: unknown): Promise<void> {
		if (typeof file !== 'string' || !isPage.test(file)) {
			return;
		}
		let html;
		try {
			html = new TextDecoder().decode(await workspace.fs.readFile(Uri.file(file)));
		} catch (error) {
			void window.showWarningMessage(`tfmem: the page of the rule cannot be read: ${error instanceof Error ? error.message : error}`);
			return;
		}
		if (!this.panel) {
			this.panel = window.createWebviewPanel('tfmem.rule', '', { viewColumn: ViewColumn.Beside, preserveFocus: true }, { localResourceRoots: [], enableFindWidget: true });
			this.panel.onDidDispose(() => this.panel = undefined);
		} else {
			this.panel.reveal(undefined, true);
		}
		const theme = window.activeColorTheme.kind;
		this.panel.title = file.replace(/^.*[\\/]|\.html$/g, '');
		this.panel.webview.html = inTheme(html, theme === ColorThemeKind.Dark || theme === ColorThemeKind.HighContrast);
	}

	dispose(): void {
		this.registered.dispose();
		this.panel?.dispose();
	}
}

/** Has findings link to the command, whichever way they come. */
export const linksToPages: Pick<Middleware, 'handleDiagnostics' | 'provideDiagnostics' | 'provideWorkspaceDiagnostics'> = {
	handleDiagnostics: (uri, diagnostics, next) => next(uri, linked(diagnostics)),
	provideDiagnostics: async (document, previous, token, next) => {
		const report = await next(document, previous, token);
		if (report && 'items' in report) {
			linked(report.items);
		}
		return report;
	},
	provideWorkspaceDiagnostics: (previous, token, reporter, next) => next(previous, token, chunk => {
		for (const report of chunk?.items ?? []) {
			if ('items' in report) {
				linked(report.items);
			}
		}
		reporter(chunk);
	}),
};

function linked(diagnostics: Diagnostic[]): Diagnostic[] {
	for (const { code } of diagnostics) {
		if (code && typeof code === 'object' && code.target.scheme === 'file' && isPage.test(code.target.path)) {
			code.target = Uri.parse(`command:${command}?${encodeURIComponent(JSON.stringify([code.target.fsPath]))}`);
		}
	}
	return diagnostics;
}
