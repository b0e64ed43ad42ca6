export const ROLE_NAMES = ['gateway', 'control', 'worker'] as const
export type RoleName = (typeof ROLE_NAMES)[number]

/** Reads `--role gateway,worker`; every role when it is left out. */
export function readRoles(text: string | undefined): ReadonlySet<RoleName> {
  if (text === undefined) return new Set(ROLE_NAMES)
  const names = text.split(',').map((name) => name.trim())
  const unknown = names.filter((name) => !isRole(name))
  if (unknown.length > 0) throw new Error(`Unknown role: ${unknown.join(', ')}. Choose from ${ROLE_NAMES.join(', ')}.`)
  return new Set(names.filter(isRole))
}

function isRole(name: string): name is RoleName {
  return (ROLE_NAMES as readonly string[]).includes(name)
}
