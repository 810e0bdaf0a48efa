// page.mjs URL RESULT SCREENSHOT: shows VS Code's page in Chromium, since its
// extension host lives as long as a page does; waits until the driver has
// written "done" to RESULT, then takes a picture.

import * as fs from 'node:fs';
import { chromium } from 'playwright-core';

const [url, result, screenshot] = process.argv.slice(2);
const patience = 300_000; // ms

const browser = await chromium.launch({
	executablePath: process.env.CHROMIUM,
	args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
});
try {
	const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
	// VS Code's page would ask its market-place and telemetry servers.
	await page.route(address => address.hostname !== '127.0.0.1' && address.protocol.startsWith('http'), route => route.abort());
	await page.goto(url);
	const end = Date.now() + patience;
	while (!fs.existsSync(result) || !fs.readFileSync(result, 'utf8').endsWith('done\n')) {
		if (Date.now() > end) {
			console.error(`the driver was not done after ${patience / 1000} s`);
			process.exitCode = 1;
			break;
		}
		await page.waitForTimeout(200);
	}
	await page.waitForTimeout(2000); // the Problems panel draws itself
	await page.screenshot({ path: screenshot });
} finally {
	await browser.close();
}
