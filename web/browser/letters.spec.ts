/** Mail, end to end: an address is given, its reader says yes by the link in a real mail, and ends it by another. */
import type { Calls } from "../src/wire.ts";
import { faults } from "./axe.ts";
import { ask, expect, type Page, test } from "./base.ts";
import { MailServer } from "./post.ts";
import { byId } from "./screen.ts";
import { Service } from "./service.ts";

test.use({ forgiven: [/409/] }); // whoever is asked for no mail is told so

test("an address says yes by the link that is mailed, and ends all mail by another", async ({ page }) => {
  const post = await new MailServer().start();
  const mail = ["--smtp", post.url, "--mail-from", "post@trains.example", "--origin", "https://trains.example"];
  const service = await new Service({}, mail).start();
  const shared = process.env.BRANCHLINE_URL;
  process.env.BRANCHLINE_URL = service.url;
  const state = async () => (await ask<Calls>(page, "/me/calls")).mail;
  const open = async (path: string, button: RegExp, target: Page) => {
    await target.goto(service.url + path);
    expect(await faults(target, "all", true)).toEqual([]);
    await target.getByRole("button", { name: button }).click();
    await target.waitForLoadState();
    expect(await faults(target, "all", true)).toEqual([]);
  };
  try {
    await page.goto(`${service.url}/settings`);
    await byId(page, "mail-address").fill("ada+trains@example.org");
    await byId(page, "ask-mail").click();
    await expect(byId(page, "mail-state")).toContainText("Not confirmed yet");
    const question = await post.next(1);
    expect(question.to).toBe("ada+trains@example.org");
    const [, yes] = question.links as [string, string, string];

    const elsewhere = await page.context().newPage(); // from the mail, with no page of ours before it
    await open(yes, /Yes, send them/, elsewhere);
    await expect(elsewhere.getByRole("main")).toContainText("Notices about your games go to ada+trains@example.org.");
    expect((await state())!.confirmed).toBe(true);

    await page.reload();
    await expect(byId(page, "mail-state")).toContainText("Confirmed.");
    await byId(page, "mail-turn").check();
    await byId(page, "quiet").check();
    await byId(page, "quiet-start").fill("21:30");
    await expect
      .poll(async () => (await ask<Calls>(page, "/me/calls")).settings)
      .toMatchObject({ mail: ["turn"], quiet: { start: "21:30", end: "08:00" } });

    await open(question.links.at(-1)!, /No more mail/, elsewhere);
    await expect(elsewhere.getByRole("main")).toContainText("Branchline sends you no more mail.");
    expect(await state()).toBeNull();
    await page.reload();
    await byId(page, "mail-address").fill("ada@example.org"); // the same mailbox
    await byId(page, "ask-mail").click();
    await expect(byId(page, "call-me").getByRole("status")).toContainText("has asked for no mail from here");
    expect(post.arrived).toHaveLength(1);
  } finally {
    await page.context().close();
    await service.stop();
    post.stop();
    process.env.BRANCHLINE_URL = shared;
  }
});
