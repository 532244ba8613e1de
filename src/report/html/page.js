// Sorting, filtering and folding, where there are several cases. The page is complete
// without it: what the script needs it makes itself, and it only moves and hides what is
// there.
"use strict";
(() => {
    const list = document.querySelector('.cases');
    // What is folded is on paper, too.
    addEventListener('beforeprint', () => document.querySelectorAll('.case[open] details')
        .forEach(e => { e.open = true; }));
    if (!list) return;
    const all = [...list.children];

    // A link to a case opens it.
    const reveal = () => {
        const e = document.getElementById(location.hash.slice(1));
        if (e && e.classList.contains('case')) {
            e.open = true;
            e.scrollIntoView();
        }
    };
    addEventListener('hashchange', reveal);
    reveal();
    if (all.length < 2) return;

    // The style sheet shows the summary first; who hears the page gets it first, too.
    const summary = document.querySelector('.sum');
    if (summary) list.before(summary);

    const bar = document.createElement('div');
    bar.className = 'tools';
    const button = (text, act) => {
        const e = document.createElement('button');
        e.type = 'button';
        e.textContent = text;
        e.addEventListener('click', act);
        bar.append(e);
        return e;
    };

    const number = name => e => +e.dataset[name];
    const keys = [
        ['as found', number('index')],
        ['by row', number('row')],
        ['by score', e => -e.dataset.score],
        ['by probability', e => -e.dataset.sure],
        ['by verdict', e => -e.dataset.kind]
    ];
    // What has no number comes last.
    const value = (key, e) => {
        const v = key(e);
        return Number.isNaN(v) ? Infinity : v;
    };
    const sorts = keys.map(([text, key]) => {
        const b = button(text, () => {
            list.append(...[...all].sort((p, q) =>
                value(key, p) - value(key, q) || p.dataset.index - q.dataset.index));
            sorts.forEach(e => e.setAttribute('aria-pressed', e === b));
        });
        return b;
    });
    // Few are as they were asked for; of many, the worst come first.
    const few = 3;
    sorts.forEach((e, i) => e.setAttribute('aria-pressed', i === 0));
    if (all.length > few && all.some(e => e.dataset.score))
        sorts[2].click();

    const filter = document.createElement('input');
    filter.type = 'search';
    filter.placeholder = 'filter';
    filter.setAttribute('aria-label', 'show only what mentions');
    const count = document.createElement('span');
    const words = all.map(e => e.firstElementChild.textContent.toLowerCase());
    const choose = () => {
        const w = filter.value.trim().toLowerCase();
        let n = 0;
        all.forEach((e, i) => {
            e.hidden = !words[i].includes(w);
            n += !e.hidden;
        });
        count.textContent = n + ' of ' + all.length;
    };
    filter.addEventListener('input', choose);
    bar.append(filter, count);
    choose();
    button('open all', () => all.forEach(e => {
        e.open = !e.hidden;
    }));
    button('fold all', () => all.forEach(e => {
        e.open = false;
    }));
    list.before(bar);
})();
