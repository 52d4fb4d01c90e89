/** On the page that says that there is no connection: asks again for the page when there is one. */
addEventListener("online", () => location.reload());
