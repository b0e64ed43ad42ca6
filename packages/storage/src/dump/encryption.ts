import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import { keyFromPassphrase } from '../secrets/root-key.ts'
import { ByteReader, DumpError } from './frames.ts'

/**
 * Format of an encrypted backup: magic, length of the header (4 bytes), header (JSON), HMAC-SHA256 of all of these,
 * chunks. A chunk is AES-256-GCM of up to 64 KiB with its tag. The nonce is the chunk number and a flag for the last
 * chunk, so that missing, repeated and reordered chunks do not decrypt (the STREAM construction). The salt gives each
 * file its own keys.
 */
const MAGIC = Buffer.from('TIDEGATE-BACKUP\n')
const FORMAT = 'tidegate-encrypted-1'
const MAX_HEADER_BYTES = 16 * 1024
const MAC_BYTES = 32
const SALT_BYTES = 32
const CHUNK_BYTES = 64 * 1024
const TAG_BYTES = 16

/** Readable without a key, but authenticated. */
export interface EncryptionHeader {
  format: typeof FORMAT
  /** The version of Tidegate that wrote the backup. */
  version: string
  createdAt: string
  /** Identifies the root key that sealed the secrets in the backup. */
  keyFingerprint: string
  /** The kind of secret that opens the file. */
  key: 'installation' | 'passphrase'
  salt: string
}

/** The root key of the installation, or a passphrase. */
export type BackupSecret = Uint8Array | string

export interface EncryptionOptions extends Pick<EncryptionHeader, 'version' | 'keyFingerprint'> {
  secret: BackupSecret
}

/** Encrypts a stream in constant memory. */
export async function* encryptBackup(
  source: AsyncIterable<Uint8Array>,
  { secret, version, keyFingerprint }: EncryptionOptions,
): AsyncGenerator<Buffer> {
  const salt = randomBytes(SALT_BYTES)
  const keys = await deriveKeys(secret, salt)
  const key = typeof secret === 'string' ? 'passphrase' : 'installation'
  const createdAt = new Date().toISOString()
  const header = { format: FORMAT, version, createdAt, keyFingerprint, key, salt: salt.toString('hex') }
  const prefix = headerPrefix(Buffer.from(JSON.stringify(header)))
  yield Buffer.concat([prefix, macOf(keys, prefix)])

  const reader = new ByteReader(source)
  let isLast = false
  for (let number = 0; !isLast; number++) {
    const plain = await reader.take(CHUNK_BYTES)
    isLast = await reader.isAtEnd()
    const cipher = createCipheriv('aes-256-gcm', keys.encryption, nonceOf(number, isLast))
    yield Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()])
  }
}

export interface OpenBackup {
  /** Undefined for an unencrypted backup. */
  header: EncryptionHeader | undefined
  content: AsyncIterable<Buffer>
}

/** Opens a backup of any format. The content throws a DumpError where it was changed or truncated. */
export async function openBackup(
  source: AsyncIterable<Uint8Array>,
  secretFor: (header: EncryptionHeader) => Promise<BackupSecret>,
): Promise<OpenBackup> {
  const reader = new ByteReader(source)
  try {
    const magic = await reader.take(MAGIC.byteLength)
    if (!magic.equals(MAGIC)) return { header: undefined, content: closeAfter(reader, reader.rest(magic)) }
    const length = await reader.take(4)
    const headerBytes = length.byteLength < 4 ? 0 : length.readUInt32BE()
    if (headerBytes > MAX_HEADER_BYTES) throw new DumpError('The backup is damaged: its header is too long')
    const text = await reader.take(headerBytes)
    const header = parseHeader(text)
    const keys = await deriveKeys(await secretFor(header), Buffer.from(header.salt, 'hex'))
    const mac = await reader.take(MAC_BYTES)
    const expected = macOf(keys, headerPrefix(text))
    if (mac.byteLength !== MAC_BYTES || !timingSafeEqual(mac, expected)) {
      const reason = header.key === 'passphrase' ? 'The passphrase does not open this backup' : 'The key is another one'
      throw new DumpError(`${reason}, or the header of the backup was changed`)
    }
    return { header, content: closeAfter(reader, decryptChunks(reader, keys)) }
  } catch (error) {
    await reader.close()
    throw error
  }
}

async function* decryptChunks(reader: ByteReader, { encryption }: Keys): AsyncGenerator<Buffer> {
  let isLast = false
  for (let number = 0; !isLast; number++) {
    const chunk = await reader.take(CHUNK_BYTES + TAG_BYTES)
    isLast = await reader.isAtEnd()
    if (chunk.byteLength < TAG_BYTES) throw new DumpError('The backup is cut short')
    const nonce = nonceOf(number, isLast)
    const decipher = createDecipheriv('aes-256-gcm', encryption, nonce, { authTagLength: TAG_BYTES })
    decipher.setAuthTag(chunk.subarray(-TAG_BYTES))
    const plain = decipher.update(chunk.subarray(0, -TAG_BYTES))
    try {
      decipher.final()
    } catch {
      throw new DumpError('The backup was changed or is cut short')
    }
    yield plain
  }
}

async function* closeAfter(reader: ByteReader, content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* content
  } finally {
    await reader.close()
  }
}

function parseHeader(text: Buffer): EncryptionHeader {
  let header: Partial<EncryptionHeader> | null
  try {
    header = JSON.parse(text.toString('utf8')) as Partial<EncryptionHeader> | null
  } catch {
    throw new DumpError('The backup is damaged: its header cannot be read')
  }
  if (header?.format !== FORMAT) {
    throw new DumpError(`The backup has a format that this version does not know (${header?.format})`)
  }
  if (!['installation', 'passphrase'].includes(header.key ?? '') || !/^[0-9a-f]{64}$/.test(header.salt ?? '')) {
    throw new DumpError('The backup is damaged: its header cannot be read')
  }
  return header as EncryptionHeader
}

interface Keys {
  encryption: Buffer
  mac: Buffer
}

async function deriveKeys(secret: BackupSecret, salt: Buffer): Promise<Keys> {
  const root = typeof secret === 'string' ? await keyFromPassphrase(secret, salt) : secret
  const bytes = Buffer.from(hkdfSync('sha256', root, salt, 'tidegate/backup/encryption/v1', 64))
  return { encryption: bytes.subarray(0, 32), mac: bytes.subarray(32) }
}

function headerPrefix(header: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(header.byteLength)
  return Buffer.concat([MAGIC, length, header])
}

function macOf({ mac }: Keys, prefix: Buffer): Buffer {
  return createHmac('sha256', mac).update(prefix).digest()
}

function nonceOf(number: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeUIntBE(number, 5, 6)
  nonce[11] = isLast ? 1 : 0
  return nonce
}
