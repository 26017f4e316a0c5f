// Has Speedscope's own importer read files, and its schema check those in its own format. Says of
// each file what they say: one line "JUDGE<TAB>FILE<TAB>ok SUMS" or "JUDGE<TAB>FILE<TAB>refused: why".
// usage: node speedscope.mjs FOLDER-WITH-NODE_MODULES FILE...
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import vm from 'node:vm';

const [home, ...files] = process.argv.slice(2);
const require = createRequire(path.join(home, 'package.json'));
const release = path.join(path.dirname(require.resolve('speedscope/package.json')), 'dist/release');

// The package holds a page. Its script runs here without a browser, as far as it goes: what draws
// fails, and what imports is there.
function importer() {
  const name = fs.readdirSync(release).find((file) => /^speedscope-.*\.js$/.test(file));
  const script = fs.readFileSync(path.join(release, name), 'utf8');
  const call = /loadFileFromBase64:\((\w+),(\w+)\)=>\{this\.loadProfile\(\(\)=>(\w+)\(\1,\2\)\)/.exec(script);
  if (call === null) {
    throw new Error('this version of Speedscope imports in another way');
  }
  const anything = new Proxy(function () {}, {
    get: (target, key) => (key === Symbol.toPrimitive ? () => '' : key === 'then' ? undefined : anything),
    apply: () => anything,
    construct: () => anything,
    set: () => true,
  });
  const context = vm.createContext({
    TextDecoder, TextEncoder, URL, URLSearchParams, Uint8Array, atob, performance, setTimeout,
    console: { ...console, log() {}, warn() {} },
    document: anything,
    localStorage: anything,
    navigator: anything,
    location: { hash: '', href: 'file:///', protocol: 'file:', search: '' },
    addEventListener() {},
    matchMedia: () => anything,
    requestAnimationFrame() {},
    FileReader: class {},
  });
  vm.runInContext('globalThis.window = globalThis; globalThis.self = globalThis', context);
  try {
    vm.runInContext(script.replace('(()=>{', `(()=>{globalThis.take=(n,c)=>${call[3]}(n,c);`), context);
  } catch (drawing) {
    if (typeof context.take !== 'function') {
      throw drawing;
    }
  }
  return context.take;
}

const take = importer();
const Ajv = require('ajv').default;
const schema = JSON.parse(fs.readFileSync(path.join(release, 'file-format-schema.json'), 'utf8'));
const validate = new Ajv({ strict: false }).compile(schema);

// What the file says that its profiles weigh, by name and unit.
function written(text) {
  const sums = {};
  for (const profile of JSON.parse(text).profiles) {
    const key = `${profile.name}/${profile.unit}`;
    sums[key] = (sums[key] ?? 0) + profile.weights.reduce((sum, weight) => sum + weight, 0);
  }
  return sums;
}

function text(sums) {
  return '[' + Object.keys(sums).sort().map((key) => `${key.replaceAll(' ', '')}:${sums[key]}`).join(' ') + ']';
}

async function imported(file) {
  const content = fs.readFileSync(file);
  const group = await take(path.basename(file), content.toString('base64'));
  if (!group || group.profiles.length === 0) {
    throw new Error('not recognized');
  }
  const sums = {};
  for (const profile of group.profiles) {
    const own = file.endsWith('.speedscope.json');
    const key = (own ? profile.getName() : 'total') + '/' + profile.getWeightUnit();
    sums[key] = (sums[key] ?? 0) + profile.getTotalWeight();
  }
  if (file.endsWith('.speedscope.json')) {
    const expected = written(content.toString('utf8'));
    if (text(expected) !== text(sums)) {
      throw new Error(`it has read ${text(sums)} of ${text(expected)}`);
    }
  }
  return sums;
}

async function judge(name, file, sums) {
  let verdict;
  try {
    verdict = 'ok ' + text(await sums());
  } catch (error) {
    verdict = 'refused: ' + String(error.message ?? error).replaceAll('\n', '; ');
  }
  process.stdout.write(`${name}\t${file}\t${verdict}\n`);
}

for (const file of files) {
  await judge('speedscope', file, () => imported(file));
  if (file.endsWith('.speedscope.json')) {
    await judge('speedscope-schema', file, () => {
      if (!validate(JSON.parse(fs.readFileSync(file, 'utf8')))) {
        throw new Error(JSON.stringify(validate.errors[0]));
      }
      return {};
    });
  }
}
