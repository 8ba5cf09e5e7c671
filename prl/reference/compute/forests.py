"""Mean errors of scikit-learn's forests over 40 seeds, with their standard deviations: the case forest-errors."""
import numpy as np
from sklearn.datasets import load_breast_cancer, load_wine
from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier, RandomForestRegressor

SEEDS = range(40)


def tell(name, errors):
    print(name, np.mean(errors), np.std(errors, ddof=1))


for name, load in ("wine", load_wine), ("cancer", load_breast_cancer):
    X, y = load(return_X_y=True)
    even = np.arange(len(y)) % 2 == 0
    tell(name + "_oob", [1 - RandomForestClassifier(100, oob_score=True, random_state=s).fit(X, y).oob_score_ for s in SEEDS])
    for kind, forest in ("_test", RandomForestClassifier), ("_extra", ExtraTreesClassifier):
        tell(name + kind, [1 - forest(100, random_state=s).fit(X[even], y[even]).score(X[~even], y[~even]) for s in SEEDS])
X, _ = load_wine(return_X_y=True)
oob = []
for s in SEEDS:
    f = RandomForestRegressor(100, max_features=4, oob_score=True, random_state=s).fit(X[:, 1:], X[:, 0])
    oob.append(np.mean((f.oob_prediction_ - X[:, 0]) ** 2))
tell("regression_oob", oob)
