/** Draws the curve of a coupon. */

import { colour, curveOptions } from "./curve.js";

const report = document.querySelector("#report");
const curve = document.querySelector("#curve");
const points = JSON.parse(report.dataset.curve).map((point) => ({
  ...point,
  unavailable: point.recovering + point.overloaded + point.outcomeUnknown,
}));
const bucket = Number(report.dataset.bucket);
const number = new Intl.NumberFormat();
const text = (at) => new Date(at * 1000).toISOString().slice(0, 19).replace("T", " ");
let chart;

function options() {
  return {
    ...curveOptions(curve, {
      values: (_, times) => times.map((at) => text(at).slice(11)),
      incrs: [1, 2, 5, 10, 15, 30, 60, 300, 600, 1_800, 3_600, 21_600, 86_400],
    }),
    series: [
      { label: "UTC", value: (_, at) => (at === null ? "–" : text(at)) },
      { label: "issued", stroke: colour("good"), width: 2 },
      { label: "answers", stroke: colour("accent"), width: 1.5, dash: [6, 3] },
      { label: "unavailable", stroke: colour("bad"), width: 2, dash: [8, 4] },
    ],
  };
}

const answers = (point) =>
  point.accepted + point.alreadyClaimed + point.soldOut + point.refused + point.unavailable;

/** A point for each interval from the first to the last one in which something happened. */
function data() {
  const known = new Map(points.map((point) => [Math.floor(Date.parse(point.at) / 1000), point]));
  const times = [...known.keys()];
  const columns = [[], [], [], []];
  for (let at = Math.min(...times) - bucket; at <= Math.max(...times) + bucket; at += bucket) {
    const point = known.get(at);
    columns[0].push(at);
    columns[1].push(point?.issued ?? 0);
    columns[2].push(point ? answers(point) : 0);
    columns[3].push(point?.unavailable ?? 0);
  }
  return columns;
}

function draw() {
  chart?.destroy();
  chart = new uPlot(options(), data(), curve);
}

function describe() {
  const most = points.reduce((best, point) => (answers(point) > answers(best) ? point : best));
  const issued = points.reduce((sum, point) => sum + point.issued, 0);
  document.querySelector("#curve-text").textContent =
    `${number.format(issued)} user coupons were issued. The most answers in an interval were ` +
    `${number.format(answers(most))}, at ${text(Date.parse(most.at) / 1000)} UTC.`;
}

if (points.length > 0) {
  draw();
  describe();
  addEventListener("resize", () => chart.setSize({ width: curve.clientWidth, height: 320 }));
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
} else {
  curve.hidden = true;
}
