import { sql } from 'kysely'
import { until } from '../../until.ts'
import { ask, type Answer, type Question } from '../support/send-request.ts'
import { type AttackSite, MODELS } from '../support/attack-site.ts'
import { brief, type Findings } from '../support/findings.ts'

const MOST_MILLISECONDS = 2_000
const TRIES_WHEN_SLOW = 3

/** Words of a stack, of the database or of a machine. None of them is in what the suite sends. */
const INNER_WORDS = [
  /\n\s+at \S+ \(/,
  /\.(m?js|ts):\d+:\d+/,
  /node_modules|node:internal/,
  /syntax error at or near|violates [\w-]+ constraint|invalid input syntax|out of range for type/,
  /relation ".*" does not exist|column ".*" does not exist|duplicate key value|invalid byte sequence/,
  /PostgresError|ZodError|TypeError|RangeError|SyntaxError|ECONNREFUSED|ENOENT/,
  /\bselect .* from "/i,
]

/** One that shows what was sent. */
export type HostileQuestion = Question & { body?: string | undefined }

/** Sends what may break a server, and looks at what comes back: no failure, no inner words, not late. */
export async function judge(
  findings: Findings,
  url: string,
  question: HostileQuestion,
  about: string,
): Promise<Answer | undefined> {
  const shown = () => `${about} ${brief(question.path, 200)} ${brief(question.body ?? '', 300)}`
  try {
    let answer = await ask(url, question)
    // The machine may have been busy with something else: what is slow is slow again.
    for (let tries = 1; answer.milliseconds > MOST_MILLISECONDS && tries < TRIES_WHEN_SLOW; tries += 1) {
      answer = await ask(url, question)
    }
    const { status, text, milliseconds, code } = answer
    // A refusal by name may have the status: a vendor that cannot be reached is one.
    const failed = status === 500 && (code === '' || code === 'internal_error')
    findings.check(!failed, () => `${shown()} → ${status} ${brief(text)}`)
    const inner = INNER_WORDS.find((words) => words.test(text) && !words.test(question.body ?? ''))
    findings.check(inner === undefined, () => `${shown()} → inner words ${inner} in ${brief(text)}`)
    findings.checkTime(milliseconds <= MOST_MILLISECONDS, () => `${shown()} → took ${Math.round(milliseconds)} ms`)
    return answer
  } catch (error) {
    findings.check(false, () => `${shown()} → ${String(error)}`)
    return undefined
  }
}

/** The server goes on, and what it writes behind its answers has not been poisoned by any of them. */
export async function checkHealth(site: AttackSite, findings: Findings): Promise<void> {
  const { url, user, database } = site
  const { requestId } = await callOnce(url, user.apiKey)
  const written = await until(async () => {
    const { rows } = await sql`select 1 from usage_log where request_id = ${requestId}`.execute(database.db)
    return rows.length > 0
  }, 10_000)
  findings.check(written, () => 'a call after the attack is not in the log')
  await checkAlive(site, findings)
}

/** The same where the attack may have taken every channel away. */
export async function checkAlive({ url, server }: AttackSite, findings: Findings): Promise<void> {
  const ready = await ask(url, { path: '/readyz' })
  findings.check(ready.status === 200, () => `the server is not ready afterwards: ${ready.status}`)
  const troubles = server.logs.filter((line) =>
    /DatabaseError|TypeError|RangeError/.test(JSON.stringify(line.err ?? '')),
  )
  findings.check(
    troubles.length === 0,
    () => `${troubles.length} troubles were logged: ${brief(JSON.stringify(troubles[0]))}`,
  )
}

async function callOnce(url: string, apiKey: string): Promise<{ requestId: string }> {
  const { headers } = await ask(url, {
    method: 'POST',
    path: '/v1/chat/completions',
    headers: { authorization: `Bearer ${apiKey}` },
    body: { model: MODELS.openai, messages: [{ role: 'user', content: 'hi' }] },
  })
  return { requestId: String(headers['x-request-id']) }
}
