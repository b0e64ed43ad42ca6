import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { maskKey, mergeKeys, readKeys } from './stored-keys.ts'

const FIRST = 'sk-first-0123456789'
const SECOND = 'sk-second-0123456789'
const account = (private_key: string) =>
  JSON.stringify({ type: 'service_account', project_id: 'p', client_email: 'a@b', private_key })
const pem = { type: 'pkcs8', format: 'pem' } as const
const RSA = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
const ACCOUNT = account(RSA.export(pem).toString())
const PKCS1 = account(RSA.export({ type: 'pkcs1', format: 'pem' }).toString())
const WRONG_KIND = account(generateKeyPairSync('ed25519').privateKey.export(pem).toString())

describe('entered keys', () => {
  it('are separated by lines or commas, without duplicates', () => {
    expect(readKeys(1, ` ${FIRST} ,\n${SECOND}\n\n${FIRST},`)).toEqual([FIRST, SECOND])
  })

  it.each([
    [15, 'onlyone', 'channel_key_shape'],
    [16, 'no-dot', 'channel_key_shape'],
    [18, 'a|b', 'channel_key_shape'],
    [23, 'a|b|', 'channel_key_shape'],
    [33, 'a|b|c|d', 'channel_key_shape'],
    [22, 'nodash', 'channel_key_shape'],
    [41, 'not json', 'channel_key_shape'],
    [41, '{"project_id":"p"}', 'channel_key_shape'],
    [41, account('x,\ny'), 'channel_key_shape'],
    [41, WRONG_KIND, 'channel_key_shape'],
    [41, PKCS1, 'channel_key_shape'],
  ])('are rejected for type %i', (type, key, code) => {
    expect(() => readKeys(type, key)).toThrow(expect.objectContaining({ code }))
  })

  it.each([
    [15, 'a|b'],
    [16, 'id.secret'],
    [18, 'a|b|c'],
    [22, 'key-app'],
    [33, 'ak|sk|us-east-1'],
    [41, ACCOUNT],
    [9999, 'anything goes'],
  ])('are accepted for type %i', (type, key) => {
    expect(readKeys(type, key)).toEqual([key])
  })
})

describe('masked keys sent back', () => {
  const stored = [FIRST, SECOND]

  it('stand for the stored keys, next to new ones and in any order', () => {
    const text = [maskKey(SECOND), 'sk-third', maskKey(FIRST)].join('\n')

    expect(mergeKeys(1, text, stored)).toEqual([SECOND, 'sk-third', FIRST])
  })

  it('are removed with their line', () => {
    expect(mergeKeys(1, maskKey(SECOND), stored)).toEqual([SECOND])
  })

  it('are matched in order if they look the same', () => {
    expect(mergeKeys(1, '••••\n••••', ['one', 'two'])).toEqual(['one', 'two'])
  })

  it('are rejected without a matching stored key', () => {
    expect(() => mergeKeys(1, 'sk-x••••yyyy', stored)).toThrow(
      expect.objectContaining({ code: 'channel_key_mask_unknown' }),
    )
    expect(() => mergeKeys(1, '••••\n••••', ['one'])).toThrow(
      expect.objectContaining({ code: 'channel_key_mask_unknown' }),
    )
  })
})
