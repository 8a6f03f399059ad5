// What is wrong is said here; how it is laid out is Prettier's business (prettier.config.js), what type it has is
// svelte-check's. Rules that ask for types would take minutes: those that find real mistakes without them are here.
import js from "@eslint/js";
import svelte from "eslint-plugin-svelte";
import globals from "globals";
import ts from "typescript-eslint";
import svelteConfig from "./svelte.config.js";

export default ts.config(
  { ignores: ["node_modules", "public", "src/wire.ts", "test-results", "playwright-report"] },
  js.configs.recommended,
  ...ts.configs.recommended,
  ...svelte.configs.recommended,
  { languageOptions: { globals: { ...globals.browser, ...globals.node } } },
  {
    rules: {
      eqeqeq: ["error", "always", { null: "ignore" }],
      "no-empty-pattern": ["error", { allowObjectPatternsAsParameters: true }], // Playwright asks for it
      "no-undef": "off", // TypeScript knows better
      "prefer-const": ["error", { destructuring: "all" }],
      "@typescript-eslint/consistent-type-imports": [
        "error",
        { fixStyle: "inline-type-imports", disallowTypeAnnotations: false },
      ],
      "@typescript-eslint/no-this-alias": ["error", { allowedNames: ["net"] }], // a walk that begins here
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
    },
  },
  {
    files: ["**/*.svelte", "**/*.svelte.ts"],
    languageOptions: { parserOptions: { parser: ts.parser, extraFileExtensions: [".svelte"], svelteConfig } },
    rules: {
      "prefer-const": "off", // the next one knows runes: what is $props or $state is written with let
      "svelte/prefer-const": ["error", { destructuring: "all", excludedRunes: ["$props", "$state", "$derived"] }],
      "svelte/no-useless-mustaches": "off", // {" "} keeps a space that would be dropped
      "svelte/prefer-svelte-reactivity": "off", // sets and dates that nothing is to follow are plain on purpose
    },
  },
  { files: ["dev/**"], rules: { "@typescript-eslint/no-explicit-any": "off" } }, // benches to look at things
);
