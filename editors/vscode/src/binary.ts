// Finds the tfmem program. Knows nothing of VS Code, so that its test needs none.

import * as fs from 'node:fs';
import * as path from 'node:path';

export interface Places {
	/** The setting tfmem.path; empty where it is not set. */
	configured: string;
	/** Python interpreters, or folders of environments, into which pip may have put it; the best first. */
	environments: readonly string[];
	/** The environment variable PATH. */
	searchPath: string;
	/** The extension's own folder, which may bring bin/tfmem. */
	extension: string;
	/** Folders from which nothing is run: those of a workspace that is not trusted. */
	distrusted: readonly string[];
	home: string;
	windows: boolean;
}

/**
 * The absolute path of the program to run, or undefined where there is none.
 * A configured path is the only one tried: whoever sets one wants no other.
 */
export function findBinary(places: Places): string | undefined {
	const name = places.windows ? 'tfmem.exe' : 'tfmem';
	const candidates = places.configured
		? [places.configured.replace(/^~(?=[/\\]|$)/, () => places.home)]
		: [
			...places.environments.flatMap(environment => scripts(environment, places.windows)),
			...safePath(places),
			path.join(places.extension, 'bin'),
		].map(folder => path.join(folder, name));
	return candidates.find(candidate => isSafe(candidate, places.distrusted) && isProgram(candidate));
}

// Where pip puts the programs of an environment. On Windows that is not always where python.exe is.
function scripts(environment: string, windows: boolean): string[] {
	if (isFolder(environment)) {
		return [path.join(environment, windows ? 'Scripts' : 'bin')];
	}
	const beside = path.dirname(environment);
	return windows ? [beside, path.join(beside, 'Scripts')] : [beside];
}

/**
 * The absolute path that the setting python.defaultInterpreterPath has in a folder, or undefined
 * where it names a program of the PATH or a variable that only the Python extension knows.
 */
export function interpreterIn(folder: string, setting: string, home: string): string | undefined {
	const file = setting
		.replace(/^~(?=[/\\]|$)/, () => home)
		.replace(/^\$\{workspaceFolder\}/, () => folder)
		.replace(/^\.{1,2}(?=[/\\])/, way => path.join(folder, way));
	return path.isAbsolute(file) && !file.includes('${') ? path.normalize(file) : undefined;
}

/** The folders of the PATH in which programs may be looked for. */
export function safePath({ searchPath, distrusted, windows }: Places): string[] {
	return searchPath.split(windows ? ';' : ':').filter(folder => isSafe(folder, distrusted));
}

// A relative path would name a program in whatever folder happens to be open.
function isSafe(file: string, distrusted: readonly string[]): boolean {
	return path.isAbsolute(file) && !distrusted.some(folder => {
		const way = path.relative(real(folder), real(file));
		return way.split(path.sep)[0] !== '..' && !path.isAbsolute(way);
	});
}

// Where links lead to.
function real(file: string): string {
	try {
		return fs.realpathSync.native(file);
	} catch {
		return file; // there is none
	}
}

function isFolder(file: string): boolean {
	try {
		return fs.statSync(file).isDirectory();
	} catch {
		return false;
	}
}

function isProgram(file: string): boolean {
	try {
		fs.accessSync(file, fs.constants.X_OK);
		return fs.statSync(file).isFile();
	} catch {
		return false;
	}
}
