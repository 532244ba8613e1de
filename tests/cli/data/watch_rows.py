"""What is normal, for `gpa watch`: ref.csv of y = 2 a - 3 b and noise, and m.json, its model."""
import random

r = random.Random(3)
with open("ref.csv", "w", encoding="ascii") as f:
    print("a,b,y", file=f)
    for i in range(100):
        a, b = r.gauss(0, 1), r.gauss(0, 1)
        print(f"{a:.4f},{b:.4f},{2 * a - 3 * b + r.gauss(0, .3):.4f}", file=f)
with open("m.json", "w", encoding="ascii") as f:
    print('{"type":"linear","w":[2,-3],"b":0,"variables":["a","b"]}', file=f)
