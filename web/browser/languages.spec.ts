/** Four languages: every screen speaks the reader's, and nothing else. */
import { readFileSync } from "node:fs";
import { expect, type Page, test } from "./base.ts";
import { PAGES, TABLES, worldOf } from "./screens.ts";
import { byId } from "./screen.ts";

// The page of a game put aside asks why; a link out of a mail that says nothing ends nothing.
test.use({ forgiven: [/status of (409|404.*mail.stop)/] });
const LANGUAGES = { en: "en-GB", ro: "ro-RO", "pt-PT": "pt-PT", "pt-BR": "pt-BR" } as const;
const RAW_KEY =
  /\b(?:(?:common|game|shell|log|text|end|learn|board|art|tutor|plan|said|thing|due|ask)\.[a-z]|(?:event|brief|why)\.[A-Z])/;
const EMPTY_PLACE = /\{\w[^{}]*\}/;
const ENGLISH = /\b(the|your|you|with|and|from|this|cards|tracks|points|settings)\b/i;
const NAMES = /Ticket to Ride|Old Standard TT|Barlow Semi Condensed|SIL Open Font License|Natural Earth|Branchline/g;

/** What can be read or heard, without what keeps its own language: names, addresses, code. */
function words(page: Page): Promise<string> {
  return page.evaluate(() => {
    const copy = document.body.cloneNode(true) as HTMLElement;
    for (const own of copy.querySelectorAll('option, code, pre, script, [lang]:not([lang=""])')) own.remove();
    const names = [...copy.querySelectorAll("[aria-label], [title], [alt], [placeholder]")].flatMap((one) =>
      ["aria-label", "title", "alt", "placeholder"].map((name) => one.getAttribute(name) ?? ""),
    );
    return [copy.textContent ?? "", ...names].join("\n");
  });
}

const shared = (lang: string) =>
  JSON.parse(readFileSync(new URL(`../../branchline/words/${lang}.json`, import.meta.url), "utf8")) as Record<
    string,
    Record<string, string>
  >;

for (const [lang, locale] of Object.entries(LANGUAGES)) {
  test.describe(lang, () => {
    test.use({ locale });
    for (const [group, screens] of Object.entries({ page: PAGES, table: TABLES }))
      test(`every ${group} speaks ${lang}`, async ({ page }) => {
        const world = await worldOf(page);
        const found: string[] = [];
        for (const [name, open] of Object.entries(screens)) {
          await open(page, world);
          await expect(page.locator("html")).toHaveAttribute("lang", lang);
          const said = (await words(page)).replaceAll(NAMES, "");
          for (const pattern of lang === "en" ? [RAW_KEY, EMPTY_PLACE] : [RAW_KEY, EMPTY_PLACE, ENGLISH]) {
            const fault = pattern.exec(said);
            if (fault)
              found.push(
                `${name}: …${said.slice(Math.max(0, fault.index - 40), fault.index + 40).replace(/\s+/g, " ")}…`,
              );
          }
          if (lang === "ro" && /[şţŞŢ]/.test(said)) found.push(`${name}: a cedilla where a comma belongs`);
        }
        expect(found).toEqual([]);
      });
  });
}

test("the language is chosen on the page, at once and for good; Romanian numbers bend their words", async ({
  page,
}) => {
  await page.goto("/");
  await byId(page, "language").selectOption("ro");
  await expect(page.locator("html")).toHaveAttribute("lang", "ro");
  await page.reload();
  await expect(page.locator("html")).toHaveAttribute("lang", "ro");
  await byId(page, "play-now").click();
  const trains = shared("ro")["common.trains"]!.other!.replace("{n}", "45");
  expect(trains).toContain("45 de ");
  await expect(page.locator('[data-tour="players"]')).toContainText(trains);
});
