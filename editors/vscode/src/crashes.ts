// Counts how often the server ends by itself. Knows nothing of VS Code, so that
// its test needs none.

const most = 5;
const within = 3 * 60_000; // ms

/** The ends of a server in the last minutes. */
export class Crashes {
	private times: number[] = [];

	/** Whether a server that ended at a time, in milliseconds, is not to be started again. */
	tooMany(now: number): boolean {
		this.times = [...this.times, now].filter(time => now - time < within);
		return this.times.length >= most;
	}
}
