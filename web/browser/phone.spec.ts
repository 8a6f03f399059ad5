/** A phone to win on: whole games by touch, and the board with half of the screen after every step. */
import { BOT, expect, GOOD_BOT, ME, type Page, sitAt, test } from "./base.ts";
import { Clicks } from "./clicks.ts";
import { recordVerifies, showEnds } from "./ends.ts";
import { measure, sound } from "./phone.ts";
import { decide, type Met } from "./policy.ts";
import { playedOn } from "./rig.ts";
import { answered, begun, byId, type Sight } from "./screen.ts";

/** Back closes so many things: the entries of the history that closing by hand left over are gone. */
const owed = (page: Page, steps: number) =>
  expect.poll(() => page.evaluate(() => (history.state as { back?: number } | null)?.back ?? 0)).toBe(steps);

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 });

/** The table of each map, and the scenes that must have come. */
const GAMES = {
  usa: { seats: [ME, GOOD_BOT, BOT, BOT, BOT], things: ["tickets drawn"], scenes: ["ticket-choice"] },
  europe: {
    seats: [ME, BOT, BOT, BOT, BOT],
    things: ["tunnel given up", "tunnel paid", "station"],
    scenes: ["ticket-choice", "tunnel"],
  },
  iberia: {
    seats: [ME, BOT, BOT, BOT, BOT],
    things: ["festival choice"],
    scenes: ["draft", "ticket-choice", "festival-choice"],
  },
  africa: {
    seats: [ME, BOT, BOT, BOT, BOT],
    things: ["terrain display", "doubling refused", "doubling taken"],
    scenes: ["ticket-choice", "double-choice"],
  },
  carpathians: {
    seats: [ME, BOT, BOT, BOT, BOT],
    things: ["tunnel paid", "ferry", "bag taken", "bag left", "bag laid down"],
    scenes: ["ticket-choice", "tunnel", "take-bags"],
  },
} as const;

for (const [map, { seats, things, scenes }] of Object.entries(GAMES)) {
  test(`a whole game by touch: ${map}`, async ({ page }, info) => {
    await sitAt(page, { map, seed: 7, seats: [...seats] });
    const met: Met = new Set();
    let about = "at first";
    let sight = await begun(page);
    const { box } = await sound(page, map, about);
    /** Half of the screen, as it was, whatever stands below. */
    const still = async (what: string) =>
      expect((await sound(page, map, what)).box, `${what}: the board keeps its size`).toBe(box);
    const hands = new Clicks(page, met, true, (what) => still(`${about}, ${what}`));
    const seen = new Set<string | null>();
    for (let deeds = 0; !sight.over; deeds++) {
      expect(deeds, "the game goes on for ever").toBeLessThan(400);
      seen.add(sight.scene);
      about = `${deeds}, ${sight.scene ?? sight.status}`;
      await hands.do(decide(sight, new Set(things.filter((thing) => !met.has(thing)))), sight);
      await still(`after ${about}`);
      sight = await answered(page, sight.asked);
      await still(`next, ${sight.scene ?? sight.status}`);
    }
    expect(
      [...things.filter((thing) => !met.has(thing)), ...scenes.filter((scene) => !seen.has(scene))],
      "not met",
    ).toEqual([]);
    await showEnds(page);
    await still("over");
    await recordVerifies(page, info.outputPath("record.json"));
  });
}

/** At the first turn, the tickets chosen. */
async function atTurn(page: Page, map: string, seats = [ME, BOT, BOT]): Promise<Sight> {
  await sitAt(page, { map, seed: 7, seats });
  const sight = await begun(page);
  await byId(page, "suggest").tap();
  await byId(page, "keep").tap();
  return answered(page, sight.asked);
}

test("sheets and panels slide over the cards, and Back closes them one by one", async ({ page }) => {
  await page.goto("/");
  await atTurn(page, "europe");
  const here = page.url();
  const { box } = await sound(page, "europe", "a turn");
  const still = async (about: string) => expect((await sound(page, "europe", about)).box, about).toBe(box);

  await byId(page, "claims").tap();
  await expect(byId(page, "claim-list")).toBeVisible();
  await still("the list of claims");
  await byId(page, "claim-list").locator("li button").first().tap();
  await expect(byId(page, "confirm-claim")).toBeVisible();
  await still("a price");
  await owed(page, 1);
  await page.goBack();
  await expect(byId(page, "price-sheet")).toHaveCount(0);
  await expect(byId(page, "status")).toBeVisible();
  expect(page.url()).toBe(here);

  await byId(page, "station").tap();
  await still("the list of stations");
  await byId(page, "station-list").locator("li button").first().tap();
  await still("a station");
  await byId(page, "price-sheet").getByRole("button", { name: "Close" }).tap(); // closed by hand: Back is not owed
  await expect(byId(page, "price-sheet")).toHaveCount(0);

  for (const tab of ["tickets", "players", "log", "chat"]) {
    await page.locator(`#tab-${tab}`).tap();
    await still(tab);
  }
  await expect(page.getByRole("textbox", { name: "Message" })).toBeInViewport({ ratio: 1 });
  await byId(page, "menu").tap();
  await expect(byId(page, "dialog-menu")).toBeVisible();
  await owed(page, 2);
  await page.goBack();
  await expect(byId(page, "dialog-menu")).toHaveCount(0);
  await expect(page.locator("#tab-chat")).toHaveAttribute("aria-selected", "true");
  await owed(page, 1);
  await page.goBack();
  await expect(page.locator("#tab-play")).toHaveAttribute("aria-selected", "true");
  expect(page.url()).toBe(here);
  await owed(page, 0);
  await page.goBack(); // nothing is open any more
  await expect(page).toHaveURL(/\/$/);
});

test("a link out of a dialog is gone back from to the game", async ({ page }) => {
  await atTurn(page, "usa", [ME, BOT]);
  const here = page.url();
  await byId(page, "menu").tap();
  await byId(page, "dialog-menu").getByRole("link", { name: "Rules" }).tap();
  await expect(page).toHaveURL(/\/rules\/usa/);
  await page.goBack();
  await expect(page).toHaveURL(here);
  await begun(page);
  await expect(byId(page, "dialog-menu")).toHaveCount(0);
});

test("the overview shows and moves the part in view; tapping beside a track finds it", async ({ page }) => {
  const sight = await atTurn(page, "usa", [ME, BOT]);
  const spot = () =>
    page
      .locator('[data-testid="map"] svg[role=group]')
      .evaluate((board) => Math.round(board.getBoundingClientRect().left));
  const overview = (await byId(page, "overview").boundingBox())!;
  await page.touchscreen.tap(overview.x + 6, overview.y + overview.height / 2);
  await expect.poll(spot).toBeGreaterThan(-20);
  await page.touchscreen.tap(overview.x + overview.width - 6, overview.y + overview.height / 2);
  await expect.poll(spot).toBeLessThan(-200);
  await sound(page, "usa", "after the overview");

  const beside = await page.evaluate(() => {
    for (const track of document.querySelectorAll<SVGElement>("[data-track]")) {
      const spaces = window.spacesOf(track);
      const middle = spaces[Math.floor(spaces.length / 2)];
      if (!middle || spaces.length < 4) continue;
      const [u, v] = [-Math.sin(middle.turn), Math.cos(middle.turn)];
      for (const side of [12, -12]) {
        const at = { x: middle.x + side * u, y: middle.y + side * v };
        if (
          at.x > 20 &&
          at.x < 370 &&
          at.y > 80 &&
          at.y < 460 &&
          !document.elementFromPoint(at.x, at.y)?.closest("[data-track]")
        )
          return { id: track.dataset.track!, ...at };
      }
    }
    return null;
  });
  await page.touchscreen.tap(beside!.x, beside!.y);
  await expect(byId(page, "price-sheet").getByRole("heading")).toHaveText(
    sight.tracks.find((track) => track.id === beside!.id)!.ends,
  );
});

const FIVE = [ME, BOT, BOT, BOT, BOT];

/** Each sheet and panel of a turn, and the board behind it. */
async function everySheet(page: Page, map: string, about: string): Promise<void> {
  const { box } = await sound(page, map, about);
  const still = async (what: string) =>
    expect((await sound(page, map, `${about}, ${what}`)).box, `${about}, ${what}`).toBe(box);
  for (const tab of ["tickets", "players", "log", "chat", "play"]) {
    await page.locator(`#tab-${tab}`).tap();
    await still(tab);
  }
  await byId(page, "claims").tap();
  await expect(byId(page, "claim-list")).toBeVisible();
  await still("the list of claims");
  const claim = byId(page, "claim-list").locator("li button").first();
  if (await claim.isVisible()) {
    await claim.tap();
    await expect(byId(page, "confirm-claim")).toBeVisible();
    await still("a price");
  }
}

test("five players, a hand of all nine kinds of cards and of every terrain", async ({ page }) => {
  const lacking = (kinds: (string | null)[], held: Record<string, number>, line: string) =>
    kinds.flatMap((kind, i) => (kind && !held[kind] ? [`${line} ${i + 1}`] : []));
  const kinds = (held: Record<string, number>) => Object.values(held).filter(Boolean).length;
  await playedOn(page, { map: "africa", seed: 7, seats: FIVE }, ({ view, offers }) => {
    const { hand, terrain } = view.players[0]!;
    const wishes = [
      ...lacking(view.display, hand, "draw"),
      ...lacking(view.terrain_display, terrain, "terrain"),
      kinds(hand) < 9 ? "draw deck" : "terrain deck",
      "draw deck",
    ];
    if (view.phase === "turn" && kinds(hand) === 9 && kinds(terrain) === 3) return null;
    return wishes.find((line) => offers.includes(line)) ?? offers[0]!;
  });
  await begun(page);
  await expect(page.locator('[data-tour="hand"] .stacks li button')).toHaveCount(9);
  await expect(page.locator('[data-tour="hand"] .extras li')).toHaveCount(3);
  await expect(page.locator('[data-tour="players"] li')).toHaveCount(5);
  await everySheet(page, "africa", "nine kinds");
});

test("the last round, in every language", async ({ page }) => {
  await playedOn(
    page,
    { map: "europe", seed: 7, seats: [ME, GOOD_BOT, GOOD_BOT, GOOD_BOT, GOOD_BOT] },
    ({ view, offers }) => {
      if (view.turns_left !== null && view.phase === "turn") return null;
      return offers.includes("draw deck") ? "draw deck" : offers[0]!;
    },
  );
  for (const lang of ["en", "ro", "pt-PT", "pt-BR"]) {
    await page.evaluate((code) => localStorage.setItem("lang", code), lang);
    await page.reload();
    await begun(page);
    await expect(page.locator("html")).toHaveAttribute("lang", lang);
    await expect(byId(page, "last-round")).toBeVisible();
    await everySheet(page, "europe", lang);
  }
});

/** Other screens: how much of each the board has at the least. */
const SCREENS = { "844 × 390": 0.5, "390 × 664": 0.5, "320 × 568": 0.38, "768 × 1024": 0.5, "1024 × 768": 0.4 };
test("turned on its side, small, and on tablets", async ({ page }) => {
  await atTurn(page, "europe", [ME, BOT, BOT, BOT, BOT]);
  for (const [size, part] of Object.entries(SCREENS)) {
    const [width, height] = size.split(" × ").map(Number) as [number, number];
    await page.setViewportSize({ width, height });
    await expect.poll(async () => (await measure(page, "europe")).fill, size).toBeGreaterThanOrEqual(0.8);
    const wide = width >= 900;
    const now = await sound(page, "europe", size, part, !wide);
    await byId(page, "claims").tap();
    await expect(byId(page, "claim-list")).toBeVisible();
    expect((await sound(page, "europe", `${size}, a sheet`, part, !wide)).box).toBe(now.box);
    await owed(page, 1);
    await page.goBack();
    await expect(byId(page, "claim-list")).toHaveCount(0);
    if (!wide) for (const tab of ["tickets", "players", "play"]) await page.locator(`#tab-${tab}`).tap();
    await expect(byId(page, "draw-deck")).toBeInViewport({ ratio: 1 });
  }
});

test("the front page: Play stays under the thumb while a map and the bots are chosen", async ({ page }) => {
  await page.goto("/");
  await byId(page, "map-africa").tap();
  await byId(page, "opponents-4").tap();
  await byId(page, "map-iberia").scrollIntoViewIfNeeded();
  await expect(byId(page, "play-now")).toBeInViewport({ ratio: 1 });
  await byId(page, "play-now").tap();
  await begun(page);
  await expect(page.locator('[data-tour="players"] li')).toHaveCount(5);
  await sound(page, "africa", "five players from the front page");
});
