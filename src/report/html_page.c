#include "report/html_page.h"
#include "report/escape.h"
#include <gpa/version.h>
#include <math.h>

static const char *const STYLE =
    ":root{color-scheme:light "
    "dark;--bg:#f7f6f3;--card:#fff;--ink:#1c1e22;--mute:#6a6f78;"
    "--line:#e4e1db;--pos:#c0402a;--neg:#2a5fb4;--nil:#8b9099;--who:#b5541c;--fill:.20}"
    "\n"
    "@media(prefers-color-scheme:dark){:root{--bg:#14161a;--card:#1c1f24;--ink:#e9e7e2;"
    "--mute:#9aa1ab;--line:#30353c;--pos:#ff8a70;--neg:#86b4ff;--nil:#7d848e;--who:#"
    "f0a05a;--fill:."
    "28}}\n"
    "*{box-sizing:border-box}\n"
    "body{margin:0;background:var(--bg);color:var(--ink);font:16px/1.55 system-ui,"
    "-apple-system,\"Segoe UI\",Roboto,\"Noto Sans\",Ubuntu,sans-serif}\n"
    "main{max-width:920px;margin:0 auto;padding:32px 20px 48px}\n"
    "header p,footer,.lead,figcaption,.eyebrow,dt{color:var(--mute)}\n"
    "h1{font-size:1.05rem;margin:0;font-weight:650}header p{margin:.1rem 0 1.6rem}\n"
    "section{background:var(--card);border:1px solid var(--line);border-radius:14px;"
    "padding:26px 30px;margin:0 0 26px}\n"
    ".eyebrow{margin:0 0 .3rem;font-size:.8rem;letter-spacing:.06em;"
    "text-transform:uppercase}\n"
    "h2{font-size:1.42rem;line-height:1.32;margin:0 0 .6rem;font-weight:650;"
    "text-wrap:balance}\n"
    ".lead{margin:0 0 "
    "1.3rem;font-size:1.03rem}h2,.lead,td,th,dd{overflow-wrap:anywhere}\n"
    ".facts{display:grid;grid-template-columns:repeat(auto-fit,minmax(118px,1fr));"
    "margin:0 0 1.5rem;border:1px solid "
    "var(--line);border-radius:10px;overflow:hidden}\n"
    ".facts div{box-shadow:0 0 0 .5px var(--line);padding:.6rem .85rem}"
    "dt{font-size:.78rem}dd{margin:0}"
    ".facts dd{font-size:1.15rem;font-variant-numeric:tabular-nums}\n"
    "figure{margin:0 0 1.4rem}figcaption{font-size:.84rem;margin-top:.2rem}\n"
    "svg{display:block;width:100%;height:auto;font-size:10.5px}\n"
    "svg text{fill:var(--ink)}svg .name{font-weight:600;paint-order:stroke;"
    "stroke:var(--card);stroke-width:3px;stroke-opacity:.8}\n"
    "svg .val{text-anchor:end;font-variant-numeric:tabular-nums}\n"
    "svg .tick{text-anchor:middle;fill:var(--mute);font-size:.9em}\n"
    ".base{stroke:var(--line);fill:none}.zero{stroke:var(--mute);stroke-dasharray:2 3;"
    "fill:none;stroke-width:.8}\n"
    ".area{fill:var(--c);fill-opacity:var(--fill)}.ridge{fill:none;stroke:var(--c);"
    "stroke-width:1.2;stroke-linejoin:round}\n"
    ".pos{--c:var(--pos)}.neg{--c:var(--neg)}.nil{--c:var(--nil)}\n"
    ".map{fill:var(--c);stroke:var(--card);"
    "stroke-width:1.5}svg .val{fill:var(--c)}\n"
    ".i90,.i50{stroke:var(--ink);stroke-opacity:.75;fill:none}.i90{stroke-width:1}"
    ".i50{stroke-width:3}.stem .i50{stroke:var(--c)}\n"
    ".prior{fill:none;stroke:var(--mute);stroke-width:.8;stroke-dasharray:1.5 2;"
    "stroke-opacity:.8}\n"
    "h3{font-size:1.02rem;margin:1.9rem 0 .3rem;font-weight:650}h3+.lead{font-size:."
    "95rem;margin-bottom:.9rem}\n"
    ".who{margin:0 0 .3rem;table-layout:fixed}.who td{border:0;padding:.2rem .55rem}"
    ".who td.b{padding:0 .2rem}.who th:first-child{width:30%}.who "
    "th:nth-child(3){width:"
    "6.2rem}.who th:nth-child(4){width:6.4rem}"
    ".who tr{color:var(--mute)}.who tr.first{color:var(--ink);font-weight:650}"
    ".who svg.bar{height:.8rem}.bar path{fill:var(--nil)}.bar path.track{fill:"
    "var(--line);fill-opacity:.55}.who tr.first .bar path+path{fill:var(--who)}"
    ".small{color:var(--mute);font-size:.84rem;margin:.1rem 0 1.5rem}\n"
    ".scroll{overflow-x:auto}table{border-collapse:collapse;width:100%;font-size:."
    "92rem;"
    "font-variant-numeric:tabular-nums}\n"
    "th{font-weight:500;color:var(--mute);font-size:.8rem;vertical-align:bottom}\n"
    "th,td{text-align:right;padding:.36rem .55rem;border-bottom:1px solid var(--line);"
    "white-space:nowrap}th:first-child,td:first-child{text-align:left;padding-left:0;"
    "white-space:normal;min-width:5em}\n"
    "tr:last-child td{border-bottom:0}td.d{color:var(--c);font-weight:600}"
    "tr.nil td{color:var(--mute)}\n"
    ".note{border-left:3px solid var(--pos);margin:1rem 0 0;padding:.1rem .8rem}\n"
    "details{margin-top:1.2rem;font-size:.9rem}summary{cursor:pointer;color:var(--mute)"
    "}"
    ".more{display:grid;grid-template-columns:minmax(7em,max-content) 1fr;"
    "gap:.15rem 1.2rem;margin:.7rem 0 0}.more dd{font-family:ui-monospace,Menlo,"
    "\"DejaVu Sans Mono\",monospace;font-size:.84rem;padding-top:.08rem}\n"
    "footer{font-size:.84rem}\n"
    "@media(max-width:640px){main{padding:18px 12px 32px}section{padding:18px 16px}"
    "h2{font-size:1.16rem}svg{font-size:19px}.map{r:7px}.i50{stroke-width:5}"
    ".i90{stroke-width:2}.more{grid-template-columns:1fr}"
    ".who th:nth-child(3){width:5.4rem}.who th:nth-child(4){width:5.2rem}}\n"
    "@media print{section{break-inside:avoid}body{background:#fff}}\n";

void gpai_page_open(gpa_text *t)
{
    gpai_text_add(
        t, "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
           "<meta name=\"viewport\" content=\"width=device-width, "
           "initial-scale=1\">\n<meta http-equiv=\"Content-Security-Policy\" "
           "content=\"default-src 'none'; style-src 'unsafe-inline'\">\n<title>");
}

void gpai_page_body(gpa_text *t, const char *extra)
{
    gpai_text_add(t, "</title>\n<style>\n");
    gpai_text_add(t, STYLE);
    gpai_text_add(t, extra != NULL ? extra : "");
    gpai_text_add(t, "</style>\n</head>\n<body>\n<main>\n");
}

void gpai_page_close(gpa_text *t, const char *footnote)
{
    gpai_text_add(t, "<footer>Made with gpa ");
    gpai_html_text(t, gpa_version());
    gpai_text_add(t, ". ");
    gpai_html_text(t, footnote);
    gpai_text_add(t, "</footer>\n</main>\n</body>\n</html>\n");
}

void gpai_page_term(gpa_text *t, const char *name, const char *text)
{
    if (text == NULL)
        return;
    gpai_text_printf(t, "<dt>%s</dt><dd>", name);
    gpai_html_text(t, text);
    gpai_text_add(t, "</dd>\n");
}

void gpai_page_number(gpa_text *t, const char *name, double value)
{
    char number[GPAI_REAL_SIZE];
    if (!isfinite(value))
        return;
    gpai_real_exact(number, value);
    gpai_page_term(t, name, number);
}
