"""The example runs, and the page beside it shows the script as it is."""
import html
import importlib.util
import re
import unittest

from support import ROOT, needs

FOLDER = ROOT / "examples" / "notebook"


@needs("sklearn")
class Notebook(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        spec = importlib.util.spec_from_file_location("render", FOLDER / "render.py")
        cls.render = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(cls.render)
        cls.script = (FOLDER / "diabetes.py").read_text(encoding="utf-8")

    def test_runs(self):
        page = self.render.render(self.script, "diabetes.py")
        self.assertGreaterEqual(page.count("<svg"), 6)
        self.assertRegex(page, r"bmi is [\d.]+ too high")  # the mistake is found
        self.assertEqual(page.count("<pre>"), sum(not text for text, _ in
                                                  self.render.cells(self.script)))

    def test_page_is_of_this_script(self):
        page = (FOLDER / "diabetes.html").read_text(encoding="utf-8")
        shown = [html.unescape(cell) for cell in re.findall(r"<pre>(.*?)</pre>", page, re.S)]
        wanted = [body for text, body in self.render.cells(self.script) if not text]
        self.assertEqual(shown, wanted)


if __name__ == "__main__":
    unittest.main()
