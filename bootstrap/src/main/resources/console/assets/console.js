/** What all pages of the console do: times in a chosen time zone, countdowns, and forms that are sent once. */

const ZONE = "firstcome-console-zone";
const zones = document.querySelector("#zone");
let ahead = clockDifference();

/** By how many milliseconds the server's clock is ahead of that of the browser. */
function clockDifference() {
  const stated = [...document.querySelectorAll("[data-server-time]")].at(-1)?.dataset.serverTime;
  return stated ? Date.parse(stated) - Date.now() : 0;
}

function zone() {
  try {
    return localStorage.getItem(ZONE) ?? "UTC";
  } catch {
    return "UTC";
  }
}

function offerZones() {
  for (const name of Intl.supportedValuesOf("timeZone")) {
    zones.append(new Option(name, name));
  }
  zones.value = zone();
  zones.addEventListener("change", () => {
    try {
      localStorage.setItem(ZONE, zones.value);
    } catch {
      // It is then chosen for this page only.
    }
    showTimes();
  });
}

function part(element, name) {
  let found = element.querySelector(`.${name}`);
  if (!found) {
    found = document.createElement("span");
    found.className = name;
    element.append(found);
  }
  return found;
}

/** Each time in UTC, and below it in the chosen time zone. */
function showTimes() {
  const chosen = zones?.value ?? "UTC";
  const local = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium", timeZone: chosen });
  for (const element of document.querySelectorAll("time[datetime]")) {
    const time = new Date(element.dateTime);
    if (!element.dataset.shown) {
      element.textContent = `${time.toISOString().slice(0, 19).replace("T", " ")} UTC`;
      element.dataset.shown = "yes";
    }
    const here = part(element, "local");
    here.textContent = chosen === "UTC" ? "" : `${local.format(time)} ${chosen}`;
    here.hidden = chosen === "UTC";
  }
  countDown();
}

function countDown() {
  for (const element of document.querySelectorAll("time[data-countdown]")) {
    const seconds = Math.ceil((Date.parse(element.dateTime) - Date.now() - ahead) / 1000);
    const text = seconds <= 0 ? "now" : `in ${duration(seconds)}`;
    const shown = part(element, "countdown");
    if (shown.textContent !== text) {
      shown.textContent = text;
    }
  }
}

function duration(seconds) {
  const days = Math.floor(seconds / 86_400);
  const clock = [Math.floor(seconds / 3_600) % 24, Math.floor(seconds / 60) % 60, seconds % 60]
    .map((number) => String(number).padStart(2, "0"))
    .join(":");
  return days > 0 ? `${days} d ${clock}` : clock;
}

/** Shows the fields that belong to what is chosen, and only those. */
function showChosenFields() {
  for (const element of document.querySelectorAll("[data-if]")) {
    const [name, value] = element.dataset.if.split("=");
    element.hidden = !document.querySelector(`[name="${name}"][value="${value}"]:checked, [name="${name}"]:checked:not([value])`);
  }
}

if (zones) {
  offerZones();
}
showTimes();
showChosenFields();
setInterval(countDown, 1000);

/** Says why the page is not renewed; empty if it is. */
function stale(text, link) {
  const element = document.querySelector("#stale");
  element.replaceChildren(text);
  if (link) {
    const anchor = document.createElement("a");
    anchor.href = link;
    anchor.target = "_blank";
    anchor.textContent = "Sign in in another tab";
    element.append(" ", anchor, ", and go on here.");
  }
  element.hidden = text === "";
}

document.body.addEventListener("htmx:responseError", (event) => {
  if (event.detail.xhr.status === 401) {
    stale("You are signed out. What you see is not renewed.", "/console/login");
  } else {
    stale(`The service cannot renew this page now (${event.detail.xhr.status}). What you see may be old.`);
  }
});
for (const failure of ["htmx:sendError", "htmx:timeout"]) {
  document.body.addEventListener(failure, () => stale("The service cannot be reached. What you see may be old."));
}
document.body.addEventListener("htmx:afterSwap", () => {
  stale("");
  ahead = clockDifference();
  showTimes();
});
document.addEventListener("change", showChosenFields);
document.addEventListener("submit", (event) => {
  // A second click would send the form again.
  for (const button of event.target.querySelectorAll("button")) {
    setTimeout(() => (button.disabled = true));
  }
});
