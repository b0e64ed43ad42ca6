import * as fc from 'fast-check'
import type { AttackSite } from '../support/attack-site.ts'
import { Findings } from '../support/findings.ts'
import { DATA_PLANE_REQUESTS } from './data-plane-requests.ts'
import { hostileBodyFrom } from './hostile-body.ts'
import { hostileText } from './hostile-values.ts'
import { checkHealth, checkResponse } from './check-response.ts'

const FORMS = ['/v1/images/edits', '/v1/images/variations', '/v1/audio/transcriptions', '/v1/audio/translations']

/** Puts hostile values into every field of every data-plane request, and into forms, keys and model names. */
export async function fuzzDataPlane(
  site: AttackSite,
  { cases, seed }: { cases: number; seed: number },
): Promise<Findings> {
  const findings = new Findings()
  const headers = { authorization: `Bearer ${site.user.apiKey}` }
  // The database must accept every row that is stored about a request.
  for (const key of ['LogErrorEnabled', 'LogChatContentEnabled', 'ShadowEnabled']) await site.setOption(key, 'true')
  for (const { name, path, body } of DATA_PLANE_REQUESTS) {
    for (const hostile of fc.sample(hostileBodyFrom(body), { numRuns: cases, seed })) {
      await checkResponse(findings, site.url, { method: 'POST', path, headers, body: hostile }, name)
    }
  }
  for (const path of FORMS) {
    for (const { body, type } of fc.sample(hostileForm, { numRuns: cases, seed })) {
      const sent = { method: 'POST', path, headers: { ...headers, 'content-type': type }, body }
      await checkResponse(findings, site.url, sent, 'a form')
    }
  }
  for (const text of fc.sample(hostileText, { numRuns: cases, seed })) {
    const name = encodeURIComponent(text.toWellFormed()).slice(0, 4_000)
    for (const path of [
      `/v1/models/${name}`,
      `/v1beta/models/${name}:generateContent`,
      `/v1/engines/${name}/embeddings`,
    ]) {
      const method = path.startsWith('/v1/models') ? 'GET' : 'POST'
      await checkResponse(
        findings,
        site.url,
        { method, path, headers, body: method === 'GET' ? undefined : '{}' },
        'a name',
      )
    }
    const key = `Bearer sk-${text.replace(/[^\x20-\x7e]/g, '?').slice(0, 4_000)}`
    await checkResponse(findings, site.url, { path: '/v1/models', headers: { authorization: key } }, 'a key')
  }
  await checkHealth(site, findings)
  return findings
}

interface Form {
  type: string
  body: string
}

const BOUNDARY = 'tide'

/** Multipart forms with wrong headers, some without an end. */
const hostileForm: fc.Arbitrary<Form> = fc
  .record({
    parts: fc.array(
      fc.tuple(fc.constantFrom('model', 'prompt', 'image', 'file', 'n', 'size', '__proto__', ''), hostileText),
      {
        maxLength: 6,
      },
    ),
    file: fc.boolean(),
    ends: fc.boolean(),
    type: fc.constantFrom(
      `multipart/form-data; boundary=${BOUNDARY}`,
      'multipart/form-data',
      'multipart/form-data; boundary=',
      'application/json',
    ),
  })
  .map(({ parts, file, ends, type }) => {
    const heads = parts.map(([name, value]) => {
      const disposition = `form-data; name="${name}"${file ? '; filename="x.wav"\r\nContent-Type: audio/wav' : ''}`
      return `--${BOUNDARY}\r\nContent-Disposition: ${disposition}\r\n\r\n${value}\r\n`
    })
    return { type, body: heads.join('') + (ends ? `--${BOUNDARY}--\r\n` : '') }
  })
