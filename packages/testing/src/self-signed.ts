import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'

export interface SelfSigned {
  readonly key: string
  /** In PEM format. */
  readonly certificate: string
}

/** Creates a self-signed certificate for this machine, so that no key is stored and none expires. */
export function selfSigned(): SelfSigned {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  // A unique name: of two trusted certificates with the same name, only the first is tried.
  const name = sequence(set(sequence(COMMON_NAME, utf8(`tidegate test ${randomBytes(8).toString('hex')}`))))
  const body = sequence(
    explicit(0, integer(Buffer.from([2]))), // X.509 version 3
    integer(Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    sequence(ECDSA_SHA256),
    name,
    sequence(time('20200101000000Z'), time('20991231000000Z')),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    explicit(3, sequence(extension(BASIC_CONSTRAINTS, sequence(TRUE)), extension(SUBJECT_ALT_NAME, NAMES))),
  )
  const signature = sign('sha256', body, privateKey)
  const certificate = sequence(body, sequence(ECDSA_SHA256), encodeTagged(0x03, Buffer.from([0]), signature))
  return { key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string, certificate: pem(certificate) }
}

/** DER: tag, length, content. */
function encodeTagged(tag: number, ...parts: Uint8Array[]): Buffer {
  const content = Buffer.concat(parts)
  const size = content.length
  const length = size < 128 ? [size] : size < 256 ? [0x81, size] : [0x82, size >> 8, size & 255]
  return Buffer.concat([Buffer.from([tag, ...length]), content])
}

function sequence(...parts: Uint8Array[]): Buffer {
  return encodeTagged(0x30, ...parts)
}

function set(...parts: Uint8Array[]): Buffer {
  return encodeTagged(0x31, ...parts)
}

function explicit(number: number, ...parts: Uint8Array[]): Buffer {
  return encodeTagged(0xa0 + number, ...parts)
}

function integer(bytes: Uint8Array): Buffer {
  return encodeTagged(0x02, bytes)
}

function utf8(text: string): Buffer {
  return encodeTagged(0x0c, Buffer.from(text))
}

function time(text: string): Buffer {
  return encodeTagged(0x18, Buffer.from(text))
}

function extension(id: Uint8Array, value: Uint8Array): Buffer {
  return sequence(id, encodeTagged(0x04, value))
}

function pem(der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? []
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n')
}

const COMMON_NAME = Buffer.from('0603550403', 'hex')
const ECDSA_SHA256 = Buffer.from('06082a8648ce3d040302', 'hex')
const BASIC_CONSTRAINTS = Buffer.from('0603551d13', 'hex')
const SUBJECT_ALT_NAME = Buffer.from('0603551d11', 'hex')
const TRUE = Buffer.from('0101ff', 'hex')
const NAMES = sequence(encodeTagged(0x82, Buffer.from('localhost')), encodeTagged(0x87, Buffer.from([127, 0, 0, 1])))
