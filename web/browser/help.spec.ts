/** Help that is right: what the sheets and lists say of a position made by hand. */
import { BOT, expect, ME, sitAt, test } from "./base.ts";
import { rigged } from "./rig.ts";
import { answered, begun, byId } from "./screen.ts";

test.describe("a station", () => {
  // Warszawa–Wilno is mine, Wilno–Smolensk a friend's: a station at either end of it completes Warszawa–Smolensk.
  const LENT = `
    0 keep palermo-moskva athina-wilno kyiv-sochi warszawa-smolensk
    1 keep edinburgh-athina essen-kyiv athina-angora sarajevo-sevastopol
    0 draw 3
    0 draw deck
    1 draw deck
    1 draw deck
    0 claim warszawa-wilno-1 red
    1 claim smolensk-wilno-1 yellow`;

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
