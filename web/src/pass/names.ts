/** The names around this device, as they were the last time. */
const KEY = "passNames";
const MOST = 5;

export function keptNames(): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    const names = Array.isArray(kept)
      ? kept.filter((name): name is string => typeof name === "string").slice(0, MOST)
      : [];
    return names.length < 2 ? ["", ""] : names;
  } catch {
    return ["", ""]; // what cannot be read is nothing
  }
}

export const keepNames = (names: string[]): void => localStorage.setItem(KEY, JSON.stringify(names.slice(0, MOST)));
