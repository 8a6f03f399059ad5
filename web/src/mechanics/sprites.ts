/** The drawings of the mechanics, in the sprite of the page. */
import type { Component } from "svelte";
import { inOrder } from "./index.ts";

export const SPRITES = inOrder(import.meta.glob<Component>("./*/Sprites.svelte", { eager: true, import: "default" }));
