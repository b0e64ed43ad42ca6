import { Sha256 } from '@aws-crypto/sha256-js'
import { HttpRequest } from '@smithy/protocol-http'
import { SignatureV4 } from '@smithy/signature-v4'

export interface S3Object {
  /** The service, such as `https://s3.eu-central-1.amazonaws.com`. */
  readonly endpoint: string
  readonly region: string
  readonly bucket: string
  /** Only ASCII letters, digits and `-_./`. */
  readonly key: string
  /** The bucket is in the path instead of the host name. */
  readonly pathStyle: boolean
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

export interface SignedUpload {
  readonly url: string
  readonly headers: Record<string, string>
}

/** URL and headers that store an object, signed with signature version 4. */
export async function signS3Upload(
  { endpoint, region, bucket, key, pathStyle, accessKeyId, secretAccessKey }: S3Object,
  { body, contentType }: { body: Uint8Array; contentType: string },
  now: Date,
): Promise<SignedUpload> {
  const url = s3Url({ endpoint, bucket, pathStyle }, key)
  const signer = new SignatureV4({
    service: 's3',
    region,
    credentials: { accessKeyId, secretAccessKey },
    sha256: Sha256,
    uriEscapePath: false,
  })
  const request = new HttpRequest({
    method: 'PUT',
    protocol: url.protocol,
    hostname: url.hostname,
    path: url.pathname,
    headers: { host: url.host, 'content-type': contentType },
    body,
  })
  const signed = await signer.sign(request, { signingDate: now })
  // The HTTP client writes the host header itself.
  const { host: _, ...headers } = signed.headers
  return { url: url.href, headers }
}

function s3Url({ endpoint, bucket, pathStyle }: Pick<S3Object, 'endpoint' | 'bucket' | 'pathStyle'>, key: string): URL {
  const url = new URL(endpoint)
  const base = url.pathname.replace(/\/+$/, '')
  if (pathStyle) url.pathname = `${base}/${bucket}/${key}`
  else {
    url.hostname = `${bucket}.${url.hostname}`
    url.pathname = `${base}/${key}`
  }
  return url
}
