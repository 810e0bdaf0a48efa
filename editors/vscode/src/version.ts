// Compares versions. Knows nothing of VS Code, so that its test needs none.

/** Whether a server is older than a version such as "0.1.0"; one that does not say is. */
export function isOlder(server: string | undefined, than: string): boolean {
	const numbers = (version: string) => version.split(/[.+-]/).slice(0, 3).map(Number);
	const [a, b] = [numbers(server ?? ''), numbers(than)];
	for (let i = 0; i < b.length; i++) {
		if (a[i] !== b[i]) {
			return !(a[i] > b[i]);
		}
	}
	return false;
}
