// What is chosen by hand for each board: projection, frame, sizes, ornaments and a few bows that geography alone gets wrong.
import { geoConicConformal, geoMercator } from "d3-geo";
import { SLOT } from "./sizes.mjs";

/** Mountain ranges as lines of [longitude, latitude], with how wide they spread on the board. */
const RANGES = {
  usa: [
    {
      width: 70,
      line: [
        [-120, 54],
        [-116, 50.5],
        [-113.5, 47.5],
        [-110.5, 44],
        [-107, 40.5],
        [-106, 37],
        [-105.5, 33.5],
      ],
    },
    {
      width: 26,
      line: [
        [-121.8, 48.5],
        [-121.7, 44],
        [-121, 40.5],
        [-119, 37.5],
        [-118, 35.5],
      ],
    },
    {
      width: 26,
      line: [
        [-72, 44.5],
        [-75.5, 41.5],
        [-79.5, 38.3],
        [-82.5, 35.8],
        [-84.5, 34.6],
      ],
    },
    {
      width: 40,
      line: [
        [-108.5, 31],
        [-106, 27],
        [-104, 24],
      ],
    },
    {
      width: 26,
      line: [
        [-99, 25],
        [-99.5, 22],
      ],
    },
    {
      width: 40,
      line: [
        [-113, 38.5],
        [-112, 36.5],
      ],
    },
  ],
  europe: [
    {
      width: 30,
      line: [
        [6.5, 44.3],
        [7.2, 45.9],
        [9.5, 46.6],
        [12.5, 47],
        [14.8, 47.2],
      ],
    },
    {
      width: 14,
      line: [
        [-1.5, 43],
        [2.2, 42.5],
      ],
    },
    {
      width: 24,
      line: [
        [18.5, 49.3],
        [22.5, 49],
        [25, 47.2],
        [25.6, 45.6],
        [23, 45.3],
      ],
    },
    {
      width: 26,
      line: [
        [38, 44],
        [42, 43.3],
        [45.5, 42.3],
      ],
    },
    {
      width: 30,
      line: [
        [6.5, 59.2],
        [8.5, 61.2],
        [11, 63],
      ],
    },
    {
      width: 20,
      line: [
        [10.2, 44.4],
        [13.3, 42.6],
        [15.8, 40.6],
      ],
    },
    {
      width: 26,
      line: [
        [16, 44.7],
        [19, 42.9],
        [21, 40.8],
        [21.8, 39],
      ],
    },
    {
      width: 26,
      line: [
        [30, 37.2],
        [34, 37],
        [38.5, 38.3],
      ],
    },
    {
      width: 26,
      line: [
        [-5, 33.5],
        [0, 35],
        [5, 35.8],
      ],
    },
    {
      width: 18,
      line: [
        [-5, 57],
        [-3.7, 56.8],
      ],
    },
    {
      width: 18,
      line: [
        [-6, 43],
        [-3, 43],
      ],
    },
    {
      width: 18,
      line: [
        [-3.6, 37.2],
        [-2.3, 37.5],
      ],
    },
    {
      width: 50,
      line: [
        [40, 38.5],
        [44, 38],
      ],
    },
  ],
  iberia: [
    {
      width: 34,
      line: [
        [-1.4, 42.95],
        [0.3, 42.65],
        [1.6, 42.55],
        [2.6, 42.4],
      ],
    },
    {
      width: 26,
      line: [
        [-7, 42.9],
        [-5, 43.1],
        [-3.6, 43.05],
      ],
    },
    {
      width: 26,
      line: [
        [-7.2, 40.3],
        [-5.4, 40.3],
        [-4.2, 40.8],
        [-3.3, 41.2],
      ],
    },
    {
      width: 36,
      line: [
        [-2.7, 41.9],
        [-1.8, 41.2],
        [-0.9, 40.4],
      ],
    },
    {
      width: 26,
      line: [
        [-6.5, 38.3],
        [-4.8, 38.4],
        [-3.2, 38.4],
      ],
    },
    {
      width: 22,
      line: [
        [-4, 37],
        [-2.9, 37.1],
        [-2.2, 37.6],
      ],
    },
    {
      width: 60,
      line: [
        [-6, 34.6],
        [-4, 35],
        [-2.5, 34.9],
      ],
    },
    {
      width: 50,
      line: [
        [1, 36],
        [3, 36.2],
      ],
    },
    {
      width: 40,
      line: [
        [2.2, 44.3],
        [3.2, 44.8],
      ],
    },
  ],
  africa: [
    {
      width: 60,
      line: [
        [37, 13],
        [38.5, 10.5],
        [37, 7.5],
      ],
    },
    {
      width: 40,
      line: [
        [40.5, 9.3],
        [43, 9.8],
      ],
    },
    {
      width: 40,
      line: [
        [29, -30.8],
        [29.3, -28.6],
        [30.6, -25.6],
      ],
    },
    {
      width: 30,
      line: [
        [19.5, -33.2],
        [22.5, -33.4],
        [25, -32.4],
      ],
    },
    {
      width: 30,
      line: [
        [29.4, 0.8],
        [29.2, -2.2],
        [29.5, -6.8],
      ],
    },
    {
      width: 40,
      line: [
        [36.8, 0.8],
        [37.2, -3],
      ],
    },
    {
      width: 30,
      line: [
        [9.8, 5.2],
        [11, 6.8],
        [13, 9.5],
      ],
    },
    {
      width: 40,
      line: [
        [14, -12.2],
        [14.4, -14.8],
      ],
    },
    {
      width: 30,
      line: [
        [47, -16.5],
        [46.8, -20.5],
        [46, -23],
      ],
    },
    {
      width: 40,
      line: [
        [16.2, -21],
        [16.4, -24.5],
      ],
    },
    {
      width: 40,
      line: [
        [23.5, 13],
        [24, 14.2],
      ],
    },
    {
      width: 40,
      line: [
        [35, -12.5],
        [36.8, -15],
      ],
    },
  ],
  carpathians: [
    {
      width: 40,
      line: [
        [19.2, 49.5],
        [20.6, 49.4],
        [21.9, 49.3],
        [22.9, 48.95],
        [23.8, 48.55],
        [24.5, 48.15],
      ],
    },
    {
      width: 40,
      line: [
        [19.3, 49.1],
        [20.5, 49.05],
        [21.6, 49.05],
        [22.7, 48.75],
        [23.6, 48.3],
        [24.3, 47.95],
      ],
    },
    {
      width: 46,
      line: [
        [24.2, 47.7],
        [25, 47.75],
        [25.5, 47.4],
        [25.8, 46.9],
        [26.2, 46.4],
        [26.4, 45.8],
      ],
    },
    {
      width: 46,
      line: [
        [24.8, 47.3],
        [25.2, 46.8],
        [25.5, 46.4],
        [25.9, 45.95],
      ],
    },
    {
      width: 34,
      line: [
        [26.4, 45.55],
        [25.8, 45.4],
        [25.2, 45.45],
        [24.6, 45.55],
        [23.8, 45.5],
        [23.1, 45.35],
        [22.5, 45.15],
      ],
    },
    {
      width: 34,
      line: [
        [24.4, 45.3],
        [23.6, 45.2],
        [22.9, 45.05],
        [22.4, 44.8],
      ],
    },
    {
      width: 34,
      line: [
        [22, 45.3],
        [21.9, 44.95],
        [22.1, 44.5],
        [22.2, 44],
        [22.5, 43.6],
      ],
    },
    {
      width: 70,
      line: [
        [22.6, 46.9],
        [22.9, 46.5],
        [23.1, 46.2],
      ],
    },
    {
      width: 34,
      line: [
        [22.9, 43.35],
        [23.8, 42.95],
        [24.8, 42.72],
        [25.8, 42.75],
        [26.8, 42.85],
      ],
    },
    {
      width: 60,
      line: [
        [23.3, 42.1],
        [23.8, 41.75],
        [24.6, 41.6],
        [25.4, 41.55],
      ],
    },
    {
      width: 60,
      line: [
        [19.1, 44.2],
        [19.8, 43.6],
        [20.6, 43.1],
        [21, 42.4],
      ],
    },
    {
      width: 30,
      line: [
        [19.4, 48.75],
        [20.2, 48.7],
      ],
    },
  ],
};

export const BOARDS = {
  usa: {
    width: 1160,
    height: 755,
    inner: [68, 58, 1088, 686],
    projection: () => geoConicConformal().parallels([33, 45]).rotate([97, 0]).scale(1000),
    extent: [-130, 20, -64, 56],
    degrees: 5,
    states: true,
    hold: 0.008,
    size: SLOT,
    ranges: RANGES.usa,
    cartouche: { x: 140, y: 654, w: 210, h: 126 },
    compass: { x: 1072, y: 565, r: 46 },
  },
  europe: {
    width: 1180,
    height: 830,
    inner: [60, 66, 1120, 750],
    projection: () => geoConicConformal().parallels([40, 58]).rotate([-15, 0]).scale(1000),
    extent: [-14, 32, 46, 64],
    degrees: 5,
    hold: 0.006,
    size: { ...SLOT, w: 28, h: 13 },
    bows: { "palermo-smyrna": 90 },
    ranges: RANGES.europe,
    cartouche: { x: 132, y: 98, w: 210, h: 126 },
    compass: { x: 76, y: 330, r: 44 },
  },
  iberia: {
    width: 1110,
    height: 840,
    printed: true,
    inner: [-20, -12, 1115, 845],
    projection: () => geoConicConformal().parallels([37, 43]).rotate([3.5, 0]).scale(3000),
    extent: [-11, 34, 6, 46],
    degrees: 2,
    fine: true,
    size: { ...SLOT, w: 34, h: 14.5, dot: 8.5, start: 12.5, font: 16 },
    ranges: RANGES.iberia,
    cartouche: { x: 972, y: 738, w: 220, h: 130 },
    compass: { x: 62, y: 480, r: 42 },
  },
  africa: {
    width: 990,
    height: 1090,
    inner: [88, 54, 905, 1026],
    projection: () => geoMercator().scale(1000),
    extent: [4, -38, 52, 18],
    degrees: 5,
    hold: 0.008,
    size: { ...SLOT, w: 32, h: 14.5, font: 16 },
    ranges: RANGES.africa,
    cartouche: { x: 130, y: 950, w: 216, h: 130 },
    compass: { x: 890, y: 975, r: 48 },
  },
  carpathians: {
    width: 1160,
    height: 900,
    inner: [60, 66, 1100, 838],
    projection: () => geoConicConformal().parallels([43.5, 48.5]).rotate([-25, 0]).scale(3000),
    extent: [16, 40, 34, 52],
    degrees: 2,
    fine: true,
    hold: 0.008,
    size: { ...SLOT, w: 29, h: 13 },
    ranges: RANGES.carpathians,
    bows: { "constanta-odesa": 120 },
    cartouche: { x: 1016, y: 748, w: 216, h: 130 },
    compass: { x: 92, y: 806, r: 46 },
  },
};
