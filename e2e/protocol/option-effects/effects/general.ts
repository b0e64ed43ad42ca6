import { api } from '@tidegate/contract'
import { expect } from 'vitest'
import { sendChat, billFor, sentFor, statusOf } from '../send-chat.ts'
import { inStatus, type Rows } from '../effect.ts'
import { COUNTED, FAILING, PLAIN, UNPRICED } from '../channels.ts'
import { registrationResult } from '../anonymous-client.ts'

const DOCS = 'https://docs.example/start'
const SHOP = 'https://shop.example/codes'
const CHATS = [{ 'Reef chat': 'reef://join?key={key}' }]
const USUAL_CHATS = expect.arrayContaining([{ OpenCat: expect.stringContaining('opencat://') }])

export const generalEffects = {
  TopUpLink: inStatus('top_up_link', SHOP, '', SHOP),
  'general_setting.docs_link': inStatus('docs_link', DOCS, '', DOCS),
  'general_setting.default_language': {
    value: 'en',
    async probe({ url }) {
      const messageOf = async (path: string) => {
        const body = await fetch(`${url}${path}`, { headers: { 'accept-language': '' } }).then((response) =>
          response.text(),
        )
        return /[\u4e00-\u9fff]/.test(body) ? 'zh' : 'en'
      }
      return { control: await messageOf('/api/user/self'), gateway: await messageOf('/v1/models') }
    },
    before: { control: 'zh', gateway: 'en' },
    after: { control: 'en', gateway: 'en' },
  },
  Chats: inStatus('chats', JSON.stringify(CHATS), USUAL_CHATS, CHATS),
  DefaultCollapseSidebar: inStatus('default_collapse_sidebar', 'true', false, true),
  DrawingEnabled: inStatus('enable_drawing', 'false', true, false),
  TaskEnabled: inStatus('enable_task', 'false', true, false),
  /** Its effect on callbacks is tested with tasks. */
  MjNotifyEnabled: inStatus('mj_notify_enabled', 'true', false, true),

  QuotaPerUnit: {
    given: { ModelPrice: JSON.stringify({ [PLAIN]: 0.01 }) },
    value: '300000',
    probe: (site) => billFor(site, { model: PLAIN }),
    before: 5_000,
    after: 3_000,
  },
  RetryTimes: {
    value: '0',
    probe: async (site) => (await sentFor(site, { model: FAILING })).length,
    before: 3,
    after: 1,
  },
  DisplayInCurrencyEnabled: {
    value: 'false',
    probe: async ({ member }) => (await member.client.call(api.quoteTopUp, { body: { amount: 10 } })).message,
    before: 'success', // ten dollars
    after: 'error', // ten points, which is less than the least
  },
  DisplayTokenStatEnabled: {
    value: 'false',
    async probe({ url, member }) {
      const headers = { authorization: `Bearer ${member.keys.default}` }
      const response = await fetch(`${url}/v1/dashboard/billing/subscription`, { headers })
      const { hard_limit_usd: limit } = (await response.json()) as { hard_limit_usd: number }
      return limit === 100_000_000 ? 'the token, which has no limit' : 'its owner'
    },
    before: 'the token, which has no limit',
    after: 'its owner',
  },
  DemoSiteEnabled: {
    value: 'true',
    async probe({ member }) {
      const { envelope } = await member.client.send(api.updateSetting, { body: { show_ip_in_logs: true } })
      return envelope.success || envelope.code
    },
    before: true,
    after: 'demo_site',
  },
  SelfUseModeEnabled: {
    value: 'true',
    probe: async (site) => [await registrationResult(site), await billFor(site, { model: UNPRICED })],
    before: ['invalid_input', undefined],
    after: ['register_off', Math.round((COUNTED.prompt_tokens + COUNTED.completion_tokens) * 37.5)],
  },
} satisfies Rows

export const modelEffects = {
  global_model_mapping: {
    value: JSON.stringify({ mapping: { 'tide-virtual': [{ model: PLAIN, priorities: 1 }] } }),
    probe: (site) => statusOf(site, { model: 'tide-virtual' }),
    before: 404,
    after: 200,
  },
  GroupRatio: {
    value: JSON.stringify({ default: 3, vip: 1, 'bulk-ok': 1, 'nsfw-ok': 1 }),
    probe: (site) => billFor(site, { model: PLAIN }),
    before: 110,
    after: 330,
  },
  UserUsableGroups: {
    value: JSON.stringify({ default: 'everybody' }),
    probe: async (site) => [
      (await sendChat(site, { model: PLAIN, key: site.member.keys.vip })).status,
      Object.keys(await site.member.client.call(api.listOwnGroups)).toSorted(),
    ],
    before: [200, ['bulk-ok', 'default', 'nsfw-ok', 'vip']],
    after: [403, ['default']],
  },
  AutoGroups: {
    value: '["vip","default"]',
    probe: async (site) => Object.keys(await site.member.client.call(api.listOwnGroups)).includes('auto'),
    before: false,
    after: true,
  },
  DefaultUseAutoGroup: {
    given: { AutoGroups: '["vip","default"]' },
    value: 'true',
    probe: async (site) => (await site.member.client.call(api.listOwnGroups)).auto?.is_default ?? false,
    before: false,
    after: true,
  },
} satisfies Rows
