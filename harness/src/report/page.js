"use strict";
(() => {
  const form = document.querySelector(".filters");
  const cards = [...document.querySelectorAll(".message")];
  const update = () => {
    const wanted = new FormData(form);
    const text = (wanted.get("text") || "").toLowerCase();
    let shown = 0;
    for (const card of cards) {
      const fits = ["operation", "format", "result"].every(
        (name) => !wanted.get(name) || card.dataset[name] === wanted.get(name));
      card.hidden = !(fits && card.textContent.toLowerCase().includes(text));
      shown += card.hidden ? 0 : 1;
    }
    form.querySelector("output").textContent = `${shown} of ${cards.length}`;
  };
  form.addEventListener("input", update);
  form.addEventListener("submit", (event) => event.preventDefault());
  // A link to a message opens it.
  addEventListener("hashchange", () => {
    const target = document.getElementById(location.hash.slice(1));
    if (target && target.tagName === "DETAILS") {
      target.hidden = false;
      target.open = true;
      target.scrollIntoView();
    }
  });
  // A page that is opened with #operation=sample shows those messages.
  const given = new URLSearchParams(location.hash.slice(1));
  for (const [name, value] of given) {
    if (form.elements[name]) form.elements[name].value = value;
  }
  update();
})();
