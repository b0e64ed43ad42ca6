import { ApiError } from '@tidegate/contract'
import { authenticate } from '../admit/authenticate.ts'
import { createSessionAffinity } from '../health/session-affinity.ts'
import type { ApiRequest } from '../http/api-request.ts'
import { readCredential } from '../http/credential.ts'
import type { Endpoint } from '../http/endpoints.ts'
import type { RequestOutcome, Ports, ShadowDecision } from '../ports/index.ts'
import type { Cooldowns } from '../route/evaluate-channel.ts'
import { createRouter } from '../route/route-plan.ts'
import { dryRun, type DryRunDeps, type DryRunEndpoint } from './dry-run.ts'
import { dryRunLimiter } from './dry-run-ports.ts'

type ShadowEndpoint = Extract<Endpoint, { kind: 'shadow' }>

/**
 * Serves copies of requests that another gateway serves: evaluates and records them. No provider is called, nothing is
 * charged.
 */
export function createShadow({ ports, health }: { ports: Ports; health: Cooldowns }) {
  const affinity = createSessionAffinity(ports)
  const router = createRouter({ health: { ...health, affinity }, random: ports.random })
  const limiter = ports.limiter && dryRunLimiter(ports.limiter)
  const deps: DryRunDeps = { ports: { ...ports, limiter }, router, affinity }

  return async function serveShadow(incoming: ApiRequest, { of, path }: ShadowEndpoint): Promise<RequestOutcome> {
    const catalog = ports.catalog()
    const { ShadowEnabled, ShadowShare } = catalog.settings
    const { method = '', url = '' } = incoming.request
    if (!ShadowEnabled) throw new ApiError('not_found', { method, path: url.replace(/[?#].*$/, '') })
    if (!isDecidable(of)) throw new ApiError('api_not_implemented')
    if (ports.random() * 100 >= ShadowShare) {
      incoming.writer.openRaw(204, {})
      incoming.writer.end('')
      return 'served'
    }
    const caller = await authenticate(ports, readCredential(incoming.request, incoming.dialect.id))
    const decision = await dryRun(deps, incoming, { endpoint: of, caller, catalog })
    ports.recordShadow?.({
      ...decision,
      requestId: incoming.requestId,
      createdAt: new Date(incoming.startedAt),
      userId: caller.userId,
      tokenId: caller.tokenId,
      path,
    })
    incoming.writer.sendJson(202, responseBody(decision))
    return 'served'
  }
}

/** Endpoints that can be evaluated by their body. Tasks continue others that only the old gateway knows. */
function isDecidable(endpoint: Endpoint): endpoint is DryRunEndpoint {
  return (endpoint.kind === 'chat' || endpoint.kind === 'operation') && !endpoint.ofConsole
}

function responseBody({ channelId, upstreamModel, promptTokens, reserve, refusal }: ShadowDecision): object {
  return {
    shadow: true,
    channel_id: channelId,
    upstream_model: upstreamModel,
    prompt_tokens: promptTokens,
    reserve,
    ...(refusal !== null && { refusal }),
  }
}
