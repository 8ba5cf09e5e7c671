#!/usr/bin/env python3
"""Recomputes the figures of references.json that other programs vouch for, without any code of the library.

Usage: python3 values.py [id ...]     prints one JSON object a case
       python3 values.py --check      recomputes all and compares with the table (two minutes)
Needs: numpy 2.4.6, scipy 1.17.1, scikit-learn 1.9.1, hmmlearn 0.3.3, mpmath 1.4.1, cvxopt 1.3.3 (Python 3.11).
mpmath works with 50 digits, fractions are exact; printed numbers are rounded to the nearest double.
"""
import csv, gzip, itertools, json, math, pathlib, sys
from fractions import Fraction as F

import numpy as np
import mpmath as mp

mp.mp.dps = 50
HERE = pathlib.Path(__file__).resolve().parent
DATA = HERE.parent.parent.parent / "datasets" / "data"
TEST = HERE.parent / "testdata"
CASES = {}


def case(f):
    CASES[f.__name__.replace("_", "-")] = f
    return f


def rows(path, header=True):
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", newline="") as f:
        out = list(csv.reader(f))
    return out[1:] if header else out


def labelled(name):
    r = rows(DATA / name)
    names = []
    for v in r:
        if v[-1] not in names:
            names.append(v[-1])
    return np.array([[float(s) for s in v[:-1]] for v in r]), np.array([names.index(v[-1]) for v in r])


def faithful():
    return np.array([[float(s) for s in v] for v in rows(DATA / "faithful.csv")])


def bin_s(n=200):
    r = rows(TEST / "bin_S.csv", header=False)[:n]
    return np.array([[float(s) for s in v[:4]] for v in r]), np.array([2 * int(v[4]) - 1 for v in r])


def plain(v):
    if isinstance(v, dict):
        return {k: plain(x) for k, x in v.items()}
    if isinstance(v, (list, tuple, np.ndarray)):
        return [plain(x) for x in v]
    if isinstance(v, mp.matrix):
        return [plain(x) for x in v]
    if isinstance(v, (bool, str, int)) or v is None:
        return v
    if isinstance(v, np.integer):
        return int(v)
    return float(v)


# ---------------------------------------------------------------- Gaussian classifiers and Bayes risk

@case
def bayes_three_classes():
    """Bayes risk of three normal classes on the line by adaptive quadrature at 50 digits between the crossings of the class densities."""
    p = [mp.mpf(1) / 2, mp.mpf(3) / 10, mp.mpf(1) / 5]
    mu, sd = [0, mp.mpf(3) / 2, 4], [1, mp.mpf(1) / 2, 2]
    d = lambda j, x: p[j] * mp.npdf(x, mu[j], sd[j])
    losses = {"zero_one": [[0, 1, 1], [1, 0, 1], [1, 1, 0]], "asymmetric": [[0, 5, 2], [1, 0, 3], [4, 1, 0]],
              "reject_fifth": [[0, 1, 1], [1, 0, 1], [1, 1, 0], [mp.mpf("0.2")] * 3]}
    out = {}
    for name, L in losses.items():
        risk = lambda a, x: sum(L[a][j] * d(j, x) for j in range(3))
        best = lambda x: min(range(len(L)), key=lambda a: risk(a, x))
        grid = [mp.mpf(i) / 50 - 20 for i in range(2001)]
        cuts = []
        for lo, hi in zip(grid, grid[1:]):
            a, b = best(lo), best(hi)
            if a != b:
                while hi - lo > mp.mpf(10) ** -45:
                    m = (lo + hi) / 2
                    if best(m) == a:
                        lo = m
                    else:
                        hi = m
                cuts.append(lo)
        total = mp.mpf(0)
        ends = [mp.mpf(-40)] + cuts + [mp.mpf(60)]
        for lo, hi in zip(ends, ends[1:]):
            a = best((lo + hi) / 2)
            for j in range(3):
                total += L[a][j] * p[j] * (mp.ncdf(hi, mu[j], sd[j]) - mp.ncdf(lo, mu[j], sd[j]))
        out[name] = {"cuts": cuts, "risk": total}
    return out


@case
def chernoff_line():
    """N(0,1) with prior 0.6 against N(2,9): the least of p^b q^(1-b) exp(-k(b)). The closed form of k is checked against quadrature; the root of the
    derivative is bracketed."""
    p, q = mp.mpf("0.6"), mp.mpf("0.4")
    logc = lambda b: b * mp.log(p) + (1 - b) * mp.log(q) - 2 * b * (1 - b) / (1 + 8 * b) - mp.log((1 + 8 * b) / mp.mpf(9) ** b) / 2
    b = mp.mpf("0.3")
    assert abs(logc(b) - b * mp.log(p) - (1 - b) * mp.log(q) - mp.log(mp.quad(lambda x: mp.npdf(x, 0, 1) ** b * mp.npdf(x, 2, 3) ** (1 - b), [-40, -5, 0, 2, 5, 40]))) < 1e-20
    b = mp.findroot(lambda b: mp.diff(logc, b), (mp.mpf("0.1"), mp.mpf("0.9")), solver="anderson", tol=1e-30)
    return {"beta": b, "bound": mp.exp(logc(b)), "bhattacharyya": mp.exp(logc(mp.mpf(1) / 2))}


@case
def gaussian_hilbert():
    """log N(1; 0, H) for the Hilbert matrix of order 6: the squared distance is 1'H^-1 1 = 36 and det H is rational, both exact."""
    n = 6
    H = [[F(1, i + j + 1) for j in range(n)] for i in range(n)]
    A = [r[:] for r in H]
    det = F(1)
    for i in range(n):
        det *= A[i][i]
        for k in range(i + 1, n):
            f = A[k][i] / A[i][i]
            A[k] = [a - f * b for a, b in zip(A[k], A[i])]
    ld = mp.log(mp.mpf(det.numerator) / det.denominator)
    return {"log_det": ld, "mahalanobis2": 36, "log_density": -(n * mp.log(2 * mp.pi) + ld + 36) / 2}


@case
def nb_play_tennis_laplace():
    """Laplace smoothing (alpha = 1) on the play-tennis table for (sunny, cool, high, strong), exact."""
    yes = F(9, 14) * F(2 + 1, 9 + 3) * F(3 + 1, 9 + 3) * F(3 + 1, 9 + 2) * F(3 + 1, 9 + 2)
    no = F(5, 14) * F(3 + 1, 5 + 3) * F(1 + 1, 5 + 3) * F(4 + 1, 5 + 2) * F(3 + 1, 5 + 2)
    return {"score_yes": str(yes), "score_no": str(no), "posterior_yes": str(yes / (yes + no))}


@case
def posterior_tail():
    """Three classes N(0,1), N(1,1), N(-1,4) with priors 0.2, 0.3, 0.5 seen at x = -60, where every density underflows: posteriors at 50 digits."""
    p = [mp.mpf("0.2"), mp.mpf("0.3"), mp.mpf("0.5")]
    out = {}
    for name, x in (("left", -60), ("right", 45)):
        a = [p[0] * mp.npdf(x, 0, 1), p[1] * mp.npdf(x, 1, 1), p[2] * mp.npdf(x, -1, 2)]
        s = sum(a)
        out[name] = {"log_evidence": mp.log(s), "log_joint": [mp.log(v) for v in a]}
    return out


# ---------------------------------------------------------------- Fisher, PCA, scatter

def smls(offset, reps):
    """The NIST SmLs sets are made by rule: treatment i starts at c_i and goes on c_i - 0.1, c_i + 0.1, ..."""
    first = ["0.4", "0.3", "0.5", "0.3", "0.5", "0.3", "0.5", "0.3", "0.5"]
    out = []
    for c in first:
        c = F(c) + offset
        out.append([c] + [c + (F(-1, 10) if r % 2 == 0 else F(1, 10)) for r in range(reps - 1)])
    return out


def anova(groups):
    scale = math.lcm(*(v.denominator for g in groups for v in g))  # whole numbers are faster than fractions
    groups = [[int(v * scale) for v in g] for g in groups]
    n = sum(map(len, groups))
    s = [sum(g) for g in groups]
    b = sum(F(t * t, len(g)) for t, g in zip(s, groups)) - F(sum(s) ** 2, n)
    w = sum(sum(v * v for v in g) - F(t * t, len(g)) for t, g in zip(s, groups))
    return b / scale ** 2, w / scale ** 2, b / (len(groups) - 1) / (w / (n - len(groups)))


def nist(offset, reps):
    g = smls(offset, reps)
    b, w, f = anova(g)
    _, _, d = anova([[F(float(v)) for v in x] for x in g])
    return {"ss_between": b, "ss_within": w, "F": f, "F_of_doubles": d}


def read_nist(name):
    g = {}
    for r in rows(TEST / name):
        g.setdefault(r[0], []).append(F(r[1].strip()))
    return list(g.values())


for i, (offset, reps) in enumerate([(1, 21), (1, 201), (1, 2001), (10**6, 21), (10**6, 201), (10**6, 2001), (10**12, 21), (10**12, 201), (10**12, 2001)]):
    CASES["nist-anova-smls%02d" % (i + 1)] = lambda offset=offset, reps=reps: nist(offset, reps)
for name in ("SiRstv", "AtmWtAg"):
    def f(name=name):
        g = read_nist("nist_%s.csv" % name)
        b, w, q = anova(g)
        return {"ss_between": b, "ss_within": w, "F": q, "F_of_doubles": anova([[F(float(v)) for v in x] for x in g])[2]}
    CASES["nist-anova-" + name.lower()] = f


def numacc(xs):
    n = len(xs)
    m = sum(xs) / n
    return {"mean": m, "sd": mp.sqrt(mp.mpf((sum((x - m) ** 2 for x in xs) / (n - 1)).numerator) / (sum((x - m) ** 2 for x in xs) / (n - 1)).denominator)}


for i, (c, s, n) in enumerate([("10000002", "1", 3), ("1.2", "0.1", 1001), ("1000000.2", "0.1", 1001), ("10000000.2", "0.1", 1001)]):
    def f(c=c, s=s, n=n):
        xs = [F(c) if i == 0 else F(c) + (-1 if i % 2 else 1) * F(s) for i in range(n)]
        out = numacc(xs)
        out["sd_of_doubles"] = numacc([F(float(x)) for x in xs])["sd"]
        return out
    CASES["nist-numacc%d" % (i + 1)] = f


@case
def ppca_wine():
    from sklearn.decomposition import PCA
    X, _ = labelled("wine.csv")
    out = {}
    for k in (1, 3, 9):
        p = PCA(n_components=k, svd_solver="full").fit(X)
        out[f"k{k}"] = {"noise": p.noise_variance_, "log_density_first5": p.score_samples(X)[:5], "log_likelihood": p.score_samples(X).sum(),
                        "covariance_diagonal": np.diag(p.get_covariance())}
    return out


@case
def fisher_1936_iris():
    """Fisher's own coefficients: the solution of S l = difference of the means for setosa and versicolor, S the sums of products within both."""
    X = [[F(s) for s in v[:4]] for v in rows(DATA / "iris.csv")]
    a, b = X[:50], X[50:100]
    mean = lambda A: [sum(r[j] for r in A) / len(A) for j in range(4)]
    ma, mb = mean(a), mean(b)
    S = [[sum((r[i] - m[i]) * (r[j] - m[j]) for A, m in ((a, ma), (b, mb)) for r in A) for j in range(4)] for i in range(4)]
    d = [y - x for x, y in zip(ma, mb)]
    A = [S[i] + [d[i]] for i in range(4)]
    for i in range(4):
        A[i] = [v / A[i][i] for v in A[i]]
        for k in range(4):
            if k != i:
                A[k] = [x - A[k][i] * y for x, y in zip(A[k], A[i])]
    l = [A[i][4] for i in range(4)]
    D = sum(x * y for x, y in zip(l, d))
    return {"lambda": l, "ratios": [v / l[0] for v in l], "D": D, "J": D}


@case
def eigen_hilbert():
    """Eigenvalues of the Hilbert matrix of order 10 by mpmath's Jacobi method at 50 digits; condition 1.6e13."""
    e = mp.eigsy(mp.matrix(10, 10) + mp.matrix([[mp.mpf(1) / (i + j + 1) for j in range(10)] for i in range(10)]), eigvals_only=True)
    return {"values": sorted(e, reverse=True)}


@case
def pca_hilbert_rows():
    """Variances (divisor n - 1) of the 8 rows of the Hilbert matrix of order 8, from the doubles nearest to its entries, at 50 digits. They span 15 orders
    of magnitude beyond which the eighth is exactly 0."""
    n = 8
    X = mp.matrix([[mp.mpf(1.0 / (i + j + 1)) for j in range(n)] for i in range(n)])
    m = [sum(X[i, j] for i in range(n)) / n for j in range(n)]
    C = mp.matrix([[X[i, j] - m[j] for j in range(n)] for i in range(n)])
    S = C.T * C / (n - 1)
    e = sorted(mp.eigsy(S, eigvals_only=True), reverse=True)
    return {"variances": e[:7], "standard_deviations": [mp.sqrt(v) for v in e[:7]]}


@case
def zca_two_by_two():
    """The symmetric inverse root of [[2, 1], [1, 2]], whose eigenvalues are 3 and 1."""
    r = 1 / mp.sqrt(3)
    return {"matrix": [[(r + 1) / 2, (r - 1) / 2], [(r - 1) / 2, (r + 1) / 2]]}


# ---------------------------------------------------------------- Kernels

@case
def brownian_series():
    s, t = mp.mpf("0.3"), mp.mpf("0.7")
    term = lambda j: 8 / ((2 * j - 1) ** 2 * mp.pi ** 2) * mp.sin((2 * j - 1) * mp.pi * s / 2) * mp.sin((2 * j - 1) * mp.pi * t / 2)
    return {"terms_1": term(1), "terms_10": sum(term(j) for j in range(1, 11)), "terms_1000": sum(term(j) for j in range(1, 1001)), "limit": "3/10"}


@case
def sigmoid_not_psd():
    """Gram matrix of tanh(x y - 1) on 0, 1, 2: eigenvalues at 50 digits; one is negative."""
    x = [0, 1, 2]
    e = mp.eigsy(mp.matrix([[mp.tanh(mp.mpf(a * b) - 1) for b in x] for a in x]), eigvals_only=True)
    return {"eigenvalues": sorted(e, reverse=True)}


@case
def rbf_gram():
    """Eigenvalues of the RBF Gram matrix (gamma = 0.5) of 0, 1, 2, 3 and of its centred form, at 50 digits."""
    n = 4
    K = mp.matrix([[mp.exp(-mp.mpf((a - b) ** 2) / 2) for b in range(n)] for a in range(n)])
    H = mp.eye(n) - mp.ones(n) / n
    return {"spectrum": sorted(mp.eigsy(K, eigvals_only=True), reverse=True), "centred": sorted(mp.eigsy(H * K * H, eigvals_only=True), reverse=True)[:3]}


# ---------------------------------------------------------------- Support vector machines

def exact_dual(K, y, C, guess):
    """Solves max sum a - 1/2 a'YKYa, 0 <= a <= C, y'a = 0 exactly: the active set comes from an approximate solution, the linear system of the free
    variables is solved at 50 digits, and the KKT conditions are then checked, which proves optimality."""
    n = len(y)
    at = [0 if guess[i] < 1e-6 * max(guess) else (2 if C is not None and guess[i] > C * (1 - 1e-6) else 1) for i in range(n)]
    free = [i for i in range(n) if at[i] == 1]
    a = [mp.mpf(0) if at[i] == 0 else mp.mpf(C) if at[i] == 2 else None for i in range(n)]
    m = len(free)
    A, r = mp.zeros(m + 1), mp.zeros(m + 1, 1)
    for p, i in enumerate(free):
        for q, j in enumerate(free):
            A[p, q] = y[i] * y[j] * K(i, j)
        A[p, m] = A[m, p] = y[i]
        r[p] = 1 - sum(y[i] * y[j] * K(i, j) * a[j] for j in range(n) if at[j] == 2)
    r[m] = -sum(y[j] * a[j] for j in range(n) if at[j] == 2)
    s = mp.lu_solve(A, r)
    for p, i in enumerate(free):
        a[i] = s[p]
    b = s[m]
    f = [sum(a[j] * y[j] * K(i, j) for j in range(n) if at[j]) + b for i in range(n)]
    eps = mp.mpf(10) ** -35
    for i in range(n):
        g = y[i] * f[i] - 1
        assert -eps <= a[i] and (C is None or a[i] <= C + eps), (i, a[i])
        assert g >= -eps if at[i] == 0 else g <= eps if at[i] == 2 else abs(g) <= eps, (i, at[i], g)
    w2 = sum(a[i] * y[i] * (f[i] - b) for i in range(n))
    return {"dual": sum(a) - w2 / 2, "b": b, "sum_alpha": sum(a), "norm2": w2, "support": sum(1 for v in at if v), "bounded": sum(1 for v in at if v == 2)}, a, f


def approximate(K, y, C):
    from cvxopt import matrix, solvers
    solvers.options.update(show_progress=False, abstol=1e-12, reltol=1e-12, feastol=1e-12)
    n = len(y)
    G = -np.eye(n) if C is None else np.vstack([-np.eye(n), np.eye(n)])
    h = np.zeros(n) if C is None else np.hstack([np.zeros(n), np.full(n, float(C))])
    s = solvers.qp(matrix(np.outer(y, y) * K), matrix(-np.ones(n)), matrix(G), matrix(h), matrix(y.astype(float)[None, :]), matrix(0.0))
    return np.array(s["x"]).ravel()


def dec(X):
    return [[mp.mpf(repr(float(v))) for v in r] for r in X]


def dot(a, b):
    return sum(u * v for u, v in zip(a, b))


@case
def svm_bins40_rbf():
    X, y = bin_s(40)
    D = dec(X)
    y = [int(v) for v in y]
    K = [[mp.exp(-sum((u - v) ** 2 for u, v in zip(a, b)) / 4) for b in D] for a in D]
    Kf = np.array([[float(v) for v in r] for r in K])
    out, a, f = exact_dual(lambda i, j: K[i][j], y, mp.mpf(2), approximate(Kf, np.array(y), 2))
    out["decision_first5"] = f[:5]
    return out


def rounded():
    """The first 60 rows of bin_S and a target, in quarters: squares of inner products are exact in the single precision of LIBSVM's cache."""
    X, y = bin_s(60)
    X = np.round(X * 4) / 4
    return X, y, np.round((2 * X[:, 0] - X[:, 1] ** 2 + X[:, 2]) * 4) / 4, 1.0 + np.arange(60) % 3


def nu_machines(fit):
    """f at the first five rows and b, without weights and with weights 1, 2, 3 in turns."""
    out = {}
    for name, w in (("plain", None), ("weighted", rounded()[3])):
        m = fit(w)
        f = m.decision_function if hasattr(m, "decision_function") else m.predict
        out[name] = {"f_first5": f(rounded()[0][:5]), "b": m.intercept_[0]}
    return out


POLY2 = dict(kernel="poly", degree=2, gamma=1, coef0=1, tol=1e-12)


@case
def svm_nu_svc():
    from sklearn.svm import NuSVC
    X, y, t, _ = rounded()
    return nu_machines(lambda w: NuSVC(nu=0.6, **POLY2).fit(X, y, sample_weight=w))


@case
def svm_epsilon_svr():
    from sklearn.svm import SVR
    X, y, t, _ = rounded()
    return nu_machines(lambda w: SVR(C=0.5, epsilon=0.25, **dict(POLY2, kernel="linear")).fit(X, t, sample_weight=w))


@case
def svm_nu_svr():
    from sklearn.svm import NuSVR
    X, y, t, _ = rounded()
    return nu_machines(lambda w: NuSVR(C=0.5, nu=0.4, **dict(POLY2, kernel="linear")).fit(X, t, sample_weight=w))


@case
def svm_one_class():
    from sklearn.svm import OneClassSVM
    X, y, t, _ = rounded()
    return nu_machines(lambda w: OneClassSVM(nu=0.2, **POLY2).fit(X, sample_weight=w))


@case
def log_proba_iris():
    """Logarithms of posteriors at a row of iris and far away, where the posteriors themselves are zero in double precision."""
    from sklearn.naive_bayes import GaussianNB, MultinomialNB
    X, y = labelled("iris.csv")
    P = np.array([[6, 3, 4.8, 1.6], [60, 3, 4.8, 16]])
    return {"gaussian": GaussianNB(var_smoothing=0).fit(X, y).predict_log_proba(P),
            "multinomial": MultinomialNB().fit(X * 10, y).predict_log_proba(P * 1000)}


@case
def ledoit_wolf_wine():
    """Shrinkage and covariance of Ledoit and Wolf on 20 rows of wine (13 columns), and discriminant analysis with the automatic share.
    The quadratic one with 50 digits: scikit-learn's eigenvectors feel that the smallest variance is 1e-7 of the largest."""
    from sklearn.covariance import ledoit_wolf
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
    X, y = labelled("wine.csv")
    cov, share = ledoit_wolf(X[:20])
    lda = LinearDiscriminantAnalysis(solver="lsqr", shrinkage="auto").fit(X[::4], y[::4])
    joint = []
    for k in range(3):
        Z = mp.matrix(dec(X[::4][y[::4] == k]))
        n, d = Z.rows, Z.cols
        mean = [mp.fsum(Z[i, j] for i in range(n)) / n for j in range(d)]
        dev = [mp.sqrt(mp.fsum((Z[i, j] - mean[j]) ** 2 for i in range(n)) / n) for j in range(d)]
        for i in range(n):
            for j in range(d):
                Z[i, j] = (Z[i, j] - mean[j]) / dev[j]
        S = Z.T * Z / n
        squares = mp.fsum(v * v for v in S)
        mu = mp.fsum(S[j, j] for j in range(d)) / d
        spread = mp.fsum(mp.fsum(Z[i, j] ** 2 for j in range(d)) ** 2 for i in range(n)) / n
        part = min(1, (spread - squares) / n / (squares - d * mu * mu))
        C = mp.matrix(d, d)
        for a in range(d):
            for b in range(d):
                C[a, b] = dev[a] * dev[b] * ((1 - part) * S[a, b] + (part * mu if a == b else 0))
        L = mp.cholesky(C)
        joint.append([mp.log(mp.mpf(n) / len(X[::4])) - mp.fsum(mp.log(L[j, j]) for j in range(d)) - (e.T * mp.lu_solve(C, e))[0] / 2
                      for e in (mp.matrix([v - m for v, m in zip(row, mean)]) for row in dec(X[60:63]))])
    total = [mp.log(mp.fsum(mp.exp(j[i]) for j in joint)) for i in range(3)]
    qda = [[float(j[i] - total[i]) for j in joint] for i in range(3)]
    return {"share": share, "cov_first_row": cov[0], "trace": np.trace(cov), "lda_pooled_row": lda.covariance_[0],
            "lda_proba": lda.predict_proba(X[1:4]), "qda_log_proba": qda}


@case
def svm_iris_linear():
    X, c = labelled("iris.csv")
    X, y = X[c > 0], [1 if v == 2 else -1 for v in c[c > 0]]
    D = dec(X)
    K = [[dot(a, b) for b in D] for a in D]
    out, a, f = exact_dual(lambda i, j: K[i][j], y, mp.mpf(1), approximate(X @ X.T, np.array(y), 1))
    out["w"] = [sum(a[i] * y[i] * D[i][j] for i in range(100)) for j in range(4)]
    out["training_errors"] = sum(1 for i in range(100) if f[i] * y[i] <= 0)
    return out


@case
def svm_iris_hard():
    X, c = labelled("iris.csv")
    X, y = X[c < 2], [1 if v == 1 else -1 for v in c[c < 2]]
    D = dec(X)
    K = [[dot(a, b) for b in D] for a in D]
    out, a, f = exact_dual(lambda i, j: K[i][j], y, None, approximate(X @ X.T, np.array(y), None))
    out["w"] = [sum(a[i] * y[i] * D[i][j] for i in range(100)) for j in range(4)]
    out["margin"] = 1 / mp.sqrt(out["norm2"])
    return out


@case
def svm_quadratic_slack():
    """Quadratic slack, C = 2, is the hard margin with K + I/C: the four points of AND in rational arithmetic (all are support vectors or not as KKT says)."""
    X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [-1, -1, -1, 1]
    K = [[F(dot(a, b)) + (F(1, 2) if i == j else 0) for j, b in enumerate(X)] for i, a in enumerate(X)]
    for size in range(2, 5):
        for S in itertools.combinations(range(4), size):
            m = len(S)
            A = [[y[i] * y[j] * K[i][j] for j in S] + [F(y[i]), F(1)] for i in S] + [[F(y[j]) for j in S] + [F(0), F(0)]]
            try:
                for i in range(m + 1):
                    p = next(k for k in range(i, m + 1) if A[k][i] != 0)
                    A[i], A[p] = A[p], A[i]
                    A[i] = [v / A[i][i] for v in A[i]]
                    for k in range(m + 1):
                        if k != i:
                            A[k] = [u - A[k][i] * v for u, v in zip(A[k], A[i])]
            except StopIteration:
                continue
            s = [r[-1] for r in A]
            if min(s[:m]) <= 0:
                continue
            a = [F(0)] * 4
            for i, v in zip(S, s):
                a[i] = v
            b = s[m]
            f = [sum(a[j] * y[j] * dot(X[i], X[j]) for j in range(4)) + b for i in range(4)]
            if all(y[i] * f[i] >= 1 - a[i] / 2 for i in range(4)):
                w = [sum(a[i] * y[i] * X[i][j] for i in range(4)) for j in range(2)]
                return {"alpha": [str(v) for v in a], "b": str(b), "w": [str(v) for v in w],
                        "dual": str(sum(a) - sum(v * v for v in w) / 2 - sum(v * v for v in a) / 4)}


@case
def linear_bins_penalised_bias():
    """The dual with the bias as a feature of constant 1 has no equality constraint; active set and linear system as above."""
    X, y = bin_s(200)
    Z = np.hstack([X, np.ones((200, 1))])
    from cvxopt import matrix, solvers
    solvers.options.update(show_progress=False, abstol=1e-12, reltol=1e-12, feastol=1e-12)
    n = 200
    s = solvers.qp(matrix(np.outer(y, y) * (Z @ Z.T)), matrix(-np.ones(n)), matrix(np.vstack([-np.eye(n), np.eye(n)])), matrix(np.hstack([np.zeros(n), np.ones(n)])))
    g = np.array(s["x"]).ravel()
    D, y = dec(Z), [int(v) for v in y]
    at = [0 if v < 1e-6 else 2 if v > 1 - 1e-6 else 1 for v in g]
    free = [i for i in range(n) if at[i] == 1]
    wb = [sum(y[i] * D[i][j] for i in range(n) if at[i] == 2) for j in range(5)]
    A = mp.matrix([[y[i] * y[j] * dot(D[i], D[j]) for j in free] for i in free])
    a = mp.lu_solve(A, mp.matrix([1 - y[i] * dot(D[i], wb) for i in free]))
    w = [wb[j] + sum(a[p] * y[i] * D[i][j] for p, i in enumerate(free)) for j in range(5)]
    eps = mp.mpf(10) ** -35
    for i in range(n):
        m = y[i] * dot(D[i], w) - 1
        assert m >= -eps if at[i] == 0 else m <= eps if at[i] == 2 else abs(m) < eps, (i, at[i], m)
    assert all(0 <= v <= 1 for v in a)
    return {"objective": dot(w, w) / 2 + sum(max(mp.mpf(0), 1 - y[i] * dot(D[i], w)) for i in range(n)), "w": w}


# ---------------------------------------------------------------- Trees and boosting

TENNIS = """sunny hot high weak no|sunny hot high strong no|overcast hot high weak yes|rain mild high weak yes|rain cool normal weak yes|rain cool normal strong no
overcast cool normal strong yes|sunny mild high weak no|sunny cool normal weak yes|rain mild normal weak yes|sunny mild normal strong yes|overcast mild high strong yes
overcast hot normal weak yes|rain mild high strong no"""


@case
def gain_play_tennis():
    T = [r.split() for r in TENNIS.replace("\n", "|").split("|")]

    def h(ls):
        return -sum(mp.mpf(ls.count(v)) / len(ls) * mp.log(mp.mpf(ls.count(v)) / len(ls), 2) for v in set(ls)) if ls else mp.mpf(0)
    y = [r[4] for r in T]
    out = {"entropy": h(y), "gain": {}, "ratio": {}}
    for j, name in enumerate(["outlook", "temperature", "humidity", "wind"]):
        c = [r[j] for r in T]
        g = h(y) - sum(mp.mpf(c.count(v)) / 14 * h([b for a, b in zip(c, y) if a == v]) for v in set(c))
        out["gain"][name], out["ratio"][name] = g, g / h(c)
    return out


@case
def stump_breast_cancer():
    """All thresholds of all 30 features by exhaustive search with equal weights: the least number of errors, and how many features attain it."""
    X, y = labelled("breast_cancer.csv.gz")
    best = []
    for j in range(X.shape[1]):
        v = np.unique(X[:, j])
        for t in (v[:-1] + v[1:]) / 2:
            e = int(((X[:, j] <= t) != (y == 0)).sum())
            best.append((min(e, 569 - e), j, t))
    e, j, t = min(best)
    return {"errors": e, "feature": j, "threshold": t}


@case
def ccp_wine():
    from sklearn.tree import DecisionTreeClassifier
    X, y = labelled("wine.csv")
    p = DecisionTreeClassifier(min_samples_leaf=5, random_state=0).cost_complexity_pruning_path(X, y)
    same = [DecisionTreeClassifier(min_samples_leaf=5, random_state=s).cost_complexity_pruning_path(X, y) for s in range(20)]
    assert all(np.allclose(p.ccp_alphas, q.ccp_alphas, atol=1e-14) for q in same if len(q.ccp_alphas) == len(p.ccp_alphas)) and len({len(q.ccp_alphas) for q in same}) == 1
    return {"alphas": p.ccp_alphas, "risks": p.impurities}


@case
def tree_depth_two_iris():
    """Breiman's tree on iris in exact arithmetic: petal length <= 2.45 or petal width <= 0.8 (equal), then petal width <= 1.75."""
    return {"leaves_rows": [50, 54, 46], "leaves_gini": [0, str(1 - F(49, 54) ** 2 - F(5, 54) ** 2), str(1 - F(45, 46) ** 2 - F(1, 46) ** 2)],
            "impurity": str(F(54, 150) * (1 - F(49, 54) ** 2 - F(5, 54) ** 2) + F(46, 150) * (1 - F(45, 46) ** 2 - F(1, 46) ** 2)), "training_errors": 6}


def samme(set, depth, rounds):
    """scikit-learn's AdaBoostClassifier, whose estimator_weights_ are twice alpha; all seeds of its trees agree."""
    from sklearn.ensemble import AdaBoostClassifier
    from sklearn.tree import DecisionTreeClassifier
    X, y = labelled(set)
    fits = [AdaBoostClassifier(DecisionTreeClassifier(max_depth=depth), n_estimators=rounds, random_state=s).fit(X, y) for s in range(8)]
    m, shown = fits[0], [0, 50, 70, 77, 100, 106, 133]
    assert all(np.allclose(m.estimator_errors_, f.estimator_errors_, atol=1e-14) and np.allclose(m.decision_function(X), f.decision_function(X), atol=1e-12) for f in fits)
    alpha = m.estimator_weights_ / 2
    return {"error": m.estimator_errors_, "alpha": alpha, "F": m.decision_function(X)[shown] * alpha.sum(),
            "training_errors": [int((p != y).sum()) for p in m.staged_predict(X)]}


@case
def samme_iris_stumps():
    """Twelve rounds of trees of depth 1 by the Gini index on iris. Petal length and petal width tie in the first round and part the rows alike."""
    return samme("iris.csv", 1, 12)


@case
def samme_wine_trees():
    """Trees of depth 2 by the Gini index on wine, as many as there are before one makes no error."""
    return samme("wine.csv", 2, 6)


@case
def samme_wine_least_error():
    """SAMME with stumps of least weighted error on wine by going through all stumps, eight rounds. Of equal errors the first feature wins, then the lowest threshold."""
    X, y = labelled("wine.csv")
    n, K = len(y), 3
    tests = [(j, t, X[:, j] <= t) for j in range(X.shape[1]) for v in [np.unique(X[:, j])] for t in (v[:-1] + v[1:]) / 2]
    D, V, out = np.full(n, 1 / n), np.zeros((n, K)), {"feature": [], "threshold": [], "classes": [], "error": [], "alpha": [], "loss": [], "training_errors": []}
    for _ in range(8):
        scored = []
        for j, t, low in tests:
            a, b = np.bincount(y[low], D[low], K), np.bincount(y[~low], D[~low], K)
            scored.append((1 - a.max() - b.max(), j, t, int(a.argmax()), int(b.argmax())))
        least = min(scored)[0] + 1e-12
        e, j, t, left, right = min((s for s in scored if s[0] < least), key=lambda s: s[1:3])
        h = np.where(X[:, j] <= t, left, right)
        alpha = (math.log((1 - e) / e) + math.log(K - 1)) / 2
        V[np.arange(n), h] += alpha
        D = D * np.exp(2 * alpha * (h != y))
        D /= D.sum()
        Fk = (K * V - V.sum(1, keepdims=True)) / (K - 1)
        for k, v in zip(out, (j, t, [left, right], e, alpha, np.exp(-2 * (K - 1) / K * Fk[np.arange(n), y]).mean(), int((V.argmax(1) != y).sum()))):
            out[k].append(v)
    return out


@case
def balanced_classes():
    """scikit-learn with class_weight="balanced" (SVC, trees), balanced sample weights (AdaBoostClassifier) and equal priors (GaussianNB), on 50, 20 and 10 irises."""
    from sklearn.ensemble import AdaBoostClassifier
    from sklearn.naive_bayes import GaussianNB
    from sklearn.svm import SVC
    from sklearn.tree import DecisionTreeClassifier
    from sklearn.utils.class_weight import compute_class_weight, compute_sample_weight
    X, y = labelled("iris.csv")
    keep = np.r_[0:50, 50:70, 100:110]
    X, y, shown = X[keep], y[keep], [0, 50, 68, 70, 76]
    two = y > 0
    m = SVC(kernel="rbf", gamma=0.5, C=1, class_weight="balanced", tol=1e-12).fit(X[two], y[two])
    t = DecisionTreeClassifier(max_depth=1, class_weight="balanced", random_state=0).fit(X, y)
    b = AdaBoostClassifier(DecisionTreeClassifier(max_depth=1), n_estimators=8, random_state=0).fit(X, y, sample_weight=compute_sample_weight("balanced", y))
    leaves = t.tree_.children_left < 0
    return {"factors": compute_class_weight("balanced", classes=np.arange(3), y=y), "svc_bias": m.intercept_[0], "svc_decision": m.decision_function(X[shown]),
            "tree_proba": t.predict_proba(X[shown]), "tree_impurity": (t.tree_.impurity * t.tree_.weighted_n_node_samples)[leaves].sum() / 80,
            "boost_error": b.estimator_errors_, "bayes_proba": GaussianNB(priors=[1 / 3] * 3, var_smoothing=0).fit(X, y).predict_proba(X[shown])}


@case
def adaboost_ten_points_weighted():
    """Minimum-error stumps on the ten points, first weights proportional to 1 ... 10, all weights exact fractions: five rounds. No round has a tie."""
    x, y = list(range(10)), [1, 1, 1, -1, -1, -1, 1, 1, 1, -1]
    pool = [(t + F(1, 2), s) for t in range(9) for s in (1, -1)]
    D = [F(i + 1, 55) for i in range(10)]
    out = {"threshold": [], "left": [], "error": [], "alpha": [], "product_Z": []}
    prod = mp.mpf(1)
    S = [mp.mpf(0)] * 10
    for _ in range(5):
        scored = []
        for k, (t, s) in enumerate(pool):
            h = [s if v < t else -s for v in x]
            scored.append((sum(d for d, a, b in zip(D, h, y) if a != b), k))
        e, k = min(scored)
        assert sum(1 for v in scored if v[0] == e) == 1, "tie"
        t, s = pool[k]
        h = [s if v < t else -s for v in x]
        al = mp.log(mp.mpf((1 - e).numerator) / (1 - e).denominator * e.denominator / e.numerator) / 2
        z = 2 * mp.sqrt(mp.mpf((e * (1 - e)).numerator) / (e * (1 - e)).denominator)
        prod *= z
        S = [u + al * v for u, v in zip(S, h)]
        D = [d / (2 * e) if a != b else d / (2 * (1 - e)) for d, a, b in zip(D, h, y)]
        for key, v in (("threshold", float(t)), ("left", s), ("error", str(e)), ("alpha", al), ("product_Z", prod)):
            out[key].append(v)
    out["F"] = S
    out["weights"] = [str(d) for d in D]
    return out


@case
def exponential_loss_minimum():
    """Stumps at 2.5 and 5.5, left positive, on the ten points with the label of the fifth turned: with u = a + b and v = a - b the loss is
    (4 exp(-u) + 3 exp(u) + 2 exp(-v) + exp(v)) / 10, whose minimum is in closed form."""
    u, v = mp.log(mp.mpf(4) / 3) / 2, mp.log(mp.mpf(2)) / 2
    return {"alpha": [(u + v) / 2, (u - v) / 2], "loss": (2 * mp.sqrt(12) + 2 * mp.sqrt(2)) / 10}


@case
def majority_21():
    """Dietterich's ensemble: 21 independent voters that err with 0.3 each."""
    e = sum(math.comb(21, k) * F(3, 10) ** k * F(7, 10) ** (21 - k) for k in range(11, 22))
    return {"error": str(e)}


@case
def adaboost_breast_cancer():
    """Thirty rounds of minimum-error stumps by numpy: weights sorted once per feature, cumulative sums."""
    X, c = labelled("breast_cancer.csv.gz")
    y = np.where(c == 1, 1, -1)
    n, d = X.shape
    order = np.argsort(X, axis=0, kind="stable")
    D = np.full(n, 1 / n)
    S = np.zeros(n)
    loss, err, eps = [], [], []
    for _ in range(30):
        best = (2,)
        for j in range(d):
            o = order[:, j]
            v = X[o, j]
            cs = np.cumsum(D[o] * y[o])
            ok = np.nonzero(v[1:] > v[:-1])[0]
            total = cs[-1]
            e = (1 - (2 * cs[ok] - total)) / 2          # left = +1, right = -1
            for e2, s in ((e, 1), (1 - e, -1)):
                k = int(np.argmin(e2))
                if e2[k] < best[0] - 1e-12:
                    best = (e2[k], j, (v[ok[k]] + v[ok[k] + 1]) / 2, s)
        e, j, t, s = best
        a = math.log((1 - e) / e) / 2
        h = np.where(X[:, j] <= t, s, -s)
        D = D * np.exp(-a * y * h)
        D /= D.sum()
        S += a * h
        loss.append(float(np.exp(-y * S).mean()))
        err.append(int((y * S <= 0).sum()))
        eps.append(float(e))
    return {"error_first5": eps[:5], "loss_at_1_5_10_30": [loss[i] for i in (0, 4, 9, 29)], "training_errors_at_1_5_10_30": [err[i] for i in (0, 4, 9, 29)]}


# ---------------------------------------------------------------- Clusters and mixtures

def partitions(n, k):
    def grow(i, lab, m):
        if i == n:
            if m == k:
                yield lab
            return
        for c in range(min(m + 1, k)):
            yield from grow(i + 1, lab + [c], max(m, c + 1))
    return grow(0, [], 0)


@case
def kmeans_nine_points():
    """All partitions of nine points of the plane into two and three classes, in rational arithmetic: the global optimum."""
    P = [(0, 0), (1, 2), (2, 1), (7, 7), (8, 9), (9, 7), (0, 8), (2, 9), (5, 4)]
    out = {}
    for k in (2, 3, 4):
        best = None
        for lab in partitions(9, k):
            J = F(0)
            for c in range(k):
                A = [p for p, l in zip(P, lab) if l == c]
                J += sum(F(v * v) for p in A for v in p) - sum(F(sum(p[j] for p in A)) ** 2 for j in range(2)) / len(A)
            if best is None or J < best:
                best = J
        out["J_%d" % k] = str(best)
    return out


def gauss(x, m, v):
    return mp.exp(-(x - m) ** 2 / (2 * v)) / mp.sqrt(2 * mp.pi * v)


@case
def gmm_nine_points():
    """EM on 0 1 2 3 5 7 8 9 10 from means 3 and 6, standard deviations 3 and equal weights, at 50 digits."""
    X = [mp.mpf(v) for v in (0, 1, 2, 3, 5, 7, 8, 9, 10)]
    w, m, v = [mp.mpf(1) / 2] * 2, [mp.mpf(3), mp.mpf(6)], [mp.mpf(9)] * 2
    L = lambda: sum(mp.log(sum(w[c] * gauss(x, m[c], v[c]) for c in range(2))) for x in X)

    def resp():
        R = []
        for x in X:
            a = [w[c] * gauss(x, m[c], v[c]) for c in range(2)]
            R.append([t / sum(a) for t in a])
        return R
    H = lambda R: -sum(t * mp.log(t) for r in R for t in r if t > 0)
    ls, hs, first = [L()], [H(resp())], None
    for it in range(40):
        R = resp()
        n = [sum(r[c] for r in R) for c in range(2)]
        w = [t / 9 for t in n]
        m = [sum(r[c] * x for r, x in zip(R, X)) / n[c] for c in range(2)]
        v = [sum(r[c] * (x - m[c]) ** 2 for r, x in zip(R, X)) / n[c] for c in range(2)]
        ls.append(L())
        hs.append(H(resp()))
        if it == 0:
            first = {"weights": w[:], "means": m[:], "variances": v[:]}
    return {"after_1": first, "after_40": {"weights": w, "means": m, "variances": v}, "loglik_0_1_2_5_40": [ls[i] for i in (0, 1, 2, 5, 40)], "entropy_0_1_2_5_40": [hs[i] for i in (0, 1, 2, 5, 40)]}


@case
def gmm_tail():
    """A mixture far out, where every density underflows: log density and responsibilities at 50 digits."""
    w, m, v = [mp.mpf("0.2"), mp.mpf("0.5"), mp.mpf("0.3")], [20, 40, 70], [36, 225, 64]
    out = {}
    for name, x in (("near", 30), ("right", 1000), ("left", -900)):
        a = [mp.log(w[c]) + mp.log(gauss(mp.mpf(x), m[c], v[c])) for c in range(3)]
        t = max(a) + mp.log(sum(mp.exp(u - max(a)) for u in a))
        out[name] = {"log_density": t, "responsibilities": [mp.exp(u - t) for u in a]}
    return out


@case
def gmm_three_gaussians():
    """0.2 N(20, 6^2) + 0.5 N(40, 15^2) + 0.3 N(70, 8^2) at 50 digits."""
    w, m, v = [mp.mpf("0.2"), mp.mpf("0.5"), mp.mpf("0.3")], [20, 40, 70], [36, 225, 64]
    p = lambda x: sum(w[c] * gauss(mp.mpf(x), m[c], v[c]) for c in range(3))
    a = [w[c] * gauss(mp.mpf(30), m[c], v[c]) for c in range(3)]
    mean = sum(a * b for a, b in zip(w, m))
    return {"mean": mean, "variance": sum(w[c] * (v[c] + m[c] ** 2) for c in range(3)) - mean ** 2, "density_20_40_70": [p(20), p(40), p(70)],
            "peaks": [w[c] * gauss(m[c], m[c], v[c]) for c in range(3)], "responsibilities_30": [t / sum(a) for t in a], "parameters": 8}


@case
def gmm_means_only():
    """Equal weights and unit variances held, the points 0 1 2 8 9 10: EM of the means from 0 and 1 at 50 digits, and the gradient at (2, 6)."""
    X = [mp.mpf(v) for v in (0, 1, 2, 8, 9, 10)]
    L = lambda m: sum(mp.log((gauss(x, m[0], 1) + gauss(x, m[1], 1)) / 2) for x in X)
    R = lambda x, m: gauss(x, m[0], 1) / (gauss(x, m[0], 1) + gauss(x, m[1], 1))
    m = [mp.mpf(0), mp.mpf(1)]
    path, ls = [m], [L(m)]
    for _ in range(3):
        r = [R(x, m) for x in X]
        m = [sum(a * x for a, x in zip(r, X)) / sum(r), sum((1 - a) * x for a, x in zip(r, X)) / (6 - sum(r))]
        path.append(m)
        ls.append(L(m))
    g = [mp.mpf(2), mp.mpf(6)]
    return {"hypotheses": [L((1, 9)), L((4, 6)), L((5, 5))], "path": path, "loglik": ls,
            "gradient": [sum(R(x, g) * (x - 2) for x in X), sum((1 - R(x, g)) * (x - 6) for x in X)]}


@case
def gmm_faithful_kinds():
    """Two components on Old Faithful by scikit-learn, tolerance 1e-14, no regularisation, 20 starts each: log-likelihood of the data."""
    from sklearn.mixture import GaussianMixture
    X = faithful()
    out = {}
    for ours, theirs in (("full", "full"), ("tied", "tied"), ("diagonal", "diag"), ("spherical", "spherical")):
        g = GaussianMixture(2, covariance_type=theirs, tol=1e-14, reg_covar=0, max_iter=20000, n_init=20, random_state=0).fit(X)
        out[ours] = {"loglik": g.score(X) * 272, "weights_sorted": sorted(g.weights_), "bic": g.bic(X)}
    return out


# ---------------------------------------------------------------- Markov models

@case
def gaussian_hmm_faithful():
    """Three states on Old Faithful as two sequences by hmmlearn, maximum likelihood without priors: ten iterations of Baum-Welch from a given start,
    and for the left-right model as five sequences. Log-likelihoods of the start and after each iteration, and the numbers after the last one."""
    from hmmlearn.hmm import GaussianHMM
    X, out = faithful(), {}
    free, band = [[0.6, 0.2, 0.2], [0.2, 0.6, 0.2], [0.2, 0.2, 0.6]], [[0.7, 0.3, 0], [0, 0.7, 0.3], [0, 0, 1]]
    cov = np.diag([0.5, 50.0])
    for ours, theirs, first in (("full", "full", [cov] * 3), ("tied", "tied", cov), ("diagonal", "diag", [[0.5, 50.0]] * 3),
                                ("spherical", "spherical", [25.0] * 3), ("left_right", "full", [cov] * 3)):
        right, lengths = ours == "left_right", [50, 60, 40, 72, 50] if ours == "left_right" else [150, 122]
        m = GaussianHMM(3, covariance_type=theirs, n_iter=10, tol=-np.inf, init_params="", params="stmc", implementation="log", covars_prior=0,
                        covars_weight=0, min_covar=0)
        m.n_features = 2
        m.startprob_, m.transmat_ = np.array([1, 0, 0] if right else [0.5, 0.3, 0.2], float), np.array(band if right else free, float)
        m.means_, m.covars_ = np.array([[2.0, 55.0], [4.3, 80.0], [3.5, 70.0]]), np.array(first)
        m.fit(X, lengths)
        logprob, path = m.decode(X, lengths)
        out[ours] = {"loglik": list(m.monitor_.history) + [m.score(X, lengths)], "start": m.startprob_, "transitions": m.transmat_, "means": m.means_,
                     "covariances": [np.eye(2) * v[0] for v in m._covars_] if theirs == "spherical" else m.covars_, "viterbi": logprob, "sizes": np.bincount(path, minlength=3)}
    return out


@case
def mixture_hmm_faithful():
    """Two states with mixtures of two Gaussians on Old Faithful by hmmlearn: figures of a given model, and of the fixed point that 3000 iterations of
    Baum-Welch reach from it. One iteration is no reference: GMMHMM of hmmlearn 0.3.3 takes covariances about the means before the iteration."""
    from hmmlearn.hmm import GMMHMM
    X, out, cov = faithful(), {}, np.diag([0.25, 40.0])
    for ours, theirs, first in (("full", "full", [[cov] * 2] * 2), ("diagonal", "diag", [[[0.25, 40.0]] * 2] * 2), ("spherical", "spherical", [[20.0] * 2] * 2)):
        m = GMMHMM(2, 2, covariance_type=theirs, n_iter=3000, tol=-np.inf, init_params="", params="stmcw", implementation="log", min_covar=0)
        m._init(X, None)
        m.startprob_, m.transmat_ = np.array([0.4, 0.6]), np.array([[0.3, 0.7], [0.6, 0.4]])
        m.weights_, m.covars_ = np.array([[0.5, 0.5], [0.4, 0.6]]), np.array(first)
        m.means_ = np.array([[[1.8, 50.0], [2.5, 60.0]], [[4.0, 78.0], [4.6, 84.0]]])
        given = {"loglik": m.score(X), "posterior": m.predict_proba(X)[:8, 0], "viterbi": m.decode(X)[0]}
        m.fit(X)
        out[ours] = given | {"loglik_end": m.score(X), "weights_end": m.weights_, "means_end": m.means_, "transitions_end": m.transmat_}
    return out


@case
def hmm_brute_force():
    """A model of three states and three symbols: sums and maxima over all 3^6 paths in rational arithmetic, and one Baum-Welch step from the expected
    counts of all paths."""
    pi = [F(1, 2), F(3, 10), F(1, 5)]
    A = [[F(3, 5), F(3, 10), F(1, 10)], [F(1, 4), F(1, 2), F(1, 4)], [F(1, 10), F(1, 5), F(7, 10)]]
    B = [[F(7, 10), F(1, 5), F(1, 10)], [F(1, 5), F(3, 5), F(1, 5)], [F(1, 20), F(1, 4), F(7, 10)]]
    obs = [0, 2, 1, 1, 2, 0]
    T = len(obs)
    paths = []
    for q in itertools.product(range(3), repeat=T):
        p = pi[q[0]] * B[q[0]][obs[0]]
        for t in range(1, T):
            p *= A[q[t - 1]][q[t]] * B[q[t]][obs[t]]
        paths.append((p, q))
    P = sum(p for p, _ in paths)
    top = sorted(paths, reverse=True)[:4]
    assert len({p for p, _ in top}) == 4
    post = [[sum(p for p, q in paths if q[t] == i) / P for i in range(3)] for t in range(T)]
    n = [[sum(p * sum(1 for t in range(1, T) if (q[t - 1], q[t]) == (i, j)) for p, q in paths) / P for j in range(3)] for i in range(3)]
    e = [[sum(post[t][i] for t in range(T) if obs[t] == s) for s in range(3)] for i in range(3)]
    lp = mp.log(mp.mpf(P.numerator) / P.denominator)
    nA = [[v / sum(r) for v in r] for r in n]
    nB = [[v / sum(r) for v in r] for r in e]
    L1 = F(0)
    for q in itertools.product(range(3), repeat=T):
        p = post[0][q[0]] * nB[q[0]][obs[0]]
        for t in range(1, T):
            p *= nA[q[t - 1]][q[t]] * nB[q[t]][obs[t]]
        L1 += p
    return {"likelihood": str(P), "loglik": lp, "posterior": post, "best_path": list(top[0][1]), "best_probs": [p for p, _ in top],
            "start_after_1": post[0], "A_after_1": nA, "B_after_1": nB,
            "loglik_after_1": mp.log(mp.mpf(L1.numerator) / L1.denominator)}


@case
def gaussian_hmm_brute_force():
    """Two states with normal emissions N(0,1) and N(3,4), eight observations: the sum over all 256 paths at 50 digits."""
    pi = [mp.mpf("0.6"), mp.mpf("0.4")]
    A = [[mp.mpf("0.8"), mp.mpf("0.2")], [mp.mpf("0.3"), mp.mpf("0.7")]]
    x = [mp.mpf(s) for s in ("0.5", "-1.25", "2.75", "4", "3.5", "0.25", "-0.5", "6")]
    m, v = [0, 3], [1, 4]
    total, best, first = mp.mpf(0), (0, None), [mp.mpf(0)] * 8
    for q in itertools.product(range(2), repeat=8):
        p = pi[q[0]] * gauss(x[0], m[q[0]], v[q[0]])
        for t in range(1, 8):
            p *= A[q[t - 1]][q[t]] * gauss(x[t], m[q[t]], v[q[t]])
        total += p
        best = max(best, (p, q))
        for t in range(8):
            if q[t] == 0:
                first[t] += p
    return {"loglik": mp.log(total), "posterior_first_state": [f / total for f in first], "viterbi_path": list(best[1]), "viterbi_logprob": mp.log(best[0])}


@case
def chain_ehrenfest():
    """Ehrenfest urn with four balls: fixed vector binomial(4, 1/2); the chain has period 2. P^3 exact."""
    n = 4
    P = [[F(0)] * 5 for _ in range(5)]
    for i in range(5):
        if i:
            P[i][i - 1] = F(i, n)
        if i < n:
            P[i][i + 1] = F(n - i, n)
    mul = lambda A, B: [[sum(A[i][k] * B[k][j] for k in range(5)) for j in range(5)] for i in range(5)]
    Q = mul(P, mul(P, P))
    return {"stationary": [str(F(math.comb(4, k), 16)) for k in range(5)], "cube": [[str(v) for v in r] for r in Q], "period": 2}


# ---------------------------------------------------------------- Learning theory

@case
def vc_bounds_50_digits():
    """The four VC bounds of Learning From Data, exercise 2.x, with Sauer's sum for d = 10, n = 5000, delta = 0.01. The implicit ones by root finding."""
    d, n, delta = 10, 5000, mp.mpf("0.01")
    m = lambda N: sum(mp.binomial(N, i) for i in range(d + 1))
    vapnik = mp.sqrt(mp.mpf(8) / n * mp.log(4 * m(2 * n) / delta))
    rad = mp.sqrt(2 * mp.log(2 * n * m(n)) / n) + mp.sqrt(mp.mpf(2) / n * mp.log(1 / delta)) + mp.mpf(1) / n
    par = mp.findroot(lambda e: e - mp.sqrt((2 * e + mp.log(6 * m(2 * n) / delta)) / n), mp.mpf("0.2"))
    dev = mp.findroot(lambda e: e - mp.sqrt((4 * e * (1 + e) + mp.log(4 * m(n ** 2) / delta)) / (2 * n)), mp.mpf("0.2"))
    return {"bounds": [vapnik, rad, par, dev], "log_sauer": [mp.log(m(n)), mp.log(m(2 * n))]}


@case
def tails_50_digits():
    """Binomial tails far out and Clopper-Pearson limits by root finding of the exact tails."""
    up = lambda k, n, p: sum(mp.binomial(n, i) * p ** i * (1 - p) ** (n - i) for i in range(k, n + 1))
    n, p = 2000, mp.mpf("0.01")
    lo = mp.findroot(lambda q: up(3, 50, q) - mp.mpf("0.005"), mp.mpf("0.01"))
    hi = mp.findroot(lambda q: 1 - up(4, 50, q) - mp.mpf("0.005"), mp.mpf("0.2"))
    return {"log_upper_200_of_2000": mp.log(up(200, n, p)), "log_lower_3_of_2000": mp.log(1 - up(4, n, p)), "clopper_pearson_3_50_99": [lo, hi],
            "deviation_528": 2 * up(317, 528, mp.mpf(1) / 2)}


@case
def clopper_pearson_corners():
    """Clopper-Pearson limits at few and many successes and at confidences near zero and one (as doubles), by bisection of the exact tails. Each row: k, n, confidence, lower, upper."""
    def tail(k, n, p):  # P(X >= k), from the shorter side
        term = lambda i: mp.binomial(n, i) * p ** i * (1 - p) ** (n - i)
        return 1 - sum(term(i) for i in range(k)) if k <= n - k else sum(term(i) for i in range(k, n + 1))

    def solve(k, n, level):  # tail(k, n, p) = level
        lo, hi = mp.mpf(0), mp.mpf(1)
        for _ in range(190):
            mid = (lo + hi) / 2
            lo, hi = (mid, hi) if tail(k, n, mid) < level else (lo, mid)
        return lo

    rows = []
    for k, n, confidence in ((1, 10, 0.999999), (1, 1000, 0.999999), (1, 10000, 0.999999), (9, 10, 0.999999999999), (2, 3, 1e-6), (500, 1000, 0.999999999), (997, 1000, 0.95), (37, 40, 0.99)):
        half = (1 - mp.mpf(confidence)) / 2
        rows.append([k, n, confidence, solve(k, n, half), solve(k + 1, n, 1 - half)])
    return {"limits": rows}


@case
def chernoff_exact():
    """exp(-n KL(p + eps, p)) for n = 100, p = 0.3, eps = 0.15, and the moment generating function with Hoeffding's bound exp(s^2/8) at s = 2, p = 0.1."""
    p, e, n = mp.mpf("0.3"), mp.mpf("0.15"), 100
    q = p + e
    kl = q * mp.log(q / p) + (1 - q) * mp.log((1 - q) / (1 - p))
    s, r = mp.mpf(2), mp.mpf("0.1")
    return {"chernoff": mp.exp(-n * kl), "hoeffding_one_sided": mp.exp(-2 * n * e * e), "mgf": r * mp.exp(s * (1 - r)) + (1 - r) * mp.exp(-s * r), "mgf_bound": mp.exp(s * s / 8)}


@case
def rademacher_intervals():
    """Empirical Rademacher complexity on m points of a line by all 2^m sign vectors: positive rays and intervals for m = 1 ... 8, exact."""
    out = {"rays": [], "intervals": []}
    for m in range(1, 9):
        H = {"rays": {tuple(1 if x >= a else -1 for x in range(m)) for a in range(m + 1)},
             "intervals": {tuple(1 if a <= x < b else -1 for x in range(m)) for a in range(m + 1) for b in range(a, m + 1)}}
        for name, hs in H.items():
            t = sum(max(sum(s * h for s, h in zip(sg, hh)) for hh in hs) for sg in itertools.product((1, -1), repeat=m))
            out[name].append(str(F(t, m * 2 ** m)))
    return out


@case
def cover_counts():
    """Cover 1965: labelings of m points in general position in the plane by half planes, 2 (C(m-1,0) + C(m-1,1) + C(m-1,2)); points on a parabola."""
    return {"count": [2 * sum(math.comb(m - 1, i) for i in range(3)) for m in range(1, 13)]}


def differences(at, got, want):
    """Names of the figures that are not the same to 1e-11, with both values."""
    if isinstance(got, dict):
        return [d for k in got for d in (differences(at + "." + k, got[k], want[k]) if k in want else [at + "." + k + " is not in the table"])]
    if isinstance(got, list):
        return [d for i, (g, w) in enumerate(zip(got, want)) for d in differences("%s[%d]" % (at, i), g, w)] if len(got) == len(want) else [at + " has another length"]
    if isinstance(got, str) or isinstance(want, str):
        got, want = float(F(got)), float(F(want))
    return [] if abs(got - want) <= 1e-11 * max(1, abs(want)) else ["%s: %r, table %r" % (at, got, want)]


def gapped(X):
    """X with gaps, in the same places as the test of the table."""
    Z = X.copy()
    for i in range(len(Z)):
        for j in range(Z.shape[1]):
            if (7 * i + 5 * j + i * j) % 9 == 0 or (j == 6 and i % 3 == 0):
                Z[i, j] = np.nan
    return Z


def preorder(t):
    T = t.tree_
    return [{"feature": int(T.feature[i]), "threshold": min(float(T.threshold[i]), 1.7976931348623157e308), "gaps_left": int(T.missing_go_to_left[i]),
             "rows": int(T.n_node_samples[i]), "impurity": float(T.impurity[i])} if T.children_left[i] >= 0 else
            {"feature": -1, "threshold": 0.0, "gaps_left": 0, "rows": int(T.n_node_samples[i]), "impurity": float(T.impurity[i])}
            for i in range(T.node_count)]


@case
def tree_gaps_wine():
    from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
    X, y = labelled("wine.csv")
    Z = gapped(X)
    out = {}
    for name, fit in {"gini": lambda s: DecisionTreeClassifier(max_depth=2, min_samples_leaf=5, random_state=s).fit(Z, y),
                      "entropy": lambda s: DecisionTreeClassifier(criterion="entropy", max_depth=3, min_samples_leaf=5, random_state=s).fit(Z, y),
                      "regression": lambda s: DecisionTreeRegressor(max_depth=2, min_samples_leaf=8, random_state=s).fit(np.delete(Z, 0, 1), X[:, 0])}.items():
        trees = [preorder(fit(s)) for s in range(20)]
        assert all([dict(v, impurity=0) for v in t] == [dict(v, impurity=0) for v in trees[0]] for t in trees), name + ": a tie"
        out[name] = {k: [v[k] for v in trees[0]] for k in trees[0][0]}
    return out


if __name__ == "__main__":
    if sys.argv[1:] == ["--check"]:
        table = {c["id"]: c["expected"] for c in json.load(open(HERE.parent / "references.json"))["cases"]}
        bad = []
        for name in sorted(CASES):
            mp.mp.dps = 50
            bad += differences(name, plain(CASES[name]()), table[name])
        print("\n".join(bad) or "all %d cases agree with the table" % len(CASES))
        sys.exit(bool(bad))
    for name in sys.argv[1:] or sorted(CASES):
        mp.mp.dps = 50
        print(json.dumps({"id": name, "expected": plain(CASES[name]())}), flush=True)
