// The field shows the pairs whose names have all the words that are typed.
(() => {
  const field = document.querySelector("#search");
  const count = document.querySelector("#count");
  const pairs = [...document.querySelectorAll("details.pair")];
  const names = pairs.map((pair) => pair.dataset.names.toLowerCase());
  const show = () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    pairs.forEach((pair, index) => {
      pair.hidden = !words.every((word) => names[index].includes(word));
      shown += pair.hidden ? 0 : 1;
    });
    count.textContent = `${shown} of ${pairs.length} pairs`;
  };
  field.parentElement.hidden = false;
  field.addEventListener("input", show);
  show();
})();
