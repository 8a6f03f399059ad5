/** Installing the page as an app, where the browser offers it. */
interface Offer extends Event {
  prompt(): Promise<unknown>;
}

class Install {
  offer = $state.raw<Offer | null>(null);

  constructor() {
    addEventListener("beforeinstallprompt", (event) => {
      event.preventDefault(); // no bar of the browser's over a game: there is an entry at the foot of the page
      this.offer = event as Offer;
    });
    addEventListener("appinstalled", () => (this.offer = null));
  }

  async ask(): Promise<void> {
    const offer = this.offer;
    this.offer = null; // it can be used once
    await offer?.prompt();
  }
}
export const install = new Install();
