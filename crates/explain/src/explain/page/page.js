"use strict";
// Points at one bit: its column is shaded, and the line at the foot says which bit it is.
(() => {
  const status = document.getElementById("status");
  const rows = (table) => [...table.querySelectorAll("tbody tr")];
  const bitsOf = (row) => [...row.querySelectorAll("td.bits i")];
  let current = null;

  const clear = () => {
    document.querySelectorAll("i.at, i.column").forEach((bit) => bit.classList.remove("at", "column"));
    status.textContent = "";
    current = null;
  };

  const kind = (bit) => {
    const names = { cut: "cut", zeros: "filled in", fraction: "significand", exponent: "exponent field", sign: "sign", ignored: "not read" };
    return names[bit.parentElement.className] || "";
  };

  const point = (bit) => {
    const row = bit.closest("tr");
    if (!row) return;
    clear();
    const table = row.closest("table");
    const at = bitsOf(row).indexOf(bit);
    const name = row.querySelector("th").textContent;
    let where = `bit ${at + 1}`;
    if (table.dataset.high !== undefined) {
      where = `2^${Number(table.dataset.high) - at}`;
      rows(table).forEach((other) => {
        const same = bitsOf(other)[at];
        if (same) same.classList.add("column");
      });
    }
    bit.classList.add("at");
    status.textContent = `${name}, ${where}: ${bit.textContent}, ${kind(bit)}`;
    current = { table, row, at };
  };

  document.addEventListener("pointerover", (event) => {
    if (event.target.matches && event.target.matches("td.bits i")) point(event.target);
  });
  document.addEventListener("focusin", (event) => {
    const bits = event.target.matches("tr") ? bitsOf(event.target) : [];
    if (bits.length > 0) point(bits[Math.min(current ? current.at : 0, bits.length - 1)]);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") return clear();
    if (!current || event.altKey || event.ctrlKey || event.metaKey) return undefined;
    const all = rows(current.table);
    const along = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const across = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!along && !across) return undefined;
    event.preventDefault();
    const row = across ? all[all.indexOf(current.row) + across] : current.row;
    if (!row) return undefined;
    const bits = bitsOf(row);
    const to = Math.min(Math.max(current.at + (along || 0), 0), bits.length - 1);
    if (across) row.focus();
    if (bits[to]) point(bits[to]);
    return undefined;
  });
  // On paper nothing can be opened.
  addEventListener("beforeprint", () => document.querySelectorAll("details").forEach((part) => { part.open = true; }));
  document.documentElement.classList.add("scripted");
})();
