// The page about models, as a panel shows it. Knows nothing of VS Code, so that
// its test needs none.

/**
 * The server's page in the editor's theme. The page follows its browser, which
 * does not know which theme VS Code has; and it has colours of its own, of which
 * those of large areas give way to the theme's.
 */
export function inTheme(html: string, dark: boolean): string {
	const own = `<style>
html { color-scheme: ${dark ? 'dark' : 'light'}; font-size: var(--vscode-font-size); }
body {
  --back: var(--vscode-editor-background); --card: var(--vscode-editorWidget-background);
  --text: var(--vscode-editor-foreground); --quiet: var(--vscode-descriptionForeground);
  font: 1rem/1.5 var(--vscode-font-family);
}
</style>
</head>`;
	return html
		.replaceAll('(prefers-color-scheme: dark)', dark ? 'all' : 'not all')
		.replace('</head>', () => own);
}

/** A place in a text, as the protocol has it. */
export interface Place {
	line: number;
	character: number;
}

/** What was done to a text: what stood between two places is another text now. */
export interface Change {
	range: { start: Place; end: Place };
	text: string;
}

/** Where what stood at a place stands after a change. */
export function moved(place: Place, { range: { start, end }, text }: Change): Place {
	if (end.line > place.line || end.line === place.line && end.character > place.character) {
		return place;
	}
	const lines = text.split(/\r\n|\r|\n/);
	const line = place.line + lines.length - 1 - (end.line - start.line);
	if (end.line < place.line) {
		return { line, character: place.character };
	}
	const before = (lines.length === 1 ? start.character : 0) + lines[lines.length - 1].length;
	return { line, character: before + place.character - end.character };
}
