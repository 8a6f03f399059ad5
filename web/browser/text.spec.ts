/** A whole game in words: everything typed on the command line, nothing pressed. */
import { BOT, expect, ME, type Page, sitAt, test } from "./base.ts";
import { answered, byId } from "./screen.ts";

const asked = async (page: Page) => Number(await byId(page, "game").getAttribute("data-asked"));

async function type(page: Page, line: string): Promise<void> {
  await byId(page, "command").fill(line);
  await byId(page, "command").press("Enter");
}

/** The numbered choices of a group, as they are read out. */
const choices = (page: Page, group: string) =>
  byId(page, `offers-${group}`)
    .locator("li button")
    .evaluateAll((all) => all.map((one) => one.textContent!.trim().replace(/\s+/g, " ")));

/** Types a line and waits for the next question; a question about the price is answered with its first choice. */
async function send(page: Page, line: string): Promise<boolean> {
  const before = await asked(page);
  await type(page, line);
  const question = byId(page, "question");
  await page.waitForFunction((old) => {
    const game = document.querySelector<HTMLElement>('[data-testid="game"]')!;
    return (
      game.classList.contains("over") ||
      document.querySelector('[data-testid="question"]') ||
      (game.dataset.ready === "true" && Number(game.dataset.asked) !== old)
    );
  }, before);
  if (await question.isVisible()) await type(page, "1");
  return (await answered(page, before)).over;
}

/** What is typed now: the groups that are there say what can be done. */
async function lineNow(page: Page, turn: number): Promise<string> {
  if (await byId(page, "keep").isVisible()) return turn === 0 ? "keep 1 2 3" : "keep 1";
  const pay = await choices(page, "pay");
  if (pay.length) return pay[0]!.split(" ")[0]!;
  const tickets = await choices(page, "tickets");
  if (tickets.some((choice) => /Put/.test(choice))) return tickets[0]!.split(" ")[0]!;
  const claims = await choices(page, "claim");
  const length = (choice: string) => Number(/(\d+) spaces?/.exec(choice)?.[1] ?? 0);
  const best = claims.sort((one, other) => length(other) - length(one))[0];
  if (best && length(best) >= 3) return words(best);
  if (turn > 12 && turn < 16 && tickets.length) return "tickets";
  if (turn > 16 && turn < 20 && (await byId(page, "offers-station").isVisible()))
    return (await choices(page, "station"))[0]!.split(" ")[0]!;
  const draw = await choices(page, "draw");
  if (draw.some((choice) => choice.includes("from the deck"))) return "draw deck";
  return draw[0]?.split(" ")[0] ?? best?.split(" ")[0] ?? "pass";
}

/** "12 Claim Paris–Zürich: …" as a player types it: "claim paris zurich". */
function words(choice: string): string {
  const [, from, to] = /Claim (.+?)–(.+?)[:,(]/.exec(choice) ?? [];
  return from && to ? `claim ${from} to ${to}`.toLowerCase() : choice.split(" ")[0]!;
}

test("a whole game on the command line", async ({ page, context }) => {
  await context.addInitScript(() => location.protocol === "http:" && localStorage.setItem("textView", "true"));
  await sitAt(page, { map: "europe", seed: 11, seats: [ME, BOT] });
  await expect(byId(page, "command")).toBeVisible();
  await type(page, "help");
  await expect(byId(page, "answers")).toContainText("What can be typed");
  let over = false;
  for (let turn = 0; !over; turn++) {
    expect(turn, "the game goes on for ever").toBeLessThan(400);
    over = await send(page, await lineNow(page, turn));
  }
  await expect(byId(page, "result")).toContainText(/wins with|share the victory/);
  await expect(byId(page, "result").getByRole("table")).toBeVisible();
});
