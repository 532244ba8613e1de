# %% [markdown]
# # From a scikit-learn model to an explanation
#
# A model predicts how diabetes progresses. For some patients it is far off. Is one of the
# inputs wrong, and which? Or is it the recorded outcome?
#
# This notebook needs scikit-learn. Run it cell by cell in an editor that knows `# %%`, or as a
# whole: `python3 render.py diabetes.py diabetes.html`.

# %%
import numpy as np
from sklearn.compose import TransformedTargetRegressor
from sklearn.datasets import load_diabetes
from sklearn.model_selection import train_test_split
from sklearn.neural_network import MLPRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import gpa

# %% [markdown]
# ## A model
#
# Any model will do: something with `.predict`, or a function. This one standardises what goes in
# and what comes out, so that it takes and gives the units of the clinic.

# %%
data = load_diabetes(scaled=False)
names = list(data.feature_names)
X, X_new, y, y_new = train_test_split(data.data, data.target, test_size=0.2, random_state=42)
network = MLPRegressor((32, 8), solver="lbfgs", alpha=15, max_iter=5000, random_state=1)
model = TransformedTargetRegressor(make_pipeline(StandardScaler(), network),
                                   transformer=StandardScaler())
model.fit(X, y)
print(f"R² on {len(y_new)} new patients: {model.score(X_new, y_new):.2f}")

# %% [markdown]
# ## Who is unusual?
#
# `gpa.score` says how surprising each outcome is, given the prediction and the usual error.

# %%
scores = gpa.score(model, X_new, y_new, feature_names=names)
scores

# %% [markdown]
# ## Why?
#
# `gpa.explain` takes the same rows and explains the one of highest score, unless it is told
# otherwise. The others are not idle: how large errors usually are, in which units the inputs are
# measured and which values are plausible is all judged by them.

# %%
e = gpa.explain(model, X_new, y_new, feature_names=names, target="progression")
print(e)

# %% [markdown]
# In a notebook an explanation shows itself: who is responsible with which probability, and what
# would look normal; folded, how all inputs together would have to change, before (grey) and after
# the outcome was seen.

# %%
e

# %% [markdown]
# ## A mistake whose answer is known
#
# In patient 10 the body mass index is computed with pounds in place of kilograms: 2.2 times too
# large. Nobody tells gpa.

# %%
spoilt = X_new.copy()
spoilt[10, names.index("bmi")] *= 2.205
e = gpa.explain(model, spoilt, y_new, rows=10, feature_names=names, target="progression",
                freeze=["age", "sex"])
print(e.verdict)
alone = e.culprit.alone[names.index("bmi")]
low, high = alone.value_interval90
print(f"bmi is {e['bmi'].value:.1f}; {alone.value:.1f} would look normal (90 %: {low:.1f} to "
      f"{high:.1f}). In truth it was {X_new[10, 2]:.1f}.")

# %% [markdown]
# The model along each input, all others as they are: where does it meet the observed outcome
# (dashed)?

# %%
e.plot_profiles(most=4)

# %% [markdown]
# And among all patients, with an arrow to the most probable change:

# %%
e.plot_scatter(spoilt, y_new, inputs=["bmi", "s5"])

# %% [markdown]
# ## Several rows
#
# Explanations of several rows come as a sequence, which is indexed like an array, and has the
# attributes of one over all.

# %%
several = gpa.explain(model, X_new, y_new, top=6, feature_names=names)
print(several.shape, several[0].rows, several.verdict.kind)
print(several[:, ["bmi", "s5"]].culprit.responsible.round(2).tolist())
several.plot_litmus(title="The six most unusual patients")

# %% [markdown]
# ## What other methods say
#
# LIME, integrated gradients and Shapley values explain the prediction, not its deviation: their
# answers do not depend on the outcome. Some need background rows.

# %%
comparison = gpa.compare(model, spoilt, y_new, rows=10, reference=X, feature_names=names,
                         sv_configurations=100)
comparison.plot_litmus()

# %%
for name, figures in comparison.consistency.items():
    print(f"{name:8} Kendall's tau with gpa {figures['tau']['mean']:+.2f}")

# %% [markdown]
# ## New patients, one at a time
#
# `gpa.sklearn.GPAExplainer` learns what is normal from observed rows and then explains whatever
# comes.

# %%
from gpa.sklearn import GPAExplainer

explainer = GPAExplainer(model, feature_names=names, seed=1).fit(X_new, y_new)
patient, outcome = X_new[3].copy(), y_new[3]
patient[names.index("s5")] = np.exp(patient[names.index("s5")]) / 10  # no logarithm, in mg/l
e = explainer.explain(patient, outcome)
print(e.verdict)
np.round(e.responsible, 2).tolist()

# %% [markdown]
# ## To keep
#
# `e.save("why.json")` writes the JSON of `gpa explain --json`, which `gpa.Explanation.load` reads;
# `e.to_html()` is a page, `e.to_frame()` a data frame, `e.to_shap()` what shap's users know.

# %%
print(e.to_json()[:180], "...")
