/** What a visitor set for this browser. */
type Theme = "system" | "light" | "dark";

function kept<T>(key: string, fallback: T): T {
  try {
    const text = localStorage.getItem(key);
    return text === null ? fallback : (JSON.parse(text) as T);
  } catch {
    return fallback;
  }
}

class Settings {
  theme = $state<Theme>(kept("theme", "system"));
  motion = $state<boolean>(kept("motion", true));
  sound = $state<boolean>(kept("sound", true));
  volume = $state<number>(kept("volume", 0.5));
  confirm = $state<boolean>(kept("confirm", true)); // ask before a claim is sent
  shortcuts = $state<boolean>(kept("shortcuts", true)); // single keys (WCAG 2.1.4)
  textView = $state<boolean>(kept("textView", false));
  phrasesOnly = $state<boolean>(kept("phrasesOnly", false)); // no free text, no names of strangers: for children
  litAll = $state<boolean>(kept("litAll", false)); // every legal track is lit, not only those that help a ticket
  seenLessons = $state.raw<string[]>(kept("seenLessons", [])); // maps whose lesson was offered
  seenFirst = $state<boolean>(kept("seenFirst", false)); // the first decision was explained

  set<
    K extends
      | "theme"
      | "motion"
      | "sound"
      | "volume"
      | "confirm"
      | "shortcuts"
      | "textView"
      | "phrasesOnly"
      | "litAll"
      | "seenFirst"
      | "seenLessons",
  >(key: K, value: this[K]): void {
    (this as Record<K, this[K]>)[key] = value;
    localStorage.setItem(key, JSON.stringify(value));
    this.apply();
  }

  apply(): void {
    const root = document.documentElement;
    if (this.theme === "system") delete root.dataset.theme;
    else root.dataset.theme = this.theme;
    if (this.motion) delete root.dataset.motion;
    else root.dataset.motion = "off";
  }

  get still(): boolean {
    return !this.motion || matchMedia("(prefers-reduced-motion: reduce)").matches;
  }
}
export const settings = new Settings();
