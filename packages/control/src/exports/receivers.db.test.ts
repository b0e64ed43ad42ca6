import { gunzipSync } from 'node:zlib'
import { signS3Upload } from '@tidegate/providers'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type ExportSite, startExportSite } from '../../test/export-site.ts'

let site: ExportSite
beforeAll(async () => {
  site = await startExportSite()
})
afterAll(() => site.close())
beforeEach(async () => {
  site.receiver.respond({})
  ;(site.receiver.received as unknown[]).length = 0
  await site.db.deleteFrom('export_destination').execute()
})

const received = () => site.receiver.received
const json = (index: number) => JSON.parse(gunzipSync(received()[index]!.bytes).toString()) as Record<string, unknown>
const paths = () => received().map(({ path }) => path)

describe('an OTLP collector', () => {
  const otlp = (signals: string[]) => ({
    kind: 'otlp' as const,
    url: `${site.receiver.url}/collector/v1/traces/`,
    options: { signals } as never,
    secrets: { headers: 'X-Tenant: a\nAuthorization: Bearer t' } as never,
  })

  it('gets each signal at its path, with the headers of the destination', async () => {
    const userId = await site.addUser()
    await site.addExport(otlp(['traces', 'metrics', 'logs']))
    await site.serve(userId, ['r1'])

    await site.exportAll()

    expect(paths()).toEqual(['/collector/v1/traces', '/collector/v1/metrics', '/collector/v1/logs'])
    expect(received()[0]!.headers).toMatchObject({
      'content-type': 'application/json',
      'content-encoding': 'gzip',
      'x-tenant': 'a',
      authorization: 'Bearer t',
    })
    expect([0, 1, 2].map((index) => Object.keys(json(index)))).toEqual([
      ['resourceSpans'],
      ['resourceMetrics'],
      ['resourceLogs'],
    ])
  })

  it('gets a signal that it accepted only once, because it would add up metrics twice', async () => {
    const userId = await site.addUser()
    await site.addExport(otlp(['metrics', 'traces']))
    await site.serve(userId, ['r1'])
    await site.exportAll()
    await site.db
      .updateTable('export_delivery')
      .set({ state: 'pending', parts: ['metrics'] })
      .execute()

    await site.exportAll()

    expect(paths()).toEqual(['/collector/v1/metrics', '/collector/v1/traces', '/collector/v1/traces'])
    const spansOf = (index: number) => JSON.stringify(json(index))
    expect(spansOf(1)).toBe(spansOf(2))
  })

  it('may reject records of a request that it accepts', async () => {
    const userId = await site.addUser()
    await site.addExport(otlp(['traces']))
    site.receiver.respond({ body: '{"partialSuccess":{"rejectedSpans":"2","errorMessage":"too old"}}' })
    await site.serve(userId, ['r1', 'r2', 'r3'])

    await site.exportAll()

    expect(await site.exportDeliveries()).toMatchObject([{ state: 'delivered', records: 3, rejected: 2 }])
  })
})

describe('Langfuse', () => {
  it('gets generations at its OTLP endpoint', async () => {
    const userId = await site.addUser()
    const secrets = { public_key: 'pk-lf-1', secret_key: 'sk-lf-2' } as never
    await site.addExport({ kind: 'langfuse', url: site.receiver.url, secrets })
    await site.serve(userId, ['r1'], { quota: 1_000_000 })

    await site.exportAll()

    expect(received()).toMatchObject([
      {
        path: '/api/public/otel/v1/traces',
        headers: {
          authorization: `Basic ${Buffer.from('pk-lf-1:sk-lf-2').toString('base64')}`,
          'x-langfuse-ingestion-version': '4',
        },
      },
    ])
    expect(JSON.stringify(json(0))).toContain(String.raw`{\"total\":2}`)
  })

  it('may reject some records with status 207', async () => {
    const userId = await site.addUser()
    const secrets = { public_key: 'pk', secret_key: 'sk' } as never
    await site.addExport({ kind: 'langfuse', url: site.receiver.url, secrets })
    site.receiver.respond({ status: 207, body: '{"successes":[],"errors":[{"id":"1","status":400}]}' })
    await site.serve(userId, ['r1'])

    await site.exportAll()

    expect(await site.exportDeliveries()).toMatchObject([{ state: 'delivered', rejected: 1, response_status: 207 }])
  })
})

describe('S3-compatible storage', () => {
  it('gets one signed object of JSON lines per delivery, under the same name for each attempt', async () => {
    const userId = await site.addUser()
    const secrets = { access_key_id: 'AKID', secret_access_key: 'secret' } as never
    const options = { region: 'eu-west-1', bucket: 'logs', prefix: 'gate/' } as never
    const { id } = await site.addExport({ kind: 's3', url: site.receiver.url, options, secrets })
    await site.serve(userId, ['r1', 'r2'])
    site.receiver.respond({ status: 503 })
    await site.exportAll()
    site.receiver.respond({})
    await site.exportAll()

    const [first, second] = received() as [(typeof site.receiver.received)[0], (typeof site.receiver.received)[0]]
    expect(second.method).toBe('PUT')
    expect(second.path).toMatch(new RegExp(`^/logs/gate/\\d{4}-\\d\\d-\\d\\d/tidegate-${id}-\\d+\\.jsonl\\.gz$`))
    expect(second.path).toBe(first.path)
    const lines = gunzipSync(second.bytes).toString().trim().split('\n')
    expect(lines.map((line) => (JSON.parse(line) as { request_id: string }).request_id)).toEqual(['r1', 'r2'])

    const time = String(second.headers['x-amz-date']).replace(
      /(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z/,
      '$1-$2-$3T$4:$5:$6Z',
    )
    const object = {
      endpoint: site.receiver.url,
      region: 'eu-west-1',
      bucket: 'logs',
      key: second.path.replace('/logs/', ''),
      pathStyle: true,
      accessKeyId: 'AKID',
      secretAccessKey: 'secret',
    }
    const signed = await signS3Upload(object, { body: second.bytes, contentType: 'application/gzip' }, new Date(time))
    expect(second.headers.authorization).toBe(signed.headers['authorization'])
  })
})
