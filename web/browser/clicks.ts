/** Deeds by clicks or by a fingertip: cards of the display, lit tracks on the board, sheets and scenes. */
import { expect, type Locator, type Page } from "@playwright/test";
import { type Deed, type Met, specials } from "./policy.ts";
import { byId, clickTrack, type SeenTrack, type Sight } from "./screen.ts";

export class Clicks {
  #claims = 0;

  constructor(
    readonly page: Page,
    readonly met: Met,
    readonly touch = false,
    /** What has to be true while a sheet is open, before anything is pressed in it. */
    readonly look: (about: string) => Promise<unknown> = async () => {},
  ) {}

  /** With the mouse, or with a finger. */
  press(what: Locator): Promise<void> {
    return this.touch ? what.tap() : what.click();
  }

  async do(deed: Deed, sight: Sight): Promise<void> {
    switch (deed.do) {
      case "draw":
        return this.#draw(deed.place, sight);
      case "terrain":
        this.met.add(deed.place === "deck" ? "terrain deck" : "terrain display");
        await this.press(byId(this.page, `terrain-${deed.place}`));
        return deed.place === "deck" ? this.press(byId(this.page, "confirm-terrain")) : undefined;
      case "claim":
        return this.claim(deed.track, sight);
      case "tickets":
        await this.press(byId(this.page, "draw-tickets"));
        await this.press(byId(this.page, "confirm-tickets"));
        this.met.add("tickets drawn");
        return;
      default:
        return this[deed.do]();
    }
  }

  async #draw(place: number | "deck", sight: Sight): Promise<void> {
    if (place !== "deck") return this.press(byId(this.page, `display-${place}`));
    // The pile itself and the button do the same.
    await this.press(byId(this.page, sight.asked % 2 ? "deck" : "draw-deck"));
  }

  async pass(): Promise<void> {
    await this.press(byId(this.page, "pass"));
  }

  /** Marks tickets until the button lets go. */
  async keep(): Promise<void> {
    const scene = byId(this.page, "ticket-choice");
    const tickets = scene.locator('button[data-testid^="ticket-"]');
    const button = byId(this.page, "keep");
    for (let i = 0; await button.isDisabled(); i++) await this.press(tickets.nth(i));
    const order = byId(this.page, "ordering");
    if (!this.met.has("return order") && (await order.isVisible())) await order.check();
    await this.press(button);
  }

  /** Which ticket goes back first is the player's choice: not the first. */
  async return(): Promise<void> {
    const tickets = byId(this.page, "return-order").locator("ol button");
    await this.press(tickets.last());
    this.met.add("return order");
  }

  async take(): Promise<void> {
    const draft = byId(this.page, "draft");
    const later = await draft.getByText("Taken so far").isVisible();
    await this.press(draft.locator('button[data-testid^="ticket-"]').first());
    await this.press(byId(this.page, "take"));
    this.met.add(later ? "draft goes on" : this.met.has("draft") ? "second draft" : "draft");
  }

  /** The other city than the one proposed. */
  async festival(): Promise<void> {
    const scene = byId(this.page, "festival-choice");
    await this.press(scene.locator("button[aria-pressed=false]").first());
    await expect(scene.locator("button[aria-pressed=true]")).toHaveCount(1);
    await this.press(byId(this.page, "festival"));
    this.met.add("festival choice");
  }

  /** Once without doubling, then with. */
  async double(): Promise<void> {
    const twice = byId(this.page, "double-choice").locator('[data-testid^="double-"]').first();
    if (this.met.has("doubling refused")) {
      await this.press(twice);
      this.met.add("doubling taken");
    } else {
      await this.press(byId(this.page, "single"));
      this.met.add("doubling refused");
    }
  }

  /** Once given up, then paid wherever possible. */
  async tunnel(): Promise<void> {
    const ways = byId(this.page, "tunnel").locator('[data-testid^="tunnel-"]');
    if (this.met.has("tunnel given up") && (await ways.count())) {
      await this.press(ways.first());
      this.met.add("tunnel paid");
    } else {
      await this.press(byId(this.page, "decline"));
      this.met.add("tunnel given up");
    }
  }

  async pay(): Promise<void> {
    await this.press(byId(this.page, "pay-choice").locator('[data-testid^="locos-"]').first());
  }

  /** One is taken along, then one left behind, then one taken whenever there is one, and for the fourth another is laid down. */
  async bag(): Promise<void> {
    const scene = byId(this.page, "take-bags");
    if (this.met.has("bag taken") && !this.met.has("bag left")) {
      await this.press(byId(this.page, "leave-bags"));
      this.met.add("bag left");
      return;
    }
    const [take, bag] = [byId(this.page, "take-bag"), scene.locator('[data-testid^="bag-"]').first()];
    if ((await bag.getAttribute("aria-pressed")) !== "true") await this.press(bag);
    await expect(bag).toHaveAttribute("aria-pressed", "true");
    const full = await byId(this.page, "lay-down").isVisible();
    if (full) {
      await this.look("a bag to lay down");
      await this.press(byId(this.page, "lay-down").getByRole("radio").last());
    }
    await this.press(take);
    this.met.add(full ? "bag laid down" : "bag taken");
  }

  async station(): Promise<void> {
    await this.press(byId(this.page, "station"));
    await expect(byId(this.page, "station-list")).toBeVisible();
    await this.look("the list of stations");
    // A city on the board, lit as a site.
    const site = this.page.locator('[data-place][role="button"]').first();
    await expect(site).toHaveAttribute("aria-label", /\S/);
    await this.press(byId(this.page, "station-list").getByRole("list").getByRole("button").first());
    await expect(byId(this.page, "confirm-claim")).toBeVisible();
    await this.look("a station");
    await this.press(byId(this.page, "confirm-claim"));
    this.met.add("station");
  }

  async claim(track: SeenTrack, sight: Sight): Promise<void> {
    await (this.touch && this.#claims++ % 3 === 0
      ? this.#fromList(track)
      : clickTrack(this.page, track.id, this.touch));
    const sheet = byId(this.page, "price-sheet");
    await expect(sheet.getByRole("heading")).toHaveText(track.ends);
    const confirm = byId(this.page, "confirm-claim");
    await expect(confirm).toBeVisible();
    await this.look("a price");
    await this.#payOtherwise();
    await this.press(confirm);
    for (const thing of specials(track, sight.tracks)) this.met.add(thing);
  }

  /** Thin lines lie close together on a small screen: the list has them all. */
  async #fromList(track: SeenTrack): Promise<void> {
    await this.press(byId(this.page, "claims"));
    const list = byId(this.page, "claim-list");
    await expect(list).toBeVisible();
    await this.look("the list of claims");
    await this.press(list.locator(`li button[aria-label^="${track.ends}, "]`).first());
  }

  /** Pays with more locomotives than proposed, once. */
  async #payOtherwise(): Promise<void> {
    if (this.met.has("locomotives by hand")) return;
    const locos = byId(this.page, "price-sheet").getByRole("group", { name: "Locomotives" }).getByRole("radio");
    if ((await locos.count()) < 2) return;
    await (this.touch ? locos.last().tap() : locos.last().check());
    this.met.add("locomotives by hand");
  }
}
