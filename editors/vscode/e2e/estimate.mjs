// estimate.mjs TFMEM PROGRAM GPU RESULT [PICTURE]: opens the page that `tfmem estimate --html` writes
// about a program with a loop over configurations, in several widths, and says in RESULT whether a
// person can read it. PICTURE is a file for a picture of its beginning.

import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

const [tfmem, program, gpu, result, picture] = process.argv.slice(2);
const html = `${result}.html`;
try {
	execFileSync(tfmem, ['estimate', '--gpu', gpu, '--html', html, path.basename(program)], {
		stdio: 'ignore', cwd: path.dirname(program), env: { ...process.env, KERAS_HOME: path.dirname(result), KERAS_BACKEND: '' },
	});
} catch (e) {
	if (e.status !== 1) { // a model does not fit
		throw e;
	}
}

// What is wrong with the page as it is drawn, in sentences.
function faults(file) {
	const found = [];
	const across = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 2;
	for (const svg of document.querySelectorAll('svg')) {
		const whole = svg.getBoundingClientRect();
		const labels = [...svg.querySelectorAll('text')].filter(t => t.textContent.trim()).map(t => ({ text: t.textContent, at: t.getBoundingClientRect() }));
		labels.forEach(({ text, at }, i) => {
			for (const other of labels.slice(i + 1)) {
				if (across(at, other.at)) {
					found.push(`"${text}" lies over "${other.text}"`);
				}
			}
			if (whole.width > 0 && (at.left < whole.left - 1 || at.right > whole.right + 1)) {
				found.push(`"${text}" is cut off`);
			}
		});
	}
	const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
	let option = 0;
	while (walker.nextNode()) {
		const at = walker.currentNode.data.indexOf('--gpu');
		if (at >= 0) {
			const range = document.createRange();
			range.setStart(walker.currentNode, at);
			range.setEnd(walker.currentNode, at + '--gpu'.length);
			option++;
			if (range.getClientRects().length !== 1) {
				found.push('--gpu is broken over lines');
			}
		}
	}
	if (option === 0) {
		found.push('--gpu is not named');
	}
	const rows = [...document.querySelector('table').rows].map(row => row.innerText);
	if (new Set(rows).size !== rows.length || !rows.some(row => row.includes("name='ResNet50', size=224"))) {
		found.push(`the rows are not told apart: ${rows.join('; ')}`);
	}
	for (const row of document.querySelector('table').rows) {
		const range = document.createRange();
		range.selectNodeContents(row.cells[0]);
		if (new Set([...range.getClientRects()].map(at => at.top)).size > 1) {
			found.push(`"${row.cells[0].innerText}" is broken over lines`);
		}
	}
	for (const link of document.querySelectorAll('a[href^="#"]')) {
		if (!document.querySelector(link.getAttribute('href'))) {
			found.push(`${link.href} leads nowhere`);
		}
	}
	const places = [...document.querySelectorAll('a.place')];
	if (!places.some(a => decodeURI(a.href).includes(file))) {
		found.push(`no link leads to ${file}`);
	}
	const said = document.body.innerText;
	for (const advice of [/batches of at most \d/, /[Ii]n mixed precision/]) {
		if (!advice.test(said)) {
			found.push(`the page does not say ${advice}`);
		}
	}
	if (document.documentElement.scrollWidth > innerWidth + 1) {
		found.push(`the page is ${document.documentElement.scrollWidth} pixels wide in a window of ${innerWidth}`);
	}
	return found;
}

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] });
try {
	const page = await browser.newPage({ viewport: { width: 1000, height: 1150 } });
	await page.goto(pathToFileURL(html).href);
	if (picture) {
		await page.screenshot({ path: picture });
	}
	const lines = [];
	for (const width of [1000, 700, 610, 420]) {
		await page.setViewportSize({ width, height: 1150 });
		const wrong = await page.evaluate(faults, path.basename(program));
		lines.push(wrong.length ? `FAIL the page of an estimate, ${width} pixels wide: ${wrong.join('; ')}` : `ok   the page of an estimate is read well ${width} pixels wide`);
	}
	fs.writeFileSync(result, lines.map(line => `${line}\n`).join(''));
} finally {
	await browser.close();
}
