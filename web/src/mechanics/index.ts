/** The mechanics, in the order in which they are asked: the list of branchline/mechanics, which a test compares. */
export const MECHANICS = ["tunnels", "ferries", "stations", "terrain", "festivals", "drafts", "mail"] as const;

/**
 * The parts of one layer in the order of the list. `found` is what `import.meta.glob` found in the folders, by path; what
 * is not on the list is not asked.
 */
export function inOrder<Part>(found: Record<string, Part>): Part[] {
  return MECHANICS.flatMap((name) => {
    const path = Object.keys(found).find((one) => one.startsWith(`./${name}/`));
    return path ? [found[path]!] : [];
  });
}

/** The first answer that is not null. */
export function first<Part, Answer>(
  parts: readonly Part[],
  ask: (part: Part) => Answer | null | undefined,
): Answer | null {
  for (const part of parts) {
    const answer = ask(part);
    if (answer !== null && answer !== undefined) return answer;
  }
  return null;
}
