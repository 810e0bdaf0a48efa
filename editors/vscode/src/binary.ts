// Finds the tfmem program. Knows nothing of VS Code, so that its test needs none.

import * as fs from 'node:fs';
import * as path from 'node:path';

export interface Places {
	/** The setting tfmem.path; empty where it is not set. */
	configured: string;
	/** The extension's own folder, which may bring bin/tfmem. */
	extension: string;
	/** The environment variable PATH. */
	searchPath: string;
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
			path.join(places.extension, 'bin', name),
			...safePath(places).map(folder => path.join(folder, name)),
		];
	return candidates.find(candidate => isSafe(candidate, places.distrusted) && isProgram(candidate));
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

function isProgram(file: string): boolean {
	try {
		fs.accessSync(file, fs.constants.X_OK);
		return fs.statSync(file).isFile();
	} catch {
		return false;
	}
}
