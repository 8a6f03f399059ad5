/** What every test stands on: a page that must not complain, and tables made by hand. */
import { type BrowserContext, type Page, test as plain } from "@playwright/test";
import type { NewTable, TableWire } from "../src/wire.ts";
import { bringSpaces } from "./spaces.ts";

export { expect, type BrowserContext, type Page } from "@playwright/test";

interface Fixtures {
  /** A browser that has never been here: the first decision is explained to it. */
  newcomer: boolean;
  /** Faults a test brings about itself, as they are written on the console. */
  forgiven: RegExp[];
  complaints: string[];
}

export const test = plain.extend<Fixtures>({
  newcomer: [false, { option: true }],
  forgiven: [[], { option: true }],
  baseURL: async ({}, use) => use(process.env.BRANCHLINE_URL),
  complaints: async ({}, use) => use([]),
  context: async ({ context, newcomer, forgiven, complaints }, use) => {
    await prepare(context, complaints, newcomer);
    await use(context);
    const serious = complaints.filter((line) => !forgiven.some((pattern) => pattern.test(line)));
    if (serious.length) throw new Error(`the page complained:\n${serious.join("\n")}`);
  },
});

/** Hears every fault of every page of a context. */
export async function prepare(context: BrowserContext, complaints: string[], newcomer = false): Promise<void> {
  if (!newcomer)
    await context.addInitScript(() => {
      if (location.protocol !== "http:") return;
      localStorage.setItem("seenFirst", "true");
      localStorage.setItem("seenLessons", '["europe","iberia","africa","carpathians"]');
    });
  await context.addInitScript(bringSpaces);
  context.on("weberror", (fault) => complaints.push(String(fault.error().stack ?? fault.error())));
  context.on("console", (message) => {
    if (/Service Worker registration blocked/.test(message.text())) return; // playwright.config.ts asked for that
    if (message.type() === "error" || message.type() === "warning")
      complaints.push(`${message.text()} (${message.location().url})`);
  });
}

export const ME = { kind: "me" } as const;
export const OPEN = { kind: "open" } as const;
export const BOT = { kind: "bot", bot: "random" } as const;
export const GOOD_BOT = { kind: "bot", bot: "conductor" } as const;

/** Asks the service in the name of the page's guest. */
export async function ask<T>(page: Page, path: string, body?: unknown): Promise<T> {
  const url = new URL(`/api${path}`, process.env.BRANCHLINE_URL).href;
  const origin = new URL(url).origin;
  const reply =
    body === undefined
      ? await page.request.get(url)
      : await page.request.post(url, { data: body, headers: { origin } });
  if (!reply.ok()) throw new Error(`${path}: ${reply.status()} ${await reply.text()}`);
  return (await reply.json()) as T;
}

/** Makes a table, the page's guest first, and goes there. Without open chairs the game begins at once. */
export async function sitAt(page: Page, wish: Partial<NewTable> & { map: string }, query = ""): Promise<TableWire> {
  await ask(page, "/me");
  const seats = wish.seats ?? [ME, BOT];
  const start = !seats.some((seat) => seat.kind === "open");
  const table = await ask<TableWire>(page, "/tables", { seats, order: "fixed", start, ...wish });
  await page.goto(`/t/${table.id}${query}`);
  return table;
}
