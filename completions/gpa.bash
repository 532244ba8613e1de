# bash completion for gpa(1)

_gpa_options()
{
    case $1 in
    score)
        echo --model --target --features --drop --id --no-header --reference --sigma \
            --model-config --model-timeout --model-workers --model-auth --rows --top \
            --threshold --all --batch --fail-above --json --csv --out --progress \
            --color --help
        ;;
    explain)
        echo --model --target --features --drop --id --no-header --reference --sigma \
            --model-config --model-timeout --model-workers --model-auth --rows --top \
            --threshold --all --collective --scale --freeze --bounds --integer \
            --onehot --solver --marginals --marginal-rows --culprit --plausible --eta \
            --nu --a0 --b0 --cb --kappa --noise --slope-sd --slope-nodes --delta-init \
            --max-iter --tol --seed --budget --threads --batch --fail-above --strict \
            --json --json-full --csv --html --svg --out --progress --color --help
        ;;
    compare)
        echo --model --target --features --drop --id --no-header --reference --sigma \
            --model-config --model-timeout --model-workers --model-auth --rows --top \
            --threshold --all --methods --scale --freeze --bounds --integer --onehot \
            --solver --eta --nu --a0 --b0 --cb --kappa --noise --slope-sd \
            --slope-nodes --delta-init --max-iter --tol --baseline --intervals \
            --eig-rows --lime-samples --lime-l1 --lime-sd --sv --sv-configurations \
            --sv-antithetic --sv-draws --flip --seed --budget --threads --batch --json \
            --json-full --csv --html --svg --out --progress --color --help
        ;;
    model)
        echo --model --target --features --drop --no-header --model-config \
            --model-timeout --model-workers --model-auth --inputs --seed --batch \
            --json --out --help
        ;;
    paper)
        echo --solver --seed --data --oracle --work --svg --threads --json --html --out \
            --progress --help
        ;;
    methods)
        echo --json --csv --out --help
        ;;
    bench)
        echo --model --target --features --drop --id --no-header --reference --sigma \
            --model-config --model-timeout --model-workers --model-auth --cases --set \
            --per-kind --plant --methods --scale --seed --threads --batch --json --out \
            --progress --help
        ;;
    report)
        echo --csv --html --svg --out --color --help
        ;;
    verify)
        echo --model --reference --model-timeout --model-workers --model-auth --threads \
            --batch --progress --help
        ;;
    esac
}

_gpa()
{
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
    local command=${COMP_WORDS[1]}
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ]; then
        COMPREPLY=($(compgen -W "score explain compare model paper methods bench report verify help --help --version" -- "$word"))
        return
    fi
    case $before in
    --solver) COMPREPLY=($(compgen -W "fast thorough paper paper-det" -- "$word")) ;;
    --marginals)
        COMPREPLY=($(compgen -W "exact surrogate plugin paper none" -- "$word"))
        ;;
    --culprit) COMPREPLY=($(compgen -W "on basic off" -- "$word")) ;;
    --plausible) COMPREPLY=($(compgen -W "data reference none" -- "$word")) ;;
    --noise) COMPREPLY=($(compgen -W "constant local" -- "$word")) ;;
    --progress | --color) COMPREPLY=($(compgen -W "auto always never" -- "$word")) ;;
    --scale) COMPREPLY=($(compgen -W "data reference none" -f -- "$word")) ;;
    --model)
        COMPREPLY=($(compgen -W "exec: v2: mlflow: tfserving: plugin: builtin:sinusoid2d" -f -- "$word"))
        ;;
    --sv) COMPREPLY=($(compgen -W "auto sample exact" -- "$word")) ;;
    --flip) COMPREPLY=($(compgen -W "on off" -- "$word")) ;;
    --svg) COMPREPLY=($(compgen -d -- "$word")) ;;
    --baseline) COMPREPLY=($(compgen -W "zero reference" -f -- "$word")) ;;
    paper)
        COMPREPLY=($(compgen -W "sinusoid diabetes boston california table all $(_gpa_options paper)" -- "$word"))
        ;;
    bench) COMPREPLY=($(compgen -W "planted $(_gpa_options bench)" -- "$word")) ;;
    help)
        COMPREPLY=($(compgen -W "score explain compare model paper methods bench report verify" -- "$word"))
        ;;
    *)
        if [[ $word == -* ]]; then
            COMPREPLY=($(compgen -W "$(_gpa_options "$command")" -- "$word"))
        else
            COMPREPLY=($(compgen -f -- "$word"))
        fi
        ;;
    esac
}

complete -o filenames -F _gpa gpa
