/** The drawings others point at exist, and the cards say what they are. */
import { type Component, flushSync, mount, unmount } from "svelte";
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import Face from "../src/art/Face.svelte";
import { FACES } from "../src/art/faces.ts";
import { fly } from "../src/art/fly.ts";
import { band, rosette } from "../src/art/guilloche.ts";
import { ICONS } from "../src/art/icons.ts";
import { play } from "../src/art/sounds.ts";
import Sprites from "../src/art/Sprites.svelte";
import TicketCard from "../src/art/TicketCard.svelte";
import TrainCard from "../src/art/TrainCard.svelte";
import { CARDS, SILHOUETTE, WAGON } from "../src/art/wagons.ts";
import { lang } from "../src/i18n/index.svelte.ts";
import en from "virtual:catalogue/en";

let parts: Record<string, unknown>[] = [];
function show<Props extends Record<string, unknown>>(component: Component<Props>, props: Props): HTMLElement {
  const target = document.createElement("div");
  document.body.append(target);
  parts.push(mount(component, { target, props }));
  flushSync();
  return target;
}
beforeAll(() => {
  lang.messages = en;
});
beforeEach(() => {
  parts = [];
});
afterEach(() => {
  for (const part of parts) void unmount(part);
  document.body.replaceChildren();
});

describe("the sprite", () => {
  test("has every drawing, once", () => {
    const target = show(Sprites, {});
    const wanted = [
      ...CARDS.flatMap((card) => [`wagon-${card}`, `engraving-${card}`, `hatch-${card}`]),
      "hatch-gray",
      ...[0, 1, 2, 3, 4].flatMap((seat) => [`train-${seat}`, `station-${seat}`]),
      ...["desert", "jungle", "mountain"].map((id) => `terrain-${id}`),
      "festival",
      "ornament",
      ...Object.keys(ICONS).map((name) => `icon-${name}`),
    ];
    for (const id of wanted) expect(target.querySelectorAll(`#${id}`).length, id).toBe(1);
  });
  test("draws in the SVG namespace", () => {
    for (const node of show(Sprites, {}).querySelectorAll("svg *"))
      expect(node.namespaceURI).toBe("http://www.w3.org/2000/svg");
  });
  test("no two wagons share a silhouette, and no path holds a broken number", () => {
    expect(new Set(CARDS.map((card) => SILHOUETTE[WAGON[card]].body)).size).toBe(9);
    for (const path of show(Sprites, {}).querySelectorAll("path"))
      expect(path.getAttribute("d")).not.toMatch(/NaN|undefined|Infinity/);
  });
});

describe("cards", () => {
  test("a card is a picture with a name, and a button when it can be taken", () => {
    expect(show(TrainCard, { card: "red", count: 3 }).querySelector('[role="img"]')?.getAttribute("aria-label")).toBe(
      "red, tank car, 3 cards",
    );
    const taken = vi.fn();
    const button = show(TrainCard, { card: "loco", onclick: taken }).querySelector("button")!;
    button.click();
    expect(taken).toHaveBeenCalledOnce();
    expect(button.getAttribute("aria-label")).toBe("locomotive");
  });
  test("the back of a card tells nothing", () => {
    expect(show(TrainCard, { card: null }).innerHTML).not.toMatch(/wagon-|hatch-/);
  });
  test("a ticket says both places, its points and its state", () => {
    const ticket = show(TicketCard, {
      a: "Paris",
      b: "Wien",
      points: 8,
      long: true,
      done: true,
      onclick: () => undefined,
      selected: true,
    }).querySelector("button")!;
    expect(ticket.getAttribute("aria-label")).toBe("Paris to Wien, 8 points, long ticket, completed");
    expect(ticket.getAttribute("aria-pressed")).toBe("true");
  });
});

describe("faces", () => {
  const levels = ["passenger", "porter", "conductor", "driver", "stationmaster"];
  test("every level has a face, a name and a style, and no two have the same outline", () => {
    expect(Object.keys(FACES)).toEqual(levels);
    expect(new Set(levels.map((id) => FACES[id]!.hat)).size).toBe(5);
    for (const id of levels) {
      expect(show(Face, { bot: id }).querySelectorAll("path").length).toBeGreaterThan(6);
      expect(en).toHaveProperty([`common.bot.${id}`]);
      expect(en).toHaveProperty([`common.style.${id}`]);
    }
  });
  test("a bot as it was called before keeps a face, any other is an automaton", () => {
    expect(show(Face, { bot: "path" }).innerHTML.replace("path", "conductor")).toBe(
      show(Face, { bot: "conductor" }).innerHTML,
    );
    expect(show(Face, { bot: "MyBot" }).innerHTML).toContain("#icon-bot");
  });
});

describe("curves, flights, sounds", () => {
  test("a seed always draws the same figure, and another seed another", () => {
    expect(rosette("a-b", 40)).toBe(rosette("a-b", 40));
    expect(rosette("a-b", 40)).not.toBe(rosette("a-c", 40));
    expect(band("a-b", 240, 12)).not.toMatch(/NaN/);
  });
  test("nothing flies where motion is off", async () => {
    document.documentElement.dataset.motion = "off";
    const thing = document.createElement("div");
    await fly(thing, thing, thing);
    expect(document.body.children.length).toBe(0);
    delete document.documentElement.dataset.motion;
  });
  test("a browser without audio, or one that refuses it, stays silent", async () => {
    const { sound } = await import("../src/art/score.ts");
    expect(() => sound("claim", 1)).not.toThrow();
    vi.stubGlobal(
      "AudioContext",
      class {
        constructor() {
          throw new Error("not allowed");
        }
      },
    );
    expect(() => sound("claim", 1)).toThrow();
    expect(() => play("claim")).not.toThrow();
    await vi.dynamicImportSettled(); // what is thrown by then would fail this run
    vi.unstubAllGlobals();
  });
});
