import { api, type BodyInput } from '@tidegate/contract'
import { memoryLimiter, type Limiter } from '@tidegate/storage'
import { apiClient, softwarePasskey, type ApiClient, type SoftwarePasskey } from '@tidegate/testing'
import { TOTP } from 'otpauth'
import { startRegistrationSite } from './registration-site.ts'
import { PASSWORD } from './start-site.ts'

/** The address that `startRegistrationSite` gives its site. */
export const ADDRESS = 'https://gate.example'

export type Client = ApiClient & { username: string }

/** A site with mail, an address, a manual clock and resettable rate limits. */
export async function startSecuritySite() {
  let timeMs = Date.now()
  const now = () => new Date(timeMs)
  const newLimits = () => memoryLimiter({ now: () => timeMs })
  let limits = newLimits()
  const limiter: Limiter = {
    take: (checks) => limits.take(checks),
    refund: (checks) => limits.refund(checks),
    delayAfterFailures: (key) => limits.delayAfterFailures(key),
    recordFailure: (key) => limits.recordFailure(key),
    takeAttempt: (key) => limits.takeAttempt(key),
    clearFailures: (key) => limits.clearFailures(key),
  }
  const site = await startRegistrationSite({ now, limiter })

  const kit = {
    ...site,
    /** Changes options; re-authenticates the super admin first. */
    async set(options: Parameters<typeof site.set>[0]): Promise<void> {
      const proved = site.db.updateTable('session').set({ proved_at: now() })
      await proved.where('user_id', '=', site.root.userId!).execute()
      await site.set(options)
    },
    passSeconds(seconds: number): void {
      timeMs += seconds * 1000
    },
    /** Resets all rate limits. */
    forgetLimits(): void {
      limits = newLimits()
    },
    /** Disables rate limits, for tests of other protections. */
    liftLimits(): void {
      const never = async () => 0
      limits = { ...newLimits(), take: async () => ({ allowed: true }), takeAttempt: never, delayAfterFailures: never }
    },
    /** An app code that was never used: moves the clock first. */
    freshCode(secret: string): string {
      kit.passSeconds(30)
      return codeAt(secret, now())
    },
    codeNow: (secret: string) => codeAt(secret, now()),
    /** A user with two-factor authentication. */
    async withTotp(): Promise<{ client: Client; secret: string; recoveryCodes: string[] }> {
      const client = await site.signedIn('user')
      return { client, ...(await kit.enableTotp(client)) }
    },
    async enableTotp(client: ApiClient): Promise<{ secret: string; recoveryCodes: string[] }> {
      const { secret } = await client.call(api.beginTotp)
      const body = { code: codeAt(secret, now()) }
      const { recovery_codes: recoveryCodes } = await client.call(api.enableTotp, { body })
      return { secret, recoveryCodes }
    },
    async addPasskey(client: ApiClient, passkey: SoftwarePasskey = softwarePasskey(ADDRESS)): Promise<SoftwarePasskey> {
      const { ticket, options } = await client.call(api.askForNewPasskey)
      await client.call(api.addPasskey, { body: { ticket, response: passkey.create(options), name: 'harbour key' } })
      return passkey
    },
    /** The super admin, freshly logged in. */
    async freshRoot(): Promise<Client> {
      await site.root.login(site.root.username, PASSWORD)
      return site.root
    },
    /** Starts a login that needs a second factor. */
    async halfLogin(client: Client, password = PASSWORD): Promise<api.SecondFactorNeeded> {
      const body = { username: client.username, password }
      const { envelope } = await apiClient(site.url).send(api.login, { body })
      if (envelope.success || envelope.code !== 'second_factor_required') throw new Error(JSON.stringify(envelope))
      return envelope.data as api.SecondFactorNeeded
    },
    /** Completes a login in a new browser; returns its client or the error code. */
    async finish(body: BodyInput<typeof api.finishLogin>) {
      const browser = apiClient(site.url)
      const { envelope } = await browser.send(api.finishLogin, { body })
      if (!envelope.success) return { error: envelope.code }
      const user = api.User.parse(envelope.data)
      browser.userId = user.id
      return { browser, user, error: undefined }
    },
    /** Audit events of a user, oldest first. */
    auditsOf: (userId: number) =>
      site.db
        .selectFrom('audit_event')
        .select(['action', 'actor_id', 'details'])
        .where('subject', '=', String(userId))
        .orderBy('id')
        .execute(),
  }
  return kit
}

export type SecuritySite = Awaited<ReturnType<typeof startSecuritySite>>

export function codeAt(secret: string, at: Date): string {
  return new TOTP({ secret }).generate({ timestamp: at.getTime() })
}

/** Error code of a response; undefined on success. */
export async function errorCode(result: Promise<{ envelope: object }>): Promise<string | undefined> {
  return ((await result).envelope as { code?: string }).code
}
