import { useEffect, useState } from "react";
import { hydrateRoot } from "react-dom/client";
import { HYDRATED } from "../../../src/document/deferred-hydration.ts";
import { keepTexts } from "../../../src/document/translation.ts";

/** A page with what our lint rule refuses: texts that change, appear and disappear beside others. */
function MixedTexts() {
  const [count, setCount] = useState(0);
  useEffect(() => void dispatchEvent(new Event(HYDRATED)), []);
  return (
    <main>
      <p>
        Sent {count} times{count > 1 && " in all"}.
      </p>
      <p>{count % 2 === 1 && <b>Odd</b>} or even</p>
      <p>
        {count % 2 === 1 && "Alone"}
        <i>!</i>
      </p>
      <input aria-label="Note" />
      <button type="button" onClick={() => setCount(count + 1)}>
        Send
      </button>
    </main>
  );
}

if (location.hash !== "#alone") keepTexts();
hydrateRoot(document.getElementById("page")!, <MixedTexts />);
