import { Sha256 } from '@aws-crypto/sha256-js'
import { HttpRequest } from '@smithy/protocol-http'
import { SignatureV4 } from '@smithy/signature-v4'
import type { SignRequest } from '../../upstream/request-signer.ts'

/** Splits a key into its three parts. */
export function readKey(key: string): { accessKeyId: string; secretAccessKey: string; region: string } {
  const [accessKeyId = '', secretAccessKey = '', region = ''] = key.split('|')
  return { accessKeyId, secretAccessKey, region }
}

/** Signs the whole request with signature version 4. */
export const signBedrockRequest: SignRequest = async ({ target, url, method, body }, { now }) => {
  const { accessKeyId, secretAccessKey, region } = readKey(target.key)
  const { hostname, pathname, host, protocol } = new URL(url)
  const signer = new SignatureV4({
    service: 'bedrock',
    region,
    credentials: { accessKeyId, secretAccessKey },
    sha256: Sha256,
  })
  const request = new HttpRequest({
    method,
    protocol,
    hostname,
    path: pathname,
    headers: { host, 'content-type': 'application/json' },
    body,
  })
  const { headers } = await signer.sign(request, { signingDate: now() })
  // The HTTP client writes the host header itself.
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'host'))
}
