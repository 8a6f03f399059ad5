import { overlaid } from "./back.ts";

/** Addresses: /, /new, /lobby, /games, /t/ID, /replay/ID, /review/ID, /fair/ID, /learn, /rules/MAP (/rules: the first map), /settings, /carry, /about. */
/** A part of an address as it was meant; one that is cut short in the middle of a letter stays as it is. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

class Route {
  path = $state(location.pathname);
  hash = $state(location.hash);
  query = $state.raw(new URLSearchParams(location.search));
  parts = $derived(this.path.split("/").filter(Boolean).map(decoded));

  read() {
    this.path = location.pathname;
    this.hash = location.hash;
    this.query = new URLSearchParams(location.search);
  }
}
export const route = new Route();
addEventListener("popstate", () => route.read());

/** Goes to an address of this page; `replace` stays at this entry of the history. */
export function go(path: string, replace = false): void {
  history[replace || overlaid() ? "replaceState" : "pushState"](replace ? history.state : null, "", path);
  route.read();
  if (!route.hash) scrollTo(0, 0);
}

/** Links inside the page do not reload it: mounted once on the document. */
export function catchLinks(event: MouseEvent): void {
  if (event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
    return;
  const link = (event.target as Element | null)?.closest?.("a[href]") as HTMLAnchorElement | null;
  if (!link || link.target || link.hasAttribute("download") || link.origin !== location.origin) return;
  if (link.pathname.startsWith("/api/")) return;
  if (link.hash && link.pathname === location.pathname && link.search === location.search) return; // to a part of this page
  event.preventDefault();
  go(link.pathname + link.search + link.hash);
}
