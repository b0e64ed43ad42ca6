import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

/** The WebAuthn options that the authenticator uses. */
interface PasskeyOptions {
  challenge?: unknown
  rp?: { id?: string }
  rpId?: string
  user?: { id?: string }
}

/** Deviations from a correct response, for tests. */
export interface PasskeyDeviation {
  origin?: string
  rpId?: string
  challenge?: string
  userVerified?: boolean
  counter?: number
  userHandle?: string
  type?: string
}

/** The response of an authenticator with binary data in base64url. */
export interface PasskeyResponse {
  [field: string]: unknown
  id: string
  response: Record<string, unknown>
}

export interface SoftwarePasskey {
  readonly id: string
  /** Creates a passkey. */
  create(question: PasskeyOptions, straying?: PasskeyDeviation): PasskeyResponse
  /** Signs an assertion. */
  get(question: PasskeyOptions, straying?: PasskeyDeviation): PasskeyResponse
}

/** A passkey for an origin: an ES256 key, attestation `none`, and a counter unless it is synced. */
export function softwarePasskey(origin: string, { synced = false } = {}): SoftwarePasskey {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const credentialId = randomBytes(32)
  const id = credentialId.toString('base64url')
  let counter = 0
  let userHandle: string | undefined

  function authenticatorData(rpId: string, straying: PasskeyDeviation, attested?: Buffer): Buffer {
    counter = straying.counter ?? (synced ? 0 : counter + 1)
    const head = Buffer.alloc(37)
    sha256(straying.rpId ?? rpId).copy(head)
    head[32] =
      FLAGS.present |
      (straying.userVerified === false ? 0 : FLAGS.verified) |
      (synced ? FLAGS.canBeBackedUp | FLAGS.backedUp : 0) |
      (attested ? FLAGS.attested : 0)
    head.writeUInt32BE(counter, 33)
    return attested ? Buffer.concat([head, attested]) : head
  }

  function clientData(type: string, { challenge }: PasskeyOptions, straying: PasskeyDeviation): Buffer {
    const data = {
      type: straying.type ?? type,
      challenge: straying.challenge ?? challenge,
      origin: straying.origin ?? origin,
      crossOrigin: false,
    }
    return Buffer.from(JSON.stringify(data))
  }

  return {
    id,
    create(question, straying = {}) {
      userHandle = question.user?.id
      const attested = Buffer.concat([Buffer.alloc(16), uint16(credentialId.length), credentialId, coseKey(publicKey)])
      const authData = authenticatorData(question.rp?.id ?? '', straying, attested)
      const object = cborMap([
        [cborText('fmt'), cborText('none')],
        [cborText('attStmt'), cborMap([])],
        [cborText('authData'), cborBytes(authData)],
      ])
      return credential(id, {
        clientDataJSON: clientData('webauthn.create', question, straying).toString('base64url'),
        attestationObject: object.toString('base64url'),
        transports: ['internal', 'hybrid'],
      })
    },
    get(question, straying = {}) {
      const authData = authenticatorData(question.rpId ?? '', straying)
      const client = clientData('webauthn.get', question, straying)
      const signature = sign('sha256', Buffer.concat([authData, sha256(client)]), privateKey)
      return credential(id, {
        clientDataJSON: client.toString('base64url'),
        authenticatorData: authData.toString('base64url'),
        signature: signature.toString('base64url'),
        userHandle: straying.userHandle ?? userHandle,
      })
    },
  }
}

const FLAGS = { present: 0x01, verified: 0x04, canBeBackedUp: 0x08, backedUp: 0x10, attested: 0x40 }

function credential(id: string, response: Record<string, unknown>): PasskeyResponse {
  return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response }
}

function sha256(data: string | Buffer): Buffer {
  return createHash('sha256').update(data).digest()
}

/** The public key in COSE format: EC2, ES256, P-256, x, y. */
function coseKey(publicKey: ReturnType<typeof generateKeyPairSync>['publicKey']): Buffer {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' }) as { x?: string; y?: string }
  return cborMap([
    [cborInteger(1), cborInteger(2)],
    [cborInteger(3), cborInteger(-7)],
    [cborInteger(-1), cborInteger(1)],
    [cborInteger(-2), cborBytes(Buffer.from(x, 'base64url'))],
    [cborInteger(-3), cborBytes(Buffer.from(y, 'base64url'))],
  ])
}

function cborInteger(value: number): Buffer {
  return value >= 0 ? cborHead(0, value) : cborHead(1, -1 - value)
}

function cborBytes(bytes: Buffer): Buffer {
  return Buffer.concat([cborHead(2, bytes.length), bytes])
}

function cborText(text: string): Buffer {
  return Buffer.concat([cborHead(3, Buffer.byteLength(text)), Buffer.from(text)])
}

function cborMap(entries: readonly (readonly [Buffer, Buffer])[]): Buffer {
  return Buffer.concat([cborHead(5, entries.length), ...entries.flat()])
}

function cborHead(major: number, value: number): Buffer {
  const type = major << 5
  if (value < 24) return Buffer.from([type | value])
  if (value < 256) return Buffer.from([type | 24, value])
  return Buffer.concat([Buffer.from([type | 25]), uint16(value)])
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16BE(value)
  return bytes
}
