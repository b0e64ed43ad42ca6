import { openaiRoot, quote, shellQuote, type Connection } from '../../../components/code-samples.ts'
import { newestOf, smallModelOf } from './connection.ts'
import { powerShellQuote, type Shell, type Snippet } from './snippets.ts'

/** A model that the token can use, with its published limits in tokens and abilities. */
export interface AgentModel {
  readonly name: string
  readonly context?: number
  readonly maxOutput?: number
  readonly abilities?: readonly string[]
}

/** What the configuration of a coding agent depends on. */
export interface AgentSetup {
  readonly connection: Connection
  /** The models that the token can use. */
  readonly models: readonly AgentModel[]
  /** The name of this site. */
  readonly site: string
}

type Variables = Readonly<Record<string, string>>

const limitsOf = ({ connection, models }: AgentSetup): AgentModel =>
  models.find(({ name }) => name === connection.model) ?? { name: connection.model }

/** Claude Code reads these variables and adds `/v1/messages` to the address. */
export function claudeCodeSnippets(setup: AgentSetup): Snippet[] {
  const env = claudeCodeVariables(setup)
  return [{ place: '~/.claude/settings.json', text: JSON.stringify({ env }, null, 2) }, ...inShells(env, 'claude')]
}

function claudeCodeVariables(setup: AgentSetup): Variables {
  const { address, key, model } = setup.connection
  const names = setup.models.map(({ name }) => name)
  const modelOf = (family: RegExp) => (family.test(model) ? model : newestOf(names, family))
  const small = modelOf(/\bhaiku\b/i) ?? smallModelOf(names, model)
  return {
    ANTHROPIC_BASE_URL: address,
    ANTHROPIC_AUTH_TOKEN: key,
    ANTHROPIC_MODEL: model,
    // /model, subagents and titles use these. The chosen model replaces one that the token cannot use.
    ANTHROPIC_DEFAULT_HAIKU_MODEL: small,
    ANTHROPIC_DEFAULT_SONNET_MODEL: modelOf(/\bsonnet\b/i) ?? model,
    ANTHROPIC_DEFAULT_OPUS_MODEL: modelOf(/\bopus\b/i) ?? model,
    ANTHROPIC_DEFAULT_FABLE_MODEL: modelOf(/\bfable\b/i) ?? model,
    ...(/\bclaude\b/i.test(model) ? {} : forOtherModels(limitsOf(setup))),
  }
}

/** Output tokens that Claude Code requests from a model that it does not know. */
const CLAUDE_CODE_OUTPUT = 32_000

/** Claude Code knows the limits of Claude models only. The others also keep their prompt cache without its billing line. */
const forOtherModels = ({ context, maxOutput }: AgentModel): Variables => ({
  ...(context !== undefined && { CLAUDE_CODE_MAX_CONTEXT_TOKENS: String(context) }),
  ...(maxOutput !== undefined &&
    maxOutput < CLAUDE_CODE_OUTPUT && { CLAUDE_CODE_MAX_OUTPUT_TOKENS: String(maxOutput) }),
  CLAUDE_CODE_ATTRIBUTION_HEADER: '0',
})

/** Must differ from the names that Codex and opencode reserve for their built-in providers. */
const PROVIDER = 'gateway'
const KEY_VARIABLE = 'GATEWAY_API_KEY'

/** The config file names the variable of the key and does not contain the key. */
export const codexSnippets = (setup: AgentSetup): Snippet[] => [
  { place: '~/.codex/config.toml', text: codexConfig(setup) },
  ...inShells({ [KEY_VARIABLE]: setup.connection.key }, 'codex'),
]

function codexConfig(setup: AgentSetup): string {
  const { connection, site } = setup
  const { context, maxOutput } = limitsOf(setup)
  return [
    `model = ${quote(connection.model)}`,
    `model_provider = ${quote(PROVIDER)}`,
    ...(context === undefined
      ? []
      : [
          `model_context_window = ${context}`,
          `model_auto_compact_token_limit = ${compactionLimit(context, maxOutput)}`,
        ]),
    '',
    `[model_providers.${PROVIDER}]`,
    `name = ${quote(site)}`,
    `base_url = ${quote(openaiRoot(connection))}`,
    `env_key = ${quote(KEY_VARIABLE)}`,
    'wire_api = "responses"',
  ].join('\n')
}

/** Leaves room for a whole response, and at least a tenth of the window. */
function compactionLimit(context: number, maxOutput = 0): number {
  const withOutput = Math.max(context - maxOutput, context / 2)
  return Math.floor(Math.min(withOutput, context * 0.9) / 1000) * 1000
}

/** Tokens that Gemini CLI assumes for every model that it does not know. */
const GEMINI_CLI_WINDOW = 1_048_576

/** Names by which Gemini CLI looks up the models of its side requests: routing, summaries, search and compression. */
const GEMINI_CLI_HELPERS = [
  'classifier',
  'edit-corrector',
  'summarizer-default',
  'summarizer-shell',
  'gemini-3-flash-base',
  'loop-detection-double-check',
  'agent-history-provider-summarizer',
]

/** Otherwise it would use models of Google that the token may lack. */
function geminiCliOverrides({ connection: { model }, models }: AgentSetup): object {
  const names = models.map(({ name }) => name)
  const small = smallModelOf(names, model)
  const use = (name: string, target: string) => ({ match: { model: name }, modelConfig: { model: target } })
  return {
    customOverrides: [use('chat-compression-default', model), ...GEMINI_CLI_HELPERS.map((name) => use(name, small))],
  }
}

/** Gemini CLI adds `/v1beta` to the address. It compresses at a share of the window that it assumes. */
export function geminiCliSnippets(setup: AgentSetup): Snippet[] {
  const { address, key, model } = setup.connection
  const { context = GEMINI_CLI_WINDOW } = limitsOf(setup)
  const threshold = Math.floor((context / GEMINI_CLI_WINDOW) * 50) / 100
  const settings = {
    security: { auth: { selectedType: 'gemini-api-key' } },
    ...(context < GEMINI_CLI_WINDOW && { model: { compressionThreshold: Math.max(threshold, 0.01) } }),
    ...(!/^gemini/i.test(model) && { modelConfigs: geminiCliOverrides(setup) }),
  }
  return [
    { place: '~/.gemini/settings.json', text: JSON.stringify(settings, null, 2) },
    ...inShells({ GOOGLE_GEMINI_BASE_URL: address, GEMINI_API_KEY: key, GEMINI_MODEL: model }, 'gemini'),
  ]
}

/** The file names the variable of the key, so that it can be committed. */
export function opencodeSnippets(setup: AgentSetup): Snippet[] {
  const { connection, models, site } = setup
  const small = smallModelOf(
    models.map(({ name }) => name),
    connection.model,
  )
  const offered = [...new Set([connection.model, small])].map((name) => {
    return [name, opencodeModel(models.find((model) => model.name === name) ?? { name })]
  })
  const config = {
    $schema: 'https://opencode.ai/config.json',
    provider: {
      [PROVIDER]: {
        npm: '@ai-sdk/openai-compatible',
        name: site,
        options: { baseURL: openaiRoot(connection), apiKey: `{env:${KEY_VARIABLE}}` },
        models: Object.fromEntries(offered) as object,
      },
    },
    model: `${PROVIDER}/${connection.model}`,
    small_model: `${PROVIDER}/${small}`,
  }
  return [
    { place: 'opencode.json', text: JSON.stringify(config, null, 2) },
    ...inShells({ [KEY_VARIABLE]: connection.key }, 'opencode'),
  ]
}

/** opencode sends no images and no effort to a model without these fields. */
function opencodeModel({ name, context, maxOutput, abilities = [] }: AgentModel): object {
  return {
    name,
    ...(context !== undefined && maxOutput !== undefined && { limit: { context, output: maxOutput } }),
    ...(abilities.includes('reasoning') && { reasoning: true }),
    ...(abilities.includes('vision') && {
      attachment: true,
      modalities: { input: ['text', 'image'], output: ['text'] },
    }),
  }
}

const inShells = (variables: Variables, command: string): Snippet[] => [
  inShell('macOS / Linux', variables, (name, value) => `export ${name}=${shellQuote(value)}`, command),
  inShell('Windows PowerShell', variables, (name, value) => `$env:${name} = ${powerShellQuote(value)}`, command),
]

const inShell = (
  shell: Shell,
  variables: Variables,
  line: (name: string, value: string) => string,
  command: string,
): Snippet => ({
  shell,
  place: shell,
  text: [...Object.entries(variables).map(([name, value]) => line(name, value)), command].join('\n'),
})
