"""gpa.sklearn.GPAExplainer has scikit-learn's manners."""
import pickle
import unittest

from support import needs, planted
import numpy as np

F, X, Y = planted()


@needs("sklearn")
class Explainer(unittest.TestCase):
    def setUp(self):
        from sklearn.linear_model import LinearRegression
        from gpa.sklearn import GPAExplainer
        self.kind = GPAExplainer
        self.model = LinearRegression().fit(X[20:], Y[20:])
        self.explainer = GPAExplainer(self.model, marginals="none", seed=5)

    def test_params(self):
        params = self.explainer.get_params(deep=False)
        self.assertEqual((params["seed"], params["marginals"], params["eta"]),
                         (5, "none", None))
        self.explainer.set_params(eta=.3, model__fit_intercept=False)
        self.assertEqual((self.explainer.eta, self.model.fit_intercept), (.3, False))
        self.assertRaises(ValueError, self.explainer.set_params, nothing=1)
        self.assertIn("GPAExplainer(", repr(self.explainer))

    def test_clone(self):
        from sklearn.base import clone
        again = clone(self.explainer)
        self.assertEqual(again.seed, 5)
        self.assertIsNot(again.model, self.model)
        again.fit(X[20:], Y[20:])  # a clone's model is not fitted: now it is
        np.testing.assert_allclose(again.model_.coef_, self.model.coef_)
        np.testing.assert_array_equal(
            again.explain(X[:3], Y[:3]).delta,
            self.explainer.fit(X[20:], Y[20:]).explain(X[:3], Y[:3]).delta)

    def test_fit_and_explain(self):
        import gpa
        self.assertIs(self.explainer.fit(X[20:], Y[20:]), self.explainer)
        self.assertIs(self.explainer.model_, self.model)
        e = self.explainer.explain(X[5:9], Y[5:9])
        self.assertEqual((e.shape, e.rows), ((4, 4), [[0], [1], [2], [3]]))
        self.assertEqual(int(np.argmax(e[2].responsible)), 0)
        want = gpa.explain(self.model, X[5:9], Y[5:9], reference=(X[20:], Y[20:]),
                           marginals="none", seed=5)
        self.assertEqual(e.to_json(), want.to_json())
        self.assertEqual(self.explainer.explain(X[7], Y[7]).rows, [0])
        self.assertEqual(self.explainer.explain(X[5:9], Y[5:9], collective=True).rows,
                         [0, 1, 2, 3])
        score = self.explainer.score_samples(X[5:9], Y[5:9])
        self.assertEqual(int(np.argmax(score)), 2)
        np.testing.assert_array_equal(score, e.score)

    def test_is_found_where_it_is_looked_for(self):
        import gpa
        self.assertIs(gpa.sklearn.GPAExplainer, self.kind)

    def test_before_fit(self):
        from sklearn.exceptions import NotFittedError
        self.assertRaises(NotFittedError, self.explainer.explain, X, Y)
        self.assertRaises(ValueError, self.kind().fit, X, Y)

    def test_without_outcomes(self):
        """An unlabelled reference: the noise comes from the rows to explain."""
        e = self.explainer.fit(X[20:]).explain(X[:20], Y[:20])
        self.assertEqual(e.shape, (20, 4))
        self.assertAlmostEqual(e[0].prior["sigma"], np.delete((Y - self.model.predict(X))[:20], 7).std())

    def test_any_function(self):
        e = self.kind(F, marginals="none").fit(X[20:], Y[20:]).explain(X[7:8], Y[7:8])
        self.assertEqual(e.verdict[0].kind, "input")

    def test_pickles(self):
        again = pickle.loads(pickle.dumps(self.explainer.fit(X[20:], Y[20:])))
        np.testing.assert_array_equal(again.explain(X[:2], Y[:2]).delta,
                                      self.explainer.explain(X[:2], Y[:2]).delta)


if __name__ == "__main__":
    unittest.main()
