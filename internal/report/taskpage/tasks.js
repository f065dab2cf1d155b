// The filter hides what does not match, and says how many tasks are left. A
// chosen form is opened wherever it stands, and the others are hidden.
(function () {
  var form = document.querySelector(".filter");
  var text = document.getElementById("filter-text");
  var family = document.getElementById("filter-family");
  var split = document.getElementById("filter-split");
  var attack = document.getElementById("filter-form");
  var told = document.getElementById("filter-count");
  var clear = form.querySelector("button");
  var none = document.querySelector(".none");
  var sections = Array.from(document.querySelectorAll(".family"));
  var tasks = Array.from(document.querySelectorAll(".task")).map(function (el) {
    return {
      el: el, section: el.closest(".family"), words: el.textContent.toLowerCase(), details: el.querySelector(".forms"),
      forms: Array.from(el.querySelectorAll(".form")), open: false
    };
  });
  tasks.forEach(function (t) { t.open = t.details && t.details.open; });
  var narrowed = "";
  function value(select) { return select ? select.value : ""; }
  form.hidden = false;
  form.addEventListener("submit", function (e) { e.preventDefault(); });
  form.addEventListener("input", show);
  clear.addEventListener("click", function () { form.reset(); show(); text.focus(); });
  function show() {
    var wanted = text.value.toLowerCase().split(/\s+/).filter(Boolean), left = 0;
    var kind = value(attack), of = value(family), part = value(split);
    tasks.forEach(function (t) {
      var has = !kind;
      t.forms.forEach(function (f) {
        f.hidden = kind !== "" && f.dataset.form !== kind;
        if (kind && !f.hidden) has = true;
      });
      if (kind !== narrowed && t.details) t.details.open = kind ? true : t.open;
      var on = has && (!of || t.section.id === of) && (!part || t.el.dataset.split === part) &&
        wanted.every(function (w) { return t.words.indexOf(w) >= 0; });
      t.el.hidden = !on;
      if (on) left++;
    });
    narrowed = kind;
    sections.forEach(function (s) { s.hidden = !s.querySelector(".task:not([hidden])"); });
    none.hidden = left > 0;
    clear.hidden = !(wanted.length || of || part || kind);
    told.textContent = (left === tasks.length ? left : left + " of " + tasks.length) + (tasks.length === 1 ? " task" : " tasks");
  }
  // A place that the filter hides is shown to whoever asks for it by its address.
  addEventListener("hashchange", function () {
    var at = location.hash && document.getElementById(location.hash.slice(1));
    if (at && at.closest("[hidden]")) { form.reset(); show(); at.scrollIntoView(); }
  });
  show();
})();
