# Models behind a server: what the command says and how it ends. The server's port is
# not always the same.
mkfifo life
${PYTHON:-python3} "$TESTS/../servers/liar.py" <life >port &
exec 9>life
while [ ! -s port ]; do sleep 0.05; done
site=http://127.0.0.1:$(cat port)
printf 'age,bmi,s5,y\n1,2,3,14\n2,0.5,1,6.5\n-1,4,0.25,9\n' >data.csv
unset TOKEN NO_TOKEN

run() {
    echo "== $*" | sed "s|$site|SITE|"
    "$GPA" score --csv "$@" data.csv >out 2>err
    echo "exit $?"
    cut -d, -f1,3,4 out
    sed "s|$site|SITE|; s|xxx*|x...|; s|\(port\) .*|\1|" err
}
run --model "v2:$site/v2/models/columns"
run --model "v2:$site/v2/models/json_only"
run --model "mlflow:$site/ok"
run --model "tfserving:$site/v1/models/ok"
run --model "v2:$site/v2/models/nan"
run --model "mlflow:$site/few"
run --model "v2:$site/v2/models/error"
run --model "mlflow:$site/code"
run --model "tfserving:$site/v1/models/hangs" --model-timeout 0.5
run --model "v2:$site/v2/models/secret"
TOKEN=s3cret
export TOKEN
run --model "v2:$site/v2/models/secret" --model-auth env:TOKEN
run --model "v2:$site/v2/models/secret" --model-auth env:NO_TOKEN
run --model "v2:$site/v2/models/secret" --model-auth s3cret
run --model "v2:http://me:s3cret@127.0.0.1/v2/models/secret"
run --model "v2:$site/v2/models/two_outputs"
run --model "v2:$site/v2/models/two_outputs" --model-config output=b
run --model "v2:$site/v2/models/whole" --features s5,bmi,age
printf '2,,1,6\n' >>data.csv # JSON has no NaN: it is not the model that refuses
run --model "mlflow:$site/ok"
exec 9>&-
wait
run --model "v2:$site/v2/models/ok"
