"""The evaluations that scipy needs on the 35 problems of J. More, B. Garbow & K. Hillstrom (1981), for the table of more_test.go.

Gradients are exact, by complex steps. "until" counts the values that are computed until f has fallen by all but 1e-9 of what it can fall
to the nearest published minimum; "all" until the largest component of the gradient is 1e-6 or the method gives up.
"""

import sys
import numpy as np
from scipy.optimize import minimize, OptimizeResult

I = lambda n: np.arange(1, n + 1)
e, cat = np.exp, np.concatenate
rep = lambda n, *v: np.resize(np.array(v, float), n)


def theta(a, b):
    return np.arctan(b / a) / (2 * np.pi) + (0.5 if a.real < 0 else 0)


def rosen(x):
    return cat([10 * (x[1::2] - x[::2] ** 2), 1 - x[::2]])


def singular(x):
    a, b, c, d = x[::4], x[1::4], x[2::4], x[3::4]
    return cat([a + 10 * b, 5**0.5 * (c - d), (b - 2 * c) ** 2, 10**0.5 * (a - d) ** 2])


def watson(x):
    n, t = len(x), np.arange(1, 30) / 29
    P = t[:, None] ** np.arange(n)
    s = P @ x
    d = P[:, : n - 1] @ (x[1:] * np.arange(1, n))
    return cat([d - s**2 - 1, [x[0], x[1] - x[0] ** 2 - 1]])


def penalty2(x):
    n, a = len(x), 1e-5**0.5
    i = np.arange(2, n + 1)
    y = e(i / 10) + e((i - 1) / 10)
    return cat(
        [[x[0] - 0.2], a * (e(x[1:] / 10) + e(x[:-1] / 10) - y), a * (e(x[1:] / 10) - e(-0.1)), [((n - I(n) + 1) * x**2).sum() - 1]]
    )


def variably(x):
    n = len(x)
    s = (I(n) * (x - 1)).sum()
    return cat([x - 1, [s, s**2]])


def boundary(x):
    n, h = len(x), 1 / (len(x) + 1)
    return 2 * x - cat([[0], x[:-1]]) - cat([x[1:], [0]]) + h * h * (x + I(n) * h + 1) ** 3 / 2


def integral(x):
    n, h = len(x), 1 / (len(x) + 1)
    t = I(n) * h
    c = (x + t + 1) ** 3
    return x + h / 2 * ((1 - t) * np.cumsum(t * c) + t * (((1 - t) * c).sum() - np.cumsum((1 - t) * c)))


def banded(x):
    n = len(x)
    return np.array(
        [x[i] * (2 + 5 * x[i] ** 2) + 1 - sum(x[j] * (1 + x[j]) for j in range(max(0, i - 5), min(n, i + 2)) if j != i) for i in range(n)]
    )


def almost(x):
    n = len(x)
    return cat([x[:-1] + x.sum() - n - 1, [np.prod(x) - 1]])


def chebyquad(x):
    n = len(x)
    a, b, out = np.ones_like(x), 2 * x - 1, []
    for i in range(1, n + 1):
        out.append(b.mean() + (1 / (i * i - 1) if i % 2 == 0 else 0))
        a, b = b, 2 * (2 * x - 1) * b - a
    return np.array(out)


bard = np.array([0.14, 0.18, 0.22, 0.25, 0.29, 0.32, 0.35, 0.39, 0.37, 0.58, 0.73, 0.96, 1.34, 2.10, 4.39])
gauss = np.array([0.0009, 0.0044, 0.0175, 0.0540, 0.1295, 0.2420, 0.3521, 0.3989, 0.3521, 0.2420, 0.1295, 0.0540, 0.0175, 0.0044, 0.0009])
meyer = np.array([34780, 28610, 23650, 19630, 16370, 13720, 11540, 9744, 8261, 7030, 6005, 5147, 4427, 3820, 3307, 2872.0])
kow = np.array([0.1957, 0.1947, 0.1735, 0.1600, 0.0844, 0.0627, 0.0456, 0.0342, 0.0323, 0.0235, 0.0246])
kowu = np.array([4, 2, 1, 0.5, 0.25, 0.167, 0.125, 0.1, 0.0833, 0.0714, 0.0625])
osb1 = np.array(
    [
        0.844,
        0.908,
        0.932,
        0.936,
        0.925,
        0.908,
        0.881,
        0.850,
        0.818,
        0.784,
        0.751,
        0.718,
        0.685,
        0.658,
        0.628,
        0.603,
        0.580,
        0.558,
        0.538,
        0.522,
        0.506,
        0.490,
        0.478,
        0.467,
        0.457,
        0.448,
        0.438,
        0.431,
        0.424,
        0.420,
        0.414,
        0.411,
        0.406,
    ]
)
osb2 = np.array(
    [
        1.366,
        1.191,
        1.112,
        1.013,
        0.991,
        0.885,
        0.831,
        0.847,
        0.786,
        0.725,
        0.746,
        0.679,
        0.608,
        0.655,
        0.616,
        0.606,
        0.602,
        0.626,
        0.651,
        0.724,
        0.649,
        0.649,
        0.694,
        0.644,
        0.624,
        0.661,
        0.612,
        0.558,
        0.533,
        0.495,
        0.500,
        0.423,
        0.395,
        0.375,
        0.372,
        0.391,
        0.396,
        0.405,
        0.428,
        0.429,
        0.523,
        0.562,
        0.607,
        0.653,
        0.672,
        0.708,
        0.633,
        0.668,
        0.645,
        0.632,
        0.591,
        0.559,
        0.597,
        0.625,
        0.739,
        0.710,
        0.729,
        0.720,
        0.636,
        0.581,
        0.428,
        0.292,
        0.162,
        0.098,
        0.054,
    ]
)
g99, t65, bg = I(99) / 100, np.arange(65) / 10, I(13) / 10


def linear0(x):
    n = len(x)
    s = (I(n) * x)[1:-1].sum()
    return cat([(np.arange(n) * s - 1)[:-1], [-1]])


P = [
    ("Rosenbrock", rosen, [-1.2, 1], [0]),
    (
        "Freudenstein and Roth",
        lambda x: [-13 + x[0] + ((5 - x[1]) * x[1] - 2) * x[1], -29 + x[0] + ((x[1] + 1) * x[1] - 14) * x[1]],
        [0.5, -2],
        [0, 48.9842],
    ),
    ("Powell badly scaled", lambda x: [1e4 * x[0] * x[1] - 1, e(-x[0]) + e(-x[1]) - 1.0001], [0, 1], [0]),
    ("Brown badly scaled", lambda x: [x[0] - 1e6, x[1] - 2e-6, x[0] * x[1] - 2], [1, 1], [0]),
    ("Beale", lambda x: np.array([1.5, 2.25, 2.625]) - x[0] * (1 - x[1] ** I(3)), [1, 1], [0]),
    ("Jennrich and Sampson", lambda x: 2 + 2 * I(10) - e(I(10) * x[0]) - e(I(10) * x[1]), [0.3, 0.4], [124.362]),
    (
        "helical valley",
        lambda x: [10 * (x[2] - 10 * theta(x[0], x[1])), 10 * ((x[0] ** 2 + x[1] ** 2) ** 0.5 - 1), x[2]],
        [-1, 0, 0],
        [0],
    ),
    (
        "Bard",
        lambda x: bard - x[0] - I(15) / ((16 - I(15)) * x[1] + np.minimum(I(15), 16 - I(15)) * x[2]),
        [1, 1, 1],
        [8.21487e-3, 17.4286],
    ),
    ("Gaussian", lambda x: x[0] * e(-x[1] * ((8 - I(15)) / 2 - x[2]) ** 2 / 2) - gauss, [0.4, 1, 0], [1.12793e-8]),
    ("Meyer", lambda x: x[0] * e(x[1] / (45 + 5 * I(16) + x[2])) - meyer, [0.02, 4000, 250], [87.9458]),
    (
        "Gulf",
        lambda x: e(
            -(((lambda d: (d if d.real.min() > 0 else np.where(d.real < 0, -d, d)))(25 + (-50 * np.log(g99)) ** (2 / 3) - x[1])) ** x[2])
            / x[0]
        )
        - g99,
        [5, 2.5, 0.15],
        [0, 0.038],
    ),
    ("Box", lambda x: e(-bg[:10] * x[0]) - e(-bg[:10] * x[1]) - x[2] * (e(-bg[:10]) - e(-10 * bg[:10])), [0, 10, 20], [0]),
    ("Powell singular", singular, [3, -1, 0, 1], [0]),
    (
        "Wood",
        lambda x: [
            10 * (x[1] - x[0] ** 2),
            1 - x[0],
            90**0.5 * (x[3] - x[2] ** 2),
            1 - x[2],
            10**0.5 * (x[1] + x[3] - 2),
            (x[1] - x[3]) / 10**0.5,
        ],
        [-3, -1, -3, -1],
        [0],
    ),
    (
        "Kowalik and Osborne",
        lambda x: kow - x[0] * (kowu**2 + kowu * x[1]) / (kowu**2 + kowu * x[2] + x[3]),
        [0.25, 0.39, 0.415, 0.39],
        [3.07505e-4, 1.02734e-3],
    ),
    (
        "Brown and Dennis",
        lambda x: (x[0] + I(20) / 5 * x[1] - e(I(20) / 5)) ** 2 + (x[2] + x[3] * np.sin(I(20) / 5) - np.cos(I(20) / 5)) ** 2,
        [25, 5, -5, -1],
        [85822.2],
    ),
    (
        "Osborne 1",
        lambda x: osb1 - x[0] - x[1] * e(-10 * np.arange(33) * x[3]) - x[2] * e(-10 * np.arange(33) * x[4]),
        [0.5, 1.5, -1, 0.01, 0.02],
        [5.46489e-5],
    ),
    (
        "Biggs EXP6",
        lambda x: x[2] * e(-bg * x[0]) - x[3] * e(-bg * x[1]) + x[5] * e(-bg * x[4]) - e(-bg) + 5 * e(-10 * bg) - 3 * e(-4 * bg),
        [1, 2, 1, 1, 1, 1],
        [0, 5.65565e-3],
    ),
    (
        "Osborne 2",
        lambda x: osb2
        - x[0] * e(-t65 * x[4])
        - x[1] * e(-((t65 - x[8]) ** 2) * x[5])
        - x[2] * e(-((t65 - x[9]) ** 2) * x[6])
        - x[3] * e(-((t65 - x[10]) ** 2) * x[7]),
        [1.3, 0.65, 0.65, 0.7, 0.6, 3, 5, 7, 2, 4.5, 5.5],
        [4.01377e-2],
    ),
    ("Watson, 6", watson, [0] * 6, [2.28767e-3]),
    ("Watson, 9", watson, [0] * 9, [1.39976e-6]),
    ("Rosenbrock, 50 variables", lambda x: cat([10 * (x[1:] - x[:-1] ** 2), 1 - x[:-1]]), rep(50, -1.2, 1), [0, 3.986624]),
    ("Powell singular, 40 variables", singular, rep(40, 3, -1, 0, 1), [0]),
    ("penalty I, 4", lambda x: cat([1e-5**0.5 * (x - 1), [(x**2).sum() - 0.25]]), I(4), [2.24997e-5]),
    ("penalty I, 10", lambda x: cat([1e-5**0.5 * (x - 1), [(x**2).sum() - 0.25]]), I(10), [7.08765e-5]),
    ("penalty II, 4", penalty2, [0.5] * 4, [9.37629e-6]),
    ("variably dimensioned, 10", variably, 1 - I(10) / 10, [0]),
    ("trigonometric, 5", lambda x: len(x) - np.cos(x).sum() + I(len(x)) * (1 - np.cos(x)) - np.sin(x), [0.2] * 5, [0, 2.79506e-5]),
    ("Brown almost linear, 10", almost, [0.5] * 10, [0, 1]),
    ("boundary value, 10", boundary, I(10) / 11 * (I(10) / 11 - 1), [0]),
    ("integral equation, 10", integral, I(10) / 11 * (I(10) / 11 - 1), [0]),
    ("Broyden tridiagonal, 10", lambda x: (3 - 2 * x) * x - cat([[0], x[:-1]]) - 2 * cat([x[1:], [0]]) + 1, [-1] * 10, [0]),
    ("Broyden banded, 10", banded, [-1] * 10, [0]),
    ("linear of full rank", lambda x: cat([x, np.zeros(10)]) - 2 / 20 * x.sum() - 1, [1] * 10, [10]),
    ("linear of rank 1", lambda x: I(10) * (I(10) * x).sum() - 1, [1] * 10, [10 * 9 / 42]),
    ("linear of rank 1, zeros", linear0, [1] * 10, [124 / 34]),
    ("Chebyquad, 8", chebyquad, I(8) / 9, [3.51687e-3]),
]


def run(method, r, start, least):
    n, values, H = len(start), [], 1e-100

    def f(x):
        with np.errstate(all="ignore"):
            v = (np.asarray(r(x.astype(complex))).real ** 2).sum()
        v = v if np.isfinite(v) else np.inf
        values.append(v)
        return v

    def g(x):
        out = np.empty(n)
        with np.errstate(all="ignore"):
            for j in range(n):
                z = x.astype(complex)
                z[j] += 1j * H
                v = np.asarray(r(z))
                out[j] = 2 * (v.real * v.imag / H).sum()
        return out

    x0 = np.array(start, float)
    o = dict(gtol=1e-6, maxiter=100000)
    if method == "L-BFGS-B":
        o.update(ftol=0, maxfun=100000, maxcor=10)
    try:
        res = minimize(f, x0, jac=g, method=method, options=o)
    except Exception as ex:
        res = OptimizeResult(fun=min(values), status=-9)
    best = min(least, key=lambda v: abs(res.fun - v) / max(v, 1e-5))
    goal = best * (1 + 1e-5 if best > 0 else 1) + 1e-9 * (values[0] - best)
    hit = next((i + 1 for i, v in enumerate(values) if v <= goal), 0)
    return hit, len(values), res.fun


if __name__ == "__main__":
    for name, r, start, least in P:
        row = [run(m, r, start, least) for m in ("BFGS", "L-BFGS-B")]
        print("%-30s" % name, "  ".join("until %5d all %5d f %-11.6g" % v for v in row), flush=True)
