import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { after, test } from 'node:test';

import { findBinary, Places, safePath } from './binary';

const root = fs.mkdtempSync(path.join(os.tmpdir(), 'tfmem-'));
after(() => fs.rmSync(root, { recursive: true }));

/** Makes an executable file and returns its path. */
function program(...names: string[]): string {
	const file = path.join(root, ...names);
	fs.mkdirSync(path.dirname(file), { recursive: true });
	fs.writeFileSync(file, '', { mode: 0o755 });
	return file;
}

const configured = program('configured', 'tfmem-dev');
const bundled = program('bundling', 'bin', 'tfmem');
const onPath = program('second', 'tfmem');
fs.mkdirSync(path.join(root, 'first', 'tfmem'), { recursive: true }); // a folder of that name is no program

const nowhere: Places = { configured: '', extension: path.join(root, 'slim'), searchPath: '', distrusted: [], home: root, windows: false };
const searchPath = `.:${path.join(root, 'first')}:${path.join(root, 'second')}`;

test('the setting comes first', () => {
	const places = { ...nowhere, extension: path.join(root, 'bundling'), searchPath };
	assert.equal(findBinary({ ...places, configured }), configured);
	assert.equal(findBinary({ ...places, configured: '~/configured/tfmem-dev' }), configured);
});

test('a setting that names no program is not silently replaced by another', () => {
	for (const wrong of ['gone', '/gone/tfmem', root]) {
		assert.equal(findBinary({ ...nowhere, searchPath, configured: wrong }), undefined);
	}
});

test('the bundled program comes before PATH', () => {
	assert.equal(findBinary({ ...nowhere, extension: path.join(root, 'bundling'), searchPath }), bundled);
	assert.equal(findBinary({ ...nowhere, searchPath }), onPath);
});

test('a relative folder on PATH is passed over', () => {
	assert.equal(findBinary({ ...nowhere, searchPath: `${path.relative(process.cwd(), path.dirname(onPath))}:.:` }), undefined);
});

test('nowhere', () => assert.equal(findBinary(nowhere), undefined));

test('nothing of a workspace that is not trusted is run, by whatever way it is found', () => {
	const workspace = path.join(root, 'second');
	const linked = path.join(root, 'linked', 'tfmem');
	fs.mkdirSync(path.dirname(linked));
	fs.symlinkSync(onPath, linked);
	const places = { ...nowhere, distrusted: [workspace] };
	assert.equal(findBinary({ ...places, searchPath }), undefined);
	assert.equal(findBinary({ ...places, searchPath: path.dirname(linked) }), undefined);
	assert.equal(findBinary({ ...places, configured: onPath }), undefined);
	assert.equal(findBinary({ ...places, configured: linked }), undefined);
	assert.equal(findBinary({ ...places, extension: path.join(root, 'bundling'), searchPath }), bundled);
	assert.equal(findBinary({ ...places, searchPath: `${searchPath}:${path.dirname(configured)}`, configured }), configured);
	assert.equal(findBinary({ ...nowhere, distrusted: [path.join(root, 'sec')], searchPath }), onPath, 'a folder whose name begins alike');
	assert.deepEqual(safePath({ ...places, searchPath: `${searchPath}:${workspace}/venv/bin:/usr/bin` }), [path.join(root, 'first'), '/usr/bin']);
});
