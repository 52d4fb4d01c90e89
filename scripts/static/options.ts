import { existsSync, readdirSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";

/**
 * Reads the arguments of `npm run static`. `address` and `from` are origins.
 *
 * @param formerAddress of the site, if `--from` names none.
 * @throws a message for the person who typed them.
 */
export function readOptions(args: string[], formerAddress: string) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      address: { type: "string" },
      from: { type: "string" },
      audio: { type: "boolean", default: false },
    },
  });
  const [name] = positionals;
  if (name === undefined)
    throw new Error("Say where to: npm run static -- ../my-site --address https://new.example");
  const folder = resolve(name);
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw new Error(
      `${name} is not empty. Name a new folder, so that no file of another site is among these.`,
    );
  const from = originOf(values.from ?? formerAddress, "--from");
  return {
    folder,
    from,
    address: originOf(values.address ?? from, "--address"),
    hasAudio: values.audio,
  };
}

function originOf(text: string, option: string) {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.pathname !== "/" || url.search || url.hash)
    throw new Error(
      `${option} ${text} is not an address such as https://new.example: the site cannot be in a folder of a host.`,
    );
  return url.origin;
}
