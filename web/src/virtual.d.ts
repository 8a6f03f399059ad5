declare module "virtual:catalogue/*" {
  const messages: Record<string, string | Record<string, string>>;
  export default messages;
}
declare module "virtual:words/*" {
  const messages: Record<string, string | Record<string, string>>;
  export default messages;
}
declare module "virtual:rules/*" {
  const rules: import("./learn/content.ts").RuleBook;
  export default rules;
}
declare module "virtual:lessons/*" {
  const lessons: import("./learn/content.ts").Lessons;
  export default lessons;
}
