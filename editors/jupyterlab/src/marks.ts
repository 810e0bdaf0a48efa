// How findings look in an editor, which is one cell of a notebook or a file.
import { setDiagnostics, lintGutter, type Diagnostic } from '@codemirror/lint';
import { Compartment, StateEffect, StateField } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, ViewPlugin, WidgetType } from '@codemirror/view';
import type { ISharedText } from '@jupyter/ydoc';

/** What stands in the text of an editor. */
export interface Marks {
	/** The text that the places are in. */
	text: string;
	diagnostics: Diagnostic[];
	lines: Line[];
	/** Whether the editor has a column for markers: those of one notebook all do, or none. */
	gutter: boolean;
}

/** A line above one of the text, which counts from 0. */
export interface Line {
	line: number;
	title: string;
	click(): void;
}

class Above extends WidgetType {
	constructor(private readonly line: Line) {
		super();
	}

	eq(other: Above) {
		return other.line.title === this.line.title;
	}

	toDOM() {
		const above = document.createElement('div'), button = document.createElement('button');
		above.className = 'tfmem-above';
		Object.assign(button, { type: 'button', textContent: this.line.title, onclick: () => this.line.click() });
		above.append(button);
		return above;
	}
}

const setLines = StateEffect.define<Line[]>();
const lines = StateField.define<DecorationSet>({
	create: () => Decoration.none,
	update(shown, { changes, effects, newDoc }) {
		shown = shown.map(changes);
		for (const effect of effects) {
			if (effect.is(setLines)) {
				shown = Decoration.set(effect.value.map(line => Decoration.widget({ widget: new Above(line), block: true, side: -1 }).range(newDoc.line(line.line + 1).from)), true);
			}
		}
		return shown;
	},
	provide: field => EditorView.decorations.from(field),
});

const gutter = new Compartment();
const known = new WeakMap<ISharedText, Marks>();
const views = new Map<ISharedText, Set<EditorView>>();

const theme = EditorView.theme({
	'.cm-gutter-lint': { width: '1.2em' },
	// CodeMirror has no picture for hints.
	'.cm-lint-marker-hint': { boxSizing: 'border-box', margin: '.2em', width: '.7em', height: '.7em', border: '2px solid var(--jp-ui-font-color2)', borderRadius: '50%' },
	'.tfmem-above button': {
		padding: '0 4px', border: 'none', background: 'none', cursor: 'pointer',
		color: 'var(--jp-ui-font-color2)', font: 'var(--jp-ui-font-size0)/1.6 var(--jp-ui-font-family)',
	},
	'.tfmem-above button:hover': { color: 'var(--jp-content-link-color)', textDecoration: 'underline' },
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
	'.cm-tooltip-lint details': { whiteSpace: 'normal' },
	'.cm-tooltip-lint h1, .cm-tooltip-lint h2': { margin: '8px 0 4px', fontSize: 'var(--jp-ui-font-size2)' },
	'.cm-tooltip-lint p, .cm-tooltip-lint pre': { margin: '4px 0', fontSize: 'var(--jp-ui-font-size1)' },
	'.cm-tooltip-lint summary': { cursor: 'pointer', color: 'var(--jp-ui-font-color2)' },
	'.cm-diagnosticAction': { padding: '3px 8px', font: 'inherit', color: '#fff', background: 'var(--jp-brand-color1)' },
});

/** The extension of every editor of a text. It shows nothing until show is called. */
export function marking(text: ISharedText) {
	return [
		gutter.of([]),
		lines,
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
	view.dispatch({ effects: setLines.of(marks.lines) }, setDiagnostics(view.state, marks.diagnostics));
}
