import { api } from '@tidegate/contract'
import { sentFor, statusOf } from '../send-chat.ts'
import type { Rows } from '../effect.ts'
import type { EffectSite } from '../effect-site.ts'
import { POOR_BALANCE } from '../site.ts'
import { PLAIN } from '../channels.ts'
import { newUser, registerUser } from '../anonymous-client.ts'

const inviteCode = (site: EffectSite) => site.inviter.call(api.getInviteCode)

/** The balance of a new user. */
async function firstBalance(site: EffectSite, affCode = ''): Promise<number | undefined> {
  const username = await registerUser(site, affCode)
  const { items } = await site.root.call(api.searchUsers, { query: { keyword: username, p: 1, page_size: 10 } })
  return items.find((user) => user.username === username)?.quota
}

const balanceOfInvited = async (site: EffectSite) => firstBalance(site, await inviteCode(site))

/** The inviter's earnings for a new user. */
async function inviterReward(site: EffectSite): Promise<number> {
  const before = await site.inviter.call(api.getSelf)
  await registerUser(site, await inviteCode(site))
  return (await site.inviter.call(api.getSelf)).aff_quota - before.aff_quota
}

const CODE_QUOTA = 1_000

/** The inviter's share of a code that an invited user redeems. */
async function rebate(site: EffectSite): Promise<number> {
  const invited = await newUser(site, await inviteCode(site))
  const [key] = await site.root.call(api.createRedemptions, { body: { name: 'harbour', quota: CODE_QUOTA } })
  const before = await site.inviter.call(api.getSelf)
  await invited.call(api.redeem, { body: { key: key! } })
  return (await site.inviter.call(api.getSelf)).quota - before.quota
}

/** The check-in reward of a new user, or the error code. */
async function checkInReward(site: EffectSite): Promise<unknown> {
  const { envelope } = await (await newUser(site)).send(api.checkIn)
  return envelope.success ? (envelope.data as { quota: number }).quota : envelope.code
}

/** The output limit that the provider gets for a request without one. */
async function sentLimit(site: EffectSite, key?: string): Promise<unknown> {
  const [sent] = await sentFor(site, { model: PLAIN, ...(key !== undefined && { key }) })
  return (sent!.body as { max_tokens?: number }).max_tokens
}

export const quotaEffects = {
  QuotaForNewUser: { value: '4321', probe: (site) => firstBalance(site), before: 0, after: 4_321 },
  QuotaForInvitee: { value: '77', probe: balanceOfInvited, before: 0, after: 77 },
  QuotaForInviter: { value: '55', probe: inviterReward, before: 0, after: 55 },
  AffEnabled: { given: { QuotaForInvitee: '77' }, value: 'false', probe: balanceOfInvited, before: 77, after: 0 },
  PreConsumedQuota: {
    value: String(POOR_BALANCE * 10),
    probe: (site) => statusOf(site, { model: PLAIN, key: site.poor.keys.default }),
    before: 200,
    after: 402,
  },
  OutageCredit: { testedBy: 'e2e/protocol/outages/start-without-database.test.ts' },
  'billing.max_output_tokens': { value: '77', probe: sentLimit, before: undefined, after: 77 },
  'billing.assumed_output_tokens': {
    value: '10000000',
    probe: async (site) => (await sentLimit(site, site.poor.keys.default)) !== undefined,
    before: false,
    after: true, // the balance does not cover so much, and the output is limited to what it covers
  },
  'billing.disconnect_read_seconds': { testedBy: 'packages/gateway/test/disconnect.test.ts' },

  RebateEnabled: { given: { RebatePercentage: '12.5' }, value: 'true', probe: rebate, before: 0, after: 125 },
  RebatePercentage: { given: { RebateEnabled: 'true' }, value: '30', probe: rebate, before: 0, after: 300 },

  CheckInEnabled: { value: 'true', probe: checkInReward, before: 'checkin_off', after: 1_000 },
  CheckInQuota: { given: { CheckInEnabled: 'true' }, value: '250', probe: checkInReward, before: 1_000, after: 250 },
  CheckInMaxQuota: {
    given: { CheckInEnabled: 'true' },
    value: '1000000000',
    probe: async (site) => (await checkInReward(site)) === 1_000,
    before: true,
    after: false, // one of a thousand million
  },
} satisfies Rows
