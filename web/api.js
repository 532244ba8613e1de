// What is asked of the server. Failures are Problems: a title, and a sentence that says what
// to do. Every path is relative, so the page works behind any prefix.

export class Problem extends Error {
  constructor(status, title, detail) {
    super(detail);
    Object.assign(this, { status, title });
  }
}

const GONE = 0;
export const gone = error => error instanceof Problem && error.status === GONE;
export const cancelled = error => error?.name === 'AbortError' || (error instanceof Problem && error.title === 'cancelled');

export function query(parameters) {
  const out = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters))
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== null && one !== undefined) out.append(name, one);
  return out.toString();
}

async function ask(path, options) {
  let answer;
  try {
    answer = await fetch(`api/v1/${path}`, options);
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    throw new Problem(GONE, 'The server does not answer', 'It may have been stopped.');
  }
  if (answer.ok) return answer;
  let problem = {};
  try { problem = await answer.json(); } catch { /* not one of ours: a proxy's */ }
  throw new Problem(answer.status, problem.title ?? 'The server refused', problem.detail ?? `It answered with ${answer.status}.`);
}

export const get = async (path, parameters = {}, signal = null) =>
  (await ask(`${path}?${query(parameters)}`, { signal })).json();

const posted = (body, accept, signal) => ({
  method: 'POST', signal, body: JSON.stringify(body), headers: { 'Content-Type': 'application/json', Accept: accept },
});
export const post = async (path, body, signal = null) => (await ask(path, posted(body, 'application/json', signal))).json();
export const remove = path => ask(path, { method: 'DELETE' });

// Server-sent events of one answer: [event, data as text], as they come.
export async function* events(path, body, signal) {
  const answer = await ask(path, posted(body, 'text/event-stream', signal));
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '', ended = false;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      const blocks = (rest + value).split('\n\n');
      rest = blocks.pop();
      for (const block of blocks) {
        let event = 'message';
        const data = [];
        for (const line of block.split('\n'))
          if (line.startsWith('event:')) event = line.slice(6).trim();
          else if (line.startsWith('data:')) data.push(line.slice(line[5] === ' ' ? 6 : 5));
        if (data.length === 0 && event === 'message') continue; // a comment that keeps it open
        if (event === 'problem') {
          const { status, title, detail } = JSON.parse(data.join('\n'));
          throw new Problem(status, title, detail);
        }
        ended = event === 'done';
        yield [event, data.join('\n')];
      }
    }
  } catch (error) {
    if (error instanceof Problem || error.name === 'AbortError') throw error;
    throw new Problem(GONE, 'The server does not answer', 'It stopped in the middle of an answer.');
  }
  if (!ended) throw new Problem(GONE, 'The server does not answer', 'It stopped in the middle of an answer.');
}

// One kind of question of which only the last counts: an older one is cancelled.
export function latest() {
  let controller = null;
  return {
    next() {
      controller?.abort();
      controller = new AbortController();
      return controller.signal;
    },
    stop() { controller?.abort(); controller = null; },
    running: () => controller !== null && !controller.signal.aborted,
    over(signal) { if (controller?.signal === signal) controller = null; },
  };
}
