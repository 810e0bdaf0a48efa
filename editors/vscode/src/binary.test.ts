import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { after, test } from 'node:test';

import { findBinary, interpreterIn, Places, safePath } from './binary';

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

const inEnvironment = program('env', 'bin', 'tfmem');
const python = program('env', 'bin', 'python');

const nowhere: Places = { configured: '', environments: [], searchPath: '', extension: path.join(root, 'slim'), distrusted: [], home: root, windows: false };
const searchPath = `.:${path.join(root, 'first')}:${path.join(root, 'second')}`;

test('the setting comes first', () => {
	const places = { ...nowhere, extension: path.join(root, 'bundling'), searchPath, environments: [python] };
	assert.equal(findBinary({ ...places, configured }), configured);
	assert.equal(findBinary({ ...places, configured: '~/configured/tfmem-dev' }), configured);
});

test('a setting that names no program is not silently replaced by another', () => {
	for (const wrong of ['gone', '/gone/tfmem', root]) {
		assert.equal(findBinary({ ...nowhere, searchPath, configured: wrong }), undefined);
	}
});

test('pip\'s programs come before PATH, and that before the bundled one', () => {
	const places = { ...nowhere, extension: path.join(root, 'bundling'), searchPath };
	const bare = path.dirname(program('bare', 'bin', 'python'));
	assert.equal(findBinary({ ...places, environments: [python] }), inEnvironment);
	assert.equal(findBinary({ ...places, environments: [path.join(bare, 'python'), path.join(root, 'gone'), path.join(root, 'env')] }), inEnvironment);
	assert.equal(findBinary({ ...places, environments: [path.join(bare, 'python')] }), onPath);
	assert.equal(findBinary({ ...places, searchPath: '' }), bundled);
});

test('a file beside an environment is not of it', () => {
	program('project', 'tfmem');
	fs.mkdirSync(path.join(root, 'project', '.venv'));
	assert.equal(findBinary({ ...nowhere, environments: [path.join(root, 'project', '.venv')] }), undefined);
});

test('on Windows programs are in Scripts, beside python.exe or below it', () => {
	const places = { ...nowhere, windows: true };
	const ofConda = program('conda', 'Scripts', 'tfmem.exe');
	const ofVenv = program('venv', 'Scripts', 'tfmem.exe');
	assert.equal(findBinary({ ...places, environments: [program('conda', 'python.exe')] }), ofConda);
	assert.equal(findBinary({ ...places, environments: [program('venv', 'Scripts', 'python.exe')] }), ofVenv);
	assert.equal(findBinary({ ...places, environments: [path.join(root, 'venv')] }), ofVenv);
});

test('the interpreter that a setting names', () => {
	for (const [setting, file] of [
		['/usr/bin/python3', '/usr/bin/python3'], ['~/env/bin/python', '/home/me/env/bin/python'],
		['${workspaceFolder}/.env/bin/python', '/p/.env/bin/python'], ['./env', '/p/env'], ['../env/bin/python', '/env/bin/python'],
		['python', undefined], ['', undefined], ['${env:HOME}/x', undefined], ['/a/${env:X}/python', undefined],
	] as const) {
		assert.equal(interpreterIn('/p', setting, '/home/me'), file, setting);
	}
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
