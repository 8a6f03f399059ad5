/** Games by clicks on each map: every special thing of the map is met, and the ends that touch does not see (phone.spec.ts). */
import { faults } from "./axe.ts";
import { BOT, expect, GOOD_BOT, ME, type Page, sitAt, test } from "./base.ts";
import { Clicks } from "./clicks.ts";
import { type Deed, decide, type Met, specials, twins } from "./policy.ts";
import { recordVerifies, showEnds } from "./ends.ts";
import { answered, begun, byId, clickTrack, type Sight } from "./screen.ts";

const MAPS = {
  usa: ["gray", "double track", "twin closed", "locomotives by hand", "tickets drawn", "return order"],
  europe: ["ferry", "tunnel", "tunnel given up", "tunnel paid", "station"],
  iberia: ["draft", "draft goes on", "second draft", "festival choice"],
  africa: ["terrain display", "terrain deck", "doubling refused", "doubling taken", "country"],
  carpathians: ["tunnel paid", "ferry", "bag taken", "bag left", "bag laid down"],
} as const;
/** Played to the end; the others until all things were met: their ends are seen by touch. */
const WHOLE = new Set(["usa"]);

for (const [map, things] of Object.entries(MAPS)) {
  test(`${WHOLE.has(map) ? "a whole game" : "every special thing"} by clicks: ${map}`, async ({ page }, info) => {
    await sitAt(page, { map, seed: 7, seats: [ME, map === "usa" ? GOOD_BOT : BOT] });
    const met: Met = new Set();
    const turns = await playOn(page, met, things, WHOLE.has(map));
    info.annotations.push({ type: "turns", description: String(turns) });
    expect(
      [...things].filter((thing) => !met.has(thing)),
      "not met",
    ).toEqual([]);
    if (!WHOLE.has(map)) return;
    await showEnds(page);
    await recordVerifies(page, info.outputPath("record.json"));
  });
}

/** Plays until the game is over, or nothing is left to meet; gives the number of deeds. Every scene is looked at by axe when it first comes. */
async function playOn(page: Page, met: Met, things: readonly string[], whole: boolean): Promise<number> {
  const clicks = new Clicks(page, met);
  const scenes = new Set<string | null>([null]);
  let sight = await begun(page);
  let deeds = 0;
  for (; !sight.over && (whole || things.some((thing) => !met.has(thing))); deeds++) {
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
