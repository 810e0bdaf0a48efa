// What the user has said in VS Code's settings. Knows nothing of VS Code, so that its
// test needs none.

/** The settings of package.json, by their whole names. */
export type Declared = Record<string, { default?: unknown }>;

/**
 * The settings of a section that are not at their defaults: of the others the project
 * may decide, and an older server need not know them.
 */
export function said(section: string, settings: object | null, declared: Declared): object {
	const out: Record<string, unknown> = {};
	for (const [key, value] of Object.entries(settings ?? {})) {
		const name = `${section}.${key}`;
		if (name in declared) {
			if (JSON.stringify(value) !== JSON.stringify(declared[name].default)) {
				out[key] = value;
			}
		} else if (value !== null && typeof value === 'object') {
			out[key] = said(name, value, declared);
		}
	}
	return out;
}
