/** A mail server of the tests' own, on a real socket: it takes what it is given and keeps the links. */
import { createServer, type Server, type Socket } from "node:net";
import type { AddressInfo } from "node:net";
import { expect } from "@playwright/test";

export interface Mail {
  to: string;
  links: string[]; // as paths, in the order of the text
}

export class MailServer {
  readonly arrived: Mail[] = [];
  #server: Server | null = null;

  async start(): Promise<this> {
    this.#server = createServer((line) => this.#serve(line));
    await new Promise<void>((resolve) => this.#server!.listen(0, "127.0.0.1", resolve));
    return this;
  }

  get url(): string {
    return `smtp://127.0.0.1:${(this.#server!.address() as AddressInfo).port}`;
  }

  async next(count: number): Promise<Mail> {
    await expect.poll(() => this.arrived.length, { timeout: 20_000 }).toBeGreaterThanOrEqual(count);
    return this.arrived[count - 1]!;
  }

  stop(): void {
    this.#server?.close();
  }

  /** As much of SMTP as one message needs. */
  #serve(line: Socket): void {
    let to = "";
    let text: string[] | null = null;
    let rest = "";
    line.on("error", () => undefined);
    line.write("220 tests\r\n");
    line.on("data", (part) => {
      const lines = (rest + part.toString()).split("\r\n");
      rest = lines.pop()!;
      for (const said of lines) {
        if (text && said !== ".") text.push(said);
        else if (text) {
          this.arrived.push({ to, links: linksIn(text.join("\n")) });
          text = null;
          line.write("250 taken\r\n");
        } else if (said.toUpperCase() === "DATA") {
          text = [];
          line.write("354 go on\r\n");
        } else if (said.toUpperCase() === "QUIT") line.end("221 bye\r\n");
        else {
          to = /^RCPT TO:<(.*)>/i.exec(said)?.[1] ?? to;
          line.write("250 ok\r\n");
        }
      }
    });
  }
}

/** The body is quoted-printable: a line ends with "=" where it goes on. */
function linksIn(message: string): string[] {
  const body = message.slice(message.indexOf("\n\n")).replaceAll("=\n", "").replaceAll("=3D", "=");
  return [...body.matchAll(/https?:\/\/[^\s>]+/g)].map(([found]) => new URL(found).pathname);
}
