import { statusOf, type ChatOptions } from '../send-chat.ts'
import { BLOCKED_TERM } from '../baseline.ts'
import type { Rows } from '../effect.ts'
import type { EffectSite } from '../effect-site.ts'
import { PLAIN } from '../channels.ts'

const withText = (text: string): ChatOptions => ({ model: PLAIN, text })
const sendBlockedTerm = (site: EffectSite) => statusOf(site, withText(`Release the ${BLOCKED_TERM}!`))
const forbiddenIn = (group: 'vip' | 'nsfw-ok') => (site: EffectSite) =>
  statusOf(site, { ...withText(BLOCKED_TERM), key: site.member.keys[group] })

const WORD = 'BarNacle'
const user = { role: 'user', content: 'hello' }
const functionCall = { name: 'look', args: {} }

/** Every field of a prompt that contains text, in every protocol. */
const PLACES: Record<string, ChatOptions> = {
  chat: withText(WORD),
  'chat system': { model: PLAIN, body: { messages: [{ role: 'system', content: WORD }, user] } },
  'chat tool result': {
    model: PLAIN,
    body: {
      messages: [
        user,
        {
          role: 'assistant',
          tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'look', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: 'call_1', content: WORD },
      ],
    },
  },
  playground: { ...withText(WORD), ingress: 'playground' },
  completions: { ...withText(WORD), ingress: 'completions' },
  responses: { ...withText(WORD), ingress: 'responses' },
  'responses instructions': { model: PLAIN, ingress: 'responses', body: { instructions: WORD } },
  messages: { ...withText(WORD), ingress: 'messages' },
  'messages system': { model: PLAIN, ingress: 'messages', body: { system: WORD } },
  'messages tool result': {
    model: PLAIN,
    ingress: 'messages',
    body: {
      messages: [
        user,
        { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'look', input: {} }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: WORD }] },
      ],
      tools: [{ name: 'look', input_schema: { type: 'object' } }],
    },
  },
  gemini: { ...withText(WORD), ingress: 'gemini' },
  'gemini system': { model: PLAIN, ingress: 'gemini', body: { systemInstruction: { parts: [{ text: WORD }] } } },
  'gemini tool result': {
    model: PLAIN,
    ingress: 'gemini',
    body: {
      contents: [
        { role: 'user', parts: [{ text: 'hello' }] },
        { role: 'model', parts: [{ functionCall }] },
        { role: 'user', parts: [{ functionResponse: { name: 'look', response: { seen: WORD } } }] },
      ],
    },
  },
}

const everywhere = (status: number) => Object.fromEntries(Object.keys(PLACES).map((place) => [place, status]))

export const contentCheckEffects = {
  CheckSensitiveEnabled: { value: 'false', probe: sendBlockedTerm, before: 400, after: 200 },
  CheckSensitiveOnPromptEnabled: { value: 'false', probe: sendBlockedTerm, before: 400, after: 200 },
  SensitiveWords: {
    value: `${BLOCKED_TERM}\n${WORD.toLowerCase()}`,
    async probe(site) {
      const seen: Record<string, number> = {}
      for (const [place, options] of Object.entries(PLACES)) seen[place] = await statusOf(site, options)
      return seen
    },
    before: everywhere(200),
    after: everywhere(400),
  },
  'global.safe_check_exempt_enabled': { value: 'true', probe: forbiddenIn('nsfw-ok'), before: 400, after: 200 },
  'global.safe_check_exempt_group': {
    given: { 'global.safe_check_exempt_enabled': 'true' },
    value: 'vip',
    probe: forbiddenIn('vip'),
    before: 400,
    after: 200,
  },
} satisfies Rows
