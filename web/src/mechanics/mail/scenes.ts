/** Which bag is taken along, what is said about that before, and the bags the reader carries. */
import type { ScenePart } from "../types.ts";
import CarriedBags from "./CarriedBags.svelte";
import MailFacts from "./MailFacts.svelte";
import TakeBag from "./TakeBag.svelte";

export default { scenes: { mail: TakeBag }, TrackFacts: MailFacts, Tickets: CarriedBags } satisfies ScenePart;
