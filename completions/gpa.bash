# bash completion for gpa(1). The command itself is asked what there is, once for each of
# its commands in a shell.

declare -A _gpa_remembered

# _gpa_help PROGRAM [COMMAND]: puts its help into REPLY.
_gpa_help()
{
    [[ ${_gpa_remembered["$*"]+there} ]] ||
        _gpa_remembered["$*"]=$("$@" --help 2>/dev/null)
    REPLY=${_gpa_remembered["$*"]}
}

# _gpa_choose WORD CHOICE...: the choices that begin like the word.
_gpa_choose()
{
    local word=$1
    shift
    COMPREPLY+=($(compgen -W "$*" -- "$word"))
}

# _gpa_argument WORD OPTION HELP: what may follow an option; false when nothing does, or
# there is no such option.
_gpa_argument()
{
    local block argument part choices=() files=
    block=$(sed -n "/^  $2 /,/^  --\|^\$/p" <<<"$3" | sed '1!{/^  --/d}')
    argument=$(sed -n "1s/^  $2 \([^ ].*\)/\1/p" <<<"$block")
    argument=${argument%% *}
    [ -n "$argument" ] || return 1
    for part in ${argument//|/ }; do
        case $part in
        DIR) COMPREPLY+=($(compgen -d -- "$1")) ;;
        SPEC)
            choices+=($(grep -oE '[a-z0-9]+:[a-z0-9]*' <<<"$block"))
            files=1
            ;;
        [A-Z]*) files=1 ;;
        *) choices+=("${part%%[A-Z]*}") ;;
        esac
    done
    _gpa_choose "$1" "${choices[@]}"
    [ -z "$files" ] || COMPREPLY+=($(compgen -f -- "$1"))
    return 0 # also when nothing begins like that
}

_gpa()
{
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
    local program=${COMP_WORDS[0]/#\~/$HOME} commands options next REPLY
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ] || [ "$before" = help ]; then
        _gpa_help "$program"
        commands=$(sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p' <<<"$REPLY")
        [ "$before" = help ] || commands+=" help --help --version"
        _gpa_choose "$word" $commands
        return
    fi
    _gpa_help "$program" "${COMP_WORDS[1]}"
    options=$(sed -n 's/^  \(--[a-z0-9-]*\).*/\1/p' <<<"$REPLY")
    if [[ $before == --* ]] && _gpa_argument "$word" "$before" "$REPLY"; then
        return
    fi
    # the word that follows the command's name in its usage, where that is a choice
    next=$(sed -n '1s/^usage: gpa [a-z]* \[*\([a-z][a-z|]*\).*/\1/p' <<<"$REPLY")
    if [ "$COMP_CWORD" -eq 2 ] && [ -n "$next" ] && [ "$next" != options ]; then
        _gpa_choose "$word" ${next//|/ } $options
    elif [[ $word == -* ]]; then
        _gpa_choose "$word" $options
    else
        COMPREPLY=($(compgen -f -- "$word"))
    fi
}

complete -o filenames -F _gpa gpa
