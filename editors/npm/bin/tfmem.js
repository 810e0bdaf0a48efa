#!/usr/bin/env node
// Runs the program of the package @tfmem/PLATFORM, which npm installs beside this one as an
// optional dependency, or the one that TFMEM_BINARY names.

const { spawnSync } = require('node:child_process');

const platform = `${process.platform}-${process.arch}`;

function find() {
	if (process.env.TFMEM_BINARY) {
		return process.env.TFMEM_BINARY;
	}
	const optional = require('../package.json').optionalDependencies;
	if (!(`@tfmem/${platform}` in optional)) {
		throw new Error(`npm has no program for ${platform}, only for ${Object.keys(optional).join(', ')}. Build it from a checkout, with pip install or go install.`);
	}
	try {
		return require.resolve(`@tfmem/${platform}/bin/tfmem${process.platform === 'win32' ? '.exe' : ''}`);
	} catch {
		throw new Error(`the package @tfmem/${platform} is not installed. Install tfmem again on this machine, without --omit=optional.`);
	}
}

try {
	const { error, signal, status } = spawnSync(find(), process.argv.slice(2), { stdio: 'inherit' });
	if (error) {
		throw new Error(`${error.path} cannot be run here (${error.code}). Install tfmem again on this machine, or correct TFMEM_BINARY.`);
	}
	if (signal) {
		process.kill(process.pid, signal);
	}
	process.exitCode = status;
} catch (error) {
	console.error(`tfmem: ${error.message}`);
	process.exitCode = 2;
}
