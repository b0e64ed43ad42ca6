import { createCipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto'

const CURVE = 'prime256v1'
/** Push services accept one record of at most this size. */
const RECORD_BYTES = 4096
/** Ends the last record of a message (RFC 8188, section 2). */
const LAST_RECORD = Buffer.of(2)

/** The keys of a browser, in base64url. */
export interface PushKeys {
  /** Public key on P-256, uncompressed. */
  p256dh: string
  /** Authentication secret of 16 bytes. */
  auth: string
}

/** Salt and private key of one message. Only tests set them. */
interface MessageSecrets {
  salt?: Uint8Array
  privateKey?: Uint8Array
}

/** Encrypts a message for a browser (RFC 8291, content encoding `aes128gcm`). Throws if `p256dh` is not on the curve. */
export function encryptPush(
  plain: Uint8Array,
  { p256dh, auth }: PushKeys,
  { salt = randomBytes(16), privateKey }: MessageSecrets = {},
): Buffer {
  const receiverKey = Buffer.from(p256dh, 'base64url')
  const sender = createECDH(CURVE)
  if (privateKey) sender.setPrivateKey(privateKey)
  else sender.generateKeys()
  const senderKey = sender.getPublicKey()

  const info = Buffer.concat([Buffer.from('WebPush: info\0'), receiverKey, senderKey])
  const material = derive(sender.computeSecret(receiverKey), Buffer.from(auth, 'base64url'), info, 32)
  const contentKey = derive(material, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
  const nonce = derive(material, salt, Buffer.from('Content-Encoding: nonce\0'), 12)

  const recordSize = Buffer.alloc(4)
  recordSize.writeUInt32BE(RECORD_BYTES)
  const cipher = createCipheriv('aes-128-gcm', contentKey, nonce)
  return Buffer.concat([
    salt,
    recordSize,
    Buffer.of(senderKey.length),
    senderKey,
    cipher.update(plain),
    cipher.update(LAST_RECORD),
    cipher.final(),
    cipher.getAuthTag(),
  ])
}

/** Whether a browser's public key is a point on the curve. */
export function isPushKey(p256dh: string): boolean {
  try {
    const own = createECDH(CURVE)
    own.generateKeys()
    own.computeSecret(Buffer.from(p256dh, 'base64url'))
    return true
  } catch {
    return false
  }
}

function derive(material: Uint8Array, salt: Uint8Array, info: Uint8Array, bytes: number): Buffer {
  return Buffer.from(hkdfSync('sha256', material, salt, info, bytes))
}
