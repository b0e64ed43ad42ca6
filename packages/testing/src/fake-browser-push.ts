import { createDecipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto'

/** A browser that is subscribed to push notifications. */
export interface FakeBrowserPush {
  /** As `PushSubscription.toJSON()` returns it. */
  readonly subscription: { endpoint: string; keys: { p256dh: string; auth: string } }
  /** Decrypts the body of a push (RFC 8291) and parses its JSON. Throws when the body is for another browser. */
  read(body: Uint8Array): unknown
}

/** Subscribes a browser to a push service at this address. */
export function fakeBrowserPush(endpoint: string): FakeBrowserPush {
  const own = createECDH('prime256v1')
  const publicKey = own.generateKeys()
  const auth = randomBytes(16)
  return {
    subscription: {
      endpoint,
      keys: { p256dh: publicKey.toString('base64url'), auth: auth.toString('base64url') },
    },
    read(body) {
      const bytes = Buffer.from(body)
      const salt = bytes.subarray(0, 16)
      const keyEnd = 21 + bytes.readUInt8(20)
      const senderKey = bytes.subarray(21, keyEnd)
      const info = Buffer.concat([Buffer.from('WebPush: info\0'), publicKey, senderKey])
      const material = hkdf(own.computeSecret(senderKey), auth, info, 32)
      const contentKey = hkdf(material, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
      const nonce = hkdf(material, salt, Buffer.from('Content-Encoding: nonce\0'), 12)
      const decipher = createDecipheriv('aes-128-gcm', contentKey, nonce).setAuthTag(bytes.subarray(-16))
      const padded = Buffer.concat([decipher.update(bytes.subarray(keyEnd, -16)), decipher.final()])
      return JSON.parse(padded.subarray(0, padded.lastIndexOf(2)).toString('utf8'))
    },
  }
}

const hkdf = (material: Uint8Array, salt: Uint8Array, info: Uint8Array, bytes: number) =>
  Buffer.from(hkdfSync('sha256', material, salt, info, bytes))
