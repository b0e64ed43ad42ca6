import type { RequestHead } from '@tidegate/dialects'
import { chooseConversation, providerOf, type Conversation } from '@tidegate/providers'
import type { Call } from '../http/api-request.ts'
import type { Route, Routes } from '../route/route-plan.ts'
import type { Opening } from './first-content.ts'
import { tryRoute, type Opened, type RouteRequest } from './try-route.ts'
import { tryRoutes, type DispatchDeps, type Taken } from '../dispatch/run-attempts.ts'

/** A channel that began to answer a conversation, and those tried before it. */
export interface Attempt extends Omit<Taken<Opened>, 'answer'> {
  readonly conversation: Conversation
  readonly opening: Opening
  readonly reasoningEffort?: string
  readonly stripped?: readonly string[]
  readonly servedTier?: string
}

interface Wanted extends RouteRequest {
  readonly routes: Routes
  /** How often the call may be tried in all. */
  readonly attempts?: number
}

/** Tries one route after the other until one begins to answer. Throws the last failure when none does. */
export async function dispatch(deps: DispatchDeps, call: Call, wanted: Wanted): Promise<Attempt> {
  const { request, routes, attempts } = wanted
  const { answer, ...taken } = await tryRoutes<Opened & { conversation: Conversation }>(deps, call, {
    model: request.model,
    routes,
    attempts,
    wayTo(route) {
      const conversation = conversationWith(route, request)
      return (
        conversation && {
          dialect: conversation.dialect,
          ask: async (key) => ({
            ...(await tryRoute(deps, call, wanted, { route, conversation, key })),
            conversation,
          }),
          isStream: ({ opening }) => opening.kind === 'stream',
        }
      )
    },
  })
  const { adapted, ...opened } = answer
  return { ...taken, ...opened, reasoningEffort: adapted.reasoningEffort }
}

/** How this channel is talked to for a client of that dialect. */
export function conversationWith({ channel, model }: Route, { dialect }: RequestHead): Conversation | undefined {
  return chooseConversation(providerOf(channel.type), { dialect, target: { model, setting: channel.setting } })
}
