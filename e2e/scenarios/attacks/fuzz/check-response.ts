import { sql } from 'kysely'
import { until } from '../../until.ts'
import { sendRequest, type HttpResponse, type HttpRequest } from '../support/send-request.ts'
import { type AttackSite, MODELS } from '../support/attack-site.ts'
import { brief, type Findings } from '../support/findings.ts'

const MAX_MILLISECONDS = 2_000
const TRIES_WHEN_SLOW = 3

/** Fragments of stack traces, database errors and machine details. The suite sends none of them itself. */
const INTERNAL_PATTERNS = [
  /\n\s+at \S+ \(/,
  /\.(m?js|ts):\d+:\d+/,
  /node_modules|node:internal/,
  /syntax error at or near|violates [\w-]+ constraint|invalid input syntax|out of range for type/,
  /relation ".*" does not exist|column ".*" does not exist|duplicate key value|invalid byte sequence/,
  /PostgresError|ZodError|TypeError|RangeError|SyntaxError|ECONNREFUSED|ENOENT/,
  /\bselect .* from "/i,
]

/** A form of the request for messages. */
export type HostileRequest = HttpRequest & { body?: string | undefined }

/** Sends a hostile request and checks the response: no server error, no internal details, no delay. */
export async function checkResponse(
  findings: Findings,
  url: string,
  request: HostileRequest,
  about: string,
): Promise<HttpResponse | undefined> {
  const describeRequest = () => `${about} ${brief(request.path, 200)} ${brief(request.body ?? '', 300)}`
  try {
    let response = await sendRequest(url, request)
    // A busy machine can delay one response, so a slow request is repeated.
    for (let tries = 1; response.milliseconds > MAX_MILLISECONDS && tries < TRIES_WHEN_SLOW; tries += 1) {
      response = await sendRequest(url, request)
    }
    const { status, text, milliseconds, code } = response
    // An `ApiError` with a code may have this status, such as an unreachable provider.
    const failed = status === 500 && (code === '' || code === 'internal_error')
    findings.check(!failed, () => `${describeRequest()} → ${status} ${brief(text)}`)
    const inner = INTERNAL_PATTERNS.find((pattern) => pattern.test(text) && !pattern.test(request.body ?? ''))
    findings.check(inner === undefined, () => `${describeRequest()} → internal text ${inner} in ${brief(text)}`)
    findings.checkTime(
      milliseconds <= MAX_MILLISECONDS,
      () => `${describeRequest()} → took ${Math.round(milliseconds)} ms`,
    )
    return response
  } catch (error) {
    findings.check(false, () => `${describeRequest()} → ${String(error)}`)
    return undefined
  }
}

/** Checks that the server still works and that write-behind rows are not broken by the requests. */
export async function checkHealth(site: AttackSite, findings: Findings): Promise<void> {
  const { url, user, database } = site
  const { requestId } = await sendOnce(url, user.apiKey)
  const written = await until(async () => {
    const { rows } = await sql`select 1 from usage_log where request_id = ${requestId}`.execute(database.db)
    return rows.length > 0
  }, 10_000)
  findings.check(written, () => 'a call after the attack is not in the log')
  await checkAlive(site, findings)
}

/** Checks only that the server is alive, for attacks that may have disabled every channel. */
export async function checkAlive({ url, server }: AttackSite, findings: Findings): Promise<void> {
  const ready = await sendRequest(url, { path: '/readyz' })
  findings.check(ready.status === 200, () => `the server is not ready afterwards: ${ready.status}`)
  const failures = server.logs.filter((line) =>
    /DatabaseError|TypeError|RangeError/.test(JSON.stringify(line.err ?? '')),
  )
  findings.check(
    failures.length === 0,
    () => `${failures.length} failures were logged: ${brief(JSON.stringify(failures[0]))}`,
  )
}

async function sendOnce(url: string, apiKey: string): Promise<{ requestId: string }> {
  const { headers } = await sendRequest(url, {
    method: 'POST',
    path: '/v1/chat/completions',
    headers: { authorization: `Bearer ${apiKey}` },
    body: { model: MODELS.openai, messages: [{ role: 'user', content: 'hi' }] },
  })
  return { requestId: String(headers['x-request-id']) }
}
