import type { PublicModel, PublicPrices } from './public-prices.ts'

/** What the default list says of a model; ratios are multiples of the price of an input token. */
export interface PricedModel {
  readonly vendor: string
  readonly name: string
  /** USD per million input tokens, divided by 2. */
  readonly modelRatio?: number
  readonly completionRatio?: number
  readonly cacheRatio?: number
  readonly audioRatio?: number
  readonly audioCompletionRatio?: number
  /** USD per call. */
  readonly price?: number
  readonly context?: number
  readonly maxOutput?: number
  readonly abilities: readonly string[]
}

type Figures = Omit<PricedModel, 'vendor' | 'name' | 'abilities'>

/** Modes that are billed by tokens. */
const TOKEN_MODES = new Set(['chat', 'responses', 'completion', 'embedding', 'rerank', 'moderation', 'realtime'])

/** Free by their vendor's own word. Any other zero in a list means that the price is not known. */
const FREE = new Set(['glm-4.5-flash', 'glm-4.7-flash'])

/** Figures that cannot be right: a thousand times the price of its siblings; a chat model as an embedding. */
const MISTAKEN = new Set(['embed-multilingual-light-v3.0', 'gemini-1.5-flash'])

/** Every model with what is known of it; a name that only asks for more thought costs what the plain name costs. */
export function priceModels({ models }: PublicPrices): PricedModel[] {
  const known = new Set(models.map(({ model }) => model))
  const priced = models.flatMap((model) => {
    const row = { vendor: model.vendor, abilities: model.can ?? [], ...priceModel(model), ...limitsOf(model) }
    const names = [model.model, ...variants(model).filter((variant) => !known.has(variant))]
    return names.map((name) => ({ name, ...row }))
  })
  return priced.toSorted((one, other) => (one.name < other.name ? -1 : 1))
}

/** Nothing at all for a model that no formula of ours bills right: a refusal is better than a wrong bill. */
function priceModel(model: PublicModel): Figures {
  const { model: name, mode, input = 0, perImage = 0, perQuery = 0, inputPerSecond = 0 } = model
  if (MISTAKEN.has(name)) return {}
  if (mode === 'image_generation') return perImage > 0 && input === 0 ? { price: perImage } : {}
  if (mode === 'rerank' && perQuery > 0 && input === 0) return { price: perQuery }
  // A minute of sound is billed as a thousand tokens, so a million of them are 60,000 seconds.
  if (mode === 'audio_transcription' && input === 0 && !name.includes('realtime')) {
    return inputPerSecond > 0 ? { modelRatio: ratio(inputPerSecond, 2, 60_000n) } : {}
  }
  return TOKEN_MODES.has(mode) ? tokenPrices(model) : {}
}

function tokenPrices(model: PublicModel): Figures {
  const { model: name, mode, input = 0, output = 0, cacheRead = 0, audioInput, audioOutput } = model
  if (input === 0) return mode === 'moderation' || FREE.has(name) ? { modelRatio: 0 } : {}
  // It speaks, and the list does not say at what price.
  if (/-(native-audio|tts|omni)(-|$)/.test(name) && audioOutput === undefined) return {}
  const heard = audioInput ?? (model.can?.includes('audio') ? input : undefined)
  return {
    modelRatio: ratio(input, 2),
    ...(output > 0 && { completionRatio: ratio(output, input) }),
    ...(cacheRead > 0 && { cacheRatio: ratio(cacheRead, input) }),
    ...(heard !== undefined && { audioRatio: ratio(heard, input) }),
    ...(heard !== undefined && audioOutput !== undefined && { audioCompletionRatio: ratio(audioOutput, heard) }),
  }
}

function limitsOf({ context = 0, maxOutput = 0 }: PublicModel): Pick<PricedModel, 'context' | 'maxOutput'> {
  return { ...(context > 0 && { context }), ...(maxOutput > 0 && { maxOutput }) }
}

/** A client may ask for more thought by a suffix. It becomes a setting of the call, but the price is looked up with it. */
function variants({ vendor, model, can }: PublicModel): string[] {
  if (!can?.includes('reasoning')) return []
  if (vendor === 'Anthropic') return [`${model}-thinking`]
  const takesEffort = vendor === 'OpenAI' ? /^o\d/.test(model) : vendor === 'xAI' && model.startsWith('grok-3-mini')
  return takesEffort ? ['high', 'medium', 'low'].map((effort) => `${model}-${effort}`) : []
}

const PLACES = 12

/** Exact to twelve decimals, and up where they do not end: receipts round their own figures the same way. */
function ratio(figure: number, base: number, times = 1n): number {
  const divisor = toUnits(base)
  const dividend = toUnits(figure) * times * 10n ** BigInt(PLACES)
  const digits = String((dividend + divisor - 1n) / divisor).padStart(PLACES + 1, '0')
  return Number(`${digits.slice(0, -PLACES)}.${digits.slice(-PLACES)}`)
}

/** As a whole number of 1e-24, by its written digits: dividing floats would make 0.7 / 0.1 a little less than 7. */
function toUnits(figure: number): bigint {
  const [digits = '', exponent = '0'] = String(figure).split('e')
  const [whole = '', fraction = ''] = digits.split('.')
  return BigInt(whole + fraction) * 10n ** BigInt(24 - fraction.length + Number(exponent))
}
