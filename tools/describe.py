#!/usr/bin/env python3
"""Makes completions and man pages from what the programs say of themselves.

    describe.py FOLDER PROGRAM...

Each program is asked for its commands and options (`help --json`), which it has from the
tables that its parser and its help are made of. FOLDER gets gpa (bash), _gpa (zsh),
gpa.fish, and man1 with a page for each command.
"""
import json
import pathlib
import re
import shutil
import subprocess
import sys

FILES, FOLDERS = "@files", "@folders"


def ask(programs):
    """All commands by name; what one program says of another's is completed by that."""
    commands, version = {}, ""
    for program in programs:
        said = json.loads(subprocess.run([program, "help", "--json"], check=True,
                                         stdout=subprocess.PIPE).stdout)
        version = said["version"]
        for command in said["commands"]:
            commands[command["name"]] = {**commands.get(command["name"], {}), **command}
    return commands, version


def options(command):
    return [o for o in command["options"] if "name" in o]


def choices(option):
    """The words that an option's argument may be, with FILES and FOLDERS for such."""
    found = []
    for part in option["argument"].split("|"):
        if part == "SPEC":
            found += re.findall(r"\b[a-z0-9]+:(?=\S)[a-z0-9]*", option["help"]) + [FILES]
        elif part == "DIR":
            found.append(FOLDERS)
        elif part.startswith(("FILE", "OUT")):
            found.append(FILES)
        elif "=" not in part and re.match("[a-z]", part):
            found.append(re.sub("[A-Z].*", "", part))
    return found


def words_after(command):
    """The words of which one follows the command's name: an experiment, `planted`."""
    found = re.match(r"gpa [a-z]+ \[?([a-z]+(?:\|[a-z]+)*)\]?(?:\s|$)", command["usage"])
    return found.group(1).split("|") if found and found.group(1) != "options" else []


def brief(text):
    """The first clause of a help text."""
    return re.split(r"; | \(|(?<!bench): ", text)[0]


def quoted(text):
    return "'" + text.replace("'", "'\\''") + "'"


BASH = r"""# bash completion for gpa(1), made from the command's own tables.

declare -A _gpa_options _gpa_takes _gpa_next
_gpa_commands=%(commands)s
%(tables)s
_gpa()
{
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
    local command=${COMP_WORDS[1]} takes choice words=
    COMPREPLY=()
    if [ "$word" = = ]; then # bash takes --option=word apart
        word=
    elif [ "$before" = = ]; then
        before=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    takes=${_gpa_takes[$command/$before]-@none}
    if [ "$COMP_CWORD" -eq 1 ]; then
        words="$_gpa_commands help --help --version"
    elif [ "$command" = help ]; then
        words=$_gpa_commands
    elif [ "$takes" != @none ]; then
        for choice in $takes; do
            case $choice in
            @files) COMPREPLY+=($(compgen -f -- "$word")) ;;
            @folders) COMPREPLY+=($(compgen -d -- "$word")) ;;
            *) words+=" $choice" ;;
            esac
        done
    elif [[ $word == -* ]]; then
        words=${_gpa_options[$command]}
    elif [ "$COMP_CWORD" -eq 2 ] && [ -n "${_gpa_next[$command]}" ]; then
        words=${_gpa_next[$command]}
    else
        COMPREPLY=($(compgen -f -- "$word"))
    fi
    COMPREPLY+=($(compgen -W "$words" -- "$word"))
}

complete -o filenames -F _gpa gpa
"""


def bash(commands):
    lines = []
    for name, command in commands.items():
        lines.append(f"_gpa_options[{name}]="
                     + quoted(" ".join("--" + o["name"] for o in options(command))))
        lines += [f"_gpa_takes[{name}/--{o['name']}]=" + quoted(" ".join(choices(o)))
                  for o in options(command) if "argument" in o]
        if words_after(command):
            lines.append(f"_gpa_next[{name}]=" + quoted(" ".join(words_after(command))))
    return BASH % {"commands": quoted(" ".join(commands)), "tables": "\n".join(lines)}


def zsh_action(found):
    """What _arguments does for an argument that may be these."""
    words = " ".join(w.replace(":", "\\:") for w in found if w[0] != "@")
    if FILES in found and words:
        return f" _gpa_either {words}"
    return "_files" if FILES in found else "_files -/" if FOLDERS in found else f"({words})"


def zsh_option(option):
    text = re.sub(r"([][\\])", r"\\\1", brief(option["help"]))
    spec = f"--{option['name']}[{text}]".replace("'", "'\\''")
    if "argument" not in option:
        return f"'{spec}'"
    shown = option["argument"].replace(":", "\\:")
    star = "*" if option["repeated"] else ""
    equals = spec.replace("[", "=[", 1)
    return f"'{star}{equals}:{shown}:{zsh_action(choices(option))}'"


def zsh(commands):
    lines = ["#compdef gpa", "# zsh completion for gpa(1), made from the command's own tables.",
             "", "_gpa_either() {", "    local -a either=(\"$@\")",
             "    _alternative 'words:word:compadd -a either' 'files:file:_files'", "}", "",
             "_gpa() {", "    local -a commands=("]
    lines += [f"        {quoted(name + ':' + c['summary'].replace(':', chr(92) + ':'))}"
              for name, c in commands.items()]
    lines += ["        'help:what a command does'", "    )",
              "    if (( CURRENT == 2 )); then",
              "        _describe command commands",
              "        _arguments '--help[what there is]' '--version[the version]'",
              "        return", "    fi", "    local command=$words[2]",
              "    shift words; (( CURRENT-- ))", "    case $command in",
              "    help) _describe command commands ;;"]
    for name, command in commands.items():
        after = words_after(command)
        action = f"'1:what:({' '.join(after)})' '2:file:_files'" if after else "'*:file:_files'"
        lines.append(f"    {name}) _arguments \\")
        lines += [f"        {zsh_option(o)} \\" for o in options(command)]
        lines.append(f"        {action} ;;")
    return "\n".join([*lines, "    esac", "}", "", 'if [ "$funcstack[1]" = _gpa ]; then',
                      '    _gpa "$@"', "else", "    compdef _gpa gpa", "fi", ""])


def fish_quoted(text):
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def fish(commands):
    first, help_ = "__fish_use_subcommand", "'__fish_seen_subcommand_from help'"
    lines = ["# fish completion for gpa(1), made from the command's own tables.",
             f"complete -c gpa -n {first} -f",
             f"complete -c gpa -n {first} -l help -d 'what there is'",
             f"complete -c gpa -n {first} -l version -d 'the version'",
             f"complete -c gpa -n {first} -a help -d 'what a command does'",
             f"complete -c gpa -n {help_} -f -a {fish_quoted(' '.join(commands))}"]
    for name, command in commands.items():
        about = fish_quoted(command["summary"])
        lines.append(f"complete -c gpa -n {first} -a {name} -d {about}")
        here = f"complete -c gpa -n '__fish_seen_subcommand_from {name}'"
        if words_after(command):
            lines.append(f"{here} -a {fish_quoted(' '.join(words_after(command)))}")
        for o in options(command):
            line = f"{here} -l {o['name']} -d {fish_quoted(brief(o['help']))}"
            if "argument" in o:
                found = choices(o)
                words = [w for w in found if w[0] != "@"]
                if FOLDERS in found:
                    words = ["(__fish_complete_directories)"]
                line += " -r -F" if FILES in found else " -x"
                line += f" -a {fish_quoted(' '.join(words))}" if words else ""
            lines.append(line)
    return "\n".join([*lines, ""])


def roff(text):
    """Text safe for man pages: hyphens that are typed, no line that is a request."""
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq")
    return re.sub(r"^(?=[.])", r"\\&", text.replace("^", "\\(ha").replace("~", "\\(ti"),
                  flags=re.M)


def man(name, command, commands, version):
    lines = [f'.TH GPA\\-{name.upper()} 1 "" "gpa {version}" "User Commands"', ".SH NAME",
             f"gpa\\-{name} \\- {roff(command['summary'])}", ".SH SYNOPSIS", ".nf",
             roff("\n".join(line.strip() for line in command["usage"].splitlines())), ".fi",
             ".SH DESCRIPTION", roff(command["about"].strip()), ".SH OPTIONS"]
    for o in command["options"]:
        if "heading" in o:
            lines.append(f".SS {roff(o['heading'])}")
            continue
        argument = f" \\fI{roff(o['argument'])}\\fR" if "argument" in o else ""
        lines += [".TP", f"\\fB\\-\\-{roff(o['name'])}\\fR{argument}",
                  roff(o["help"][0].upper() + o["help"][1:].rstrip(".") + ".")]
    lines += [".SH EXAMPLES", ".nf", roff(command["examples"].rstrip()), ".fi",
              ".SH EXIT STATUS"]
    for code in command["exit"]:
        lines += [".TP", f".B {code['code']}", roff(code["means"])]
    others = [f".BR gpa\\-{other} (1)" for other in commands if other != name]
    return "\n".join([*lines, ".SH SEE ALSO", ".BR gpa (1),", *(o + "," for o in others[:-1]),
                      others[-1], ""])


def main():
    folder = pathlib.Path(sys.argv[1])
    commands, version = ask(sys.argv[2:])
    for name, text in ("gpa", bash), ("_gpa", zsh), ("gpa.fish", fish):
        (folder / name).write_text(text(commands), encoding="utf-8")
    pages = folder / "man1"
    shutil.rmtree(pages, ignore_errors=True)  # its own time tells ninja that it is new
    pages.mkdir()
    for name, command in commands.items():
        (pages / f"gpa-{name}.1").write_text(man(name, command, commands, version),
                                             encoding="utf-8")


if __name__ == "__main__":
    main()
