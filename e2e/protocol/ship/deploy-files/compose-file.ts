import { parse } from 'yaml'

export interface Service {
  image: string
  build?: object
  profiles?: string[]
  command?: string[]
  environment?: Record<string, string>
  networks: string[] | Record<string, { ipv4_address: string }>
  volumes?: string[]
  read_only?: boolean
  cap_drop?: string[]
  user?: string
  healthcheck?: { test: string[] }
  ports?: string[]
  stop_grace_period?: string
  depends_on?: Record<string, { condition: string }>
}

export interface ComposeFile {
  services: Record<string, Service>
  networks: Record<string, unknown>
  volumes: Record<string, unknown>
}

/**
 * The part of the compose specification that our file uses: what each key may contain, and where names are free (`*`).
 * Any other key is a mistake.
 */
const SHAPE: Shape = {
  name: /^[a-z][a-z0-9_-]*$/,
  services: {
    '*': {
      image: /^(\$\{\w+:-)?[\w./-]+:[\w.-]+\}?(@sha256:[0-9a-f]{64})?$/, // always with a tag
      build: { context: /./, dockerfile: /./ },
      command: /^/,
      profiles: /^[a-z]+$/,
      restart: /^unless-stopped$/,
      env_file: /^\.env$/,
      environment: { '*': /^/ },
      networks: { '*': { ipv4_address: /^[\d.]+$/ } },
      ports: /^\S+:\d+$/,
      volumes: /^[\w./-]+:\/[\w./-]+(:ro)?$/,
      tmpfs: /^\//,
      read_only: /^true$/,
      cap_drop: /^ALL$/,
      user: /^[1-9]\d*:[1-9]\d*$/,
      security_opt: /^no-new-privileges:true$/,
      shm_size: /^\d+mb$/,
      stop_grace_period: /^\d+s$/,
      stop_signal: /^SIG[A-Z]+$/,
      ulimits: { nofile: /^\d+$/ },
      healthcheck: { test: /^/, interval: /^\d+s$/, timeout: /^\d+s$/, retries: /^\d+$/, start_period: /^\d+s$/ },
      depends_on: { '*': { condition: /^service_(healthy|started|completed_successfully)$/ } },
    },
  },
  networks: { '*': { ipam: { config: { subnet: /^[\d.]+\/\d+$/, ip_range: /^[\d.]+\/\d+$/ } } } },
  volumes: { '*': /^$/ },
}

type Shape = { [key: string]: Shape | RegExp }

/** Reads the file and lists what compose would not accept. */
export function readCompose(text: string): { file: ComposeFile; mistakes: string[] } {
  const whole = parse(text, { merge: true }) as Record<string, unknown>
  const known = Object.entries(whole).filter(([key]) => !key.startsWith('x-')) // for anchors, which compose ignores
  const file = Object.fromEntries(known)
  return { file: file as unknown as ComposeFile, mistakes: mistakesIn(file, SHAPE, '') }
}

function mistakesIn(value: unknown, shape: Shape | RegExp, path: string): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => mistakesIn(item, shapeOfItem(item, shape), path))
  if (shape instanceof RegExp)
    return isScalar(value) && shape.test(String(value ?? '')) ? [] : [`${path}: not understood`]
  if (isScalar(value)) return [`${path}: more was expected`]
  return Object.entries(value as object).flatMap(([key, inner]) => {
    const inside = shape[key] ?? shape['*']
    return inside === undefined ? [`${path}.${key}: unknown`] : mistakesIn(inner, inside, `${path}.${key}`)
  })
}

/** Networks may be a plain list of names. */
function shapeOfItem(item: unknown, shape: Shape | RegExp): Shape | RegExp {
  return isScalar(item) && !(shape instanceof RegExp) && '*' in shape ? /^\w+$/ : shape
}

function isScalar(value: unknown): value is string | number | boolean | null {
  return value === null || typeof value !== 'object'
}
