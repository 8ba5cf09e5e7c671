// Runs a module as a page does. Arguments: wasm_exec.js, the module as gzip, and a JSON list of jobs [cell, n, values, draft, times].
// Prints a JSON list with, for each job, what opening the cell said, the last answer, and the least CPU time of a step in milliseconds.
"use strict";
const fs = require("fs"), zlib = require("zlib"), vm = require("vm");
const [script, module_, jobs] = process.argv.slice(2);
globalThis.require = require;
vm.runInThisContext(fs.readFileSync(script, "utf8"), { filename: "wasm_exec.js" });
const cpu = () => { const u = process.cpuUsage(); return (u.user + u.system) / 1000; };
globalThis.prlReady = () => setImmediate(() => {
	const results = [];
	for (const [cell, n, values, draft, times] of JSON.parse(jobs)) {
		const began = cpu();
		const opened = globalThis.prlOpen(cell), opening = cpu() - began;
		let answer = "", best = Infinity;
		for (let i = 0; i < times; i++) {
			const before = cpu();
			answer = globalThis.prlStep(cell, n, values, draft);
			best = Math.min(best, cpu() - before);
		}
		results.push({ opened, opening, answer, best });
	}
	fs.writeSync(1, JSON.stringify(results) + "\n");
	process.exit(0);
});
const go = new globalThis.Go();
WebAssembly.instantiate(zlib.gunzipSync(fs.readFileSync(module_)), go.importObject).then((r) => go.run(r.instance));
