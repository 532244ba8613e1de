"""gpa with the manners of scikit-learn."""
from __future__ import annotations

from typing import Any, Optional

from sklearn.base import BaseEstimator, clone
from sklearn.exceptions import NotFittedError
from sklearn.utils.validation import check_is_fitted

from ._explain import explain, explain_given
from ._explanation import Explanation
from ._options import given_options
from ._score import scores_of
from ._study import Study


def fitted(model: Any) -> bool:
    """Whether a model can predict already; functions always can."""
    if not hasattr(model, "fit"):
        return True
    try:
        check_is_fitted(model)
        return True
    except NotFittedError:
        return False


class GPAExplainer(BaseEstimator):
    """Explains new rows by what is normal in the rows it was fitted to.

    ``fit(X, y)`` takes the reference: the noise, the units and what is plausible come from
    it. Rows that the model was not trained on are the honest choice. ``explain(X, y)`` then
    explains every row that it is given. The parameters are those of :func:`gpa.explain`;
    ``get_params``, ``set_params`` and ``clone`` work as they do everywhere.

    A model that is not fitted yet (``clone`` makes such) is fitted by ``fit``, as ``model_``.

    >>> import numpy as np
    >>> from sklearn.base import clone
    >>> from sklearn.linear_model import LinearRegression
    >>> from gpa.sklearn import GPAExplainer
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(200, 3))
    >>> y = X @ [2.0, -1.0, 0.0] + rng.normal(size=200) * 0.1
    >>> model = LinearRegression().fit(X[:100], y[:100])
    >>> explainer = GPAExplainer(model, seed=3).fit(X[100:], y[100:])
    >>> e = explainer.explain(X[:2] + [[3, 0, 0], [0, 0, 0]], y[:2])
    >>> e.shape, e.verdict[0].kind, e.verdict[1].kind
    ((2, 3), 'input', 'normal')
    >>> clone(explainer).get_params()["seed"]
    3
    """

    def __init__(self, model: Any = None, *, feature_names: Any = None,
                 sigma: Optional[float] = None, scale: Any = None, kind: Any = None,
                 levels: Any = None, missing: Optional[str] = None, freeze: Any = None,
                 bounds: Any = None, integer: Any = None, onehot: Any = None,
                 solver: Optional[str] = None, marginals: Optional[str] = None,
                 marginal_rows: Optional[int] = None, culprit: Any = None,
                 plausible: Optional[str] = None, eta: Optional[float] = None,
                 nu: Optional[float] = None, a0: Optional[float] = None,
                 b0: Optional[float] = None, cb: Optional[float] = None,
                 kappa: Optional[float] = None, noise: Optional[str] = None,
                 slope_sd: Optional[float] = None, slope_nodes: Any = None,
                 max_iter: Optional[int] = None, tol: Optional[float] = None,
                 seed: Optional[int] = None, budget: Optional[int] = None,
                 threads: Optional[int] = None, batch: Optional[int] = None,
                 native: Optional[bool] = None, strict: Optional[bool] = None,
                 progress: Any = None) -> None:
        for name, value in list(locals().items()):
            if name != "self":
                setattr(self, name, value)

    def fit(self, X: Any, y: Any = None) -> "GPAExplainer":
        """Takes the reference. Without y it only says what is plausible and in which units;
        the noise must then be given (`sigma`) or comes from the rows to explain."""
        if self.model is None:
            raise ValueError("GPAExplainer(model): a model is needed")
        self.model_ = self.model
        if not fitted(self.model):
            if y is None:
                raise ValueError("the model is not fitted, and cannot be without y")
            self.model_ = clone(self.model).fit(X, y)
        self.reference_ = X if y is None else (X, y)
        width = getattr(X, "shape", (0, 0))
        self.n_features_in_ = int(width[1]) if len(width) == 2 else 0
        return self

    def _given(self) -> Any:
        given = given_options(self.get_params(deep=False), explain.__annotations__)
        return {**given, "reference": self.reference_}

    def explain(self, X: Any, y: Any, *, collective: bool = False) -> Explanation:
        """Explains every row of X, or all of them together."""
        check_is_fitted(self, "reference_")
        given = self._given()
        if collective:
            given["collective"] = True
        return explain_given(self.model_, X, y, self.feature_names, given, self.threads,
                             self.batch, self.progress, every=True)

    def score_samples(self, X: Any, y: Any) -> Any:
        """The anomaly score of every row of X."""
        check_is_fitted(self, "reference_")
        given = {name: value for name, value in self._given().items()
                 if name in ("sigma", "reference", "kind", "levels", "strict")}
        return scores_of(Study("score", self.model_, X, y, given, self.feature_names,
                               batch=self.batch)).scores

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "reference_")


__all__ = ["GPAExplainer"]
