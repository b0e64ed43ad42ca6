import type { CanonicalRequest, Tool } from '../../canonical/index.ts'

/**
 * Tools that came as `functions`, the older word. A client that asks with it looks for the call in `function_call`, and
 * nothing in the canonical form can say so: it is this dialect's own affair.
 */
const legacy = new WeakSet<Tool>()

export function rememberLegacy(tool: Tool): Tool {
  legacy.add(tool)
  return tool
}

export function expectsFunctionCall({ tools }: CanonicalRequest): boolean {
  return tools.length > 0 && tools.every((tool) => legacy.has(tool))
}
