"use strict";
(() => {
  // A link followed from another site comes without the cookie; asked from here, it is sent.
  fetch("/session").then((answer) => answer.json())
    .then((found) => { if (found.open) location.replace(location.href); });
  const form = document.getElementById("door");
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const answer = await fetch("/login", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ token: document.getElementById("token").value.trim() }),
    });
    if (answer.ok) location.replace(location.href);
    else document.getElementById("said").textContent = (await answer.json()).refused;
  });
})();
