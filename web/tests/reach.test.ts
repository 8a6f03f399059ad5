/** Whether the service can be reached: one question that fails is asked again before anything is said. */
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { reach } from "../src/lib/reach.svelte.ts";

let there = true;
let asked = 0;

beforeEach(() => {
  vi.useFakeTimers();
  asked = 0;
  vi.stubGlobal("fetch", async () => {
    asked++;
    if (!there) throw new TypeError("Failed to fetch");
    return new Response("{}");
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it("says nothing when the service is there after all", async () => {
  there = true;
  await reach.missed();
  expect(asked).toBe(1);
  expect(reach.lost).toBe(false);
});

it("says that it is away, asks ever more seldom, and tells those who wait when it is back", async () => {
  there = false;
  const told = vi.fn();
  const stop = reach.onBack(told);
  void reach.missed();
  void reach.missed(); // however many fail, one asks
  await vi.advanceTimersByTimeAsync(0);
  expect(reach.lost).toBe(true);
  expect(asked).toBe(1);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked).toBeLessThan(9);
  there = true;
  await vi.advanceTimersByTimeAsync(15_000);
  expect(reach.lost).toBe(false);
  expect(told).toHaveBeenCalledOnce();
  stop();
});

it("asks at once when the device has a network again", async () => {
  there = false;
  void reach.missed();
  await vi.advanceTimersByTimeAsync(40_000);
  expect(reach.lost).toBe(true);
  there = true;
  dispatchEvent(new Event("online"));
  await vi.advanceTimersByTimeAsync(0);
  expect(reach.lost).toBe(false);
});
