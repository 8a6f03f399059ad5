/** A group of festival cities by the names of its cities. */
import type { NamesPart } from "../types.ts";

export default {
  group: (id, names) => {
    const group = names.facts.festivals.find((one) => one.id === id);
    return group ? group.places.map((place) => names.place(place)).join(" / ") : id;
  },
} satisfies NamesPart;
