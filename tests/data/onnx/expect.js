#!/usr/bin/env node
// Adds to each NAME.csv in a folder what ONNX Runtime computes for its rows with
// NAME.onnx: a column "=OUTPUT" per output of the model.
//
//     npm install --ignore-scripts onnxruntime-node     (anywhere)
//     NODE_PATH=THERE/node_modules node expect.js [FOLDER]
'use strict';
const fs = require('fs');
const path = require('path');
const ort = require('onnxruntime-node');

function number(text) {
  const special = {nan: NaN, inf: Infinity, '-inf': -Infinity};
  return text in special ? special[text] : Number(text);
}

// The shortest text that gives the same number; of a float, as a float.
function text(value, isFloat) {
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
  if (Object.is(value, -0)) return '-0';
  for (let digits = 1; isFloat && digits <= 9; digits++) {
    const short = value.toPrecision(digits);
    if (Math.fround(Number(short)) === value) return String(Number(short));
  }
  return String(value);
}

// The inputs of the model from the columns of the table, in their order.
function feed(session, rows) {
  const feeds = {};
  let first = 0;
  for (const input of session.inputMetadata) {
    const width = input.shape.length > 1 ? input.shape[1] : 1;
    const List = input.type === 'float64' ? Float64Array : Float32Array;
    const data = new List(rows.length * width);
    rows.forEach((row, i) => {
      for (let k = 0; k < width; k++) data[i * width + k] = row[first + k];
    });
    const shape = input.shape.length > 1 ? [rows.length, width] : [rows.length];
    feeds[input.name] = new ort.Tensor(input.type, data, shape);
    first += width;
  }
  return feeds;
}

async function predict(session, rows) {
  const made = session.inputMetadata[0].shape[0]; // for so many rows, or for any number
  const size = typeof made === 'number' && made > 0 ? made : rows.length;
  const blocks = [];
  for (let i = 0; i < rows.length; i += size) blocks.push(rows.slice(i, i + size));
  const answers = rows.map(() => []);
  let i = 0;
  for (const block of blocks) {
    const out = await session.run(feed(session, block));
    for (let r = 0; r < block.length; r++, i++)
      for (const name of session.outputNames) {
        if (out[name].data.length !== block.length)
          throw new Error(`${name}: ${out[name].data.length} numbers`);
        answers[i].push(text(out[name].data[r], out[name].type === 'float32'));
      }
  }
  return answers;
}

async function main(folder) {
  for (const file of fs.readdirSync(folder).filter((f) => f.endsWith('.onnx')).sort()) {
    const table = path.join(folder, file.replace(/\.onnx$/, '.csv'));
    if (!fs.existsSync(table)) continue;
    const lines = fs.readFileSync(table, 'utf8').trim().split('\n')
        .map((line) => line.split(','));
    const inputs = lines[0].filter((name) => !name.startsWith('=')).length;
    const rows = lines.slice(1).map((line) => line.slice(0, inputs).map(number));
    const session = await ort.InferenceSession.create(path.join(folder, file));
    const answers = await predict(session, rows);
    const head = [...lines[0].slice(0, inputs), ...session.outputNames.map((n) => '=' + n)];
    const body = lines.slice(1).map((line, i) => [...line.slice(0, inputs), ...answers[i]]);
    fs.writeFileSync(table, [head, ...body].map((l) => l.join(',')).join('\n') + '\n');
  }
}

main(process.argv[2] || __dirname).catch((error) => {
  console.error(String(error));
  process.exit(1);
});
