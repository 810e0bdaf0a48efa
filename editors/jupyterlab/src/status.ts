// The item in the status bar: what the worst of a document's trainings needs of the GPU.
import { Widget } from '@lumino/widgets';
import type { Document } from './document';
import type { Answer } from './server';

/** What the lines above trainings say of them, the worst first. */
const VERDICTS = [/does not fit|may not fit/, /tight/, /not known|not priced/, /fits/];

/** The state of a document in a few words, and in more. */
export function words({ findings, lenses, gpu }: Answer): { text: string; more: string } {
	const rank = (title: string) => (VERDICTS.findIndex(v => v.test(title)) + VERDICTS.length + 1) % (VERDICTS.length + 1);
	const [worst] = [...lenses].sort((a, b) => rank(a.title) - rank(b.title));
	const count = `${findings.length || 'no'} finding${findings.length === 1 ? '' : 's'}`;
	const more = [...lenses.map(({ title }) => title), count, gpu.summary].join('\n');
	if (!worst) {
		return { text: count, more };
	}
	return { text: gpu.gpus.length === 0 ? 'choose a GPU' : worst.title.split(' · ').slice(1).join(' · ') || worst.title, more };
}

export class StatusItem extends Widget {
	private followed: Document | undefined;

	/** @param click does what a click is for, of a document that was compared with a GPU or not */
	constructor(click: (compared: boolean) => void) {
		super({ node: document.createElement('button') });
		this.id = 'tfmem-status';
		this.addClass('jp-mod-highlighted');
		Object.assign(this.node.style, { border: 'none', background: 'none', color: 'inherit', font: 'inherit', cursor: 'pointer', padding: '0 4px' });
		this.node.onclick = () => click(!this.followed?.answer || this.followed.answer.gpu.gpus.length > 0);
	}

	follow(document?: Document) {
		this.followed?.answered.disconnect(this.draw, this);
		this.followed = document;
		document?.answered.connect(this.draw, this);
		this.draw();
	}

	private draw() {
		const { followed } = this;
		const { text, more } = followed?.answer ? words(followed.answer)
			: followed?.why ? { text: 'does not run', more: followed.why }
			: { text: '…', more: 'tfmem reads the document' };
		this.node.textContent = `tfmem: ${text}`;
		this.node.title = followed?.why ? `${followed.why}\n${more}` : more;
		this.setHidden(!followed || followed.foreign !== undefined);
	}
}
