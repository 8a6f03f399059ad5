// What is chosen by hand for each board: projection, frame, sizes, ornaments and a few bows that geography alone gets wrong.
import { geoConicConformal, geoMercator } from "d3-geo";

const SLOT = { w: 32, h: 13.5, stretch: 1.3, lane: 2.5, gapLeast: 2.5, gapMost: 7, start: 11, margin: 5, dot: 7, far: 26, font: 15 };

export const BOARDS = {
  usa: {
    width: 1200, height: 780,
    inner: [70, 58, 1125, 705],
    projection: () => geoConicConformal().parallels([33, 45]).rotate([97, 0]).scale(1000),
    extent: [-130, 20, -64, 56], degrees: 5, states: true, hold: 0.008,
    size: SLOT,
    cartouche: { x: 150, y: 672, w: 220, h: 130 }, compass: { x: 1110, y: 585, r: 46 },
  },
  europe: {
    width: 1200, height: 850,
    inner: [62, 70, 1140, 770],
    projection: () => geoConicConformal().parallels([40, 58]).rotate([-15, 0]).scale(1000),
    extent: [-14, 32, 46, 64], degrees: 5, hold: 0.006,
    size: { ...SLOT, w: 28, h: 13 },
    bows: { "palermo-smyrna": 90 },
    cartouche: { x: 140, y: 105, w: 220, h: 130 }, compass: { x: 70, y: 330, r: 42 },
  },
  iberia: {
    width: 1200, height: 924, printed: true,
    inner: [0, 0, 1200, 924],
    projection: () => geoConicConformal().parallels([37, 43]).rotate([3.5, 0]).scale(3000),
    extent: [-11, 34, 6, 46], degrees: 2, fine: true,
    size: { ...SLOT, w: 34, h: 14.5, font: 16 },
    cartouche: { x: 1040, y: 800, w: 230, h: 140 }, compass: { x: 64, y: 520, r: 42 },
  },
  africa: {
    width: 1060, height: 1200,
    inner: [80, 55, 970, 1140],
    projection: () => geoMercator().scale(1000),
    extent: [4, -38, 52, 18], degrees: 5, hold: 0.008,
    size: { ...SLOT, w: 33, h: 14.5, font: 16 },
    cartouche: { x: 140, y: 1050, w: 220, h: 140 }, compass: { x: 950, y: 1090, r: 48 },
  },
};
