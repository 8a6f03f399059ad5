/**
 * The browser's Back closes what was opened last (a sheet, a dialog, a panel of the telephone) before it leaves the page.
 * While something is open the history holds one entry more for each, at the same address.
 */
interface Entry {
  back?: number;
}

const open: (() => void)[] = [];
let settling = false;
let moving = false; // a step through the history that this page asked for

const depth = (): number => (history.state as Entry | null)?.back ?? 0;

/** Closed by Back until the returned function is called: `$effect(() => onBack(close))` in what can be closed. */
export function onBack(close: () => void): () => void {
  open.push(close);
  settle();
  return () => {
    const at = open.indexOf(close);
    if (at >= 0) open.splice(at, 1);
    settle();
  };
}

/** Whether this entry of the history is one of an open sheet: who goes on from it takes its place. */
export const overlaid = (): boolean => depth() > 0;

/** As many entries as things are open, once all of this moment have come and gone: one sheet for another costs none. */
function settle(): void {
  if (settling) return;
  settling = true;
  setTimeout(() => {
    settling = false;
    if (moving) return;
    const over = depth() - open.length;
    if (over > 0) {
      moving = true;
      history.go(-over);
    } else {
      for (let n = depth() + 1; n <= open.length; n++) history.pushState({ back: n }, "", location.href);
    }
  });
}

addEventListener("popstate", () => {
  // A step of our own closes nothing: what was opened while it was under way gets its entry now.
  if (!moving) while (open.length > depth()) open.pop()!();
  moving = false;
  settle();
});

if (depth()) settle(); // the page was loaded anew with something open
