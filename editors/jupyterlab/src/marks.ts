// How findings look in an editor, which is one cell of a notebook or a file.
import { setDiagnostics, lintGutter, type Diagnostic } from '@codemirror/lint';
import { Compartment } from '@codemirror/state';
import { EditorView, ViewPlugin } from '@codemirror/view';
import type { ISharedText } from '@jupyter/ydoc';

/** What stands in the text of an editor. */
export interface Marks {
	/** The text that the places are in. */
	text: string;
	diagnostics: Diagnostic[];
	/** Whether the editor has a column for markers: those of one notebook all do, or none. */
	gutter: boolean;
}

const gutter = new Compartment();
const known = new WeakMap<ISharedText, Marks>();
const views = new Map<ISharedText, Set<EditorView>>();

const theme = EditorView.theme({
	'.cm-gutter-lint': { width: '1.2em' },
	'.cm-tooltip-lint': {
		maxWidth: '42em',
		maxHeight: '24em',
		overflowY: 'auto',
		background: 'var(--jp-layout-color1)',
		color: 'var(--jp-ui-font-color1)',
		border: '1px solid var(--jp-border-color1)',
		boxShadow: 'var(--jp-elevation-z4)',
		font: 'var(--jp-ui-font-size1)/1.4 var(--jp-ui-font-family)',
	},
	'.cm-tooltip-lint a': { color: 'var(--jp-content-link-color)', fontWeight: '600' },
	'.cm-diagnosticAction': { padding: '3px 8px', font: 'inherit', color: '#fff', background: 'var(--jp-brand-color1)' },
});

/** The extension of every editor of a text. It shows nothing until show is called. */
export function marking(text: ISharedText) {
	return [
		gutter.of([]),
		theme,
		ViewPlugin.define(view => {
			const all = views.get(text) ?? new Set();
			views.set(text, all.add(view));
			// Cells get their editors when they are scrolled to.
			setTimeout(() => draw(view, known.get(text)));
			return {
				destroy() {
					all.delete(view);
					if (!all.size) {
						views.delete(text);
					}
				},
			};
		}),
	];
}

export function show(text: ISharedText, marks: Marks) {
	known.set(text, marks);
	for (const view of views.get(text) ?? []) {
		draw(view, marks);
	}
}

function draw(view: EditorView, marks?: Marks) {
	if (!marks || view.state.doc.toString() !== marks.text) {
		return; // the next answer comes
	}
	const has = gutter.get(view.state);
	if (Array.isArray(has) && marks.gutter) {
		view.dispatch({ effects: gutter.reconfigure(lintGutter()) });
	} else if (!Array.isArray(has) && !marks.gutter) {
		view.dispatch({ effects: gutter.reconfigure([]) });
	}
	view.dispatch(setDiagnostics(view.state, marks.diagnostics));
}
