# --png: real pictures where rsvg-convert is, one clear line where it is not.
m="--model $DATA/mixer.json --id batch --sigma 1 --rows 10"
mkdir empty bin
PATH=empty "$GPA" explain $m --png pictures "$DATA/mixer.csv"; echo $?
ls -d pictures 2> /dev/null
# one that stands in for it: says how it was asked, draws a dot
cat > bin/rsvg-convert <<'END'
#!/usr/bin/env python3
import struct, sys, zlib
if sys.argv[1:] == ["--version"]:
    sys.exit(0)
assert sys.argv[1:] == ["-f", "png", "-z", "2"], sys.argv
assert sys.stdin.buffer.read().startswith(b"<svg ")
def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
sys.stdout.buffer.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0))
                        + chunk(b"IDAT", zlib.compress(b"\0\0")) + chunk(b"IEND", b""))
END
chmod +x bin/rsvg-convert
PATH="$PWD/bin:$PATH" "$GPA" explain $m --svg drawn --png pictures --csv --out r.csv "$DATA/mixer.csv"; echo $?
(cd drawn && ls | sed 's/svg$/png/') > expected; (cd pictures && ls) | cmp - expected && wc -l < expected
printf '#!/bin/sh\n[ "$1" = --version ] || exit 3\n' > bin/rsvg-convert
PATH="$PWD/bin:$PATH" "$GPA" explain $m --png broken --csv --out r2.csv "$DATA/mixer.csv"; echo $?
# the real one
if command -v rsvg-convert > /dev/null; then
    "$GPA" explain $m --png real --csv --out r3.csv "$DATA/mixer.csv"
else
    cp -r pictures real
fi
python3 - <<'END'
import glob, struct
for name in glob.glob("real/*.png"):
    data = open(name, "rb").read()
    assert data[:8] == b"\x89PNG\r\n\x1a\n" and data[12:16] == b"IHDR", name
    wide, high = struct.unpack(">II", data[16:24])
    assert (wide > 400 and high > 100) or wide == 1, (name, wide, high)
END
