import * as assert from 'node:assert/strict';
import { test } from 'node:test';

import { choices, chosen, inWords } from './gpu';

const gpu = { name: 'NVIDIA GeForce RTX 3090', totalBytes: 24 * 2 ** 30, freeBytes: null, origin: 'named by tfmem.toml' };
const small = { name: 'NVIDIA T4', totalBytes: 15.75 * 2 ** 30, freeBytes: 2 ** 30, origin: 'found by nvml' };

test('GPUs in few words', () => {
	const words = (gpus: typeof gpu[] | typeof small[], why = '') => {
		const { text, detail } = inWords({ gpus, why, summary: '' });
		return `${text} | ${detail}`;
	};
	assert.equal(words([], 'nvidia-smi: not installed'), 'No GPU known | nvidia-smi: not installed');
	assert.equal(words([], 'tfmem-nvml is neither next to tfmem nor on the PATH; nvidia-smi is not on the PATH'), 'No GPU known | tfmem-nvml is neither next to tfmem nor on the PATH; nvidia…');
	assert.equal(words([gpu]), 'NVIDIA GeForce RTX 3090 · 24 GiB | named by tfmem.toml');
	assert.equal(words([small]), 'NVIDIA T4 · 15.8 GiB | 1 GiB free, found by nvml');
	assert.equal(words([gpu, gpu]), '2 × NVIDIA GeForce RTX 3090 · 24 GiB | named by tfmem.toml');
	assert.equal(words([gpu, { ...gpu, name: 'Quadro' }, gpu], 'one does not answer'), '2 × NVIDIA GeForce RTX 3090 · 24 GiB and 1 more | named by tfmem.toml; one does not answer');
});

test('the GPUs to choose from', () => {
	const known = [
		{ name: 'RTX 3080', total_bytes: 10 * 2 ** 30, nicknames: [] }, { name: 'RTX 3080', total_bytes: 12 * 2 ** 30, nicknames: [] },
		{ name: 'T4', total_bytes: 15 * 2 ** 30, nicknames: ['colab', 'g4dn'] }, { name: 'GB10', total_bytes: 0, nicknames: [] },
	];
	const words = (...args: Parameters<typeof choices>) => choices(...args).map(({ section, label, description, value }) => [section[0], label, description, value].join(' | '));
	assert.deepEqual(words({ gpus: [small], why: '', summary: '' }, ['T4', '24GiB'], known), [
		'T | auto: NVIDIA T4 · 15.8 GiB | 1 GiB free, found by nvml | auto',
		'T | none | say what models need, and compare with no GPU | none',
		'R | T4 | 15 GiB · colab · g4dn | T4', 'R | 24GiB |  | 24GiB',
		'C | RTX 3080 | 10 GiB | RTX 3080', 'C | RTX 3080 12 GiB | 12 GiB | RTX 3080 12 GiB', 'C | GB10 |  | GB10',
	]);
	assert.equal(words(undefined, [], known)[2], 'C | T4 | 15 GiB · colab · g4dn | T4', 'those of clouds come first');
	assert.deepEqual(words(undefined, [], []).map(line => line.split(' | ').at(-1)), ['auto', 'none']);
});

test('what was chosen of late', () => {
	assert.deepEqual(chosen(['a', 'b'], 'b'), ['b', 'a']);
	assert.deepEqual(chosen(['a', 'b', 'c', 'd', 'e'], 'f'), ['f', 'a', 'b', 'c', 'd']);
	assert.deepEqual(chosen(['a'], 'auto'), ['a']);
});
