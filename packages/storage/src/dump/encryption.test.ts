import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { encryptBackup, openBackup, type BackupSecret } from './encryption.ts'

const ROOT_KEY = randomBytes(32)
const CHUNK = 64 * 1024
const TAG = 16
const CANARY = 'ada@example.com'
const FACTS = { version: '1.2.3', keyFingerprint: 'f1' }

async function encrypt(plain: Buffer, secret: BackupSecret = ROOT_KEY): Promise<Buffer> {
  return join(encryptBackup(inPieces(plain), { ...FACTS, secret }))
}

async function decrypt(bytes: Buffer, secret: BackupSecret = ROOT_KEY, size?: number) {
  const { header, content } = await openBackup(inPieces(bytes, size), () => Promise.resolve(secret))
  return { header, plain: await join(content) }
}

async function join(pieces: AsyncIterable<Buffer>): Promise<Buffer> {
  const found: Buffer[] = []
  for await (const piece of pieces) found.push(piece)
  return Buffer.concat(found)
}

async function* inPieces(bytes: Buffer, size = 10_007): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

/** The offset of the first chunk: after magic, length, header and HMAC. */
function bodyOf(bytes: Buffer): number {
  return 16 + 4 + bytes.readUInt32BE(16) + 32
}

function chunksOf(bytes: Buffer): { head: Buffer; chunks: Buffer[] } {
  const chunks: Buffer[] = []
  for (let at = bodyOf(bytes); at < bytes.length; at += CHUNK + TAG) chunks.push(bytes.subarray(at, at + CHUNK + TAG))
  return { head: bytes.subarray(0, bodyOf(bytes)), chunks }
}

describe('an encrypted backup', () => {
  it.each([0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK, 3 * CHUNK + 77])(
    'decrypts to the original content: %d bytes',
    async (size) => {
      const plain = randomBytes(size)

      const opened = await decrypt(await encrypt(plain))

      expect(opened.plain.equals(plain)).toBe(true)
      expect(opened.header).toMatchObject({ ...FACTS, key: 'installation' })
    },
  )

  it('opens with the passphrase in another Unicode form, and with no other', async () => {
    const plain = Buffer.from('tide')
    const bytes = await encrypt(plain, 'Ebbe in Büsum')

    expect((await decrypt(bytes, 'Ebbe in Bu\u0308sum')).plain).toEqual(plain)
    await expect(decrypt(bytes, 'Flut in Büsum')).rejects.toThrow('passphrase')
  })

  it('does not open with another key', async () => {
    await expect(decrypt(await encrypt(Buffer.from('tide')), randomBytes(32))).rejects.toThrow('key')
  })

  it('contains no readable content, and differs each time', async () => {
    const plain = Buffer.from(`${CANARY}\n`.repeat(10_000))
    const [first, second] = [await encrypt(plain), await encrypt(plain)]

    expect(first.includes(CANARY)).toBe(false)
    expect(first.subarray(bodyOf(first)).equals(second.subarray(bodyOf(second)))).toBe(false)
  })

  it('is rejected with any byte changed', async () => {
    const bytes = await encrypt(Buffer.from(CANARY))
    for (let at = 0; at < bytes.length; at++) {
      const changed = Buffer.from(bytes)
      changed[at]! ^= 1
      if (at < 16) {
        // Without its magic the file is read as a plain backup, which decompression rejects.
        expect((await decrypt(changed)).header).toBeUndefined()
      } else await expect(decrypt(changed), `byte ${at}`).rejects.toThrow(/backup/i)
    }
  })

  it('is rejected when it is truncated anywhere', async () => {
    const bytes = await encrypt(randomBytes(2 * CHUNK + 9))
    const { head, chunks } = chunksOf(bytes)
    const ends = [17, 40, head.length - 1, head.length, head.length + 5, bytes.length - 1]
    for (const length of [...ends, head.length + CHUNK + TAG, head.length + 2 * (CHUNK + TAG)]) {
      await expect(decrypt(bytes.subarray(0, length)), `${length} bytes`).rejects.toThrow(/backup/i)
    }
    expect(chunks).toHaveLength(3)
  })

  it('is rejected with chunks swapped, repeated, left out, added or taken from another backup', async () => {
    const { head, chunks } = chunksOf(await encrypt(randomBytes(3 * CHUNK + 9)))
    const [a, b, c, d] = chunks as [Buffer, Buffer, Buffer, Buffer]
    const other = chunksOf(await encrypt(randomBytes(3 * CHUNK + 9))).chunks[1]!
    const forged = [[b, a, c, d], [a, a, b, c, d], [a, c, d], [a, b, c], [a, b, c, d, d], [a, other, c, d], [d]]
    for (const order of forged) {
      await expect(decrypt(Buffer.concat([head, ...order]))).rejects.toThrow(/backup/i)
    }
    expect((await decrypt(Buffer.concat([head, a, b, c, d]), ROOT_KEY, 1 << 20)).plain).toHaveLength(3 * CHUNK + 9)
  })
})

it('passes on an unencrypted backup unchanged, without asking for a key', async () => {
  const bytes = Buffer.concat([Buffer.from('28b52ffd', 'hex'), randomBytes(100_000)])

  const { header, content } = await openBackup(inPieces(bytes), () => Promise.reject(new Error('asked')))

  expect(header).toBeUndefined()
  expect((await join(content)).equals(bytes)).toBe(true)
})

it('passes on a file that is shorter than the magic', async () => {
  expect(await decrypt(Buffer.from('x'))).toEqual({ header: undefined, plain: Buffer.from('x') })
})
