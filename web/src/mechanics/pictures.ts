/** The pictures of the mechanics' lessons, by their names. */
import type { Component } from "svelte";
import type { PictureProps } from "../learn/drawing.ts";

const FOUND = import.meta.glob<Component<PictureProps>>("./*/pictures/*.svelte", { eager: true, import: "default" });

export const PICTURES = new Map(
  Object.entries(FOUND).map(([path, Picture]) => [path.split("/").at(-1)!.replace(".svelte", ""), Picture]),
);
