import { createHash, createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { type S3Object, signS3Upload } from './sign-s3.ts'

const OBJECT: S3Object = {
  endpoint: 'https://s3.eu-central-1.amazonaws.com',
  region: 'eu-central-1',
  bucket: 'request-logs',
  key: 'prod/2026-11-19/tidegate-1-2.jsonl.gz',
  pathStyle: true,
  accessKeyId: 'AKIDEXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
}
const BODY = Buffer.from('{"id":1}\n')
const NOW = new Date('2026-11-19T10:00:00Z')

const sha256 = (data: string | Uint8Array) => createHash('sha256').update(data).digest('hex')
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()

/** The signature, computed from the documentation of AWS. */
function expectedSignature(host: string, path: string): string {
  const headers = {
    'content-type': 'application/gzip',
    host,
    'x-amz-content-sha256': sha256(BODY),
    'x-amz-date': '20261119T100000Z',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}:${value}\n`)
  const request = ['PUT', path, '', lines.join(''), Object.keys(headers).join(';'), sha256(BODY)].join('\n')
  const scope = '20261119/eu-central-1/s3/aws4_request'
  const text = ['AWS4-HMAC-SHA256', '20261119T100000Z', scope, sha256(request)].join('\n')
  const key = ['eu-central-1', 's3', 'aws4_request'].reduce<Buffer>(
    (made, part) => hmac(made, part),
    hmac(`AWS4${OBJECT.secretAccessKey}`, '20261119'),
  )
  return createHmac('sha256', key).update(text).digest('hex')
}

const sign = (changes: Partial<S3Object>) =>
  signS3Upload({ ...OBJECT, ...changes }, { body: BODY, contentType: 'application/gzip' }, NOW)

describe('an upload to S3', () => {
  it('is signed with the bucket in the path', async () => {
    const { url, headers } = await sign({})

    expect(url).toBe(`https://s3.eu-central-1.amazonaws.com/request-logs/${OBJECT.key}`)
    expect(headers).not.toHaveProperty('host')
    expect(headers['authorization']).toContain('Credential=AKIDEXAMPLE/20261119/eu-central-1/s3/aws4_request')
    const path = `/request-logs/${OBJECT.key}`
    expect(headers['authorization']).toContain(`Signature=${expectedSignature('s3.eu-central-1.amazonaws.com', path)}`)
  })

  it('is signed with the bucket in the host name', async () => {
    const { url, headers } = await sign({ pathStyle: false })

    const host = 'request-logs.s3.eu-central-1.amazonaws.com'
    expect(url).toBe(`https://${host}/${OBJECT.key}`)
    expect(headers['authorization']).toContain(`Signature=${expectedSignature(host, `/${OBJECT.key}`)}`)
  })

  it('includes the port in the signed host', async () => {
    const { url, headers } = await sign({ endpoint: 'http://minio.example:9000/' })

    expect(url).toBe(`http://minio.example:9000/request-logs/${OBJECT.key}`)
    const signature = expectedSignature('minio.example:9000', `/request-logs/${OBJECT.key}`)
    expect(headers['authorization']).toContain(`Signature=${signature}`)
  })
})
