import { describe, expect, it } from 'vitest'
import { CATALOGUE } from './catalogue.ts'
import { modelTraits, parameterRules } from './parameter-rules.ts'

describe('parameter rules', () => {
  it.each([
    ['o3-mini-2025-01-31', { maxTokens: 'max_completion_tokens', sampling: 'never', systemRole: 'developer' }],
    ['o4-mini-deep-research', { chatApi: 'responses' }],
    ['gpt-5', { maxTokens: 'max_completion_tokens', sampling: 'never', tools: undefined }],
    ['gpt-5-2025-08-07', { sampling: 'never', tools: undefined }],
    ['gpt-5.1-codex-mini', { chatApi: 'responses' }],
    ['gpt-5.2', { tools: 'responses, or chat without effort', sampling: 'never' }],
    ['gpt-5.4-mini-2026-03-17', { tools: 'responses, or chat without effort', sampling: 'without effort' }],
    ['gpt-5.2-chat-latest', { tools: undefined, sampling: undefined, maxTokens: 'max_completion_tokens' }],
    ['gpt-6.1-sol-2026-09-29', { tools: 'responses', sampling: 'never', cacheBreakpoints: true }],
    ['gpt-6-sol', { tools: 'responses, or chat without effort', cacheBreakpoints: true }],
    // Not in the catalogue yet.
    ['gpt-7.2-nova', { tools: 'responses, or chat without effort', cacheBreakpoints: true }],
    ['claude-opus-6', { thinking: 'adaptive' }],
    ['claude-opus-4-7-20260401', { thinking: 'adaptive' }],
    ['claude-mythos-preview', { thinking: 'adaptive' }],
    ['grok-3-mini', { effortSuffix: true, reasoning: true }],
    ['codex-mini-latest', { chatApi: 'responses', reasoning: true }],
  ] as const)('of %s', (model, expected) => {
    expect({ tools: undefined, sampling: undefined, ...parameterRules(model) }).toMatchObject(expected)
  })

  it.each([
    'gpt-4o',
    'gpt-4-32k',
    'gpt-4-0613',
    'gpt-oss-120b',
    'claude-sonnet-4-20250514',
    'gemini-3-pro-preview',
    '',
  ])('do not restrict %s', (model) => {
    const { reasoning: _reasoning, ...restrictions } = parameterRules(model)

    expect(restrictions).toEqual({})
  })

  it('find one rule or more for every reasoning chat model of OpenAI', () => {
    const models = CATALOGUE.filter(
      ({ provider, mode, capabilities }) =>
        provider === 'openai' && mode === 'chat' && capabilities?.reasoning === true,
    )

    expect(models.filter(({ model }) => !parameterRules(model).reasoning).map(({ model }) => model)).toEqual([])
  })
})

/** Names that are not in the catalogue, or not yet. */
const OTHER_NAMES = [
  'gpt-4-32k-0613',
  'gpt-4.1-nano',
  'chatgpt-4o-latest',
  'text-davinci-003',
  'anthropic/claude-opus-4-8',
]
const NAMES = [...CATALOGUE.map(({ model }) => model), ...OTHER_NAMES]

describe('model traits', () => {
  it.each([
    ['gpt-4', { countFactor: 1.02, owner: 'openai' }],
    ['gpt-4-32k', { countFactor: 1.02, owner: 'openai' }],
    ['gpt-4o-mini', { countFactor: 1.02, vocabulary: 'o200k', owner: 'openai' }],
    [
      'o3-mini-2025-01-31',
      {
        countFactor: 1.02,
        vocabulary: 'o200k',
        reasons: true,
        hiddenReasoning: 'always',
        deadlineFactor: 2,
        owner: 'openai',
      },
    ],
    ['gpt-5', { countFactor: 1.02, vocabulary: 'o200k', reasons: true, hiddenReasoning: 'always', owner: 'openai' }],
    ['gpt-5.6-sol', { writesCache: true, hiddenReasoning: 'always' }],
    ['claude-opus-4-7-thinking', { countFactor: 1.35, hiddenReasoning: 'on request', reasons: true, probeTokens: 0 }],
    ['us.anthropic.claude-sonnet-4', { countFactor: 1.35, hiddenReasoning: 'on request' }],
    ['gemini-2.5-flash', { hiddenReasoning: 'always', probeTokens: 300, owner: 'google' }],
    ['gemini-2.0-flash', { probeTokens: 300, owner: 'google' }],
    ['grok-4-fast', { reasons: true, hiddenReasoning: 'always', owner: 'xai' }],
    ['deepseek-reasoner', { reasons: true, owner: 'deepseek' }],
    ['sonar-pro', { runsTools: true }],
    ['o4-mini-deep-research', { runsTools: true, deadlineFactor: 2 }],
    ['text-embedding-3-small', { countFactor: 1.02, embeds: true, owner: 'openai' }],
    ['tts-1-hd', { owner: 'openai' }],
    ['some-model', {}],
    ['', {}],
  ] as const)('of %s', (model, expected) => {
    expect(modelTraits(model)).toMatchObject(expected)
  })

  it.each([
    ['countFactor', 1.02, (name: string) => /^(gpt-|o\d|chatgpt|text-)/.test(name)],
    ['countFactor', 1.35, (name: string) => name.includes('claude')],
    ['vocabulary', 'o200k', (name: string) => /^(chatgpt-4o|gpt-4o|gpt-4\.[1-9]|gpt-[5-9]|gpt-oss|o\d)/.test(name)],
    ['writesCache', true, (name: string) => /^gpt-(5\.[4-9]|[6-9])/.test(name)],
    ['hiddenReasoning', 'always', (name: string) => /^(o\d|gpt-[5-9]|grok-[4-9]|gemini-(2\.5|[3-9]))/.test(name)],
    ['deadlineFactor', 2, (name: string) => /^o\d/.test(name)],
    ['runsTools', true, (name: string) => /search|sonar|compound|research/.test(name)],
  ] as const)('%s is %s for the same names as a pattern finds', (trait, value, matches) => {
    expect(NAMES.filter((name) => modelTraits(name)[trait] === value)).toEqual(NAMES.filter(matches))
  })
})
