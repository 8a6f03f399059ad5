/** A browser as one of somebody's devices that are told: what the service calls it, and what its owner would. */

/** What the service calls the device of an endpoint (server/notices/book.py). */
export async function idOf(endpoint: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(endpoint));
  return base64(new Uint8Array(digest).slice(0, 16));
}

export const base64 = (bytes: Uint8Array) =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

/** What a visitor would call this device: its browser and its system. */
export function deviceName(agent = navigator.userAgent): string {
  const browser =
    /Firefox/.exec(agent)?.[0] ?? (/Edg\//.test(agent) ? "Edge" : (/Chrome|Safari/.exec(agent)?.[0] ?? "Browser"));
  const system = /Android|iPhone|iPad|Windows|Macintosh|Linux/.exec(agent)?.[0].replace("Macintosh", "Mac");
  return system ? `${browser}, ${system}` : browser;
}
