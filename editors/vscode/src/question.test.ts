import * as assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';

import { answer, question } from './question';

const output = (mime: string, text: string) => ({ items: [{ mime: `application/vnd.code.notebook.${mime}`, data: new TextEncoder().encode(text) }] });

test('the question is Python, whatever the cells hold', () => {
	const cells = [['x = "a\\n\\t" + \'\u2028\'', false], ['🚀 = 1 \\ \r\n', true]] as const;
	// Instead of the kernel, Python itself says what it was asked.
	const code = `import sys, types, json\nsys.modules['tfmem'] = m = types.ModuleType('tfmem')\nsys.modules['tfmem.kernel'] = m.kernel = types.SimpleNamespace(told=json.dumps)\n${question(cells)}\n`;
	const said = execFileSync('python3', ['-'], { input: code, encoding: 'utf8' });
	assert.deepEqual(JSON.parse(answer([output('stdout', said)])), cells);
});

test('the answer is found among what else is printed', () => {
	assert.equal(answer([output('stderr', 'a warning\n'), output('stdout', 'a log\ntfm'), output('stdout', 'em:{"modules": []}\nmore\n')]), '{"modules": []}');
});

test('what hinders a kernel is told', () => {
	assert.throws(() => answer([output('error', '{"name":"ModuleNotFoundError","message":"No module named \'tfmem\'"}')]), /has no tfmem/);
	assert.throws(() => answer([output('error', '{"name":"ValueError","message":"no"}')]), /ValueError/);
	assert.throws(() => answer([]), /does not say what it has/);
});
