"""Computes tails.csv: P(X >= k), P(X <= k) and P(X = k) for X ~ Binomial(n, p) to 25 digits, p being the float64 as it is.

    pip install mpmath==1.4.1
    python3 tails.py > tails.csv

P(X = k) comes from the gamma function, P(X >= k) / P(X = k) from the integral of the incomplete beta function, by quadrature with 60 digits.
"""

import random
from mpmath import mp, mpf, quad, exp, log, log1p, loggamma, sqrt, nstr

mp.dps = 60


def ratio(k, n, p):
    """P(X >= k) / P(X = k) for 1 <= k <= n: k times the integral over s > 0 of exp(-k s + (n-k) log((1 - p e^-s) / (1 - p)))."""
    q = 1 - p
    h = lambda s: -k * s + (n - k) * log1p(-p / q * mp.expm1(-s))
    scale = 1 / (sqrt(n * p * q) + 1)
    top = max(mpf(k) * q - (n - k) * p, 0)
    while h(scale) < -1:
        scale /= 2
    pieces = [scale * x for x in (0, 0.25, 0.5, 1, 1.5, 2, 3, 4, 5, 6, 8, 10, 13, 16, 20, 30, 50, 100, 1000, 100000)]
    return k * quad(lambda s: exp(h(s)), pieces)


def row(k, n, p):
    x = mpf(p)
    q = 1 - x
    pmf = exp(loggamma(n + 1) - loggamma(k + 1) - loggamma(n - k + 1) + k * log(x) + (n - k) * log(q))
    if k > n * x:
        upper = pmf * (ratio(k, n, x) if k > 0 else 1)
        lower = 1 - upper + pmf
    else:
        lower = pmf * (ratio(n - k, n, q) if k < n else 1)
        upper = 1 - lower + pmf
    print(f"{k},{n},{p!r},{nstr(upper, 25)},{nstr(lower, 25)},{nstr(pmf, 25)}")


print("k,n,p,upper,lower,pmf")
for k, n, p in [(1164, 5820, 0.2), (30000, 100000, 0.3), (200000000, 400000000, 0.5), (999, 1000, 1 - 1e-12), (2**49, 2**50, 0.5), (2**47, 2**50, 0.125)]:
    row(k, n, p)
for e in range(3, 16):
    row(10**e // 2, 10**e, 0.5)
random.seed(1)
while True:
    n = int(2 ** random.uniform(1, 50))
    p = random.choice([random.random(), 1 - 2 ** -random.uniform(0, 30), 2 ** -random.uniform(0, 40)])
    sd = (n * p * (1 - p)) ** 0.5
    k = round(n * p + random.uniform(-3, 3) * sd)
    if 0 <= k <= n and 0 < p < 1:
        row(k, n, p)
        random_rows = globals().get("random_rows", 0) + 1
        if random_rows == 120:
            break
