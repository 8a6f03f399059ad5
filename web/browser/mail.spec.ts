/** The mail of the Carpathians: bags looked at after a claim, one taken along, laid down for another, delivered. */
import { faults } from "./axe.ts";
import { BOT, expect, ME, type Page, sitAt, test } from "./base.ts";
import { Keys } from "./keys.ts";
import { sound } from "./phone.ts";
import { rigged } from "./rig.ts";
import { begun, byId } from "./screen.ts";

const SEED = 2; // a bag for Sibiu lies in Târgu Mureș, one for Odesa in Sibiu
const KEPT = `
  0 keep chisinau-ivano_frankivsk oradea-ruse deva-novi_sad krakow-oradea
  1 keep beograd-odesa bacau-bucuresti ruse-tulcea suceava-targu_mures`;
const THREE_CARRIED = `${KEPT}
  0 claim balti-iasi-1 blue
  0 take bag balti
  1 draw deck
  1 draw deck
  0 claim beograd-novi_sad-1 orange
  0 take bag beograd
  1 draw deck
  1 draw deck
  0 claim bucuresti-ruse-1 orange
  0 take bag bucuresti
  1 draw deck
  1 draw deck
  0 claim chernivtsi-suceava-1 black`;

/** Claims a track from the list; the price says what comes then. */
async function claim(page: Page, track: RegExp, then: string): Promise<void> {
  await byId(page, "claims").click();
  await byId(page, "claim-list").getByRole("button", { name: track }).first().click();
  await expect(byId(page, "mail-asks")).toContainText(then);
  await byId(page, "confirm-claim").click();
  await expect(byId(page, "take-bags")).toBeVisible();
}

/** The mark beside a city. */
const marks = (page: Page, place: string) => page.locator(`[data-place="${place}"] use.beside`);

test("against a bot: the bag that is delivered at once, by a claim", async ({ page }) => {
  await sitAt(page, { map: "carpathians", seed: SEED, seats: [ME, BOT] });
  await begun(page);
  await expect(marks(page, "sibiu")).toHaveAttribute("href", "#bag");
  await byId(page, "suggest").click();
  await byId(page, "keep").click();
  await expect(byId(page, "claims")).toBeVisible({ timeout: 60_000 });
  await claim(page, /^Sibiu–Târgu Mureș/, "Then you look at the mail of Sibiu and Târgu Mureș.");
  await expect(marks(page, "sibiu")).toHaveAttribute("href", "#bag-read");
  expect(await faults(page, "all", true)).toEqual([]);
  const mures = byId(page, "bag-targu_mures");
  await expect(mures).toHaveAccessibleName("mail bag from Târgu Mureș to Sibiu, 3 points");
  await expect(mures).toHaveAttribute("aria-pressed", "true"); // what brings points now is proposed
  await expect(byId(page, "at-once")).toHaveText("Delivered at once: +3");
  await page.keyboard.press("Enter"); // confirms what is proposed, as everywhere
  await expect(byId(page, "my-mail")).toContainText("1 mail bag delivered: 3 points");
  await expect(marks(page, "targu_mures")).toHaveCount(0);
  await expect(byId(page, "last-0")).toContainText("Sibiu");
});

test("for a fourth bag one of three is laid down", async ({ page }) => {
  await rigged(page, "carpathians", SEED, THREE_CARRIED);
  await begun(page);
  await expect(byId(page, "take-bags")).toBeVisible();
  await expect(marks(page, "debrecen").last()).toHaveAttribute("href", "#stamp-bare"); // where a carried bag goes
  await expect(byId(page, "take-bag")).toBeDisabled();
  await page.locator('[data-place="chernivtsi"] .dot').click(); // a city of the board will do
  await expect(byId(page, "bag-chernivtsi")).toHaveAttribute("aria-pressed", "true");
  await expect(byId(page, "take-bag")).toBeDisabled();
  await expect(byId(page, "lay-down").getByRole("radio").nth(1)).toHaveAccessibleName(/^Beograd → Timișoara, 4 points/);
  expect(await faults(page, "all", true)).toEqual([]);
  await new Keys(page).do({ do: "bag" }); // the first of those carried is laid down
  await expect(byId(page, "my-bags").getByRole("listitem")).toHaveCount(3);
  await expect(byId(page, "my-bags")).toContainText("Chernivtsi → ");
  await expect(byId(page, "my-bags")).not.toContainText("Bălți → ");
  await expect(marks(page, "chernivtsi").first()).toHaveAttribute("href", "#bag-read"); // it lies there now
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 });

  test("a bag is taken along by touch, or both are left", async ({ page }) => {
    await rigged(page, "carpathians", SEED, KEPT);
    await begun(page);
    await claim(page, /^Sibiu–Târgu Mureș/, "Then you look at the mail");
    await sound(page, "carpathians", "the mail");
    expect(await faults(page, "look", false)).toEqual([]);
    await expect(byId(page, "leave-bags")).toHaveText("Leave both");
    await byId(page, "bag-sibiu").tap();
    await byId(page, "take-bag").tap();
    await page.locator("#tab-tickets").tap();
    await expect(byId(page, "my-bags")).toContainText("Sibiu → Odesa");
  });
});
