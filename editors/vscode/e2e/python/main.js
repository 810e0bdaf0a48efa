// Stands for the Python extension: its setting and, once the driver has selected an interpreter,
// the part of its API that tells of it.

const { EventEmitter } = require('vscode');

const changed = new EventEmitter();
let path;

exports.activate = () => ({
	get environments() {
		return path && { getActiveEnvironmentPath: () => ({ path }), onDidChangeActiveEnvironmentPath: changed.event };
	},
	select(another) {
		path = another;
		changed.fire();
	},
});
