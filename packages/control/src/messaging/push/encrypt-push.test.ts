import { randomBytes } from 'node:crypto'
import { fakeBrowserPush } from '@tidegate/testing'
import { describe, expect, it } from 'vitest'
import { encryptPush, isPushKey } from './encrypt-push.ts'
import { pushPayload } from './send-push.ts'

const bytes = (text: string) => Buffer.from(text, 'base64url')

describe('the encryption of a push', () => {
  it('reproduces the example of RFC 8291, appendix A', () => {
    const body = encryptPush(
      Buffer.from('When I grow up, I want to be a watermelon'),
      {
        p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
        auth: 'BTBZMqHH6r4Tts7J_aSIgg',
      },
      { salt: bytes('DGv6ra1nlYgDCS1FRnbzlw'), privateKey: bytes('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw') },
    )

    expect(body.toString('base64url')).toBe(
      'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8w' +
        'EqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
    )
  })

  it('differs for each message and opens only with the keys of the browser', () => {
    const [browser, other] = [fakeBrowserPush('https://push.example/1'), fakeBrowserPush('https://push.example/2')]
    const encrypt = () => encryptPush(Buffer.from('{"title":"Low"}'), browser.subscription.keys)
    const [first, second] = [encrypt(), encrypt()]

    expect(first.equals(second)).toBe(false)
    expect([first, second].map((body) => browser.read(body))).toEqual([{ title: 'Low' }, { title: 'Low' }])
    expect(() => other.read(first)).toThrow()
  })

  it('accepts only points on the curve as keys', () => {
    expect(isPushKey(fakeBrowserPush('https://push.example/1').subscription.keys.p256dh)).toBe(true)
    expect(isPushKey(Buffer.concat([Buffer.of(4), randomBytes(64)]).toString('base64url'))).toBe(false)
  })
})

describe('the payload of a push', () => {
  const SITE = 'https://gate.example'
  const payload = (content: string, values: string[], title = 'Low') =>
    pushPayload({ id: 7, notification: { type: 'quota_exceed', title, content, values } }, SITE)
  const LINK = '[{{value}}]({{value}})'

  it('has the text without Markdown and the path of the link', () => {
    const text = payload(`{{value}}\n\nLeft: {{value}}\n\n${LINK}`, ['Soon.', '$1', 'Wallet', `${SITE}/app/wallet?x=1`])

    expect(JSON.parse(text)).toEqual({ title: 'Low', body: 'Soon.\nLeft: $1', path: '/app/wallet?x=1', tag: '7' })
  })

  it.each([['https://other.example/app/wallet'], ['javascript:alert(1)'], ['//other.example']])(
    'opens the inbox instead of %s',
    (link) => {
      expect(JSON.parse(payload(LINK, ['x', link]))).toMatchObject({ path: '/app/inbox' })
    },
  )

  it('has at most 3 KB, cut between characters', () => {
    const text = payload('{{value}}', ['🌊'.repeat(2000)], '漫'.repeat(500))

    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(3072)
    expect(JSON.parse(text)).toMatchObject({ title: '漫'.repeat(120), body: expect.stringMatching(/^(🌊)+…$/u) })
  })
})
