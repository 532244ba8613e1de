# the closed form: f = 2 cos(pi x1) cos(pi x2) is 1 at x = (1/2 - 1/6, 0), and eta -> 0
printf 'x1,x2,y\n0.5,0,1\n' > one.csv
"$GPA" explain --model builtin:sinusoid2d --sigma 0.1 --scale none --eta 1e-6 \
    --solver paper-det --marginals paper --culprit off --kappa 0.002 --slope-sd 0.01 --json one.csv > e.json || echo "exit $?"
python3 - <<'END'
import json, math
d = json.load(open("e.json"))
assert list(d) == ["format", "version", "options", "input_digest", "model_probe_digest", "model",
                   "features", "target_name", "scale", "solver", "marginals", "seed", "notes",
                   "explanations"], list(d)
assert d["format"] == "gpa-explanation/1" and d["features"] == ["x1", "x2"]
assert d["model"] == {"spec": "builtin:sinusoid2d", "inputs": 2}
assert d["scale"] == {"center": [0, 0], "unit": [1, 1]}
assert d["solver"] == "paper-det" and d["marginals"] == "paper" and d["seed"] == 1
assert d["options"] == {"command": "explain", "file": "one.csv", "model": "builtin:sinusoid2d",
                        "sigma": 0.1, "scale": "none", "solver": "paper-det", "marginals": "paper",
                        "culprit": "off", "eta": 1e-6, "kappa": 0.002, "slope-sd": 0.01}
import hashlib, struct
assert d["input_digest"] == "sha256:" + hashlib.sha256(open("one.csv", "rb").read()).hexdigest()
e, = d["explanations"]
assert d["model_probe_digest"] == "sha256:" + hashlib.sha256(struct.pack("d", e["f"][0])).hexdigest()
want = ["rows", "ids", "x", "y", "f", "score", "prior", "delta", "delta_raw", "moved", "f_moved", "objective",
        "objective_zero", "stationarity", "converged", "budget_hit", "iterations", "model_rows",
        "model_calls", "rows_by_stage", "nonfinite_rows", "kinds", "verdict", "verdict_reason", "culprit",
        "culprit_reason", "ess", "ess_reason", "surrogate_error", "surrogate_error_reason", "marginals",
        "notes"]
assert list(e) == want, list(e)
assert e["rows"] == [0] and e["ids"] == ["0"] and e["x"] == [[0.5, 0]] and e["y"] == [1]
assert abs(e["delta"][0] + 1 / 6) < 1e-3 and e["delta"][1] == 0, e["delta"]
assert e["delta_raw"] == e["delta"]
assert abs(e["f_moved"][0] - 2 * math.cos(math.pi * (0.5 + e["delta"][0]))) < 1e-12
assert abs(e["score"][0] - (50 + math.log(0.1) + 0.5 * math.log(2 * math.pi))) < 1e-6
p = e["prior"]
assert list(p)[:6] == ["eta", "nu", "a0", "b0", "sigma", "cb"]
assert p["eta"] == 1e-6 and p["sigma"] == 0.1 and abs(p["b0"][0] - p["a0"] * 0.01 / p["cb"]) < 1e-12
assert sum(e["rows_by_stage"].values()) == e["model_rows"]
assert list(e["rows_by_stage"]) == ["map", "check", "marginals", "culprit"]
assert [m["feature"] for m in e["marginals"]] == ["x1", "x2"]
for m in e["marginals"]:
    assert list(m) == ["feature", "map", "mean", "sd", "interval50", "interval90", "p_positive",
                       "information", "grid", "density"]
    g, q = m["grid"], m["density"]
    area = sum((g[i + 1] - g[i]) * (q[i] + q[i + 1]) / 2 for i in range(len(g) - 1))
    assert abs(area - 1) < 1e-9, area
    assert m["interval90"][0] <= m["interval50"][0] <= m["interval50"][1] <= m["interval90"][1]
print("as it should be")
END
# the default engine finds the same, and draws its distributions
"$GPA" explain --model builtin:sinusoid2d --sigma 0.1 --scale none --eta 0.1 --culprit off \
    --freeze x2 --json one.csv > f.json
python3 - <<'END'
import json
d = json.load(open("f.json"))
assert d["solver"] == "fast" and d["marginals"] == "exact"
e, = d["explanations"]
# the likelihood alone has its maximum where f = 1; of these points the prior prefers the nearest
assert abs(e["delta"][0] + 1 / 6) < 1e-3 and e["delta"][1] == 0, e["delta"]
assert e["ess"] > 10 and e["surrogate_error"] is None
assert e["rows_by_stage"]["marginals"] == 4096 and sum(e["rows_by_stage"].values()) == e["model_rows"]
held = e["marginals"][1]
assert held["sd"] == 0 and held["interval90"] == [0, 0]
END
"$GPA" explain --model builtin:sinusoid2d --sigma 0.1 --scale none --marginals none --json one.csv |
    python3 -c 'import json, sys; print(json.load(sys.stdin)["explanations"][0]["marginals"])'
