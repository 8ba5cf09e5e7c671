# values of scikit-learn's isolation forest; c(m) of leaves and of the sample is exact
import json,numpy as np,sklearn
from sklearn.ensemble import IsolationForest
r=np.random.default_rng(11)
X=np.round(r.standard_normal((40,3)),3).astype(np.float32).astype(float)
X[0]=[4,-3,5]; X[7]=X[8]
m=IsolationForest(n_estimators=6,max_samples=16,random_state=3).fit(X)
H=lambda k: sum(1/i for i in range(1,k+1))
c=lambda k: 0. if k<2 else 2*H(k-1)-2*(k-1)/k
Q=np.vstack([X[:12],[[0,0,0],[1,1,-1],[-6,6,2]]])
trees=[];paths=np.zeros(len(Q))
for e in m.estimators_:
    t=e.tree_
    nodes=[[int(max(t.feature[i],0)),int(max(t.children_right[i],0)),float(t.threshold[i]) if t.children_left[i]>=0 else 0.,int(t.n_node_samples[i])] for i in range(t.node_count)]
    trees.append(nodes)
    leaf=t.apply(Q.astype(np.float32))
    depth=np.asarray(t.decision_path(Q.astype(np.float32)).sum(1)).ravel()-1
    paths+=depth+np.array([c(int(t.n_node_samples[l])) for l in leaf])
paths/=len(trees)
print(sklearn.__version__)
json.dump(dict(source=f"scikit-learn {sklearn.__version__}, IsolationForest(n_estimators=6, max_samples=16, random_state=3)",size=16,trees=trees,X=Q.tolist(),paths=paths.tolist(),scores=(2**(-paths/c(16))).tolist(),sklearn=(-m.score_samples(Q)).tolist()),open('isolation.json','w'))
# the distribution of scores on drawn data
from math import *
def drawn(n):
    # normal quantiles of multiples of irrational numbers, the first 20 rows three times as far
    from scipy.stats import norm
    i=np.arange(1,n+1)
    X=np.column_stack([norm.ppf((i*a)%1) for a in (sqrt(2)-1,sqrt(3)-1,(sqrt(5)-1)/2)])
    X[:20]*=3
    return X
X=drawn(2000)
S=np.array([-IsolationForest(n_estimators=400,random_state=s,n_jobs=1).fit(X).score_samples(X) for s in range(8)])
mean=S.mean(0)
pick=[0,1,2,3,4,5,6,7,8,9,19,20,21,22,23,24,25,100,500,1000,1500,1999]
print('quantiles',np.quantile(mean,[.01,.1,.25,.5,.75,.9,.99]).round(5).tolist())
print('sd over seeds of a score',S.std(0,ddof=1).mean())
print(json.dumps(dict(rows=pick,scores=mean[pick].round(5).tolist())))
