/** The service worker, built to /sw.js by tools/worker.ts. Each concern is a module that listens for itself. */
import "./push.ts";
import "./shell.ts";
