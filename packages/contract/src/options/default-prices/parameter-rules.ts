import catalogue from './catalogue.json' with { type: 'json' }

/** Which parameters a model accepts. A missing rule means that it accepts all. */
export interface ParameterRules {
  /** Name of the output limit on Chat Completions. */
  readonly maxTokens?: 'max_completion_tokens'
  /** When the model accepts a temperature. */
  readonly sampling?: 'never' | 'without effort'
  /** Role of the first message instead of `system`. */
  readonly systemRole?: 'developer'
  /** The model name may end with a reasoning effort. */
  readonly effortSuffix?: boolean
  /** The model accepts reasoning settings. */
  readonly reasoning?: boolean
  /** The only chat API that serves the model. */
  readonly chatApi?: 'responses'
  /** The chat APIs that accept function tools. */
  readonly tools?: 'responses' | 'responses, or chat without effort'
  readonly cacheBreakpoints?: boolean
  /** Reasoning efforts, in rising order. */
  readonly efforts?: readonly string[]
  /** The model chooses how long it thinks, and rejects a budget. */
  readonly thinking?: 'adaptive'
}

/** How a model behaves. A missing trait is that of most models. */
export interface ModelTraits {
  /** How many tokens the provider may count for one of ours. */
  readonly countFactor?: number
  readonly vocabulary?: 'o200k'
  /** When reasoning tokens are billed that the stream does not show, or shows in summary only. */
  readonly hiddenReasoning?: 'always' | 'on request'
  /** The model may reason. Only for models that the catalogue does not list. */
  readonly reasons?: boolean
  /** The model writes its cache on its own, at a price. */
  readonly writesCache?: boolean
  /** How much longer a response may take. */
  readonly deadlineFactor?: number
  /** The model searches or runs other models by itself. */
  readonly runsTools?: boolean
  readonly owner?: string
  /** Output limit of a channel test. 0 for none. */
  readonly probeTokens?: number
  /** The model serves embeddings only. */
  readonly embeds?: boolean
}

interface FamilyRule {
  readonly family: string
  readonly from?: string
  readonly variants?: readonly string[]
  readonly except?: readonly string[]
}

/** The rules of a model's family. They also apply to models that the catalogue does not list yet. */
export const parameterRules = rulesByModel(
  catalogue.parameterRules as readonly (FamilyRule & { readonly rules: ParameterRules })[],
  ({ rules }) => rules,
)

/** The traits of a model's family. */
export const modelTraits = rulesByModel(
  catalogue.modelTraits as readonly (FamilyRule & { readonly traits: ModelTraits })[],
  ({ traits }) => traits,
)

/** Requests name few models; beyond this number they are read again. */
const MAX_KNOWN = 1_000

function rulesByModel<Rule extends FamilyRule, Fields extends object>(
  all: readonly Rule[],
  fieldsOf: (rule: Rule) => Fields,
): (model: string) => Fields {
  const known = new Map<string, Fields>()
  return (model) => {
    let fields = known.get(model)
    if (!fields) {
      const name = readName(model)
      fields = Object.assign({}, ...all.filter((rule) => applies(rule, name)).map(fieldsOf)) as Fields
      if (known.size < MAX_KNOWN) known.set(model, fields)
    }
    return fields
  }
}

interface ModelName {
  readonly whole: string
  readonly family: string
  readonly version: readonly [major: number, minor: number]
  readonly variant: string
}

/** Family, version and variant of a name such as `gpt-5.4-pro` or `claude-opus-4-7`. Dates are not versions. */
const VERSIONED_NAME = /^([a-z]+(?:-[a-z]+)*?)-?(\d+)(?:[.-](\d{1,2}))?(?![\d.])(.*)$/

function readName(model: string): ModelName {
  const [, family = model, major = '0', minor = '0', variant = ''] = VERSIONED_NAME.exec(model) ?? []
  return { whole: model, family, version: [Number(major), Number(minor)], variant: variant.replace(/^-/, '') }
}

function applies({ family, from, variants, except }: FamilyRule, name: ModelName): boolean {
  if (!isFamily(family, name) || (from !== undefined && isBefore(name.version, from))) return false
  const isVariant = (variant: string) => name.variant === variant || name.variant.startsWith(`${variant}-`)
  return variants ? variants.some(isVariant) : !except?.some(isVariant)
}

function isFamily(pattern: string, { whole, family }: ModelName): boolean {
  if (pattern.startsWith('*')) return containsAll(whole, pattern.split('*'))
  return pattern.endsWith('*') ? family.startsWith(pattern.slice(0, -1)) : family === pattern
}

/** Whether a text has the pieces, in this order. */
function containsAll(text: string, pieces: readonly string[]): boolean {
  let from = 0
  for (const piece of pieces) {
    const at = text.indexOf(piece, from)
    if (at === -1) return false
    from = at + piece.length
  }
  return true
}

function isBefore([major, minor]: ModelName['version'], from: string): boolean {
  const [fromMajor, fromMinor = 0] = from.split('.').map(Number) as [number, number?]
  return major < fromMajor || (major === fromMajor && minor < fromMinor)
}
