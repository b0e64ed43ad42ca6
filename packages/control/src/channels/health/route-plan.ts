import { api, ApiError } from '@tidegate/contract'
import { channelList } from '@tidegate/storage'
import type { Deps, RouteExplanation, RouteQuestion } from '../../deps.ts'
import { failingRule } from './channel-states.ts'

type ExcludedChannel = RouteExplanation['excluded'][number]

const HOUR_MS = 3_600_000

const REASONS = {
  'cooling-down': 'circuit_open',
  'prompt-too-long': 'prompt_too_long',
  'no-price': 'no_price',
  'cannot-serve': 'cannot_serve',
  misconfigured: 'misconfigured',
  disabled: 'disabled',
  'other-group': 'other_group',
} as const satisfies Record<ExcludedChannel['reason'], (typeof api.EXCLUSION_REASONS)[number]>

/** Explains the route plan of a request with the rules of the gateway. */
export async function routePlan(
  deps: Pick<Deps, 'db' | 'logs' | 'now' | 'explainRoutes'>,
  question: RouteQuestion,
): Promise<api.RoutePlan> {
  if (question.model === '') throw new ApiError('invalid_params')
  if (!deps.explainRoutes) throw new ApiError('route_plan_off')
  const { tiers, excluded } = deps.explainRoutes(question)
  const [autoDisabled, requests] = await Promise.all([
    findAutoDisabled(deps, excluded),
    deps.logs.requestsByChannel(question.model, new Date(deps.now().getTime() - HOUR_MS)),
  ])
  const fieldsOf = (candidate: Pick<ExcludedChannel, 'channel' | 'circuit'>) => ({
    ...channelFields(candidate),
    requests_last_hour: requests ? (requests.get(candidate.channel.id) ?? 0) : null,
  })
  return {
    tiers: tiers.map(({ group, model, priority = null, weightFloor, candidates }) => ({
      group,
      model,
      priority,
      weight_floor: weightFloor,
      channels: candidates.map(({ upstreamModel, share, ...candidate }) => ({
        ...fieldsOf(candidate),
        upstream_model: upstreamModel,
        share,
      })),
    })),
    excluded: excluded.map(({ group, model, reason, inputLimit, waitMs, ...candidate }) => ({
      ...fieldsOf(candidate),
      group,
      model,
      reason: reason === 'disabled' && autoDisabled.has(candidate.channel.id) ? 'auto_disabled' : REASONS[reason],
      ...(inputLimit !== undefined && { max_input_tokens: inputLimit }),
      ...(waitMs !== undefined && { retry_in_ms: Math.ceil(waitMs) }),
    })),
  }
}

/** The catalog knows only whether a channel is enabled. */
async function findAutoDisabled(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  excluded: readonly ExcludedChannel[],
): Promise<ReadonlySet<number>> {
  const ids = excluded.filter(({ reason }) => reason === 'disabled').map(({ channel }) => channel.id)
  if (ids.length === 0) return new Set()
  const states = await channelList.statesOf(db, ids, failingRule(now()))
  return new Set(states.filter(({ state }) => state === 'auto_disabled').map(({ id }) => id))
}

function channelFields({ channel, circuit }: Pick<ExcludedChannel, 'channel' | 'circuit'>) {
  const { id: channel_id, name, type, priority, weight } = channel
  const { state, trippedKeys } = circuit ?? {}
  return {
    channel_id,
    name,
    type,
    priority,
    weight,
    circuit: state === undefined ? null : { state, tripped_keys: trippedKeys ?? 0 },
  }
}
