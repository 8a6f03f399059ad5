/** Help that is right: what the sheets and lists say of a position made by hand. */
import { BOT, expect, ME, sitAt, test } from "./base.ts";
import { rigged } from "./rig.ts";
import { answered, begun, byId } from "./screen.ts";

// Warszawa–Wilno is mine, Wilno–Smolensk a friend's: a station at either end of it completes Warszawa–Smolensk.
const DRAWN = `
  0 keep palermo-moskva athina-wilno kyiv-sochi warszawa-smolensk
  1 keep edinburgh-athina essen-kyiv athina-angora sarajevo-sevastopol
  0 draw 3
  0 draw deck
  1 draw deck
  1 draw deck`;
const LENT = `${DRAWN}
  0 claim warszawa-wilno-1 red
  1 claim smolensk-wilno-1 yellow`;

test.describe("a station", () => {
  test("says what it would borrow and which ticket that completes, and the tickets count it", async ({ page }) => {
    await rigged(page, "europe", 69, LENT);
    await begun(page);
    const tickets = page.getByRole("region", { name: "Your tickets" });
    await expect(tickets.getByRole("heading", { name: /0 of 4/ })).toBeVisible();
    await byId(page, "station").click();
    const list = byId(page, "station-list");
    await expect(list).toContainText("lends you one track of another player");
    const helpful = byId(page, "station-helpful").getByRole("listitem");
    await expect(helpful.first()).toContainText("borrows Smolensk–Wilno: completes Warszawa–Smolensk");
    await byId(page, "station-search").fill("smol");
    await expect(list.getByRole("button", { name: /Smolensk/ })).toHaveCount(1);
    await expect(list.getByRole("button", { name: /Paris/ })).toHaveCount(0);
    await list.getByRole("button", { name: "Smolensk" }).click();
    await expect(byId(page, "station-help")).toContainText("borrows Smolensk–Wilno: completes Warszawa–Smolensk");
    await byId(page, "confirm-claim").click();
    await expect(tickets.getByRole("heading", { name: /1 of 4/ })).toBeVisible();
    const done = tickets.getByRole("list", { name: "Completed" });
    await expect(done).toContainText("Warszawa – Smolensk");
    await expect(done.getByTestId("plan-loan")).toHaveText("borrows Smolensk–Wilno");
    await expect(byId(page, "my-stations")).toHaveText("Smolensk: borrows Smolensk–Wilno");
    // The way is drawn over the borrowed track too.
    await done.getByRole("button").hover();
    const { places } = await page.request
      .get("/boards/europe.json")
      .then((reply) => reply.json() as Promise<{ places: Record<string, { x: number; y: number }> }>);
    const way = await page.locator("path[data-way]:not([stroke='none'])").last().getAttribute("d");
    for (const stop of ["warszawa", "wilno", "smolensk"])
      expect(way).toContain(`${Math.round(places[stop]!.x * 10) / 10} ${Math.round(places[stop]!.y * 10) / 10}`);
  });

  test("once built, is counted in by the list of claims and by the price", async ({ page }) => {
    await rigged(page, "europe", 69, `${DRAWN}\n0 station smolensk purple\n1 claim smolensk-wilno-1 yellow`);
    await begun(page);
    await expect(byId(page, "my-stations")).toHaveText("Smolensk: lends nothing now");
    await byId(page, "claims").click();
    const row = byId(page, "claim-list").getByRole("button", { name: /^Warszawa–Wilno, / });
    await expect(row).toContainText("completes Warszawa–Smolensk");
    await row.click();
    await expect(byId(page, "helps").first()).toContainText("completes Warszawa–Smolensk");
  });
});

test("the board at a glance: signs, paths, one network alone, what is lit, what was done last", async ({ page }) => {
  await rigged(page, "europe", 69, LENT);
  await begun(page);
  type Art = { places: Record<string, { x: number; y: number }>; tracks: Record<string, { d: string }> };
  const art = await page.request.get("/boards/europe.json").then((reply) => reply.json() as Promise<Art>);
  const [mine, theirs] = ["warszawa-wilno-1", "smolensk-wilno-1"] as const;
  const track = (id: string) => page.locator(`[data-track="${id}"]`);

  // The signs of all four tickets stand at their eight ends, also when the map is fitted to them.
  const ends = ["palermo", "moskva", "athina", "wilno", "kyiv", "sochi", "warszawa", "smolensk"];
  const inSight = async () => {
    const map = (await byId(page, "map").boundingBox())!;
    const boxes = await Promise.all(
      ends.map(async (id) => [id, await page.locator(`[data-signs="${id}"]`).boundingBox()] as const),
    );
    return boxes.flatMap(([id, box]) =>
      box &&
      box.x >= map.x &&
      box.y >= map.y &&
      box.x + box.width <= map.x + map.width &&
      box.y + box.height <= map.y + map.height
        ? [id]
        : [],
    );
  };
  expect(await inSight()).toEqual(ends);
  const wide = (await track(mine).boundingBox())!.width;
  await page.locator('[data-tour="tickets"] .fit').click();
  await expect.poll(async () => (await track(mine).boundingBox())!.width).not.toBe(wide);
  expect(await inSight()).toEqual(ends);

  // Every path of a ticket still to do, told apart.
  await byId(page, "all-paths").click();
  await expect(byId(page, "all-paths")).toHaveAttribute("aria-pressed", "true");
  const kinds = await page
    .locator("path[data-way]")
    .evaluateAll((ways) => ways.map((way) => way.getAttribute("data-way")));
  expect(kinds.length).toBe(4);
  expect(new Set(kinds).size).toBe(4);
  await byId(page, "all-paths").click();
  await expect(page.locator("path[data-way]")).toHaveCount(0);

  // My own network lies on a band that no other has; the last moves of both glow.
  const drawn = (what: string) => page.locator(`g[aria-hidden] > path.${what}`).last().getAttribute("d");
  expect(await drawn("bed")).toContain(art.tracks[mine]!.d);
  expect(await drawn("bed")).not.toContain(art.tracks[theirs]!.d);
  for (const id of [mine, theirs]) expect(await drawn("glow")).toContain(art.tracks[id]!.d);

  // One network alone.
  await byId(page, "alone-1").click();
  await expect(byId(page, "alone")).toBeVisible();
  await expect(track(mine)).toHaveClass(/faded/);
  await expect(track(theirs)).not.toHaveClass(/faded/);
  await expect(page.locator("path.bed")).toHaveCount(0);
  const opacity = (id: string) => track(id).evaluate((one) => getComputedStyle(one).opacity);
  expect(Number(await opacity(mine))).toBeLessThan(Number(await opacity(theirs)));
  await byId(page, "alone-1").click();
  await expect(page.locator(".faded")).toHaveCount(0);

  // Lit are the tracks that help, all on demand.
  const lit = page.locator("[data-track].shining");
  const legal = await page.locator("[data-track].legal").count();
  const some = await lit.count();
  expect(some).toBeLessThan(legal);
  await byId(page, "lit-all").click();
  await expect(lit).toHaveCount(legal);
  await byId(page, "lit-all").click();
  await expect(lit).toHaveCount(some);

  // In the hand, where no player has a line, the last move of somebody else has one beside the map.
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(byId(page, "last-move")).toContainText("Smolensk–Wilno");
  await expect(byId(page, "last-move")).toBeInViewport({ ratio: 1 });
  expect(await drawn("glow")).toContain(art.tracks[theirs]!.d);
});

test("a claim in Africa says beforehand that it may be doubled, and terrain asks first", async ({ page }) => {
  await rigged(
    page,
    "africa",
    0,
    `
    0 keep mocambique-windhoek ngaoundere-serpa_pinto fachoda-mombasa beira-chad
    1 keep ngaoundere-salisbury walvis_bay-zomba bogoro-mocambique bloemfontein-madagascar`,
  );
  await begun(page);
  // Terrain from the deck is drawn blind: it asks, and takes no for an answer.
  const asked = await page.locator('[data-testid="game"]').getAttribute("data-asked");
  await byId(page, "draw-terrain").click();
  await expect(byId(page, "confirm-terrain")).toBeVisible();
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(page.locator('[data-testid="game"]')).toHaveAttribute("data-asked", asked!);
  await byId(page, "claims").click();
  await byId(page, "claim-list")
    .getByRole("button", { name: /^Bulawayo–Durban/ })
    .first()
    .click();
  await expect(byId(page, "doubling")).toContainText(/You may double its points, to \d+: this is asked next/);
  await expect(byId(page, "doubling")).toContainText("You have 1; the most any other player has is 1.");
  await byId(page, "confirm-claim").click();
  await expect(byId(page, "double-choice")).toBeVisible();
});

test("a claim in Iberia says beforehand that festival cards of one city are chosen", async ({ page }) => {
  await rigged(
    page,
    "iberia",
    2,
    `
    0 take ciudad_real-palma
    1 take coimbra-cuenca
    0 take sevilla-vigo
    1 take badajoz-pamplona
    0 take coimbra-cordoba
    1 take madrid-murcia
    0 take alicante-almeria
    1 take france-granada
    0 take barcelona-burgos
    1 take granada-zaragoza
    0 keep coimbra-cordoba alicante-almeria barcelona-burgos palma-sevilla
    1 keep madrid-murcia france-granada granada-zaragoza alicante-portimao
    0 draw deck
    0 draw deck
    1 draw deck
    1 draw deck`,
  );
  await begun(page);
  await expect(page.locator('[data-tour="offers"]')).not.toContainText("draw tickets"); // not before the second draft (IBE-10)
  await byId(page, "claims").click();
  await byId(page, "claim-list")
    .getByRole("button", { name: /^Coimbra–Lisboa/ })
    .first()
    .click();
  const sheet = byId(page, "price-sheet");
  await expect(sheet).toContainText(/Festival cards at Lisboa: \d+\. Your set: 0 now, \d+ with them/);
  await expect(byId(page, "festival-asks")).toContainText("cards of one city only");
  await byId(page, "confirm-claim").click();
  await expect(byId(page, "festival-choice")).toBeVisible();
});

test("tickets go back in the order offered, without a question, unless one wants to choose", async ({ page }) => {
  await sitAt(page, { map: "usa", seats: [ME, BOT], seed: 7 });
  await begun(page);
  await byId(page, "suggest").click();
  await byId(page, "keep").click();
  let sight = await answered(page, -1);
  await byId(page, "draw-tickets").click();
  await byId(page, "confirm-tickets").click();
  sight = await answered(page, sight.asked);
  await byId(page, "ticket-choice").locator('button[data-testid^="ticket-"]').first().click();
  await expect(byId(page, "ordering")).toBeVisible();
  await byId(page, "keep").click();
  sight = await answered(page, sight.asked);
  expect(sight.scene).toBeNull();
  await expect(byId(page, "return-order")).toHaveCount(0);
  // Wanted, it is asked.
  await byId(page, "draw-tickets").click();
  await byId(page, "confirm-tickets").click();
  sight = await answered(page, sight.asked);
  await byId(page, "ticket-choice").locator('button[data-testid^="ticket-"]').first().click();
  await byId(page, "ordering").check();
  await byId(page, "keep").click();
  await expect(byId(page, "return-order")).toBeVisible();
  await byId(page, "return-order").locator("ol button").last().click();
  sight = await answered(page, sight.asked);
  expect(sight.scene).toBeNull();
});
