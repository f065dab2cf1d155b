// The filter: it hides what does not match, and says how many tasks are left.
(function () {
  var form = document.querySelector(".filter");
  var text = document.getElementById("filter-text");
  var family = document.getElementById("filter-family");
  var split = document.getElementById("filter-split");
  var told = document.getElementById("filter-count");
  var sections = Array.from(document.querySelectorAll(".family"));
  var tasks = Array.from(document.querySelectorAll(".task")).map(function (el) {
    return { el: el, section: el.closest(".family"), words: el.textContent.toLowerCase() };
  });
  form.hidden = false;
  form.addEventListener("submit", function (e) { e.preventDefault(); });
  form.addEventListener("input", show);
  function show() {
    var wanted = text.value.toLowerCase().split(/\s+/).filter(Boolean), left = 0;
    tasks.forEach(function (t) {
      var on = (!family.value || t.section.id === family.value) && (!split.value || t.el.dataset.split === split.value) &&
        wanted.every(function (w) { return t.words.indexOf(w) >= 0; });
      t.el.hidden = !on;
      if (on) left++;
    });
    sections.forEach(function (s) { s.hidden = !s.querySelector(".task:not([hidden])"); });
    told.textContent = left === tasks.length ? left + " tasks" : left + " of " + tasks.length + " tasks";
  }
  show();
})();
