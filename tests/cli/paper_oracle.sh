# The paper's Diabetes table with its authors' model and draws: all 16 cells.
shared=${GPA_SHARED:-$TESTS/../../../shared}/oracle/diabetes
if [ -e "$shared/expected.json" ]; then
    "$GPA" paper table --oracle "$shared" --work w 2> err | grep -q '^16 of 16 cells' || echo 'not all 16 cells'
else
    echo "SKIP: no $shared: the paper's table is not checked"
fi
