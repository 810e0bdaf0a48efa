import * as assert from 'node:assert/strict';
import { test } from 'node:test';

import { failure } from './outputs';

const item = (mime: string, text: string) => ({ mime, data: new TextEncoder().encode(text) });
const failed = item('application/vnd.code.notebook.error', JSON.stringify({ name: 'ResourceExhaustedError', message: 'OOM é', stack: 'Traceback\nOOM' }));

test('the texts of a cell that failed are sent', () => {
	const outputs = [
		{ items: [item('application/vnd.code.notebook.stderr', 'a log')] },
		{ items: [item('image/png', 'x'), item('text/plain', 'y')] },
		{ items: [failed] },
	];
	assert.deepEqual(failure(outputs), [
		{ output_type: 'stream', name: 'stderr', text: 'a log' },
		{ output_type: 'error', ename: 'ResourceExhaustedError', evalue: 'OOM é', traceback: ['Traceback\nOOM'] },
	]);
	assert.deepEqual(failure(outputs.slice(0, 2)), [], 'of a cell that did not fail, nothing');
});

test('of a long log the ends are sent, and an error without a form is one', () => {
	const log = `start${'.'.repeat(1 << 20)}end`;
	const [stream, error] = failure([{ items: [item('application/vnd.code.notebook.stdout', log)] }, { items: [item('application/vnd.code.notebook.error', '{')] }]) as [{ text: string }, object];
	assert.match(stream.text, /^start\.+\n\.+end$/);
	assert.ok(stream.text.length < 1 << 17);
	assert.deepEqual(error, { output_type: 'error', ename: 'Error', evalue: '', traceback: [''] });
});
