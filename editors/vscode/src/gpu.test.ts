import * as assert from 'node:assert/strict';
import { test } from 'node:test';

import { inWords } from './gpu';

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
