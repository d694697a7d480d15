"use strict";
// A link into a cell opens what is folded away there.
function reveal() {
  const target = location.hash && document.getElementById(location.hash.slice(1));
  if (!target) return;
  const section = target.closest("section");
  if (section) section.hidden = false;
  const folded = target.querySelector("details");
  if (folded) folded.open = true;
  target.scrollIntoView({ block: "center" });
}
addEventListener("hashchange", reveal);
reveal();

// Served by the studio, links lead to the studio that this page came from, with what lets one in.
if (document.documentElement.dataset.served === "studio") {
  const token = new URLSearchParams(location.search).get("token");
  for (const link of document.querySelectorAll("a[data-studio]")) {
    const [path, hash] = link.dataset.studio.split("#");
    const pass = token === null ? "" : "&token=" + encodeURIComponent(token);
    link.href = path + pass + (hash === undefined ? "" : "#" + hash);
  }
  document.getElementById("start")?.remove();
}

document.addEventListener("click", (event) => {
  const button = event.target instanceof Element && event.target.closest("button[data-copy]");
  if (!button) return;
  const done = () => { button.textContent = "copied"; setTimeout(() => { button.textContent = "copy"; }, 1500); };
  if (navigator.clipboard) navigator.clipboard.writeText(button.dataset.copy).then(done, () => {});
});

const search = document.getElementById("search");
const failing = document.getElementById("failing");
function filter() {
  const words = search.value.toLowerCase();
  for (const one of document.querySelectorAll("[data-scenario]")) {
    const named = one.dataset.scenario.toLowerCase().includes(words);
    one.hidden = !named || (failing.checked && one.dataset.failing === "0");
  }
}
search.addEventListener("input", filter);
failing.addEventListener("change", filter);
