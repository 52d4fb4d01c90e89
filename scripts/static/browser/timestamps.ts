/** Links to a second of an episode start the page's own player there; so does an address with `?t=`. */
const SECONDS = /^(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s?)?$/;

/** Seconds: `90`, `1m30s` or `1:30`. */
function secondsOf(text: string) {
  if (text.includes(":")) return text.split(":").reduce((sum, part) => sum * 60 + Number(part), 0);
  const [, hours = 0, minutes = 0, seconds = 0] = SECONDS.exec(text) ?? [];
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
}

const audio = document.querySelector("audio");
const startIn = (search: string) => secondsOf(new URLSearchParams(search).get("t") ?? "");

if (audio) {
  const start = startIn(location.search);
  if (start > 0) audio.currentTime = start;
  document.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    const isHere = link?.pathname === location.pathname && link.origin === location.origin;
    if (!link || !isHere || !link.search.startsWith("?t=") || event.metaKey || event.ctrlKey) return;
    event.preventDefault();
    audio.currentTime = startIn(link.search);
    void audio.play();
  });
}
