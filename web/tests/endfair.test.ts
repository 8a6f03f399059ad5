import { createHash, createHmac } from "node:crypto";
import { describe, expect, it, vi } from "vitest";
import { checkFair, commitment, dealSeed, fromHex, seatOrder, serverSeatSeed, toHex } from "../src/end/fair.ts";
import { plainHmac, plainSha256 } from "../src/end/sha256.ts";
import type { FairWire } from "../src/wire.ts";
import vectors from "./fair.vectors.json";

type Vector = (typeof vectors)[number];

const fairOf = (v: Vector): FairWire => ({
  table: v.table,
  commitment: v.commitment,
  server_seed: v.server_seed,
  seats: v.seeds.map((seed, i) => ({ seat: v.order[i]!, name: `P${i}`, seed, by: v.by[i] as "browser" | "server" })),
  order: v.order,
  drawn: v.drawn,
  seed: v.seed,
  fixed_deal: false,
  checked: "",
});

async function agrees(v: Vector): Promise<void> {
  const seed = fromHex(v.server_seed);
  expect(await commitment(seed)).toBe(v.commitment);
  expect(await dealSeed(seed, v.table, v.seeds)).toBe(v.seed);
  if (v.drawn) expect(await seatOrder(seed, v.table, v.seeds)).toEqual(v.order);
  for (const [i, by] of v.by.entries())
    if (by === "server") expect(await serverSeatSeed(seed, v.table, i)).toBe(v.seeds[i]);
}

describe("the fair deal", () => {
  it("comes out as in the library", async () => {
    for (const v of vectors) await agrees(v);
  });

  it("comes out the same where the browser hides its own functions", async () => {
    vi.stubGlobal("crypto", {});
    for (const v of vectors) await agrees(v);
    vi.unstubAllGlobals();
  });

  it("passes what is right, check by check", async () => {
    for (const v of vectors) {
      const kept = { seed: v.seeds[0]!, commitment: v.commitment };
      const checks = await checkFair(fairOf(v), kept);
      expect(checks.filter((check) => !check.ok)).toEqual([]);
      expect(checks.map((check) => check.id)).toContain(v.drawn ? "order" : "sitting");
    }
  });

  it("names what was changed", async () => {
    const v = vectors.find((vector) => vector.drawn && vector.order.length === 4)!;
    const fair = fairOf(v);
    const other = vectors[0]!;
    const failing = async (changed: Partial<FairWire>, kept = null as Parameters<typeof checkFair>[1]) =>
      (await checkFair({ ...fair, ...changed }, kept)).filter((check) => !check.ok).map((check) => check.id);
    expect(await failing({ commitment: other.commitment })).toEqual(["commitment"]);
    expect(await failing({ seed: other.seed })).toEqual(["seed"]);
    expect(await failing({}, { seed: "0".repeat(32), commitment: other.commitment })).toEqual(["promise", "yours"]);
    const server = v.by.indexOf("server");
    const seats = fair.seats.map((given, i) => (i === server ? { ...given, seed: "0".repeat(64) } : given));
    expect(await failing({ seats })).toContain("drawn");
    const swapped = fair.seats.map((given, i) => ({ ...given, seat: fair.seats[(i + 1) % 4]!.seat }));
    expect(await failing({ seats: swapped })).toEqual(["order"]);
  });

  it("says only what it can while the server's seed is secret", async () => {
    const v = vectors[3]!;
    const fair = { ...fairOf(v), server_seed: null, seed: null };
    expect(await checkFair(fair, null)).toEqual([]);
    expect((await checkFair(fair, { seed: v.seeds[0]!, commitment: v.commitment })).map((c) => c.id)).toEqual([
      "promise",
    ]);
  });
});

describe("our own SHA-256", () => {
  it("is SHA-256, at every length around its blocks", () => {
    for (const length of [0, 1, 31, 55, 56, 57, 63, 64, 65, 119, 120, 128, 1000]) {
      const data = Uint8Array.from({ length }, (_, i) => (i * 7 + length) & 255);
      expect(toHex(plainSha256(data))).toBe(createHash("sha256").update(data).digest("hex"));
      expect(toHex(plainHmac(data.slice(0, 32), data))).toBe(
        createHmac("sha256", data.slice(0, 32)).update(data).digest("hex"),
      );
    }
  });
});
