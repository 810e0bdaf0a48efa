// node images/icon.mjs: draws icon.png, which VS Code shows, from icon.svg. $CHROMIUM is
// the browser that draws.

import * as fs from 'node:fs';
import { chromium } from 'playwright-core';

const size = 256; // pixels a side, of which VS Code wants at least 128
const svg = fs.readFileSync(new URL('icon.svg', import.meta.url), 'utf8');
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] });
try {
	const page = await browser.newPage({ viewport: { width: size, height: size } });
	await page.setContent(`<style>body { margin: 0 } svg { display: block }</style>${svg}`);
	await page.screenshot({ path: new URL('icon.png', import.meta.url).pathname, omitBackground: true });
} finally {
	await browser.close();
}
