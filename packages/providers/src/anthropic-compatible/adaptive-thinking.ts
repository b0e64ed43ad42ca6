import { asJsonObject, type BodyChanges, type JsonObject } from '@tidegate/dialects'

/** The first version whose models choose how long they think, and refuse to be given a budget or a sampling setting. */
const FIRST = { major: 4, minor: 7 }
const VERSIONED = /^claude-[a-z]+-(\d+)(?:-(\d{1,2}))?(?:-|$)/
const NAMED = /^claude-mythos\b/

export function thinksAdaptively(model: string): boolean {
  const version = VERSIONED.exec(model)
  if (!version) return NAMED.test(model)
  const [major, minor] = [Number(version[1]), Number(version[2] ?? 0)]
  return major > FIRST.major || (major === FIRST.major && minor >= FIRST.minor)
}

/** Says with an effort what a budget said, and leaves out what these models refuse. */
export function adaptiveChanges(body: JsonObject): BodyChanges {
  const changes: BodyChanges = {}
  for (const refused of ['temperature', 'top_p', 'top_k']) if (body[refused] !== undefined) changes[refused] = undefined
  const thinking = asJsonObject(body.thinking)
  if (thinking?.type !== 'enabled') return changes
  const effort = effortOf(Number(thinking.budget_tokens) / Number(body.max_tokens))
  return {
    ...changes,
    thinking: { type: 'adaptive' },
    output_config: { ...asJsonObject(body.output_config), effort },
  }
}

/** The middle of the shares that stand for an effort where a budget is made of one: a fifth, a half, four fifths. */
function effortOf(share: number): string {
  if (share < 0.35) return 'low'
  return share < 0.65 ? 'medium' : 'high'
}
