/** One service for all tests; those that kill it have their own. */
import { Service } from "./service.ts";

export default async function setup(): Promise<() => Promise<void>> {
  const service = await new Service().start();
  process.env.BRANCHLINE_URL = service.url;
  return () => service.stop();
}
