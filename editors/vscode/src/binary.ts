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
			...places.searchPath.split(places.windows ? ';' : ':').map(folder => path.join(folder, name)),
		];
	// A relative path would name a program in whatever folder happens to be open.
	return candidates.find(candidate => path.isAbsolute(candidate) && isProgram(candidate));
}

function isProgram(file: string): boolean {
	try {
		fs.accessSync(file, fs.constants.X_OK);
		return fs.statSync(file).isFile();
	} catch {
		return false;
	}
}
