// The panel with the page that says what the models of a document need of a GPU.
import { LabIcon } from '@jupyterlab/ui-components';
import { Widget } from '@lumino/widgets';
import type { Document } from './document';
import { estimate } from './server';

export const icon = new LabIcon({
	name: 'tfmem:memory',
	svgstr: '<svg xmlns="http://www.w3.org/2000/svg" width="16" viewBox="0 0 24 24"><path class="jp-icon3" fill="#616161" d="M2 6h20v10h-2v3h-2v-3h-2v3h-2v-3h-4v3H8v-3H6v3H4v-3H2zm3 3v4h3V9zm5.5 0v4h3V9zM16 9v4h3V9z"/></svg>',
});

/** A page in the theme of JupyterLab, which its browser does not know of. */
export function inTheme(html: string, dark: boolean, style: CSSStyleDeclaration): string {
	const value = (name: string) => style.getPropertyValue(name).trim();
	// Without the base, a link within the page would open JupyterLab in the frame.
	const own = `<base href="about:srcdoc">
<style>
:root { color-scheme: ${dark ? 'dark' : 'light'}; }
body {
  --back: ${value('--jp-layout-color1')}; --card: ${value('--jp-layout-color2')}; --text: ${value('--jp-content-font-color1')};
  padding: .75rem; overflow-wrap: anywhere; font: ${value('--jp-ui-font-size1')}/1.5 ${value('--jp-ui-font-family')};
}
h1 { font-size: 1.3rem; } h2 { font-size: 1.15rem; margin-top: 1.5rem; } .figures b { font-size: 1.05rem; }
</style>
</head>`;
	return html.replaceAll('(prefers-color-scheme: dark)', dark ? 'all' : 'not all').replace('</head>', () => own);
}

function message(words: string): string {
	const text = document.createElement('p');
	text.textContent = words;
	return `<!doctype html><html><head></head><body style="background: var(--back); color: var(--text)">${text.outerHTML}</body></html>`;
}

export class Panel extends Widget {
	private readonly frame = document.createElement('iframe');
	followed: Document | undefined;
	private page = '';
	private stale = true;
	private asking = false;

	constructor(private readonly isDark: () => boolean) {
		super();
		this.id = 'tfmem-estimate';
		this.title.icon = icon;
		this.title.label = 'GPU Memory';
		this.title.caption = 'GPU memory of the models (tfmem)';
		// The page has no scripts, and may run none. Where it is scrolled to can be read.
		this.frame.setAttribute('sandbox', 'allow-same-origin');
		this.frame.title = this.title.caption;
		Object.assign(this.frame.style, { width: '100%', height: '100%', border: 'none' });
		this.node.append(this.frame);
	}

	/** Shows the models of another document, or of none. */
	follow(document?: Document) {
		if (document !== this.followed) {
			this.followed?.changed.disconnect(this.refresh, this);
			this.followed = document;
			document?.changed.connect(this.refresh, this);
			this.refresh();
		}
	}

	/** Draws the page in the theme of now. */
	draw() {
		const scrolled = this.frame.contentWindow?.scrollY ?? 0;
		this.frame.onload = () => this.frame.contentWindow?.scrollTo(0, scrolled);
		this.frame.srcdoc = inTheme(this.page, this.isDark(), getComputedStyle(this.node));
	}

	protected onAfterShow() {
		void this.ask();
	}

	private refresh() {
		this.stale = true;
		void this.ask();
	}

	/** Asks for the page while somebody sees it and it is not that of the text. */
	private async ask() {
		while (this.isVisible && this.stale && !this.asking) {
			this.stale = false;
			this.asking = true;
			const page = await this.read(this.followed).catch(error => message(String((error as Error).message)));
			this.asking = false;
			if (!this.stale && page !== this.page) {
				this.page = page;
				this.draw();
			}
		}
	}

	private async read(followed?: Document): Promise<string> {
		if (!followed) {
			return message('Open a Python notebook or file: here stands what its models need of a GPU.');
		}
		return followed.foreign ? message(`The code of this document is ${followed.foreign}, not Python.`) : estimate(followed.text);
	}
}
