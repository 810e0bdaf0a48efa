import * as assert from 'node:assert/strict';
import { test } from 'node:test';

import { inTheme, moved, Place } from './page';

test('the page is dark where the editor is, whatever the browser prefers', () => {
	const page = '<head><style>a {} @media (prefers-color-scheme: dark) { a {} }</style></head><body>$&</body>';
	assert.match(inTheme(page, true), /@media all \{[^]*color-scheme: dark;/);
	assert.match(inTheme(page, false), /@media not all \{[^]*color-scheme: light;/);
	assert.match(inTheme(page, false), /<\/style>\n<\/head><body>\$&<\/body>$/);
});

test('a place moves with what is typed before it', () => {
	const place = (line: number, character: number): Place => ({ line, character });
	const after = (start: Place, end: Place, text: string) => moved(place(3, 5), { range: { start, end }, text });
	assert.deepEqual(after(place(1, 0), place(1, 0), '# one\n# two\r\n'), place(5, 5));
	assert.deepEqual(after(place(1, 0), place(2, 4), ''), place(2, 5));
	assert.deepEqual(after(place(3, 1), place(3, 3), 'long name'), place(3, 12));
	assert.deepEqual(after(place(2, 7), place(3, 0), ''), place(2, 12));
	assert.deepEqual(after(place(3, 2), place(3, 2), 'a\nbc'), place(4, 5));
	assert.deepEqual(after(place(3, 5), place(3, 5), 'x'), place(3, 6));
	assert.deepEqual(after(place(3, 4), place(3, 6), 'x'), place(3, 5), 'what is around it does not move it');
	assert.deepEqual(after(place(4, 0), place(4, 0), '\n'), place(3, 5));
});
