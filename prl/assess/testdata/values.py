"""Reference values for assess, by scikit-learn and SciPy: python values.py > values.json (scikit-learn 1.9.1, SciPy 1.17.1)."""

import json

import numpy as np
from scipy import stats
from sklearn import metrics

r = np.random.default_rng(17)


def scored(n, digits):
    truth = r.integers(0, 2, n)
    truth[:2], truth[2:4] = 0, 1
    a = np.round(r.normal(size=n) + truth, digits)
    b = np.round(0.5 * a + r.normal(size=n) + 0.5 * truth, digits)
    return truth, a, b


def placements(truth, s):
    pos, neg = s[truth == 1], s[truth == 0]
    psi = (pos[:, None] > neg[None, :]) + 0.5 * (pos[:, None] == neg[None, :])
    return psi.mean(), psi.mean(1), psi.mean(0)


def delong(truth, a, b):
    """The definition, with all pairs: covariance of the placements of both scores."""
    (ua, pa, na), (ub, pb, nb) = placements(truth, a), placements(truth, b)
    cov = np.cov(pa, pb) / len(pa) + np.cov(na, nb) / len(na)
    sd = np.sqrt(cov[0, 0] + cov[1, 1] - 2 * cov[0, 1])
    return {"auc": ua, "sd": np.sqrt(cov[0, 0]), "difference": ua - ub, "p": 2 * stats.norm.sf(abs(ua - ub) / sd)}


out = {"auc": [], "loss": [], "calibration": [], "partition": [], "silhouette": [], "wilcoxon": [], "mcnemar": [], "wilson": [], "t": [],
       "f": [], "confusion": [], "regression": []}
for n, digits in [(12, 1), (60, 1), (200, 3)]:
    truth, a, b = scored(n, digits)
    out["auc"].append({"truth": truth.tolist(), "a": a.tolist(), "b": b.tolist(), **delong(truth, a, b)})
for n, k in [(9, 2), (40, 3), (100, 7)]:
    truth = r.integers(0, k, n)
    truth[:k] = range(k)
    p = r.dirichlet(np.ones(k), n)
    w = r.uniform(0.1, 3, n)
    onehot = np.eye(k)[truth]
    out["loss"].append({"truth": truth.tolist(), "proba": p.tolist(), "weights": w.tolist(),
                        "log": metrics.log_loss(truth, p), "logw": metrics.log_loss(truth, p, sample_weight=w),
                        "brier": float(np.mean(np.sum((p - onehot) ** 2, 1)))})
from sklearn.calibration import calibration_curve
for n, bins in [(30, 5), (200, 10)]:
    p = r.uniform(size=n)
    truth = (r.uniform(size=n) < p**2).astype(int)
    observed, predicted = calibration_curve(truth, p, n_bins=bins)
    out["calibration"].append({"truth": truth.tolist(), "p": p.tolist(), "bins": bins, "observed": observed.tolist(), "predicted": predicted.tolist()})
for n, k, l in [(5, 2, 2), (30, 3, 4), (200, 10, 6)]:
    a, b = r.integers(0, k, n), r.integers(0, l, n)
    b = np.where(r.uniform(size=n) < 0.5, a % l, b)
    out["partition"].append({"a": a.tolist(), "b": b.tolist(), "ari": metrics.adjusted_rand_score(a, b),
                             "mi": metrics.mutual_info_score(a, b), "nmi": metrics.normalized_mutual_info_score(a, b),
                             "ami": metrics.adjusted_mutual_info_score(a, b)})
for n, d, k in [(8, 1, 2), (40, 3, 4)]:
    x, labels = r.normal(size=(n, d)), r.integers(0, k, n)
    labels[:k] = range(k)
    out["silhouette"].append({"x": x.tolist(), "labels": labels.tolist(), "want": metrics.silhouette_samples(x, labels).tolist()})
for n, digits in [(6, 6), (20, 6), (40, 6), (15, 0), (80, 4)]:
    d = np.round(r.normal(size=n) * 3 + 0.6, digits)
    d = d[d != 0]
    method = "exact"  # which knows no ties; a small sample with ties goes through all choices of signs
    if len(set(np.abs(d))) < len(d):
        method = stats.PermutationMethod(n_resamples=np.inf) if len(d) <= 16 else "asymptotic"
    if len(d) > 50:
        method = "asymptotic"
    out["wilcoxon"].append({"d": d.tolist(), "p": stats.wilcoxon(d, method=method, correction=False).pvalue})
for b, c in [(0, 0), (3, 3), (1, 8), (10, 25), (0, 6), (400, 520)]:
    out["mcnemar"].append([b, c, stats.binomtest(b, b + c).pvalue if b + c else 1.0])
for k, n in [(0, 7), (7, 7), (3, 10), (450, 1000)]:
    ci = stats.binomtest(k, n).proportion_ci(0.9, method="wilson")
    out["wilson"].append([k, n, ci.low, ci.high])
for k in (3, 10):
    d = r.normal(size=k) + 0.3
    train, test = 90, 10
    sd = np.sqrt(d.var(ddof=1) * (1 / k + test / train))
    t = d.mean() / sd
    half = stats.t.ppf(0.975, k - 1) * sd
    out["t"].append({"d": d.tolist(), "mean": d.mean(), "lo": d.mean() - half, "hi": d.mean() + half, "p": 2 * stats.t.sf(abs(t), k - 1)})
d = r.normal(size=(5, 2)) + 0.5
f = (d**2).sum() / (2 * ((d - d.mean(1, keepdims=True)) ** 2).sum())
out["f"].append({"d": d.tolist(), "p": stats.f.sf(f, 10, 5)})
for n, k in [(20, 3), (100, 5)]:
    y, p = r.integers(0, k, n), r.integers(0, k, n)
    y[:k] = range(k)
    out["confusion"].append({"y": y.tolist(), "p": p.tolist(), "f1": metrics.f1_score(y, p, average="macro"),
                             "precision": metrics.precision_score(y, p, average="macro", zero_division=0),
                             "recall": metrics.recall_score(y, p, average="macro")})
y, p, w = r.normal(size=30), r.normal(size=30), r.uniform(0.1, 2, 30)
out["regression"].append({"y": y.tolist(), "p": p.tolist(), "w": w.tolist(), "mse": metrics.mean_squared_error(y, p),
                          "mae": metrics.mean_absolute_error(y, p), "r2": metrics.r2_score(y, p),
                          "msew": metrics.mean_squared_error(y, p, sample_weight=w), "r2w": metrics.r2_score(y, p, sample_weight=w)})
out["weighted"], out["areas"], out["fbeta"] = [], [], []
p, w = r.uniform(size=60), r.integers(1, 4, 60)  # a weight of k is k rows
truth = (r.uniform(size=60) < p).astype(int)
observed, predicted = calibration_curve(np.repeat(truth, w), np.repeat(p, w), n_bins=8)
out["weighted"].append({"truth": truth.tolist(), "p": p.tolist(), "w": w.tolist(), "bins": 8, "observed": observed.tolist(),
                        "predicted": predicted.tolist()})
for n, k in [(30, 3), (120, 5)]:
    truth = r.integers(0, k, n)
    truth[:k] = range(k)
    p = np.round(r.dirichlet(np.ones(k), n) + np.eye(k)[truth] * 0.3, 2) + 0.01  # with ties
    p /= p.sum(1, keepdims=True)
    w = r.uniform(0.1, 3, n)
    area = lambda **more: metrics.roc_auc_score(truth, p, **more)
    out["areas"].append({"truth": truth.tolist(), "p": p.tolist(), "w": w.tolist(),
                         "want": [area(multi_class="ovr", average=a) for a in ("macro", "weighted", "micro")] + [area(multi_class="ovo")],
                         "wantw": [area(multi_class="ovr", average=a, sample_weight=w) for a in ("macro", "weighted", "micro")]})
    q = r.integers(0, k, n)
    q[:k] = range(k)
    out["fbeta"].append({"y": truth.tolist(), "p": q.tolist(), "two": metrics.fbeta_score(truth, q, beta=2, average=None).tolist(),
                         "half": metrics.fbeta_score(truth, q, beta=0.5, average=None).tolist()})
print(json.dumps(out))
