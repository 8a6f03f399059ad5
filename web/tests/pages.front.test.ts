import { flushSync, mount, unmount } from "svelte";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { setLang } from "../src/i18n/index.svelte.ts";
import { bots } from "../src/lib/bots.svelte.ts";
import { route } from "../src/lib/route.svelte.ts";
import Front from "../src/pages/Front.svelte";

interface Call {
  method: string;
  path: string;
  body: unknown;
}
let calls: Call[] = [];
let page: Record<string, unknown> | undefined;
let refuse = "";

const REPLIES: Record<string, unknown> = {
  "/api/me": { id: "u", name: "Ada", lang: null, named: false, token: null },
  "/api/me/tables": [],
  "/api/maps": ["usa", "europe", "iberia", "africa"],
  "/api/bots": [
    { id: "passenger", level: 1, about: "" },
    { id: "conductor", level: 3, about: "" },
    { id: "stationmaster", level: 5, about: "" },
    { id: "MyBot", level: null, about: "Takes what is offered first." },
  ],
  "/api/promise": { table: "abc", commitment: "00", ticket: "abc.1" },
};

beforeEach(async () => {
  calls = [];
  refuse = "";
  localStorage.clear();
  await setLang("en", false);
  vi.stubGlobal("fetch", async (path: string, init?: RequestInit) => {
    const method = init?.method ?? "GET";
    if (path.includes("/minimaps/")) return new Response('{"land":"","lakes":"","tracks":{},"places":""}');
    calls.push({ method, path, body: init?.body ? JSON.parse(init.body as string) : null });
    if (method === "POST" && refuse)
      return new Response(JSON.stringify({ reason: refuse, code: refuse === "many" ? "many_tables" : "", n: 20 }), {
        status: 400,
      });
    const reply = method === "POST" && path === "/api/tables" ? { id: "abc" } : (REPLIES[path] ?? []);
    return new Response(JSON.stringify(reply));
  });
  page = mount(Front, { target: document.body });
  flushSync();
});

afterEach(async () => {
  if (page) await unmount(page);
  vi.unstubAllGlobals();
});

const button = () => document.querySelector<HTMLButtonElement>("[data-testid=play-now]")!;
const made = () => calls.find((call) => call.method === "POST" && call.path === "/api/tables");

it("starts a game against two bots with one click", async () => {
  button().click();
  await vi.waitFor(() => expect(route.path).toBe("/t/abc"));
  expect(made()?.body).toMatchObject({
    map: "usa",
    start: true,
    seats: [{ kind: "me" }, { kind: "bot" }, { kind: "bot" }],
  });
});

it("plays the map that was picked, and remembers it", async () => {
  const iberia = document.querySelector<HTMLInputElement>("[data-testid=map-iberia]")!;
  iberia.click();
  flushSync();
  expect(JSON.parse(localStorage.getItem("newTable")!).map).toBe("iberia");
  button().click();
  await vi.waitFor(() => expect(made()?.body).toMatchObject({ map: "iberia" }));
});

const level = (id: string) => document.querySelector<HTMLInputElement>(`[data-testid=level-${id}]`)!;

it("offers the levels by their faces, a newcomer the gentlest, and remembers which was chosen", async () => {
  await vi.waitFor(() => expect(level("passenger").checked).toBe(true));
  expect([...document.querySelectorAll("[data-face]")].map((face) => face.getAttribute("data-face"))).toEqual([
    "passenger",
    "conductor",
    "stationmaster",
    "MyBot",
  ]);
  level("conductor").click();
  flushSync();
  expect(document.body.textContent).toContain("cheapest way");
  expect(JSON.parse(localStorage.getItem("newTable")!)).toMatchObject({
    level: "conductor",
    chairs: ["me", "open", "conductor"],
  });
  button().click();
  await vi.waitFor(() =>
    expect(made()?.body).toMatchObject({ seats: [{ kind: "me" }, { bot: "conductor" }, { bot: "conductor" }] }),
  );
});

it("offers a bot of the service's owner with its own words", async () => {
  await vi.waitFor(() => expect(level("MyBot")).toBeTruthy());
  level("MyBot").click();
  flushSync();
  expect(document.body.textContent).toContain("Takes what is offered first.");
});

it("plays against the nearest level where the one chosen before is not offered", async () => {
  await vi.waitFor(() => expect(bots.known.length).toBe(4));
  expect(["porter", "driver", "path", "nobody"].map((wish) => bots.fit(wish))).toEqual([
    "passenger",
    "conductor",
    "conductor",
    "passenger",
  ]);
  expect(bots.fit("MyBot")).toBe("MyBot");
});

it("says in the reader's language why a table could not be made", async () => {
  await setLang("pt-PT", false);
  refuse = "many";
  button().click();
  await vi.waitFor(() =>
    expect(document.querySelector("[role=alert]")?.textContent).toContain("tens 20 mesas por acabar"),
  );
});

it("says why a table could not be made, and lets one try again", async () => {
  refuse = "the service is going down";
  button().click();
  await vi.waitFor(() => expect(document.querySelector("[role=alert]")?.textContent).toContain("going down"));
  expect(button().disabled).toBe(false);
});
