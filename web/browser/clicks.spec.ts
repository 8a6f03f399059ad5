/** A whole game by clicks on each map, and every special thing of the map met on the way. */
import { faults } from "./axe.ts";
import { BOT, expect, GOOD_BOT, ME, type Page, sitAt, test } from "./base.ts";
import { Clicks } from "./clicks.ts";
import { type Deed, decide, type Met, specials, twins } from "./policy.ts";
import { answered, begun, byId, clickTrack, type Sight } from "./screen.ts";
import { branchline } from "./service.ts";

const MAPS = {
  usa: ["gray", "double track", "twin closed", "locomotives by hand", "tickets drawn", "return order"],
  europe: ["ferry", "tunnel", "tunnel given up", "tunnel paid", "station"],
  iberia: ["draft", "draft goes on", "second draft", "festival choice"],
  africa: ["terrain display", "terrain deck", "doubling refused", "doubling taken", "country"],
} as const;

for (const [map, things] of Object.entries(MAPS)) {
  test(`a whole game by clicks: ${map}`, async ({ page }, info) => {
    await sitAt(page, { map, seed: 7, seats: [ME, map === "usa" ? GOOD_BOT : BOT] });
    const met: Met = new Set();
    const turns = await playOn(page, met, things);
    info.annotations.push({ type: "turns", description: String(turns) });
    expect(
      [...things].filter((thing) => !met.has(thing)),
      "not met",
    ).toEqual([]);
    await showEnds(page);
    await recordVerifies(page, info.outputPath("record.json"));
  });
}

/** Plays until the game is over; gives the number of deeds. Every scene is looked at by axe when it first comes. */
async function playOn(page: Page, met: Met, things: readonly string[]): Promise<number> {
  const clicks = new Clicks(page, met);
  const scenes = new Set<string | null>([null]);
  let sight = await begun(page);
  let deeds = 0;
  for (; !sight.over; deeds++) {
    expect(deeds, "the game goes on for ever").toBeLessThan(400);
    if (!scenes.has(sight.scene)) expect(await faults(page, "all", false), sight.scene!).toEqual([]);
    scenes.add(sight.scene);
    const deed = decide(sight, new Set(things.filter((thing) => !met.has(thing))));
    await clicks.do(deed, sight);
    const after = await answered(page, sight.asked);
    await twinCloses(page, deed, sight, after, met);
    sight = after;
  }
  return deeds;
}

/** With two players, the other track of a claimed double route is closed, and the page says by which rule. */
async function twinCloses(page: Page, deed: Deed, before: Sight, after: Sight, met: Met): Promise<void> {
  if (
    deed.do !== "claim" ||
    after.over ||
    after.scene !== null ||
    met.has("twin closed") ||
    !specials(deed.track, before.tracks).includes("double track")
  )
    return;
  const twin = after.tracks.find((track) => twins(track, deed.track));
  if (!twin) return;
  expect(twin.state).toBe("closed");
  await clickTrack(page, twin.id);
  await expect(byId(page, "price-sheet").getByRole("alert").getByRole("link")).toHaveAttribute(
    "href",
    /\/rules\/\w+\?clause=/,
  );
  await page.keyboard.press("Escape");
  await expect(byId(page, "price-sheet")).toBeHidden();
  met.add("twin closed");
}

/** The end show is there with its verdict, and the table of the score adds up. */
async function showEnds(page: Page): Promise<void> {
  await expect(byId(page, "end-show")).toBeVisible();
  await expect(byId(page, "end-show").getByRole("heading", { name: /wins with|share the victory/ })).toBeVisible();
  const rows = await byId(page, "end-show")
    .getByRole("table", { name: "The final score" })
    .evaluate((table) => {
      const numbers = (row: Element) =>
        [...row.querySelectorAll("td")].map((cell) => Number(cell.textContent!.replace("−", "-")));
      return {
        parts: [...table.querySelectorAll("tbody:first-of-type tr:not(.total)")].map(numbers),
        total: numbers(table.querySelector("tr.total")!),
      };
    });
  for (const [i, total] of rows.total.entries())
    expect(rows.parts.reduce((sum, part) => sum + part[i]!, 0)).toBe(total);
}

async function recordVerifies(page: Page, file: string): Promise<void> {
  const [download] = await Promise.all([page.waitForEvent("download"), byId(page, "record").click()]);
  await download.saveAs(file);
  expect(branchline("replay", file, "--verify")).toMatch(/./);
}
