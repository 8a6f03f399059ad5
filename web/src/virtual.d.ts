declare module "virtual:catalogue/*" {
  const messages: Record<string, string | Record<string, string>>;
  export default messages;
}
