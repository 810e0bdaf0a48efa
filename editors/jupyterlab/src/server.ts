// What the program tfmem says, by the handler of tfmem/jupyter.py.
import { URLExt } from '@jupyterlab/coreutils';
import { ServerConnection } from '@jupyterlab/services';

/** A place: lines and columns count from 1, columns in characters, not in UTF-16. */
export interface Place {
	row: number;
	column: number;
}

interface Span {
	/** Counts from 1, over all cells; null in a file. */
	cell: number | null;
	filename: string;
	location: Place;
	end_location: Place;
}

export interface Edit extends Span {
	content: string;
}

export interface Fix {
	applicability: 'safe' | 'unsafe' | 'display';
	message: string;
	edits: Edit[];
}

export interface Finding extends Span {
	code: string;
	severity: 'error' | 'warning' | 'information' | 'hint';
	message: string;
	fixes: Fix[];
	related: (Span & { message: string })[];
	url: string;
}

/** A document as it stands in its editor. */
export interface Text {
	/** The path in Jupyter's own terms. */
	path: string;
	text: string;
}

async function ask(command: string, text: Text): Promise<string> {
	const settings = ServerConnection.makeSettings();
	const url = URLExt.join(settings.baseUrl, 'tfmem', command);
	const response = await ServerConnection.makeRequest(url, { method: 'POST', body: JSON.stringify(text) }, settings);
	if (response.status === 404) {
		throw new Error('The Jupyter server does not run its part of tfmem. Run "jupyter server extension enable tfmem.jupyter" and start it again.');
	}
	const answer = await response.json();
	if (!response.ok || answer.error) {
		throw new Error(answer.error ?? answer.message ?? response.statusText);
	}
	return answer.output;
}

export async function check(text: Text): Promise<Finding[]> {
	return JSON.parse(await ask('check', text));
}

/** The page that says what the models of a document need of a GPU. */
export function estimate(text: Text): Promise<string> {
	return ask('estimate', text);
}
