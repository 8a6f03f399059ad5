/** Deeds by the keyboard alone: shortcuts, Tab, arrows, Enter. No pointer is ever moved. */
import { expect, type Page } from "@playwright/test";
import type { Deed } from "./policy.ts";
import type { SeenTrack } from "./screen.ts";

export class Keys {
  #claims = 0;

  constructor(readonly page: Page) {}

  /** Tab until something has the focus; fails if it cannot be reached. */
  async tabTo(selector: string, key = "Tab"): Promise<void> {
    for (let i = 0; i < 150; i++) {
      if (await this.page.evaluate((wanted) => document.activeElement?.matches(wanted) ?? false, selector)) return;
      await this.page.keyboard.press(key);
    }
    throw new Error(`${selector} cannot be reached by ${key}`);
  }

  async press(selector: string, key = "Enter"): Promise<void> {
    await this.tabTo(selector);
    await this.page.keyboard.press(key);
  }

  async do(deed: Deed): Promise<void> {
    const { keyboard } = this.page;
    switch (deed.do) {
      case "draw":
        await this.#offTheBoard();
        return keyboard.press(deed.place === "deck" ? "d" : String(deed.place));
      case "claim":
        return this.#claims++ % 2 ? this.#claimOnBoard(deed.track) : this.#claimFromList(deed.track);
      case "tickets":
        await this.#offTheBoard();
        await keyboard.press("t");
        await expect(this.page.getByTestId("confirm-tickets")).toBeVisible();
        return this.press('[data-testid="confirm-tickets"]');
      case "keep":
        return this.#keep();
      case "return":
        return this.press('[data-testid="return-all"]');
      case "bag":
        return this.#bag();
      case "pass":
        return this.press('[data-testid="pass"]');
      default:
        throw new Error(`no key for ${deed.do}`);
    }
  }

  /** On the board letters look for cities: Tab leaves it. */
  async #offTheBoard(): Promise<void> {
    await this.tabTo("*:not([data-track], [data-place])");
  }

  async #keep(): Promise<void> {
    const tickets = await this.page
      .locator('[data-testid="ticket-choice"] button[data-testid^="ticket-"]')
      .evaluateAll((all) => all.map((one) => (one as HTMLElement).dataset.testid!));
    for (const ticket of tickets) {
      if (await this.page.getByTestId("keep").isEnabled()) break;
      await this.press(`[data-testid="${ticket}"]`, "Space");
    }
    await this.press('[data-testid="keep"]');
  }

  /** The bag that is chosen already, or the first; one that is carried is laid down for it where it has to be. */
  async #bag(): Promise<void> {
    const scene = this.page.getByTestId("take-bags");
    if (!(await scene.locator("[aria-pressed=true]").count())) await this.press('[data-testid^="bag-"]');
    if (await this.page.getByTestId("lay-down").isVisible())
      await this.press('[data-testid="lay-down"] input', "Space");
    await this.press('[data-testid="take-bag"]');
  }

  /** The list of what can be claimed: C, Tab to the track, Enter for its price, Enter to pay it. */
  async #claimFromList(track: SeenTrack): Promise<void> {
    await this.#offTheBoard();
    await this.page.keyboard.press("c");
    await expect(this.page.getByTestId("claim-list")).toBeVisible();
    await this.press(`[data-testid="claim-list"] li button[aria-label^="${track.ends}, "]`);
    await this.#confirm();
  }

  /** The board: Tab to it, the first letters of a city, then the arrow of the tracks that can be claimed. */
  async #claimOnBoard(track: SeenTrack): Promise<void> {
    await this.tabTo("[data-track]");
    for (let i = 0; i < 120; i++) {
      if (await this.page.evaluate((id) => document.activeElement?.matches(`[data-track="${id}"]`), track.id)) break;
      await this.page.keyboard.press("PageDown");
    }
    await this.page.keyboard.press("Enter");
    await this.#confirm();
  }

  async #confirm(): Promise<void> {
    await expect(this.page.getByTestId("confirm-claim")).toBeVisible();
    await expect(this.page.getByTestId("price-sheet")).toBeFocused();
    await this.page.keyboard.press("Enter");
  }
}
