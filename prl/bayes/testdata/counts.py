# The values of counts_test.go, by scikit-learn 1.9.1: python counts.py
import numpy as np
from sklearn.datasets import load_digits
from sklearn.naive_bayes import BernoulliNB, CategoricalNB, ComplementNB, MultinomialNB

X, y = load_digits(return_X_y=True)
train, test = np.arange(len(y)) % 2 == 0, np.arange(len(y)) % 2 == 1
for name, m, Z in [
    ("MultinomialNB", MultinomialNB(alpha=0.5), X),
    ("BernoulliNB", BernoulliNB(alpha=0.5, binarize=7.5), X),
    ("ComplementNB", ComplementNB(alpha=0.5), X),
    ("CategoricalNB", CategoricalNB(alpha=0.5), (X > 7.5).astype(int)),
]:
    m.fit(Z[train], y[train])
    wrong = int((m.predict(Z[test]) != y[test]).sum())
    score = m.predict_joint_log_proba(Z[test][:1])[0]
    print(f'{{"{name}", {wrong}, []float64{{{", ".join(repr(float(v)) for v in score[:3])}}}}},')
