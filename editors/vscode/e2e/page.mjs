// page.mjs URL RESULT [PICTURES]: shows VS Code's page in Chromium, since its
// extension host lives as long as a page does; does with the page what the driver
// asks for (driver/editor.js) until that has written "done" to RESULT, and puts
// pictures into the folder, if one is named.

import * as fs from 'node:fs';
import * as path from 'node:path';
import { chromium } from 'playwright-core';

const [url, result, pictures] = process.argv.slice(2);
const session = path.basename(result, '.result');
const patience = 600_000; // ms

async function picture(page, name, clip) {
	if (pictures) {
		await page.waitForTimeout(2000); // what moves comes to rest
		await page.screenshot({ path: path.join(pictures, `${name}.png`), clip });
	}
}

// Looks for what is in the frame of a panel, which VS Code nests two deep.
async function inFrames(page, selector) {
	for (const frame of page.frames().slice(1)) {
		try {
			const found = await frame.$(selector);
			if (found && await found.isVisible()) {
				return await found.evaluate(e => ({ text: e.innerText, background: getComputedStyle(e.ownerDocument.body).backgroundColor }));
			}
		} catch {
			// The frame is gone by now.
		}
	}
	return null;
}

async function answer(page, request) {
	if (request.rest) {
		await page.mouse.move(680, 790);
	}
	if (request.hover) {
		await page.hover(request.hover, { timeout: 45_000 });
		await page.waitForTimeout(1000);
	}
	if (request.click) {
		await page.click(request.click, { timeout: 45_000 });
	}
	if (request.type) {
		await page.keyboard.type(request.type, { delay: 20 });
	}
	if (request.press) {
		await page.keyboard.press(request.press);
	}
	if (request.wheel) {
		await page.mouse.move(...request.over);
		await page.mouse.wheel(0, request.wheel);
	}
	if (request.picture) {
		await picture(page, request.picture, request.clip);
	}
	if (request.frame) {
		return inFrames(page, request.frame);
	}
	if (request.count) {
		return page.locator(request.count).filter({ visible: true }).count();
	}
	if (request.read) {
		return (await page.locator(request.read).allInnerTexts()).join('\n').replaceAll('\u00a0', ' ');
	}
	return null;
}

const browser = await chromium.launch({
	executablePath: process.env.CHROMIUM,
	args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
});
try {
	const page = await browser.newPage({ viewport: { width: 1360, height: 800 } });
	// VS Code's page would ask its market-place and telemetry servers.
	await page.route(address => address.hostname !== '127.0.0.1' && address.protocol.startsWith('http'), route => route.abort());
	await page.goto(url);
	const end = Date.now() + patience;
	for (let next = 1; !fs.existsSync(result) || !fs.readFileSync(result, 'utf8').endsWith('done\n');) {
		if (Date.now() > end) {
			console.error(`the driver was not done after ${patience / 1000} s`);
			process.exitCode = 1;
			break;
		}
		const base = `${result}.${next}`;
		if (!fs.existsSync(`${base}.ask`)) {
			await page.waitForTimeout(50);
			continue;
		}
		next++;
		let reply;
		try {
			reply = { value: await answer(page, JSON.parse(fs.readFileSync(`${base}.ask`, 'utf8'))) };
		} catch (error) {
			reply = { error: String(error.stack ?? error) };
			await picture(page, `${session}-failed`);
		}
		fs.writeFileSync(`${base}.new`, JSON.stringify(reply));
		fs.renameSync(`${base}.new`, `${base}.answer`);
	}
	await picture(page, `${session}-last`);
} finally {
	await browser.close();
}
