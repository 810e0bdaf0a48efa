import * as assert from 'node:assert/strict';
import { test } from 'node:test';

import { contributes } from '../package.json';
import { said } from './settings';

interface Schema {
	type?: string | string[];
	enum?: unknown[];
	items?: Schema;
	properties?: Record<string, Schema>;
	additionalProperties?: boolean | Schema;
	default?: unknown;
}

const simple = ['string', 'boolean', 'integer', 'number'];
const isSimple = ({ type }: Schema) => typeof type === 'string' && simple.includes(type);

// As SettingsTreeSettingElement.initSettingValueType of VS Code has it (1.139,
// settingsTreeModels.ts): any other setting is "Edit in settings.json".
function isEditable(schema: Schema): boolean {
	if (schema.enum) {
		return [schema.type ?? []].flat().every(type => [...simple, 'null'].includes(type));
	}
	switch (schema.type) {
		case 'array': return schema.items !== undefined && isSimple(schema.items) && schema.items.type !== 'boolean';
		case 'object': {
			const { properties = {}, additionalProperties } = schema;
			return typeof additionalProperties === 'object' && [...Object.values(properties), additionalProperties].every(isSimple);
		}
	}
	return isSimple(schema);
}

test('every setting can be edited in the settings editor', () => {
	assert.ok(!isEditable({ type: ['string', 'null'] }) && !isEditable({ type: 'object' }) && !isEditable({ type: 'array' }));
	for (const [name, schema] of Object.entries<Schema>(contributes.configuration.properties)) {
		assert.ok(isEditable(schema), name);
		assert.notEqual(schema.default, undefined, `${name} has no default`);
		assert.notEqual(schema.default, null, `${name} has a default that the settings editor cannot show`);
	}
});

test('what the user has not said is not sent', () => {
	const declared = {
		'x.gpu': { default: '' }, 'x.lint.select': { default: [] }, 'x.lint.severity': { default: {} }, 'x.hints': { default: ['a', 'b'] },
	};
	const defaults = { gpu: '', hints: ['a', 'b'], lint: { select: [], severity: {} } };
	assert.deepEqual(said('x', defaults, declared), { lint: {} });
	assert.deepEqual(said('x', { ...defaults, hints: [], gpu: 'T4' }, declared), { hints: [], gpu: 'T4', lint: {} });
	assert.deepEqual(said('x', { lint: { select: ['TFM1'], severity: { TFM101: 'error' } } }, declared), { lint: { select: ['TFM1'], severity: { TFM101: 'error' } } });
	assert.deepEqual(said('x', null, declared), {});
});
