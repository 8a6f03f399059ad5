// How the page is laid out, so that nobody has to think about it: `npm run format`.
export default {
  printWidth: 120,
  plugins: ["prettier-plugin-svelte"],
  overrides: [{ files: "*.svelte", options: { parser: "svelte" } }],
};
