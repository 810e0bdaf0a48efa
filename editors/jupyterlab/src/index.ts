// The extension of JupyterLab and Notebook 7: findings in cells and files, and the panel.
import type { JupyterFrontEnd, JupyterFrontEndPlugin } from '@jupyterlab/application';
import { ICommandPalette, IThemeManager, Notification } from '@jupyterlab/apputils';
import { EditorExtensionRegistry, IEditorExtensionRegistry } from '@jupyterlab/codemirror';
import type { IDocumentWidget } from '@jupyterlab/docregistry';
import { IEditorTracker } from '@jupyterlab/fileeditor';
import { INotebookTracker } from '@jupyterlab/notebook';
import type { Widget } from '@lumino/widgets';
import { Document, file, notebook } from './document';
import { marking } from './marks';
import { Panel } from './page';

const COMMAND = 'tfmem:show-estimate';

const plugin: JupyterFrontEndPlugin<void> = {
	id: 'tfmem:plugin',
	description: 'Shows what wastes GPU memory in notebooks, and what their models need.',
	autoStart: true,
	requires: [IEditorExtensionRegistry],
	optional: [INotebookTracker, IEditorTracker, ICommandPalette, IThemeManager],
	activate(
		app: JupyterFrontEnd,
		editors: IEditorExtensionRegistry,
		notebooks: INotebookTracker | null,
		files: IEditorTracker | null,
		palette: ICommandPalette | null,
		themes: IThemeManager | null,
	) {
		editors.addExtension({
			name: 'tfmem',
			factory: ({ model }) => EditorExtensionRegistry.createImmutableExtension(marking(model.sharedModel)),
		});

		const panel = new Panel(() => themes?.theme != null && !themes.isLight(themes.theme));
		app.shell.add(panel, 'right', { rank: 900 });
		themes?.themeChanged.connect(() => panel.draw());
		app.commands.addCommand(COMMAND, { label: 'Show GPU Memory Estimate', execute: () => app.shell.activateById(panel.id) });
		palette?.addItem({ command: COMMAND, category: 'tfmem' });

		let complaint = '';
		const complain = (why: string) => {
			if (why && why !== complaint) {
				Notification.warning('tfmem: ' + why, { autoClose: false });
			}
			complaint = why;
		};

		const open = new Map<Widget, Document>();
		const followCurrent = () => {
			const current = app.shell.currentWidget;
			// A terminal or a help page between does not matter.
			if (current && open.has(current) || !panel.followed || !open.size) {
				panel.follow(current ? open.get(current) : undefined);
			}
		};
		const add = (widget: IDocumentWidget, content: () => ReturnType<typeof file>) => {
			void widget.context.ready.then(() => {
				if (widget.isDisposed) {
					return;
				}
				const document = new Document(content(), () => app.serviceManager.contents.localPath(widget.context.path), complain);
				open.set(widget, document);
				widget.context.model.contentChanged.connect(document.touch, document);
				widget.context.pathChanged.connect(document.touch, document);
				widget.context.fileChanged.connect(document.recheck, document);
				widget.disposed.connect(() => {
					open.delete(widget);
					document.dispose();
					if (panel.followed === document) {
						panel.follow(undefined);
					}
				});
				document.touch();
				followCurrent();
			});
		};
		notebooks?.widgetAdded.connect((_, widget) => add(widget, () => notebook(widget.content.model!)));
		files?.widgetAdded.connect((_, widget) => add(widget, () => file(widget)));
		app.shell.currentChanged?.connect(followCurrent);
	},
};

export default plugin;
