/** What a page and its service worker say to one another. */

/** A page asks; a port for the answer comes with the question. */
export type FromPage =
  | { kind: "entry" } // answered with the script a page of this worker's build begins with
  | { kind: "take over" }; // the page is about to load itself anew

/** A worker tells the pages that are open. */
export type ToPage = { kind: "turns" }; // something was pushed: ask again whose turn it is
