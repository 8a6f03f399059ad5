/** The service under test: the real one, on a free port and a folder of its own. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));
/** How `branchline` is called here: the clone's own, or the words of the variable BRANCHLINE. */
const command = process.env.BRANCHLINE?.split(" ") ?? [join(root, ".venv/bin/branchline")];
const python = command.length > 1 ? command[0]! : join(root, ".venv/bin/python");
const START_SECONDS = 60;
const SQL =
  "import sqlite3, sys; c = sqlite3.connect(sys.argv[1], timeout=10); c.executescript(sys.argv[2]); c.close()";

export class Service {
  readonly folder = mkdtempSync(join(tmpdir(), "branchline-"));
  url = "";
  #port = 0;
  #process: ChildProcess | null = null;
  #said = "";

  /** `settings`: variables of its environment beside those of the tests; `options`: of its command line. */
  constructor(
    readonly settings: Record<string, string> = {},
    readonly options: string[] = [],
  ) {}

  /** Starts on the same port and folder as before, if there was a before. */
  async start(): Promise<this> {
    if (command.length === 1 && !existsSync(command[0]!))
      throw new Error(`${command[0]} is not there: run \`make setup\` first`);
    this.#port ||= await freePort();
    this.url = `http://127.0.0.1:${this.#port}`;
    const args = [
      "serve",
      "--port",
      String(this.#port),
      "--data",
      join(this.folder, "data"),
      "--bot-pause",
      "0",
      "--log-level",
      "error",
      ...this.options,
    ];
    this.#process = spawn(command[0]!, [...command.slice(1), ...args], {
      cwd: root,
      env: { ...process.env, ...this.settings },
      stdio: ["ignore", "pipe", "pipe"],
    });
    for (const stream of [this.#process.stdout, this.#process.stderr])
      stream?.on("data", (text) => (this.#said += String(text)));
    await this.#answers();
    return this;
  }

  /** Changes the store behind the service's back. */
  sql(statements: string): void {
    execFileSync(python, ["-c", SQL, join(this.folder, "data", "branchline.sqlite3"), statements]);
  }

  /** The plug is pulled: no goodbye, nothing flushed. */
  async kill(): Promise<void> {
    await this.#end("SIGKILL");
  }

  async stop(): Promise<void> {
    await this.#end("SIGTERM");
    rmSync(this.folder, { recursive: true, force: true });
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const process = this.#process;
    this.#process = null;
    if (!process || process.exitCode !== null) return;
    const ended = new Promise((resolve) => process.once("exit", resolve));
    process.kill(signal);
    await ended;
  }

  async #answers(): Promise<void> {
    const end = Date.now() + START_SECONDS * 1000;
    while (Date.now() < end) {
      if (this.#process?.exitCode !== null) break;
      const reply = await fetch(`${this.url}/readyz`).catch(() => null);
      if (reply?.ok) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error(`the service does not answer:\n${this.#said}`);
  }
}

/** Runs `branchline` and gives what it prints; throws if it fails. */
export function branchline(...args: string[]): string {
  return execFileSync(command[0]!, [...command.slice(1), ...args], { cwd: root, encoding: "utf8" });
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}
