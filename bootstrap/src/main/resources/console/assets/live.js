/** Shows the values of a coupon as the server sends them, and the answers to its claims as curves. */

import { colour, curveOptions } from "./curve.js";

const live = document.querySelector("#live");
const curve = document.querySelector("#curve");
const WINDOW_SECONDS = 300;
const SETTLED_SECONDS = 3;
const SILENCE_SECONDS = 5;
const number = new Intl.NumberFormat();
const points = new Map();
let chart;

function show(name, text) {
  const element = live.querySelector(`[data-value="${name}"]`);
  if (element.textContent !== text) {
    element.textContent = text;
  }
}

function connection(text, isLost) {
  show("connection", text);
  live.querySelector('[data-value="connection"]').classList.toggle("lost", isLost);
}

const kinds = ["accepted", "alreadyClaimed", "soldOut", "refused", "unavailable"];

function add(added) {
  for (const point of added) {
    points.set(point.at, { ...point, unavailable: point.recovering + point.overloaded + point.outcomeUnknown });
  }
}

function options() {
  return {
    ...curveOptions(curve, {
      values: (_, times) => times.map((at) => new Date(at * 1000).toISOString().slice(11, 19)),
    }),
    cursor: { y: false },
    series: [
      { label: "UTC", value: (_, at) => (at === null ? "–" : new Date(at * 1000).toISOString().slice(11, 19)) },
      { label: "accepted", stroke: colour("good"), width: 2 },
      { label: "already claimed", stroke: colour("accent"), width: 1.5, dash: [6, 3] },
      { label: "sold out", stroke: colour("warn"), width: 1.5, dash: [2, 3] },
      { label: "refused", stroke: colour("soft"), width: 1.5 },
      { label: "unavailable", stroke: colour("bad"), width: 2, dash: [8, 4] },
    ],
  };
}

/** The seconds of the window; those in which nothing happened are zero. */
function data(now) {
  const columns = [[], [], [], [], [], []];
  for (let at = now - WINDOW_SECONDS; at <= now - SETTLED_SECONDS; at++) {
    const point = points.get(at);
    columns[0].push(at);
    kinds.forEach((kind, i) => columns[i + 1].push(point?.[kind] ?? 0));
  }
  return columns;
}

function draw(now) {
  for (const at of points.keys()) {
    if (at < now - WINDOW_SECONDS) {
      points.delete(at);
    }
  }
  const columns = data(now);
  if (!chart) {
    curve.replaceChildren();
    chart = new uPlot(options(), columns, curve);
  } else {
    chart.setData(columns);
  }
  const sums = columns.slice(1).map((column) => column.reduce((sum, value) => sum + value, 0));
  show(
    "curve-text",
    sums.every((sum) => sum === 0)
      ? "No claim was answered in the last five minutes."
      : `In the last five minutes: ${sums.map((sum, i) => `${number.format(sum)} ${chart.series[i + 1].label}`).join(", ")}.`,
  );
}

/** The mean of the last five seconds that are complete. */
function perSecond(now, value) {
  let sum = 0;
  for (let at = now - SETTLED_SECONDS - 4; at <= now - SETTLED_SECONDS; at++) {
    sum += points.has(at) ? value(points.get(at)) : 0;
  }
  return number.format(Math.round(sum / 5));
}

function showReading(reading) {
  const coupon = reading.coupon;
  if (!reading.reachable) {
    connection("The database or Redis does not reply in time. The values below are the last ones.", true);
  } else if (!coupon) {
    connection("This coupon does not exist any more.", true);
  } else {
    connection(`Live. Server time ${coupon.serverTime.slice(11, 19)} UTC.`, false);
    show("phase", coupon.phase.replace("_", " ").toLowerCase());
    show(
      "remaining",
      coupon.remaining === undefined
        ? "not known"
        : `${number.format(coupon.remaining)} of ${number.format(coupon.totalQuantity)}`,
    );
    const now = Math.floor(Date.parse(coupon.serverTime) / 1000);
    add(reading.points);
    show("accepted", perSecond(now, (point) => point.accepted));
    show(
      "answers",
      perSecond(now, (point) => kinds.reduce((sum, kind) => sum + point[kind], 0)),
    );
    show(
      "unavailable",
      ["recovering", "overloaded", "outcomeUnknown"].map((kind) => perSecond(now, (point) => point[kind])).join(" / "),
    );
    draw(now);
  }
  const room = reading.room;
  if (room) {
    show("joined", number.format(room.joined));
    show("serving", number.format(room.serving));
    show("waiting", number.format(Math.max(0, room.joined - room.serving)));
    show("rate", room.paused ? `${number.format(room.perSecond)}, paused` : number.format(room.perSecond));
  }
  const latency = reading.latency;
  show("latency", latency ? `${latency.p50Millis} / ${latency.p95Millis} / ${latency.p99Millis}` : reading.reachable ? "no claims" : "not known");
  show("log", reading.logEntries === null ? "not known" : number.format(reading.logEntries));
  show("oldest", reading.oldestSeconds === null ? "not known" : `${reading.oldestSeconds.toFixed(1)} s`);
  show("partitions", number.format(reading.closedPartitions));
}

for (const slider of document.querySelectorAll("[data-mirror]")) {
  const field = document.getElementById(slider.dataset.mirror);
  slider.addEventListener("input", () => (field.value = slider.value));
  field.addEventListener("input", () => (slider.value = field.value));
}
let events;
let heard = Date.now();

/** A hidden page has no stream: a browser opens few connections to one server. */
function open() {
  events?.close();
  events = undefined;
  if (document.hidden) {
    return;
  }
  heard = Date.now();
  events = new EventSource(live.dataset.events);
  events.addEventListener("begin", (event) => {
    heard = Date.now();
    add(JSON.parse(event.data));
  });
  events.addEventListener("reading", (event) => {
    heard = Date.now();
    showReading(JSON.parse(event.data));
  });
  events.addEventListener("error", () => connection("The connection is lost. Connecting again.", true));
}

/** The browser gives a stream up that was refused, and does not notice one that is silent. */
function watch() {
  const seconds = Math.round((Date.now() - heard) / 1000);
  if (document.hidden || seconds < SILENCE_SECONDS) {
    return;
  }
  connection(`The service has sent nothing for ${seconds} s. The values below are the last ones.`, true);
  if (events?.readyState !== EventSource.CONNECTING && seconds % SILENCE_SECONDS === 0) {
    const since = heard;
    open();
    heard = since;
  }
}

open();
setInterval(watch, 1000);
document.addEventListener("visibilitychange", open);
addEventListener("resize", () => chart?.setSize({ width: curve.clientWidth, height: 320 }));
addEventListener("pagehide", () => events?.close());
addEventListener("pageshow", (event) => event.persisted && open());
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
  chart?.destroy();
  chart = undefined;
});
