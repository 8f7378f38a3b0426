// The page: a form whose state is in the address, answered by WebAssembly; differences are looked for in a worker.
(() => {
  // Runs in the page and, as text, in the worker: the calls of the module.
  const load = async (bytes) => {
    const { instance } = await WebAssembly.instantiate(bytes, {});
    const { memory, reserve, ask, release } = instance.exports;
    return (request) => {
      const text = new TextEncoder().encode(JSON.stringify(request));
      const address = reserve(text.length);
      new Uint8Array(memory.buffer).set(text, address);
      const answered = ask(address, text.length);
      const length = new DataView(memory.buffer).getUint32(answered, true);
      const answer = new TextDecoder().decode(new Uint8Array(memory.buffer, answered + 4, length));
      release(answered, length + 4);
      return JSON.parse(answer);
    };
  };
  const packed = document.getElementById("wasm").textContent.trim();
  const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  const form = document.getElementById("form");
  const { left, right, products, a, b, c } = form.elements;
  const result = document.getElementById("result");
  const progress = document.getElementById("progress");
  const CASES = [
    ["1 + 2^-24 + 2^-24", { left: "V100", right: "H100", products: "f16 to f32", a: "0x1p-12,0x1p-12", b: "0x1p-12,0x1p-12", c: "1" }],
    ["FP8's 13 bits", { left: "H100", right: "RTX PRO 6000 Blackwell", products: "e4m3 to f32", a: "1,0x1p-6", b: "16,0x1p-4", c: "0" }],
    ["rounding down on CDNA3", { left: "MI300A", right: "H100", products: "f16 to f32", a: "0x1p-12", b: "-0x1p-13", c: "1" }],
    ["35 or 34.999996", { left: "V100", right: "A100", products: "f16 to f32", a: "8,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1", b: "8,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1", c: "-0x1.600002p+5" }],
    ["two machines, one answer", { left: "H100", right: "B200", products: "f64 to f64", a: "1,0x1p-53", b: "1,1", c: "1" }],
  ];
  let call;
  let pairs = [];
  let worker;

  const fail = (error) => {
    result.innerHTML = "";
    const p = document.createElement("p");
    p.className = "error";
    p.textContent = error;
    result.append(p);
  };
  const state = () => Object.fromEntries(new FormData(form));
  const models = () => pairs[products.selectedIndex]?.models;
  const fillProducts = (wanted) => {
    const found = call({ ask: "products", machines: [left.value, right.value] });
    pairs = found.products ?? [];
    products.replaceChildren(...pairs.map((pair) => new Option(pair.name + ", " + pair.products + " products", pair.name)));
    if (pairs.some((pair) => pair.name === wanted)) products.value = wanted;
    if (!pairs.length) fail(found.error ?? "these machines have no products in common");
  };
  const evaluate = () => {
    if (!models()) return;
    const found = call({ ask: "evaluate", models: models(), a: a.value, b: b.value, c: c.value });
    if (found.error) return fail(found.error);
    result.innerHTML = found.html;
    history.replaceState(null, "", "#" + new URLSearchParams(state()));
  };
  const show = (wanted) => {
    for (const name of ["left", "right", "a", "b", "c"]) if (wanted[name] !== undefined) form.elements[name].value = wanted[name];
    fillProducts(wanted.products);
    evaluate();
  };
  const stop = () => {
    worker?.terminate();
    worker = undefined;
    progress.textContent = "";
  };
  // Draws a thousand operands at a time, until a million are drawn or the time is over.
  const find = () => {
    stop();
    if (!models()) return;
    const source = "const load = " + load + ";let call;onmessage = async ({ data }) => { call ??= await load(data.bytes); postMessage(call(data.request)); };";
    worker = new Worker(URL.createObjectURL(new Blob([source], { type: "text/javascript" })));
    const asked = { ask: "draw", models: models(), seed: 0, count: 1000 };
    const start = Date.now();
    let [drawn, different, best] = [0, 0, null];
    worker.onmessage = ({ data }) => {
      if (data.error) { stop(); return fail(data.error); }
      drawn += data.drawn;
      different += data.different;
      if (data.example && (!best || data.ulps > best.ulps)) best = data;
      progress.textContent = drawn + " operands drawn, " + different + " with different results";
      if (drawn < 1e6 && Date.now() - start < 4000) {
        asked.seed += 1;
        worker.postMessage({ request: asked });
        return;
      }
      worker.terminate();
      if (best) {
        [a.value, b.value, c.value] = [best.example.a, best.example.b, best.example.c];
        evaluate();
      }
    };
    worker.postMessage({ bytes, request: asked });
  };
  const table = () => {
    const rows = pairs.map((pair) => [pair.name, pair.products, call({ ask: "draw", models: pair.models, seed: 0, count: 500 })]);
    const element = document.createElement("table");
    element.innerHTML = "<tr><th>products</th><th>K</th><th>results of 500 ordinary operands</th><th>by up to</th></tr>";
    for (const [name, count, found] of rows) {
      const row = element.insertRow();
      row.insertCell().textContent = name;
      row.insertCell().textContent = count;
      const verdict = row.insertCell();
      verdict.className = "verdict";
      verdict.textContent = found.error ?? (found.different ? (found.different / 5).toFixed(1) + " % differ" : "all the same");
      row.insertCell().textContent = found.different ? found.ulps + " ulp" : "";
    }
    result.replaceChildren(element);
  };

  load(bytes).then((loaded) => {
    call = loaded;
    const { machines } = call({ ask: "machines" });
    for (const select of [left, right]) select.replaceChildren(...machines.map((machine) => new Option(machine.title, machine.name)));
    document.getElementById("cases").replaceChildren(...CASES.map(([title, wanted]) => {
      const link = document.createElement("a");
      link.href = "#" + new URLSearchParams(wanted);
      link.textContent = title;
      return link;
    }));
    const fromAddress = () => show(location.hash ? Object.fromEntries(new URLSearchParams(location.hash.slice(1))) : CASES[0][1]);
    addEventListener("hashchange", () => { stop(); fromAddress(); });
    for (const select of [left, right]) select.addEventListener("change", () => { stop(); fillProducts(products.value); evaluate(); });
    products.addEventListener("change", () => { stop(); evaluate(); });
    form.addEventListener("submit", (event) => { event.preventDefault(); stop(); evaluate(); });
    document.getElementById("find").addEventListener("click", find);
    document.getElementById("table").addEventListener("click", () => { stop(); table(); });
    fromAddress();
    document.documentElement.dataset.ready = "yes";
  }, (error) => fail(String(error)));
})();
