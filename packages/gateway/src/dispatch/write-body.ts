import type { Settings } from '@tidegate/contract'
import {
  DIALECTS,
  patchMembers,
  type BodyChanges,
  type CanonicalRequest,
  type RequestHead,
  type Tree,
} from '@tidegate/dialects'
import type { Adapted, Conversation } from '@tidegate/providers'
import type { Call } from '../ingress/call.ts'
import type { Route } from '../route/route-call.ts'
import { callerName } from './caller-name.ts'
import { targetOf } from './target-of.ts'

export interface UpstreamBody {
  readonly text: string
  readonly adapted: Adapted
  /** The name the vendor is asked for, without what was only meant for us. */
  readonly model: string
}

interface Shaping {
  readonly call: Pick<Call, 'request'>
  readonly request: RequestHead
  readonly route: Pick<Route, 'channel' | 'model'>
  readonly conversation: Conversation
  /** What the vendor is asked for: it may be a whole answer where the client wants a stream. */
  readonly stream: boolean
  readonly key: string
  readonly settings: Settings
  /** Made only when client and vendor speak differently. */
  readonly canonical: () => CanonicalRequest
}

/** Whether the vendor gets what the client wrote. One with words of its own never does. */
export function isPassedOn({ dialect }: Pick<RequestHead, 'dialect'>, conversation: Conversation): boolean {
  return conversation.dialect === dialect && !conversation.encode
}

/**
 * The body for the vendor. In the client's own dialect it is the text that came, in which only what we own is changed;
 * in another one it is written anew. Either way the vendor's wishes follow, then its own words where it has such, and the
 * operator has the last one.
 */
export function writeBody(shaping: Shaping): UpstreamBody {
  const { request, route, conversation, stream, settings } = shaping
  const passedOn = isPassedOn(request, conversation)
  const { tree, text } = passedOn ? request : encoded(shaping)
  if (passedOn && settings['global.pass_through_request_enabled'] && conversation.dialect.startsWith('openai-')) {
    return { text: request.text, adapted: {}, model: route.model }
  }
  const head = passedOn ? request : { tree, stream, includeUsage: false }
  const owned = DIALECTS[conversation.dialect].ownedChanges(head, {
    model: route.model,
    stream,
    usage: conversation.streamUsage ?? 'keep',
    systemPrompt: route.channel.systemPrompt,
  })
  const changes: BodyChanges = { ...owned }
  const adapted =
    conversation.adapt?.(applied(tree, changes), {
      model: route.model,
      requestedModel: request.model,
      settings,
      passedOn,
    }) ?? {}
  Object.assign(changes, adapted.changes)
  const model = adapted.model ?? route.model
  if (conversation.encode) {
    const { call, key } = shaping
    const target = targetOf(route.channel, { key, model })
    const caller = () => callerName(call.request)
    const body = conversation.encode(applied(tree, changes), { target, stream, caller })
    return { text: JSON.stringify(applied(body, overridesOf(route))), adapted, model }
  }
  if (
    !leavesOutModel(adapted) &&
    tree.model !== undefined &&
    (model !== route.model || (passedOn && mayRepeatModel(request.text)))
  ) {
    changes.model = model
  }
  Object.assign(changes, overridesOf(route))
  return { text: written(text, tree, changes), adapted, model }
}

const NO_CHANGES: BodyChanges = {}

/** A null takes a member out. */
function overridesOf({ channel }: Shaping['route']): BodyChanges {
  if (!channel.paramOverride) return NO_CHANGES
  const overrides = Object.entries(channel.paramOverride)
  return Object.fromEntries(overrides.map(([name, value]) => [name, value === null ? undefined : value]))
}

/** Some vendors have the name in the path, and take it nowhere else. */
function leavesOutModel({ changes }: Adapted): boolean {
  return changes !== undefined && Object.hasOwn(changes, 'model') && changes.model === undefined
}

/**
 * A name given twice is read differently by different parsers, and the vendor must not serve another model than the one
 * that is billed. Written anew, it stands there once.
 */
function mayRepeatModel(text: string): boolean {
  return text.indexOf('"model"') !== text.lastIndexOf('"model"') || ESCAPED_LETTER.test(text)
}

/** One of the letters of `model` in disguise. */
const ESCAPED_LETTER = /\\u00(6[dfc45])/i

function encoded({ canonical, conversation, route, stream }: Shaping): { tree: Tree; text?: undefined } {
  const tree = DIALECTS[conversation.dialect].encodeRequest({ ...canonical(), model: route.model, stream })
  return { tree }
}

function written(text: string | undefined, tree: Tree, changes: BodyChanges): string {
  if (text === undefined) return JSON.stringify(applied(tree, changes))
  return Object.keys(changes).length === 0 ? text : patchMembers(text, changes)
}

function applied(tree: Tree, changes: BodyChanges): Tree {
  return Object.keys(changes).length === 0 ? tree : { ...tree, ...changes }
}
