# bash completion for gpa(1)

_gpa_options()
{
    local data="--model --target --features --drop --id --no-header --reference --sigma
        --model-config --model-timeout"
    local rows="--rows --top --threshold --all"
    local output="--batch --fail-above --json --csv --out --progress --color --help"
    case $1 in
    score) echo $data $rows $output ;;
    explain) echo $data $rows $output --collective --scale --freeze --bounds --integer \
        --onehot --solver --marginals --marginal-rows --culprit --plausible --eta --nu \
        --a0 --b0 --cb --kappa --noise --slope-sd --slope-nodes --delta-init --max-iter \
        --tol --seed --budget --threads --strict --html ;;
    methods) echo --json --csv --out --help ;;
    bench) echo $data --cases --set --per-kind --plant --methods --scale --seed --threads \
        --batch --json --out --progress --help ;;
    esac
}

_gpa()
{
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
    local command=${COMP_WORDS[1]}
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ]; then
        COMPREPLY=($(compgen -W "score explain methods bench help --help --version" -- "$word"))
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
    --model) COMPREPLY=($(compgen -W "builtin:sinusoid2d mlp: linear: plugin:" -f -- "$word")) ;;
    bench) COMPREPLY=($(compgen -W "planted $(_gpa_options bench)" -- "$word")) ;;
    help) COMPREPLY=($(compgen -W "score explain methods bench" -- "$word")) ;;
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
