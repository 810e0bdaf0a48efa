import * as assert from 'node:assert/strict';
import { test } from 'node:test';

import { isOlder } from './version';

test('versions are compared by their numbers', () => {
	for (const [server, older] of [
		['0.9.9', true], ['1.1.9', true], ['1.2', true], ['', true], ['next', true], [undefined, true],
		['1.2.3', false], ['1.2.3-dev', false], ['1.2.10', false], ['1.10.0', false], ['2.0.0', false],
	] as const) {
		assert.equal(isOlder(server, '1.2.3'), older, server);
	}
});
