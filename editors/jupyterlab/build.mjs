// Builds the extension as JupyterLab loads it: node build.mjs FOLDER VERSION
//
// JupyterLab loads containers of webpack's module federation. This writes one by hand,
// since all that the extension shares is what JupyterLab has anyway; so a build takes
// esbuild, and neither webpack nor a core package of one version of JupyterLab.
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const [folder, version] = process.argv.slice(2);
if (!version) {
	throw new Error('usage: node build.mjs FOLDER VERSION');
}
const here = fileURLToPath(new URL('.', import.meta.url));
const result = await build({
	absWorkingDir: here,
	entryPoints: ['src/index.ts'],
	external: ['@jupyterlab/*', '@lumino/*', '@codemirror/state', '@codemirror/view'],
	bundle: true,
	minify: true,
	format: 'cjs',
	target: 'es2022',
	write: false,
	metafile: true,
});
const [output] = Object.values(result.metafile.outputs);
const shared = [...new Set(output.imports.filter(i => i.external).map(i => i.path))];
const container = `(() => {
let scope;
const shared = {};
const load = async name => {
	const versions = Object.values(scope[name]);
	shared[name] = (await (versions.find(v => v.loaded) ?? versions[0]).get())();
};
(window._JUPYTERLAB ??= {}).tfmem = {
	init(given) { scope = given; },
	async get() {
		await Promise.all(${JSON.stringify(shared)}.map(load));
		const module = { exports: {} };
		run(module, name => shared[name]);
		return () => module.exports;
	},
};
function run(module, require) {
${result.outputFiles[0].text}}
})();
`;
const load = `static/tfmem.${createHash('sha256').update(container).digest('hex').slice(0, 12)}.js`;
const write = (name, what) => writeFileSync(join(folder, name), typeof what === 'string' ? what : JSON.stringify(what, null, 2) + '\n');
mkdirSync(join(folder, 'static'), { recursive: true });
write(load, container);
write('package.json', {
	name: 'tfmem',
	version,
	description: 'Shows what tfmem finds in notebooks, and what their models need of a GPU',
	license: 'Apache-2.0',
	homepage: 'https://github.com/tfmem/tfmem',
	dependencies: { '@jupyterlab/application': '^4.2.0' },
	jupyterlab: { extension: true, schemaDir: 'schemas/tfmem', _build: { load, extension: './extension' } },
});
cpSync(join(here, 'schema'), join(folder, 'schemas/tfmem'), { recursive: true });
const bundled = new Set(Object.keys(output.inputs).map(i => /^node_modules\/(?:@[^/]+\/)?[^/]+/.exec(i)?.[0]).filter(Boolean));
write('static/LICENSES.txt', [...bundled].map(i => `${i.slice('node_modules/'.length)}\n\n${readFileSync(join(here, i, 'LICENSE'), 'utf8')}`).join('\n'));
write('install.json', { packageManager: 'python', packageName: 'tfmem', uninstallInstructions: 'pip uninstall tfmem' });
