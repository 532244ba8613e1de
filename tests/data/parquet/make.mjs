// Makes the fixtures of this folder with other people's writers; their versions are those of
//   npm install apache-arrow@21 parquet-wasm@0.8 hyparquet-writer@0.16
// flat.json and few.json are what every reader must find in flat-*.parquet and few-*.parquet.
import * as arrow from 'apache-arrow'
import fs from 'fs'
import { parquetWriteBuffer } from 'hyparquet-writer'
import * as pq from 'parquet-wasm'

const n = 97
const rows = [...Array(n).keys()]
const noise = (i) => Math.sin(i * 12.9898) * 43758.5453 % 1
const day = 86400000
const data = {
  real: rows.map((i) => noise(i) * 100),
  single: rows.map((i) => Math.fround(noise(i + 7))),
  whole: rows.map((i) => i * 7919 % 211 - 100),
  large: rows.map((i) => BigInt(i) * 123456789n - 3000000000n),
  unsigned: rows.map((i) => i * 2654435761 % 4294967296),
  truth: rows.map((i) => i % 3 === 0),
  text: rows.map((i) => 'level' + i % 7 + (i % 5 === 0 ? 'é' : '')),
  date: rows.map((i) => new Date(Date.UTC(2000, 0, 1) + i * 37 * day)),
  stamp: rows.map((i) => Date.UTC(2001, 2, 3) + i * 12345678),
  gaps: rows.map((i) => i % 7 === 0 ? null : noise(i) * 3),
  words: rows.map((i) => i % 11 === 0 ? null : 's' + i * i)
}
const types = {
  real: new arrow.Float64(), single: new arrow.Float32(), whole: new arrow.Int32(),
  large: new arrow.Int64(), unsigned: new arrow.Uint32(), truth: new arrow.Bool(),
  text: new arrow.Utf8(), date: new arrow.DateDay(), stamp: new arrow.TimestampMillisecond(),
  gaps: new arrow.Float64(), words: new arrow.Utf8()
}
const stamp = (t) => new Date(t).toISOString().replace('Z', '')
  .replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '')
const found = {
  ...data, large: data.large.map(Number), truth: data.truth.map(Number),
  date: data.date.map((d) => stamp(d.getTime()).replace('T00:00:00', '')), stamp: data.stamp.map(stamp),
  words: data.words.map((w) => w ?? '')
}
fs.writeFileSync('flat.json', JSON.stringify(found) + '\n')
const few = Object.fromEntries(['real', 'whole', 'truth', 'text', 'gaps'].map((k) => [k, found[k]]))
fs.writeFileSync('few.json', JSON.stringify(few) + '\n')

const table = new arrow.Table(Object.fromEntries(Object.keys(data).map(
  (k) => [k, arrow.vectorFromArray(data[k], types[k])])))
const stream = arrow.tableToIPC(table, 'stream')
const save = (name, properties) => fs.writeFileSync(
  name, pq.writeParquet(pq.Table.fromIPCStream(stream), properties.build()))
const begin = (codec, version) => new pq.WriterPropertiesBuilder()
  .setCompression(pq.Compression[codec]).setWriterVersion(pq.WriterVersion[version])
  .setMaxRowGroupSize(60)
for (const [codec, version] of [['SNAPPY', 'V1'], ['ZSTD', 'V2'], ['GZIP', 'V1']]) {
  save(`flat-${codec.toLowerCase()}-${version.toLowerCase()}.parquet`, begin(codec, version))
}
const encodings = {
  real: 'BYTE_STREAM_SPLIT', single: 'BYTE_STREAM_SPLIT', whole: 'DELTA_BINARY_PACKED',
  large: 'DELTA_BINARY_PACKED', text: 'DELTA_BYTE_ARRAY', truth: 'RLE', date: 'DELTA_BINARY_PACKED',
  words: 'DELTA_LENGTH_BYTE_ARRAY', gaps: 'BYTE_STREAM_SPLIT'
}
let encoded = begin('UNCOMPRESSED', 'V2').setDictionaryEnabled(false)
for (const k in encodings) encoded = encoded.setColumnEncoding(k, pq.Encoding[encodings[k]])
save('flat-encodings.parquet', encoded)

const columnData = [
  { name: 'real', data: data.real, type: 'DOUBLE' }, { name: 'whole', data: data.whole, type: 'INT32' },
  { name: 'truth', data: data.truth, type: 'BOOLEAN' }, { name: 'text', data: data.text, type: 'STRING' },
  { name: 'gaps', data: data.gaps, type: 'DOUBLE', nullable: true }]
for (const codec of ['UNCOMPRESSED', 'SNAPPY']) {
  fs.writeFileSync(`few-${codec.toLowerCase()}.parquet`,
    Buffer.from(parquetWriteBuffer({ columnData, codec, rowGroupSize: 40 })))
}
