import { createHmac } from 'node:crypto'
import { api } from '@tidegate/contract'
import { apiClient } from '@tidegate/testing'
import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import type { Credentials, Site } from './site.ts'

const STEP_SECONDS = 30
const BASE_32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

export interface TwoFactors {
  /** An unused code: the current one, or the next while the setup code is still current. */
  nextCode(): string
  recoveryCodes: string[]
}

/** Turns on two-factor authentication for a user, as their app and the settings would. */
export async function turnOnTwoFactors(site: Site, { username, password }: Credentials): Promise<TwoFactors> {
  const client = apiClient(site.server.url)
  await site.clearLimits() // wrong codes delay the next login from this address
  await client.login(username, password)
  // An account with a passkey can add an app only after using the passkey.
  await sql`update session set factor_at = now() where user_id = ${client.userId}`.execute(site.db)
  const { secret } = await client.call(api.beginTotp)
  const step = currentStep()
  const { recovery_codes } = await client.call(api.enableTotp, { body: { code: codeAt(secret, step) } })
  return { nextCode: () => codeAt(secret, Math.max(step + 1, currentStep())), recoveryCodes: recovery_codes }
}

const currentStep = () => Math.floor(Date.now() / 1000 / STEP_SECONDS)

/** RFC 6238 with the defaults of authenticator apps. */
export function codeAt(secret: string, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const hash = createHmac('sha1', fromBase32(secret)).update(counter).digest()
  const offset = hash.at(-1)! & 15
  return String((hash.readUInt32BE(offset) & 0x7f_ff_ff_ff) % 1_000_000).padStart(6, '0')
}

function fromBase32(text: string): Buffer {
  const bits = [...text].map((sign) => BASE_32.indexOf(sign).toString(2).padStart(5, '0')).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

/** Adds a virtual authenticator to the browser. It always confirms. */
export async function addVirtualAuthenticator(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

/** Creates a passkey for the user who is logged in on the page. */
export async function makePasskey(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const { id } = JSON.parse(localStorage.getItem('user')!) as { id: number }
    const post = async (path: string, body?: object) => {
      const headers = { 'content-type': 'application/json', 'tidegate-user': String(id) }
      const response = await fetch(path, { method: 'POST', headers, body: JSON.stringify(body ?? {}) })
      const envelope = (await response.json()) as { success: boolean; message: string; data: Record<string, never> }
      if (!envelope.success) throw new Error(envelope.message)
      return envelope.data
    }
    const { ticket, options } = await post('/api/user/passkeys/options')
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options!)
    const made = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential
    await post('/api/user/passkeys', { ticket, response: made.toJSON(), name: 'this browser' })
  })
}
