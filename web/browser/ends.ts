/** What has to be true when a game is over, whoever played it and by what. */
import { expect, type Page } from "@playwright/test";
import { byId } from "./screen.ts";
import { branchline } from "./service.ts";

/** The verdict, the reader's own game, the table of the score, which adds up, and the players with the points of its last line. */
export async function showEnds(page: Page): Promise<void> {
  const show = byId(page, "end-show");
  await expect(show).toBeVisible();
  await expect(show.getByRole("heading", { name: /wins with|share the victory/ })).toBeVisible();
  const rows = await show.getByRole("table", { name: "The final score" }).evaluate((table) => {
    const numbers = (row: Element) =>
      [...row.querySelectorAll("td")].map((cell) => Number(cell.textContent!.replace("−", "-")));
    const mine = document.querySelector('[data-testid="my-game"]');
    return {
      parts: [...table.querySelectorAll("tbody:first-of-type tr:not(.total)")].map(numbers),
      total: numbers(table.querySelector("tr.total")!),
      mineFirst: mine !== null && (mine.compareDocumentPosition(table) & Node.DOCUMENT_POSITION_FOLLOWING) > 0,
      strip: [...document.querySelectorAll('[data-tour="players"] [data-fly^="seat-"] b:first-of-type')].map((points) =>
        Number(points.textContent!.replace("−", "-")),
      ),
    };
  });
  for (const [i, total] of rows.total.entries())
    expect(rows.parts.reduce((sum, part) => sum + part[i]!, 0)).toBe(total);
  expect(rows.mineFirst, "the reader's own game stands before the table").toBe(true);
  expect(rows.strip.sort(), "the players have their points of the end").toEqual(rows.total.sort());
}

/** The record can be taken home, and the rules say that it was played by them. */
export async function recordVerifies(page: Page, file: string): Promise<void> {
  const [download] = await Promise.all([page.waitForEvent("download"), byId(page, "record").click()]);
  await download.saveAs(file);
  expect(branchline("replay", file, "--verify")).toMatch(/./);
}
