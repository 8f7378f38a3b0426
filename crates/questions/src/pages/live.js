
// A vector file that is dropped on the form fills in its first vector.
(() => {
  const form = document.querySelector("form.live");
  const take = (text) => {
    const line = text.split(/\r?\n/).find((line) => line.trim() && !line.startsWith("#"));
    if (line) form.elements.line.value = line.trim();
  };
  form.addEventListener("dragover", (event) => {
    event.preventDefault();
    form.classList.add("over");
  });
  form.addEventListener("dragleave", () => form.classList.remove("over"));
  form.addEventListener("drop", async (event) => {
    event.preventDefault();
    form.classList.remove("over");
    const file = event.dataTransfer.files[0];
    take(file ? await file.slice(0, 65536).text() : event.dataTransfer.getData("text"));
  });
})();
