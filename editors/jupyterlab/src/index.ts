// The extension of JupyterLab and Notebook 7: findings in cells and files, lines above trainings,
// the panel, and the item in the status bar.
import type { JupyterFrontEnd, JupyterFrontEndPlugin } from '@jupyterlab/application';
import { ICommandPalette, InputDialog, IThemeManager, Notification } from '@jupyterlab/apputils';
import { EditorExtensionRegistry, IEditorExtensionRegistry } from '@jupyterlab/codemirror';
import type { IDocumentWidget } from '@jupyterlab/docregistry';
import { type FileEditor, IEditorTracker } from '@jupyterlab/fileeditor';
import { INotebookTracker, type NotebookPanel } from '@jupyterlab/notebook';
import { IRenderMimeRegistry, MimeModel } from '@jupyterlab/rendermime';
import { ISettingRegistry } from '@jupyterlab/settingregistry';
import { IStatusBar } from '@jupyterlab/statusbar';
import type { Widget } from '@lumino/widgets';
import { Document, file, notebook, type Surroundings } from './document';
import { marking } from './marks';
import { Panel } from './page';
import { Asking } from './kernel';
import { gpus, rule } from './server';
import { StatusItem } from './status';

const SHOW = 'tfmem:show-estimate', CHOOSE = 'tfmem:choose-gpu', KERNEL = 'tfmem:use-kernel';

const plugin: JupyterFrontEndPlugin<void> = {
	id: 'tfmem:plugin',
	description: 'Shows what wastes GPU memory in notebooks, and what their models need.',
	autoStart: true,
	requires: [IEditorExtensionRegistry],
	optional: [INotebookTracker, IEditorTracker, ICommandPalette, IThemeManager, ISettingRegistry, IStatusBar, IRenderMimeRegistry],
	activate(
		app: JupyterFrontEnd,
		editors: IEditorExtensionRegistry,
		notebooks: INotebookTracker | null,
		files: IEditorTracker | null,
		palette: ICommandPalette | null,
		themes: IThemeManager | null,
		registry: ISettingRegistry | null,
		bar: IStatusBar | null,
		mime: IRenderMimeRegistry | null,
	) {
		editors.addExtension({
			name: 'tfmem',
			factory: ({ model }) => EditorExtensionRegistry.createImmutableExtension(marking(model.sharedModel)),
		});

		let settings: ISettingRegistry.ISettings | undefined;
		const loaded = registry?.load(plugin.id).then(found => {
			settings = found;
			found.changed.connect(() => open.forEach(document => document.recheck()));
		}).catch(error => complain(String((error as Error).message)));

		const panel = new Panel(() => themes?.theme != null && !themes.isLight(themes.theme));
		const status = new StatusItem(compared => void app.commands.execute(compared ? SHOW : CHOOSE));
		app.shell.add(panel, 'right', { rank: 900 });
		bar?.registerStatusItem('tfmem:status', { item: status, align: 'left', rank: 900 });
		themes?.themeChanged.connect(() => panel.draw());
		app.commands.addCommand(SHOW, { label: 'Show GPU Memory Estimate', execute: () => app.shell.activateById(panel.id) });
		app.commands.addCommand(CHOOSE, {
			label: 'Choose GPU',
			async execute() {
				const items = ['auto', 'none', ...await gpus().catch(() => [])];
				const { value } = await InputDialog.getItem({ title: 'The GPU that models are compared with', label: 'A name, a size such as 24GiB, or a file of tfmem gpu --output-format json', items, editable: true, current: String(settings?.composite.gpu || 'auto') });
				if (value) {
					await settings?.set('gpu', value.trim());
				}
			},
		});
		const asking = new Map<NotebookPanel, Asking>();
		app.commands.addCommand(KERNEL, {
			label: 'Use What the Kernel Knows',
			caption: 'Sizes, numbers and models that the cells leave open are taken from the kernel. It runs no cell for that.',
			isEnabled: () => notebooks?.currentWidget != null && open.has(notebooks.currentWidget),
			isToggled: () => notebooks?.currentWidget != null && asking.has(notebooks.currentWidget),
			execute() {
				const panel = notebooks?.currentWidget, document = panel && open.get(panel);
				if (!document) {
					return;
				}
				const before = asking.get(panel);
				if (before) {
					before.stop();
					asking.delete(panel);
				} else {
					asking.set(panel, new Asking(panel, document, complain));
					panel.disposed.connect(() => {
						asking.get(panel)?.stop();
						asking.delete(panel);
					});
				}
				app.commands.notifyCommandChanged(KERNEL);
			},
		});
		[SHOW, CHOOSE, KERNEL].forEach(command => palette?.addItem({ command, category: 'tfmem' }));

		let complaint = '';
		const complain = (why: string) => {
			if (why && why !== complaint) {
				Notification.warning('tfmem: ' + why, { autoClose: false });
			}
			complaint = why;
		};
		const around: Surroundings = {
			settings() {
				// Of those that nobody has set, the project's files may decide.
				const { lines, ...said } = settings?.user ?? {};
				return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== ''));
			},
			hasLines: () => settings?.composite.lines !== false,
			complain,
			async rule(code) {
				const text = await rule(code), data = { 'text/markdown': text };
				const renderer = mime?.createRenderer('text/markdown');
				await renderer?.renderModel(new MimeModel({ data }));
				return renderer?.node ?? Object.assign(document.createElement('pre'), { textContent: text });
			},
			async change(name, change) {
				const { contents } = app.serviceManager;
				const opened = files?.find(({ context }) => contents.localPath(context.path) === name);
				if (opened?.context.model.dirty) {
					throw new Error(`${name} is open with changes that are not saved. Save it, and take the fix again.`);
				}
				if (opened) {
					const text = opened.content.model.sharedModel, before = text.getSource();
					text.updateSource(0, before.length, change(before));
					await opened.context.save();
					return;
				}
				const options = { type: 'file', format: 'text', content: true } as const;
				const found = await contents.get(name, options).catch(error => {
					const hidden = /(^|\/)\./.test(name) ? ' Jupyter gives no access to hidden files unless ContentsManager.allow_hidden is set.' : '';
					throw new Error(`${name} cannot be changed: ${(error as Error).message}.${hidden}`);
				});
				await contents.save(name, { type: 'file', format: 'text', content: change(found.content) });
			},
			async open(file, { line, character }) {
				const widget: IDocumentWidget<FileEditor> | undefined = await app.commands.execute('docmanager:open', { path: file });
				await widget?.context.ready; // before, it has no lines
				await widget?.revealed;
				widget?.content.editor.setCursorPosition({ line, column: character });
				widget?.content.editor.revealPosition({ line, column: character });
			},
			run: command => void app.commands.execute(command === 'tfmem.chooseGpu' ? CHOOSE : SHOW),
		};

		const open = new Map<Widget, Document>();
		const follow = (document?: Document) => {
			panel.follow(document);
			status.follow(document);
		};
		const followCurrent = () => {
			const current = app.shell.currentWidget;
			// A terminal or a help page between does not matter.
			if (current && open.has(current) || !panel.followed || !open.size) {
				follow(current ? open.get(current) : undefined);
			}
		};
		const add = (widget: IDocumentWidget, content: () => ReturnType<typeof file>) => {
			void Promise.all([widget.context.ready, loaded]).then(() => {
				if (widget.isDisposed) {
					return;
				}
				const document = new Document(content(), () => app.serviceManager.contents.localPath(widget.context.path), around);
				open.set(widget, document);
				widget.context.model.contentChanged.connect(document.touch, document);
				widget.context.pathChanged.connect(document.touch, document);
				widget.context.fileChanged.connect(document.recheck, document);
				widget.disposed.connect(() => {
					open.delete(widget);
					document.dispose();
					if (panel.followed === document) {
						follow(undefined);
					}
				});
				document.touch();
				followCurrent();
			});
		};
		notebooks?.widgetAdded.connect((_, widget) => add(widget, () => notebook(widget.content)));
		files?.widgetAdded.connect((_, widget) => add(widget, () => file(widget)));
		app.shell.currentChanged?.connect(followCurrent);
		status.follow(undefined);
	},
};

export default plugin;
