/** What the curves of the pages have in common. */

const LEAST_WIDTH = 60;
const DIGIT_WIDTH = 8;
const MARGIN = 20;

/** At the right, for the second half of the last time. */
const HALF_TIME = 30;

/** The value of a variable of the style sheet, which depends on light and dark. */
export const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

/** As wide as its longest number, of which uPlot would otherwise cut off the first digits. */
const width = (_, numbers) => Math.max(LEAST_WIDTH, MARGIN + DIGIT_WIDTH * Math.max(...(numbers ?? []).map((text) => text.length)));

/** The options of a curve over time, but for its series; `time` has those of the axis of the time. */
export function curveOptions(element, time) {
  const line = { stroke: colour("line"), width: 1 };
  const axis = { stroke: colour("soft"), grid: line, ticks: line };
  return {
    width: element.clientWidth,
    height: 320,
    padding: [null, HALF_TIME, null, null],
    scales: { y: { range: (_, min, max) => [0, Math.max(1, max * 1.1)] } },
    axes: [
      { ...axis, space: 80, ...time },
      { ...axis, size: width },
    ],
  };
}
