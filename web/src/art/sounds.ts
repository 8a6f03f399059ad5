/** Short sounds. They start after the first gesture, obey the settings, and never throw. */
import { settings } from "../lib/settings.svelte.ts";

export type Sound = "draw" | "claim" | "ticket" | "build" | "yourTurn" | "lastRound" | "end" | "error";

/** Play one sound at the visitor's volume; silent where sound is off or not allowed yet. */
export function play(name: Sound): void {
  const { sound, volume } = settings;
  if (!sound || volume <= 0) return;
  // A browser without audio stays silent; a sound is never worth an error.
  import("./score.ts").then((score) => score.sound(name, volume)).catch(() => undefined);
}
