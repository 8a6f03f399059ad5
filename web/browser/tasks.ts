/** Tasks of a page's main thread, read from a trace, and what they are made of. */
export interface Traced {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  ts: number;
  dur?: number;
  /** Time of the thread itself: what others have of the processor meanwhile is not counted. */
  tdur?: number;
  args?: { name?: string };
}
/** Parts of a task that are neither script nor layout: what was laid out is painted and handed to the compositor. */
const PAINTING = new Set([
  "RunTask",
  "ThreadControllerImpl::RunTask",
  "PrePaint",
  "Paint",
  "PaintImage",
  "Layerize",
  "Commit",
  "UpdateLayer",
  "ScrollLayer",
]);

export interface Task {
  ms: number;
  /** Script, style and layout alone. */
  work: number;
  /** Milliseconds by the name of what took them, what lies within it not counted; the longest first. */
  parts: [name: string, ms: number][];
}

const lasting = ({ dur = 0, tdur = dur }: Traced) => tdur / 1000;
const endOf = ({ ts, dur = 0 }: Traced) => ts + dur;
const thread = ({ pid, tid }: Traced) => `${pid} ${tid}`;

/** Tasks of the page's main thread: that of the renderer which worked most. */
export function tasksOf(events: Traced[]): Task[] {
  const byThread = new Map<string, Traced[]>();
  for (const event of events)
    if (event.name === "thread_name" && event.args?.name === "CrRendererMain") byThread.set(thread(event), []);
  for (const event of events) if (event.ph === "X") byThread.get(thread(event))?.push(event);
  const all = [...byThread.values()].map(tasksIn);
  const sum = (tasks: Task[]) => tasks.reduce((ms, task) => ms + task.ms, 0);
  return all.sort((one, other) => sum(other) - sum(one))[0] ?? [];
}

function tasksIn(events: Traced[]): Task[] {
  const found: { ms: number; parts: Map<string, number> }[] = [];
  const open: Traced[] = [];
  for (const event of events.sort((one, other) => one.ts - other.ts || endOf(other) - endOf(one))) {
    while (open.length && endOf(open.at(-1)!) <= event.ts) open.pop();
    const within = open.at(-1);
    if (!within && !/RunTask$/.test(event.name)) continue;
    if (!within) found.push({ ms: lasting(event), parts: new Map() });
    const { parts } = found.at(-1)!;
    if (within) parts.set(within.name, parts.get(within.name)! - lasting(event));
    parts.set(event.name, (parts.get(event.name) ?? 0) + lasting(event));
    open.push(event);
  }
  return found.map(({ ms, parts }) => ({
    ms,
    work: [...parts].reduce((sum, [name, of]) => sum + (PAINTING.has(name) ? 0 : of), 0),
    parts: [...parts].sort(([, one], [, other]) => other - one),
  }));
}
