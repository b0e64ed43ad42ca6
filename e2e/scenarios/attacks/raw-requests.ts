import { connect, type Socket } from 'node:net'
import { sendRequest } from './support/send-request.ts'
import { type AttackSite, MODELS } from './support/attack-site.ts'
import { brief, Findings } from './support/findings.ts'
import { exchange, MEGABYTE, MAX_GROWTH_BYTES, residentBytes, SOON_MS } from './support/raw-exchange.ts'

const SMUGGLED = '/api/user/self'
const JSON_TYPE = 'Content-Type: application/json'
const CHAT = `{"model":"${MODELS.openai}","messages":[{"role":"user","content":"hi"}]}`

/** Requests that end in different places for different parsers. None may be parsed as two or accepted as valid. */
export async function smuggleRequests(site: AttackSite): Promise<Findings> {
  const findings = new Findings()
  const key = `Authorization: Bearer ${site.user.apiKey}`
  const good = await exchange(
    site.server.port,
    post('/v1/chat/completions', [key, JSON_TYPE, `Content-Length: ${CHAT.length}`], CHAT),
  )
  findings.check(good.statuses.join() === '200', () => `a valid request got ${brief(good.text)}`)
  for (const path of ['/v1/chat/completions', '/api/user/login']) {
    for (const [name, bytes] of Object.entries(doubtfulRequests(path, key, SMUGGLED))) {
      const { statuses, text, milliseconds } = await exchange(site.server.port, bytes)
      const rejected = statuses.length === 0 || (statuses.length === 1 && statuses[0]! >= 400 && statuses[0] !== 500)
      findings.check(rejected, () => `${name} at ${path} got ${statuses.join(', ')}: ${brief(text)}`)
      findings.checkTime(milliseconds < SOON_MS, () => `${name} at ${path} took ${Math.round(milliseconds)} ms`)
    }
  }
  return findings
}

/** Malformed requests by defect. Each hides a second request for request smuggling. */
export function doubtfulRequests(path: string, key: string, hiddenPath: string): Record<string, string> {
  const hidden = `GET ${hiddenPath} HTTP/1.1\r\nHost: x\r\n\r\n`
  return {
    'both lengths': post(
      path,
      [key, JSON_TYPE, 'Content-Length: 4', 'Transfer-Encoding: chunked'],
      `0\r\n\r\n${hidden}`,
    ),
    'two lengths': post(path, [key, JSON_TYPE, 'Content-Length: 2', 'Content-Length: 40'], `{}${hidden}`),
    'a list of lengths': post(path, [key, JSON_TYPE, 'Content-Length: 2, 40'], `{}${hidden}`),
    'a length with a sign': post(path, [key, JSON_TYPE, 'Content-Length: +2'], `{}${hidden}`),
    'a length in hex': post(path, [key, JSON_TYPE, 'Content-Length: 0x2'], `{}${hidden}`),
    'a folded header': post(path, [key, JSON_TYPE, 'Transfer-Encoding:', ' chunked'], `0\r\n\r\n${hidden}`),
    'an unknown coding': post(path, [key, JSON_TYPE, 'Transfer-Encoding: xchunked'], `0\r\n\r\n${hidden}`),
    'chunked twice': post(path, [key, JSON_TYPE, 'Transfer-Encoding: chunked, chunked'], `0\r\n\r\n${hidden}`),
    'chunked and identity': post(
      path,
      [key, JSON_TYPE, 'Transfer-Encoding: chunked', 'Transfer-Encoding: identity'],
      `0\r\n\r\n${hidden}`,
    ),
    'space before the colon': post(path, [key, JSON_TYPE, 'Transfer-Encoding : chunked'], `0\r\n\r\n${hidden}`),
    'bare line feeds': `POST ${path} HTTP/1.1\nHost: x\n${key}\nContent-Length: 2\n\n{}${hidden}`,
    'a zero in a header': post(path, [key, 'X-Zero: a\0b', 'Content-Length: 2'], `{}`),
    'a bare return in a header': post(path, [key, 'X-Return: a\rX-Forged: 1', 'Content-Length: 2'], '{}'),
    'a chunk that lies': post(path, [key, JSON_TYPE, 'Transfer-Encoding: chunked'], `zz\r\n{}\r\n0\r\n\r\n`),
    'an endless chunk size': post(path, [key, JSON_TYPE, 'Transfer-Encoding: chunked'], `${'f'.repeat(40)}\r\n{}`),
    'no host at all': `POST ${path} HTTP/1.1\r\n${key}\r\nContent-Length: 2\r\n\r\n{}`,
    'another protocol': `POST ${path} HTTP/9.9\r\nHost: x\r\n\r\n`,
    'headers without end': post(
      path,
      [key, ...Array.from({ length: 3_000 }, (_, index) => `X-${index}: ${'a'.repeat(20)}`)],
      '',
    ),
    'a header without end': post(path, [key, `X-Long: ${'a'.repeat(64 * 1024)}`], ''),
  }
}

function post(path: string, head: readonly string[], body: string): string {
  return `POST ${path} HTTP/1.1\r\nHost: x\r\n${head.join('\r\n')}\r\n\r\n${body}`
}

/** Pipelines many requests on one connection. Each gets its own response, in order. */
export async function pipeline(site: AttackSite, { requests }: { requests: number }): Promise<Findings> {
  const findings = new Findings()
  const before = await residentBytes(site)
  const key = `Authorization: Bearer ${site.user.apiKey}`
  // Every second request is rejected, so that responses out of order are detected. The last one closes the connection.
  const expected = Array.from({ length: requests }, (_, index) => (index % 2 === 0 ? 404 : 200))
  const bytes = expected.map((status, index) => {
    const path = status === 200 ? '/v1/models' : '/v1/nothing'
    const ending = index === requests - 1 ? 'close' : 'keep-alive'
    return `GET ${path} HTTP/1.1\r\nHost: x\r\n${key}\r\nConnection: ${ending}\r\n\r\n`
  })
  const { statuses, milliseconds } = await exchange(site.server.port, bytes.join(''), SOON_MS)
  findings.check(statuses.join() === expected.join(), () => `${requests} in one breath: ${brief(statuses.join())}`)
  findings.checkTime(milliseconds < SOON_MS, () => `${requests} in one breath took ${Math.round(milliseconds)} ms`)
  const grown = (await residentBytes(site)) - before
  findings.check(grown < MAX_GROWTH_BYTES, () => `the process grew by ${Math.round(grown / MEGABYTE)} MB`)
  return findings
}

/** Bodies that are too long, too deep or endless are rejected in time and without buffering them. */
export async function sendOversizedBodies(site: AttackSite, { times }: { times: number }): Promise<Findings> {
  const findings = new Findings()
  const before = await residentBytes(site)
  const key = { authorization: `Bearer ${site.user.apiKey}` }
  const deep = '['.repeat(100_000) + ']'.repeat(100_000)
  const bodies = [
    { path: '/v1/chat/completions', body: CHAT.replace('hi', 'a'.repeat(33 * MEGABYTE)), statuses: [413] },
    { path: '/v1/chat/completions', body: CHAT.replace('"hi"', deep), statuses: [400] },
    { path: '/v1/messages', body: deep, statuses: [400] },
    { path: '/api/user/login', body: `{"username":"${'a'.repeat(2 * MEGABYTE)}"}`, statuses: [413] },
    { path: '/api/user/login', body: deep, statuses: [413] },
    { path: '/api/user/login', body: deep.slice(70_000, 130_000), statuses: [200, 400] },
  ]
  for (let round = 0; round < times; round += 1) {
    for (const { path, body, statuses } of bodies) {
      const started = performance.now()
      const status = await sendRequest(site.url, { method: 'POST', path, headers: key, body }).then(
        (response) => response.status,
        (error: NodeJS.ErrnoException) => error.code ?? error.message,
      )
      // A connection closed before the body was sent is a rejection too.
      const rejected = ['EPIPE', 'ECONNRESET', ...statuses].includes(status)
      findings.check(rejected, () => `${path} took ${body.length} bytes: ${status}`)
      const took = performance.now() - started
      findings.checkTime(took < SOON_MS, () => `${path} took ${Math.round(took)} ms to be rejected`)
    }
    await streamEndlessBody(site, findings)
  }
  const grown = (await residentBytes(site)) - before
  findings.check(grown < MAX_GROWTH_BYTES, () => `the process grew by ${Math.round(grown / MEGABYTE)} MB`)
  return findings
}

/** A chunked body without a last chunk is rejected while it is still being sent. */
async function streamEndlessBody(site: AttackSite, findings: Findings): Promise<void> {
  for (const path of ['/v1/chat/completions', '/api/user/login']) {
    const socket = connect(site.server.port, '127.0.0.1')
    let text = ''
    socket.setEncoding('latin1').on('data', (piece: string) => (text += piece))
    const over = new Promise<void>((resolve) => void socket.once('close', () => resolve()).on('error', () => resolve()))
    const head = [`POST ${path} HTTP/1.1`, 'Host: x', `Authorization: Bearer ${site.user.apiKey}`]
    socket.write(`${head.join('\r\n')}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`)
    const chunk = `10000\r\n${'a'.repeat(0x10000)}\r\n`
    let sent = 0
    while (!text.includes('\r\n') && !socket.destroyed && sent < 200 * MEGABYTE) {
      sent += chunk.length
      if (!socket.write(chunk)) await Promise.race([waitForDrain(socket), over])
      await new Promise(setImmediate) // lets the response arrive
    }
    socket.destroy()
    // A reset may arrive before the response is read.
    const isRejected = text.startsWith('HTTP/1.1 4') || (text === '' && sent < 200 * MEGABYTE)
    findings.check(isRejected, () => `${path} took ${sent} bytes without an end: ${brief(text)}`)
  }
}

function waitForDrain(socket: Socket): Promise<void> {
  return new Promise((resolve) => void socket.once('drain', () => resolve()))
}
