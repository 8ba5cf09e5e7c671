"""Writes values.json: densities and neighbours of scikit-learn, for TestAgainstScikitLearn. Run: python values.py (scikit-learn 1.9.1)."""
import json, os
import numpy as np
from sklearn.datasets import load_iris, load_digits
from sklearn.neighbors import KernelDensity, KDTree, BallTree

X = load_iris().data
queries = X[::10] + 0.05
out = {"densities": [], "neighbours": []}
for columns in (1, 2, 4):
    for kernel in ("gaussian", "epanechnikov", "tophat", "linear", "cosine", "exponential"):
        if kernel == "cosine" and columns > 1:
            continue  # its volume there is wrong: log density NaN in four dimensions
        m = KernelDensity(kernel=kernel, bandwidth=0.73, atol=0, rtol=0).fit(X[:, :columns])
        out["densities"].append({"columns": columns, "kernel": kernel, "log": m.score_samples(queries[:, :columns]).tolist()})
D = load_digits().data[:600]
for name, tree, rows, places in (("k-d tree", KDTree, X, queries), ("balls", BallTree, D, D[::60] + 0.5)):
    distances, index = tree(rows).query(places, k=4)
    out["neighbours"].append({"search": name, "distances": distances.tolist()})
with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "values.json"), "w") as f:
    json.dump(out, f)
    f.write("\n")
