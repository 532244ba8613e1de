"""Writes Parquet files for the tests, from the published description of the format and nothing
else: Thrift's compact protocol, every encoding that gpa reads, pages of either version.

    write(path, [column(...), ...], codec="zstd", version=2, group=1000, page=100)
"""
import ctypes
import dataclasses
import itertools
import struct
import zlib
from typing import Any, List, Optional

BOOLEAN, INT32, INT64, INT96, FLOAT, DOUBLE, BYTES, FIXED = range(8)
PLAIN, PLAIN_DICTIONARY, RLE, BIT_PACKED = 0, 2, 3, 4
DELTA, DELTA_LENGTH, DELTA_BYTES, DICTIONARY, SPLIT = 5, 6, 7, 8, 9
CODECS = {"none": 0, "snappy": 1, "gzip": 2, "lz4": 5, "zstd": 6}


# Thrift -------------------------------------------------------------------------------------

def varint(n: int) -> bytes:
    out = bytearray()
    while n > 127:
        out.append(n & 127 | 128)
        n >>= 7
    out.append(n)
    return bytes(out)


def zigzag(n: int) -> bytes:
    return varint(n * 2 if n >= 0 else -n * 2 - 1)


class I8(int):
    pass


class I32(int):
    pass


class I64(int):
    pass


class Struct(dict):
    """Fields by their numbers."""


def kind(value: Any) -> int:
    if isinstance(value, bool):
        return 1 if value else 2
    for number, types in ((3, I8), (5, I32), (6, I64), (8, (bytes, str)), (9, list), (12, Struct)):
        if isinstance(value, types):
            return number
    raise TypeError(value)


def thrift(value: Any) -> bytes:
    if isinstance(value, bool):
        return b""
    if isinstance(value, I8):
        return struct.pack("b", value)
    if isinstance(value, int):
        return zigzag(value)
    if isinstance(value, str):
        value = value.encode()
    if isinstance(value, bytes):
        return varint(len(value)) + value
    if isinstance(value, list):
        items = kind(value[0]) if value else 12
        head = bytes([len(value) << 4 | items]) if len(value) < 15 else (
            bytes([0xF0 | items]) + varint(len(value)))
        return head + b"".join(thrift(v) for v in value)
    out, last = bytearray(), 0
    for number, item in sorted(value.items()):
        if item is None:
            continue
        step = number - last
        out += bytes([step << 4 | kind(item)]) if step < 16 else (
            bytes([kind(item)]) + zigzag(number))
        out += thrift(item)
        last = number
    return bytes(out) + b"\0"


# Compression --------------------------------------------------------------------------------

def snappy(data: bytes) -> bytes:
    """Literals, and copies where the last four bytes come again."""
    out, at = bytearray(varint(len(data))), 0
    while at < len(data):
        same = 0
        while at >= 4 and same < 64 and at + same < len(data) and (
                data[at + same] == data[at - 4 + same % 4]):
            same += 1
        if same >= 4:
            out += bytes([(same - 1) << 2 | 2]) + struct.pack("<H", 4)
            at += same
            continue
        n = min(60, len(data) - at) if at >= 4 else min(4, len(data))
        out += bytes([(n - 1) << 2]) + data[at:at + n]
        at += n
    return bytes(out)


def zstd(data: bytes) -> bytes:
    library = ctypes.CDLL("libzstd.so.1")
    library.ZSTD_compressBound.restype = library.ZSTD_compress.restype = ctypes.c_size_t
    room = library.ZSTD_compressBound(ctypes.c_size_t(len(data)))
    out = ctypes.create_string_buffer(room)
    n = library.ZSTD_compress(out, ctypes.c_size_t(room), data, ctypes.c_size_t(len(data)), 3)
    return out.raw[:n]


def gzip(data: bytes) -> bytes:
    packer = zlib.compressobj(wbits=31)
    return packer.compress(data) + packer.flush()


PACK = {"none": bytes, "lz4": bytes, "snappy": snappy, "gzip": gzip, "zstd": zstd}


# Encodings ----------------------------------------------------------------------------------

def bits(values: List[int], width: int) -> bytes:
    """The lowest bit first; filled up to whole bytes."""
    whole = sum(v << (i * width) for i, v in enumerate(values))
    return whole.to_bytes((len(values) * width + 7) // 8, "little")


def runs(values: List[int], width: int) -> bytes:
    """Runs of eight or more equal values as such, others in groups of eight."""
    out, waiting = bytearray(), []

    def flush() -> None:
        if waiting:
            groups = (len(waiting) + 7) // 8
            waiting.extend([0] * (groups * 8 - len(waiting)))
            out.extend(varint(groups << 1 | 1) + bits(waiting, width))
            waiting.clear()

    same = [(v, len(list(g))) for v, g in itertools.groupby(values)]
    for k, (value, n) in enumerate(same):
        while waiting and len(waiting) % 8 and n:  # a group must be full before a run
            waiting.append(value)
            n -= 1
        if n >= 8:
            flush()
            out.extend(varint(n << 1) + value.to_bytes((width + 7) // 8, "little"))
        else:
            waiting.extend([value] * n)
    flush()
    return bytes(out)


def wrap(n: int, size: int) -> int:
    n &= (1 << size) - 1
    return n - (1 << size) if n >> (size - 1) else n


def delta(values: List[int], size: int = 64, block: int = 128, minis: int = 4) -> bytes:
    out = bytearray(varint(block) + varint(minis) + varint(len(values)))
    out += zigzag(values[0] if values else 0)
    steps = [wrap(b - a, size) for a, b in zip(values, values[1:])]
    per = block // minis
    for at in range(0, len(steps), block):
        some = steps[at:at + block]
        least = min(some)
        parts = [[(v - least) & ((1 << size) - 1) for v in some[k:k + per]]
                 for k in range(0, block, per)]
        widths = [max((v.bit_length() for v in part), default=0) for part in parts]
        out += zigzag(least) + bytes(widths)
        for part, width in zip(parts, widths):
            if part:
                out += bits(part + [0] * (per - len(part)), width)
    return bytes(out)


def plain(c: "Column", values: List[Any]) -> bytes:
    if c.type == BOOLEAN:
        return bits([int(v) for v in values], 1)
    if c.type == BYTES:
        return b"".join(struct.pack("<I", len(v)) + v for v in map(as_bytes, values))
    if c.type in (FIXED, INT96):
        return b"".join(map(as_bytes, values))
    letter = {INT32: "i", INT64: "q", FLOAT: "f", DOUBLE: "d"}[c.type]
    size = 32 if c.type == INT32 else 64
    if c.type in (INT32, INT64):
        values = [wrap(v, size) for v in values]
    return struct.pack("<%d%s" % (len(values), letter), *values)


def as_bytes(value: Any) -> bytes:
    return value.encode() if isinstance(value, str) else bytes(value)


def common(a: bytes, b: bytes) -> int:
    n = 0
    while n < min(len(a), len(b)) and a[n] == b[n]:
        n += 1
    return n


def encode(c: "Column", values: List[Any], encoding: int, words: List[Any]) -> bytes:
    if encoding == PLAIN:
        return plain(c, values)
    if encoding in (DICTIONARY, PLAIN_DICTIONARY):
        place = {w: i for i, w in enumerate(words)}
        width = max(1, (len(words) - 1).bit_length())
        return bytes([width]) + runs([place[v] for v in values], width)
    if encoding == RLE:
        found = runs([int(v) for v in values], 1)
        return struct.pack("<I", len(found)) + found
    if encoding == DELTA:
        return delta([wrap(v, 32 if c.type == INT32 else 64) for v in values],
                     32 if c.type == INT32 else 64)
    if encoding == DELTA_LENGTH:
        found = [as_bytes(v) for v in values]
        return delta([len(v) for v in found]) + b"".join(found)
    if encoding == DELTA_BYTES:
        found = [as_bytes(v) for v in values]
        same = [common(a, b) for a, b in zip([b""] + found, found)]
        return delta(same) + delta([len(v) - n for v, n in zip(found, same)]) + b"".join(
            v[n:] for v, n in zip(found, same))
    if encoding == SPLIT:
        whole = plain(c, values)
        width = len(whole) // max(1, len(values))
        return b"".join(whole[k::width] for k in range(width)) if whole else b""
    raise ValueError(encoding)


# Files --------------------------------------------------------------------------------------

@dataclasses.dataclass
class Column:
    name: str
    type: int
    values: List[Any]  # None: null; text, bytes, whole or real numbers
    encoding: int = PLAIN
    optional: Optional[bool] = None  # None: where there are nulls
    length: Optional[int] = None
    converted: Optional[int] = None
    scale: Optional[int] = None
    logical: Optional[Struct] = None

    def __post_init__(self) -> None:
        if self.optional is None:
            self.optional = any(v is None for v in self.values)


column = Column


def page_header(number: int, plain_size: int, body: bytes, part: Struct, crc: bool) -> bytes:
    where = {0: 5, 2: 7, 3: 8}[number]
    check = wrap(zlib.crc32(body), 32) if crc else None
    return thrift(Struct({1: I32(number), 2: I32(plain_size), 3: I32(len(body)),
                          4: None if check is None else I32(check), where: part}))


def data_page(c: Column, values: List[Any], words: List[Any], codec: str, version: int,
              crc: bool, old_levels: bool) -> bytes:
    there = [v for v in values if v is not None]
    levels = runs([int(v is not None) for v in values], 1) if c.optional else b""
    data = encode(c, there, c.encoding, words)
    pack = PACK[codec]
    if version == 2:
        body = levels + (pack(data) if data else b"")
        part = Struct({1: I32(len(values)), 2: I32(len(values) - len(there)),
                       3: I32(len(values)), 4: I32(c.encoding), 5: I32(len(levels)),
                       6: I32(0), 7: codec != "none"})
        return page_header(3, len(levels) + len(data), body, part, crc) + body
    if c.optional and old_levels:  # the highest bit first, no length
        turned = [int(v is not None) for v in values]
        turned += [0] * (-len(turned) % 8)
        data = b"".join(bits(turned[k:k + 8][::-1], 1) for k in range(0, len(turned), 8)) + data
    elif c.optional:
        data = struct.pack("<I", len(levels)) + levels + data
    body = pack(data)
    part = Struct({1: I32(len(values)), 2: I32(c.encoding),
                   3: I32(BIT_PACKED if old_levels else RLE), 4: I32(RLE)})
    return page_header(0, len(data), body, part, crc) + body


def chunk(c: Column, values: List[Any], start: int, codec: str, version: int, page: int,
          crc: bool, old_levels: bool) -> Any:
    out, dictionary, words = bytearray(), None, []  # type: ignore[var-annotated]
    if c.encoding in (DICTIONARY, PLAIN_DICTIONARY):
        words = list(dict.fromkeys(v for v in values if v is not None))
        data = plain(c, words)
        body = PACK[codec](data)
        kept = PLAIN if c.encoding == DICTIONARY else PLAIN_DICTIONARY
        dictionary = start
        out += page_header(2, len(data), body, Struct({1: I32(len(words)), 2: I32(kept)}), crc)
        out += body
    first = start + len(out)
    for at in range(0, len(values), page):
        out += data_page(c, values[at:at + page], words, codec, version, crc, old_levels)
    meta = Struct({1: I32(c.type), 2: [I32(c.encoding), I32(RLE)], 3: [c.name],
                   4: I32(CODECS[codec]), 5: I64(len(values)), 6: I64(len(out)),
                   7: I64(len(out)), 9: I64(first),
                   11: None if dictionary is None else I64(dictionary)})
    return bytes(out), Struct({2: I64(start), 3: meta})


def write(path: Any, columns: List[Column], codec: str = "none", version: int = 1,
          group: int = 1 << 30, page: int = 1 << 30, crc: bool = False,
          old_levels: bool = False) -> None:
    n = len(columns[0].values)
    out, groups = bytearray(b"PAR1"), []
    for at in range(0, n, group):
        chunks = []
        for c in columns:
            bytes_, meta = chunk(c, c.values[at:at + group], len(out), codec, version, page, crc,
                                 old_levels)
            out += bytes_
            chunks.append(meta)
        rows = min(group, n - at)
        groups.append(Struct({1: chunks, 2: I64(len(out)), 3: I64(rows)}))
    schema = [Struct({4: "schema", 5: I32(len(columns))})]
    for c in columns:
        schema.append(Struct({
            1: I32(c.type), 2: None if c.length is None else I32(c.length),
            3: I32(1 if c.optional else 0), 4: c.name,
            6: None if c.converted is None else I32(c.converted),
            7: None if c.scale is None else I32(c.scale), 10: c.logical}))
    footer = thrift(Struct({1: I32(1), 2: schema, 3: I64(n), 4: groups, 6: "the tests"}))
    with open(path, "wb") as to:
        to.write(out + footer + struct.pack("<I", len(footer)) + b"PAR1")


# What the tests that use it count ------------------------------------------------------------

checks = 0


def check(condition: Any, what: Any) -> None:
    global checks
    checks += 1
    if not condition:
        raise SystemExit(f"FAILED: {what}")
