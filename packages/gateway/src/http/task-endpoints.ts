import type { TaskKind } from '@tidegate/providers'

/** What a request does with tasks. */
export type TaskAction =
  /** `path` is the path at the provider; `of` is the parent task, where the path names one. */
  | { readonly kind: 'submit'; readonly task: TaskKind; readonly path: string; readonly of?: string }
  | { readonly kind: 'show'; readonly task: TaskKind; readonly id: string }
  | { readonly kind: 'show-many'; readonly task: TaskKind }
  | { readonly kind: 'list'; readonly task: TaskKind }
  | { readonly kind: 'seed'; readonly task: TaskKind; readonly id: string }
  /** The result, from the provider. */
  | { readonly kind: 'content'; readonly task: TaskKind; readonly id: string }
  /** For anyone who has the URL. */
  | { readonly kind: 'image'; readonly task: TaskKind; readonly id: string }
  /** A status update from a provider. */
  | { readonly kind: 'callback'; readonly task: TaskKind }

/** The mode is one word: it becomes part of the provider's URL. */
const MIDJOURNEY_PATH = /^(\/[a-z][\w-]*)?\/mj\/(submit|task|insight-face|image|notify)(\/.*)?$/

const MIDJOURNEY_SUBMISSION =
  /^\/mj\/(submit\/(imagine|describe|blend|shorten|change|simple-change|action|modal|upload-discord-images)|insight-face\/swap)$/

/** Whether the path belongs to tasks with their own paths. Other tasks are below `/v1`. */
export function isTaskPath(path: string): boolean {
  return path.startsWith('/suno/') || (MIDJOURNEY_PATH.test(path) && !path.startsWith('/api/'))
}

/** Undefined when there is no such endpoint. */
export function findTaskAction(method: string, path: string): TaskAction | undefined {
  return isTaskPath(path) ? (findMidjourney(method, path) ?? findMusic(method, path)) : undefined
}

function findMidjourney(method: string, fullPath: string): TaskAction | undefined {
  const task = 'drawing'
  const mode = MIDJOURNEY_PATH.exec(fullPath)?.[1] ?? ''
  const path = fullPath.slice(mode.length)
  if (method === 'POST') {
    // The provider does not know modes that start with `mj-`.
    if (MIDJOURNEY_SUBMISSION.test(path))
      return { kind: 'submit', task, path: mode.startsWith('/mj-') ? path : fullPath }
    if (path === '/mj/task/list-by-condition') return { kind: 'show-many', task }
    if (path === '/mj/notify') return { kind: 'callback', task }
  }
  if (method !== 'GET') return undefined
  const fetched = /^\/mj\/task\/([^/]+)\/(fetch|image-seed)$/.exec(path)
  if (fetched) return { kind: fetched[2] === 'fetch' ? 'show' : 'seed', task, id: decode(fetched[1]!) }
  const image = /^\/mj\/image\/([^/]+)$/.exec(path)
  return image ? { kind: 'image', task, id: decode(image[1]!) } : undefined
}

function findMusic(method: string, path: string): TaskAction | undefined {
  const task = 'music'
  const submission = /^\/suno\/submit\/(music|lyrics)$/i.exec(path)
  if (submission && method === 'POST')
    return { kind: 'submit', task, path: `/suno/submit/${submission[1]!.toUpperCase()}` }
  if (path === '/suno/fetch' && method === 'POST') return { kind: 'show-many', task }
  const fetched = /^\/suno\/fetch\/([^/]+)$/.exec(path)
  return fetched && method === 'GET' ? { kind: 'show', task, id: decode(fetched[1]!) } : undefined
}

/** Videos are below `/v1`. */
export function findVideo(method: string, path: string): TaskAction | undefined {
  const task = 'video'
  if (path === '/videos' && method === 'POST') return { kind: 'submit', task, path: '/v1/videos' }
  if (path === '/videos' && method === 'GET') return { kind: 'list', task }
  const [, id, action] = /^\/videos\/([^/]+)(?:\/(content|remix))?$/.exec(path) ?? []
  if (id === undefined) return undefined
  if (action === 'remix') {
    return method === 'POST' ? { kind: 'submit', task, path: `/v1/videos/${id}/remix`, of: decode(id) } : undefined
  }
  if (method !== 'GET') return undefined
  return { kind: action === 'content' ? 'content' : 'show', task, id: decode(id) }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
