"use strict";
// Everything on the page works without this script. It remembers the colours,
// opens the details for print, and shows a mark's numbers on hover and focus.
(function () {
  var root = document.documentElement;
  var names = ["auto", "light", "dark"];
  function kept(value) {
    try {
      if (value) localStorage.setItem("uplift-theme", value);
      return localStorage.getItem("uplift-theme");
    } catch (e) { return null; }
  }
  names.forEach(function (n) {
    var input = document.getElementById("theme-" + n);
    input.addEventListener("change", function () { kept(n); });
    if (kept() === n) input.checked = true;
  });

  var opened = [];
  addEventListener("beforeprint", function () {
    opened = Array.from(document.querySelectorAll("details:not([open])"));
    opened.forEach(function (d) { d.open = true; });
  });
  addEventListener("afterprint", function () {
    opened.forEach(function (d) { d.open = false; });
    opened = [];
  });

  addEventListener("hashchange", reveal);
  reveal();
  function reveal() {
    var at = location.hash && document.getElementById(location.hash.slice(1));
    var d = at && at.querySelector("details");
    if (d) d.open = true;
  }

  var boxes = document.querySelectorAll(".scroll");
  function measure() {
    boxes.forEach(function (b) { b.classList.toggle("over", b.scrollWidth > b.clientWidth + 1); });
  }
  measure();
  addEventListener("resize", measure);
  document.querySelectorAll("details").forEach(function (d) { d.addEventListener("toggle", measure); });

  var tip = document.createElement("div");
  tip.className = "tip";
  tip.hidden = true;
  tip.setAttribute("aria-hidden", "true");
  document.body.appendChild(tip);
  function show(g, text) {
    tip.textContent = text;
    tip.hidden = false;
    var box = g.getBoundingClientRect();
    var half = tip.offsetWidth / 2;
    var x = Math.min(Math.max(box.left + box.width / 2, half + 8), root.clientWidth - half - 8);
    tip.style.left = (x - half + scrollX) + "px";
    tip.style.top = (box.top + scrollY - tip.offsetHeight - 6) + "px";
  }
  document.querySelectorAll(".dot, .swarm circle").forEach(function (g) {
    var title = g.querySelector("title");
    if (!title) return;
    var text = title.textContent;
    title.remove();
    g.setAttribute("aria-label", text);
    if (g.classList.contains("dot")) g.setAttribute("tabindex", "0");
    ["mouseenter", "focus"].forEach(function (e) { g.addEventListener(e, function () { show(g, text); }); });
    ["mouseleave", "blur"].forEach(function (e) { g.addEventListener(e, function () { tip.hidden = true; }); });
  });
})();
