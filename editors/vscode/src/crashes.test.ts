import * as assert from 'node:assert/strict';
import { test } from 'node:test';

import { Crashes } from './crashes';

test('the fifth crash within three minutes is one too many', () => {
	const verdicts = (...seconds: number[]) => {
		const crashes = new Crashes();
		return seconds.map(second => crashes.tooMany(second * 1000));
	};
	assert.deepEqual(verdicts(0, 1, 2, 3, 4), [false, false, false, false, true]);
	assert.deepEqual(verdicts(0, 50, 100, 150, 200), [false, false, false, false, false]);
	assert.deepEqual(verdicts(0, 50, 100, 150, 200, 201), [false, false, false, false, false, true]);
});
