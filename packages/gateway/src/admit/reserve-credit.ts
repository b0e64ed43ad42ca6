import { ApiError, listedModel, maxOutputOf, modelTraits, type Quota, type Settings } from '@tidegate/contract'
import {
  asJsonObject,
  asList,
  asText,
  countChoices,
  type JsonObject,
  type PromptParts,
  type RequestHead,
} from '@tidegate/dialects'
import { affordableOutput, type ModelPrice, type RequestBound, worstCaseQuota } from '@tidegate/pricing'
import type { Caller, Ports } from '../ports/index.ts'
import { countTokens } from '../tokens/count-tokens.ts'
import { costTerms } from './cost-terms.ts'
import { type CreditReservation, reserveAmount } from './credit.ts'

/** A model that may serve the request, by its name at the provider, and its price. */
export interface PricedModel {
  readonly model: string
  readonly price: ModelPrice
}

/** The output limit that is sent to the provider in place of the client's. */
export interface OutputLimit {
  readonly tokens: number
  /** The account covers no more, or the site allows no more. */
  readonly reason: 'balance' | 'site'
}

export interface ReservedCredit {
  readonly reservation: CreditReservation
  readonly outputLimit?: OutputLimit
}

interface CreditRequest {
  readonly request: RequestHead
  /** Estimated or counted. */
  readonly promptTokens: number
  readonly candidates: readonly PricedModel[]
  readonly settings: Settings
  /** When the request began. */
  readonly at?: Date
  /** The tier that the provider serves the request at, whatever the request says. */
  readonly serviceTier?: string
}

/** Below this many output tokens a response is of no use, unless the client requested fewer. */
const USEFUL_OUTPUT = 256
const USEFUL_REASONING = 4096
const USEFUL_SHARE = 0.1

/** Short prompts are estimated well; in long ones, text such as code or rare scripts may have far more tokens. */
const SHORT_PROMPT = 256
const SHORT_ALLOWANCE = 1.25
const LONG_ALLOWANCE = 2.5
/** How much more than our own count a provider may count: its tokenizer is not ours. */
const COUNT_ALLOWANCE = 1.25

type ReserveDetails = CreditRequest & { readonly prompt: () => PromptParts }

/**
 * Reserves the worst case of a request, at once where the process holds enough credit. Where the account holds less,
 * the request is served with as much output as the account covers; below a useful minimum it is rejected, and the
 * provider is not called.
 */
export function reserveCredit(
  { credit }: Pick<Ports, 'credit'>,
  requestId: string,
  caller: Caller,
  creditRequest: ReserveDetails,
): ReservedCredit | Promise<ReservedCredit> {
  const needed = requiredCredit(creditRequest)
  const options = { minimum: needed.minimum, leaveHalf: creditRequest.request.maxTokens === 0 }
  const reserved = reserveAmount(credit, requestId, caller, needed.amount, options)
  return reserved instanceof Promise
    ? reserved.then((reservation) => limitOutput(reservation, needed.amount, creditRequest))
    : limitOutput(reserved, needed.amount, creditRequest)
}

/** The reservation, with the output limit that it covers. */
function limitOutput(
  reservation: CreditReservation,
  needed: Quota,
  creditRequest: ReserveDetails,
): ReservedCredit | Promise<ReservedCredit> {
  if (reservation.amount < needed) return limitToBalance(reservation, creditRequest)
  const outputLimit = siteLimit(creditRequest)
  return outputLimit ? { reservation, outputLimit } : { reservation }
}

async function limitToBalance(reservation: CreditReservation, creditRequest: ReserveDetails): Promise<ReservedCredit> {
  try {
    const counted = await countedBounds(creditRequest)
    const useful = usefulOutput(creditRequest)
    // The prompt may have more tokens than estimated, and the account more than the half that was reserved.
    const minimum = Math.max(
      ...counted.map(({ price, bound }) => worstCaseQuota(price, { ...bound, outputLimit: useful })),
    )
    const short = await reservation.extend(minimum)
    if (short) throw new ApiError(short, { needed: minimum })
    const affordable = Math.min(
      ...counted.map(({ price, bound }) => affordableOutput(price, reservation.amount, bound)),
    )
    const limits = creditRequest.candidates.map(({ model }) => outputLimitOf(model, creditRequest))
    const ofSite = siteLimit(creditRequest)
    if (affordable >= Math.max(...limits)) return { reservation, ...(ofSite && { outputLimit: ofSite }) }
    return { reservation, outputLimit: { tokens: affordable, reason: 'balance' } }
  } catch (error) {
    reservation.release()
    throw error
  }
}

/** The worst case of a request, and the minimum it is served for. */
export function requiredCredit(creditRequest: CreditRequest): { amount: number; minimum: number } {
  const { request, promptTokens, candidates, settings, at, serviceTier } = creditRequest
  const isShort = promptTokens <= SHORT_PROMPT
  const likely = promptTokens * (isShort ? SHORT_ALLOWANCE : 1)
  const longest = promptTokens * (isShort ? SHORT_ALLOWANCE : LONG_ALLOWANCE)
  // The specification's minimum reservation for requests that state no limit.
  const minPrompt = request.maxTokens > 0 ? 0 : settings.PreConsumedQuota
  const useful = usefulOutput(creditRequest)
  let amount = 0
  let minimum = 0
  for (const { model, price } of candidates) {
    const fixed = serviceTier !== undefined && { terms: { serviceTier }, hasFixedTerms: true }
    const bound = { ...boundOf(model, request), at, tierLength: tierLength(longest), ...fixed }
    const floor = worstCaseQuota(price, {
      ...bound,
      cacheWrite: 'none',
      promptTokens: minPrompt,
      outputLimit: 0,
      fees: [],
    })
    const worst = {
      ...bound,
      promptTokens: longest + bound.searchTokens,
      outputLimit: outputLimitOf(model, creditRequest),
    }
    amount = Math.max(amount, floor, worstCaseQuota(price, worst))
    minimum = Math.max(minimum, floor, worstCaseQuota(price, { ...bound, promptTokens: likely, outputLimit: useful }))
  }
  return { amount, minimum: Math.min(amount, minimum) }
}

/** The bound of the request for every model that may serve it, with the prompt counted by the tokenizer. */
async function countedBounds({
  request,
  candidates,
  prompt,
  at,
}: CreditRequest & { readonly prompt: () => PromptParts }): Promise<{ price: ModelPrice; bound: RequestBound }[]> {
  const { texts, otherTokens } = prompt()
  const counted = otherTokens + (await countTokens(request.model, texts))
  return candidates.map(({ model, price }) => {
    const factor = modelTraits(model).countFactor ?? COUNT_ALLOWANCE
    const bound = boundOf(model, request)
    const promptTokens = Math.ceil(counted * factor) + bound.searchTokens
    return { price, bound: { ...bound, at, promptTokens, tierLength: tierLength(promptTokens) } }
  })
}

/** A provider may count a little more than we do, which decides about a tier. */
function tierLength(promptTokens: number): number {
  return promptTokens * TIER_ALLOWANCE + TIER_MARGIN
}

const TIER_ALLOWANCE = 1.05
const TIER_MARGIN = 2000

function boundOf(model: string, request: RequestHead): RequestBound & { readonly searchTokens: number } {
  const { dialect, body: json, text } = request
  const marked = text.includes('"cache_control"') || text.includes('"prompt_cache_')
  const mayWrite = marked || modelTraits(model).writesCache === true
  return {
    ...costTerms(request),
    promptTokens: 0,
    outputLimit: 0,
    choices: countChoices(dialect, json),
    cacheWrite: !mayWrite ? 'none' : marked && /"(1h|12h)"/.test(text) ? '1h' : '5m',
    audioInput: text.includes('"input_audio"') || text.includes('"audio/'),
    audioOutput: requestsAudio(json),
  }
}

function requestsAudio(json: JsonObject): boolean {
  const config = asJsonObject(json.generationConfig ?? json.generation_config) ?? {}
  const modalities = [
    json.modalities,
    config.responseModalities,
    config.response_modalities,
    json.response_modalities,
  ].flatMap(asList)
  return modalities.some((modality) => asText(modality).toLowerCase() === 'audio')
}

/** The most output tokens that a model may produce for the request. */
function outputLimitOf(model: string, { request, settings }: CreditRequest): number {
  const ofModel = maxOutputOf(model)
  const ofClient = request.maxTokens
  const limit =
    ofClient > 0 ? Math.min(ofClient, ofModel ?? Infinity) : (ofModel ?? settings['billing.assumed_output_tokens'])
  return Math.min(limit, settings['billing.max_output_tokens'] || Infinity)
}

/** The output limit that the provider received, or the maximum of its model. Infinity when neither is known. */
export function outputBoundOf(model: string, { maxTokens }: RequestHead, limit: OutputLimit | undefined): number {
  const ofModel = maxOutputOf(model) ?? Infinity
  return Math.min(ofModel, maxTokens > 0 ? maxTokens : Infinity, limit?.tokens ?? Infinity)
}

function usefulOutput(creditRequest: CreditRequest): number {
  const { request, candidates } = creditRequest
  const minOutput = candidates.some(({ model }) => isReasoning(model)) ? USEFUL_REASONING : USEFUL_OUTPUT
  const limit = Math.max(...candidates.map(({ model }) => outputLimitOf(model, creditRequest)))
  return Math.min(limit, Math.max(minOutput, Math.ceil(request.maxTokens * USEFUL_SHARE)))
}

/** The operator's own limit, where it is lower than the client's. */
function siteLimit({ request, settings }: CreditRequest): OutputLimit | undefined {
  const tokens = settings['billing.max_output_tokens']
  if (tokens === 0 || (request.maxTokens > 0 && request.maxTokens <= tokens)) return undefined
  return { tokens, reason: 'site' }
}

/** Models that may produce many tokens before the first visible one. */
function isReasoning(model: string): boolean {
  const reasoning = listedModel(model)?.capabilities?.reasoning
  return Boolean(reasoning ?? modelTraits(model).reasons)
}

const REQUESTS_REASONING = /"(thinking|thinkingConfig|thinking_level|reasoning|reasoning_effort)"/

/** Whether the model bills reasoning tokens that its stream does not show, or shows in summary only. */
export function hidesReasoning(model: string, { text }: Pick<RequestHead, 'text'>): boolean {
  const { hiddenReasoning } = modelTraits(model)
  return hiddenReasoning === 'always' || (hiddenReasoning === 'on request' && REQUESTS_REASONING.test(text))
}
