/** A push service of the tests' own, on a real socket: it checks who sends (RFC 8292) and reads what is sent (RFC 8291). */
import { createDecipheriv, createECDH, createPublicKey, type ECDH, hkdfSync, randomBytes, verify } from "node:crypto";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "@playwright/test";

export interface Told {
  title: string;
  body: string;
  tag: string;
  url: string;
  kind: string;
}

export class PushService {
  readonly arrived: Told[] = [];
  readonly senders: string[] = [];
  #server: Server | null = null;
  #browser: ECDH = createECDH("prime256v1");
  #auth = randomBytes(16);
  #faults: unknown[] = [];

  async start(): Promise<this> {
    this.#browser.generateKeys();
    this.#server = createServer((request, response) => {
      void this.#take(request).then(
        () => response.writeHead(201).end(),
        (error: unknown) => {
          this.#faults.push(error);
          response.writeHead(400).end();
        },
      );
    });
    await new Promise<void>((resolve) => this.#server!.listen(0, "127.0.0.1", resolve));
    return this;
  }

  get place(): string {
    return `127.0.0.1:${(this.#server!.address() as AddressInfo).port}`;
  }

  /** What `PushManager.subscribe` would give. */
  get subscription() {
    return {
      endpoint: `http://${this.place}/push/one`,
      keys: { p256dh: this.#browser.getPublicKey().toString("base64url"), auth: this.#auth.toString("base64url") },
    };
  }

  /** The next message, read. */
  async next(count: number): Promise<Told> {
    await expect
      .poll(() => this.arrived.length + this.#faults.length, { timeout: 20_000 })
      .toBeGreaterThanOrEqual(count);
    expect(this.#faults).toEqual([]);
    return this.arrived[count - 1]!;
  }

  stop(): void {
    this.#server?.closeAllConnections();
    this.#server?.close();
  }

  async #take(request: IncomingMessage): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    expect(request.headers["content-encoding"]).toBe("aes128gcm");
    this.senders.push(this.#sender(request.headers.authorization ?? ""));
    this.arrived.push(JSON.parse(this.#read(Buffer.concat(parts)).toString()) as Told);
  }

  /** The key of who proved to have sent it. */
  #sender(header: string): string {
    const [, token, key] = /^vapid t=([^,]+), k=(.+)$/.exec(header)!;
    const [head, claims, signature] = token!.split(".") as [string, string, string];
    const { aud, exp } = JSON.parse(Buffer.from(claims, "base64url").toString()) as { aud: string; exp: number };
    expect(aud).toBe(`http://${this.place}`);
    expect(exp * 1000).toBeGreaterThan(Date.now());
    const point = Buffer.from(key!, "base64url");
    const jwk = {
      kty: "EC",
      crv: "P-256",
      x: point.subarray(1, 33).toString("base64url"),
      y: point.subarray(33).toString("base64url"),
    };
    const known = createPublicKey({ key: jwk, format: "jwk" });
    const right = verify(
      "sha256",
      Buffer.from(`${head}.${claims}`),
      { key: known, dsaEncoding: "ieee-p1363" },
      Buffer.from(signature, "base64url"),
    );
    expect(right).toBe(true);
    return key!;
  }

  #read(body: Buffer): Buffer {
    const salt = body.subarray(0, 16),
      size = body[20]!,
      theirs = body.subarray(21, 21 + size),
      sealed = body.subarray(21 + size);
    const info = Buffer.concat([Buffer.from("WebPush: info\0"), this.#browser.getPublicKey(), theirs]);
    const secret = Buffer.from(hkdfSync("sha256", this.#browser.computeSecret(theirs), this.#auth, info, 32));
    const key = Buffer.from(hkdfSync("sha256", secret, salt, "Content-Encoding: aes128gcm\0", 16));
    const nonce = Buffer.from(hkdfSync("sha256", secret, salt, "Content-Encoding: nonce\0", 12));
    const open = createDecipheriv("aes-128-gcm", key, nonce);
    open.setAuthTag(sealed.subarray(-16));
    const plain = Buffer.concat([open.update(sealed.subarray(0, -16)), open.final()]);
    return plain.subarray(0, plain.lastIndexOf(2));
  }
}
