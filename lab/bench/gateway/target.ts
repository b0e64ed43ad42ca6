/** A process that forwards the chat request to the upstream. */
export interface Target {
  readonly name: string
  readonly port: number
  readonly pid: number
  readonly bodyFile: string
  readonly headers: readonly string[]
  /** Waits until work that follows the responses is done. */
  settle?(): Promise<void>
  stop(): Promise<void>
}

export const TARGET_NAMES = [
  'direct',
  'nginx',
  'undici',
  'fastify',
  'go',
  'portkey',
  'tidegate',
  'tidegate-gateway',
  'tidegate-unlimited',
  'tidegate-cross',
  'tidegate-family',
  'tidegate-before',
] as const
export type TargetName = (typeof TARGET_NAMES)[number]

export const LABELS: Record<TargetName, string> = {
  direct: 'upstream directly',
  nginx: 'nginx',
  undici: 'bare `node:http` + undici',
  fastify: 'bare Fastify + undici',
  go: 'Go `httputil.ReverseProxy`',
  portkey: '`@portkey-ai/gateway`',
  tidegate: 'Tidegate, all roles in one process',
  'tidegate-gateway': 'Tidegate, gateway role alone',
  'tidegate-unlimited': 'Tidegate, gateway role alone, token without limits',
  'tidegate-cross': 'Tidegate, OpenAI in, Anthropic out',
  'tidegate-family': 'Tidegate, two gateways under a supervisor',
  'tidegate-before': 'Tidegate of another checkout, all roles',
}

export const OURS: readonly TargetName[] = [
  'tidegate',
  'tidegate-gateway',
  'tidegate-unlimited',
  'tidegate-cross',
  'tidegate-family',
]
/** The build of another checkout, with its own database. */
export const BEFORE = 'tidegate-before' satisfies TargetName
