// What the language server tfmem says of a document, by the handler of tfmem/jupyter.py.
import { URLExt } from '@jupyterlab/coreutils';
import { ServerConnection } from '@jupyterlab/services';

/** A place as the protocol has it: from 0, in UTF-16. */
export interface Place {
	line: number;
	character: number;
}

interface Range {
	start: Place;
	end: Place;
}

export interface Edit {
	/** Counts from 0, over all cells; 0 in a file. */
	cell?: number;
	/** The path of another file, below the root folder of Jupyter, and what stands on the line. */
	file?: string;
	was?: string;
	range: Range;
	text: string;
}

/** What may be done about a finding: a fix, to see more, or to disable its rule. */
export interface Action {
	title: string;
	edits: Edit[];
	/** What is done instead of an edit. */
	command: string | null;
}

export interface Finding {
	cell: number;
	range: Range;
	/** From 1, an error, to 4, a hint. */
	severity: 1 | 2 | 3 | 4;
	code: string;
	message: string;
	url: string;
	/** In a cell, which counts from 1, in another file, or in this one. */
	related: { cell?: number; file?: string; line: number; message: string }[];
	actions: Action[];
}

/** A line above a call. */
export interface Lens {
	cell: number;
	line: number;
	title: string;
	command: string;
	/** Where tfmem.showCause goes; null for a file that Jupyter does not show. */
	place: { cell?: number; file?: string; position: { line: number; character: number } } | null;
}

export interface Answer {
	findings: Finding[];
	lenses: Lens[];
	gpu: { gpus: { name: string }[]; summary: string };
	/** Of the settings. */
	mistakes: string[];
}

/** A document as it stands in its editor, and the settings for it. */
export interface Text {
	/** The path in Jupyter's own terms. */
	path: string;
	text: string;
	settings: object;
	/** What the kernel of a notebook said of the names in it. */
	kernel?: string;
}

async function ask(question: string, body: object): Promise<unknown> {
	const settings = ServerConnection.makeSettings();
	const url = URLExt.join(settings.baseUrl, 'tfmem', question);
	const response = await ServerConnection.makeRequest(url, { method: 'POST', body: JSON.stringify(body) }, settings);
	if (response.status === 404) {
		throw new Error('The Jupyter server does not run its part of tfmem. Run "jupyter server extension enable tfmem.jupyter" and start it again.');
	}
	const answer = await response.json();
	if (!response.ok || answer.error) {
		throw new Error(answer.error ?? answer.message ?? response.statusText);
	}
	return answer.answer;
}

export async function check(text: Text): Promise<Answer> {
	return await ask('check', text) as Answer;
}

/** The page that says what the models of a document need of a GPU. */
export async function estimate(text: Text): Promise<string> {
	return await ask('estimate', text) as string;
}

/** The text of a rule. */
export async function rule(code: string): Promise<string> {
	return await ask('rule', { code }) as string;
}

/** The names of GPUs that are known. */
export async function gpus(): Promise<string[]> {
	return await ask('gpus', {}) as string[];
}
