// Makes the bundles: 'npm run build' all, 'node build.mjs viewer' one. Equal sources give equal bytes.
// The first line of a bundle holds the sha256 of all that it is made of, so that a test can tell without node whether
// it is that of the sources (tests/display/test_viewing.py).

import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { build } from "esbuild";

const BUNDLES = ["viewer", "play"];
const here = new URL(".", import.meta.url).pathname;
process.chdir(here);

for (const name of process.argv.length > 2 ? process.argv.slice(2) : BUNDLES) {
  if (!BUNDLES.includes(name)) throw new Error(`no bundle ${name}; there are ${BUNDLES.join(", ")}`);
  await bundle(name);
}
writeFileSync("LICENSES.txt", licences());

async function bundle(name) {
  const made = await build({
    entryPoints: [`src/${name}.js`],
    bundle: true,
    minify: true,
    format: "iife",
    target: "es2022",
    charset: "ascii",
    legalComments: "none", // they stand in LICENSES.txt
    metafile: true,
    write: false,
  });
  const own = Object.keys(made.metafile.inputs).filter((path) => path.startsWith("src/")).map((path) => basename(path));
  const head = `/* efg_builder ${name}; sources sha256:${digest(own)}; third-party licenses: LICENSES.txt */\n`;
  writeFileSync(`${name}.js`, head + made.outputFiles[0].text);
  console.log(`${name}.js: ${head.length + made.outputFiles[0].text.length} bytes of ${own.length} sources`);
}

/** Of the sources by name, then of what else decides on the bytes: each name, a zero byte, its text, a zero byte. */
function digest(own) {
  const hash = createHash("sha256");
  for (const path of [...own.sort().map((each) => `src/${each}`), "build.mjs", "package.json"]) {
    hash.update(`${path}\0`).update(readFileSync(path)).update("\0");
  }
  return hash.digest("hex");
}

function licences() {
  const { dependencies } = JSON.parse(readFileSync("package.json", "utf8"));
  const all = Object.keys(dependencies).sort().map((name) => {
    const folder = `node_modules/${name}`;
    const { version, license, homepage } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"));
    if (version !== dependencies[name]) throw new Error(`${name} ${version} is installed, not ${dependencies[name]}`);
    const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
    return `${name} ${version} (${license}, ${homepage})\n\n${readFileSync(`${folder}/${file}`, "utf8").trim()}\n`;
  });
  return `The bundles viewer.js and play.js hold code of these packages.\n\n${all.join(`\n${"-".repeat(78)}\n\n`)}`;
}
