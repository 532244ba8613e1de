"""gpa on the workers of a Dask cluster.

    client = distributed.Client(...)
    e = gpa.dask.explain(client, "xgboost:model.json", ddf, "y", top=100)
"""
from __future__ import annotations

from typing import Any, List

from .._explain import explain as _explain, explain_given
from .._explanation import Explanation
from .._jobs import explain_part
from .._options import given_options

RETRIES = 3  # of a part, when its worker was lost


def explain(client: Any, model: Any, X: Any, y: Any = None, *, feature_names: Any = None,
            batch: Any = None, retries: int = RETRIES, **options: Any) -> Explanation:
    """Explains rows on the workers of a cluster: :func:`gpa.explain`, with the same options
    and the same bytes.

    Parameters
    ----------
    client
        A ``distributed.Client``.
    model
        As in :func:`gpa.explain`; a spec is opened by every worker for itself (its files, or
        its server, must be there), anything else is pickled once.
    X, y
        A Dask data frame with the name of its outcome's column; or whatever
        :func:`gpa.explain` takes. The table itself is brought to the client and to every
        worker: what is normal is judged by all of its rows.
    retries
        How often a part of the rows is tried again when its worker is lost.

    Of a cluster on this machine, for instance::

        with distributed.Client(n_workers=2) as client:
            e = gpa.dask.explain(client, model, X, y, top=20)
    """
    if hasattr(X, "dask"):
        X = client.compute(X, sync=True)
    y = client.compute(y, sync=True) if hasattr(y, "dask") else y
    given = given_options(options, _explain.__annotations__)

    def run(question: bytes, parts: List[List[int]]) -> Any:
        sent = client.scatter(question, broadcast=True, hash=False)
        futures = [client.submit(explain_part, sent, part, retries=retries, pure=False)
                   for part in parts]
        return client.gather(futures)
    workers = max(len(client.scheduler_info()["workers"]), 1)
    return explain_given(model, X, y, feature_names, given, None, batch, "never",
                         run=(workers, run))
