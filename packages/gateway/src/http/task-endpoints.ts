import type { TaskKind } from '@tidegate/providers'

/** What a request does with tasks. */
export type TaskAction =
  /** `path` is the path at the provider; `of` is the parent task, where the path names one. */
  | { readonly does: 'order'; readonly task: TaskKind; readonly path: string; readonly of?: string }
  | { readonly does: 'tell'; readonly task: TaskKind; readonly id: string }
  | { readonly does: 'tell-many'; readonly task: TaskKind }
  | { readonly does: 'list'; readonly task: TaskKind }
  | { readonly does: 'seed'; readonly task: TaskKind; readonly id: string }
  /** The result, from the provider. */
  | { readonly does: 'content'; readonly task: TaskKind; readonly id: string }
  /** For anyone who has the URL. */
  | { readonly does: 'image'; readonly task: TaskKind; readonly id: string }
  /** A status update from a provider. */
  | { readonly does: 'callback'; readonly task: TaskKind }

/** The mode is one word: it becomes part of the provider's URL. */
const DRAWING = /^(\/[a-z][\w-]*)?\/mj\/(submit|task|insight-face|image|notify)(\/.*)?$/

const DRAWING_ORDERS =
  /^\/mj\/(submit\/(imagine|describe|blend|shorten|change|simple-change|action|modal|upload-discord-images)|insight-face\/swap)$/

/** Whether the path belongs to tasks with their own paths. Other tasks are below `/v1`. */
export function isTaskPath(path: string): boolean {
  return path.startsWith('/suno/') || (DRAWING.test(path) && !path.startsWith('/api/'))
}

/** Undefined when there is no such endpoint. */
export function findTaskAction(method: string, path: string): TaskAction | undefined {
  return isTaskPath(path) ? (findDrawing(method, path) ?? findMusic(method, path)) : undefined
}

function findDrawing(method: string, given: string): TaskAction | undefined {
  const task = 'drawing'
  const mode = DRAWING.exec(given)?.[1] ?? ''
  const path = given.slice(mode.length)
  if (method === 'POST') {
    // The provider does not know modes that start with `mj-`.
    if (DRAWING_ORDERS.test(path)) return { does: 'order', task, path: mode.startsWith('/mj-') ? path : given }
    if (path === '/mj/task/list-by-condition') return { does: 'tell-many', task }
    if (path === '/mj/notify') return { does: 'callback', task }
  }
  if (method !== 'GET') return undefined
  const fetched = /^\/mj\/task\/([^/]+)\/(fetch|image-seed)$/.exec(path)
  if (fetched) return { does: fetched[2] === 'fetch' ? 'tell' : 'seed', task, id: decode(fetched[1]!) }
  const image = /^\/mj\/image\/([^/]+)$/.exec(path)
  return image ? { does: 'image', task, id: decode(image[1]!) } : undefined
}

function findMusic(method: string, path: string): TaskAction | undefined {
  const task = 'music'
  const order = /^\/suno\/submit\/(music|lyrics)$/i.exec(path)
  if (order && method === 'POST') return { does: 'order', task, path: `/suno/submit/${order[1]!.toUpperCase()}` }
  if (path === '/suno/fetch' && method === 'POST') return { does: 'tell-many', task }
  const fetched = /^\/suno\/fetch\/([^/]+)$/.exec(path)
  return fetched && method === 'GET' ? { does: 'tell', task, id: decode(fetched[1]!) } : undefined
}

/** Videos are below `/v1`. */
export function findVideo(method: string, path: string): TaskAction | undefined {
  const task = 'video'
  if (path === '/videos' && method === 'POST') return { does: 'order', task, path: '/v1/videos' }
  if (path === '/videos' && method === 'GET') return { does: 'list', task }
  const [, id, action] = /^\/videos\/([^/]+)(?:\/(content|remix))?$/.exec(path) ?? []
  if (id === undefined) return undefined
  if (action === 'remix') {
    return method === 'POST' ? { does: 'order', task, path: `/v1/videos/${id}/remix`, of: decode(id) } : undefined
  }
  if (method !== 'GET') return undefined
  return { does: action === 'content' ? 'content' : 'tell', task, id: decode(id) }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
