/** The sounds themselves, made on the spot, without files. */
import type { Sound } from "./sounds.ts";

interface Desk {
  audio: AudioContext;
  out: GainNode;
  noise: AudioBuffer;
}
let desk: Desk | null = null;

function open(): Desk | null {
  if (desk) return desk;
  if (typeof AudioContext === "undefined" || navigator.userActivation?.hasBeenActive === false) return null;
  const audio = new AudioContext();
  const out = audio.createGain();
  out.connect(audio.destination);
  const noise = audio.createBuffer(1, audio.sampleRate / 2, audio.sampleRate);
  const data = noise.getChannelData(0);
  for (let i = 0; i < data.length; i++) data[i] = Math.random() * 2 - 1;
  desk = { audio, out, noise };
  return desk;
}

/** A loudness that rises fast and dies away, from `at` seconds on. */
function swell({ audio, out }: Desk, at: number, loud: number, rise: number, fall: number): GainNode {
  const gain = audio.createGain();
  const t0 = audio.currentTime + at;
  gain.gain.setValueAtTime(0.0001, t0);
  gain.gain.exponentialRampToValueAtTime(loud, t0 + rise);
  gain.gain.exponentialRampToValueAtTime(0.0001, t0 + rise + fall);
  gain.connect(out);
  return gain;
}

function tone(
  d: Desk,
  at: number,
  hertz: number,
  loud: number,
  fall: number,
  shape: OscillatorType = "sine",
  slide = 1,
  rise = 0.008,
): void {
  const source = d.audio.createOscillator();
  const t0 = d.audio.currentTime + at;
  source.type = shape;
  source.frequency.setValueAtTime(hertz, t0);
  if (slide !== 1) source.frequency.exponentialRampToValueAtTime(hertz * slide, t0 + rise + fall);
  source.connect(swell(d, at, loud, rise, fall));
  source.start(t0);
  source.stop(t0 + rise + fall + 0.02);
}

function hiss(d: Desk, at: number, hertz: number, q: number, loud: number, fall: number, rise = 0.003): void {
  const source = d.audio.createBufferSource();
  const filter = d.audio.createBiquadFilter();
  const t0 = d.audio.currentTime + at;
  source.buffer = d.noise;
  filter.type = "bandpass";
  filter.frequency.value = hertz;
  filter.Q.value = q;
  source.connect(filter).connect(swell(d, at, loud, rise, fall));
  source.start(t0, 0, rise + fall + 0.02);
}

/** A wheel over a rail joint: a low knock and a bright click. */
function clack(d: Desk, at: number, loud: number): void {
  tone(d, at, 150, loud * 0.8, 0.07, "triangle", 0.6);
  hiss(d, at, 2400, 3, loud * 0.7, 0.045);
}

/** A struck bell: its fundamental and three partials that are not harmonic. */
function bell(d: Desk, at: number, hertz: number, loud: number, fall = 0.9): void {
  for (const [ratio, share] of [
    [1, 0.5],
    [2.01, 0.3],
    [2.76, 0.2],
    [5.4, 0.08],
  ] as const)
    tone(d, at, hertz * ratio, loud * share, fall / Math.sqrt(ratio));
}

/** A steam whistle: two close notes and breath. */
function whistle(d: Desk, at: number, hertz: number, loud: number, fall: number): void {
  tone(d, at, hertz, loud * 0.35, fall, "triangle", 1.01, 0.04);
  tone(d, at, hertz * 1.26, loud * 0.25, fall, "triangle", 1.01, 0.04);
  hiss(d, at, hertz * 2.5, 1.5, loud * 0.12, fall, 0.03);
}

const SCORE: Record<Sound, (d: Desk) => void> = {
  draw: (d) => {
    hiss(d, 0, 3200, 0.8, 0.3, 0.09, 0.02);
    hiss(d, 0.08, 1500, 2, 0.25, 0.03);
  },
  claim: (d) => [0, 0.085, 0.26, 0.345].forEach((at, i) => clack(d, at, i < 2 ? 0.6 : 0.42)),
  ticket: (d) => {
    hiss(d, 0, 4200, 0.7, 0.22, 0.12, 0.03);
    tone(d, 0.14, 1250, 0.25, 0.05, "square", 0.5);
    hiss(d, 0.14, 1800, 4, 0.5, 0.04);
  },
  build: (d) => {
    tone(d, 0, 190, 0.5, 0.12, "triangle", 0.7);
    hiss(d, 0, 900, 2, 0.4, 0.05);
    bell(d, 0.13, 1046, 0.35, 0.5);
  },
  yourTurn: (d) => {
    whistle(d, 0, 622, 0.6, 0.16);
    whistle(d, 0.24, 784, 0.7, 0.34);
  },
  lastRound: (d) => [0, 0.28, 0.56].forEach((at) => bell(d, at, 880, 0.5)),
  end: (d) => {
    [523, 659, 784, 1046].forEach((hertz, i) => bell(d, i * 0.13, hertz, 0.4, 1.1));
    whistle(d, 0.6, 622, 0.5, 0.5);
  },
  error: (d) => {
    tone(d, 0, 220, 0.35, 0.1, "triangle", 0.9);
    tone(d, 0.12, 174, 0.35, 0.16, "triangle", 0.9);
  },
};

/** Sounds now, where the browser allows it. */
export function sound(name: Sound, volume: number): void {
  const d = open();
  if (!d) return;
  if (d.audio.state === "suspended") void d.audio.resume().catch(() => undefined);
  d.out.gain.value = volume ** 2;
  SCORE[name](d);
}
