/** The game screen as a player has it: what stands there, read off the page, and what can be clicked. */
import { expect, type Locator, type Page } from "@playwright/test";

/** A track as its name says: "Paris–Zürich, 3 spaces, green tunnel, free, you can claim it now". */
export interface SeenTrack {
  id: string;
  ends: string;
  length: number;
  kind: string;
  state: string;
  legal: boolean;
  /** At how many of its ends festival cards lie. */
  feasts: number;
}
export interface Sight {
  asked: number;
  ready: boolean;
  over: boolean;
  /** The scene or sheet beside the board, by its test id. */
  scene: string | null;
  status: string;
  trains: number;
  hand: Record<string, number>;
  display: { place: number; card: string; free: boolean }[];
  terrain: { place: number; card: string; free: boolean }[];
  buttons: string[];
  tracks: SeenTrack[];
}

/** Reads the whole screen at once. */
export function look(page: Page): Promise<Sight> {
  return page.evaluate(() => {
    const game = document.querySelector<HTMLElement>('[data-testid="game"]');
    const text = (selector: string) => document.querySelector(selector)?.textContent?.trim() ?? "";
    const cards = (prefix: string) =>
      [...document.querySelectorAll<HTMLElement>(`button[data-testid^="${prefix}-"]`)]
        .filter((card) => /-\d$/.test(card.dataset.testid!))
        .map((card) => ({
          place: Number(card.dataset.testid!.slice(prefix.length + 1)),
          card: card.getAttribute("aria-label")!.split(": ")[1] ?? "",
          free: card.getAttribute("aria-disabled") !== "true",
        }));
    // "a red card", "3 red cards", "a locomotive"
    const stacks = [...document.querySelectorAll('[data-tour="hand"] button')].map((stack) =>
      /^(an?|\d+) (\w+)/.exec(stack.getAttribute("aria-label") ?? ""),
    );
    const feasts = new Set(
      [...document.querySelectorAll<SVGElement>("[data-place]")]
        .filter((place) => Number(place.querySelector(".count")?.textContent ?? 0) > 0)
        .map((place) => place.dataset.place!),
    );
    const scene = document.querySelector<HTMLElement>('[role="dialog"][data-testid]:not(dialog)');
    return {
      asked: Number(game?.dataset.asked ?? -1),
      ready: game?.dataset.ready === "true",
      over: game?.classList.contains("over") ?? false,
      scene: scene?.dataset.testid ?? null,
      status: text('[data-testid="status"]'),
      trains: Number(/(\d+) trains?/.exec(text('[data-tour="players"] [data-fly="seat-0"]'))?.[1] ?? -1),
      hand: Object.fromEntries(
        stacks.flatMap((stack) =>
          stack ? [[stack[2]!.replace(/^locomotives$/, "locomotive"), Number.parseInt(stack[1]!) || 1]] : [],
        ),
      ),
      display: cards("display"),
      terrain: cards("terrain"),
      buttons: [...document.querySelectorAll<HTMLElement>('[data-tour="offers"] button[data-testid]')].map(
        (button) => button.dataset.testid!,
      ),
      tracks: [...document.querySelectorAll<SVGElement>("[data-track]")].map((track) => {
        const [ends, length, kind, ...state] = track.getAttribute("aria-label")!.split(", ");
        const told = state.join(", ");
        const id = track.dataset.track!;
        return {
          id,
          ends: ends!,
          length: Number.parseInt(length!),
          kind: kind!,
          state: told,
          legal: told.includes("you can claim"),
          feasts: id.split("-").filter((place) => feasts.has(place)).length,
        };
      }),
    };
  });
}

/** Waits until the game asks this player anew and shows what, or is over. */
export async function answered(page: Page, before: number): Promise<Sight> {
  await page.waitForFunction(
    (asked) => {
      const game = document.querySelector<HTMLElement>('[data-testid="game"]');
      return (
        game &&
        (game.classList.contains("over") ||
          (game.dataset.ready === "true" &&
            Number(game.dataset.asked) !== asked &&
            !game.querySelector('[aria-busy="true"]')))
      );
    },
    before,
    { timeout: 30_000 },
  );
  return look(page);
}

/** The game as it stands when it is this player's move for the first time. */
export async function begun(page: Page): Promise<Sight> {
  await expect(page.locator('[data-testid="game"][data-ready="true"]')).toBeVisible({ timeout: 30_000 });
  await expect(page.locator("[data-track]").first()).toBeAttached();
  await expect(page.locator('[data-testid="game"] [aria-busy="true"]')).toHaveCount(0);
  return look(page);
}

/** How many entries of the history belong to what is open: closing it steps back, and whoever leaves the page meanwhile is held. */
export const depth = (page: Page): Promise<number> =>
  page.evaluate(() => (history.state as { back?: number } | null)?.back ?? 0);

export const byId = (page: Page, id: string): Locator => page.getByTestId(id);

/** A click on the track where it lies on the board: on a space that nothing covers. A finger finds what is out of view by the overview. */
export async function clickTrack(page: Page, id: string, touch = false): Promise<void> {
  let at = await openSpace(page, id);
  if (!at && touch) {
    await tapOverview(page, id);
    await expect.poll(async () => (at = await openSpace(page, id)), `a space of ${id} comes into view`).toBeTruthy();
  }
  if (!at) throw new Error(`no space of ${id} can be reached on the board`);
  if (touch) await page.touchscreen.tap(at.x, at.y);
  else await page.mouse.click(at.x, at.y);
}

/** The middle of a space of the track that lies open to the hand. */
function openSpace(page: Page, id: string): Promise<{ x: number; y: number } | null> {
  return page.evaluate((track) => {
    const spaces = window.spacesOf(document.querySelector(`[data-track="${track}"]`)!);
    const open = spaces.filter(({ x, y }) => document.elementFromPoint(x, y)?.closest(`[data-track="${track}"]`));
    return open[Math.floor((open.length - 1) / 2)] ?? null;
  }, id);
}

/** A tap on the little map where the track lies. */
async function tapOverview(page: Page, id: string): Promise<void> {
  const part = await page.locator(`[data-track="${id}"]`).evaluate((track) => {
    const [box, board] = [(track as SVGGElement).getBBox(), (track as SVGElement).ownerSVGElement!.viewBox.baseVal];
    return { x: (box.x + box.width / 2) / board.width, y: (box.y + box.height / 2) / board.height };
  });
  const map = (await byId(page, "overview").boundingBox())!;
  await page.touchscreen.tap(map.x + map.width * part.x, map.y + map.height * part.y);
}
